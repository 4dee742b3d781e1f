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
	"math"
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
		e, err := x.entry(&puts[i], x.foreignTerms)
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
	l := newLoader(x)
	for doc, err := range docs {
		if err == nil {
			err = l.add(&doc)
		}
		if err != nil {
			return err
		}
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

// CountBrand is how many listings the gear of a brand has.
func (x *Index) CountBrand(brand string) (n int) {
	number, ok := x.shape.brandNo[brand]
	if !ok {
		return 0
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	for i := range x.shape.groups {
		if x.shape.groups[i].brand == number {
			n += len(x.state.stock[i].byPrice)
		}
	}
	return n
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
	region          models.Region
	seller          string
	price, typical  int32
	published       int64
	terms           []string // of the title, those the gear has not
	card            []byte
}

func (x *Index) foreignTerms(gear int, title string) []string {
	return foreignTerms(x.lookup, gear, title)
}

// entry checks a document; foreign tells the terms of its title that its gear has not.
func (x *Index) entry(d *Doc, foreign func(gear int, title string) []string) (entry, error) {
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
	gear := x.lookup.Number(d.Gear, d.Category)
	return entry{
		id: id, gear: gear, condition: condition, region: d.Region, seller: d.Seller,
		price: int32(d.Price), typical: price32(d.Typical), published: int64(d.Published),
		terms: foreign(gear, d.Title), card: d.Card,
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
	mountNo map[string]int // by name and by slug
	ofKind  []int          // by category: one of its groups, −1 for none
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
	for i := range l.Size() {
		g := l.At(i)
		s.brands = append(s.brands, g.BrandSlug)
		s.mounts = append(s.mounts, g.Mounts()...)
	}
	s.brands, s.mounts = numbered(s.brands, s.brandNo), numbered(s.mounts, s.mountNo)
	for i := range l.Size() {
		g := l.At(i)
		this := group{from: i, to: i + 1, brand: -1, category: slices.Index(models.Categories, g.Category), mount: g.Mount}
		if g.BrandSlug != "" {
			this.brand = s.brandNo[g.BrandSlug]
		}
		for _, m := range g.Mounts() {
			this.mounts = append(this.mounts, s.mountNo[m])
		}
		if n := len(s.groups); n > 0 && s.groups[n-1].sameKind(this) {
			s.groups[n-1].to = i + 1
		} else {
			s.groups = append(s.groups, this)
		}
		s.groupOf[i] = uint16(len(s.groups) - 1)
	}
	s.ofKind = slices.Repeat([]int{-1}, len(models.Categories))
	for i, g := range s.groups {
		s.ofKind[g.category] = i
	}
	for n, m := range s.mounts { // a mount may be asked for by its slug too
		s.mountNo[models.Slug(m)] = n
	}
	return s
}

// numbered sorts names, each once and none empty, and notes their places.
func numbered(names []string, numbers map[string]int) []string {
	slices.Sort(names)
	names = slices.DeleteFunc(slices.Compact(names), func(name string) bool { return name == "" })
	for i, name := range names {
		numbers[name] = i
	}
	return names
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

	ids   []ID
	price []int32  // removed for removed documents
	late  []uint32 // published, Unix milliseconds: the upper 32 bits of 48
	early []uint16 // and the lower 16
	gear  []uint16
	cell  []uint16 // region × conditionCount + condition
	next  []uint32 // another document of the same seller, none at the end
	cards [][]byte

	table    idTable
	shelves  []shelf         // by gear
	newest   []int64         // by gear: when its newest listing was published, −1 for none
	best     []deal          // by gear: its best deal; no typical price for none
	stock    []stock         // by group
	kinds    []*cube[uint32] // by category
	stride   int             // of cubes, at least one more than there are cells
	regions  []models.Region
	regionNo map[models.Region]int
	sellers  map[string]uint32
	ofSeller []uint32 // the first document of each, to go on from with next
	titles   titles
	free     []uint32 // numbers to use again
}

const (
	removed = -1        // for a price
	none    = 1<<32 - 1 // for a document
)

// shelf is the listings of one gear.
type shelf struct {
	byPublished []uint32              // the newest first
	byDeal      []uint32              // the best first, what has no typical price last
	typical     [conditionCount]int32 // 0 for none
}

// deal is a price beside the typical one, 0 for none.
type deal struct{ price, typical int32 }

// stock is the listings of one group.
type stock struct {
	byPrice []uint32 // ascending
	newest  int64    // when its newest listing was published, −1 for none
	// At most one of them: what the size of the group is worth.
	coarse *cube[uint16]
	fine   *cube[uint32]
}

func newState(l *models.Lookup, sh *shape) *state {
	s := &state{
		lookup: l, shape: sh, shelves: make([]shelf, l.Size()), newest: make([]int64, l.Size()), best: make([]deal, l.Size()), stock: make([]stock, len(sh.groups)),
		regionNo: map[models.Region]int{}, sellers: map[string]uint32{}, titles: newTitles(),
	}
	for i := range s.newest {
		s.newest[i] = -1
	}
	for i := range s.stock {
		s.stock[i].newest = -1
	}
	s.kinds = make([]*cube[uint32], len(models.Categories))
	s.widen()
	return s
}

// published is when a document was published.
func (s *state) published(d uint32) int64 { return int64(s.late[d])<<16 | int64(s.early[d]) }

// set writes a document's columns.
func (s *state) set(d uint32, e *entry) {
	s.ids[d], s.price[d], s.gear[d], s.cards[d] = e.id, e.price, uint16(e.gear), e.card
	s.late[d], s.early[d] = uint32(e.published>>16), uint16(e.published)
	s.cell[d] = uint16(s.region(e.region)*conditionCount + e.condition)
	s.live++
}

func (s *state) put(e *entry) {
	s.remove(&e.id)
	d := s.number()
	s.set(d, e)
	s.link(d, s.sellerNumber(e.seller))
	s.table.insert(s.ids, d)
	s.titles.add(d, e.terms)

	shelf := &s.shelves[e.gear]
	if s.lookup.At(e.gear).ModelSlug != "" && shelf.typical[e.condition] != e.typical {
		now := shelf.typical
		now[e.condition] = e.typical
		s.setTypical(e.gear, now)
	}
	at, _ := slices.BinarySearchFunc(shelf.byPublished, d, s.compareNewest)
	shelf.byPublished = slices.Insert(shelf.byPublished, at, d)
	at, _ = slices.BinarySearchFunc(shelf.byDeal, d, s.compareDocDeals)
	shelf.byDeal = slices.Insert(shelf.byDeal, at, d)
	s.noteHeads(e.gear)

	group := s.shape.groupOf[e.gear]
	stock := &s.stock[group]
	stock.byPrice = slices.Insert(stock.byPrice, s.priceFrom(stock.byPrice, e.price+1), d)
	stock.newest = max(stock.newest, e.published)
	stock.count(e.price, s.cell[d], 1)
	s.kinds[s.shape.groups[group].category].add(e.price, s.cell[d], 1)
	s.fit(int(group))
}

// remove takes a listing out. Its number is used again only when its seller and
// the words of its title have forgotten it, see tidy.
func (s *state) remove(id *ID) {
	d, ok := s.table.find(s.ids, id)
	if !ok {
		return
	}
	s.table.remove(s.ids, id)
	gear := s.gear[d]
	shelf := &s.shelves[gear]
	at, _ := slices.BinarySearchFunc(shelf.byPublished, d, s.compareNewest)
	shelf.byPublished = slices.Delete(shelf.byPublished, at, at+1)
	at, _ = slices.BinarySearchFunc(shelf.byDeal, d, s.compareDocDeals)
	shelf.byDeal = slices.Delete(shelf.byDeal, at, at+1)
	s.noteHeads(int(gear))

	group := s.shape.groupOf[gear]
	stock := &s.stock[group]
	at = s.priceFrom(stock.byPrice, s.price[d])
	at += slices.Index(stock.byPrice[at:], d)
	stock.byPrice = slices.Delete(stock.byPrice, at, at+1)
	of := &s.shape.groups[group]
	stock.newest = slices.Max(s.newest[of.from:of.to])
	stock.count(s.price[d], s.cell[d], -1)
	s.kinds[of.category].add(s.price[d], s.cell[d], -1)
	s.fit(int(group))

	s.price[d], s.cards[d] = removed, nil
	s.titles.dead.Add(d)
	s.live--
}

// tidy makes sellers and titles forget what was removed, once it is a notable part.
func (s *state) tidy() {
	if int(s.titles.dead.GetCardinality()) > 1024+s.live/64 {
		for n := range s.ofSeller {
			s.unlinkRemoved(&s.ofSeller[n])
		}
		s.free = append(s.free, s.titles.forget()...)
	}
}

// count keeps the cube up to date.
func (st *stock) count(price int32, cell uint16, by int) {
	if st.coarse != nil {
		st.coarse.add(price, cell, by)
	}
	if st.fine != nil {
		st.fine.add(price, cell, by)
	}
}

// fit gives a group the cube its size is worth. One is given up only when the
// group has shrunk well below that.
func (s *state) fit(group int) {
	st := &s.stock[group]
	n := len(st.byPrice)
	most := min(fineFrom*s.stride, math.MaxUint16) // a coarse cube counts no further
	fine := n >= most || st.fine != nil && n >= most/2
	coarse := !fine && (n >= s.stride/2 || st.coarse != nil && n >= s.stride/4)
	if fine != (st.fine != nil) {
		if st.fine = nil; fine {
			st.fine = newCube[uint32](fineLevel, s, st.byPrice)
		}
	}
	if coarse != (st.coarse != nil) {
		if st.coarse = nil; coarse {
			st.coarse = newCube[uint16](coarseLevel, s, st.byPrice)
		}
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
	s.late = append(s.late, 0)
	s.early = append(s.early, 0)
	s.gear = append(s.gear, 0)
	s.cell = append(s.cell, 0)
	s.next = append(s.next, none)
	s.cards = append(s.cards, nil)
	return uint32(len(s.ids) - 1)
}

func (s *state) region(r models.Region) int {
	n, ok := s.regionNo[r]
	if !ok {
		n = len(s.regions)
		s.regionNo[r] = n
		s.regions = append(s.regions, r)
		if len(s.regions)*conditionCount >= s.stride {
			s.widen()
		}
	}
	return n
}

// widen makes room for more regions in every cube.
func (s *state) widen() {
	s.stride = 1 + conditionCount*(len(s.regions)+2)
	for i := range s.stock {
		s.stock[i].coarse, s.stock[i].fine = nil, nil
		s.fit(i)
	}
	for kind := range s.kinds {
		s.kinds[kind] = newCube[uint32](fineLevel, s, nil)
	}
	for i := range s.stock {
		s.kinds[s.shape.groups[i].category].count(s, s.stock[i].byPrice)
	}
	for _, kind := range s.kinds {
		kind.sum()
	}
}

func (s *state) sellerNumber(handle string) uint32 {
	n, ok := s.sellers[handle]
	if !ok {
		n = uint32(len(s.ofSeller))
		s.sellers[handle] = n
		s.ofSeller = append(s.ofSeller, none)
	}
	return n
}

// link adds a document to those of its seller.
func (s *state) link(d, seller uint32) {
	s.next[d] = s.ofSeller[seller]
	s.ofSeller[seller] = d
}

// unlinkRemoved takes the removed documents out of a seller's.
func (s *state) unlinkRemoved(first *uint32) {
	for at := first; *at != none; {
		if s.price[*at] == removed {
			*at = s.next[*at]
		} else {
			at = &s.next[*at]
		}
	}
}

// docsOf is a seller's documents, in no order.
func (s *state) docsOf(handle string) (docs []uint32) {
	n, ok := s.sellers[handle]
	if !ok {
		return nil
	}
	for d := s.ofSeller[n]; d != none; d = s.next[d] {
		if s.price[d] != removed {
			docs = append(docs, d)
		}
	}
	return docs
}

// setTypical changes a gear's typical prices, and so the order of its deals.
func (s *state) setTypical(gear int, now [conditionCount]int32) {
	shelf := &s.shelves[gear]
	if shelf.typical != now {
		shelf.typical = now
		slices.SortFunc(shelf.byDeal, s.compareDocDeals)
		s.noteHeads(gear)
	}
}

// noteHeads notes what stands first in the lists of a gear, close together for
// all gear because a search looks at many.
func (s *state) noteHeads(gear int) {
	shelf := &s.shelves[gear]
	s.newest[gear], s.best[gear] = -1, deal{}
	if len(shelf.byPublished) > 0 {
		first := shelf.byDeal[0]
		s.newest[gear], s.best[gear] = s.published(shelf.byPublished[0]), deal{s.price[first], s.typicalOf(first)}
	}
}

// typicalOf is the typical price of a document's gear at its condition.
func (s *state) typicalOf(d uint32) int32 {
	return s.shelves[s.gear[d]].typical[s.cell[d]%conditionCount]
}

// compareNewest puts the newer document first, then the greater id.
func (s *state) compareNewest(a, b uint32) int {
	if by := cmp.Compare(s.published(b), s.published(a)); by != 0 {
		return by
	}
	return compareIDs(&s.ids[b], &s.ids[a])
}

// compareDocDeals puts the better deal of one gear first.
func (s *state) compareDocDeals(a, b uint32) int {
	if by := compareDeals(s.price[a], s.typicalOf(a), s.price[b], s.typicalOf(b)); by != 0 {
		return by
	}
	return s.compareNewest(a, b)
}

// priceFrom is where the first document of at least a price stands.
func (s *state) priceFrom(byPrice []uint32, least int32) int {
	low, high := 0, len(byPrice)
	for low < high {
		if mid := int(uint(low+high) >> 1); s.price[byPrice[mid]] < least {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

func (s *state) idsOf(docs []uint32) []string {
	ids := make([]string, len(docs))
	for i, d := range docs {
		ids[i] = s.ids[d].String()
	}
	return ids
}
