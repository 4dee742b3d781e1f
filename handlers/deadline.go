package handlers

import (
	"context"
	"sync"
	"time"
)

// workTime is how long an operation may take before the reader gets a 503.
const workTime = 15 * time.Second

// work is the context in which a request of the caller is done, until end. What
// fasthttp calls a request's context must not be used for it: the database asks a
// context whether it is over, in its own time, when fasthttp may have used that
// one again for another request.
func (c *caller) work() *deadline {
	return &deadline{at: time.Now().Add(workTime), caller: c}
}

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
	if _, ok := key.(callerKey); ok {
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
