package handlers

import (
	"context"
	"sync"

	"github.com/gofiber/fiber/v2"
)

// document is something the site says about itself to programs. It is made from
// the registry, and again each day because its examples are real answers.
type document struct {
	contentType string
	build       func(context.Context) ([]byte, error)

	mu   sync.Mutex
	day  int64
	made [encodings]*finished
}

// mountDocument serves a document at its one address, in its one type.
func (s *Server) mountDocument(path, contentType string, build func(context.Context) ([]byte, error)) {
	d := &document{contentType: contentType, build: build, day: -1}
	s.exact[path] = true
	s.app.Get(path, func(c *fiber.Ctx) error {
		f, err := s.publish(d, chooseEncoding(c.Context().Request.Header.PeekAll("Accept-Encoding")))
		if err == nil {
			f.write(c.Context())
		}
		return err
	})
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
		d.day, d.made = today, [encodings]*finished{Identity: s.finishBytes(body, d.contentType, Identity)}
	}
	if d.made[enc] == nil {
		d.made[enc] = s.finishBytes(d.made[Identity].body, d.contentType, enc)
	}
	return d.made[enc], nil
}
