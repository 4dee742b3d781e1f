package models

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// postgres is what PostgreSQL does its own way.
type postgres struct{ address string }

const postgresConnections = 12

func (db *database) openPostgres(address string) error {
	u, err := url.Parse(address)
	if err != nil {
		return errors.New("database address is not a URL such as postgres://user:password@host/name") // without the address: it holds a password
	}
	// A plan made for the values at hand beats a kept one where a limit meets a
	// selective filter, and compiling costs more than these queries take.
	query := u.Query()
	for name, value := range map[string]string{"jit": "off", "plan_cache_mode": "force_custom_plan", "application_name": "secondlight"} {
		if !query.Has(name) {
			query.Set(name, value)
		}
	}
	u.RawQuery = query.Encode()
	pool, err := sqlx.Open("postgres", u.String())
	if err != nil {
		return err
	}
	pool.SetMaxOpenConns(postgresConnections)
	pool.SetMaxIdleConns(postgresConnections)
	db.read, db.write, db.engine = pool, pool, postgres{u.String()}
	return nil
}

func (postgres) migration() (goose.Dialect, []goose.ProviderOption, error) {
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300))
	return goose.DialectPostgres, []goose.ProviderOption{goose.WithSessionLocker(locker)}, err
}

// Text is compared by its bytes, as SQLite does, whatever the cluster's locale.
func (postgres) words() *strings.Replacer {
	return strings.NewReplacer("TEXT", `TEXT COLLATE "C"`)
}

func (postgres) place(n int) string { return numbered(n) }

// retry repeats what lost to a concurrent transaction: a deadlock, a
// serialization failure, or a row the other one inserted first.
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

func (postgres) backup(context.Context, string) error {
	return errors.New("backup copies SQLite files only: use pg_dump for PostgreSQL")
}

// changesChannel is where commits are announced.
const changesChannel = "secondlight_changes"

func (postgres) notify(ctx context.Context, t *tx) error {
	_, err := t.ExecContext(ctx, `SELECT pg_notify($1, '')`, changesChannel)
	return err
}

// watch listens for announcements. The listener connects again by itself and
// says so by an empty announcement, which is as good a reason to look as any.
func (p postgres) watch(ctx context.Context) (<-chan struct{}, time.Duration, func(), error) {
	listener := pq.NewListener(p.address, 100*time.Millisecond, 10*time.Second, nil)
	context.AfterFunc(ctx, func() { listener.Close() }) // also while Listen waits for a server that is away
	if err := listener.Listen(changesChannel); err != nil {
		listener.Close()
		return nil, 0, nil, fmt.Errorf("listen for changes: %w", err)
	}
	woken := make(chan struct{}, 1)
	go func() {
		for range listener.Notify {
			nudge(woken)
		}
	}()
	return woken, time.Second, func() { listener.Close() }, nil
}

func (postgres) position(ctx context.Context, db *database) (p Position, err error) {
	err = db.read.GetContext(ctx, &p, `SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint`)
	return p, err
}

// since reads every row it can see from the position on, also rows newer than
// transactions that are still open, so that one long transaction holds back
// nobody; the position itself moves only past transactions that have all ended.
// Rows of both rounds are told once, by their numbers.
//
// Transactions from the future come with a dump of another cluster: they are
// nothing new.
func (p postgres) since(ctx context.Context, db *database, from cursor, each func(Change) error) (cursor, error) {
	ended, err := p.position(ctx, db) // before the rows are read: all older transactions are then seen
	if err != nil {
		return from, err
	}
	rows, err := db.read.QueryxContext(ctx, `SELECT seq, tx::text::bigint, kind, subject FROM changes
		WHERE tx >= $1::text::xid8 AND tx < pg_snapshot_xmax(pg_current_snapshot()) ORDER BY tx, seq`, fmt.Sprint(from.position))
	if err != nil {
		return from, err
	}
	next := cursor{ended, map[int64]bool{}}
	err = eachRow(rows, func(r *sqlx.Rows) error {
		var seq int64
		var tx Position
		var c Change
		if err := r.Scan(&seq, &tx, &c.Kind, &c.Subject); err != nil {
			return err
		}
		if tx >= ended {
			next.told[seq] = true
		}
		if from.told[seq] {
			return nil
		}
		return each(c)
	})
	if err != nil {
		return from, err
	}
	return next, nil
}

func (postgres) prune() string {
	return `DELETE FROM changes WHERE at < $1 AND tx < pg_snapshot_xmin(pg_current_snapshot()) RETURNING tx::text::bigint`
}
