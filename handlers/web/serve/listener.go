package serve

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/handlers/web/limit"
	"github.com/secondlight/secondlight/models/problem"
)

// Limits of connections.
const (
	maxConns        = 16 << 10
	maxConnsPerAddr = 256 // of one IPv4 address or /64 of IPv6, unless it is a trusted proxy
	maxRejected     = 64  // rejected connections that are still being told why
	rejectTime      = time.Second
	finishTime      = time.Second            // at most this long finish waits
	handshakeTime   = 250 * time.Millisecond // long enough for a handshake with a proxy nearby
)

// Errors of connections beyond the limits.
var (
	errTooManyConns = &problem.Error{Kind: problem.Unavailable, Code: "unavailable",
		Message: problem.Textf("The server has no free connections."), Hint: problem.Textf("Try again in a few seconds.")}
	errTooManyConnsPerAddr = &problem.Error{Kind: problem.Unavailable, Code: "unavailable",
		Message: problem.Textf("There are too many connections from your network."), Hint: problem.Textf("Close some of them, or send more requests over each.")}
)

// limitListener is a listener that limits the number of connections, in all and of each
// address. It responds to connections beyond the limits with an error.
type limitListener struct {
	net.Listener
	server    *Server
	rejected  chan struct{} // a semaphore of maxRejected
	closing   atomic.Bool   // set by finish
	finishing bool          // set by Accept after the time that finish sets
	ended     chan struct{} // closed by end
	end       func()        // called when Accept has returned its last connection

	mu    sync.Mutex
	conns int
	addrs map[netip.Addr]int
}

func (s *Server) newLimitListener(ln net.Listener) *limitListener {
	l := &limitListener{Listener: ln, server: s, rejected: make(chan struct{}, maxRejected), ended: make(chan struct{}), addrs: map[netip.Addr]int{}}
	l.end = sync.OnceFunc(func() { close(l.ended) })
	return l
}

// Accept implements net.Listener. It waits while the process has no file descriptors
// left.
func (l *limitListener) Accept() (net.Conn, error) {
	for {
		c, err := l.acceptUntilFinished()
		if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ECONNABORTED) {
			l.server.Log.Warn("accept connection", "err", err)
			time.Sleep(50 * time.Millisecond)
			continue
		}
		if err != nil {
			l.end()
			return nil, err
		}
		addr := l.countedAddr(c)
		if err := l.admit(addr); err != nil {
			l.server.rejectedConns.Add(1)
			l.reject(c, err)
			continue
		}
		return &limitedConn{Conn: c, atStart: true, release: sync.OnceFunc(func() { l.remove(addr) })}, nil
	}
}

// acceptUntilFinished accepts the next connection. When the time that finish sets is over it
// closes the listener as soon as no connection is pending.
func (l *limitListener) acceptUntilFinished() (net.Conn, error) {
	for {
		if l.finishing && !hasPending(l.Listener) {
			_ = l.Listener.Close()
			return nil, net.ErrClosed
		}
		c, err := l.Listener.Accept()
		if !l.closing.Load() || !errors.Is(err, os.ErrDeadlineExceeded) {
			return c, err
		}
		l.finishing = true
		setDeadline(l.Listener, time.Time{})
	}
}

// finish makes Accept return the pending connections and then close the listener. It waits for
// that until ctx ends, and for finishTime at most. Closing the listener at once would reset
// pending connections, over which a proxy may have sent a write that it does not repeat. So would
// closing it while new ones arrive: they are ignored from now on, and the client tries again a
// second later. A server that has drained also waits for handshakes in progress.
func (l *limitListener) finish(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, finishTime)
	defer cancel()
	ignoreConnections(rawConn(l.Listener))
	end := time.Unix(1, 0)
	if l.server.draining.Load() {
		end = time.Now().Add(handshakeTime)
	}
	l.closing.Store(true)
	if !setDeadline(l.Listener, end) {
		return
	}
	select {
	case <-l.ended:
	case <-ctx.Done():
	}
}

