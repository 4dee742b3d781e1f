package search

import (
	"iter"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
)

// filter resolves a query. The result is stored in c and valid until its next use.
func (x *core) filter(s *state, c *scratch, q *Query, m *match) *filter {
	f := &c.filter
	*f = filter{flags: f.flags, gear: f.gear, named: f.named, docs: f.docs[:0], refused: f.refused, margins: f.margins, some: f.some, every: f.every, met: f.met, counted: f.counted,
		admitted: f.admitted, matched: f.matched, groups: f.groups, rest: f.rest, charges: charges{of: f.charges.of}}
	x.shape.flag(f.flags, q)
	f.restrictCells(s.cells, q)
	f.restrictPrice(q)
	if q.Sort == Total {
		f.charges.set(&s.postages, q.ShipTo)
	}
	f.matchGear(x.shape, m)
	f.extras = c.extras(s, m)
	f.restrictGear(x, q)
	f.restrictDocs(x, s, q)
	f.openFacets(q)
	f.listGroups(s)
	return f
}

// matchGear sets the gear that matches the keyword.
func (f *filter) matchGear(sh *shape, m *match) {
	f.whole, f.part, f.all, f.keyword, f.names = m.whole, m.part, m.all, !m.all, m.named
	if f.all {
		return
	}
	clear(f.gear)
	clear(f.named)
	for _, i := range f.whole {
		for gear := sh.groups[i].from; gear < sh.groups[i].to; gear++ {
			f.gear.Add(gear)
		}
	}
	addAll(f.gear, f.part)
	addAll(f.named, f.names)
}

// restrictGear restricts the gear to a model and to specifications.
func (f *filter) restrictGear(x *core, q *Query) {
	if q.Model == "" && q.GearFilter == (GearFilter{}) {
		return
	}
	f.restricted, f.matched = true, f.matched[:0]
	clear(f.admitted)
	var fitting catalog.GearSet
	if q.Fits != "" {
		fitting = x.lookup.Fitting(q.Fits)
	}
	for _, gear := range x.modelGear(q.Model) {
		if (fitting == nil || fitting.Has(int(gear))) && x.shape.admits(&q.GearFilter, gear) {
			f.admitted.Add(int(gear))
			if f.has(gear) {
				f.matched = append(f.matched, gear)
			}
		}
	}
	f.names, f.all = common(f.names, f.matched), false
	clear(f.gear)
	addAll(f.gear, f.matched)
	f.groups, f.rest = x.shape.divide(f.matched, f.groups[:0], f.rest[:0])
	f.whole, f.part = f.groups, f.rest
}

// restrictDocs restricts the documents to the candidates of the query, if it has any.
func (f *filter) restrictDocs(x *core, s *state, q *Query) {
	f.anyOf, f.wanted, f.noneOf = len(q.Defects) > 0, defectSetOf(q.Defects), defectSetOf(q.WithoutDefects)
	candidates := x.candidates(s, f, q)
	if candidates == nil && f.byDefects() {
		candidates = s.docsOf(f)
	}
	if candidates == nil {
		return
	}
	f.narrow, f.whole, f.part = true, nil, nil
	for d := range candidates {
		gear := s.kind[d].gear()
		if f.admits(gear) && (f.has(gear) || f.extras != nil && f.extras.Contains(d)) {
			f.docs = append(f.docs, d)
		}
	}
	f.extras = nil
}

// modelGear returns the gear of a model slug, with or without the brand, or all gear if
// it is "". The list is ascending and must not be modified.
func (x *core) modelGear(model string) (gear []uint16) {
	if model == "" {
		return x.shape.every
	}
	if n, ok := x.lookup.Catalogued(model); ok {
		return []uint16{uint16(n)}
	}
	for _, n := range x.shape.every {
		if inModel(x, model, n) {
			gear = append(gear, n)
		}
	}
	return gear
}

// inModel reports whether a gear has a model slug, with or without the brand.
func inModel(x *core, model string, gear uint16) bool {
	g := x.lookup.At(int(gear))
	brand, slug, branded := strings.Cut(model, "/")
	if branded {
		return g.BrandSlug == brand && g.ModelSlug == slug
	}
	return g.ModelSlug == model
}

