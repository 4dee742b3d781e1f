package store_test

import (
	"sync/atomic"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
)

// BenchmarkWrite inserts one listing per transaction, by one writer and by 16 at a time.
// The database is in TMPDIR: set it to a folder on the disk to measure.
func BenchmarkWrite(b *testing.B) {
	bothEngines(b, func(b *testing.B, s *store.Store) {
		seller := seller(b, s)
		var n atomic.Int64
		write := func() {
			if err := s.Listings.InsertListings(b.Context(), []models.Listing{someListing(seller, int(n.Add(1)))}); err != nil {
				b.Error(err)
			}
		}
		b.Run("writers=1", func(b *testing.B) {
			for b.Loop() {
				write()
			}
		})
		b.Run("writers=16", func(b *testing.B) {
			b.SetParallelism(8)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					write()
				}
			})
		})
	})
}
