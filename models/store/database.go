package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/jmoiron/sqlx"
	"github.com/pressly/goose/v3"

	"github.com/secondlight/secondlight/migrations"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/problem"
)

// database is an open database shared by the stores on it.
type database struct {
	read, write   *sqlx.DB // both are the same pool on PostgreSQL
	scan          *sqlx.DB // reads whole tables, without a statement timeout
	order         *sqlx.DB // gives changes their positions; nil on SQLite
	engine        engine
	link          *link // nil on SQLite
	log           *slog.Logger
	clock         models.Clock
	currency      models.Currency // of the site, unless the owner has set another
	trends        prices.TrendCache
	wake          hub
	sitemaps      sitemapBounds
	renderNotice  atomic.Pointer[models.NoticeRenderer]  // nil until SendNotices
	renderWebhook atomic.Pointer[models.WebhookRenderer] // nil until SendWebhooks
	useFailed     atomic.Pointer[time.Time]              // when recordUse last failed
	writeFailed   atomic.Pointer[time.Time]              // when update last failed because of the disk or the server
	followed      atomic.Pointer[time.Time]              // when Follow last delivered all changes
}

// engine implements what differs between SQLite and PostgreSQL.
type engine interface {
	// connect returns an error if the database cannot be used.
	connect(ctx context.Context, db *database) error
	// migration returns the goose dialect and options.
	migration() (goose.Dialect, []goose.ProviderOption, error)
	// name returns the name of the engine, and size a query for the bytes of the
	// database.
	name() string
	size() string
	// logBytes is Site.LogBytes.
	logBytes(ctx context.Context, db *sqlx.DB) (int64, error)
	// erase makes what was deleted unreadable in the files of the database.
	erase(ctx context.Context, db *database) error
	// schemaObjects returns a query for the names of tables, indexes and, as
	// table.column, columns.
	schemaObjects() string
	// tables returns a query for the names of the tables, and foreignKeys one
	// for the tables that refer to another, child and parent.
	tables() string
	foreignKeys() string
	// translate returns the SQL of a migration in the dialect of the engine.
	translate(sql string) string
	// placeholder returns the placeholder of the nth value in a long list.
	placeholder(n int) string
	// retry reports whether a transaction that failed with err may succeed when
	// repeated.
	retry(err error) bool
	// analyze updates the statistics by which queries of a table are planned, after many
	// rows were added.
	analyze(ctx context.Context, db *database, table string) error
	// arrays reports whether the engine has arrays, see insertArrays.
	arrays() bool
	// commit commits a transaction: others see it, though it may not be on the disk.
	commit(t *tx) error
	// persist returns once everything that was committed before is on the disk.
	persist() error
	// close closes what is not a connection.
	close() error
	changeLog
}

