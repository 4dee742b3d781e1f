package serve

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"strings"
	"sync"

	"github.com/gofiber/fiber/v2"

	"github.com/secondlight/secondlight/handlers/web"
)

// document is a machine-readable description of the site, such as /openapi.json. It
// is built from the operations, once a day because its examples are real responses, and
// when all cached responses become outdated.
type document struct {
	contentType string
	build       func(context.Context) ([]byte, error)
	fields      []string // additional header fields: name, value, name, value, …

	mu      sync.Mutex
	day     int64
	version uint64 // that of Config.Version
	cached  [web.Encodings]*cachedResponse
}

// MountDocument serves a document at a path, without content negotiation. Fields
// are the names and values of additional header fields.
func (s *Server) MountDocument(path, contentType string, build func(context.Context) ([]byte, error), fields ...string) *document {
	d := &document{contentType: contentType, build: build, fields: fields, day: -1}
	s.exact[path] = true
	s.app.Get(path, func(c *fiber.Ctx) error {
		f, err := s.publish(d, web.ChooseEncoding(c.Context().Request.Header.PeekAll("Accept-Encoding")))
		if err == nil {
			f.write(c.Context())
		}
		return err
	})
	return d
}

// MountRedirect redirects a path that has moved permanently, with its suffix and query.
func (s *Server) MountRedirect(from, to string) {
	s.app.Get(from, func(c *fiber.Ctx) error {
		to := to
		query := string(c.Context().URI().QueryString())
		if state := web.StateOf(c.Context()); state.Suffixed {
			to = web.Address(to, state.Format, query)
		} else if query != "" {
			to += "?" + query
		}
		s.Redirect(c.Context(), to, fiber.StatusPermanentRedirect)
		return nil
	})
}

// MountFile serves a path with a handler, without content negotiation: its suffix is
// part of its name.
func (s *Server) MountFile(path string, handler fiber.Handler) {
	s.exact[path] = true
	s.app.Get(path, handler)
}

// MountText serves a text document as MountDocument does.
func (s *Server) MountText(path, contentType string, text func() string, fields ...string) {
	s.MountDocument(path, contentType, func(context.Context) ([]byte, error) { return []byte(text()), nil }, fields...)
}

// MountObject serves a JSON object as MountDocument does.
func (s *Server) MountObject(path, contentType string, value func() web.Object, fields ...string) {
	s.MountDocument(path, contentType, func(context.Context) ([]byte, error) { return web.EncodeIndentedJSON(value()) }, fields...)
}

// publish returns today's version of a document in a content coding. It builds the
// document if there is none.
func (s *Server) publish(d *document, enc web.Encoding) (*cachedResponse, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if today, version := s.Clock().Unix()/86400, s.Version(); d.day != today || d.version != version {
		ctx, cancel := context.WithTimeout(context.Background(), web.OperationTimeout)
		defer cancel()
		body, err := d.build(ctx)
		if err != nil {
			return nil, err
		}
		d.day, d.version, d.cached = today, version, [web.Encodings]*cachedResponse{web.IdentityEncoding: s.newCachedDocument(d, body, web.IdentityEncoding)}
	}
	if d.cached[enc] == nil {
		d.cached[enc] = s.newCachedDocument(d, d.cached[web.IdentityEncoding].body, enc)
	}
	return d.cached[enc], nil
}

// newCachedDocument returns the response that serves the body of a document.
func (s *Server) newCachedDocument(d *document, body []byte, enc web.Encoding) *cachedResponse {
	f := s.newCachedResponse(body, d.contentType, enc)
	for i := 0; i+1 < len(d.fields); i += 2 {
		f.header.Set(d.fields[i], d.fields[i+1])
	}
	return f
}

// MountXML serves an XML document that is built from the site's data and cached
// until the data changes. A query is ignored. Build receives the path parameter named
// file, or "".
func (s *Server) MountXML(path string, build func(ctx context.Context, file string) (any, error)) {
	prefix, _, _ := strings.Cut(path, "{")
	s.documents = append(s.documents, prefix)
	s.app.Get(web.FiberPath(path), func(c *fiber.Ctx) error {
		ctx := c.Context()
		state := web.StateOf(ctx)
		file, enc := strings.Clone(c.Params("file")), web.ChooseEncoding(ctx.Request.Header.PeekAll("Accept-Encoding"))
		f, err, _ := s.building.Do(fmt.Sprint(path, file, enc, state.Epoch), func() (any, error) {
			opCtx, cancel := state.Caller.Context()
			defer cancel()
			document, err := build(opCtx, file)
			if err != nil {
				return nil, err
			}
			body := bytes.NewBufferString(xml.Header)
			if err := xml.NewEncoder(body).Encode(document); err != nil {
				return nil, err
			}
			f := s.newCachedResponse(body.Bytes(), "application/xml; charset=utf-8", enc)
			f.validity = newValidity(sources{all: true}, state.Epoch)
			return f, nil
		})
		if err != nil {
			return err
		}
		if state.Cacheable(ctx) && state.Caller.Identity == nil && s.cache.admits(state.Target) {
			s.cache.put(string(state.Target), s.newCacheEntry(nil, []web.Format{web.HTML}), s.languages.in(web.HTML, state.Language), web.HTML, enc, f.(*cachedResponse))
		}
		f.(*cachedResponse).write(ctx)
		return nil
	})
}
