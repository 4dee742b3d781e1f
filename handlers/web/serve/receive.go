package serve

import (
	"errors"
	"io"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models/problem"
)

// Limits of request bodies, in bytes unless noted.
const (
	messageBytes   = 32 << 10 // of an anonymous client's MCP message, which only reads
	anonymousBytes = 1 << 20
	bodyBytes      = 4 << 20         // of a member's request
	uploadRead     = 2 * time.Minute // time to read such a body
	maxDiscard     = 256 << 10       // of a rejected body; the connection is closed if it is larger
)

// receiveBody reads the body of a request into memory. The client has been charged for
// the request before. The memory grows as the body arrives, so that a client that
// announces a large body and sends nothing holds none. Release must be called when the
// response is complete, even after an error.
func (s *Server) receiveBody(ctx *fasthttp.RequestCtx, state *web.RequestState) (release func(), err error) {
	stream := ctx.RequestBodyStream()
	switch {
	case len(ctx.Request.Header.Peek(tooLarge)) > 0:
		return func() {}, fiber.ErrRequestEntityTooLarge
	case stream == nil:
		return func() {}, nil
	}
	limit := s.bodyLimit(&ctx.Request.Header, state.Caller.Identity)
	if limit == web.UploadBytes {
		_ = ctx.Conn().SetReadDeadline(time.Now().Add(uploadRead)) // reading reports a broken connection
	}
	b := s.bodies.Body(state.Owner())
	if err = b.Read(stream, ctx.Request.Header.ContentLength(), limit); err == nil {
		ctx.Request.SetBodyRaw(b.Bytes)
	}
	return b.Release, bodyError(err)
}

// tooLarge marks the header of a request whose body is not read because it is too
// large. No client can send a field with this name.
const tooLarge = ":too-large"

// headerReceived rejects a body that is too large before any of it arrives. It sets the
// length to 0, because fasthttp would wait for the first byte.
func (s *Server) headerReceived(h *fasthttp.RequestHeader) (config fasthttp.RequestConfig) {
	if h.ContentLength() <= messageBytes {
		return config
	}
	ctx, cancel := (&web.Caller{}).Context()
	defer cancel()
	id, _, _ := s.IdentityFromHeader(ctx, h) // the handler reports an error
	if h.ContentLength() > s.bodyLimit(h, id) {
		h.SetContentLength(0)
		h.Set(tooLarge, "1")
	}
	return config
}

// bodyLimit returns the maximum size of the body of a request with an identity, which may
// be nil.
func (s *Server) bodyLimit(h *fasthttp.RequestHeader, id *web.Identity) int {
	path, _, _ := strings.Cut(string(h.RequestURI()), "?")
	switch {
	case id == nil && web.IsMCP(path):
		return messageBytes
	case id == nil:
		return anonymousBytes
	case h.IsPost() && !id.Suspended && s.acceptsFiles(path):
		return web.UploadBytes
	}
	return bodyBytes
}

// AcceptsFiles reports whether files may be sent to a path: that of an operation with
// a file parameter, or the MCP endpoint.
func (s *Server) acceptsFiles(path string) bool {
	if web.IsMCP(path) {
		return true
	}
	for i := range s.Ops {
		if op := &s.Ops[i]; op.Plan.AcceptsFiles() && (op.Path != "" && web.MatchesPattern(op.Path, path) || op.Page != "" && web.MatchesPattern(op.Page, path)) {
			return true
		}
	}
	return false
}

// bodyError returns the error to respond with if reading a body fails with err.
func bodyError(err error) error {
	var timeout interface{ Timeout() bool }
	var perr *problem.Error
	switch {
	case err == nil, errors.As(err, &perr), errors.Is(err, fiber.ErrRequestEntityTooLarge):
		return err
	case errors.As(err, &timeout) && timeout.Timeout():
		return fiber.ErrRequestTimeout
	}
	return fiber.NewError(fiber.StatusBadRequest, err.Error())
}

// discardBody reads the rest of a rejected body, so that the next request on the
// connection can be read. If it is too large or incomplete, the connection is closed
// after the response.
func discardBody(ctx *fasthttp.RequestCtx) {
	stream := ctx.RequestBodyStream()
	if stream == nil {
		return
	}
	n, err := io.CopyN(io.Discard, stream, maxDiscard)
	if declared := ctx.Request.Header.ContentLength(); err != io.EOF || declared >= 0 && n < int64(declared) {
		ctx.Response.SetConnectionClose()
	}
}
