package models

import (
	"crypto/rand"
	"encoding/binary"
	"sync"
	"time"

	"github.com/google/uuid"
)

// newestID keeps what the next id of the same millisecond has to come after.
var newestID struct {
	sync.Mutex
	ms    int64
	count uint32 // of the 26 bits below the milliseconds
}

// NewID makes a UUIDv7 by method 1 of RFC 9562 §6.2: 48 bits of the Unix
// milliseconds of at, 26 bits of a count that begins anywhere in its lower half,
// and 48 random bits. Ids sort by the time they were made for, and those that
// one process makes for the same millisecond, one after another, in that order.
func NewID(at time.Time) string {
	var id uuid.UUID
	rand.Read(id[:]) // never fails
	ms := at.UnixMilli()
	count := countOf(ms, binary.BigEndian.Uint32(id[6:])>>7)
	for i := range 6 {
		id[i] = byte(ms >> (40 - 8*i))
	}
	id[6] = 0x70 | byte(count>>22) // version 7
	id[7] = byte(count >> 14)
	id[8] = 0x80 | byte(count>>8)&0x3f // variant of RFC 9562
	id[9] = byte(count)
	return id.String()
}

// countOf is one more than the last count if that was of the same millisecond,
// and the given beginning otherwise.
func countOf(ms int64, beginning uint32) uint32 {
	newestID.Lock()
	defer newestID.Unlock()
	if ms == newestID.ms {
		newestID.count++
	} else {
		newestID.ms, newestID.count = ms, beginning
	}
	return newestID.count
}
