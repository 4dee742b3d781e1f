package serve

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

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models/english"
	"github.com/secondlight/secondlight/models/problem"
)

// maxStreamTime is the maximum duration of a streamed response.
const maxStreamTime = 10 * time.Minute

// streamHandler returns a fiber handler that calls a net/http handler and sends what
// it flushes immediately.
//
//   - A response that is complete before the first Flush is sent with a Content-Length.
//     A text/plain error is converted to an error response of the site.
//   - It is compressed if the client accepts it and the first part has at least
//     minCompressed bytes.
//   - After that, each Flush is sent as a chunk. The server's WriteTimeout applies to
//     each chunk instead of the whole response.
//   - The request's context is cancelled when the client disconnects, when writing to
//     it fails, and after maxStreamTime. It has an http.LocalAddrContextKey.
//
// The request is a copy that the handler may retain.
func (s *Server) streamHandler(h http.Handler) fiber.Handler {
	return func(c *fiber.Ctx) error {
		ctx := c.Context()
		reqCtx, cancel := context.WithTimeout(context.Background(), maxStreamTime)
		reqCtx = context.WithValue(reqCtx, http.LocalAddrContextKey, ctx.LocalAddr())
		reqCtx = context.WithValue(reqCtx, web.ClientContextKey{}, reqCtx)
		reqCtx = context.WithValue(reqCtx, web.CallerKey{}, &web.StateOf(ctx).Caller)
		req, err := newHTTPRequest(ctx, reqCtx)
		if err != nil {
			cancel()
			return err
		}
		id := web.StateOf(ctx).ID
		req.Header.Set("X-Request-Id", id)
		w := newStreamWriter(web.AcceptedEncodings(ctx.Request.Header.PeekAll("Accept-Encoding")).Fast)
		watch := watchConn(ctx.Conn(), cancel)
		go func() {
			defer w.end()
			h.ServeHTTP(w, req)
		}()
		select {
		case <-w.done:
			watch.stop()
			cancel()
			return w.send(ctx)
		case <-w.flushed:
			w.copyHeader(ctx)
			ctx.Response.SetBodyStream(&streamBody{w: w, conn: ctx.Conn(), writeTimeout: s.app.Server().WriteTimeout, close: func() {
				cancel()
				<-w.done
				watch.stop()
				if w.panicErr != nil {
					s.Log.Error("stream response", "request_id", id, "err", w.panicErr)
				}
			}}, -1)
			return nil
		}
	}
}

// newHTTPRequest returns a copy of a request as an *http.Request.
func newHTTPRequest(ctx *fasthttp.RequestCtx, reqCtx context.Context) (*http.Request, error) {
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
	}).WithContext(reqCtx)
	for key, value := range ctx.Request.Header.All() {
		req.Header.Add(string(key), string(value))
	}
	return req, nil
}

// streamWriter is the http.ResponseWriter of a streamHandler.
type streamWriter struct {
	header   http.Header
	status   int
	pending  bytes.Buffer // written and not yet flushed
	flushed  chan struct{}
	done     chan struct{}
	panicErr error // what the handler PanicError with

	enc     web.Encoding // that the client accepts
	encoder compressor   // of a compressed response, from the first Flush on

	out *io.PipeWriter // from the first Flush on
	in  *io.PipeReader
}

func newStreamWriter(enc web.Encoding) *streamWriter {
	w := &streamWriter{header: http.Header{}, enc: enc, flushed: make(chan struct{}), done: make(chan struct{})}
	w.in, w.out = io.Pipe()
	return w
}

// Header implements http.ResponseWriter.
func (w *streamWriter) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter. Only the first call has an effect.
func (w *streamWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
}

// Write implements http.ResponseWriter. It buffers until the next Flush.
func (w *streamWriter) Write(b []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.pending.Write(b)
}

// FlushError sends the buffered bytes and returns when the server has read them.
// http.ResponseController calls it.
func (w *streamWriter) FlushError() error {
	w.WriteHeader(http.StatusOK)
	select {
	case <-w.flushed:
	default:
		if w.compresses() {
			w.encoder = newCompressor(w.enc, w.out)
		}
		close(w.flushed)
	}
	return w.sendPending()
}

