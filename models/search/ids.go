package search

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	"github.com/google/uuid"
)

// ID is a listing's UUID. IDs sort like their text.
type ID = uuid.UUID

// compareIDs returns -1, 0 or +1 if a is less than, equal to or greater than b.
func compareIDs(a, b *ID) int { return bytes.Compare(a[:], b[:]) }

// idTable maps ids to document numbers. It is a hash table with linear probing that
// stores document numbers only, because a Go map with a million UUIDs is several times
// larger.
type idTable struct {
	slots []uint32 // document + 1, 0 if empty
	used  int
}

// newIDTable returns an empty table with capacity for n ids.
func newIDTable(n int) idTable { return idTable{slots: make([]uint32, n+n/6+16)} }

// slot returns the preferred slot of an id.
func (t *idTable) slot(id *ID) int {
	h := binary.LittleEndian.Uint64(id[8:]) ^ bits.RotateLeft64(binary.LittleEndian.Uint64(id[:8]), 29)
	h ^= h >> 32
	h *= 0x9e3779b97f4a7c15
	hi, _ := bits.Mul64(h, uint64(len(t.slots)))
	return int(hi)
}

// after returns the slot after i, wrapping around.
func (t *idTable) after(i int) int {
	if i++; i == len(t.slots) {
		return 0
	}
	return i
}

// find returns the document with an id.
func (t *idTable) find(ids []ID, id *ID) (doc uint32, ok bool) {
	if len(t.slots) == 0 {
		return 0, false
	}
	for i := t.slot(id); t.slots[i] != 0; i = t.after(i) {
		if d := t.slots[i] - 1; ids[d] == *id {
			return d, true
		}
	}
	return 0, false
}

// insert adds a document, whose id must not be in the table.
func (t *idTable) insert(ids []ID, doc uint32) {
	if (t.used+1)*8 > len(t.slots)*7 {
		grown := newIDTable(t.used + t.used/8 + 1)
		for _, s := range t.slots {
			if s != 0 {
				grown.put(ids, s)
			}
		}
		*t = grown
	}
	t.put(ids, doc+1)
}

// put stores the slot value s in the first empty slot for its id. The table must have
// one.
func (t *idTable) put(ids []ID, s uint32) {
	i := t.slot(&ids[s-1])
	for t.slots[i] != 0 {
		i = t.after(i)
	}
	t.slots[i] = s
	t.used++
}

// remove removes an id, if present, and moves later entries so that no probe sequence
// is interrupted.
func (t *idTable) remove(ids []ID, id *ID) {
	i := t.slot(id)
	for {
		if t.slots[i] == 0 {
			return
		}
		if ids[t.slots[i]-1] == *id {
			break
		}
		i = t.after(i)
	}
	for j := t.after(i); t.slots[j] != 0; j = t.after(j) {
		home := t.slot(&ids[t.slots[j]-1])
		if i <= j && (home <= i || home > j) || i > j && home <= i && home > j {
			t.slots[i], i = t.slots[j], j
		}
	}
	t.slots[i] = 0
	t.used--
}

const removed = -1 // price of a removed document
