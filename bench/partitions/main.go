//go:build linux

// Command partitions compares partitions by month with plain tables on PostgreSQL: inserting
// and reading sales, following and pruning changes. It needs an empty database of a server on
// this machine, whose processor time it reads.
//
//	DATABASE_URL=postgres://… go run ./bench/partitions
//
// The plain tables are those of the schema. Partitioned sales have a table of ids and external
// ids beside them, which keeps both unique, because a unique index of a partitioned table
// contains the column it is partitioned by. Changes are partitioned by their key, so that it
// remains unique. Each has a default partition.
package main

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	_ "github.com/lib/pq"
)

const (
	months = 60
	gear   = 2000
	month  = 30 * 24 * 3600 * 1000 // ms
	days   = 31
)

func main() {
	sales := flag.Int("sales", 1_000_000, "number of sales")
	changes := flag.Int("changes", 1_000_000, "number of changes, over 31 days")
	flag.Parse()
	if err := run(context.Background(), *sales, *changes); err != nil {
		fmt.Fprintln(os.Stderr, "partitions:", err)
		os.Exit(1)
	}
}

// bench is a connection, with the process of PostgreSQL that serves it.
type bench struct {
	*sql.Conn
	process int
}

func run(ctx context.Context, sales, changes int) error {
	db, err := sql.Open("postgres", os.Getenv("DATABASE_URL"))
	if err != nil {
		return err
	}
	defer db.Close()
	b := &bench{}
	if b.Conn, err = db.Conn(ctx); err != nil {
		return err
	}
	defer b.Close()
	if err := b.QueryRowContext(ctx, `SELECT pg_backend_pid()`).Scan(&b.process); err != nil {
		return err
	}
	if err := b.exec(ctx, schema(changes)); err != nil {
		return err
	}
	fmt.Printf("%-50s %12s %12s\n", "processor time of PostgreSQL", "plain", "partitioned")
	for _, step := range []struct {
		name               string
		count              int
		plain, partitioned func(i int) string
	}{
		{"insert 2,000 sales", sales / 2000, insertSales("sales_plain"), func(i int) string {
			return insertIDs(i) + "; " + insertSales("sales_parts")(i)
		}},
		{"read the sales of a gear", 200, readGear("sales_plain"), readGear("sales_parts")},
		{"find a sale by its id", 500, findSale(`SELECT * FROM sales_plain WHERE id = '%s'`), findSale(`SELECT s.* FROM sales_ids i JOIN sales_parts s ON s.sold_at = i.sold_at AND s.id = i.id WHERE i.id = '%s'`)},
		{"vacuum sales", 1, always(`VACUUM ANALYZE sales_plain`), always(`VACUUM ANALYZE sales_parts`)},
		{"insert 1,000 changes", changes / 1000, insertChanges("changes_plain", changes), insertChanges("changes_parts", changes)},
		{"follow: the next 100 changes", 500, follow("changes_plain", changes), follow("changes_parts", changes)},
		{"prune a day of changes", 1, prune, always(`DROP TABLE changes_parts_0`)},
		{"vacuum changes", 1, always(`VACUUM changes_plain`), always(`VACUUM changes_parts`)},
	} {
		plain, err := b.measure(ctx, step.count, step.plain)
		if err != nil {
			return fmt.Errorf("%s: %w", step.name, err)
		}
		partitioned, err := b.measure(ctx, step.count, step.partitioned)
		if err != nil {
			return fmt.Errorf("%s, partitioned: %w", step.name, err)
		}
		fmt.Printf("%-50s %9.2f ms %9.2f ms\n", step.name, plain, partitioned)
	}
	return nil
}

// schema makes the tables.
func schema(changes int) string {
	const sale = `id TEXT COLLATE "C" NOT NULL, external_id TEXT COLLATE "C", gear TEXT COLLATE "C" NOT NULL, condition TEXT COLLATE "C" NOT NULL,
		price BIGINT NOT NULL, sold_at BIGINT NOT NULL, region TEXT COLLATE "C" NOT NULL`
	const change = `seq BIGINT NOT NULL PRIMARY KEY, kind TEXT COLLATE "C" NOT NULL, subject TEXT COLLATE "C" NOT NULL, at BIGINT NOT NULL`
	var s strings.Builder
	fmt.Fprintf(&s, `DROP TABLE IF EXISTS sales_plain, sales_parts, sales_ids, changes_plain, changes_parts;
		CREATE TABLE sales_plain (%[1]s, PRIMARY KEY (id), UNIQUE (external_id));
		CREATE INDEX ON sales_plain (gear, sold_at, id);
		CREATE INDEX ON sales_plain (sold_at);
		CREATE TABLE sales_ids (id TEXT COLLATE "C" PRIMARY KEY, external_id TEXT COLLATE "C" UNIQUE, sold_at BIGINT NOT NULL);
		CREATE TABLE sales_parts (%[1]s, PRIMARY KEY (id, sold_at)) PARTITION BY RANGE (sold_at);
		CREATE INDEX ON sales_parts (gear, sold_at, id);
		CREATE INDEX ON sales_parts (sold_at);
		CREATE TABLE sales_parts_default PARTITION OF sales_parts DEFAULT;
		CREATE TABLE changes_plain (%[2]s);
		CREATE INDEX ON changes_plain (at);
		CREATE TABLE changes_parts (%[2]s) PARTITION BY RANGE (seq);
		CREATE INDEX ON changes_parts (at);
		CREATE TABLE changes_parts_default PARTITION OF changes_parts DEFAULT;`, sale, change)
	for m := range months {
		fmt.Fprintf(&s, "CREATE TABLE sales_parts_%d PARTITION OF sales_parts FOR VALUES FROM (%d) TO (%d);", m, m*month, (m+1)*month)
	}
	for d := range days {
		fmt.Fprintf(&s, "CREATE TABLE changes_parts_%d PARTITION OF changes_parts FOR VALUES FROM (%d) TO (%d);", d, d*changes/days, (d+1)*changes/days)
	}
	return s.String()
}

