package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/pressly/goose/v3"

	"github.com/secondlight/secondlight/migrations"
	"github.com/secondlight/secondlight/models"
)

// MinPostgres is the oldest major version of PostgreSQL that the program runs on.
const MinPostgres = 15

// Inspection describes the server and the schema of a database.
type Inspection struct {
	Engine         string        // SQLite or PostgreSQL
	Version        string        // of the engine, such as 17.2
	Major          int           // first number of Version
	Schema         int64         // highest version of a migration that was applied; 0 without a schema
	Latest         int64         // highest version of a migration that the program has
	Pending        int           // migrations of the program that were not applied
	Compatible     int64         // lowest Latest of the programs that run on the schema; 0 if it doesn't say
	Paused         bool          // email and webhooks wait
	RatesDay       models.Day    // last day of which there are exchange rates, "" for none
	Size           int64         // in bytes
	MaxConnections int           // that the server accepts; 0 on SQLite
	Standby        bool          // the server is a standby, which can't be written
	Site           string        // id of the site, "" if it has none yet
	Servers        int           // how many run on it; 0 on SQLite
	ClockAhead     time.Duration // how far the server's clock is ahead of this machine's; 0 on SQLite
}

// compatibleSetting is the oldest release that runs on the schema, by the version of its
// newest migration. Migrations set it.
const compatibleSetting = "compatible_since"

// Check returns an error if the program can't run on the schema as it is.
func (i *Inspection) Check() error {
	switch {
	case i.Schema > i.Latest && (i.Compatible == 0 || i.Compatible > i.Latest):
		return fmt.Errorf("schema version %d, program supports %d: %w", i.Schema, i.Latest, errNewerSchema)
	case i.Schema > i.Latest:
		return nil
	case i.Schema == 0:
		return ErrNoSchema
	case i.Pending > 0:
		return fmt.Errorf("the database has schema %d, and this release needs %d: make a backup, then run secondlight migrate", i.Schema, i.Latest)
	}
	return nil
}

// Inspect connects to a database and describes it. Unlike Open it changes nothing: it
// neither creates a missing SQLite file, for which the error is fs.ErrNotExist, nor
// restricts the permissions of an existing one.
func Inspect(ctx context.Context, databaseURL string) (*Inspection, error) {
	scheme, rest, _ := strings.Cut(databaseURL, ":")
	if scheme == "sqlite" {
		return inspectSQLite(ctx, rest)
	}
	return inspectPostgres(ctx, databaseURL)
}

func inspectSQLite(ctx context.Context, path string) (*Inspection, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if err := checkSQLite(path, info.Size()); err != nil {
		return nil, err
	}
	db, err := sqlx.Open("sqlite", readOnlySQLite(path))
	if err != nil {
		return nil, err
	}
	defer db.Close()
	i := &Inspection{Engine: "SQLite", Size: info.Size()}
	if log, err := os.Stat(path + "-wal"); err == nil {
		i.Size += log.Size()
	}
	if err := db.GetContext(ctx, &i.Version, `SELECT sqlite_version()`); err != nil {
		return nil, err
	}
	return i, i.readSchema(ctx, db, sqlite{path: path})
}

// Verify reads a database completely and returns up to maxDamage findings about what is damaged.
// It changes nothing, and the site may be running. On PostgreSQL it reads all rows, and checks the
// indexes if the database has the extension amcheck.
func Verify(ctx context.Context, databaseURL string) (damage []string, err error) {
	if path, ok := strings.CutPrefix(databaseURL, "sqlite:"); ok {
		db, err := sqlx.Open("sqlite", readOnlySQLite(path))
		if err != nil {
			return nil, err
		}
		defer db.Close()
		err = db.SelectContext(ctx, &damage, fmt.Sprintf(`PRAGMA integrity_check(%d)`, maxDamage))
		if slices.Equal(damage, []string{"ok"}) {
			damage = nil
		}
		return damage, err
	}
	u, err := parsePostgres(databaseURL)
	if err != nil {
		return nil, err
	}
	db, err := postgresDB(u, newLink(), 1, 1, nil)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	return verifyPostgres(ctx, db)
}

// maxDamage is the largest number of findings about a damaged database.
const maxDamage = 10

