package serve

import (
	"sync"
	"sync/atomic"

	"github.com/zeebo/xxh3"
)

// changeSlots is the number of slots that tags share.
const changeSlots = 1 << 16

// changes records when public data last changed. A tag names a part of the data, and
// has a slot by its hash. Tags that share a slot also share their changes: a response
// may be dropped too early, but never too late. It is safe for concurrent use.
type changes struct {
	mu    sync.Mutex // held to record a change
	count atomic.Uint64
	all   atomic.Uint64 // the last change of all data
	last  [changeSlots]atomic.Uint64
}

// record records a change of the data that tags name, or of all data if there are
// none. The change must be visible to readers already.
func (c *changes) record(tags []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.count.Load() + 1
	c.count.Store(now)
	if len(tags) == 0 {
		c.all.Store(now)
	}
	for _, tag := range tags {
		c.last[slotOf(tag)].Store(now)
	}
}

// slotOf returns the slot of a tag.
func slotOf(tag string) uint16 { return uint16(xxh3.HashString(tag)) }

// sources are the data that a response was rendered from.
type sources struct {
	all   bool // all public data
	slots []uint16
}

// changedSince reports whether the sources changed after a number of changes.
func (c *changes) changedSince(count uint64, of *sources) bool {
	if of.all {
		return c.count.Load() != count
	}
	if c.all.Load() > count {
		return true
	}
	for _, slot := range of.slots {
		if c.last[slot].Load() > count {
			return true
		}
	}
	return false
}
