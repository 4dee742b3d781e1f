package prices

import (
	"context"

	"github.com/secondlight/secondlight/models/cache"
)

// TrendCache holds the states of the trends that were updated last, so that a
// sale can be added to a trend without reading the others.
type TrendCache struct {
	Gear *cache.Cache[string, *CachedTrend]
}

// The estimated memory of a state, and the limit of all states. States in use
// may exceed it.
const (
	trendCacheSize = 64 << 20
	stateSize      = 8 << 10
	saleSize       = 128
)

func NewTrendCache() TrendCache { return TrendCache{cache.New[string, *CachedTrend](trendCacheSize)} }

// CachedTrend is the state of a gear's trend as of a revision of its row, and
// the trend stored there.
type CachedTrend struct {
	Gear     string
	busy     chan struct{} // full while a transaction uses the fields below
	State    *trendState   // nil if it must be computed
	Stored   *Trend
	Revision int64
	size     int // as known to the cache
}

// Take returns the entry of a gear for the transaction that has locked the row
// of its trend. Any transaction that used the entry before has therefore ended,
// and is about to release it.
func (c TrendCache) Take(ctx context.Context, gear string) (*CachedTrend, error) {
	entry, ok := c.Gear.Get(gear)
	if !ok {
		entry = c.Gear.Add(gear, &CachedTrend{Gear: gear, busy: make(chan struct{}, 1), size: stateSize}, stateSize)
	}
	select {
	case entry.busy <- struct{}{}:
		return entry, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Release ends the use of entries by a transaction. Those of a failed
// transaction lose their state.
func (c TrendCache) Release(entries []*CachedTrend, committed bool) {
	for _, entry := range entries {
		if !committed {
			entry.State, entry.Stored = nil, nil
		}
		size := stateSize
		if entry.State != nil {
			size += saleSize * len(entry.State.sales)
		}
		if current, _ := c.Gear.Get(entry.Gear); current == entry { // not evicted
			c.Gear.Grow(entry.Gear, size-entry.size)
			entry.size = size
		}
		<-entry.busy
	}
}
