package models

import (
	"crypto/rand"
	"time"

	"github.com/google/uuid"
)

// NewID makes a UUIDv7: 48 bits of the Unix milliseconds of at, then 74 random
// bits, so that ids sort by the time they were made.
func NewID(at time.Time) string {
	var id uuid.UUID
	rand.Read(id[:]) // never fails
	ms := at.UnixMilli()
	for i := range 6 {
		id[i] = byte(ms >> (40 - 8*i))
	}
	id[6] = id[6]&0x0f | 0x70 // version 7
	id[8] = id[8]&0x3f | 0x80 // variant of RFC 9562
	return id.String()
}
