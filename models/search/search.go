package search

import (
	"fmt"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// Search answers a query. It fails, with a *models.Error of kind Invalid, on an
// unknown sort and on a cursor that was not made by this search.
func (x *Index) Search(q Query) (*Result, error) {
	result := &Result{}
	if err := x.SearchInto(result, q); err != nil {
		return nil, err
	}
	return result, nil
}

// SearchInto is Search for a caller who searches often: it writes the answer
// into result, over what was there, in the slices that are there. Whoever keeps
// one result for each request at work, in a sync.Pool, makes next to no garbage.
func (x *Index) SearchInto(result *Result, q Query) error {
	result.reset()
	if err := q.normal(result); err != nil {
		return err
	}
	m := x.match(q.Keyword)
	after, err := q.place(m)
	if err != nil {
		return err
	}
	if m.cut {
		result.Warnings = append(result.Warnings, Warning{"shortened", "keyword", fmt.Sprintf("only the first %d words were looked for", models.KeywordLimit)})
	}

	c := x.scratch.Get().(*scratch)
	defer x.scratch.Put(c)
	x.mu.RLock()
	defer x.mu.RUnlock()
	s := x.state
	asked := m
	if fixed, warnings := s.correct(m); fixed != nil {
		m = x.matchWords(fixed)
		result.Keyword = strings.Join(fixed, " ")
		result.DidYouMean = result.Keyword
		result.Warnings = append(result.Warnings, warnings...)
	}
	result.Named = m.slugs
	f := x.filter(s, c, &q, m)
	c.reset(s)
	s.count(f, c)
	c.facets(&result.Facets, s, q.Region)
	result.Total = c.total
	if c.total == 0 {
		if len(m.slugs) > 0 {
			return nil // none is for sale, and a word less would mean another thing
		}
		if better := x.withoutOne(s, c, &q, m.words); better != "" {
			result.DidYouMean = better
		}
		return nil
	}
	c.hits.reset(q.Sort, q.Limit+1, after)
	s.collect(f, c)
	result.Hits, result.NextCursor = s.page(result.Hits, &c.hits, &q, asked)
	return nil
}

// withoutOne is the keyword that finds most when one word is left out, the
// first of them on a tie; "" when all find nothing.
func (x *Index) withoutOne(s *state, c *scratch, q *Query, words []string) (keyword string) {
	if len(words) < 2 {
		return ""
	}
	most := 0
	for i := range words {
		fewer := slices.Delete(slices.Clone(words), i, i+1)
		c.reset(s)
		s.count(x.filter(s, c, q, x.matchWords(fewer)), c)
		if c.total > most {
			most, keyword = c.total, strings.Join(fewer, " ")
		}
	}
	return keyword
}

// The restrictions that are functions of the gear, as flags of a group that meets them.
const (
	inCategory = 1 << iota
	inBrand
	inMount
	inAll = inCategory | inBrand | inMount
)

// filter is a query made ready.
type filter struct {
	flags []uint8        // by group
	whole []uint16       // groups all of whose gear matches the keyword and the model
	part  []uint16       // the rest of the gear that does
	gear  models.GearSet // all gear that does; nil for all
	named models.GearSet // the gear that the keyword names in full; nil without keyword
	docs  []uint32       // what matches by its title, or when narrow everything there is to look at
	// narrow means that docs is the only place to look, because one seller is asked for.
	narrow bool

	condition    [conditionCount]bool
	region       []bool   // by region number
	cell         []bool   // by cell: condition and region
	cells        []uint16 // those that are let through
	anyCell      bool     // neither condition nor region is restricted
	low, high    int32    // price, both inclusive
	anyPrice     bool
	coarse, fine span // the same in the rows of cubes

	// byKind means that what is found is whole categories, between edges of the
	// fine cubes: the cubes of the categories tell all facets but brand and mount.
	byKind bool
}

// filter makes a query ready. What it returns lives in c.
func (x *Index) filter(s *state, c *scratch, q *Query, m *match) *filter {
	f := &c.filter
	*f = filter{flags: f.flags, docs: f.docs[:0], region: f.region, cell: f.cell, cells: f.cells}
	x.shape.flag(f.flags, q)
	f.restrictCells(s, q)
	f.restrictPrice(q)
	f.whole, f.part, f.gear, f.named = m.whole, m.part, m.gear, m.named
	if q.Model != "" {
		f.restrictModel(x, q.Model)
	}
	extras := s.extras(c, m)
	if q.Seller != "" {
		f.narrow, f.whole, f.part = true, nil, nil
		for _, d := range s.docsOf(strings.ToLower(q.Seller)) {
			if f.gear == nil || f.gear.Has(int(s.gear[d])) || inModel(x, q.Model, s.gear[d]) && contains(extras, d) {
				f.docs = append(f.docs, d)
			}
		}
		return f
	}
	for _, d := range extras {
		if q.Model == "" || inModel(x, q.Model, s.gear[d]) {
			f.docs = append(f.docs, d)
		}
	}
	f.byKind = m.gear == nil && q.Model == "" && len(q.Brands) == 0 && q.Mount == "" && f.fine.exact()
	return f
}

func contains(docs []uint32, d uint32) bool {
	_, ok := slices.BinarySearch(docs, d)
	return ok
}

// inModel reports whether gear is of a model slug, with or without brand.
func inModel(x *Index, model string, gear uint16) bool {
	if model == "" {
		return true
	}
	g := x.lookup.At(int(gear))
	brand, slug, branded := strings.Cut(model, "/")
	if branded {
		return g.BrandSlug == brand && g.ModelSlug == slug
	}
	return g.ModelSlug == model
}

// restrictModel keeps the gear of a model.
func (f *filter) restrictModel(x *Index, model string) {
	of := x.lookup.NewSet()
	f.whole, f.part = nil, nil
	for i := range x.lookup.Size() {
		if (f.gear == nil || f.gear.Has(i)) && inModel(x, model, uint16(i)) {
			of.Add(i)
			f.part = append(f.part, uint16(i))
		}
	}
	f.gear = of
	if f.named != nil {
		f.named = slices.Clone(f.named)
		f.named.And(of)
	}
}

// tier is where relevance puts a document that matches.
func (f *filter) tier(gear int) uint8 {
	switch {
	case f.named == nil || f.named.Has(gear):
		return 0
	case f.gear.Has(gear):
		return 1
	default:
		return 2
	}
}

// flag notes which groups meet the restrictions of category, brand and mount.
func (sh *shape) flag(flags []uint8, q *Query) {
	var categories [32]bool
	for _, c := range models.CategoriesOf(q.Category) {
		categories[slices.Index(models.Categories, c)] = true
	}
	brands := make([]int, 0, 8)
	for _, b := range q.Brands {
		if n, ok := sh.brandNo[b]; ok {
			brands = append(brands, n)
		}
	}
	mount, knownMount := sh.mountNumber(q.Mount)
	for i := range sh.groups {
		g, flag := &sh.groups[i], uint8(0)
		if q.Category == "" || categories[g.category] {
			flag |= inCategory
		}
		if len(q.Brands) == 0 || slices.Contains(brands, g.brand) {
			flag |= inBrand
		}
		if q.Mount == "" || knownMount && slices.Contains(g.mounts, mount) {
			flag |= inMount
		}
		flags[i] = flag
	}
}

// mountNumber finds a mount by its name or its slug.
func (sh *shape) mountNumber(mount string) (n int, ok bool) {
	if mount == "" {
		return 0, false
	}
	if n, ok = sh.mountNo[mount]; !ok {
		n, ok = sh.mountNo[models.Slug(mount)]
	}
	return n, ok
}

func (f *filter) restrictCells(s *state, q *Query) {
	f.anyCell = len(q.Conditions) == 0 && q.Region == ""
	for i, c := range models.Conditions {
		f.condition[i] = len(q.Conditions) == 0 || slices.Contains(q.Conditions, c)
	}
	f.region, f.cell, f.cells = f.region[:0], f.cell[:0], f.cells[:0]
	for _, r := range s.regions {
		in := q.Region == "" || q.Region.Covers(r)
		f.region = append(f.region, in)
		for _, ok := range f.condition {
			if in && ok {
				f.cells = append(f.cells, uint16(len(f.cell)))
			}
			f.cell = append(f.cell, in && ok)
		}
	}
}

func (f *filter) restrictPrice(q *Query) {
	f.anyPrice = q.Min == nil && q.Max == nil
	f.low, f.high = 0, beyond-1
	if q.Min != nil {
		f.low = int32(min(max(*q.Min, 0), beyond-1))
	}
	if q.Max != nil {
		f.high = int32(min(max(*q.Max, -1), beyond-1))
	}
	f.coarse, f.fine = coarseLevel.span(f.low, f.high), fineLevel.span(f.low, f.high)
}
