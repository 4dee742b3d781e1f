package market

import (
	"context"
	"maps"
	"sync"
	"sync/atomic"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/store"
)

// keptTrends limits how many trends are kept.
const keptTrends = 2000

// Trends reads the trends of several models. It keeps what it has read until a trend changes or
// the day ends: most writes make the site render the home page and its like again, and few of
// them change a trend. What it returns is shared and must not be modified.
type Trends struct {
	Prices *store.Prices
	Trades *store.Trades
	Clock  models.Clock

	read atomic.Pointer[readTrends]
}

// readTrends is what was read of the trends since one of them changed.
type readTrends struct {
	day int // see models.DayNumber

	mu       sync.Mutex
	byGear   map[string]*prices.Trend // nil for gear without sales
	mostSold map[int][]string         // by number
	movers   map[int][]string
	sales    int // 0 if it was not counted
}

// Forget drops what was read. Call it after a trend has changed.
func (s *Trends) Forget() { s.read.Store(nil) }

// now returns what was read today.
func (s *Trends) now() *readTrends {
	today := models.DayNumber(s.Clock())
	read := s.read.Load()
	if read != nil && read.day == today {
		return read
	}
	fresh := &readTrends{day: today, byGear: map[string]*prices.Trend{}, mostSold: map[int][]string{}, movers: map[int][]string{}}
	s.read.CompareAndSwap(read, fresh) // or it is for this call only
	return fresh
}

// Of returns the trends of gear without their months. Gear without sales is omitted.
func (s *Trends) Of(ctx context.Context, gear []string) (map[string]*prices.Trend, error) {
	read := s.now()
	trends, missing := read.of(gear)
	if len(missing) == 0 {
		return trends, nil
	}
	found, err := s.Prices.Trends(ctx, missing)
	if err != nil {
		return nil, err
	}
	read.keep(missing, found)
	maps.Copy(trends, found)
	return trends, nil
}

// of returns the trends of gear that were read, and the gear whose trends were not.
func (r *readTrends) of(gear []string) (trends map[string]*prices.Trend, missing []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	trends = make(map[string]*prices.Trend, len(gear))
	for _, slug := range gear {
		switch t, ok := r.byGear[slug]; {
		case !ok:
			missing = append(missing, slug)
		case t != nil:
			trends[slug] = t
		}
	}
	return trends, missing
}

// keep keeps the trends of gear, which found has unless there are none.
func (r *readTrends) keep(gear []string, found map[string]*prices.Trend) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.byGear)+len(gear) > keptTrends {
		clear(r.byGear)
	}
	for _, slug := range gear {
		r.byGear[slug] = found[slug]
	}
}

// MostSold returns up to n gear with the most sales in their window, in descending order.
func (s *Trends) MostSold(ctx context.Context, n int) ([]string, error) {
	read := s.now()
	return read.ranking(read.mostSold, n, func() ([]string, error) { return s.Prices.MostSold(ctx, n) })
}

// Movers returns up to n gear whose median changed most in 90 days, up or down, in descending
// order; see store.Prices.Movers.
func (s *Trends) Movers(ctx context.Context, n int) ([]string, error) {
	read := s.now()
	return read.ranking(read.movers, n, func() ([]string, error) {
		return s.Prices.Movers(ctx, models.TimeOf(s.Clock().AddDate(0, 0, -90)), n)
	})
}

// ranking returns the first n of a ranking, which find finds if it was not read.
func (r *readTrends) ranking(kept map[int][]string, n int, find func() ([]string, error)) ([]string, error) {
	r.mu.Lock()
	gear, ok := kept[n]
	r.mu.Unlock()
	if ok {
		return gear, nil
	}
	gear, err := find()
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	kept[n] = gear
	return gear, nil
}

// Sales returns the number of sales from which the trends are computed.
func (s *Trends) Sales(ctx context.Context) (int, error) {
	read := s.now()
	read.mu.Lock()
	n := read.sales
	read.mu.Unlock()
	if n > 0 {
		return n, nil
	}
	n, err := s.Trades.CountSales(ctx)
	if err != nil {
		return 0, err
	}
	read.mu.Lock()
	defer read.mu.Unlock()
	read.sales = n
	return n, nil
}
