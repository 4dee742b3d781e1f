package models_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/secondlight/secondlight/models"
)

// TestNewIDOrder checks that ids of the same millisecond sort in the order they
// were made, also if ids of other milliseconds are made in between.
func TestNewIDOrder(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	last, lastOfOthers := "", ""
	for i := range 100_000 {
		id := models.NewID(at.Add(time.Duration(i/50_000) * time.Millisecond))
		if id <= last {
			t.Fatalf("%s after %s", id, last)
		}
		if u, err := uuid.Parse(id); err != nil || u.Version() != 7 || u.Variant() != uuid.RFC4122 {
			t.Fatalf("%s: version %d, variant %d, %v", id, u.Version(), u.Variant(), err)
		}
		last = id
		if i%3 == 0 {
			if id = models.NewID(at.Add(-time.Hour)); id <= lastOfOthers || id >= last {
				t.Fatalf("%s for an earlier time, after %s and beside %s", id, lastOfOthers, last)
			}
			lastOfOthers = id
		}
	}
}
