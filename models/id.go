package models

import (
	"crypto/rand"
	"encoding/binary"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
)

// idsMade counts the ids made by this process. It starts at a random value in
// the lower half of 26 bits and continues across milliseconds, because
// concurrent callers may read their clocks in a different order.
var idsMade = func() *atomic.Uint32 {
	var start [4]byte
	rand.Read(start[:]) // never fails
	count := new(atomic.Uint32)
	count.Store(binary.BigEndian.Uint32(start[:]) >> 7)
	return count
}()

// TimeOfID returns the time at which NewID made an id, and false for other ids.
func TimeOfID(id string) (Time, bool) {
	parsed, err := uuid.Parse(id)
	if err != nil || parsed.Version() != 7 || parsed.Variant() != uuid.RFC4122 || parsed.String() != id {
		return 0, false
	}
	return Time(binary.BigEndian.Uint64(parsed[:8]) >> 16), true
}

// NewID returns a UUIDv7 by method 1 of RFC 9562 §6.2: 48 bits of Unix
// milliseconds, a 26-bit counter and 48 random bits. Ids sort by time; ids that
// one process makes for the same millisecond sort in the order they were made.
func NewID(at time.Time) string {
	var id uuid.UUID
	rand.Read(id[:])
	ms, count := at.UnixMilli(), idsMade.Add(1)
	for i := range 6 {
		id[i] = byte(ms >> (40 - 8*i))
	}
	id[6] = 0x70 | byte(count>>22)&0x0f // version 7
	id[7] = byte(count >> 14)
	id[8] = 0x80 | byte(count>>8)&0x3f // variant of RFC 9562
	id[9] = byte(count)
	return id.String()
}
