// Package search finds listings in the process. The index is made for this
// domain: brand, category and mount are functions of a listing's gear, so a
// search is a set of gear, and only condition, region and price vary inside it.
// It answers with exact totals and facets, and with cards that were finished
// when the listing was indexed.
package search

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/google/uuid"

	"github.com/secondlight/secondlight/models"
)

// Doc is a listing as it is searched.
type Doc struct {
	ID        string // UUID
	Gear      string // slug; what the catalogue does not have counts as outside it
	Category  models.Category
	Condition models.Condition
	Region    models.Region
	Seller    string // handle
	Title     string
	Price     models.Cents // 0 to models.MaxAmount
	Published models.Time
	// Typical is the sold median of the gear at the condition, 0 for none. It
	// belongs to the two, not to the listing: what the last document says holds
	// for all. It is ignored outside the catalogue.
	Typical models.Cents
	Card    []byte // what Hit hands out; it must not be changed any more
}

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
	x.scratch.New = func() any { return newScratch(x.shape) }
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
	s := newState(x.lookup, x.shape)
	for doc, err := range docs {
		if err != nil {
			return err
		}
		e, err := x.entry(&doc)
		if err != nil {
			return err
		}
		s.put(&e)
	}
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
	g := x.lookup.Number(gear, "")
	x.mu.Lock()
	defer x.mu.Unlock()
	s := x.state
	for i, c := range models.Conditions {
		s.setTypical(g, i, price32(typical[c]))
	}
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
	g := x.lookup.Number(gear, "")
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.state.idsOf(x.state.shelves[g].byPrice)
}

// OfSeller is the ids of a seller's listings, in no order.
func (x *Index) OfSeller(handle string) []string {
	x.mu.RLock()
	defer x.mu.RUnlock()
	n, ok := x.state.sellers[handle]
	if !ok {
		return nil
	}
	return x.state.idsOf(x.state.bySeller[n])
}

// Asking is how many listings a gear has, the lowest price asked for it and the
// average, rounded down; zeros for none.
func (x *Index) Asking(gear string) (count int, lowest, average models.Cents) {
	g := x.lookup.Number(gear, "")
	x.mu.RLock()
	defer x.mu.RUnlock()
	docs := x.state.shelves[g].byPrice
	if len(docs) == 0 || x.lookup.At(g).ModelSlug == "" {
		return 0, 0, 0
	}
	var sum models.Cents
	for _, d := range docs {
		sum += models.Cents(x.state.price[d])
	}
	return len(docs), models.Cents(x.state.price[docs[0]]), sum / models.Cents(len(docs))
}

// CountBrand is how many listings the gear of a brand has.
func (x *Index) CountBrand(brand string) (n int) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for i := range x.shape.groups {
		if g := &x.shape.groups[i]; x.lookup.At(g.from).BrandSlug == brand {
			for gear := g.from; gear < g.to; gear++ {
				n += len(x.state.shelves[gear].byPrice)
			}
		}
	}
	return n
}

// CountSeller is how many listings a seller has.
func (x *Index) CountSeller(handle string) int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	n, ok := x.state.sellers[handle]
	if !ok {
		return 0
	}
	return len(x.state.bySeller[n])
}

// entry is a document checked and taken apart, ready to go in.
type entry struct {
	id              ID
	gear, condition int
	region          models.Region
	seller          string
	price, typical  int32
	published       int64
	terms           []string // of the title, those the gear has not
	card            []byte
}

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
	gear := x.lookup.Number(d.Gear, d.Category)
	return entry{
		id: id, gear: gear, condition: condition, region: d.Region, seller: d.Seller,
		price: int32(d.Price), typical: price32(d.Typical), published: int64(d.Published),
		terms: foreignTerms(x.lookup, gear, d.Title), card: d.Card,
	}, nil
}

// price32 puts an amount into the range the index keeps.
func price32(c models.Cents) int32 { return int32(min(max(c, 0), models.MaxAmount)) }

// shape is what follows from the catalogue alone.
type shape struct {
	groups  []group
	groupOf []uint16 // by gear
	brands  []string // slugs
	mounts  []string // names
	brandNo map[string]int
	mountNo map[string]int // by slug of the name
}

// group is the neighbouring gear with one brand, category and set of mounts.
type group struct {
	from, to        int // gear numbers, to is excluded
	brand, category int // brand is -1 for none
	mounts          []int
	mount           string // the mounts as the catalogue writes them
}

func shapeOf(l *models.Lookup) *shape {
	s := &shape{groupOf: make([]uint16, l.Size()), brandNo: map[string]int{}, mountNo: map[string]int{}}
	number := func(names *[]string, numbers map[string]int, key, name string) int {
		n, ok := numbers[key]
		if !ok {
			n = len(*names)
			numbers[key] = n
			*names = append(*names, name)
		}
		return n
	}
	for i := range l.Size() {
		g := l.At(i)
		this := group{from: i, to: i + 1, brand: -1, category: slices.Index(models.Categories, g.Category), mount: g.Mount}
		if g.BrandSlug != "" {
			this.brand = number(&s.brands, s.brandNo, g.BrandSlug, g.BrandSlug)
		}
		for _, m := range g.Mounts() {
			this.mounts = append(this.mounts, number(&s.mounts, s.mountNo, models.Slug(m), m))
		}
		if n := len(s.groups); n > 0 && s.groups[n-1].sameKind(this) {
			s.groups[n-1].to = i + 1
		} else {
			s.groups = append(s.groups, this)
		}
		s.groupOf[i] = uint16(len(s.groups) - 1)
	}
	return s
}

func (g group) sameKind(h group) bool {
	return g.brand == h.brand && g.category == h.category && g.mount == h.mount
}

const conditionCount = 7