// verifyPostgres runs a query for each table and, with amcheck, for each index. One that fails
// because of what it reads is a finding.
func verifyPostgres(ctx context.Context, db *sqlx.DB) (damage []string, err error) {
	var queries []string
	err = db.SelectContext(ctx, &queries, `SELECT format('SELECT MAX(LENGTH(t::text)) FROM %I t', c.relname)
		FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
		UNION ALL SELECT format('SELECT %I.bt_index_check(%s, TRUE)', n.nspname, i.indexrelid)
		FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam, pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
		WHERE e.extname = 'amcheck' AND a.amname = 'btree' AND c.relnamespace = current_schema()::regnamespace`)
	for _, query := range queries {
		if len(damage) == maxDamage {
			break
		}
		if _, failed := db.ExecContext(ctx, query); IsDamaged(failed) {
			damage = append(damage, failed.Error())
		} else if failed != nil {
			return damage, failed
		}
	}
	return damage, err
}

// readOnlySQLite returns the data source of a connection that writes no file. Without a
// log the file is complete, and SQLite must be told so, as it would create an empty log.
func readOnlySQLite(path string) string {
	query := "_busy_timeout=1000&mode=ro"
	if log, err := os.Stat(path + "-wal"); err != nil || log.Size() == 0 {
		query += "&immutable=1"
	}
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	file := url.URL{Scheme: "file", Path: filepath.ToSlash(path)}
	return file.String() + "?" + query
}

func inspectPostgres(ctx context.Context, address string) (*Inspection, error) {
	u, err := parsePostgres(address)
	if err != nil {
		return nil, err
	}
	setDefaults(u, map[string]string{"connect_timeout": "4", "default_transaction_read_only": "on"})
	db, err := postgresDB(u, newLink(), 1, 1, nil)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	var now time.Time
	if err := db.PingContext(ctx); err != nil { // connect, which takes long
		return nil, explainConnect(err)
	}
	asked := time.Now()
	if err := db.GetContext(ctx, &now, `SELECT clock_timestamp()`); err != nil {
		return nil, err
	}
	i := &Inspection{Engine: "PostgreSQL", ClockAhead: now.Sub(asked.Add(time.Since(asked) / 2))}
	err = db.QueryRowxContext(ctx, `SELECT current_setting('server_version'), current_setting('max_connections')::int,
		pg_database_size(current_database()), pg_is_in_recovery()`).Scan(&i.Version, &i.MaxConnections, &i.Size, &i.Standby)
	if err != nil {
		return nil, err
	}
	i.Version, _, _ = strings.Cut(i.Version, " ") // followed by the distribution
	return i, i.readSchema(ctx, db, postgres{})
}

// readSchema compares the migrations that were applied with those of the program.
func (i *Inspection) readSchema(ctx context.Context, db *sqlx.DB, e engine) error {
	major, _, _ := strings.Cut(i.Version, ".")
	i.Major, _ = strconv.Atoi(major)
	tables, err := setOf[string](ctx, db, e.tables())
	if err != nil {
		return fmt.Errorf("read the tables: %w", err)
	}
	applied := map[int64]bool{}
	if tables["goose_db_version"] {
		if applied, err = setOf[int64](ctx, db, `SELECT version_id FROM goose_db_version WHERE is_applied`); err != nil {
			return fmt.Errorf("read schema version: %w", err)
		}
	}
	for version := range applied {
		i.Schema = max(i.Schema, version)
	}
	if tables["settings"] {
		err := db.GetContext(ctx, &i.Compatible, `SELECT CAST(value AS BIGINT) FROM settings WHERE name = $1`, compatibleSetting)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return fmt.Errorf("read which releases the schema supports: %w", err)
		}
		if err := db.GetContext(ctx, &i.Paused, `SELECT EXISTS (SELECT 1 FROM settings WHERE name = $1)`, pausedSetting); err != nil {
			return fmt.Errorf("read whether deliveries are paused: %w", err)
		}
		if err := db.GetContext(ctx, &i.Site, `SELECT COALESCE(MAX(value), '') FROM settings WHERE name = $1`, siteIDSetting); err != nil {
			return fmt.Errorf("read the id of the site: %w", err)
		}
	}
	if tables["leases"] {
		if err := db.GetContext(ctx, &i.Servers, `SELECT COUNT(*) FROM leases WHERE name LIKE $1 AND until > $2`, serverLease+"%", models.TimeOf(time.Now())); err != nil {
			return fmt.Errorf("count the servers: %w", err)
		}
	}
	if tables["exchange_rates"] {
		if err := db.GetContext(ctx, &i.RatesDay, `SELECT COALESCE(MAX(day), '') FROM exchange_rates`); err != nil {
			return fmt.Errorf("read the day of the exchange rates: %w", err)
		}
	}
	names, err := fs.Glob(migrations.Files, "*.sql")
	if err != nil {
		return err
	}
	for _, name := range names {
		version, err := goose.NumericComponent(name)
		if err != nil {
			return err
		}
		i.Latest = max(i.Latest, version)
		if !applied[version] {
			i.Pending++
		}
	}
	return nil
}
