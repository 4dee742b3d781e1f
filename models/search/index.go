// Package search implements an in-memory search index of the listings for sale. Brand,
// category, mount and specifications are functions of a listing's gear, so a search
// selects a set of gear, and only condition, functional state, region, demonstration and
// price vary within it; few listings have a shutter count. Results have exact totals and
// facets, and the cards rendered when the listings were indexed.
package search

import (
	"iter"
	"sync/atomic"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// Index is a search index of the listings for sale. It is safe for concurrent use: a
// search sees all of a change or nothing of it.
type Index struct{ current atomic.Pointer[core] }

// New returns an empty index for the gear of a catalogue.
func New(lookup *catalog.Lookup) *Index {
	x := &Index{}
	x.current.Store(newCore(lookup))
	return x
}

// lookup returns the catalogue of the index.
func (x *Index) lookup() *catalog.Lookup { return x.current.Load().lookup }

// Version returns a number that increases with every change. Results computed at the
// current version are up to date.
func (x *Index) Version() uint64 { return x.current.Load().version.Load() }

// Len returns the number of listings.
func (x *Index) Len() int { return x.current.Load().Len() }

// Put adds listings, or replaces those with the same id, in one update. If a listing
// is invalid (an id that is not a UUID, a price out of range, an unknown condition) it
// returns an error and changes nothing.
func (x *Index) Put(docs ...Doc) error { return x.Apply(docs, nil) }

// Remove removes listings in one update. It ignores unknown ids.
func (x *Index) Remove(ids ...string) { _ = x.Apply(nil, ids) }

// Apply removes and then puts listings in one update. It fails as Put does.
func (x *Index) Apply(puts []Doc, removes []string) error {
	return x.current.Load().Apply(puts, removes)
}

// Load replaces all listings. Of several documents with the same id the last is used.
// On error the index is unchanged.
func (x *Index) Load(docs iter.Seq2[Doc, error]) error { return x.current.Load().Load(docs) }

// LoadCatalog is Load for another edition of the catalogue. It must not run concurrently
// with other changes.
func (x *Index) LoadCatalog(lookup *catalog.Lookup, docs iter.Seq2[Doc, error]) error {
	next := newCore(lookup)
	next.rates = x.current.Load().rates
	if err := next.Load(docs); err != nil {
		return err
	}
	next.version.Store(x.Version() + 1)
	x.current.Store(next)
	return nil
}

// encode writes the listings. It must not run concurrently with changes, which would make
// searches wait.
func (x *Index) encode(to *encoder) error {
	c := x.current.Load()
	c.mu.RLock()
	defer c.mu.RUnlock()
	currencies := make([]string, len(c.foreign))
	for i, s := range c.foreign {
		currencies[i] = s.currency
	}
	if err := to.Encode(&currencies); err != nil {
		return err
	}
	for s := range c.states {
		if err := s.encode(to); err != nil {
			return err
		}
	}
	return nil
}

// decode replaces all listings by those that encode has written for the gear of a
// catalogue. On error the index is unchanged. It must not run concurrently with other
// changes.
func (x *Index) decode(lookup *catalog.Lookup, from *decoder) error {
	next := newCore(lookup)
	next.rates = x.current.Load().rates
	var currencies []string
	if err := from.Decode(&currencies); err != nil {
		return err
	}
	for _, currency := range currencies {
		next.stateOf(currency)
	}
	for s := range next.states {
		if err := s.decode(from); err != nil {
			return err
		}
	}
	next.version.Store(x.Version() + 1)
	x.current.Store(next)
	return nil
}

// SetRates replaces the exchange rates by which prices in different currencies are
// compared. Listings in a currency without a rate are not found.
func (x *Index) SetRates(rates *models.Rates) { x.current.Load().setRates(rates) }

// foreignIDs returns the ids of the listings in other currencies than that of the site.
func (x *Index) foreignIDs() []string { return x.current.Load().foreignIDs() }

// Refresh replaces a gear's typical prices and the cards of listings,
// by id, in one update. It ignores unknown ids, and gear outside the catalogue. Call
// it when the gear's trend has changed.
func (x *Index) Refresh(gear string, typical *TypicalPrices, cards map[string][]byte) {
	x.current.Load().Refresh(gear, typical, cards)
}

// GearOf returns the gear of the listings that have ids. It ignores unknown ids.
func (x *Index) gearOf(ids []string) []*catalog.Gear { return x.current.Load().gearOf(ids) }

// Repriced returns the ids of a gear's listings whose typical prices differ between before and
// now, in no particular order.
func (x *Index) Repriced(gear string, before, now *TypicalPrices) []string {
	return x.current.Load().Repriced(gear, before, now)
}

// Cards yields the cards of all listings that are for sale now, without those that are
// removed meanwhile, in no particular order.
func (x *Index) Cards() iter.Seq[Card] { return x.current.Load().Cards() }

// OfSeller returns the ids of a seller's listings, in no particular order.
func (x *Index) OfSeller(handle string) []string { return x.current.Load().OfSeller(handle) }

// Asking returns the number of a gear's listings, their lowest price and their average
// price, rounded down, in the currency of the site. It returns zeros if there are none.
func (x *Index) Asking(gear string) (count int, lowest, average models.Cents) {
	return x.current.Load().Asking(gear)
}

// Highest returns the highest price of a gear's listings in the currency of the site, 0 if there
// are none.
func (x *Index) Highest(gear string) models.Cents { return x.current.Load().Highest(gear) }

// MatchesGear returns a function that reports whether gear, by its slug, meets the
// restrictions of a query on gear: keyword, category, brand, model, mount and
// specifications. The others, such as the price, and what is for sale don't matter.
func (x *Index) MatchesGear(q Query) func(slug string) bool { return x.current.Load().MatchesGear(q) }

// CountGear returns the number of a gear's listings.
func (x *Index) CountGear(gear string) int { return x.current.Load().CountGear(gear) }

// CountBrand returns the number of listings of a brand, by its slug.
func (x *Index) CountBrand(brand string) int { return x.current.Load().CountBrand(brand) }

// CountSeller returns the number of a seller's listings.
func (x *Index) CountSeller(handle string) int { return x.current.Load().CountSeller(handle) }

// NearSellers returns the handles, of sellers with listings, that an unknown one may have
// been meant for: those spelt alike and those that contain it as a word, the most similar
// first, then those with the most listings.
func (x *Index) NearSellers(handle string) []string { return x.current.Load().NearSellers(handle) }

// Relax returns what searches with fewer restrictions would find.
func (x *Index) Relax(q Query) []Relaxation { return x.current.Load().Relax(q) }

// Unmatched returns the words of a keyword that neither gear nor a title has.
func (x *Index) Unmatched(keyword string) []string { return x.current.Load().Unmatched(keyword) }

// Search returns the result of a query. It returns a *problem.Error of kind Invalid
// for an unknown sort and for a cursor that is invalid or belongs to another search.
func (x *Index) Search(q Query) (*Result, error) { return x.current.Load().Search(q) }

// SearchInto is like Search but overwrites result and reuses the capacity of its
// slices. Callers that pool results avoid most allocations.
func (x *Index) SearchInto(result *Result, q Query) error {
	return x.current.Load().SearchInto(result, q)
}