// state is the listings, as arrays over document numbers and lists of numbers.
type state struct {
	lookup *models.Lookup
	shape  *shape
	live   int

	ids       []ID
	price     []int32
	published []int64
	gear      []uint16
	cell      []uint16 // region × conditionCount + condition
	seller    []uint32
	cards     [][]byte

	table    idTable
	shelves  []shelf // by gear
	regions  []models.Region
	regionNo map[models.Region]int
	sellers  map[string]uint32
	bySeller [][]uint32 // ascending
	titles   titles
	free     []uint32 // numbers to use again
}

// shelf is the listings of one gear.
type shelf struct {
	byPrice     []uint32              // ascending
	byPublished []uint32              // the newest first
	typical     [conditionCount]int32 // 0 for none
	mostTypical int32
}

func newState(l *models.Lookup, sh *shape) *state {
	return &state{
		lookup: l, shape: sh, shelves: make([]shelf, l.Size()),
		regionNo: map[models.Region]int{}, sellers: map[string]uint32{}, titles: newTitles(),
	}
}

func (s *state) put(e *entry) {
	s.remove(&e.id)
	d := s.number()
	s.ids[d], s.price[d], s.published[d], s.gear[d], s.cards[d] = e.id, e.price, e.published, uint16(e.gear), e.card
	s.cell[d] = uint16(s.region(e.region)*conditionCount + e.condition)
	s.seller[d] = s.sellerNumber(e.seller)
	s.table.insert(s.ids, d)

	shelf := &s.shelves[e.gear]
	shelf.byPrice = insertAt(shelf.byPrice, s.priceFrom(shelf.byPrice, e.price+1), d)
	shelf.byPublished = insertAt(shelf.byPublished, s.publishedFrom(shelf.byPublished, e.published), d)
	if s.lookup.At(e.gear).ModelSlug != "" {
		s.setTypical(e.gear, e.condition, e.typical)
	}
	list := &s.bySeller[s.seller[d]]
	at, _ := slices.BinarySearch(*list, d)
	*list = insertAt(*list, at, d)
	s.titles.add(d, e.terms)
	s.live++
}

// remove takes a listing out. Its number is used again only when the words of
// its title have forgotten it, see tidy.
func (s *state) remove(id *ID) {
	d, ok := s.table.find(s.ids, id)
	if !ok {
		return
	}
	s.table.remove(s.ids, id)
	shelf := &s.shelves[s.gear[d]]
	shelf.byPrice = removeFrom(shelf.byPrice, s.priceFrom(shelf.byPrice, s.price[d]), d)
	shelf.byPublished = removeFrom(shelf.byPublished, s.publishedFrom(shelf.byPublished, s.published[d]), d)
	list := &s.bySeller[s.seller[d]]
	at, _ := slices.BinarySearch(*list, d)
	*list = removeFrom(*list, at, d)
	s.titles.dead.Add(d)
	s.cards[d] = nil
	s.live--
}

// tidy makes the titles forget what was removed, once it is a notable part.
func (s *state) tidy() {
	if int(s.titles.dead.GetCardinality()) > 1024+s.live/64 {
		s.free = append(s.free, s.titles.forget()...)
	}
}

// number is a free document number.
func (s *state) number() uint32 {
	if n := len(s.free); n > 0 {
		d := s.free[n-1]
		s.free = s.free[:n-1]
		return d
	}
	s.ids = append(s.ids, ID{})
	s.price = append(s.price, 0)
	s.published = append(s.published, 0)
	s.gear = append(s.gear, 0)
	s.cell = append(s.cell, 0)
	s.seller = append(s.seller, 0)
	s.cards = append(s.cards, nil)
	return uint32(len(s.ids) - 1)
}

func (s *state) region(r models.Region) int {
	n, ok := s.regionNo[r]
	if !ok {
		n = len(s.regions)
		s.regionNo[r] = n
		s.regions = append(s.regions, r)
	}
	return n
}

func (s *state) sellerNumber(handle string) uint32 {
	n, ok := s.sellers[handle]
	if !ok {
		n = uint32(len(s.bySeller))
		s.sellers[handle] = n
		s.bySeller = append(s.bySeller, nil)
	}
	return n
}

func (s *state) setTypical(gear, condition int, typical int32) {
	shelf := &s.shelves[gear]
	if s.lookup.At(gear).ModelSlug == "" || shelf.typical[condition] == typical {
		return
	}
	shelf.typical[condition] = typical
	shelf.mostTypical = slices.Max(shelf.typical[:])
}

// typicalOf is the typical price of a document's gear at its condition.
func (s *state) typicalOf(d uint32) int32 {
	return s.shelves[s.gear[d]].typical[s.cell[d]%conditionCount]
}

// priceFrom is where the first document of at least a price stands.
func (s *state) priceFrom(byPrice []uint32, least int32) int {
	at, _ := slices.BinarySearchFunc(byPrice, least, func(d uint32, p int32) int { return cmp.Compare(s.price[d], p) })
	return at
}

// publishedFrom is where the first document as old as a time, or older, stands.
func (s *state) publishedFrom(byPublished []uint32, most int64) int {
	at, _ := slices.BinarySearchFunc(byPublished, most, func(d uint32, t int64) int { return cmp.Compare(t, s.published[d]) })
	return at
}

func (s *state) idsOf(docs []uint32) []string {
	ids := make([]string, len(docs))
	for i, d := range docs {
		ids[i] = s.ids[d].String()
	}
	return ids
}

func insertAt(list []uint32, at int, d uint32) []uint32 { return slices.Insert(list, at, d) }

// removeFrom drops d, which stands at from or behind.
func removeFrom(list []uint32, from int, d uint32) []uint32 {
	at := from + slices.Index(list[from:], d)
	return slices.Delete(list, at, at+1)
}
