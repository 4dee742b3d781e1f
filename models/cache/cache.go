// Package cache implements an in-memory cache with bounded size.
package cache

import (
	"strings"
	"sync"
	"sync/atomic"
)

// Cache maps keys to values up to a total size. When it is full it evicts
// entries that were not read recently (the CLOCK algorithm). It is safe for
// concurrent use; reads take only a shared lock.
type Cache[V any] struct {
	limit int

	mu      sync.RWMutex
	entries map[string]*entry[V]
	ring    []*entry[V]
	hand    int // index in ring of the next candidate for eviction
	size    int
}

type entry[V any] struct {
	key   string
	value V
	size  int
	used  atomic.Bool // read since the hand last passed
}

// New returns an empty cache with a total size of at most limit bytes.
func New[V any](limit int) *Cache[V] {
	return &Cache[V]{limit: limit, entries: map[string]*entry[V]{}}
}

// Get returns the value of a key and whether it exists.
func (c *Cache[V]) Get(key string) (V, bool) {
	c.mu.RLock()
	e := c.entries[key]
	c.mu.RUnlock()
	return e.read()
}

// GetBytes is like Get for a key in a byte slice. It does not allocate.
func (c *Cache[V]) GetBytes(key []byte) (V, bool) {
	c.mu.RLock()
	e := c.entries[string(key)]
	c.mu.RUnlock()
	return e.read()
}

func (e *entry[V]) read() (value V, ok bool) {
	if e == nil {
		return value, false
	}
	if !e.used.Load() {
		e.used.Store(true)
	}
	return e.value, true
}

// Add adds a value of the given size in bytes and returns it. If the key
// exists, Add returns the existing value. Add copies the key.
func (c *Cache[V]) Add(key string, value V, size int) V {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.entries[key]; e != nil {
		return e.value
	}
	c.evict(size)
	e := &entry[V]{key: strings.Clone(key), value: value, size: size}
	c.entries[e.key] = e
	c.ring = append(c.ring, e)
	c.size += size
	return value
}

// Grow records that the value of a key, if it exists, has grown by some bytes.
func (c *Cache[V]) Grow(key string, bytes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.entries[key]; e != nil {
		e.size += bytes
		c.size += bytes
		c.evict(0)
	}
}

// Clear removes all values.
func (c *Cache[V]) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries, c.ring, c.hand, c.size = map[string]*entry[V]{}, nil, 0, 0
}

// Len returns the number of values.
func (c *Cache[V]) Len() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return len(c.ring)
}

// Size returns the total size of the values in bytes.
func (c *Cache[V]) Size() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.size
}

// evict removes entries until size more bytes fit or the cache is empty.
func (c *Cache[V]) evict(size int) {
	for c.size+size > c.limit && len(c.ring) > 0 {
		c.hand %= len(c.ring)
		e := c.ring[c.hand]
		if e.used.Swap(false) {
			c.hand++
			continue
		}
		last := len(c.ring) - 1
		c.ring[c.hand], c.ring[last] = c.ring[last], nil
		c.ring = c.ring[:last]
		delete(c.entries, e.key)
		c.size -= e.size
	}
}
