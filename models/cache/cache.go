// Package cache implements an in-memory cache with bounded size.
package cache

import (
	"sync"
	"sync/atomic"
)

// Cache maps keys to values up to a total size. When it is full it evicts
// entries that were not read recently (the CLOCK algorithm). It is safe for
// concurrent use; reads take only a shared lock.
type Cache[K comparable, V any] struct {
	limit int

	mu      sync.RWMutex
	entries map[K]*entry[K, V]
	ring    []*entry[K, V]
	hand    int // index in ring of the next candidate for eviction
	size    int
}

type entry[K comparable, V any] struct {
	key   K
	value V
	size  int
	used  atomic.Bool // read since the hand last passed
}

// New returns an empty cache with a total size of at most limit bytes.
func New[K comparable, V any](limit int) *Cache[K, V] {
	return &Cache[K, V]{limit: limit, entries: map[K]*entry[K, V]{}}
}

// Get returns the value of a key and whether it exists.
func (c *Cache[K, V]) Get(key K) (V, bool) {
	c.mu.RLock()
	e := c.entries[key]
	c.mu.RUnlock()
	return e.read()
}

// GetBytes is like Get for a key in a byte slice. It does not allocate.
func GetBytes[V any](c *Cache[string, V], key []byte) (V, bool) {
	c.mu.RLock()
	e := c.entries[string(key)]
	c.mu.RUnlock()
	return e.read()
}

func (e *entry[K, V]) read() (value V, ok bool) {
	if e == nil {
		return value, false
	}
	if !e.used.Load() {
		e.used.Store(true)
	}
	return e.value, true
}

// Add adds a value of the given size in bytes and returns it. If the key
// exists, Add returns the existing value.
func (c *Cache[K, V]) Add(key K, value V, size int) V {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.entries[key]; e != nil {
		return e.value
	}
	c.evict(size)
	e := &entry[K, V]{key: key, value: value, size: size}
	c.entries[key] = e
	c.ring = append(c.ring, e)
	c.size += size
	return value
}

// Grow records that the value of a key, if it exists, has grown by some bytes, or
// shrunk if bytes is negative.
func (c *Cache[K, V]) Grow(key K, bytes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e := c.entries[key]; e != nil {
		e.size += bytes
		c.size += bytes
		c.evict(0)
	}
}

// Clear removes all values.
func (c *Cache[K, V]) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries, c.ring, c.hand, c.size = map[K]*entry[K, V]{}, nil, 0, 0
}

// Len returns the number of values.
func (c *Cache[K, V]) Len() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return len(c.ring)
}

// Size returns the total size of the values in bytes.
func (c *Cache[K, V]) Size() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.size
}

// evict removes entries until size more bytes fit or the cache is empty.
func (c *Cache[K, V]) evict(size int) {
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
