package main

import (
	"context"
	"log/slog"
	"regexp"
	"sync"
	"time"
)

// logger returns a logger that writes to the console's error stream, and a function that writes
// what it has left out until then.
func (s *settings) logger(c *console) (log *slog.Logger, flush func()) {
	options := &slog.HandlerOptions{Level: s.LogLevel}
	var to slog.Handler = slog.NewTextHandler(c.errOut, options)
	if s.LogFormat == "json" {
		to = slog.NewJSONHandler(c.errOut, options)
	}
	r := &repeats{last: map[string]*repeat{}}
	return slog.New(repeatHandler{to, r}), r.flush
}

// repeatInterval is how often the same warning or error is written at most.
const repeatInterval = time.Second

// maxRepeats is how many different messages are told apart by their causes at a time.
const maxRepeats = 1000

// repeatHandler is a log handler that writes one record of the same warning or error in each
// repeatInterval, the last, with the number of those it stands for as "repeated". Records are
// the same if they differ in digits and in fields other than their cause, err.
type repeatHandler struct {
	slog.Handler
	*repeats
}

// repeats holds the records that were written within repeatInterval.
type repeats struct {
	mu   sync.Mutex
	last map[string]*repeat
}

// repeat is what was left out of the records of a key since one was written.
type repeat struct {
	count  int
	record slog.Record // the last
	to     slog.Handler
}

// Handle implements slog.Handler.
func (h repeatHandler) Handle(ctx context.Context, r slog.Record) error {
	if r.Level >= slog.LevelWarn && h.leaveOut(r, h.Handler) {
		return nil
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h repeatHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return repeatHandler{h.Handler.WithAttrs(attrs), h.repeats}
}

// WithGroup implements slog.Handler.
func (h repeatHandler) WithGroup(name string) slog.Handler {
	return repeatHandler{h.Handler.WithGroup(name), h.repeats}
}

var digits = regexp.MustCompile(`\d+`)

// leaveOut reports whether a record is left out for now. A record that is not begins an interval.
func (h *repeats) leaveOut(r slog.Record, to slog.Handler) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	key := r.Level.String() + " " + r.Message
	if len(h.last) < maxRepeats {
		r.Attrs(func(a slog.Attr) bool {
			if a.Key == "err" {
				key += " " + digits.ReplaceAllString(a.Value.String(), "0")
			}
			return true
		})
	}
	if e := h.last[key]; e != nil {
		e.count++
		e.record, e.to = r.Clone(), to
		return true
	}
	h.last[key] = &repeat{}
	time.AfterFunc(repeatInterval, func() { h.end(key) })
	return false
}

// end ends the interval of a key, and begins another one if it writes a record.
func (h *repeats) end(key string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	e := h.last[key]
	if e == nil || e.count == 0 {
		delete(h.last, key)
		return
	}
	e.write()
	time.AfterFunc(repeatInterval, func() { h.end(key) })
}

// flush writes what was left out.
func (h *repeats) flush() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, e := range h.last {
		if e.count > 0 {
			e.write()
		}
	}
	clear(h.last)
}

// write writes the last record that was left out. The level was enabled when it came.
func (e *repeat) write() {
	e.record.AddAttrs(slog.Int("repeated", e.count))
	_ = e.to.Handle(context.Background(), e.record) // as slog.Logger ignores it
	*e = repeat{}
}