func always(statement string) func(int) string { return func(int) string { return statement } }

// row is the ith batch of 2,000 sales, at times of all months.
func row(i int) string {
	return fmt.Sprintf(`SELECT md5(n::text)::uuid::text AS id, 'sale-' || n AS external_id, 'brand/model-' || n * 7919 %% %d AS gear, 'good' AS condition,
		(n %% 1000 + 1) * 100 AS price, (n * 6364136223846793005 %% %d + %d) %% %d AS sold_at, 'DE' AS region FROM generate_series(%d::numeric, %d::numeric) n`,
		gear, months*month, months*month, months*month, i*2000, i*2000+1999)
}

func insertSales(table string) func(i int) string {
	return func(i int) string { return `INSERT INTO ` + table + ` ` + row(i) + ` ON CONFLICT DO NOTHING` }
}

func insertIDs(i int) string {
	return `INSERT INTO sales_ids SELECT id, external_id, sold_at FROM (` + row(i) + `) r ON CONFLICT DO NOTHING`
}

func readGear(table string) func(i int) string {
	return func(i int) string {
		return fmt.Sprintf(`SELECT id, sold_at, condition, price FROM %s WHERE gear = 'brand/model-%d' ORDER BY sold_at, id`, table, i)
	}
}

func findSale(query string) func(i int) string {
	return func(i int) string { return strings.Replace(query, "'%s'", fmt.Sprintf("md5('%d')::uuid::text", i), 1) }
}

func insertChanges(table string, changes int) func(i int) string {
	return func(i int) string {
		return fmt.Sprintf(`INSERT INTO %s SELECT n, 'listing', md5(n::text)::uuid::text, n * %d FROM generate_series(%d::bigint, %d) n`, table, days*24*3600*1000/changes, i*1000, i*1000+999)
	}
}

func follow(table string, changes int) func(i int) string {
	return func(i int) string {
		return fmt.Sprintf(`SELECT * FROM %s WHERE seq >= %d ORDER BY seq LIMIT 101`, table, i*7919%changes)
	}
}

// prune deletes the changes of the first day in batches, as the server does.
func prune(int) string {
	return `DO $$ DECLARE last BIGINT; day BIGINT := (SELECT MAX(seq) FROM changes_plain) / ` + strconv.Itoa(days) + `; BEGIN
		LOOP
			SELECT MAX(seq) INTO last FROM (SELECT seq FROM changes_plain WHERE seq < day ORDER BY seq LIMIT 5000) AS batch;
			EXIT WHEN last IS NULL;
			DELETE FROM changes_plain WHERE seq <= last;
		END LOOP; END $$`
}

// measure executes statements and returns the processor time of one in milliseconds.
func (b *bench) measure(ctx context.Context, count int, statement func(i int) string) (float64, error) {
	before := b.processor()
	for i := range count {
		if err := b.exec(ctx, statement(i)); err != nil {
			return 0, err
		}
	}
	return (b.processor() - before).Seconds() * 1e3 / float64(count), nil
}

// exec executes statements and reads their rows.
func (b *bench) exec(ctx context.Context, statements string) error {
	rows, err := b.QueryContext(ctx, statements)
	if err != nil {
		return err
	}
	defer rows.Close()
	for more := true; more; more = rows.NextResultSet() {
		for rows.Next() {
		}
	}
	return rows.Err()
}

// processor returns the processor time of the process of PostgreSQL.
func (b *bench) processor() time.Duration {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/schedstat", b.process))
	used, _, _ := strings.Cut(string(text), " ")
	nanoseconds, _ := strconv.ParseInt(used, 10, 64)
	return time.Duration(nanoseconds)
}
