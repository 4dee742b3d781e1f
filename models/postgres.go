package models

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
	"go.opentelemetry.io/otel/trace"
)

// postgres is the engine for PostgreSQL.
type postgres struct {
	address string
	link    *link
	orderer *orderer
}

const (
	postgresConnections = 12
	scanConnections     = 4 // that read whole tables
)

func (db *database) openPostgres(address string, o Options) error {
	u, err := parsePostgres(address)
	if err != nil {
		return err
	}
	setDefaults(u, map[string]string{"connect_timeout": "3"}) // of each host
	if o.LockTimeout > 0 {
		setDefaults(u, map[string]string{"lock_timeout": milliseconds(o.LockTimeout)})
	}
	db.link = newLink()
	if db.order, err = postgresDB(u, db.link, 1, 1, nil); err != nil {
		return err
	}
	db.engine = postgres{u.String(), db.link, &orderer{pool: db.order}}
	if db.scan, err = postgresDB(u, db.link, scanConnections, 0, o.Tracing); err != nil {
		return err
	}
	if o.StatementTimeout > 0 {
		setDefaults(u, map[string]string{"statement_timeout": milliseconds(o.StatementTimeout)})
	}
	n := cmp.Or(o.MaxConnections, postgresConnections)
	db.read, err = postgresDB(u, db.link, n, n, o.Tracing)
	db.write = db.read
	return err
}

// parsePostgres parses the URL of a database, and adds the parameters of each connection.
func parsePostgres(address string) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("database URL is not valid: want postgres://user:password@host/name") // omit the URL, which contains a password
	}
	// Custom plans are better than generic ones for a LIMIT with a selective
	// filter, and JIT compilation takes longer than these queries.
	setDefaults(u, map[string]string{"jit": "off", "plan_cache_mode": "force_custom_plan", "application_name": "secondlight"})
	return u, nil
}

// postgresDB opens a pool of at most n connections over a link, of which it keeps up to
// idle open.
func postgresDB(u *url.URL, over *link, n, idle int, tracing trace.TracerProvider) (*sqlx.DB, error) {
	connector, err := pq.NewConnector(u.String())
	if err != nil {
		return nil, err
	}
	connector.Dialer(over)
	pool := connectPool("postgres", connector, tracing)
	pool.SetMaxOpenConns(n)
	pool.SetMaxIdleConns(idle)
	return pool, nil
}

// errPooler is the error of a connection pool whose clients share connections.
var errPooler = errors.New("the database URL is that of a connection pool, such as PgBouncer: " +
	"use the address of PostgreSQL itself, because the server needs connections of its own and pools them")

// refusePooler returns errPooler if the statements of two connections run in the same
// session of the server.
func (db *database) refusePooler(ctx context.Context) error {
	var conns [2]*sqlx.Conn
	for i := range conns {
		c, err := db.scan.Connx(ctx)
		if err != nil {
			return err
		}
		defer c.Close()
		conns[i] = c
	}
	var sessions [2]int
	for range 3 { // a pool may take turns
		for i, c := range conns {
			before := sessions[i]
			if err := c.GetContext(ctx, &sessions[i], `SELECT pg_backend_pid()`); err != nil {
				return err
			}
			if before != 0 && before != sessions[i] || sessions[0] == sessions[1] {
				return errPooler
			}
		}
	}
	return nil
}

// explainConnect returns err, the reason why the first connection failed, in clear words.
func explainConnect(err error) error {
	var answer *pq.Error
	if errors.As(err, &answer) && strings.Contains(answer.Message, "unsupported startup parameter") {
		return fmt.Errorf("%w (%s)", errPooler, answer.Message)
	}
	return err
}

// setDefaults sets parameters of each connection that the URL does not set.
func setDefaults(u *url.URL, values map[string]string) {
	query := u.Query()
	for name, value := range values {
		if !query.Has(name) {
			query.Set(name, value)
		}
	}
	u.RawQuery = query.Encode()
}

