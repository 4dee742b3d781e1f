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
)

// postgres is the engine for PostgreSQL.
type postgres struct{ address string }

const (
	postgresConnections = 12
	scanConnections     = 4 // that read whole tables
)

func (db *database) openPostgres(address string, o Options) error {
	u, err := parsePostgres(address)
	if err != nil {
		return err
	}
	if o.LockTimeout > 0 {
		setDefaults(u, map[string]string{"lock_timeout": milliseconds(o.LockTimeout)})
	}
	db.engine = postgres{u.String()}
	if db.scan, err = postgresDB(u, scanConnections, 0); err != nil {
		return err
	}
	if o.StatementTimeout > 0 {
		setDefaults(u, map[string]string{"statement_timeout": milliseconds(o.StatementTimeout)})
	}
	n := cmp.Or(o.MaxConnections, postgresConnections)
	db.read, err = postgresDB(u, n, n)
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

// postgresDB opens a pool of at most n connections, of which it keeps up to idle open.
func postgresDB(u *url.URL, n, idle int) (*sqlx.DB, error) {
	pool, err := sqlx.Open("postgres", u.String())
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(n)
	pool.SetMaxIdleConns(idle)
	return pool, nil
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

// appendChanges inserts the rows under a lock that is released when the transaction
// has committed. Without it, a transaction could commit after another with higher
// positions has, and readers would miss its changes. Announcements make PostgreSQL
// take a lock for the commit in any case.
func (postgres) appendChanges(ctx context.Context, t *tx, insert func() error) error {
	if _, err := t.ExecContext(ctx, `SELECT pg_notify($1, ''), pg_advisory_xact_lock($2)`, changesChannel, changesLock); err != nil {
		return err
	}
	return insert()
}

// watch listens for announcements. After a reconnect the listener sends an
// empty notification, which also wakes the follower.
func (p postgres) watch(ctx context.Context) (<-chan struct{}, time.Duration, func(), error) {
	listener := pq.NewListener(p.address, 100*time.Millisecond, 10*time.Second, nil)
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
