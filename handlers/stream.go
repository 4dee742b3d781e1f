package handlers

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// streamLife is how long one streamed answer may last.
const streamLife = 10 * time.Minute

// bridge lets a net/http handler answer a request of this server, so that what
// it flushes is on its way to the client at once.
//
//   - Until its first Flush an answer is held back: most end before, and are sent
//     whole with a Content-Length. A failure in plain text becomes a problem.
//   - From then on every Flush is sent by itself, and has the server's WriteTimeout
//     to arrive, which otherwise holds for a whole response.
//   - The request's context ends when the client leaves, when it does not take
//     what it is sent, or after streamLife. It knows the local address, as the
//     contexts of net/http do.
//
// The handler sees copies alone: nothing it keeps belongs to fasthttp.
func (s *Server) bridge(h http.Handler) fiber.Handler {
	return func(c *fiber.Ctx) error {
		ctx := c.Context()
		work, cancel := context.WithTimeout(context.Background(), streamLife)
		work = context.WithValue(work, http.LocalAddrContextKey, ctx.LocalAddr())
		work = context.WithValue(work, clientKeyOf{}, work)
		work = context.WithValue(work, callerKey{}, &exchangeOf(ctx).caller)
		req, err := requestOf(ctx, work)
		if err != nil {
			cancel()
			return err
		}
		id := exchangeOf(ctx).id
		req.Header.Set("X-Request-Id", id)
		w := newStreamWriter()
		watch := watchConn(ctx.Conn(), cancel)
		go func() {
			defer w.end()
			h.ServeHTTP(w, req)
		}()
		select {
		case <-w.ended:
			watch.stop()
			cancel()
			return w.answer(ctx)
		case <-w.flushed:
			w.copyHeader(ctx)
			ctx.Response.SetBodyStream(&streamBody{w: w, conn: ctx.Conn(), patience: s.app.Server().WriteTimeout, close: func() {
				cancel()
				<-w.ended
				watch.stop()
				if w.failure != nil {
					s.log.Error("stream failed", "request_id", id, "err", w.failure)
				}
			}}, -1)
			return nil
		}
	}
}

// clientKeyOf finds in a context the one that lives as long as the client is there.
type clientKeyOf struct{}

// whileClient is a context that ends when the client of the streamed request it
// stems from leaves, too. The SDK lets calls of older protocols outlive their
// request, whose answer nobody can fetch any more.
func whileClient(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	client, ok := ctx.Value(clientKeyOf{}).(context.Context)
	if !ok {
		return ctx, cancel
	}
	stop := context.AfterFunc(client, cancel)
	return ctx, func() { stop(); cancel() }
}

// requestOf is a request as net/http has them, sharing no memory with fasthttp's.
func requestOf(ctx *fasthttp.RequestCtx, work context.Context) (*http.Request, error) {
	target, err := url.ParseRequestURI(string(ctx.RequestURI()))
	if err != nil {
		return nil, &fiber.Error{Code: fasthttp.StatusBadRequest, Message: err.Error()}
	}
	body := bytes.Clone(ctx.Request.Body())
	req := (&http.Request{
		Method: string(ctx.Method()), URL: target, RequestURI: string(ctx.RequestURI()),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Host: string(ctx.Host()), RemoteAddr: ctx.RemoteAddr().String(),
		Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)),
	}).WithContext(work)
	for key, value := range ctx.Request.Header.All() {
		req.Header.Add(string(key), string(value))
	}
	return req, nil
}

// streamWriter is the http.ResponseWriter of a bridged request.
type streamWriter struct {
	header  http.Header
	status  int
	pending bytes.Buffer // written and not yet flushed
	flushed chan struct{}
	ended   chan struct{}
	failure error // what the handler panicked with

	out *io.PipeWriter // from the first Flush on
	in  *io.PipeReader
}

func newStreamWriter() *streamWriter {
	w := &streamWriter{header: http.Header{}, flushed: make(chan struct{}), ended: make(chan struct{})}
	w.in, w.out = io.Pipe()
	return w
}

