package search

import (
	"cmp"
	"iter"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/fuzzy"
)

func (x *core) Apply(puts []Doc, removes []string) error {
	entries, texts := make([]entry, 0, len(puts)), make([][]byte, 0, len(puts))
	for i := range puts {
		e, err := x.entry(&puts[i])
		if err != nil {
			return err
		}
		e.terms = foreignTerms(x.lookup, e.gear, puts[i].Title)
		entries = append(entries, e)
		texts = append(texts, e.card)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, text := range removes {
		if id, err := uuid.Parse(text); err == nil {
			for s := range x.states {
				s.remove(&id)
			}
		}
	}
	x.state.cards.train(texts)
	for i := range entries {
		x.put(&entries[i], texts)
	}
	for s := range x.states {
		s.compact()
	}
	x.version.Add(1)
	return nil
}

// put adds an entry, and removes the listing with the same id if there is one.
func (x *core) put(e *entry, texts [][]byte) {
	to := x.stateOf(e.currency)
	if len(x.foreign) == 0 {
		to.put(e)
		return
	}
	to.cards.train(texts)
	for s := range x.states {
		if s != to {
			s.remove(&e.id)
			s.setTypicalAt(e)
		}
	}
	to.put(e)
}

// Refresh replaces a gear's typical prices and the cards of listings,
// by id, in one update. It ignores unknown ids, and gear outside the catalogue. Call
// it when the gear's trend has changed.
func (x *core) Refresh(gear string, typical *TypicalPrices, cards map[string][]byte) {
	g, ok := x.lookup.Catalogued(gear)
	if !ok {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	var now [itemCount]typicalPrice
	for i := range typical {
		now[i] = newTypicalPrice(typical[i])
	}
	for s := range x.states {
		s.setTypical(g, now)
		s.fillFront(&s.deals)
	}
	for text, json := range cards {
		if id, err := uuid.Parse(text); err == nil {
			if s, d, ok := x.find(&id); ok {
				s.cards.set(d, cardText(&id, json))
			}
		}
	}
	x.version.Add(1)
}

// GearOf returns the gear of the listings that have ids. It ignores unknown ids.
func (x *core) gearOf(ids []string) (gear []*catalog.Gear) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, text := range ids {
		if id, err := uuid.Parse(text); err == nil {
			if s, d, ok := x.find(&id); ok {
				gear = append(gear, x.lookup.At(int(s.kind[d].gear())))
			}
		}
	}
	return gear
}

// Repriced returns the ids of a gear's listings whose typical prices differ between before and now,
// in no particular order.
func (x *core) Repriced(gear string, before, now *TypicalPrices) (ids []string) {
	g, ok := x.lookup.Catalogued(gear)
	if !ok {
		return nil
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	for s := range x.states {
		for _, d := range s.postings[g].byPublished {
			if item := s.itemOf(d); before[item] != now[item] {
				ids = append(ids, s.ids[d].String())
			}
		}
	}
	return ids
}

// Card is the card of a listing, with what its seller charges for shipping.
type Card struct {
	JSON     []byte
	Price    models.Cents
	Currency string // of the price and the postage; "" for that of the site
	Postage  models.Postage
}

// Cards yields the cards of all listings that are for sale now, without those that are
// removed meanwhile, in no particular order.
func (x *core) Cards() iter.Seq[Card] {
	return func(yield func(Card) bool) {
		for _, id := range x.allIDs() {
			if card, ok := x.card(&id); ok && !yield(card) {
				return
			}
		}
	}
}

// allIDs returns the ids of all listings.
func (x *core) allIDs() []ID {
	x.mu.RLock()
	defer x.mu.RUnlock()
	ids := make([]ID, 0, x.live())
	for s := range x.states {
		for d, price := range s.price {
			if price != removed {
				ids = append(ids, s.ids[d])
			}
		}
	}
	return ids
}

// foreignIDs returns the ids of the listings in other currencies than that of the site.
func (x *core) foreignIDs() (ids []string) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, s := range x.foreign {
		for d, price := range s.price {
			if price != removed {
				ids = append(ids, s.ids[d].String())
			}
		}
	}
	return ids
}

// card returns the card of a listing, if it exists.
func (x *core) card(id *ID) (card Card, ok bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	s, d, ok := x.find(id)
	if !ok {
		return Card{}, false
	}
	json, _ := s.cards.unpack(nil, nil, d, id)
	return Card{json, models.Cents(s.price[d]), s.currency, s.postages.list[s.postage[d]].Postage}, true
}

// OfSeller returns the ids of a seller's listings, in no particular order.
func (x *core) OfSeller(handle string) (ids []string) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for s := range x.states {
		ids = append(ids, s.idsOf(s.sellers.docs(handle, s.price))...)
	}
	return ids
}

