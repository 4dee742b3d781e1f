package models

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/jmoiron/sqlx"
	"github.com/pressly/goose/v3"

	"github.com/secondlight/secondlight/migrations"
)

// database is an open database with what every store on it shares.
type database struct {
	read, write *sqlx.DB // the same on PostgreSQL
	engine      engine
	clock       Clock
	wake        hub
	letters     atomic.Pointer[Letters] // nil until SendNotices
}

// openDatabase opens the database at databaseURL without connecting to it yet.
func openDatabase(databaseURL string, clock Clock) (*database, error) {
	if clock == nil {
		clock = time.Now
	}
	db := &database{clock: clock}
	var err error
	switch scheme, rest, _ := strings.Cut(databaseURL, ":"); scheme {
	case "sqlite":
		err = db.openSQLite(rest)
	case "postgres", "postgresql":
		err = db.openPostgres(databaseURL)
	default:
		err = fmt.Errorf("database address %q is neither sqlite:PATH nor postgres://…", databaseURL)
	}
	if err != nil {
		return nil, err
	}
	db.read.MapperFunc(snakeCase)
	db.write.MapperFunc(snakeCase)
	return db, nil
}

// engine is what SQLite and PostgreSQL do differently.
type engine interface {
	// migration says how goose speaks to the engine.
	migration() (goose.Dialect, []goose.ProviderOption, error)
	// words are the words of the migrations that the engine spells differently.
	words() *strings.Replacer
	// place is where the nth value of a long list of values goes.
	place(n int) string
	// retry reports whether a transaction that failed with err is worth repeating.
	retry(err error) bool
	// backup copies the database into a new file.
	backup(ctx context.Context, path string) error
	follower
}

// Close ends every connection.
func (db *database) Close() error {
	if db.read == db.write {
		return db.write.Close()
	}
	return errors.Join(db.read.Close(), db.write.Close())
}

// Ping reports whether the database answers.
func (db *database) Ping(ctx context.Context) error {
	var one int
	return db.read.GetContext(ctx, &one, `SELECT 1`)
}

// Migrate brings the schema up to what this program knows; several processes
// may do so at once. It refuses a schema that is newer than the program.
func (db *database) Migrate(ctx context.Context) error {
	dialect, options, err := db.engine.migration()
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(dialect, db.write.DB, dialectFS{migrations.Files, db.engine.words()}, options...)
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	// SQLite has no lock that spans migrations: the loser of a race tries again, and
	// may lose each migration to another once.
	most := attempts + len(provider.ListSources())
	for attempt := 1; ; attempt++ {
		err := up(ctx, provider)
		if err == nil || errors.Is(err, errNewerSchema) || attempt == most || ctx.Err() != nil {
			return err
		}
	}
}

var errNewerSchema = errors.New("the database was made by a newer version of the program: run that version")

func up(ctx context.Context, provider *goose.Provider) error {
	current, known, err := provider.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("read schema version: %w", err)
	}
	if current > known {
		return fmt.Errorf("schema %d, this program knows %d: %w", current, known, errNewerSchema)
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}

// Backup writes a consistent copy of the database into a new file while it is
// in use. It works on SQLite only.
func (db *database) Backup(ctx context.Context, path string) error {
	return db.engine.backup(ctx, path)
}

// setting is a remembered value, "" when there is none.
func (db *database) setting(ctx context.Context, name string) (value string, err error) {
	err = db.read.GetContext(ctx, &value, `SELECT value FROM settings WHERE name = $1`, name)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}

// now is the store's clock, cut to milliseconds.
func (db *database) now() Time { return TimeOf(db.clock()) }

// newID returns an id of this instant.
func (db *database) newID() string { return NewID(db.clock()) }

// attempts is how often a transaction is tried that others made fail.
const attempts = 5

// update runs do in a transaction, adds the changes and the notices it noted,
// commits, and wakes those who follow. Do runs again when it loses a race that the
// engine settles by failing one side.
func (db *database) update(ctx context.Context, do func(*tx) error) error {
	for attempt := 1; ; attempt++ {
		err := db.tryUpdate(ctx, do)
		if err == nil || attempt == attempts || !db.engine.retry(err) {
			return ended(ctx, err)
		}
	}
}

// ended makes of a failure under a context that has ended the context's own:
// what fails else is left to chance, such as a statement that database/sql closed
// with the transaction just before it ran.
func ended(ctx context.Context, err error) error {
	var told *Error
	if err == nil || ctx.Err() == nil || errors.Is(err, ctx.Err()) || errors.As(err, &told) {
		return err
	}
	return fmt.Errorf("%w: %w", ctx.Err(), err)
}

func (db *database) tryUpdate(ctx context.Context, do func(*tx) error) error {
	inner, err := db.write.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer inner.Rollback() // after a commit this does nothing
	t := &tx{Tx: inner, db: db, statements: map[string]*sqlx.Stmt{}}
	if err := do(t); err != nil {
		return err
	}
	if err := t.queueNotices(ctx); err != nil {
		return err
	}
	committed, err := t.mark(ctx)
	if err != nil {
		return err
	}
	if err := t.logChanges(ctx); err != nil {
		return err
	}
	if err := t.Commit(); err != nil {
		return err
	}
	if committed != nil {
		committed()
	}
	if len(t.changes) > 0 {
		db.wake.broadcast()
	}
	return nil
}

// snakeCase names the column of a field: "JoinedAt" is joined_at, "ID" is id.
func snakeCase(field string) string {
	var b strings.Builder
	lower := false
	for _, r := range field {
		if unicode.IsUpper(r) && lower {
			b.WriteByte('_')
		}
		lower = !unicode.IsUpper(r)
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// dialectFS reads migrations in the words of one engine.
type dialectFS struct {
	files fs.FS
	words *strings.Replacer
}

// Open reads a file and replaces its words; folders stay as they are.
func (d dialectFS) Open(name string) (fs.File, error) {
	f, err := d.files.Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil || info.IsDir() {
		return f, err
	}
	defer f.Close()
	text, err := fs.ReadFile(d.files, name)
	if err != nil {
		return nil, err
	}
	return &dialectFile{strings.NewReader(d.words.Replace(string(text))), info}, nil
}

type dialectFile struct {
	*strings.Reader
	info fs.FileInfo
}

func (f *dialectFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *dialectFile) Close() error               { return nil }

// hub wakes whoever waits for commits of this process.
type hub struct {
	mu      sync.Mutex
	waiting map[chan struct{}]bool
}

// join gives a channel that receives after commits, and a way to leave.
func (h *hub) join() (woken chan struct{}, leave func()) {
	woken = make(chan struct{}, 1)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.waiting == nil {
		h.waiting = map[chan struct{}]bool{}
	}
	h.waiting[woken] = true
	return woken, func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.waiting, woken)
	}
}

func (h *hub) broadcast() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for woken := range h.waiting {
		nudge(woken)
	}
}

// nudge wakes a receiver that is not about to wake anyway.
func nudge(woken chan struct{}) {
	select {
	case woken <- struct{}{}:
	default:
	}
}