// Close implements net.Listener. It may be called after finish.
func (l *limitListener) Close() error {
	if err := l.Listener.Close(); !l.closing.Load() || !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

// CheckListen checks that an address can be listened on, and returns it, with a free port in place of
// port 0. Connections are ignored meanwhile: closing the listener would reset them.
func CheckListen(ctx context.Context, address string) (net.Addr, error) {
	ignoring := net.ListenConfig{Control: func(_, _ string, socket syscall.RawConn) error {
		ignoreConnections(socket)
		return nil
	}}
	listener, err := ignoring.Listen(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	return listener.Addr(), listener.Close()
}

// rawConn returns the socket of a connection or a listener, or nil if it has none.
func rawConn(of any) syscall.RawConn {
	conn, ok := of.(syscall.Conn)
	if !ok {
		return nil
	}
	raw, err := conn.SyscallConn()
	if err != nil {
		return nil
	}
	return raw
}

// setDeadline sets the time after which Accept fails, and reports whether the listener has one.
func setDeadline(ln net.Listener, t time.Time) bool {
	d, ok := ln.(interface{ SetDeadline(time.Time) error })
	return ok && d.SetDeadline(t) == nil
}

// countedAddr returns the address that a connection is counted for, or an invalid one
// if it is that of a trusted proxy.
func (l *limitListener) countedAddr(c net.Conn) netip.Addr {
	tcp, ok := c.RemoteAddr().(*net.TCPAddr)
	if !ok || l.server.trusts(tcp.AddrPort().Addr().Unmap()) {
		return netip.Addr{}
	}
	return limit.Addr(tcp.AddrPort().Addr())
}

// admit counts a connection, or returns the error if it is beyond a limit.
func (l *limitListener) admit(addr netip.Addr) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.conns >= maxConns:
		return errTooManyConns
	case addr.IsValid() && l.addrs[addr] >= maxConnsPerAddr:
		return errTooManyConnsPerAddr
	}
	l.conns++
	l.addrs[addr]++
	l.server.conns.Store(int64(l.conns))
	return nil
}

// remove ends the count of a connection.
func (l *limitListener) remove(addr netip.Addr) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.conns--
	l.server.conns.Store(int64(l.conns))
	if l.addrs[addr]--; l.addrs[addr] == 0 {
		delete(l.addrs, addr)
	}
}

// reject sends an error response over a connection and closes it. If too many
// connections are being rejected it only closes it.
func (l *limitListener) reject(c net.Conn, err error) {
	select {
	case l.rejected <- struct{}{}:
	default:
		c.Close()
		return
	}
	go func() {
		defer func() { <-l.rejected }()
		defer c.Close()
		_ = c.SetDeadline(time.Now().Add(rejectTime))
		var ctx fasthttp.RequestCtx
		ctx.Init2(c, slog.NewLogLogger(l.server.Log.Handler(), slog.LevelDebug), true)
		l.server.writeEarlyError(&ctx, err)
		ctx.Response.SetConnectionClose()
		if _, err := ctx.Response.WriteTo(c); err != nil {
			return
		}
		// Closing a connection before its request is read would discard the response.
		if half, ok := c.(interface{ CloseWrite() error }); ok && half.CloseWrite() == nil {
			_, _ = io.CopyN(io.Discard, c, headerBytes)
		}
	}()
}

// errBareLF reports a request line that does not end with CRLF.
var errBareLF = errors.New("the request line does not end with CRLF")

// limitedConn is a connection that a limitListener counts. Reading from it fails if a
// request line does not end with CRLF, which fasthttp would accept: see WellFormed for
// the lines below it.
type limitedConn struct {
	net.Conn
	release func()

	atStart bool // the next bytes are a request line
	afterCR bool // the last byte of the request line so far is CR
}

// Read implements net.Conn.
func (c *limitedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if c.atStart && n > 0 && !c.checkLine(b[:n]) {
		return 0, errBareLF
	}
	return n, err
}

// checkLine checks the next bytes of a request line.
func (c *limitedConn) checkLine(b []byte) bool {
	end := bytes.IndexByte(b, '\n')
	switch {
	case end < 0:
		c.afterCR = b[len(b)-1] == '\r'
		return true
	case end > 0:
		c.afterCR = b[end-1] == '\r'
	}
	c.atStart = false
	return c.afterCR
}

// Write implements net.Conn. A response other than 100 Continue is followed by the next
// request.
func (c *limitedConn) Write(b []byte) (int, error) {
	c.atStart = !bytes.HasPrefix(b, []byte("HTTP/1.1 100 "))
	c.afterCR = false
	return c.Conn.Write(b)
}

// Close implements net.Conn.
func (c *limitedConn) Close() error {
	c.release()
	return c.Conn.Close()
}

// SyscallConn implements syscall.Conn if the underlying connection does.
func (c *limitedConn) SyscallConn() (syscall.RawConn, error) {
	if conn, ok := c.Conn.(syscall.Conn); ok {
		return conn.SyscallConn()
	}
	return nil, errors.ErrUnsupported
}
