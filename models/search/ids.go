package search

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	"github.com/google/uuid"
)

// ID is a listing's UUID. IDs order as their text does.
type ID = uuid.UUID

func compareIDs(a, b *ID) int { return bytes.Compare(a[:], b[:]) }

// idTable finds the document of an id: open addressing with linear probing over
// document numbers, because a Go map of a million ids is several times larger.
type idTable struct {
	slots []uint32 // document + 1, 0 when empty
	used  int
}

// newIDTable makes room for n ids.
func newIDTable(n int) idTable { return idTable{slots: make([]uint32, n+n/6+16)} }

func (t *idTable) slot(id *ID) int {
	h := binary.LittleEndian.Uint64(id[8:]) ^ bits.RotateLeft64(binary.LittleEndian.Uint64(id[:8]), 29)
	h ^= h >> 32
	h *= 0x9e3779b97f4a7c15
	hi, _ := bits.Mul64(h, uint64(len(t.slots)))
	return int(hi)
}

func (t *idTable) after(i int) int {
	if i++; i == len(t.slots) {
		return 0
	}
	return i
}

// find is the document of an id.
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

// insert adds a document whose id is not in the table.
func (t *idTable) insert(ids []ID, doc uint32) {
	if (t.used+1)*8 > len(t.slots)*7 {
		grown := newIDTable(t.used + t.used/8 + 1)
		for _, s := range t.slots {
			if s != 0 {
				grown.place(ids, s)
			}
		}
		*t = grown
	}
	t.place(ids, doc+1)
}

func (t *idTable) place(ids []ID, s uint32) {
	i := t.slot(&ids[s-1])
	for t.slots[i] != 0 {
		i = t.after(i)
	}
	t.slots[i] = s
	t.used++
}

// remove takes an id out and closes the gap it leaves.
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