// Close closes all connections.
func (db *database) Close() error {
	errs := []error{db.engine.close()}
	for _, pool := range db.pools() {
		if err := pool.Close(); !errors.Is(err, net.ErrClosed) { // of a connection that was broken in an outage
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// pools returns each pool of connections once.
func (db *database) pools() []*sqlx.DB {
	pools := []*sqlx.DB{db.write}
	for _, pool := range []*sqlx.DB{db.read, db.scan, db.order} {
		if pool != nil && !slices.Contains(pools, pool) {
			pools = append(pools, pool)
		}
	}
	return pools
}

// Ping returns an error if the database does not respond.
func (db *database) Ping(ctx context.Context) error {
	var one int
	return db.read.GetContext(ctx, &one, `SELECT 1`)
}

const latest = math.MaxInt64

// migrateTo applies the pending migrations up to a version; 0 applies none.
func (db *database) migrateTo(ctx context.Context, version int64) error {
	dialect, options, err := db.engine.migration()
	if err != nil {
		return err
	}
	applied := &migrationLog{Handler: db.log.Handler(), log: db.log}
	options = append(options, goose.WithAllowOutofOrder(true), // repairRecord may find an early one that was not applied
		goose.WithVerbose(true), goose.WithSlog(slog.New(applied)))
	provider, err := goose.NewProvider(dialect, db.write.DB, dialectFS{migrations.Files, db.engine.translate}, options...)
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	// SQLite has no lock that spans migrations: a process that loses a race retries,
	// and may lose once for every migration.
	maxAttempts := attempts + len(provider.ListSources())
	for attempt := 1; ; attempt++ {
		err := db.up(ctx, provider, version, applied)
		if err == nil || errors.Is(err, errNewerSchema) || attempt == maxAttempts || ctx.Err() != nil {
			return err
		}
	}
}

var errNewerSchema = errors.New("the database was created by a newer version of the program: run that version")

// ErrNoSchema is returned by CheckSchema for a database without tables.
var ErrNoSchema = errors.New("the database has no schema yet: run secondlight migrate")

// setting returns the value of a setting, or "" if it is not set.
func (db *database) setting(ctx context.Context, name string) (value string, err error) {
	err = db.read.GetContext(ctx, &value, `SELECT value FROM settings WHERE name = $1`, name)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}

// now returns the current time in milliseconds.
func (db *database) now() models.Time { return models.TimeOf(db.clock()) }

// Now returns the time of the store's clock.
func (db *database) Now() models.Time { return db.now() }

// newID returns a new id for the current time.
func (db *database) newID() string { return models.NewID(db.clock()) }

// attempts is the maximum number of times a transaction is tried.
const attempts = 5

// update runs do in a transaction, writes the recorded changes and notices,
// commits, and wakes followers. It runs do again if the transaction fails in a
// way the engine can retry.
func (db *database) update(ctx context.Context, do func(*tx) error) error {
	for attempt := 1; ; attempt++ {
		err := db.tryUpdate(ctx, do)
		if err == nil || attempt == attempts || !db.engine.retry(err) {
			if IsUnavailable(err) && ctx.Err() == nil {
				now := time.Now()
				db.writeFailed.Store(&now)
			}
			return contextError(ctx, err)
		}
	}
}

// contextError wraps err with the context's error if ctx is done, because the
// statement that fails after a cancellation varies. Errors for readers are
// returned as they are.
func contextError(ctx context.Context, err error) error {
	var readable *problem.Error
	if err == nil || ctx.Err() == nil || errors.Is(err, ctx.Err()) || errors.As(err, &readable) {
		return err
	}
	return fmt.Errorf("%w: %w", ctx.Err(), err)
}

// snakeCase returns the column name of a field: joined_at for "JoinedAt", id
// for "ID".
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

// dialectFS is a file system of migrations translated for an engine.
type dialectFS struct {
	files     fs.FS
	translate func(sql string) string
}

// Open implements fs.FS.
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
	return &dialectFile{strings.NewReader(d.translate(string(text))), info}, nil
}

type dialectFile struct {
	*strings.Reader
	info fs.FileInfo
}

func (f *dialectFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *dialectFile) Close() error               { return nil }

// hub notifies subscribers of commits in this process.
type hub struct {
	mu      sync.Mutex
	waiting map[chan struct{}]bool
	hooks   map[*func(models.Position)]bool
}

// OnCommit calls hook with the position of the last change of every transaction that
// this process commits, until stop is called. The transaction's caller waits for hook, which must be fast.
func (db *database) OnCommit(hook func(models.Position)) (stop func()) { return db.wake.call(&hook) }

// call calls a hook at every commit until stop is called.
func (h *hub) call(hook *func(models.Position)) (stop func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.hooks == nil {
		h.hooks = map[*func(models.Position)]bool{}
	}
	h.hooks[hook] = true
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.hooks, hook)
	}
}

// subscribe returns a channel that receives after commits, and a function to
// unsubscribe.
func (h *hub) subscribe() (woken chan struct{}, unsubscribe func()) {
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

// broadcast calls the hooks with the position of a commit and wakes the subscribers.
func (h *hub) broadcast(position models.Position) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for hook := range h.hooks {
		(*hook)(position)
	}
	for woken := range h.waiting {
		wake(woken)
	}
}

// wakeAll wakes the subscribers.
func (h *hub) wakeAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for woken := range h.waiting {
		wake(woken)
	}
}

// wake sends to a channel with a buffer of one, unless it is full.
func wake(woken chan struct{}) {
	select {
	case woken <- struct{}{}:
	default:
	}
}

// batches runs a function for all who wait for it.
type batches[T any] struct {
	run func() T

	mu      sync.Mutex
	next    *batch[T] // that the next callers join; nil if none wait
	running bool
}

// batch is one run. done is closed at its end.
type batch[T any] struct {
	done   chan struct{}
	result T
}

// join returns the result of the next run that begins.
func (b *batches[T]) join() T {
	b.mu.Lock()
	if b.next == nil {
		b.next = &batch[T]{done: make(chan struct{})}
	}
	joined := b.next
	if !b.running {
		b.running = true
		go b.loop()
	}
	b.mu.Unlock()
	<-joined.done
	return joined.result
}

// loop runs the function until nobody waits.
func (b *batches[T]) loop() {
	for {
		b.mu.Lock()
		current := b.next
		b.next, b.running = nil, current != nil
		b.mu.Unlock()
		if current == nil {
			return
		}
		current.result = b.run()
		close(current.done)
	}
}

// Pools returns the pools of connections by what they are for: "read", "write", "scan",
// the reads of whole tables, and "order", which orders changes. A pool that is for several has the first of these names.
func (db *database) Pools() map[string]*sql.DB {
	pools := map[string]*sql.DB{"read": db.read.DB}
	if db.write != db.read {
		pools["write"] = db.write.DB
	}
	if db.scan != db.read {
		pools["scan"] = db.scan.DB
	}
	if db.order != nil {
		pools["order"] = db.order.DB
	}
	return pools
}

// tx is a transaction that records changes and notices for the commit.
type tx struct {
	*sqlx.Tx
	db         *database
	changes    []models.Entry
	position   models.Position // of the last change, once they are logged; 0 on PostgreSQL
	notices    []models.Notice
	trends     map[string]*trendTouch // by gear: trends to update before the commit
	taken      []*prices.CachedTrend  // to release at the end
	statements map[string]*sqlx.Stmt  // by query; nil until prepared on the second run. Connections to PostgreSQL keep theirs
}
