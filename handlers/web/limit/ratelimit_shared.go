package limit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/gomodule/redigo/redis"
)

const (
	// redisTimeout is how long a request waits for Redis, with all that connecting takes.
	redisTimeout = 40 * time.Millisecond
	// redisPause is how long after a failure Redis is tried again.
	redisPause = 500 * time.Millisecond
	// redisConnections and redisIdle are how many connections there are at most, and that
	// remain while there is little to count.
	redisConnections, redisIdle = 64, 8
)

// Shared counts the requests to all servers in Redis. Clients that are known to be
// over their limit, and requests that cost nothing, are answered with what this server saw
// last. While Redis does not answer, the server counts on its own from there.
type Shared struct {
	local     *localLimiter
	redis     *redis.Pool
	circuit   circuit
	failed    atomic.Int64  // when Redis last failed, in unix nanoseconds
	Fallbacks atomic.Uint64 // requests that this server counted on its own
	log       *slog.Logger
}

// NewShared returns a limiter that counts in Redis. It does not connect yet.
func NewShared(address *Redis, log *slog.Logger) *Shared {
	l := &Shared{local: NewLocal(), log: log}
	l.redis = &redis.Pool{DialContext: address.Dial, TestOnBorrow: l.newer, MaxActive: redisConnections, MaxIdle: redisIdle, Wait: true}
	return l
}

// newer returns an error for a connection that was last used before Redis failed.
func (l *Shared) newer(_ redis.Conn, used time.Time) error {
	if used.UnixNano() <= l.failed.Load() {
		return errors.New("older than a failure")
	}
	return nil
}

// Charge implements limiter.
func (l *Shared) Charge(c Client, p *Policy, cost int, now time.Time) Quota {
	if seen := l.local.Charge(c, p, 0, now); cost == 0 || seen.Over {
		return seen
	}
	allowed, retry := l.circuit.allows(time.Now())
	if !allowed {
		return l.fallBack(c, p, cost, now)
	}
	key := clientKey{c.Charged(), p}
	t, err := l.count(key, cost, now)
	if err != nil {
		l.failed.Store(time.Now().UnixNano())
		if l.circuit.open(time.Now()) {
			l.log.Warn("share the rate limit: each server limits clients on its own", "err", err)
		}
		return l.fallBack(c, p, cost, now)
	}
	if retry {
		l.circuit.close()
		l.log.Info("the rate limit is shared again")
	}
	l.local.learn(key, t, now)
	return p.quota(t, now.UnixMilli())
}

// fallBack charges a client on this server alone.
func (l *Shared) fallBack(c Client, p *Policy, cost int, now time.Time) Quota {
	l.Fallbacks.Add(1)
	return l.local.Charge(c, p, cost, now)
}

// countScript adds to a counter, which ends a window after its first request. It returns
// the count and the milliseconds that are left.
var countScript = redis.NewScript(1, `
local count = redis.call('INCRBY', KEYS[1], ARGV[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
	redis.call('PEXPIRE', KEYS[1], ARGV[2])
	left = tonumber(ARGV[2])
end
return {count, left}`)

// count adds cost to the counter of a client in Redis. Time is measured by Redis: the
// clocks of servers differ.
func (l *Shared) count(key clientKey, cost int, now time.Time) (counter, error) {
	ctx, cancel := context.WithTimeout(context.Background(), redisTimeout)
	defer cancel()
	conn, err := l.redis.GetContext(ctx)
	if err != nil {
		return counter{}, err
	}
	defer conn.Close()
	reply, err := redis.Int64s(countScript.DoContext(ctx, conn, key.redisKey(), cost, window.Milliseconds()))
	if err != nil {
		return counter{}, err
	}
	if len(reply) != 2 {
		return counter{}, fmt.Errorf("redis answered %v", reply)
	}
	return counter{start: now.UnixMilli() - window.Milliseconds() + max(reply[1], 1), count: int(reply[0])}, nil
}

// redisKey returns the key of a client's counter.
func (k clientKey) redisKey() string {
	prefix := "secondlight:requests:" + k.policy.name + ":"
	if k.client.Member != "" {
		return prefix + "member:" + k.client.Member
	}
	return prefix + k.client.Addr.String()
}

// circuit is open after a failure: then one attempt in each redisPause is allowed, until one
// succeeds.
type circuit struct {
	next atomic.Int64 // when an attempt is allowed, in unix nanoseconds; 0 if closed
}

// allows reports whether an attempt is allowed, and whether it is one of an open circuit,
// which closes it if it succeeds.
func (c *circuit) allows(now time.Time) (allowed, retry bool) {
	next := c.next.Load()
	if next == 0 {
		return true, false
	}
	retry = now.UnixNano() >= next && c.next.CompareAndSwap(next, now.Add(redisPause).UnixNano())
	return retry, retry
}

// open records a failure, and reports whether the circuit was closed before.
func (c *circuit) open(now time.Time) bool {
	return c.next.CompareAndSwap(0, now.Add(redisPause).UnixNano())
}

// close ends the pause.
func (c *circuit) close() { c.next.Store(0) }

// Answers reports whether Redis answered last.
func (l *Shared) Answers() bool { return l.circuit.next.Load() == 0 }

// Close closes the connections.
func (l *Shared) Close() error { return l.redis.Close() }