// candidates yields, in no order, the documents that q.Seller, the rare columns and q.Deal
// admit. It returns nil if q restricts none of them. f.gear and f.extras must be filled,
// because documents that can't match them may be left out.
func (x *core) candidates(s *state, f *filter, q *Query) (docs iter.Seq[uint32]) {
	if q.Seller != "" {
		docs = slices.Values(s.sellers.docs(q.Seller, s.price))
	}
	for i := range rare {
		if low, high := rare[i].want(q); low > 0 || high > 0 {
			docs = s.rare.with(i, low, high, docs, s.price)
		}
	}
	if q.Deal != "" {
		docs = x.deals(s, f, q, docs)
	}
	return docs
}

// deals yields, in no order, the documents that q.Deal admits: those among docs, or all that
// may meet the filter if docs is nil.
func (x *core) deals(s *state, f *filter, q *Query, docs iter.Seq[uint32]) iter.Seq[uint32] {
	b, ok := x.belowRange(s)
	switch {
	case !ok || q.Deal != prices.BelowRange:
		return func(func(uint32) bool) {}
	case docs == nil:
		return b.docs(f)
	}
	return b.of(docs)
}

// listGroups sets met and counted, so that later steps need not scan all groups. It
// writes every group and overwrites those that do not qualify, because a branch would
// often be mispredicted.
func (f *filter) listGroups(s *state) {
	f.met, f.counted = f.met[:len(f.flags)], f.counted[:len(f.flags)]
	met, counted := 0, 0
	for _, i := range f.whole {
		flags, stocked := f.flags[i], uint32(min(s.size[i], 1))
		f.met[met] = i
		met += int(stocked & meetsAll(flags))
		f.counted[counted] = i
		counted += int(stocked & f.counts(flags))
	}
	f.met, f.counted = f.met[:met], f.counted[:counted]
}

// extras returns the documents that match only with the help of their titles. Some of
// them may have to be discarded (see isExtra). It returns nil if there are none. The
// bitmap is shared and must not be modified.
func (c *scratch) extras(s *state, m *match) *roaring.Bitmap {
	// reached[i] holds the documents that need their titles to match words[:i].
	var reached [catalog.KeywordLimit + 1]*roaring.Bitmap
	for i := range m.words {
		for k := 0; k < catalog.MaxRun && k <= i; k++ {
			r, before, all := &m.runs[i][k], reached[i-k], reached[i+1]
			titled := s.titles.docs(r.term)
			switch {
			case titled != nil && i == k:
				all = union(all, titled) // whatever the gear
			case titled != nil:
				all = union(all, c.withGear(s, titled, m.reach[i-k], r.gear))
				if before != nil {
					all = union(all, roaring.And(before, titled))
				}
			}
			if before != nil && len(r.gear) > 0 {
				all = union(all, c.withGear(s, before, r.gear, m.reach[i-k]))
			}
			reached[i+1] = all
		}
	}
	return reached[len(m.words)]
}

// isExtra reports whether a document in extras counts. It does not if a longer run
// matches its gear, or if it was removed.
func (f *filter) isExtra(s *state, d uint32) bool {
	return s.price[d] != removed && !f.gear.Has(int(s.kind[d].gear()))
}

// withGear returns the documents of docs whose gear is in gear and not in without, or
// nil if there are none. It takes the cheapest of three ways: to search docs for each document of the
// gear, to test its bit, or to look at the gear of each document of docs.
func (c *scratch) withGear(s *state, docs *roaring.Bitmap, gear, without []uint16) *roaring.Bitmap {
	size, words := int(docs.GetCardinality()), (len(s.price)+63)/64
	ofGear := 0
	for _, g := range gear {
		if ofGear += len(s.postings[g].byPublished); ofGear >= size {
			break
		}
	}
	c.found = c.found[:0]
	switch bits := words/wordsPerDoc + bitCost*ofGear; {
	case bits < min(size, askCost*ofGear):
		return c.withGearByBits(s, docs, gear, without, words)
	case askCost*ofGear < size:
		eachOf(s, gear, without, func(d uint32) {
			if docs.Contains(d) {
				c.found = append(c.found, d)
			}
		})
		slices.Sort(c.found)
	default:
		clear(c.set)
		addAll(c.set, gear)
		c.eachMany(docs, func(docs []uint32) {
			for _, d := range docs {
				if c.set.Has(int(s.kind[d].gear())) {
					c.found = append(c.found, d)
				}
			}
		})
	}
	if len(c.found) == 0 {
		return nil
	}
	return roaring.BitmapOf(c.found...)
}

