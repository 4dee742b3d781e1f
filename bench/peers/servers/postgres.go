//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// postgresSettings are those of the tuning guide for a machine of 24 GB with an SSD that other
// programs use too: https://wiki.postgresql.org/wiki/Tuning_Your_PostgreSQL_Server. Searches of
// milliseconds gain nothing from compiled plans and parallel workers: readers who come at the
// same time use the other processors. A plan for any values would be wrong for most.
var postgresSettings = map[string]string{
	"shared_buffers": "2GB", "effective_cache_size": "8GB", "work_mem": "32MB", "maintenance_work_mem": "512MB",
	"random_page_cost": "1.1", "effective_io_concurrency": "200", "max_wal_size": "4GB", "wal_compression": "on",
	"jit": "off", "plan_cache_mode": "force_custom_plan", "max_parallel_workers_per_gather": "0", "listen_addresses": "",
}

// cluster is a running PostgreSQL, a child process that ends with this one.
type cluster struct {
	folder string
	cmd    *exec.Cmd
}

// postgresBin returns the folder of the newest PostgreSQL.
func postgresBin() (string, error) {
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		return "", errors.New("PostgreSQL is not installed")
	}
	return filepath.Dir(found[len(found)-1]), nil
}

// command returns a command that runs as a user other than root, as PostgreSQL demands, which
// owns the folder.
func (c *cluster) command(program string, args ...string) (*exec.Cmd, error) {
	bin, err := postgresBin()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(filepath.Join(bin, program), args...)
	cmd.Dir, cmd.Stderr = c.folder, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGQUIT}
	if os.Getuid() != 0 {
		return cmd, nil
	}
	owner, err := user.Lookup("postgres")
	if err != nil {
		return nil, err
	}
	uid, _ := strconv.Atoi(owner.Uid)
	gid, _ := strconv.Atoi(owner.Gid)
	cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return cmd, os.Chown(c.folder, uid, gid)
}

func (c *cluster) init() error {
	cmd, err := c.command("initdb", "-D", filepath.Join(c.folder, "data"), "-U", "market", "-A", "trust", "-E", "UTF8", "--locale", "C.UTF-8")
	if err != nil {
		return err
	}
	return cmd.Run()
}

