package store

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/pressly/goose/v3"

	"github.com/secondlight/secondlight/migrations"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
)

// Migrate applies pending migrations, then recomputes outdated trends, hashes serial
// numbers stored before hashing, makes the key of contact forms and begins the change log.
// It is safe to run in several processes at once. A schema newer than the program is left
// as it is, and is an error if the program can't run on it.
func (db *database) Migrate(ctx context.Context) error {
	if err := db.migrateTo(ctx, latest); errors.Is(err, errNewerSchema) {
		return db.CheckSchema(ctx)
	} else if err != nil {
		return err
	}
	if err := db.RebuildOutdatedTrends(ctx); err != nil {
		return err
	}
	if err := db.hashSerials(ctx); err != nil {
		return fmt.Errorf("hash serial numbers: %w", err)
	}
	return db.update(ctx, func(t *tx) error {
		if _, err := secretSetting(ctx, t, contactKeySetting); err != nil {
			return fmt.Errorf("make the key of contact forms: %w", err)
		}
		return t.renewChangeLog(ctx, true)
	})
}

func (db *database) tryUpdate(ctx context.Context, do func(*tx) error) error {
	inner, err := db.write.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	t := &tx{Tx: inner, db: db, trends: map[string]*trendTouch{}}
	if db.link == nil {
		t.statements = map[string]*sqlx.Stmt{}
	}
	defer inner.Rollback() // no-op after a commit
	defer t.releaseTrends(false)
	if err := do(t); err != nil {
		return err
	}
	if _, err := rollUpTouched(ctx, t); err != nil {
		return err
	}
	if err := queueNotices(ctx, t); err != nil {
		return err
	}
	committed, err := markClaim(ctx, t)
	if err != nil {
		return err
	}
	if err := t.logChanges(ctx); err != nil {
		return err
	}
	if err := db.engine.commit(t); err != nil {
		return err
	}
	t.releaseTrends(true) // before the disk is waited for, which the next writer need not
	if committed != nil {
		committed()
	}
	if err := db.engine.persist(); err != nil {
		return fmt.Errorf("sync a committed transaction: %w", err)
	}
	if len(t.changes) > 0 {
		db.wake.broadcast(db.engine.committed(t))
	}
	return nil
}

// CheckSchema returns an error if the program can't run on the schema as it is: because
// migrations or trends are pending, which Migrate applies and computes, or because the
// schema is that of a later release that doesn't support this one.
func (db *database) CheckSchema(ctx context.Context) error {
	i := &Inspection{}
	if err := i.readSchema(ctx, db.read, db.engine); err != nil {
		return err
	}
	if err := i.Check(); err != nil {
		return err
	}
	earlier, err := db.hasEarlierTrends(ctx)
	if err == nil && earlier {
		err = errors.New("trends were computed with the method of an earlier release: run secondlight migrate")
	}
	return err
}

// openDatabase prepares the database at databaseURL without connecting.
func openDatabase(databaseURL string, o Options) (*database, error) {
	clock := o.Clock
	if clock == nil {
		clock = time.Now
	}
	db := &database{log: cmp.Or(o.Log, slog.Default()), clock: clock, currency: cmp.Or(o.Currency, models.Currency{Code: "EUR", Digits: 2}), trends: prices.NewTrendCache()}
	var err error
	switch scheme, rest, _ := strings.Cut(databaseURL, ":"); scheme {
	case "sqlite":
		err = db.openSQLite(rest, o)
	case "postgres", "postgresql":
		err = db.openPostgres(databaseURL, o)
	default:
		err = fmt.Errorf("database URL %q: want sqlite:PATH or postgres://…", databaseURL)
	}
	if err != nil {
		return nil, err
	}
	for _, pool := range db.pools() {
		pool.MapperFunc(snakeCase)
	}
	return db, nil
}

// repairRecord corrects the record of applied migrations by what the schema
// contains: it removes migrations whose objects don't exist, so that they are
// applied, and adds those whose objects exist. The record can be wrong after an
// incomplete copy of the database. A partly applied migration is an error.
func (db *database) repairRecord(ctx context.Context, sources []*goose.Source) error {
	evidence, err := evidenceOf(sources)
	if err != nil {
		return err
	}
	// The record and the schema must be of one moment: another process may migrate.
	tx, err := db.write.BeginTxx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead})
	if err != nil {
		return err
	}
	defer tx.Rollback() // no-op after a commit
	recorded, err := setOf[int64](ctx, tx, `SELECT version_id FROM goose_db_version WHERE is_applied`)
	if err != nil {
		return err
	}
	objects, err := setOf[string](ctx, tx, db.engine.schemaObjects())
	if err != nil {
		return err
	}
	for _, source := range sources {
		created := evidence[source.Version]
		if len(created) == 0 {
			continue // nothing to tell it by
		}
		missing := slices.DeleteFunc(slices.Clone(created), func(object string) bool { return objects[object] })
		switch applied := len(missing) == 0; {
		case !applied && len(missing) < len(created):
			return fmt.Errorf("the database is incomplete: migration %d was applied in part, %s is missing: restore a backup", source.Version, missing[0])
		case !applied && recorded[source.Version]:
			_, err = tx.ExecContext(ctx, `DELETE FROM goose_db_version WHERE version_id = $1`, source.Version)
		case applied && !recorded[source.Version]:
			_, err = tx.ExecContext(ctx, `INSERT INTO goose_db_version (version_id, is_applied) VALUES ($1, TRUE)`, source.Version)
		}
		if err != nil {
			return err
		}
	}
	return tx.Commit()
}

