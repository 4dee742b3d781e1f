// Package search finds listings in the process. The index is made for this
// domain: brand, category and mount are functions of a listing's gear, so a
// search is a set of gear, and only condition, region and price vary inside it.
// It answers with exact totals and facets, and with cards that were finished
// when the listing was indexed.
package search

import (
	"fmt"
	"iter"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/google/uuid"

	"github.com/secondlight/secondlight/models"
)

// Index is the listings for sale. Any number of goroutines may search it while
// others change it: a search sees each change whole or not at all.
type Index struct {
	lookup  *models.Lookup
	shape   *shape
	memo    memo
	scratch sync.Pool
	version atomic.Uint64

	mu    sync.RWMutex
	state *state
}

// New makes an empty index over the gear of a catalogue.
func New(lookup *models.Lookup) *Index {
	x := &Index{lookup: lookup, shape: shapeOf(lookup)}
	x.scratch.New = func() any { return newScratch(lookup, x.shape) }
	x.state = newState(lookup, x.shape)
	return x
}

// Version moves with every change; what was computed at the same version is
// still true.
func (x *Index) Version() uint64 { return x.version.Load() }

// Len is the number of listings.
func (x *Index) Len() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.state.live
}

// Put adds listings, or replaces those with the same id, all at once. It fails
// on the first that cannot be indexed (an id that is no UUID, a price out of
// range, an unknown condition), and changes nothing then.
func (x *Index) Put(docs ...Doc) error { return x.Apply(docs, nil) }

// Remove takes listings out; ids that are not there are no failure.
func (x *Index) Remove(ids ...string) { _ = x.Apply(nil, ids) }

// Apply puts and removes at once.
func (x *Index) Apply(puts []Doc, removes []string) error {
	entries := make([]entry, 0, len(puts))
	for i := range puts {
		e, err := x.entry(&puts[i])
		if err != nil {
			return err
		}
		e.terms = foreignTerms(x.lookup, e.gear, puts[i].Title)
		entries = append(entries, e)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, text := range removes {
		if id, err := uuid.Parse(text); err == nil {
			x.state.remove(&id)
		}
	}
	for i := range entries {
		x.state.put(&entries[i])
	}
	x.state.tidy()
	x.version.Add(1)
	return nil
}

// Load replaces everything. Of documents with one id the last counts. On
// failure nothing is changed.
func (x *Index) Load(docs iter.Seq2[Doc, error]) error {
	l := newLoader(x)
	if err := l.addAll(docs); err != nil {
		return err
	}
	s := l.state()
	x.mu.Lock()
	defer x.mu.Unlock()
	x.state = s
	x.version.Add(1)
	return nil
}

// Refresh gives a gear's listings new typical prices, by condition, and new
// cards, by id; ids that are not there are passed over. It is what a changed
// trend needs, at once.
func (x *Index) Refresh(gear string, typical map[models.Condition]models.Cents, cards map[string][]byte) {
	g, ok := x.lookup.Catalogued(gear)
	if !ok {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	s := x.state
	var now [conditionCount]int32
	for i, c := range models.Conditions {
		now[i] = price32(typical[c])
	}
	s.setTypical(g, now)
	s.fill(&s.deals)
	for text, card := range cards {
		if id, err := uuid.Parse(text); err == nil {
			if d, ok := s.table.find(s.ids, &id); ok {
				s.cards[d] = card
			}
		}
	}
	x.version.Add(1)
}

// OfGear is the ids of a gear's listings, in no order.
func (x *Index) OfGear(gear string) []string {
	g, ok := x.lookup.Catalogued(gear)
	if !ok {
		return nil
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.state.idsOf(x.state.shelves[g].byPublished)
}

// OfSeller is the ids of a seller's listings, in no order.
func (x *Index) OfSeller(handle string) []string {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.state.idsOf(x.state.docsOf(handle))
}

// Asking is how many listings a gear has, the lowest price asked for it and the
// average, rounded down; zeros for none.
func (x *Index) Asking(gear string) (count int, lowest, average models.Cents) {
	g, ok := x.lookup.Catalogued(gear)
	if !ok {
		return 0, 0, 0
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	docs := x.state.shelves[g].byPublished
	if len(docs) == 0 {
		return 0, 0, 0
	}
	lowest = models.MaxAmount
	var sum models.Cents
	for _, d := range docs {
		price := models.Cents(x.state.price[d])
		lowest, sum = min(lowest, price), sum+price
	}
	return len(docs), lowest, sum / models.Cents(len(docs))
}

// CountGear is how many listings a gear has.
func (x *Index) CountGear(gear string) int {
	g, ok := x.lookup.Catalogued(gear)
	if !ok {
		return 0
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	return len(x.state.shelves[g].byPublished)
}

// CountBrand is how many listings the gear of a brand has.
func (x *Index) CountBrand(brand string) (n int) {
	number, ok := x.shape.brandNo[brand]
	if !ok {
		return 0
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.state.stocked(x.shape.ofBrand[number])
}

// CountSeller is how many listings a seller has.
func (x *Index) CountSeller(handle string) int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return len(x.state.docsOf(handle))
}

// entry is a document checked and taken apart, ready to go in.
type entry struct {
	id              ID
	gear, condition int
	values          values
	seller          string
	price, typical  int32
	published       int64
	terms           []string // of the title, those the gear has not; for put
	card            []byte
}

// entry checks a document and takes it apart, but for the terms of its title.
func (x *Index) entry(d *Doc) (entry, error) {
	id, err := uuid.Parse(d.ID)
	if err != nil {
		return entry{}, fmt.Errorf("search: listing %q: %w", d.ID, err)
	}
	condition := slices.Index(models.Conditions, d.Condition)
	if condition < 0 {
		return entry{}, fmt.Errorf("search: listing %s: unknown condition %q", d.ID, d.Condition)
	}
	if d.Price < 0 || d.Price > models.MaxAmount {
		return entry{}, fmt.Errorf("search: listing %s: price %d is out of range", d.ID, d.Price)
	}
	if d.Published < 0 || d.Published >= 1<<48 {
		return entry{}, fmt.Errorf("search: listing %s: published at %d is out of range", d.ID, d.Published)
	}
	return entry{
		id: id, gear: x.lookup.Number(d.Gear, d.Category), condition: condition, values: valuesOf(d), seller: d.Seller,
		price: int32(d.Price), typical: price32(d.Typical), published: int64(d.Published),
		card: d.Card,
	}, nil
}

// price32 puts an amount into the range the index keeps.
func price32(c models.Cents) int32 { return int32(min(max(c, 0), models.MaxAmount)) }