// start starts the server, and opens a pool of twice as many connections as processors, and one.
func (c *cluster) start(ctx context.Context) (*pgxpool.Pool, error) {
	// A process whose parent thread ends gets the signal of Pdeathsig; this thread never ends.
	runtime.LockOSThread()
	args := []string{"-D", filepath.Join(c.folder, "data"), "-k", c.folder}
	for name, value := range postgresSettings {
		args = append(args, "-c", name+"="+value)
	}
	cmd, err := c.command("postgres", args...)
	if err != nil {
		return nil, err
	}
	if c.cmd = cmd; cmd.Start() != nil {
		return nil, errors.New("PostgreSQL does not start")
	}
	pool, err := pgxpool.New(ctx, fmt.Sprintf("host=%s user=market dbname=postgres sslmode=disable pool_max_conns=%d", c.folder, 2*runtime.NumCPU()+1))
	if err != nil {
		return nil, err
	}
	for range 600 {
		if err = pool.Ping(ctx); err == nil || ctx.Err() != nil {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	return pool, err
}

// stop stops the server in the mode that ends sessions.
func (c *cluster) stop() error {
	if err := c.cmd.Process.Signal(syscall.SIGINT); err != nil {
		return err
	}
	return c.cmd.Wait()
}

// Lexemes are stored, because an index on the expression alone would compute them again for
// every rank. Cards are apart, so that a listing which is only counted has a short row.
const postgresSchema = `
CREATE EXTENSION pg_trgm;
CREATE TABLE listings (
	id int PRIMARY KEY, words text NOT NULL, brand text NOT NULL, category text NOT NULL, family text NOT NULL,
	condition text NOT NULL, country text NOT NULL, price bigint NOT NULL, published bigint NOT NULL,
	lexemes tsvector GENERATED ALWAYS AS (to_tsvector('simple', words)) STORED);
CREATE TABLE cards (id int PRIMARY KEY, card text NOT NULL)`

var postgresIndexes = []string{
	`CREATE INDEX ON listings USING gin (lexemes) WITH (fastupdate = off)`,
	`CREATE INDEX ON listings USING gin (words gin_trgm_ops) WITH (fastupdate = off)`,
	`CREATE INDEX ON listings (brand, price)`,
	`CREATE INDEX ON listings (category, price)`,
	`CREATE INDEX ON listings (family, price)`,
	`CREATE INDEX ON listings (country, price)`,
	`CREATE INDEX ON listings (price)`,
	`CREATE INDEX ON listings (published DESC)`,
	`VACUUM (FREEZE, ANALYZE) listings, cards`,
}

func loadPostgres(ctx context.Context, folder string, listings []listing) error {
	c := &cluster{folder: folder}
	if err := c.init(); err != nil {
		return err
	}
	pool, err := c.start(ctx)
	if err != nil {
		return err
	}
	if _, err := pool.Exec(ctx, postgresSchema); err != nil {
		return err
	}
	columns := []string{"id", "words", "brand", "category", "family", "condition", "country", "price", "published"}
	_, err = pool.CopyFrom(ctx, pgx.Identifier{"listings"}, columns, pgx.CopyFromSlice(len(listings), func(i int) ([]any, error) {
		l := &listings[i]
		return []any{i + 1, l.Words, l.Brand, l.Category, l.Family, l.Condition, l.Country, l.Price, l.Published}, nil
	}))
	if err != nil {
		return err
	}
	_, err = pool.CopyFrom(ctx, pgx.Identifier{"cards"}, []string{"id", "card"}, pgx.CopyFromSlice(len(listings), func(i int) ([]any, error) {
		return []any{i + 1, string(listings[i].Card)}, nil
	}))
	if err != nil {
		return err
	}
	for _, statement := range postgresIndexes {
		if _, err := pool.Exec(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	pool.Close()
	return c.stop()
}

func servePostgres(ctx context.Context, folder, address string) error {
	c := &cluster{folder: folder}
	pool, err := c.start(ctx)
	if err != nil {
		return err
	}
	err = serveSearches(ctx, address, func(ctx context.Context, q *query) (*answer, error) {
		found, err := searchPostgres(ctx, pool, q, `lexemes @@ plainto_tsquery('simple', $1)`)
		if err != nil || found.total > 0 || q.keyword == "" {
			return found, err
		}
		return searchPostgres(ctx, pool, q, `$1 <% words`) // the keyword may be misspelt
	})
	pool.Close()
	return errors.Join(err, c.stop())
}

// searchPostgres finds the listings once and counts and sorts them in the same statement.
func searchPostgres(ctx context.Context, pool *pgxpool.Pool, q *query, match string) (*answer, error) {
	var w where
	if q.keyword != "" {
		w.add(match, q.keyword)
	}
	for _, c := range q.equal() {
		w.add(fmt.Sprintf("%s = ANY ($%d)", c.column, len(w.arguments)+1), c.values)
	}
	if q.min > 0 {
		w.add(fmt.Sprintf("price >= $%d", len(w.arguments)+1), q.min)
	}
	if q.max > 0 {
		w.add(fmt.Sprintf("price <= $%d", len(w.arguments)+1), q.max)
	}
	statement := `WITH hit AS MATERIALIZED (SELECT id, brand, category, condition, country, ` +
		q.order(`-ts_rank(lexemes, plainto_tsquery('simple', $1))`) + ` AS place FROM listings` + w.String() + `),
		page AS (SELECT id, place FROM hit ORDER BY place, id DESC LIMIT ` + strconv.Itoa(pageSize) + `)
		SELECT GROUPING (brand, category, condition, country), coalesce(brand, category, condition, country, ''), count(*)
		FROM hit GROUP BY GROUPING SETS ((), (brand), (category), (condition), (country))
		UNION ALL (SELECT -1, card, 0 FROM page JOIN cards USING (id) ORDER BY place, id DESC)`
	rows, err := pool.Query(ctx, statement, w.arguments...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := newAnswer()
	for rows.Next() {
		var grouping, count int
		var value string
		if err := rows.Scan(&grouping, &value, &count); err != nil {
			return nil, err
		}
		switch grouping {
		case -1:
			found.cards = append(found.cards, []byte(value))
		case 0b0111: // a bit is set for a column that the row is not grouped by
			found.facets["brand"][value] = count
		case 0b1011:
			found.facets["category"][value] = count
		case 0b1101:
			found.facets["condition"][value] = count
		case 0b1110:
			found.facets["country"][value] = count
		default:
			found.total = count
		}
	}
	return found, rows.Err()
}
