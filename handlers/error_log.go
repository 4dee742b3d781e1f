package handlers

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// recentErrors is how many errors the error log holds.
const recentErrors = 20

// errorLog passes log records on, and holds the last errors for the operators.
type errorLog struct {
	slog.Handler
	*loggedErrors
}

// loggedErrors holds the last errors that were logged, the newest last.
type loggedErrors struct {
	mu    sync.Mutex
	total int
	last  []loggedError
}

// loggedError is an error that was logged.
type loggedError struct {
	at      time.Time
	message string
	cause   string // what the attribute err says, "" without one
}

// newErrorLog returns a log handler that holds errors and passes all records to another.
func newErrorLog(to slog.Handler) *errorLog {
	return &errorLog{Handler: to, loggedErrors: &loggedErrors{}}
}

// Enabled implements slog.Handler.
func (l *errorLog) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelError || l.Handler.Enabled(ctx, level)
}

// Handle implements slog.Handler.
func (l *errorLog) Handle(ctx context.Context, r slog.Record) error {
	if r.Level >= slog.LevelError {
		l.add(r)
	}
	if !l.Handler.Enabled(ctx, r.Level) {
		return nil
	}
	return l.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (l *errorLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &errorLog{Handler: l.Handler.WithAttrs(attrs), loggedErrors: l.loggedErrors}
}

// WithGroup implements slog.Handler.
func (l *errorLog) WithGroup(name string) slog.Handler {
	return &errorLog{Handler: l.Handler.WithGroup(name), loggedErrors: l.loggedErrors}
}

func (l *loggedErrors) add(r slog.Record) {
	e := loggedError{at: r.Time, message: r.Message}
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "err" {
			e.cause = a.Value.String()
		}
		return true
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.total++
	if l.last = append(l.last, e); len(l.last) > recentErrors {
		l.last = l.last[1:]
	}
}

// recent returns how many errors were logged since the start, and the last ones, the
// newest first.
func (l *loggedErrors) recent() (total int, last []loggedError) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := len(l.last) - 1; i >= 0; i-- {
		last = append(last, l.last[i])
	}
	return l.total, last
}
