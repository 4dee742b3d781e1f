//go:build linux

package main

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// copied says how rows of the demonstration data are copied. n is the number of the copy.
type copied struct {
	table    string
	counted  string            // condition of the rows that are wanted
	patterns string            // condition of those to copy, as t
	values   map[string]string // of the columns that differ
}

// id returns SQL for the id that copy n has in a column. It begins like the id of the pattern.
func id(column, n string) string {
	return `left(` + column + `, 15) || substr(md5(` + column + ` || (` + n + `))::uuid::text, 16)`
}

// fill adds demonstration data and copies of it until the database has as many listings as
// wanted, and computes the trends.
func (s *site) fill(ctx context.Context) error {
	if s.listings == 0 {
		return nil
	}
	var have, sales, patterns int
	count := `SELECT COUNT(*), (SELECT COUNT(*) FROM sales), COUNT(*) FILTER (WHERE demo) FROM listings WHERE status = 'active'`
	if err := s.db.QueryRowContext(ctx, count).Scan(&have, &sales, &patterns); err != nil {
		return err
	}
	if have >= s.listings && sales >= 3*s.listings {
		return nil
	}
	began := time.Now()
	if patterns == 0 {
		p, err := s.start(ctx, "DEMO=true")
		if err != nil {
			return err
		}
		if err := p.Stop(); err != nil {
			return err
		}
	}
	// Some fifty listings for each copy of the demonstration's 400 members.
	members := fmt.Sprintf(`%d`, max(1, s.listings/50/400-2))
	for _, c := range []struct {
		copied
		wanted int
	}{
		{copied{"members", `TRUE`, `demo`, map[string]string{"id": id(`t.id`, `n`), "handle": `t.handle || '-c' || n`}}, s.listings / 50},
		{copied{"listings", `status = 'active'`, `demo AND status = 'active'`, map[string]string{
			"id":           id(`t.id`, `n`),
			"seller_id":    id(`t.seller_id`, `1 + n % `+members),
			"title":        `left(t.title, 180) || ' ' || (ARRAY['boxed','serviced','with strap','one owner','smoke free home','spare battery','with hood','no reserve'])[1 + (n + t.row) % 8] || ' ' || (n * 131071 + t.row * 7919) % 100000`,
			"price":        `(t.price * (70 + (n + t.row) % 70) / 10000 + 1) * 100`,
			"published_at": `t.published_at - n * 7919`,
		}}, s.listings},
		{copied{"listing_photos", `place = 0`, `place = 0 AND listing_id IN (SELECT id FROM listings WHERE demo AND status = 'active')`, map[string]string{
			"listing_id": id(`t.listing_id`, `n`),
			"key":        `md5(t.key || n)`,
		}}, s.listings},
		{copied{"sales", `TRUE`, `demo AND source = 'import'`, map[string]string{
			"id":      id(`t.id`, `n`),
			"price":   `(t.price * (97 + n % 7) / 10000 + 1) * 100`,
			"sold_at": `t.sold_at - n * 7919`,
		}}, 3 * s.listings},
	} {
		if err := s.copies(ctx, c.copied, c.wanted); err != nil {
			return fmt.Errorf("fill %s: %w", c.table, err)
		}
	}
	fmt.Printf("%d listings: filled in %s\n", s.listings, time.Since(began).Round(time.Second))
	return s.run(ctx, "trends", "rebuild")
}

// copies adds copies until a table has as many rows as wanted. Indexes that are not of
// constraints are made at the end, and foreign keys are not checked.
func (s *site) copies(ctx context.Context, c copied, wanted int) error {
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	var patterns, more int
	if err := conn.QueryRowContext(ctx, `SELECT COUNT(*), $1 - (SELECT COUNT(*) FROM `+c.table+` WHERE `+c.counted+`) FROM `+c.table+` t WHERE `+c.patterns, wanted).Scan(&patterns, &more); err != nil {
		return err
	}
	if more <= 0 || patterns == 0 {
		return nil
	}
	var columns, values, indexes string
	err = conn.QueryRowContext(ctx, `SELECT string_agg(column_name, ',') FROM information_schema.columns WHERE table_name = $1`, c.table).Scan(&columns)
	if err != nil {
		return err
	}
	for name := range strings.SplitSeq(columns, ",") {
		switch value := c.values[name]; {
		case value != "":
			values += `, ` + value
		case name == "demo":
			values += `, FALSE`
		default:
			values += `, t.` + name
		}
	}
	var drop string
	err = conn.QueryRowContext(ctx, `SELECT COALESCE(string_agg(indexdef, ';'), ''), COALESCE(string_agg('DROP INDEX ' || indexname, ';'), '')
		FROM pg_indexes WHERE tablename = $1 AND indexname NOT IN (SELECT conname FROM pg_constraint WHERE contype IN ('p', 'u'))`, c.table).Scan(&indexes, &drop)
	if err != nil {
		return err
	}
	for _, statement := range []string{
		`SET session_replication_role = replica`,
		drop,
		fmt.Sprintf(`INSERT INTO %[1]s (%[2]s) SELECT %[3]s FROM generate_series(1, %[4]d) n,
			(SELECT t.*, row_number() OVER () AS row FROM %[1]s t WHERE %[5]s) t LIMIT %[6]d`,
			c.table, columns, values[2:], (more+patterns-1)/patterns, c.patterns, more),
		indexes,
		`VACUUM ANALYZE ` + c.table,
		`RESET session_replication_role`,
	} {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}
