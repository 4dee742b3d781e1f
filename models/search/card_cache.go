package search

import "sync"

// cardCache holds the JSON of cards that were asked for, so that they need not be decompressed
// again. A card has one slot, which it shares with others if there are more cards than slots.
type cardCache struct {
	slots []cardSlot
	block *block // of slotBytes for each slot: only those in use take memory
}

// cardSlot is the place of a card. Searches run at the same time, so it has a lock.
type cardSlot struct {
	mu     sync.Mutex
	doc    uint32 // the document whose card it holds, plus 1; 0 for none
	waits  uint32 // the document that was asked for last in place of doc, plus 1
	length int
}

// Limits of the cache: 80 MB, with a few bytes for each slot.
const (
	cardSlots = 1 << 16
	slotBytes = 1280 // larger cards are not cached
)

func newCardCache() *cardCache {
	return &cardCache{make([]cardSlot, cardSlots), newBlock(cardSlots * slotBytes)}
}

// slot returns the slot of a document and its memory.
func (c *cardCache) slot(d uint32) (*cardSlot, []byte) {
	i := int(d % cardSlots)
	return &c.slots[i], c.block.bytes[i*slotBytes : (i+1)*slotBytes]
}

// append appends the card of a document to dst, and reports whether it is in the cache.
func (c *cardCache) append(dst []byte, d uint32) (_ []byte, ok bool) {
	s, text := c.slot(d)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.doc != d+1 {
		return dst, false
	}
	s.waits = 0
	return append(dst, text[:s.length]...), true
}

// offer stores the card of a document. It replaces another card only if the document is asked
// for twice and the other meanwhile not.
func (c *cardCache) offer(d uint32, json []byte) {
	s, text := c.slot(d)
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(json) > slotBytes || s.doc != 0 && s.waits != d+1 {
		s.waits = d + 1
		return
	}
	s.doc, s.waits, s.length = d+1, 0, copy(text, json)
}

// drop removes the card of a document.
func (c *cardCache) drop(d uint32) {
	s, _ := c.slot(d)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.doc == d+1 {
		s.doc = 0
	}
}
