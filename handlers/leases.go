package handlers

import (
	"context"
	"time"

	"github.com/secondlight/secondlight/models/store"
)

// leases makes this server the only one that does something.
type leases struct {
	store  *store.Store
	server string // identifies this one to the others
}

// leaseTime is the time until another server takes over the work of one that died.
const leaseTime = time.Minute

// exclusively calls do under a lease, which it renews. It returns errNotDue if another server
// holds the lease.
func (l *leases) exclusively(ctx context.Context, lease string, do func(context.Context) error) error {
	held, err := l.store.Exclusive(ctx, lease, do)
	if err == nil && !held {
		return errNotDue
	}
	return err
}

// hold takes or renews a lease for a time, and reports whether this server has it.
func (l *leases) hold(ctx context.Context, lease string, period time.Duration) (bool, error) {
	return l.store.Lease(ctx, lease, l.server, period)
}

// release gives a lease up.
func (l *leases) release(ctx context.Context, lease string) error {
	return l.store.ReleaseLease(ctx, lease, l.server)
}
