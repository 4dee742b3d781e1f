package search

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/google/uuid"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/cache"
	"github.com/secondlight/secondlight/models/catalog"
)

// core is the index of the listings for sale under one edition of the catalogue, by which
// gear is numbered. See Index for its methods.
type core struct {
	lookup  *catalog.Lookup
	shape   *shape
	memo    *memo
	scratch sync.Pool
	version atomic.Uint64

	mu      sync.RWMutex
	state   *state   // the listings in the currency of the site
	foreign []*state // those in other currencies, by code
	rates   *models.Rates
}

// states yields the listings of each currency, those in the currency of the site first.
func (x *core) states(yield func(*state) bool) {
	if !yield(x.state) {
		return
	}
	for _, s := range x.foreign {
		if !yield(s) {
			return
		}
	}
}

// StateOf returns the listings in a currency, and adds it if there are none.
func (x *core) stateOf(currency string) *state {
	if currency == "" {
		return x.state
	}
	at, ok := slices.BinarySearchFunc(x.foreign, currency, func(s *state, code string) int { return cmp.Compare(s.currency, code) })
	if !ok {
		s := newState(x.lookup, x.shape)
		s.currency = currency
		for gear := range s.postings {
			s.postings[gear].typical = x.state.postings[gear].typical
		}
		x.foreign = slices.Insert(x.foreign, at, s)
	}
	return x.foreign[at]
}

// find returns the listing with an id.
func (x *core) find(id *ID) (s *state, d uint32, ok bool) {
	for s := range x.states {
		if d, ok := s.table.find(s.ids, id); ok {
			return s, d, true
		}
	}
	return nil, 0, false
}

// setRates replaces the exchange rates.
func (x *core) setRates(rates *models.Rates) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.rates = rates
	x.version.Add(1)
}

// newCore returns an empty core for the gear of a catalogue.
func newCore(lookup *catalog.Lookup) *core {
	x := &core{lookup: lookup, shape: shapeOf(lookup), memo: cache.New[string, *match](memoLimit)}
	x.scratch.New = func() any { return newScratch(lookup, x.shape) }
	x.state, x.rates = newState(lookup, x.shape), &models.Rates{}
	return x
}

// Len returns the number of listings.
func (x *core) Len() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.live()
}

func (x *core) live() (n int) {
	for s := range x.states {
		n += s.live
	}
	return n
}

// entry validates a document and resolves its values. It does not set the terms.
func (x *core) entry(d *Doc) (entry, error) {
	if err := d.validate(); err != nil {
		return entry{}, err
	}
	id := uuid.MustParse(d.ID)
	return entry{
		id: id, gear: x.lookup.Number(d.Gear, d.Category), item: itemOf(d.Condition, d.Functional),
		values: valuesOf(d), seller: d.Seller, currency: d.Currency, price: int32(d.Price), typical: newTypicalPrice(d.Typical), published: int64(d.Published),
		rare: d.Rare, defects: defectSetOf(d.Defects), postage: d.Postage, card: cardText(&id, d.Card),
	}, nil
}
