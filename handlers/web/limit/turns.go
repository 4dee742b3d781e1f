package limit

import (
	"context"
	"sync"
)

// Turns lets each client do one thing at a time, so that the costly requests of one take at most
// one processor. The zero value is ready to use.
type Turns struct {
	mu      sync.Mutex
	clients map[Client]*turn
}

// turn is the turn of one client.
type turn struct {
	taken chan struct{} // a semaphore of 1
	users int           // calls of Take that are not released
}

// Take waits for the turn of a client. The caller must call release afterwards. It returns
// ctx.Err() if ctx ends first.
func (t *Turns) Take(ctx context.Context, c Client) (release func(), err error) {
	own := t.enter(c)
	select {
	case own.taken <- struct{}{}:
		return func() { <-own.taken; t.leave(c) }, nil
	case <-ctx.Done():
		t.leave(c)
		return nil, ctx.Err()
	}
}

// enter returns the turn of a client, which stays until leave is called.
func (t *Turns) enter(c Client) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	own := t.clients[c]
	if own == nil {
		if t.clients == nil {
			t.clients = map[Client]*turn{}
		}
		own = &turn{taken: make(chan struct{}, 1)}
		t.clients[c] = own
	}
	own.users++
	return own
}

func (t *Turns) leave(c Client) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if own := t.clients[c]; own.users > 1 {
		own.users--
	} else {
		delete(t.clients, c)
	}
}
