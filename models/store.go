package models

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"
	"github.com/pressly/goose/v3"

	"github.com/secondlight/secondlight/migrations"
)

// Store keeps what the site knows in SQLite or PostgreSQL. It is safe for
// concurrent use, and any number of stores, in one process or in many, may be
// open on one database.
//
// Errors the reader can repair are *Error; every other error is the database's.
type Store struct {
	read, write *sqlx.DB // one and the same on PostgreSQL
	engine      engine
	clock       Clock
	wake        hub
	letters     atomic.Pointer[Letters] // nil while nobody is told
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

// Open opens the database at databaseURL, "sqlite:PATH" (created when it is
// missing) or "postgres://…". Call Migrate before anything else. The clock
// stamps ids and times; nil is time.Now.
func Open(ctx context.Context, databaseURL string, clock Clock) (*Store, error) {
	if clock == nil {
		clock = time.Now
	}
	s := &Store{clock: clock}
	var err error
	switch scheme, rest, _ := strings.Cut(databaseURL, ":"); scheme {
	case "sqlite":
		err = s.openSQLite(rest)
	case "postgres", "postgresql":
		err = s.openPostgres(databaseURL)
	default:
		err = fmt.Errorf("database address %q is neither sqlite:PATH nor postgres://…", databaseURL)
	}
	if err != nil {
		return nil, err
	}
	for _, db := range []*sqlx.DB{s.read, s.write} {
		db.MapperFunc(snakeCase)
	}
	if err := s.Ping(ctx); err != nil {
		s.Close()
		return nil, fmt.Errorf("open database: %w", err)
	}
	return s, nil
}

// Close ends every connection.
func (s *Store) Close() error {
	if s.read == s.write {
		return s.write.Close()
	}
	return errors.Join(s.read.Close(), s.write.Close())
}

// Ping reports whether the database answers.
func (s *Store) Ping(ctx context.Context) error {
	var one int
	return s.read.GetContext(ctx, &one, `SELECT 1`)
}

// Migrate brings the schema up to what this program knows; several processes
// may do so at once. It refuses a schema that is newer than the program.
func (s *Store) Migrate(ctx context.Context) error {
	dialect, options, err := s.engine.migration()
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(dialect, s.write.DB, dialectFS{migrations.Files, s.engine.words()}, options...)
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
func (s *Store) Backup(ctx context.Context, path string) error {
	return s.engine.backup(ctx, path)
}

// Counts is how much there is.
type Counts struct {
	Listings int // for sale now
	Sales    int
	Members  int
}

// Counts counts by reading the tables: meant for a start or a report, not for
// every request.
func (s *Store) Counts(ctx context.Context) (Counts, error) {
	var c Counts
	err := s.read.QueryRowxContext(ctx, `SELECT
		(SELECT COUNT(*) FROM listings WHERE status = 'active'),
		(SELECT COUNT(*) FROM sales),
		(SELECT COUNT(*) FROM members)`).Scan(&c.Listings, &c.Sales, &c.Members)
	return c, err
}

// IsEmpty reports whether there is no member, listing or sale.
func (s *Store) IsEmpty(ctx context.Context) (bool, error) {
	var some bool
	err := s.read.GetContext(ctx, &some, `SELECT EXISTS (SELECT 1 FROM members)
		OR EXISTS (SELECT 1 FROM listings) OR EXISTS (SELECT 1 FROM sales)`)
	return !some, err
}

// Demo reports whether the database was filled with demonstration data.
func (s *Store) Demo(ctx context.Context) (bool, error) {
	value, err := s.setting(ctx, "demo")
	return value == "true", err
}

// SetDemo remembers whether the database holds demonstration data.
func (s *Store) SetDemo(ctx context.Context, demo bool) error {
	return s.update(ctx, func(t *tx) error {
		return t.set(ctx, "demo", strconv.FormatBool(demo))
	})
}

// FillDemo writes demonstration data into an empty store and marks it as such,
// in one transaction: whoever stops it half-way leaves the store empty. Each
// batch of sales holds all sales of its gear. Wrote is told how
// many rows were written since it was last called; when a lost race makes the
// engine begin again, it hears of rows twice.
func (s *Store) FillDemo(ctx context.Context, members []Member, listings []Listing, sales [][]Sale, wrote func(rows int)) error {
	all := make([]*Listing, len(listings))
	for i := range listings {
		all[i] = &listings[i]
		s.stamp(all[i])
	}
	return s.update(ctx, func(t *tx) error {
		if err := t.set(ctx, "demo", "true"); err != nil {
			return err
		}
		if err := t.insertMembers(ctx, members); err != nil {
			return fmt.Errorf("write members: %w", err)
		}
		wrote(len(members))
		for batch := range slices.Chunk(all, 1000) {
			if err := t.insertListings(ctx, batch); err != nil {
				return fmt.Errorf("write listings: %w", err)
			}
			wrote(len(batch))
		}
		for _, batch := range sales {
			if _, err := t.addSales(ctx, batch); err != nil {
				return fmt.Errorf("write sales: %w", err)
			}
			wrote(len(batch))
		}
		return nil
	})
}

// setting is a remembered value, "" when there is none.
func (s *Store) setting(ctx context.Context, name string) (value string, err error) {
	err = s.read.GetContext(ctx, &value, `SELECT value FROM settings WHERE name = $1`, name)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}

// now is the store's clock, cut to milliseconds.
func (s *Store) now() Time { return TimeOf(s.clock()) }

// attempts is how often a transaction is tried that others made fail.
const attempts = 5

// tx is a transaction that remembers which changes its readers must hear of, and
// what members must.
type tx struct {
	*sqlx.Tx
	engine     engine
	changes    []Change
	notices    []Notice
	statements map[string]*sqlx.Stmt // that were run, and prepared when they came again
}

// update runs do in a transaction, adds the changes and the notices it noted,
// commits, and wakes those who follow. Do runs again when it loses a race that the
// engine settles by failing one side.
func (s *Store) update(ctx context.Context, do func(*tx) error) error {
	for attempt := 1; ; attempt++ {
		err := s.tryUpdate(ctx, do)
		if err == nil || attempt == attempts || !s.engine.retry(err) {
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

func (s *Store) tryUpdate(ctx context.Context, do func(*tx) error) error {
	inner, err := s.write.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer inner.Rollback() // after a commit this does nothing
	t := &tx{Tx: inner, engine: s.engine, statements: map[string]*sqlx.Stmt{}}
	if err := do(t); err != nil {
		return err
	}
	if err := t.queueNotices(ctx, s); err != nil {
		return err
	}
	if err := t.mark(ctx); err != nil {
		return err
	}
	if err := s.logChanges(ctx, t); err != nil {
		return err
	}
	if err := t.Commit(); err != nil {
		return err
	}
	if len(t.changes) > 0 {
		s.wake.broadcast()
	}
	return nil
}

// prepared is a statement ready to run again, nil when the transaction runs it for
// the first time: most run once, and would be read twice for it.
func (t *tx) prepared(ctx context.Context, query string) (*sqlx.Stmt, error) {
	stmt, known := t.statements[query]
	if known && stmt == nil {
		var err error
		if stmt, err = t.PreparexContext(ctx, query); err != nil {
			return nil, err
		}
	}
	t.statements[query] = stmt
	return stmt, nil
}

// ExecContext is that of sqlx, with statements that come again prepared.
func (t *tx) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	stmt, err := t.prepared(ctx, query)
	if err != nil {
		return nil, err
	}
	if stmt == nil {
		return t.Tx.ExecContext(ctx, query, args...)
	}
	return stmt.ExecContext(ctx, args...)
}

// QueryxContext is that of sqlx, with statements that come again prepared.
func (t *tx) QueryxContext(ctx context.Context, query string, args ...any) (*sqlx.Rows, error) {
	stmt, err := t.prepared(ctx, query)
	if err != nil {
		return nil, err
	}
	if stmt == nil {
		return t.Tx.QueryxContext(ctx, query, args...)
	}
	return stmt.QueryxContext(ctx, args...)
}

// maxParameters is how many parameters one INSERT carries. SQLite looks each of
// them up in a list, so that twice as many cost four times as much.
const maxParameters = 200

// maxRows is how many values one statement names.
const maxRows = 500

// insert adds n rows to a table given as "name (column, …)", many to a
// statement. The suffix, such as ON CONFLICT, follows the values.
func (t *tx) insert(ctx context.Context, table, suffix string, n int, row func(i int) []any) error {
	return t.insertReturning(ctx, table, suffix, n, row, nil)
}

// insertReturning is insert with a RETURNING suffix, whose rows go to scan.
func (t *tx) insertReturning(ctx context.Context, table, suffix string, n int, row func(i int) []any, scan func(*sqlx.Rows) error) error {
	var args []any
	for start := 0; start < n; {
		args = append(args[:0], row(start)...)
		columns := len(args)
		end := min(n, start+max(1, maxParameters/columns))
		for i := start + 1; i < end; i++ {
			args = append(args, row(i)...)
		}
		query := "INSERT INTO " + table + " VALUES " + tuples(end-start, columns, t.engine.place) + " " + suffix
		if err := t.run(ctx, query, args, scan); err != nil {
			return err
		}
		start = end
	}
	return nil
}

func (t *tx) run(ctx context.Context, query string, args []any, scan func(*sqlx.Rows) error) error {
	if scan == nil {
		_, err := t.ExecContext(ctx, query, args...)
		return err
	}
	rows, err := t.QueryxContext(ctx, query, args...)
	if err != nil {
		return err
	}
	return eachRow(rows, scan)
}

// affected runs a statement and counts the rows it changed: of several who race
// for a row with a guarded update, one is told 1.
func (t *tx) affected(ctx context.Context, query string, args ...any) (int64, error) {
	result, err := t.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// set remembers a value.
func (t *tx) set(ctx context.Context, name, value string) error {
	_, err := t.ExecContext(ctx, `INSERT INTO settings (name, value) VALUES ($1, $2)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, value)
	return err
}

// eachRow hands every row to scan and closes the rows.
func eachRow(rows *sqlx.Rows, scan func(*sqlx.Rows) error) error {
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// tuples writes "($1,$2),($3,$4)": rows tuples of columns parameters.
func tuples(rows, columns int, place func(n int) string) string {
	var b strings.Builder
	for i := range rows {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('(')
		for j := range columns {
			if j > 0 {
				b.WriteByte(',')
			}
			b.WriteString(place(i*columns + j + 1))
		}
		b.WriteByte(')')
	}
	return b.String()
}

// numbered is the place of the nth parameter, from 1, on both engines: "$1".
func numbered(n int) string { return "$" + strconv.Itoa(n) }

// parameters writes "$first,…": n parameters.
func parameters(first, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = numbered(first + i)
	}
	return strings.Join(list, ",")
}

// anys makes arguments of values.
func anys[T any](values []T) []any {
	args := make([]any, len(values))
	for i, v := range values {
		args[i] = v
	}
	return args
}

// storable reports whether text can be in the database: PostgreSQL takes no NUL
// and no broken UTF-8, not even to look for it.
func storable(s string) bool {
	return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0
}

// storables are the storable ones of texts.
func storables(texts []string) []string {
	return slices.DeleteFunc(slices.Clone(texts), func(s string) bool { return !storable(s) })
}

// nullable is nil for "", which SQL then keeps out of unique indexes.
func nullable(s string) any {
	if s == "" {
		return nil
	}
	return s
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
