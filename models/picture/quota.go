package picture

import (
	"context"
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/secondlight/secondlight/models/problem"
)

// The processor time that a member's photographs may take: quotaTime at once, and
// quotaShare of one core over a longer time.
const (
	quotaTime  = time.Minute
	quotaShare = 0.1
	maxQuotas  = 1000 // members that are remembered without need
)

// quotas limits the processor time of each member. A member has one turn at a time.
type quotas struct {
	mu      sync.Mutex
	members map[string]*quota
}

// quota is the quota of one member.
type quota struct {
	turn    chan struct{} // a semaphore of 1
	left    *rate.Limiter // of milliseconds
	waiting int           // calls of acquire that are not released
}

// acquire waits for the turn of a member and charges the time that processing takes. The
// caller must call release afterwards. It returns an error if the member has used up the
// quota, or ctx.Err() if ctx ends first.
func (q *quotas) acquire(ctx context.Context, member string, takes time.Duration) (release func(), err error) {
	m := q.enter(member)
	if wait := m.charge(takes); wait > 0 {
		q.leave(m)
		return nil, &problem.Error{Kind: problem.TooMany, Code: "rate_limited", Wait: int(math.Ceil(wait.Seconds())),
			Message: problem.Textf("That's more photos than we can process at once."), Hint: problem.Textf("Try again later, or send smaller photos.")}
	}
	select {
	case m.turn <- struct{}{}:
		return func() { <-m.turn; q.leave(m) }, nil
	case <-ctx.Done():
		q.leave(m)
		return nil, ctx.Err()
	}
}

// charge charges a quota, or returns how long to wait until it can be charged.
func (m *quota) charge(takes time.Duration) time.Duration {
	now := time.Now()
	charged := m.left.ReserveN(now, int(takes.Milliseconds()))
	wait := charged.DelayFrom(now)
	if wait > 0 {
		charged.CancelAt(now)
	}
	return wait
}

// enter returns the quota of a member, which stays until leave is called.
func (q *quotas) enter(member string) *quota {
	q.mu.Lock()
	defer q.mu.Unlock()
	m := q.members[member]
	if m == nil {
		q.forget()
		m = &quota{turn: make(chan struct{}, 1), left: rate.NewLimiter(quotaShare*1000, int(quotaTime.Milliseconds()))}
		q.members[member] = m
	}
	m.waiting++
	return m
}

func (q *quotas) leave(m *quota) {
	q.mu.Lock()
	defer q.mu.Unlock()
	m.waiting--
}

// forget removes members whose quota is unused, if there are many.
func (q *quotas) forget() {
	if len(q.members) < maxQuotas {
		return
	}
	for member, m := range q.members {
		if m.waiting == 0 && m.left.Tokens() >= float64(m.left.Burst()) {
			delete(q.members, member)
		}
	}
}
