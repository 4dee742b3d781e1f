package handlers

import (
	"context"
	"strconv"
	"strings"
	"sync"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// document is something the site says about itself to programs. It is made from
// the registry, and again each day because its examples are real answers.
type document struct {
	contentType string
	build       func(context.Context) ([]byte, error)
	fields      []string // more header fields, name and value in turn

	mu   sync.Mutex
	day  int64
	made [encodings]*finished
}

// mountDocuments serves everything the site says about itself. It comes last:
// documents name only what is mounted.
func (s *Server) mountDocuments() {
	s.mountOpenAPI()
	s.mountWellKnown()
	s.mountSkills()
	s.mountAgent()
	s.mountLLMs()
	s.mountRobots()
}

// mountDocument serves a document at its one address, in its one type, with
// more header fields, name and value in turn.
func (s *Server) mountDocument(path, contentType string, build func(context.Context) ([]byte, error), fields ...string) {
	d := &document{contentType: contentType, build: build, fields: fields, day: -1}
	s.exact[path] = true
	s.app.Get(path, func(c *fiber.Ctx) error {
		f, err := s.publish(d, chooseEncoding(c.Context().Request.Header.PeekAll("Accept-Encoding")))
		if err == nil {
			f.write(c.Context())
		}
		return err
	})
}

// mountText serves a document that is text and cannot fail.
func (s *Server) mountText(path, contentType string, text func() string, fields ...string) {
	s.mountDocument(path, contentType, func(context.Context) ([]byte, error) { return []byte(text()), nil }, fields...)
}

// mountObject serves a document that is a JSON object.
func (s *Server) mountObject(path, contentType string, value func() object, fields ...string) {
	s.mountDocument(path, contentType, func(context.Context) ([]byte, error) { return encodeDocument(value()) }, fields...)
}

// publish is today's document in an encoding.
func (s *Server) publish(d *document, enc Encoding) (*finished, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if today := s.clock().Unix() / 86400; d.day != today {
		work, cancel := context.WithTimeout(context.Background(), workTime)
		defer cancel()
		body, err := d.build(work)
		if err != nil {
			return nil, err
		}
		d.day, d.made = today, [encodings]*finished{Identity: s.finishDocument(d, body, Identity)}
	}
	if d.made[enc] == nil {
		d.made[enc] = s.finishDocument(d, d.made[Identity].body, enc)
	}
	return d.made[enc], nil
}

func (s *Server) finishDocument(d *document, body []byte, enc Encoding) *finished {
	f := s.finishBytes(body, d.contentType, enc)
	for i := 0; i+1 < len(d.fields); i += 2 {
		f.header.Set(d.fields[i], d.fields[i+1])
	}
	return f
}

// plainText is the type of documents that people and programs read alike.
const plainText = "text/plain; charset=utf-8"

// tokensText says what X-Markdown-Tokens counts.
const tokensText = "an estimate of its length in tokens of a language model: one for every four bytes, before compression"

// countTokens adds the estimate to an answer in Markdown; the body is not compressed.
func countTokens(h *fasthttp.ResponseHeader, contentType string, body []byte) {
	if contentType == Markdown.ContentType() {
		h.SetCanonical(hdrMarkdownTokens, strconv.AppendInt(nil, int64(len(body)+3)/4, 10))
	}
}

var hdrMarkdownTokens = []byte("X-Markdown-Tokens")

// host is the name the site is known by, without a port: "secondlight.example".
func (s *Server) host() string {
	_, host, _ := strings.Cut(s.site.BaseURL, "://")
	if at := strings.LastIndexByte(host, ':'); at > strings.LastIndexByte(host, ']') {
		host = host[:at]
	}
	return host
}
