package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/lib/pq"
	sqlitedriver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/secondlight/secondlight/models"
)

const (
	probeInterval = 250 * time.Millisecond
	awayInterval  = 50 * time.Millisecond // between probes while the server is away
	probeTimeout  = 3 * time.Second       // a server that answers nothing for so long is away
)

// errAway is the error of queries while the server does not answer.
var errAway = errors.New("the database does not answer")

// link is the network to a PostgreSQL server. While the server does not answer, it breaks
// all connections and makes no new ones, so that nothing waits for a server that is gone or
// hangs: the driver would, even when the context of a query has ended.
type link struct {
	net.Dialer

	lost  atomic.Int64  // Unix nanoseconds, 0 while the server answers
	reads atomic.Uint64 // counts what the server has sent
	mu    sync.Mutex
	conns map[*linkConn]struct{}
}

func newLink() *link { return &link{conns: map[*linkConn]struct{}{}} }

// away returns for how long the server has not answered, 0 if it does.
func (l *link) away() time.Duration {
	if lost := l.lost.Load(); lost != 0 {
		return max(time.Since(time.Unix(0, lost)), 1)
	}
	return 0
}

// Dial implements pq.Dialer.
func (l *link) Dial(network, address string) (net.Conn, error) {
	return l.DialContext(context.Background(), network, address)
}

// DialTimeout implements pq.Dialer.
func (l *link) DialTimeout(network, address string, timeout time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return l.DialContext(ctx, network, address)
}

// DialContext implements pq.DialerContext.
func (l *link) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	if l.away() > 0 {
		return nil, errAway
	}
	inner, err := l.Dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	c := &linkConn{inner, l}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.away() > 0 {
		inner.Close()
		return nil, errAway
	}
	l.conns[c] = struct{}{}
	return c, nil
}

// linkConn is a connection that its link can break.
type linkConn struct {
	net.Conn
	link *link
}

// Read implements net.Conn.
func (c *linkConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 {
		c.link.reads.Add(1)
	}
	return n, err
}

// Close implements net.Conn.
func (c *linkConn) Close() error {
	c.link.mu.Lock()
	delete(c.link.conns, c)
	c.link.mu.Unlock()
	return c.Conn.Close()
}

// record records whether the server answers, and reports whether that changed. If it does
// not, record breaks all connections.
func (l *link) record(answers bool) (changed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if was := l.lost.Load() == 0; was == answers {
		return false
	}
	if answers {
		l.lost.Store(0)
		return true
	}
	l.lost.Store(time.Now().UnixNano())
	for c := range l.conns {
		c.Conn.Close()
	}
	clear(l.conns)
	return true
}

// prober asks a server whether it answers, over a connection of its own.
type prober struct {
	connector driver.Connector
	conn      driver.Conn // nil for none
}

// newProber returns a prober of the server at an address.
func newProber(address string) (*prober, error) {
	connector, err := pq.NewConnector(address)
	if err != nil {
		return nil, err
	}
	connector.Dialer(impatient{})
	return &prober{connector: connector}, nil
}

// probe returns an error if the server does not answer within probeTimeout, or has no
// database of the site.
func (p *prober) probe(ctx context.Context) (err error) {
	if p.conn == nil {
		if p.conn, err = p.connector.Connect(ctx); err != nil {
			p.conn = nil
			return unlessFull(err)
		}
	}
	// Without the context: the connection has deadlines.
	if err = p.ask(context.WithoutCancel(ctx)); err != nil {
		p.close()
	}
	return err
}

// isSilence reports whether err means that the server has sent nothing, rather than that it
// is stopping, or has no database of the site.
func isSilence(err error) bool {
	var network net.Error
	return errors.As(err, &network) && network.Timeout() || errors.Is(err, driver.ErrBadConn)
}

// ask reads the id of the change log, which a database has that is not being restored.
func (p *prober) ask(ctx context.Context) error {
	rows, err := p.conn.(driver.QueryerContext).QueryContext(ctx, `SELECT value FROM settings WHERE name = '`+models.LogSetting+`'`, nil)
	if err != nil {
		return err
	}
	defer rows.Close()
	if err := rows.Next(make([]driver.Value, 1)); errors.Is(err, io.EOF) {
		return errIncomplete
	} else if err != nil {
		return err
	}
	return nil
}

