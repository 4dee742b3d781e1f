package store

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/pressly/goose/v3"
	"go.opentelemetry.io/otel/trace"
	_ "modernc.org/sqlite" // the database/sql driver

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/durable"
)

// sqlite is the engine for SQLite. One connection writes while others read from
// the write-ahead log.
type sqlite struct {
	path string
	log  *writeAheadLog
}

const (
	sqliteReaders     = 4
	sqliteLockTimeout = 10 * time.Second
)

func (db *database) openSQLite(path string, o Options) error {
	if path == "" || strings.Contains(path, ":memory:") {
		return errors.New("database URL sqlite:PATH requires the path of a file")
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	if err := prepareSQLite(path); err != nil {
		return err
	}
	wait := "_busy_timeout=" + milliseconds(cmp.Or(o.LockTimeout, sqliteLockTimeout))
	if db.write, err = sqliteDB(path, wait+"&_txlock=immediate&_pragma=secure_delete(1)", 1, o.Tracing); err != nil {
		return err
	}
	db.read, err = sqliteDB(path, wait+"&_query_only=1", cmp.Or(o.MaxConnections, sqliteReaders), o.Tracing)
	db.scan = db.read
	db.engine = sqlite{path, newWriteAheadLog(path+"-wal", db.write)}
	return err
}

// prepareSQLite creates the file of a new database, checks that of an existing
// one, and makes both readable by their owner only. SQLite gives the log the
// permissions of the file.
func prepareSQLite(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return createSQLite(path)
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("the database %s is a folder: name a file", path)
	}
	if err := checkSQLite(path, info.Size()); err != nil {
		return err
	}
	return durable.Restrict(path, path+"-wal", path+"-shm")
}

// createSQLite creates an empty database and gives it its name once it is on the
// disk, so that a file without content is never a database that is being created.
func createSQLite(path string) error {
	f, err := os.CreateTemp(filepath.Dir(path), durable.TempPrefix+"*")
	if err != nil {
		return fmt.Errorf("create the database %s: %w", path, err)
	}
	defer os.Remove(f.Name())
	db, err := sqliteDB(f.Name(), "", 1, nil)
	if err != nil {
		return err
	}
	_, err = db.Exec(`VACUUM`) // writes the file
	if err := errors.Join(err, db.Close(), f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("create the database %s: %w", path, err)
	}
	// Unlike Rename, Link does not replace what another process created meanwhile, but
	// some file systems have no links.
	if err := os.Link(f.Name(), path); err != nil && !errors.Is(err, os.ErrExist) {
		if err := os.Rename(f.Name(), path); err != nil {
			return err
		}
	}
	return durable.SyncFolder(filepath.Dir(path))
}

