package search

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// Search answers a query. It fails, with a *models.Error of kind Invalid, on an
// unknown sort and on a cursor that was not made by this search.
func (x *Index) Search(q Query) (*Result, error) {
	result := &Result{}
	var err error
	if result.Warnings, err = q.normal(); err != nil {
		return nil, err
	}
	after, err := q.place()
	if err != nil {
		return nil, err
	}
	words, cut := models.KeywordWords(q.Keyword)
	if cut {
		result.Warnings = append(result.Warnings, Warning{"shortened", "keyword", fmt.Sprintf("only the first %d words were looked for", models.KeywordLimit)})
	}

	c := x.scratch.Get().(*scratch)
	defer x.scratch.Put(c)
	x.mu.RLock()
	defer x.mu.RUnlock()
	s := x.state
	if fixed, warnings := s.correct(words); fixed != nil {
		words = fixed
		result.Keyword = strings.Join(words, " ")
		result.DidYouMean = result.Keyword
		result.Warnings = append(result.Warnings, warnings...)
	}
	f := x.filter(s, c, &q, words)
	c.reset(s)
	s.count(f, c)
	result.Facets = c.facets(s, q.Region)
	result.Total = c.total
	if c.total == 0 {
		if better := x.withoutOne(s, c, &q, words); better != "" {
			result.DidYouMean = better
		}
		return result, nil
	}
	c.hits.reset(q.Sort, q.Limit+1, after)
	s.collect(f, c)
	result.Hits, result.NextCursor = s.page(&c.hits, &q)
	return result, nil
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
		s.count(x.filter(s, c, q, fewer), c)
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
	gear  models.GearSet // that matches by itself; nil for all
	named models.GearSet // that the keyword names in full; nil when there is no keyword
	docs  []uint32       // what matches by its title, or when narrow everything to look at
	// narrow means that docs is the only place to look, because one seller is asked for.
	narrow bool

	condition [conditionCount]bool
	region    []bool // by region number
	cell      []bool // by cell: condition and region
	anyCell   bool   // neither condition nor region is restricted
	low, high int32  // price, both inclusive
	anyPrice  bool
}

// filter makes a query ready. What it returns lives in c.
func (x *Index) filter(s *state, c *scratch, q *Query, words []string) *filter {
	f := &c.filter
	*f = filter{flags: f.flags, docs: f.docs[:0], region: f.region, cell: f.cell}
	x.shape.flag(f.flags, q)
	f.restrictCells(s, q)
	f.restrictPrice(q)
	f.gear = x.gearOfModel(q.Model)
	if len(words) == 0 {
		if q.Seller != "" {
			f.narrowTo(s, q.Seller, func(d uint32) bool { return f.gear == nil || f.gear.Has(int(s.gear[d])) })
		}
		return f
	}
	m := x.match(words)
	model := f.gear
	f.named, f.gear = m.named, m.gear()
	if model != nil {
		f.gear = slices.Clone(f.gear)
		f.gear.And(model)
		f.named = slices.Clone(f.named)
		f.named.And(model)
	}
	extras := s.extras(m)
	switch {
	case q.Seller != "":
		f.narrowTo(s, q.Seller, func(d uint32) bool {
			return f.gear.Has(int(s.gear[d])) || extras != nil && extras.Contains(d) && (model == nil || model.Has(int(s.gear[d])))
		})
	case extras != nil:
		for it := extras.Iterator(); it.HasNext(); {
			if d := it.Next(); model == nil || model.Has(int(s.gear[d])) {
				f.docs = append(f.docs, d)
			}
		}
	}
	return f
}

// narrowTo looks only at a seller's documents, those that keep says match.
func (f *filter) narrowTo(s *state, seller string, keep func(uint32) bool) {
	f.narrow = true
	n, ok := s.sellers[strings.ToLower(seller)]
	if !ok {
		return
	}
	for _, d := range s.bySeller[n] {
		if keep(d) {
			f.docs = append(f.docs, d)
		}
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
	categories := models.CategoriesOf(q.Category)
	var inCategories [32]bool
	for _, c := range categories {
		inCategories[slices.Index(models.Categories, c)] = true
	}
	mount, knownMount := sh.mountNo[models.Slug(q.Mount)]
	brands := make([]int, 0, 8)
	for _, b := range q.Brands {
		if n, ok := sh.brandNo[b]; ok {
			brands = append(brands, n)
		}
	}
	for i := range sh.groups {
		g, flag := &sh.groups[i], uint8(0)
		if q.Category == "" || inCategories[g.category] {
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

func (f *filter) restrictCells(s *state, q *Query) {
	f.anyCell = len(q.Conditions) == 0 && q.Region == ""
	for i, c := range models.Conditions {
		f.condition[i] = len(q.Conditions) == 0 || slices.Contains(q.Conditions, c)
	}
	f.region, f.cell = f.region[:0], f.cell[:0]
	for _, r := range s.regions {
		in := q.Region == "" || q.Region.Covers(r)
		f.region = append(f.region, in)
		for _, ok := range f.condition {
			f.cell = append(f.cell, in && ok)
		}
	}
}

func (f *filter) restrictPrice(q *Query) {
	f.anyPrice = q.Min == nil && q.Max == nil
	f.low, f.high = 0, math.MaxInt32-1
	if q.Min != nil {
		f.low = int32(min(max(*q.Min, 0), math.MaxInt32-1))
	}
	if q.Max != nil {
		f.high = int32(min(max(*q.Max, -1), math.MaxInt32-1))
	}
}

// gearOfModel is the gear of a model slug, with or without brand; nil for no restriction.
func (x *Index) gearOfModel(model string) models.GearSet {
	if model == "" {
		return nil
	}
	set := x.lookup.NewSet()
	for i := range x.lookup.Size() {
		if g := x.lookup.At(i); g.ModelSlug != "" && (g.ModelSlug == model || g.Slug() == model) {
			set.Add(i)
		}
	}
	return set
}