// unlessFull returns err unless it is the answer of a server that has no connection left,
// and works otherwise.
func unlessFull(err error) error {
	var answer *pq.Error
	if errors.As(err, &answer) && answer.Code.Class() == "53" {
		return nil
	}
	return err
}

func (p *prober) close() {
	if p.conn != nil {
		p.conn.Close()
		p.conn = nil
	}
}

// impatient makes connections whose server must answer what is written within
// probeTimeout.
type impatient struct{}

// Dial implements pq.Dialer.
func (impatient) Dial(network, address string) (net.Conn, error) {
	return impatient{}.DialTimeout(network, address, probeTimeout)
}

// DialTimeout implements pq.Dialer.
func (impatient) DialTimeout(network, address string, timeout time.Duration) (net.Conn, error) {
	c, err := net.DialTimeout(network, address, timeout)
	if err != nil {
		return nil, err
	}
	return impatientConn{c}, nil
}

type impatientConn struct{ net.Conn }

// Write implements net.Conn.
func (c impatientConn) Write(b []byte) (int, error) {
	if err := c.SetDeadline(time.Now().Add(probeTimeout)); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}

// Away returns for how long the database has not answered, 0 if it does. It is always 0
// with SQLite, and while Watch does not run.
func (db *database) Away() time.Duration {
	if db.link == nil {
		return 0
	}
	return db.link.away()
}

// reportLink logs that the database does not answer, or, if err is nil, that it does again,
// and has changes read at once.
func (db *database) reportLink(ctx context.Context, err error) {
	if err != nil {
		db.log.ErrorContext(ctx, "the database does not answer", "err", err)
		return
	}
	db.log.InfoContext(ctx, "the database answers again")
	db.wake.wakeAll()
}

// IsUnavailable reports whether err means that the database or the disk cannot
// be used at the moment, so that the request may succeed later: the disk is full,
// broken or read-only, the database is locked, out of resources or not reachable, or a
// statement, its transaction or its wait for a lock took too long.
func IsUnavailable(err error) bool {
	var sqliteErr *sqlitedriver.Error
	var postgresErr *pq.Error
	var network net.Error
	switch {
	case errors.As(err, &sqliteErr):
		return sqliteUnavailable(sqliteErr.Code())
	case errors.As(err, &postgresErr):
		return postgresUnavailable(postgresErr)
	}
	for _, known := range []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EFBIG, syscall.EROFS, syscall.EIO, syscall.EMFILE, io.ErrUnexpectedEOF, sql.ErrConnDone, sql.ErrTxDone, driver.ErrBadConn, errAway, errIncomplete} {
		if errors.Is(err, known) {
			return true
		}
	}
	return errors.As(err, &network)
}

// IsDamaged reports whether err means that the database can't be read as it is on the disk.
func IsDamaged(err error) bool {
	var sqliteErr *sqlitedriver.Error
	var postgresErr *pq.Error
	switch {
	case errors.As(err, &sqliteErr):
		return sqliteErr.Code()&0xff == sqlite3.SQLITE_CORRUPT || sqliteErr.Code()&0xff == sqlite3.SQLITE_NOTADB
	case errors.As(err, &postgresErr):
		return postgresErr.Code == "XX001" || postgresErr.Code == "XX002" // data_corrupted, index_corrupted
	}
	return false
}

func sqliteUnavailable(code int) bool {
	switch code & 0xff { // without the extended code
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_NOMEM,
		sqlite3.SQLITE_INTERRUPT, // by the deadline of its context
		sqlite3.SQLITE_CORRUPT:   // also if the disk fails to read
		return true
	}
	return false
}

// postgresUnavailable reports whether err is of the classes connection
// exception, wrong password, no such database, insufficient resources, operator
// intervention (such as a statement timeout) or system error, a lock timeout, a write to a
// read-only database, or a database that accepts no connections or lacks tables, because
// it is being replaced.
func postgresUnavailable(err *pq.Error) bool {
	switch err.Code.Class() {
	case "08", "28", "3D", "53", "57", "58":
		return true
	}
	switch err.Code {
	case "25006", "55P03", "55000", "42P01":
		return true
	}
	return false
}
