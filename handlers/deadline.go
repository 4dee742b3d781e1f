package handlers

import (
	"context"
	"sync"
	"time"
)

// deadline is a context that ends at a time, as context.WithDeadline makes it.
// But no timer is started before somebody waits for the end: most answers come
// out of memory, where nobody does.
type deadline struct {
	at     time.Time
	caller *caller
	mu     sync.Mutex
	timed  context.Context // nil before somebody waits
	cancel context.CancelFunc
}

// Deadline implements context.Context.
func (d *deadline) Deadline() (time.Time, bool) { return d.at, true }

// Done implements context.Context.
func (d *deadline) Done() <-chan struct{} { return d.wait().Done() }

// Err implements context.Context.
func (d *deadline) Err() error { return d.wait().Err() }

// Value implements context.Context; the caller is the one value there is.
func (d *deadline) Value(key any) any {
	if _, ok := key.(callerKey); ok && d.caller != nil {
		return d.caller
	}
	return nil
}

func (d *deadline) wait() context.Context {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timed == nil {
		d.timed, d.cancel = context.WithDeadline(context.Background(), d.at)
	}
	return d.timed
}

// end ends the context before its time.
func (d *deadline) end() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timed == nil {
		d.timed, d.cancel = ended, func() {}
	}
	d.cancel()
}

// ended is a context that is over.
var ended = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()
