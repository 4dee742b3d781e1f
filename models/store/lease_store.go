package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/secondlight/secondlight/models"
)

// Lease acquires or extends the exclusive right to do the named work for a
// duration, and reports whether the holder has it. It has not while another
// holder's lease lasts.
func (s *database) Lease(ctx context.Context, name, holder string, d time.Duration) (held bool, err error) {
	now := s.now()
	err = s.update(ctx, func(t *tx) error {
		n, err := t.affected(ctx, `INSERT INTO leases (name, holder, until) VALUES ($1, $2, $3)
			ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until WHERE leases.holder = excluded.holder OR leases.until <= $4`,
			name, holder, now.Add(d), now)
		held = n == 1
		return err
	})
	return held, err
}

// ReleaseLease ends a lease of the holder, if there is one.
func (s *database) ReleaseLease(ctx context.Context, name, holder string) error {
	return s.update(ctx, func(t *tx) error {
		_, err := t.ExecContext(ctx, `DELETE FROM leases WHERE name = $1 AND holder = $2`, name, holder)
		return err
	})
}

// exclusiveLease is how long others wait after a program has stopped in a call of
// Exclusive.
const exclusiveLease = 2 * time.Minute

// Exclusive calls do, unless another call with the same name is running, in whichever
// program that uses the database: then held is false. The context of do ends if the right is
// lost, because the database could not be reached for long.
func (s *database) Exclusive(ctx context.Context, name string, do func(context.Context) error) (held bool, err error) {
	holder := rand.Text()
	if held, err := s.Lease(ctx, name, holder, exclusiveLease); err != nil || !held {
		return false, err
	}
	working, stop := context.WithCancelCause(ctx)
	var renewing sync.WaitGroup
	renewing.Go(func() {
		for {
			select {
			case <-working.Done():
				return
			case <-time.After(exclusiveLease / 4):
			}
			if held, err := s.Lease(working, name, holder, exclusiveLease); err == nil && !held {
				stop(fmt.Errorf("the lease %q was lost", name))
			}
		}
	})
	err = do(working)
	stop(nil)
	renewing.Wait()
	return true, errors.Join(err, s.ReleaseLease(context.WithoutCancel(ctx), name, holder))
}

// lockName makes other transactions that lock the same name wait until this one ends.
func lockName(ctx context.Context, t *tx, name string) error {
	_, err := t.ExecContext(ctx, `INSERT INTO leases (name, holder, until) VALUES ($1, '', 0) ON CONFLICT (name) DO UPDATE SET until = 0`, name)
	return err
}

// lockMember makes other transactions that lock the member wait until this one ends,
// so that what they count does not change meanwhile. It returns the member's role, or
// "" for a member without an account.
func lockMember(ctx context.Context, t *tx, memberID string) (role models.Role, err error) {
	var roles []models.Role
	err = t.SelectContext(ctx, &roles, `UPDATE accounts SET role = role WHERE member_id = $1 RETURNING role`, memberID)
	if err != nil || len(roles) == 0 {
		return "", err
	}
	return roles[0], nil
}
