package admin

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
	*LoggedErrors
}

// LoggedErrors holds the last errors that were logged, the newest last.
type LoggedErrors struct {
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

// NewErrorLog returns a log handler that holds errors and passes all records to another.
func NewErrorLog(to slog.Handler) *errorLog {
	return &errorLog{Handler: to, LoggedErrors: &LoggedErrors{}}
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
	return &errorLog{Handler: l.Handler.WithAttrs(attrs), LoggedErrors: l.LoggedErrors}
}

// WithGroup implements slog.Handler.
func (l *errorLog) WithGroup(name string) slog.Handler {
	return &errorLog{Handler: l.Handler.WithGroup(name), LoggedErrors: l.LoggedErrors}
}

func (l *LoggedErrors) add(r slog.Record) {
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

// Recent returns how many errors were logged since the start, and the last ones, the
// newest first.
func (l *LoggedErrors) Recent() (total int, last []loggedError) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := len(l.last) - 1; i >= 0; i-- {
		last = append(last, l.last[i])
	}
	return l.total, last
}
