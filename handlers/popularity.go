package handlers

import (
	"context"
	"sync"
	"time"
)

// popularityAge is the age at which the counts of sales are read again.
const popularityAge = 10 * time.Minute

// sold caches the number of sales of all gear.
type sold struct {
	mu      sync.Mutex
	count   map[string]int
	expires time.Time
}

// popularity returns the number of sales and of listings for sale of gear. It ranks what
// a name may mean.
func (s *gearNames) popularity(gear string) int { return s.sales()[gear] + s.Index.CountGear(gear) }

// sales returns the number of sales by gear. If they can't be read it returns those that
// were read last.
func (s *gearNames) sales() map[string]int {
	s.sold.mu.Lock()
	defer s.sold.mu.Unlock()
	if now := s.Clock(); now.After(s.sold.expires) {
		s.sold.expires = now.Add(popularityAge)
		count, err := s.Prices.SalesByGear(context.Background())
		if err != nil {
			s.Log.Error("count sales by gear", "err", err)
		} else {
			s.sold.count = count
		}
	}
	return s.sold.count
}
