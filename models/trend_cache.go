package models

import (
	"context"

	"github.com/secondlight/secondlight/models/cache"
)

// trendCache holds the states of the trends that were updated last, so that a
// sale can be added to a trend without reading the others.
type trendCache struct {
	gear *cache.Cache[string, *cachedTrend]
}

// The estimated memory of a state, and the limit of all states. States in use
// may exceed it.
const (
	trendCacheSize = 64 << 20
	stateSize      = 8 << 10
	saleSize       = 128
)

func newTrendCache() trendCache { return trendCache{cache.New[string, *cachedTrend](trendCacheSize)} }

// cachedTrend is the state of a gear's trend as of a revision of its row, and
// the trend stored there.
type cachedTrend struct {
	gear     string
	busy     chan struct{} // full while a transaction uses the fields below
	state    *trendState   // nil if it must be computed
	stored   *Trend
	revision int64
	size     int // as known to the cache
}

// take returns the entry of a gear for the transaction that has locked the row
// of its trend. Any transaction that used the entry before has therefore ended,
// and is about to release it.
func (c trendCache) take(ctx context.Context, gear string) (*cachedTrend, error) {
	entry, ok := c.gear.Get(gear)
	if !ok {
		entry = c.gear.Add(gear, &cachedTrend{gear: gear, busy: make(chan struct{}, 1), size: stateSize}, stateSize)
	}
	select {
	case entry.busy <- struct{}{}:
		return entry, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// release ends the use of entries by a transaction. Those of a failed
// transaction lose their state.
func (c trendCache) release(entries []*cachedTrend, committed bool) {
	for _, entry := range entries {
		if !committed {
			entry.state, entry.stored = nil, nil
		}
		size := stateSize
		if entry.state != nil {
			size += saleSize * len(entry.state.sales)
		}
		if current, _ := c.gear.Get(entry.gear); current == entry { // not evicted
			c.gear.Grow(entry.gear, size-entry.size)
			entry.size = size
		}
		<-entry.busy
	}
}