func (w *streamWriter) Header() http.Header { return w.header }

func (w *streamWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

func (w *streamWriter) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.pending.Write(b)
}

// FlushError sends what was written, and returns when the server has taken it.
// http.ResponseController calls it.
func (w *streamWriter) FlushError() error {
	w.WriteHeader(http.StatusOK)
	select {
	case <-w.flushed:
	default:
		close(w.flushed)
	}
	_, err := w.pending.WriteTo(w.out)
	return err
}

// Flush is FlushError for those who do not ask.
func (w *streamWriter) Flush() { _ = w.FlushError() }

// end is the last thing the handler does.
func (w *streamWriter) end() {
	if r := recover(); r != nil {
		w.failure = panicked(r)
	}
	select {
	case <-w.flushed:
		_, _ = w.pending.WriteTo(w.out)
		_ = w.out.CloseWithError(w.failure) // nil ends the stream as it should
	default:
	}
	close(w.ended)
}

// answer sends a response that ended before anything of it was flushed.
func (w *streamWriter) answer(ctx *fasthttp.RequestCtx) error {
	if w.failure != nil {
		return w.failure
	}
	if w.status >= 400 && strings.HasPrefix(w.header.Get("Content-Type"), "text/plain") {
		return plainFailure(w.status, w.pending.String())
	}
	w.copyHeader(ctx)
	ctx.Response.SetBodyRaw(w.pending.Bytes())
	return nil
}

// plainFailure is a failure in plain text as the site tells failures.
func plainFailure(status int, text string) error {
	code, ok := statusCode[status]
	if !ok {
		return fmt.Errorf("bridge: unexpected status %d: %s", status, text)
	}
	told := *fromCode(code)
	told.Message = sentence(strings.TrimSpace(text))
	return &told
}

// copyHeader writes the head of the response. What belongs to one connection is
// fasthttp's to say.
func (w *streamWriter) copyHeader(ctx *fasthttp.RequestCtx) {
	h := &ctx.Response.Header
	ctx.Response.SetStatusCode(max(w.status, http.StatusOK))
	for key, values := range w.header {
		if key == "Connection" || key == "Content-Length" || key == "Transfer-Encoding" {
			continue
		}
		h.Del(key)
		for _, v := range values {
			h.Add(key, v)
		}
	}
	h.Set("X-Accel-Buffering", "no")
}

// streamBody is what a handler flushes, as the body fasthttp reads and sends.
type streamBody struct {
	w        *streamWriter
	conn     net.Conn
	patience time.Duration // how long the client may take over a piece
	close    func()
}

// Read waits for the next flush. fasthttp sends each piece as a chunk before it
// asks for the next, so this is where the time a piece may take begins.
func (b *streamBody) Read(p []byte) (int, error) {
	n, err := b.w.in.Read(p)
	_ = b.conn.SetWriteDeadline(time.Now().Add(b.patience))
	return n, err
}

// Close is called when everything was sent, or nothing more can be. It returns
// when the handler has, and nobody but fasthttp reads from the connection.
func (b *streamBody) Close() error {
	_ = b.w.in.CloseWithError(net.ErrClosed)
	b.close()
	return nil
}

// connWatch notices that a client left while it is being answered. Only the raw
// connection knows: nobody reads from it until the answer is complete.
type connWatch struct {
	conn net.Conn
	done chan struct{}
}

// watchConn calls left when the peer closes the connection, until stop.
func watchConn(conn net.Conn, left func()) *connWatch {
	w := &connWatch{conn: conn, done: make(chan struct{})}
	if conn.SetReadDeadline(time.Time{}) != nil {
		close(w.done)
		return w
	}
	go func() {
		defer close(w.done)
		if peerLeft(conn) {
			left()
		}
	}()
	return w
}

// stop ends the watch, and leaves the connection to the next reader.
func (w *connWatch) stop() {
	_ = w.conn.SetReadDeadline(time.Unix(1, 0))
	<-w.done
	_ = w.conn.SetReadDeadline(time.Time{})
}