// milliseconds returns a timeout as PostgreSQL and SQLite write it.
func milliseconds(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

func (postgres) connect(ctx context.Context, db *database) error {
	if err := db.Ping(ctx); err != nil {
		return explainConnect(err)
	}
	return db.refusePooler(ctx)
}

func (postgres) migration() (goose.Dialect, []goose.ProviderOption, error) {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300))
	return goose.DialectPostgres, []goose.ProviderOption{goose.WithSessionLocker(locker)}, err
}

// translate makes comparisons of text bytewise, as in SQLite, whatever the
// locale of the cluster.
func (postgres) translate(sql string) string {
	return strings.ReplaceAll(sql, "TEXT", `TEXT COLLATE "C"`)
}

func (postgres) name() string { return "PostgreSQL" }

func (postgres) size() string { return `SELECT pg_database_size(current_database())` }

func (postgres) schemaObjects() string {
	return `SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'i')
		UNION SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = current_schema()`
}

func (postgres) tables() string {
	return `SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'`
}

func (postgres) foreignKeys() string {
	return `SELECT child.relname::text AS child, parent.relname::text AS parent FROM pg_constraint
		JOIN pg_class child ON child.oid = conrelid JOIN pg_class parent ON parent.oid = confrelid
		WHERE contype = 'f' AND connamespace = current_schema()::regnamespace`
}

func (postgres) placeholder(n int) string { return numbered(n) }

func (postgres) copies() bool { return true }

// copyRows is insertReturning with COPY to a temporary table.
func (t *tx) copyRows(ctx context.Context, table, suffix string, n int, row func(i int) []any, scan func(*sqlx.Rows) error) error {
	name, list, _ := strings.Cut(table, "(")
	list = strings.TrimSuffix(list, ")")
	if _, err := t.Tx.ExecContext(ctx, `CREATE TEMP TABLE copied ON COMMIT DROP AS SELECT `+list+` FROM `+name+` WITH NO DATA`); err != nil {
		return err
	}
	if err := t.copyTo(ctx, "copied ("+list+")", n, row); err != nil {
		return err
	}
	rows, err := t.Tx.QueryxContext(ctx, `INSERT INTO `+table+` SELECT `+list+` FROM copied `+suffix)
	if err != nil {
		return err
	}
	if err := eachRow(rows, scan); err != nil {
		return err
	}
	_, err = t.Tx.ExecContext(ctx, `DROP TABLE copied`)
	return err
}

// copyTo appends n rows to a table, given as in insert, with COPY.
func (t *tx) copyTo(ctx context.Context, table string, n int, row func(i int) []any) error {
	stmt, err := t.PrepareContext(ctx, `COPY `+table+` FROM STDIN`)
	if err != nil {
		return err
	}
	defer stmt.Close()
	for i := range n {
		if _, err := stmt.ExecContext(ctx, row(i)...); err != nil {
			return err
		}
	}
	_, err = stmt.ExecContext(ctx) // ends the COPY
	return err
}

// retry returns true for deadlocks, serialization failures and unique
// violations.
func (postgres) retry(err error) bool {
	var e *pq.Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Code {
	case "40001", "40P01", "23505":
		return true
	}
	return false
}

// changesChannel is the channel on which commits are announced.
const changesChannel = "secondlight_changes"

// changesLock is the key of the advisory lock that orders changes.
const changesLock = 7_205_759_403_792

// watch listens for announcements. After a reconnect the listener sends an
// empty notification, which also wakes the follower.
func (p postgres) watch(ctx context.Context) (<-chan struct{}, time.Duration, func(), error) {
	listener := pq.NewDialListener(p.link, p.address, 100*time.Millisecond, time.Second, nil)
	context.AfterFunc(ctx, func() { listener.Close() }) // also while Listen waits for an unavailable server
	if err := listener.Listen(changesChannel); err != nil {
		listener.Close()
		return nil, 0, nil, fmt.Errorf("listen for changes: %w", err)
	}
	woken := make(chan struct{}, 1)
	go func() {
		for range listener.Notify {
			wake(woken)
		}
	}()
	return woken, time.Second, func() { listener.Close() }, nil
}
