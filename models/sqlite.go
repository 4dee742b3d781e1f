package models

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/pressly/goose/v3"
	_ "modernc.org/sqlite" // the database/sql driver
)

// sqlite is the engine for SQLite. One connection writes while others read from
// the write-ahead log.
type sqlite struct{ path string }

const sqliteReaders = 4

func (db *database) openSQLite(path string) error {
	if path == "" || strings.Contains(path, ":memory:") {
		return errors.New("database URL sqlite:PATH requires the path of a file")
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	db.engine = sqlite{path}
	if db.write, err = sqliteDB(path, "_txlock=immediate", 1); err != nil {
		return err
	}
	db.read, err = sqliteDB(path, "_query_only=1", sqliteReaders)
	return err
}

// sqliteDB opens a pool of at most n persistent connections.
func sqliteDB(path, option string, n int) (*sqlx.DB, error) {
	file := url.URL{Scheme: "file", Path: filepath.ToSlash(path)}
	db, err := sqlx.Open("sqlite", file.String()+"?_busy_timeout=10000&_journal_mode=WAL&_synchronous=NORMAL&_foreign_keys=1&"+option)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	return db, nil
}

func (sqlite) migration() (goose.Dialect, []goose.ProviderOption, error) {
	return goose.DialectSQLite3, nil, nil
}

func (sqlite) replacements() *strings.Replacer {
	return strings.NewReplacer(
		"BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "INTEGER PRIMARY KEY AUTOINCREMENT",
		"XID8 DEFAULT pg_current_xact_id()", "BIGINT",
	)
}

// placeholder returns "?", because SQLite searches a list for each numbered
// parameter, which takes minutes for ten thousand.
func (sqlite) placeholder(int) string { return "?" }

// retry returns false: writers queue for the one write connection.
func (sqlite) retry(error) bool { return false }

// backup opens its own connection, because readers are read-only and the writer
// should not be blocked.
func (q sqlite) backup(ctx context.Context, path string) error {
	db, err := sqliteDB(q.path, "", 1)
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, `VACUUM INTO $1`, path); err != nil {
		return fmt.Errorf("back up into %s: %w", path, err)
	}
	return nil
}

func (sqlite) notify(context.Context, *tx) error { return nil }

// watch polls often, because SQLite does not announce commits of other
// processes. A poll is one index lookup.
func (sqlite) watch(context.Context) (<-chan struct{}, time.Duration, func(), error) {
	return nil, 200 * time.Millisecond, func() {}, nil
}

// position relies on AUTOINCREMENT, which never reuses a number.
func (sqlite) position(ctx context.Context, db *database) (p Position, err error) {
	err = db.read.GetContext(ctx, &p, `SELECT COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'changes'), 0) + 1`)
	return p, err
}

// since relies on commits being in the order of their numbers, as there is one
// writer.
func (sqlite) since(ctx context.Context, db *database, from cursor, each func(Change) error) (cursor, error) {
	rows, err := db.read.QueryxContext(ctx, `SELECT seq, kind, subject FROM changes WHERE seq >= $1 ORDER BY seq`, from.position)
	if err != nil {
		return from, err
	}
	err = eachRow(rows, func(r *sqlx.Rows) error {
		var seq Position
		var c Change
		if err := r.Scan(&seq, &c.Kind, &c.Subject); err != nil {
			return err
		}
		from.position = seq + 1
		return each(c)
	})
	return from, err
}

func (sqlite) prune() string { return `DELETE FROM changes WHERE at < $1 RETURNING seq` }