// compresses reports whether the response is compressed, given its first part, and sets
// the header field that says so.
func (w *streamWriter) compresses() bool {
	if w.enc == web.IdentityEncoding || w.pending.Len() < minCompressed || w.header.Get("Content-Encoding") != "" {
		return false
	}
	w.header.Set("Content-Encoding", w.enc.String())
	return true
}

// sendPending sends the buffered bytes.
func (w *streamWriter) sendPending() error {
	if w.encoder == nil {
		_, err := w.pending.WriteTo(w.out)
		return err
	}
	if w.pending.Len() == 0 {
		return nil
	}
	if _, err := w.pending.WriteTo(w.encoder); err != nil {
		return err
	}
	return w.encoder.Flush()
}

// Flush implements http.Flusher.
func (w *streamWriter) Flush() { _ = w.FlushError() }

// end completes the response after the handler has returned or panicked.
func (w *streamWriter) end() {
	if r := recover(); r != nil {
		w.panicErr = web.PanicError(r)
	}
	select {
	case <-w.flushed:
		_ = w.sendPending()
		if w.encoder != nil {
			_ = w.encoder.Close()
			releaseCompressor(w.enc, w.encoder)
		}
		_ = w.out.CloseWithError(w.panicErr) // nil ends the stream as it should
	default:
	}
	close(w.done)
}

// send sends a response that was never flushed.
func (w *streamWriter) send(ctx *fasthttp.RequestCtx) error {
	if w.panicErr != nil {
		return w.panicErr
	}
	if w.status >= 400 && strings.HasPrefix(w.header.Get("Content-Type"), "text/plain") {
		return plainTextError(w.status, w.pending.String())
	}
	body := w.pending.Bytes()
	if w.compresses() {
		body = compress(body, w.enc)
	}
	w.copyHeader(ctx)
	ctx.Response.SetBodyRaw(body)
	return nil
}

// plainTextError returns the error for a text/plain response with an error status.
func plainTextError(status int, text string) error {
	code, ok := web.StatusCode[status]
	if !ok {
		return fmt.Errorf("unexpected status %d of a streamed response: %s", status, text)
	}
	perr := *web.NewError(code)
	perr.Message = problem.Programf("%s", english.Sentence(strings.TrimSpace(text)))
	return &perr
}

// copyHeader copies the status and the header fields to the response, except those
// of the connection, which fasthttp sets.
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

// streamBody is the body stream of a flushed response, which fasthttp reads.
type streamBody struct {
	w            *streamWriter
	conn         net.Conn
	writeTimeout time.Duration // of a chunk
	close        func()
}

// Read waits for the next flush. fasthttp writes what it returns as a chunk before it
// reads on, so the write deadline of the chunk is set here.
func (b *streamBody) Read(p []byte) (int, error) {
	n, err := b.w.in.Read(p)
	_ = b.conn.SetWriteDeadline(time.Now().Add(b.writeTimeout))
	return n, err
}

// Close is called when the response is complete or cannot be written. It returns
// after the handler has returned and the connection is no longer watched.
func (b *streamBody) Close() error {
	_ = b.w.in.CloseWithError(net.ErrClosed)
	b.close()
	return nil
}

// connWatch watches a connection to detect a client that disconnects before the
// response is complete. Nothing else reads from the connection during that time.
type connWatch struct {
	conn net.Conn
	done chan struct{}
}

// watchConn calls onClose when the peer closes the connection, until stop is called.
func watchConn(conn net.Conn, onClose func()) *connWatch {
	w := &connWatch{conn: conn, done: make(chan struct{})}
	if conn.SetReadDeadline(time.Time{}) != nil {
		close(w.done)
		return w
	}
	go func() {
		defer close(w.done)
		if peerClosed(conn) {
			onClose()
		}
	}()
	return w
}

// stop ends the watch and resets the read deadline of the connection.
func (w *connWatch) stop() {
	_ = w.conn.SetReadDeadline(time.Unix(1, 0))
	<-w.done
	_ = w.conn.SetReadDeadline(time.Time{})
}
