package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// RequestContext returns a context with the caller and the deadline of a request. The handler
// must call end when it returns.
func RequestContext(c *fiber.Ctx) (ctx context.Context, end func()) {
	return StateOf(c.Context()).Caller.Context()
}

// RequestCaller returns the caller of a request.
func RequestCaller(c *fiber.Ctx) *Caller { return &StateOf(c.Context()).Caller }

// SuffixFormat returns the format that the suffix of the path selects, and whether
// there is a suffix.
func SuffixFormat(c *fiber.Ctx) (format Format, ok bool) {
	state := StateOf(c.Context())
	return state.Format, state.Suffixed
}

// VaryByCaller sets Vary for a response that depends on the caller.
func VaryByCaller(c *fiber.Ctx) {
	c.Context().Response.Header.SetCanonical(HdrVary, []byte(VaryCaller))
}

// SendPrivate sends a body that caches must not store and search engines must not
// index.
func SendPrivate(c *fiber.Ctx, contentType string, body []byte) {
	h := &c.Context().Response.Header
	h.SetContentType(contentType)
	h.Set("Cache-Control", "private, no-store")
	h.Set("X-Robots-Tag", "noindex")
	h.Set("Vary", VaryCaller)
	c.Context().Response.SetBody(body)
}

// MatchesETag reports whether the lines of an If-None-Match field name etag, by
// weak comparison (RFC 9110, section 8.8.3.2).
func MatchesETag(fields [][]byte, etag string) bool {
	for _, field := range fields {
		for len(field) > 0 {
			var tag []byte
			tag, field = cutMember(field)
			tag = bytes.TrimPrefix(trim(tag), []byte("W/"))
			if string(tag) == etag || len(tag) == 1 && tag[0] == '*' {
				return true
			}
		}
	}
	return false
}

// ParseIfMatch returns the version in an If-Match field: 0 for "*", which matches any
// version, and -1, which matches none, for anything that is not the ETag of a
// versioned page.
func ParseIfMatch(ifMatch string) int64 {
	if ifMatch == "*" {
		return 0
	}
	tag, ok := strings.CutPrefix(ifMatch, `"v`)
	digits, _, dashed := strings.Cut(tag, "-")
	version, err := strconv.ParseInt(digits, 10, 64)
	if !ok || !dashed || err != nil || version <= 0 {
		return -1
	}
	return version
}

// PlainText is the content type of text documents.
const PlainText = "text/plain; charset=utf-8"

// chunkTime is how long a client may take to receive a part of a stream.
const chunkTime = 30 * time.Second

// SendStream sends what write writes as a download that caches must not store and search
// engines must not index. Write runs until it has written all or the client is gone.
func SendStream(c *fiber.Ctx, contentType string, write func(io.Writer) error) {
	SendPrivate(c, contentType, nil)
	in, out := io.Pipe()
	go func() { out.CloseWithError(write(out)) }()
	c.Context().Response.SetBodyStream(&timedStream{in, c.Context().Conn()}, -1)
}

// timedStream sets the deadline of each part that is sent, in place of one for the whole response.
type timedStream struct {
	*io.PipeReader
	conn net.Conn
}

func (s *timedStream) Read(p []byte) (int, error) {
	n, err := s.PipeReader.Read(p)
	_ = s.conn.SetWriteDeadline(time.Now().Add(chunkTime))
	return n, err
}

// SendAsset sends a body that is the same for every caller, or the range of it that the
// request asks for, or 304 if If-None-Match names its ETag, which includes the quotes. Caching is the value of Cache-Control.
// The body is not copied and must not be modified.
func SendAsset(c *fiber.Ctx, contentType, etag, caching string, body []byte) error {
	ctx := c.Context()
	h := &ctx.Response.Header
	h.Set("Etag", etag)
	h.Set("Cache-Control", caching)
	h.SetContentType(contentType)
	h.Set("Accept-Ranges", "bytes")
	if MatchesETag(ctx.Request.Header.PeekAll("If-None-Match"), etag) {
		ctx.Response.SetStatusCode(fasthttp.StatusNotModified)
		return nil
	}
	first, last, ok := askedRange(ctx, etag, len(body))
	if ok {
		ctx.Response.SetBodyRaw(body[first : last+1])
	}
	return nil
}