// checkSQLite returns an error if a file is not a database, or is shorter than its
// header says while no log can complete it.
func checkSQLite(path string, size int64) error {
	const repair = "restore a backup, or move the file away to start with an empty database"
	if size == 0 {
		return fmt.Errorf("the database %s is empty (0 bytes): %s", path, repair)
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	var header [32]byte // https://www.sqlite.org/fileformat.html#the_database_header
	if _, err := io.ReadFull(f, header[:]); err != nil || string(header[:16]) != "SQLite format 3\x00" {
		return fmt.Errorf("the file %s is not an SQLite database: %s", path, repair)
	}
	pageSize := int64(binary.BigEndian.Uint16(header[16:]))
	if pageSize == 1 {
		pageSize = 65536
	}
	want := pageSize * int64(binary.BigEndian.Uint32(header[28:]))
	if log, err := os.Stat(path + "-wal"); size < want && (err != nil || log.Size() == 0) {
		return fmt.Errorf("the database %s is incomplete: it has %d of %d bytes: %s", path, size, want, repair)
	}
	return nil
}

// sqliteDB opens a pool of at most n persistent connections.
func sqliteDB(path, option string, n int, tracing trace.TracerProvider) (*sqlx.DB, error) {
	file := url.URL{Scheme: "file", Path: filepath.ToSlash(path)}
	plain, err := sql.Open("sqlite", "") // for its driver
	if err != nil {
		return nil, err
	}
	db := connectPool("sqlite", preparing{sqliteConnector{plain.Driver(), file.String() + "?" + option + "&_journal_mode=WAL&_synchronous=FULL&_foreign_keys=1"}}, tracing)
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	return db, plain.Close()
}

// sqliteConnector makes connections to a file.
type sqliteConnector struct {
	driver  driver.Driver
	address string
}

// Driver implements driver.Connector.
func (c sqliteConnector) Driver() driver.Driver { return c.driver }

// Connect implements driver.Connector.
func (c sqliteConnector) Connect(context.Context) (driver.Conn, error) {
	conn, err := c.driver.Open(c.address)
	if err != nil {
		return nil, err
	}
	return sqliteConn{conn.(plainConn)}, nil
}

// sqliteConn is a connection whose arguments are converted as database/sql does.
type sqliteConn struct{ plainConn }

// CheckNamedValue implements driver.NamedValueChecker.
func (sqliteConn) CheckNamedValue(*driver.NamedValue) error { return driver.ErrSkip }

// connect lets the write-ahead log sync commits. Without one, as on some network drives, SQLite does, and
// so does a connection that replaces the one for writes.
func (e sqlite) connect(ctx context.Context, db *database) error {
	if err := db.Ping(ctx); err != nil {
		return err
	}
	var mode string
	if err := db.write.GetContext(ctx, &mode, `PRAGMA journal_mode`); err != nil || mode != "wal" {
		return err
	}
	_, err := db.write.ExecContext(ctx, `PRAGMA synchronous = NORMAL`)
	return errors.Join(err, e.log.start())
}

func (sqlite) migration() (goose.Dialect, []goose.ProviderOption, error) {
	return goose.DialectSQLite3, nil, nil
}

func (sqlite) translate(sql string) string {
	sql = strings.NewReplacer(
		"BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "INTEGER PRIMARY KEY AUTOINCREMENT",
		"XID8 DEFAULT pg_current_xact_id()", "BIGINT",
	).Replace(sql)
	return addedConstraint.ReplaceAllString(sql, constraintTriggers)
}

func (sqlite) name() string { return "SQLite" }

func (sqlite) size() string {
	return `SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()`
}

// erase empties the log, which has earlier versions of pages. The pages themselves are
// overwritten with zeros when rows are deleted (secure_delete). It doesn't wait for long
// reads; the log is then emptied by a later call.
func (sqlite) erase(ctx context.Context, db *database) error {
	c, err := db.write.Connx(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	var wait int
	if err := c.GetContext(ctx, &wait, `PRAGMA busy_timeout`); err != nil {
		return err
	}
	_, err = c.ExecContext(ctx, fmt.Sprintf(`PRAGMA busy_timeout = 50; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA busy_timeout = %d`, wait))
	return err
}

func (sqlite) schemaObjects() string {
	return `SELECT name FROM sqlite_master WHERE type IN ('table', 'index')
		UNION SELECT m.name || '.' || c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'`
}

func (sqlite) tables() string {
	return `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
}

func (sqlite) foreignKeys() string {
	return `SELECT m.name AS child, f."table" AS parent FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table'`
}

// addedConstraint matches a constraint that is added to a table: its table, its
// name, the column it begins with, and the rest of its condition. SQLite can declare
// constraints only in new tables; constraintTriggers refuse the same rows.
var addedConstraint = regexp.MustCompile(`ALTER TABLE (\w+) ADD CONSTRAINT (\w+) CHECK \((\w+) (.+)\) NOT VALID;`)

const constraintTriggers = `-- +goose StatementBegin
CREATE TRIGGER ${2}_inserted BEFORE INSERT ON $1 WHEN NOT (NEW.$3 $4) BEGIN SELECT RAISE(ABORT, 'CHECK constraint failed: $2'); END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER ${2}_updated BEFORE UPDATE OF $3 ON $1 WHEN NOT (NEW.$3 $4) BEGIN SELECT RAISE(ABORT, 'CHECK constraint failed: $2'); END;
-- +goose StatementEnd`

// placeholder returns "?", because SQLite searches a list for each numbered
// parameter, which takes minutes for ten thousand.
func (sqlite) placeholder(int) string { return "?" }

// analyze does nothing: the plans of SQLite don't depend on the number of rows.
func (sqlite) analyze(context.Context, *database, string) error { return nil }

func (sqlite) arrays() bool { return false }

// retry returns false: writers queue for the one write connection.
func (sqlite) retry(error) bool { return false }

// appendChanges relies on commits being in the order of the rows, as there is one
// writer. AUTOINCREMENT never reuses a number.
func (sqlite) appendChanges(ctx context.Context, t *tx, row func(i int) []any) error {
	return t.insertReturning(ctx, `changes (`+changeColumns+`)`, "RETURNING seq", len(t.changes), row, func(r *sqlx.Rows) error {
		var position models.Position
		err := r.Scan(&position)
		t.position = max(t.position, position)
		return err
	})
}

func (sqlite) committed(t *tx) models.Position { return t.position }

func (e sqlite) commit(t *tx) error { return e.log.commit(t.Tx) }

func (e sqlite) persist() error { return e.log.persist() }

func (e sqlite) close() error { return e.log.close() }

// writeAheadLog writes the write-ahead log of a database to the disk, once for all transactions that
// were committed meanwhile. SQLite would do it in each commit (synchronous=FULL), while other writers wait;
// with synchronous=NORMAL it does so only before the log is moved to the database.
type writeAheadLog struct {
	path   string
	writer *sqlx.DB
	syncs  batches[error]

	// Numbers of commits: those that began, that ended, and that had ended when the last sync began. All
	// are 0 until start.
	began, ended, synced atomic.Uint64

	failed atomic.Bool // the last sync
	mu     sync.Mutex
	file   *os.File // nil until the first sync
}

func newWriteAheadLog(path string, writer *sqlx.DB) *writeAheadLog {
	l := &writeAheadLog{path: path, writer: writer}
	l.syncs.run = l.sync
	return l
}

// start syncs what an earlier process may have left.
func (l *writeAheadLog) start() error {
	l.began.Add(1)
	l.ended.Add(1)
	return l.persist()
}

// errLogFailed is the error of commits while the log can't be written to the disk.
var errLogFailed = fmt.Errorf("sync the write-ahead log: %w", syscall.EIO)

func (l *writeAheadLog) commit(t *sqlx.Tx) error {
	switch {
	case l.began.Load() == 0:
		return t.Commit()
	case l.failed.Load():
		return errLogFailed
	}
	l.began.Add(1)
	defer l.ended.Add(1)
	return t.Commit()
}

func (l *writeAheadLog) persist() error {
	if l.synced.Load() == l.began.Load() {
		return nil
	}
	return l.syncs.join()
}

func (l *writeAheadLog) sync() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	ended := l.ended.Load()
	if l.failed.Load() || l.syncFile() != nil {
		l.failed.Store(true)
		if err := l.rewrite(); err != nil {
			return err
		}
		l.failed.Store(false)
	}
	l.synced.Store(ended)
	return nil
}

func (l *writeAheadLog) syncFile() error {
	if err := l.open(); err != nil {
		return err
	}
	return l.file.Sync()
}

// open opens the file, again if another has its name: the last of all connections deletes it.
func (l *writeAheadLog) open() error {
	named, err := os.Stat(l.path)
	if err != nil {
		return err
	}
	if l.file != nil {
		if opened, err := l.file.Stat(); err == nil && os.SameFile(named, opened) {
			return nil
		}
		l.file.Close()
	}
	l.file, err = os.OpenFile(l.path, os.O_RDWR, 0)
	return err
}

// rewriteTimeout is the longest time that rewrite waits for a writer.
const rewriteTimeout = 2 * time.Second

// rewrite writes the log once more, while nobody else writes: after a sync that failed, the system may
// take pages for written that are not, so that another sync would succeed and do nothing.
func (l *writeAheadLog) rewrite() error {
	ctx, cancel := context.WithTimeout(context.Background(), rewriteTimeout)
	defer cancel()
	t, err := l.writer.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer t.Rollback()
	if err := l.open(); err != nil {
		return err
	}
	block := make([]byte, 1<<20)
	for at := int64(0); ; {
		n, err := l.file.ReadAt(block, at)
		if _, err := l.file.WriteAt(block[:n], at); err != nil {
			return err
		}
		if at += int64(n); err == io.EOF {
			return l.file.Sync()
		}
		if err != nil {
			return err
		}
	}
}

func (l *writeAheadLog) close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	defer func() { l.file = nil }()
	return l.file.Close()
}

func (sqlite) settle(context.Context, *database) error { return nil }

// watch polls often, because SQLite does not announce commits of other
// processes. A poll is one index lookup.
func (sqlite) watch(context.Context) (<-chan struct{}, time.Duration, func(), error) {
	return nil, 200 * time.Millisecond, func() {}, nil
}
