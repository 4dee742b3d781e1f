package web

import (
	"errors"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/secondlight/secondlight/models/problem"
)

// Limits of request bodies, in bytes unless noted.
const (
	messageBytes   = 32 << 10 // of an anonymous client's MCP message, which only reads
	anonymousBytes = 1 << 20
	bodyBytes      = 4 << 20         // of a member's request
	uploadBytes    = 32 << 20        // of a member's request to an address that accepts files
	uploadRead     = 2 * time.Minute // time to read such a body
	smallBody      = 64 << 10        // larger bodies count towards maxUploads
	maxUploads     = 4               // bodies in progress of one member or address
	maxBodies      = 256 << 20       // all bodies in progress
	maxDiscard     = 256 << 10       // of a rejected body; the connection is closed if it is larger
)

// receiveBody reads the body of a request into memory. The client has been charged for
// the request before. The memory grows as the body arrives, so that a client that
// announces a large body and sends nothing holds none. Release must be called when the
// response is complete, even after an error.
func (s *Server) receiveBody(ctx *fasthttp.RequestCtx, state *requestState) (release func(), err error) {
	stream := ctx.RequestBodyStream()
	switch {
	case len(ctx.Request.Header.Peek(tooLarge)) > 0:
		return func() {}, fiber.ErrRequestEntityTooLarge
	case stream == nil:
		return func() {}, nil
	}
	limit := s.bodyLimit(&ctx.Request.Header, state.caller.Identity)
	if limit == uploadBytes {
		_ = ctx.Conn().SetReadDeadline(time.Now().Add(uploadRead)) // reading reports a broken connection
	}
	b := &body{budget: &s.bodies, owner: state.owner()}
	if err = b.read(stream, ctx.Request.Header.ContentLength(), limit); err == nil {
		ctx.Request.SetBodyRaw(b.bytes)
	}
	return b.release, bodyError(err)
}

// tooLarge marks the header of a request whose body is not read because it is too
// large. No client can send a field with this name.
const tooLarge = ":too-large"

// headerReceived rejects a body that is too large before any of it arrives. fasthttp
// would wait for its first byte, so it is told that there is no body.
func (s *Server) headerReceived(h *fasthttp.RequestHeader) (config fasthttp.RequestConfig) {
	if h.ContentLength() <= messageBytes {
		return config
	}
	ctx, cancel := (&Caller{}).context()
	defer cancel()
	id, _, _ := s.identityFromHeader(ctx, h) // the handler reports an error
	if h.ContentLength() > s.bodyLimit(h, id) {
		h.SetContentLength(0)
		h.Set(tooLarge, "1")
	}
	return config
}

// bodyLimit returns the maximum size of the body of a request with an identity, which may
// be nil.
func (s *Server) bodyLimit(h *fasthttp.RequestHeader, id *Identity) int {
	path, _, _ := strings.Cut(string(h.RequestURI()), "?")
	switch {
	case id == nil && isMCP(path):
		return messageBytes
	case id == nil:
		return anonymousBytes
	case h.IsPost() && !id.Suspended && s.acceptsFiles(path):
		return uploadBytes
	}
	return bodyBytes
}

// acceptsFiles reports whether files may be sent to a path: that of an operation with
// a file parameter, or the MCP endpoint.
func (s *Server) acceptsFiles(path string) bool {
	if isMCP(path) {
		return true
	}
	for i := range s.ops {
		if op := &s.ops[i]; op.plan.acceptsFiles() && (op.Path != "" && matchesPattern(op.Path, path) || op.Page != "" && matchesPattern(op.Page, path)) {
			return true
		}
	}
	return false
}

// owner returns who the bodies of a request are counted for: its member, or else its
// address.
func (state *requestState) owner() string {
	if id := state.caller.Identity; id != nil {
		return id.ID
	}
	return RateLimitAddr(state.client.addr).String()
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

// bodyBudget bounds the memory of the bodies in progress. The zero value is ready to
// use.
type bodyBudget struct {
	mu      sync.Mutex
	held    int            // bytes
	uploads map[string]int // number of bodies larger than smallBody, by owner
}

var (
	errBodiesBusy = &problem.Error{Kind: problem.Unavailable, Code: "unavailable",
		Message: problem.Textf("The server is receiving too many files."), Hint: problem.Textf("Try again in a few seconds, or send a smaller body.")}
	errTooManyUploads = &problem.Error{Kind: problem.TooMany, Code: "rate_limited", Wait: 5,
		Message: problem.Textf("You already have %d uploads in progress.", maxUploads), Hint: problem.Textf("Wait until one of them is complete.")}
)

// resize changes the size of an owner's body from one number of bytes to another.
func (b *bodyBudget) resize(owner string, from, to int) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case to > from && b.held+to-from > maxBodies:
		return errBodiesBusy
	case from <= smallBody && to > smallBody:
		if b.uploads[owner] >= maxUploads {
			return errTooManyUploads
		}
		if b.uploads == nil {
			b.uploads = map[string]int{}
		}
		b.uploads[owner]++
	case from > smallBody && to <= smallBody:
		if b.uploads[owner]--; b.uploads[owner] == 0 {
			delete(b.uploads, owner)
		}
	}
	b.held += to - from
	return nil
}

// body is the body of a request in progress.
type body struct {
	budget   *bodyBudget
	owner    string
	reserved int
	bytes    []byte
}

// read reads a body of at most limit bytes. Declared is the length in its header, or
// negative if it is chunked.
func (b *body) read(stream io.Reader, declared, limit int) error {
	if declared > limit {
		return fiber.ErrRequestEntityTooLarge
	}
	end := limit + 1 // reading one byte more detects a body that is too large
	if declared >= 0 {
		end = declared
	}
	for len(b.bytes) < end {
		if len(b.bytes) == cap(b.bytes) {
			if err := b.grow(min(max(growth*cap(b.bytes), 16<<10), end)); err != nil {
				return err
			}
		}
		n, err := stream.Read(b.bytes[len(b.bytes):cap(b.bytes)])
		b.bytes = b.bytes[:len(b.bytes)+n]
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	switch {
	case len(b.bytes) > limit:
		return fiber.ErrRequestEntityTooLarge
	case len(b.bytes) < declared:
		return io.ErrUnexpectedEOF
	}
	return nil
}

// growth is the factor by which the memory of a body grows. With a smaller one, more of it
// would be garbage.
const growth = 4

// grow reserves and allocates size bytes.
func (b *body) grow(size int) error {
	if err := b.budget.resize(b.owner, b.reserved, size); err != nil {
		return err
	}
	b.reserved = size
	b.bytes = append(make([]byte, 0, size), b.bytes...)
	return nil
}

// release returns the memory of the body to the budget.
func (b *body) release() {
	_ = b.budget.resize(b.owner, b.reserved, 0) // releasing does not fail
	b.reserved = 0
}