// withGearByBits is withGear with dense bit sets of a number of words.
func (c *scratch) withGearByBits(s *state, docs *roaring.Bitmap, gear, without []uint16, words int) *roaring.Bitmap {
	c.bits, c.both = slices.Grow(c.bits[:0], words)[:words], slices.Grow(c.both[:0], words)[:words]
	clear(c.bits)
	clear(c.both)
	docs.WriteDenseTo(c.bits)
	eachOf(s, gear, without, func(d uint32) { c.both[d/64] |= c.bits[d/64] & (1 << (d % 64)) })
	if both := roaring.FromDense(c.both, true); !both.IsEmpty() {
		return both
	}
	return nil
}

// eachOf calls do with the documents of gear that is not in without.
func eachOf(s *state, gear, without []uint16, do func(d uint32)) {
	for _, g := range gear {
		if _, in := slices.BinarySearch(without, g); in {
			continue
		}
		for _, d := range s.postings[g].byPublished {
			do(d)
		}
	}
}

// eachMany calls do with the documents of a bitmap, up to 512 at a time. The slice is
// reused.
func (c *scratch) eachMany(docs *roaring.Bitmap, do func([]uint32)) {
	if c.many == nil {
		c.many = make([]uint32, 512)
	}
	for it := docs.ManyIterator(); ; {
		n := it.NextMany(c.many)
		if n == 0 {
			return
		}
		do(c.many[:n])
	}
}

// union returns the union of a and b without modifying them. nil is the empty set.
func union(a, b *roaring.Bitmap) *roaring.Bitmap {
	switch {
	case b == nil || b.IsEmpty():
		return a
	case a == nil:
		return b
	default:
		return roaring.Or(a, b)
	}
}

// Costs relative to that of iterating over a document of a bitmap: of testing whether a bitmap contains one
// and sorting it, of testing its bit, and how many words are copied, cleared and counted for one.
const (
	askCost     = 8
	bitCost     = 1
	wordsPerDoc = 3
)

// restrictCells computes the cells that a query admits.
func (f *filter) restrictCells(c *cells, q *Query) {
	restricted := uint8(0)
	for i := range dimensions {
		if dimensions[i].restricts(q) {
			restricted |= 1 << i
		}
	}
	f.anyCell = restricted == 0
	f.margins = f.margins[:0]
	if f.anyCell {
		f.every.admitAll(c)
		f.admission = f.every
		f.margins = append(f.margins, 0)
		return
	}
	f.refused = slices.Grow(f.refused[:0], len(c.values))[:len(c.values)]
	for n, v := range c.values {
		f.refused[n] = 0
		switch {
		case n == 0 || restricted>>v.dimension&1 == 0:
		case !dimensions[v.dimension].admits(q, v.text):
			f.refused[n] = 1 << v.dimension
		case restricted == 1<<v.dimension:
			f.margins = append(f.margins, n)
		}
	}
	some := &f.some
	some.resize(len(c.cells))
	n := 0
	for i := range c.cells {
		missing := uint8(0)
		for _, value := range c.cells[i] {
			missing |= f.refused[value]
		}
		in := (uint32(missing) - 1) >> 31 // 1 if missing is 0; branch-free because a branch is often mispredicted
		some.missing[i], some.cell[i], some.cells[n] = missing, in, uint16(i)
		n += int(in)
	}
	some.cells = some.cells[:n]
	f.admission = *some
}

// release returns the buffers of a search to the pool, without the query, which
// belongs to the caller.
func (x *core) release(c *scratch) {
	c.query = Query{}
	x.scratch.Put(c)
}