// setOf returns the values that a query selects.
func setOf[T comparable](ctx context.Context, q sqlx.QueryerContext, query string) (map[T]bool, error) {
	var values []T
	if err := sqlx.SelectContext(ctx, q, &values, query); err != nil {
		return nil, err
	}
	set := make(map[T]bool, len(values))
	for _, v := range values {
		set[v] = true
	}
	return set, nil
}

// The statements of migrations that create and drop objects, each on one line up to the name.
// Their groups are that name: a table or an index, or a table and its column.
var (
	createStatement = regexp.MustCompile(`(?i)^\s*CREATE\s+(?:TABLE|(?:UNIQUE\s+)?INDEX)\s+(?:IF\s+NOT\s+EXISTS\s+)?(\w+)`)
	addStatement    = regexp.MustCompile(`(?i)^\s*ALTER\s+TABLE\s+(\w+)\s+ADD\s+COLUMN\s+(\w+)`)
	dropStatement   = regexp.MustCompile(`(?i)^\s*DROP\s+(?:TABLE|INDEX)\s+(?:IF\s+EXISTS\s+)?(\w+)`)
	removeStatement = regexp.MustCompile(`(?i)^\s*ALTER\s+TABLE\s+(\w+)\s+DROP\s+COLUMN\s+(\w+)`)
	renameStatement = regexp.MustCompile(`(?i)^\s*ALTER\s+TABLE\s+(\w+)\s+RENAME\s+TO\s`)
)

// evidenceOf returns the objects that exist if and only if a migration was
// applied, by its version: those it creates, which no earlier migration creates
// and no migration drops.
func evidenceOf(sources []*goose.Source) (map[int64][]string, error) {
	created, creator, dropped := map[int64][]string{}, map[string]int64{}, map[string]bool{}
	for _, source := range sources { // in the order of their versions
		text, err := fs.ReadFile(migrations.Files, source.Path)
		if err != nil {
			return nil, err
		}
		created[source.Version] = objectsIn(text, createStatement, addStatement)
		for _, object := range created[source.Version] {
			if creator[object] == 0 {
				creator[object] = source.Version
			}
		}
		for _, object := range objectsIn(text, dropStatement, renameStatement, removeStatement) {
			dropped[object] = true
		}
	}
	evidence := map[int64][]string{}
	for version, objects := range created {
		for _, object := range objects {
			if creator[object] == version && !dropped[object] {
				evidence[version] = append(evidence[version], object)
			}
		}
	}
	return evidence, nil
}

// objectsIn returns the objects that the statements in a migration name, as table, index
// or table.column.
func objectsIn(text []byte, statements ...*regexp.Regexp) []string {
	var objects []string
	for line := range bytes.Lines(text) {
		for _, statement := range statements {
			if names := statement.FindSubmatch(line); names != nil {
				objects = append(objects, string(bytes.Join(names[1:], []byte("."))))
			}
		}
	}
	return objects
}

// up applies the pending migrations up to a version once.
func (db *database) up(ctx context.Context, provider *goose.Provider, version int64, applied *migrationLog) error {
	current, known, err := provider.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("read schema version: %w", err)
	}
	if current > known {
		return fmt.Errorf("schema version %d, program supports %d: %w", current, known, errNewerSchema)
	}
	if version == 0 {
		return nil
	}
	if err := db.repairRecord(ctx, provider.ListSources()); err != nil {
		return fmt.Errorf("check the schema: %w", err)
	}
	states, err := provider.Status(ctx)
	if err != nil {
		return fmt.Errorf("read applied migrations: %w", err)
	}
	applied.pending = len(slices.DeleteFunc(states, func(s *goose.MigrationStatus) bool {
		return s.State != goose.StatePending || s.Source.Version > version
	}))
	if applied.fresh = current == 0; applied.fresh {
		db.log.InfoContext(ctx, "make the tables of an empty database", "schema", known)
	}
	if _, err := provider.UpTo(ctx, version); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}

// migrationLog logs each migration of a database that has tables when it starts. It is the
// handler of what goose logs about their statements.
type migrationLog struct {
	slog.Handler
	log            *slog.Logger
	fresh          bool // the database had no tables
	pending, begun int
	last           int64 // version of the one that began last
}

// Handle implements slog.Handler.
func (m *migrationLog) Handle(ctx context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "version" && a.Value.Int64() != m.last && !m.fresh {
			m.last, m.begun = a.Value.Int64(), m.begun+1
			m.log.InfoContext(ctx, "apply migration", "schema", m.last, "number", m.begun, "of", m.pending)
		}
		return true
	})
	return nil
}