// Asking returns the number of a gear's listings, their lowest price and their average
// price, rounded down, in the currency of the site. It returns zeros if there are none.
func (x *core) Asking(gear string) (count int, lowest, average models.Cents) {
	g, ok := x.lookup.Catalogued(gear)
	if !ok {
		return 0, 0, 0
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	var total big.Rat // exact: it is rounded once
	lowest = math.MaxInt64
	for s := range x.states {
		n, least, sum := s.asking(g)
		factor, _, ok := x.rates.Factor(x.rates.Of(s.currency), x.rates.Main)
		if n == 0 || !ok {
			continue
		}
		count += n
		if least, ok := models.Times(least, factor); ok {
			lowest = min(lowest, least)
		}
		total.Add(&total, new(big.Rat).Mul(new(big.Rat).SetInt64(int64(sum)), factor))
	}
	if count == 0 {
		return 0, 0, 0
	}
	n := new(big.Int).Mul(total.Denom(), big.NewInt(int64(count)))
	return count, lowest, models.Cents(n.Quo(total.Num(), n).Int64())
}

// Highest returns the highest price of a gear's listings in the currency of the site, 0 if there
// are none.
func (x *core) Highest(gear string) (highest models.Cents) {
	g, ok := x.lookup.Catalogued(gear)
	if !ok {
		return 0
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	for s := range x.states {
		factor, _, ok := x.rates.Factor(x.rates.Of(s.currency), x.rates.Main)
		for _, d := range s.postings[g].byPublished {
			if price, fits := models.Times(models.Cents(s.price[d]), factor); ok && fits {
				highest = max(highest, price)
			}
		}
	}
	return highest
}

// CountGear returns the number of a gear's listings.
func (x *core) CountGear(gear string) (n int) {
	g, ok := x.lookup.Catalogued(gear)
	if !ok {
		return 0
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	for s := range x.states {
		n += len(s.postings[g].byPublished)
	}
	return n
}

// CountBrand returns the number of listings of a brand, by its slug.
func (x *core) CountBrand(brand string) (n int) {
	number, ok := x.shape.brandNo[brand]
	if !ok {
		return 0
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	for s := range x.states {
		n += s.listingsIn(x.shape.ofBrand[number])
	}
	return n
}

// CountSeller returns the number of a seller's listings.
func (x *core) CountSeller(handle string) int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.countSeller(handle)
}

func (x *core) countSeller(handle string) (n int) {
	for s := range x.states {
		n += len(s.sellers.docs(handle, s.price))
	}
	return n
}

// maxNearSellers is the maximum length of NearSellers.
const maxNearSellers = 5

// NearSellers returns the handles, of sellers with listings, that an unknown one may have
// been meant for: those spelt alike and those that contain it as a word, the most similar
// first, then those with the most listings.
func (x *core) NearSellers(handle string) []string {
	type near struct {
		handle          string
		distance, count int
	}
	var found []near
	limit := min(len(handle)/3, 3)
	x.mu.RLock()
	defer x.mu.RUnlock()
	sellers := map[string]bool{}
	for s := range x.states {
		for seller := range s.sellers.numbers {
			sellers[seller] = true
		}
	}
	for seller := range sellers {
		distance := fuzzy.Distance(handle, seller, limit)
		if len(handle) >= 4 && slices.Contains(strings.Split(seller, "-"), handle) {
			distance = min(distance, limit)
		}
		if distance > limit {
			continue
		}
		if count := x.countSeller(seller); count > 0 {
			found = append(found, near{seller, distance, count})
		}
	}
	slices.SortFunc(found, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(b.count, a.count), cmp.Compare(a.handle, b.handle))
	})
	handles := make([]string, min(len(found), maxNearSellers))
	for i := range handles {
		handles[i] = found[i].handle
	}
	return handles
}
