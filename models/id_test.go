package models_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/secondlight/secondlight/models"
)

// A trail is read by its ids where the milliseconds are the same.
func TestNewIDsSortInTheOrderTheyAreMade(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	last := ""
	for i := range 100_000 {
		id := models.NewID(at.Add(time.Duration(i/50_000) * time.Millisecond))
		if id <= last {
			t.Fatalf("%s after %s", id, last)
		}
		if u, err := uuid.Parse(id); err != nil || u.Version() != 7 || u.Variant() != uuid.RFC4122 {
			t.Fatalf("%s: version %d, variant %d, %v", id, u.Version(), u.Variant(), err)
		}
		last = id
	}
	if models.NewID(at.Add(-time.Hour)) >= last {
		t.Error("an id for an earlier time comes later")
	}
}
