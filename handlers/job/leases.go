package job

import (
	"context"
	"time"

	"github.com/secondlight/secondlight/models/store"
)

// Leases makes this server the only one that does something.
type Leases struct {
	Store  *store.Store
	Server string // identifies this one to the others
}

// LeaseTime is the time until another server takes over the work of one that died.
const LeaseTime = time.Minute

// Exclusively calls do under a lease, which it renews. It returns ErrNotDue if another server
// holds the lease.
func (l *Leases) Exclusively(ctx context.Context, lease string, do func(context.Context) error) error {
	held, err := l.Store.Exclusive(ctx, lease, do)
	if err == nil && !held {
		return ErrNotDue
	}
	return err
}

// Hold takes or renews a lease for a time, and reports whether this server has it.
func (l *Leases) Hold(ctx context.Context, lease string, period time.Duration) (bool, error) {
	return l.Store.Lease(ctx, lease, l.Server, period)
}

// Release gives a lease up.
func (l *Leases) Release(ctx context.Context, lease string) error {
	return l.Store.ReleaseLease(ctx, lease, l.Server)
}
