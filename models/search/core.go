package search

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"math"
	"math/big"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/google/uuid"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/cache"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/fuzzy"
)

// core is the index of the listings for sale under one edition of the catalogue, by which
// gear is numbered. Its methods are those of Index.
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

// Load replaces all listings. Of several documents with the same id the last is used.
// On error the index is unchanged.
func (x *core) Load(docs iter.Seq2[Doc, error]) error {
	loaders := map[string]*loader{"": newLoader(x, "")}
	defer func() {
		for _, l := range loaders {
			l.end()
		}
	}()
	for doc, err := range docs {
		if err != nil {
			return err
		}
		l := loaders[doc.Currency]
		if l == nil {
			l = newLoader(x, doc.Currency)
			loaders[doc.Currency] = l
		}
		if err := l.push(&doc); err != nil {
			return err
		}
	}
	var main *state
	var foreign []*state
	for _, code := range slices.Sorted(maps.Keys(loaders)) {
		if l := loaders[code]; code == "" {
			main = l.state()
		} else {
			foreign = append(foreign, l.state())
		}
	}
	shareTypical(main, foreign)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.state, x.foreign = main, foreign
	x.version.Add(1)
	return nil
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

// gearOf returns the gear of the listings that have ids. It ignores unknown ids.
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
	json, _ := s.cards.appendJSON(nil, nil, d, id)
	return Card{json, models.Cents(s.price[d]), s.currency, s.postages.list[s.postage[d]].Postage}, true
}

// OfSeller returns the ids of a seller's listings, in no particular order.
func (x *core) OfSeller(handle string) (ids []string) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for s := range x.states {
		ids = append(ids, s.idsOf(s.docsOf(handle))...)
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

// asking returns the number of a gear's listings, their lowest price and the sum of their
// prices.
func (s *state) asking(gear int) (count int, lowest, sum models.Cents) {
	docs := s.postings[gear].byPublished
	lowest = models.MaxAmount
	for _, d := range docs {
		price := models.Cents(s.price[d])
		lowest, sum = min(lowest, price), sum+price
	}
	return len(docs), lowest, sum
}

// MatchesGear returns a function that reports whether gear, by its slug, meets the
// restrictions of a query on gear: keyword, category, brand, model, mount and
// specifications. The others, such as the price, and what is for sale don't matter.
func (x *core) MatchesGear(q Query) func(slug string) bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	m := x.match(q.Keyword)
	if fixed, _ := x.correct(m); fixed != nil {
		m = x.matchWords(fixed)
	}
	flags := make([]uint8, len(x.shape.groups))
	x.shape.flag(flags, &q)
	models := x.modelGear(q.Model)
	return func(slug string) bool {
		n, ok := x.lookup.Catalogued(slug)
		if !ok || meetsAll(flags[x.shape.groupOf[n]]) == 0 || !x.shape.admits(&q.GearFilter, uint16(n)) {
			return false
		}
		_, inModel := slices.BinarySearch(models, uint16(n))
		_, named := slices.BinarySearch(m.reach[len(m.words)], uint16(n))
		return inModel && named
	}
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
		n += len(s.docsOf(handle))
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
		for seller := range s.sellers {
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

// entry is a validated document with its values resolved, ready for state.put.
type entry struct {
	id        ID
	gear      int
	item      itemNumber
	values    values
	seller    string
	currency  string
	price     int32
	typical   typicalPrice
	rare      RareValues
	published int64
	postage   models.Postage
	terms     []string // of the title, without those of the gear; used by put
	card      []byte   // its text
}

// validate returns an error if the index cannot hold a document.
func (d *Doc) validate() error {
	switch {
	case uuid.Validate(d.ID) != nil:
		return fmt.Errorf("search: listing %q: the id is not a UUID", d.ID)
	case !d.Condition.Valid():
		return fmt.Errorf("search: listing %s: unknown condition %q", d.ID, d.Condition)
	case d.Price < 0 || d.Price > models.MaxAmount:
		return fmt.Errorf("search: listing %s: price %d is out of range", d.ID, d.Price)
	case d.Published < 0 || d.Published >= 1<<48:
		return fmt.Errorf("search: listing %s: published at %d is out of range", d.ID, d.Published)
	}
	return nil
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
		rare: d.Rare, postage: d.Postage, card: cardText(&id, d.Card),
	}, nil
}

// price32 clamps an amount to the range of prices in the index.
func price32(c models.Cents) int32 { return int32(min(max(c, 0), models.MaxAmount)) }
