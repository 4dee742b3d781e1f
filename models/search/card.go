package search

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"runtime"
	"sync"

	"github.com/klauspost/compress/s2"
)

// cardStore holds the cards of documents, compressed with a dictionary made of some of them.
// They take a sixth of the memory of their JSON.
type cardStore struct {
	dict   *s2.Dict
	blocks []*block
	used   int              // units used in the last block
	at     []uint32         // by document: the address of its card, noCard for none
	free   map[int][]uint32 // by size in units: the addresses of removed cards, to reuse
	cache  func() *cardCache
}

// The address of a card counts units from the first block on. A card is stored as its
// compressed length and the compressed text.
const (
	unit       = 4       // bytes
	blockUnits = 1 << 18 // units of a block; of the block of a larger card the first count
	noCard     = 1<<32 - 1
)

// idMark replaces the id of the listing, which cards repeat, in their compressed text. JSON
// does not contain it.
const idMark = 1

// firstDict compresses cards that are stored before train was called.
var firstDict = s2.MakeDict([]byte(`{"id":"\x01","href":"/api/listings/\x01","page":"/listings/\x01","title":"`), nil)

func newCardStore() cardStore {
	return cardStore{dict: firstDict, free: map[int][]uint32{}, cache: sync.OnceValue(newCardCache)}
}

// block is memory outside of the heap, where the garbage collector waits for as much garbage
// as there is in use. It is freed with the block.
type block struct{ bytes []byte }

// newBlock returns a block with a size in bytes.
func newBlock(size int) *block {
	b := &block{allocateBytes(size)}
	runtime.AddCleanup(b, freeBytes, b.bytes)
	return b
}

// cardText returns a card as it is compressed.
func cardText(id *ID, json []byte) []byte {
	return bytes.ReplaceAll(json, []byte(id.String()), []byte{idMark})
}

// train makes the dictionary from up to 64 of the texts, unless there are cards already.
func (c *cardStore) train(texts [][]byte) {
	if len(c.blocks) > 0 {
		return
	}
	var sample []byte
	for i := 0; i < len(texts); i += 1 + len(texts)/64 {
		sample = append(sample, texts[i]...)
	}
	if dict := s2.MakeDict(sample, nil); dict != nil { // nil if the sample is too short
		c.dict = dict
	}
}

// add stores the text of a card and returns its address.
func (c *cardStore) add(text []byte) uint32 { return c.put(c.pack(text)) }

// pack compresses the text of a card, which may be empty. A better compression would save 7% of
// the memory and take five times as long.
func (c *cardStore) pack(text []byte) []byte {
	if len(text) == 0 {
		return nil
	}
	return c.dict.Encode(nil, text)
}

// put stores the compressed text of a card and returns its address, noCard for none.
func (c *cardStore) put(packed []byte) uint32 {
	if len(packed) == 0 {
		return noCard
	}
	var prefix [binary.MaxVarintLen64]byte
	n := binary.PutUvarint(prefix[:], uint64(len(packed)))
	at := c.allocate(unitsOf(n + len(packed)))
	to := c.from(at)
	copy(to[copy(to, prefix[:n]):], packed)
	return at
}

// unitsOf returns the number of units of some bytes.
func unitsOf(bytes int) int { return (bytes + unit - 1) / unit }

// allocate returns the address of a number of unused units.
func (c *cardStore) allocate(size int) uint32 {
	if free := c.free[size]; len(free) > 0 {
		last := len(free) - 1
		c.free[size] = free[:last]
		return free[last]
	}
	if len(c.blocks) == 0 || c.used+size > blockUnits {
		c.blocks, c.used = append(c.blocks, newBlock(max(size, blockUnits)*unit)), 0
	}
	at := (len(c.blocks)-1)*blockUnits + c.used
	c.used += size
	return uint32(at)
}

// from returns the memory from an address on.
func (c *cardStore) from(at uint32) []byte { return c.blocks[at/blockUnits].bytes[at%blockUnits*unit:] }

// packed returns the compressed text at an address, and its size with its length.
func (c *cardStore) packed(at uint32) (packed []byte, size int) {
	from := c.from(at)
	n, prefix := binary.Uvarint(from)
	return from[prefix : prefix+int(n)], prefix + int(n)
}

// remove frees the memory at an address.
func (c *cardStore) remove(at uint32) {
	if at != noCard {
		_, size := c.packed(at)
		c.free[unitsOf(size)] = append(c.free[unitsOf(size)], at)
	}
}

// set replaces the card of a document.
func (c *cardStore) set(d uint32, text []byte) {
	c.cache().drop(d)
	c.remove(c.at[d])
	c.at[d] = c.add(text)
}

// appendJSON appends the JSON of a document's card to dst. It returns dst, and buffer to
// be used again.
func (c *cardStore) appendJSON(dst, buffer []byte, d uint32, id *ID) (_, _ []byte) {
	cache, from := c.cache(), len(dst)
	dst, known := cache.append(dst, d)
	if !known {
		dst, buffer = c.unpack(dst, buffer, d, id)
		if len(dst) > from {
			cache.offer(d, dst[from:])
		}
	}
	return dst, buffer
}

// unpack is appendJSON without the cache.
func (c *cardStore) unpack(dst, buffer []byte, d uint32, id *ID) (_, _ []byte) {
	if c.at[d] == noCard {
		return dst, buffer
	}
	packed, _ := c.packed(c.at[d])
	text, err := c.dict.Decode(buffer[:cap(buffer)], packed)
	if err != nil {
		panic(err) // only add writes to blocks
	}
	var name [36]byte
	encodeID(&name, id)
	for rest := text; ; {
		at := bytes.IndexByte(rest, idMark)
		if at < 0 {
			return append(dst, rest...), text
		}
		dst = append(append(dst, rest[:at]...), name[:]...)
		rest = rest[at+1:]
	}
}

// encodeID writes the text of an id.
func encodeID(to *[36]byte, id *ID) {
	hex.Encode(to[:], id[:4])
	for i, at := range [...]int{9, 14, 19} {
		to[at-1] = '-'
		hex.Encode(to[at:], id[4+2*i:6+2*i])
	}
	to[23] = '-'
	hex.Encode(to[24:], id[10:])
}