// SendFile sends a file as SendContent does.
func SendFile(c *fiber.Ctx, name, contentType, etag, caching string) error {
	return SendContent(c, contentType, etag, caching, func() (io.ReadSeekCloser, int64, error) {
		f, err := os.Open(name)
		if err != nil {
			return nil, 0, err
		}
		info, err := f.Stat()
		if err != nil {
			return nil, 0, errors.Join(err, f.Close())
		}
		return f, info.Size(), nil
	})
}

// SendContent sends what open returns, with its size in bytes, or the range of it that the
// request asks for, or 304. It closes it. Etag and caching are as in SendAsset.
func SendContent(c *fiber.Ctx, contentType, etag, caching string, open func() (io.ReadSeekCloser, int64, error)) error {
	ctx := c.Context()
	h := &ctx.Response.Header
	h.Set("Etag", etag)
	h.Set("Cache-Control", caching)
	h.Set("Accept-Ranges", "bytes")
	if MatchesETag(ctx.Request.Header.PeekAll("If-None-Match"), etag) {
		ctx.Response.SetStatusCode(fasthttp.StatusNotModified)
		return nil
	}
	in, bytes, err := open()
	if err != nil {
		return err
	}
	size := int(bytes)
	first, last, ok := askedRange(ctx, etag, size)
	if !ok {
		return in.Close()
	}
	if _, err := in.Seek(int64(first), io.SeekStart); err != nil {
		return errors.Join(err, in.Close())
	}
	h.SetContentType(contentType)
	part := struct {
		io.Reader
		io.Closer
	}{io.LimitReader(in, int64(last-first+1)), in}
	ctx.Response.SetBodyStream(part, last-first+1)
	return nil
}

// askedRange returns the first and last byte to send of a body of size bytes, all or the
// range that the request asks for, and sets the status and Content-Range. ok is false if
// there is no such range: then there is nothing to send.
func askedRange(ctx *fasthttp.RequestCtx, etag string, size int) (first, last int, ok bool) {
	asked := ctx.Request.Header.Peek("Range")
	if len(asked) == 0 || !unchanged(ctx, etag) {
		return 0, size - 1, true
	}
	h := &ctx.Response.Header
	first, last, err := fasthttp.ParseByteRange(asked, size)
	if err != nil {
		h.Set("Content-Range", fmt.Sprintf("bytes */%d", size))
		ctx.Response.SetStatusCode(fasthttp.StatusRequestedRangeNotSatisfiable)
		return 0, 0, false
	}
	h.SetContentRange(first, last, size)
	ctx.Response.SetStatusCode(fasthttp.StatusPartialContent)
	return first, last, true
}

// unchanged reports whether a range may be sent: the client names no ETag that the range
// must be of, or the current one.
func unchanged(ctx *fasthttp.RequestCtx, etag string) bool {
	named := ctx.Request.Header.Peek("If-Range")
	return len(named) == 0 || string(named) == etag
}

// SendPicture sends the picture whose name is the parameter file without a suffix, and says
// that it never changes. read returns nil if there is none.
func SendPicture(c *fiber.Ctx, suffix, mediaType string, read func(ctx context.Context, name string) ([]byte, error)) error {
	name, ok := strings.CutSuffix(strings.Clone(c.Params("file")), suffix)
	if !ok {
		return fiber.ErrNotFound
	}
	ctx, end := RequestContext(c)
	defer end()
	body, err := read(ctx, name)
	if err != nil {
		return err
	}
	if body == nil {
		return fiber.ErrNotFound
	}
	return SendAsset(c, mediaType, `"`+name+`"`, CacheImmutable, body)
}
