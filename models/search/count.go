package search

import (
	"cmp"
	"slices"

	"github.com/secondlight/secondlight/models"
)

// scratch is what one search needs to work with, used again by the next.
type scratch struct {
	filter filter
	hits   hits
	rest   models.GearSet

	total      int
	categories []int
	brands     []int
	mounts     []int
	bands      [bandCount]int
	cells      []int // within price, of any condition and region
}

func newScratch(sh *shape) *scratch {
	return &scratch{
		filter:     filter{flags: make([]uint8, len(sh.groups))},
		categories: make([]int, len(models.Categories)), brands: make([]int, len(sh.brands)), mounts: make([]int, len(sh.mounts)),
	}
}

func (c *scratch) reset(s *state) {
	c.total = 0
	clear(c.categories)
	clear(c.brands)
	clear(c.mounts)
	c.bands = [bandCount]int{}
	c.cells = slices.Grow(c.cells[:0], len(s.regions)*conditionCount)[:len(s.regions)*conditionCount]
	clear(c.cells)
}

// count counts what a filter lets through, for every facet at once: a listing
// counts for a facet when it meets every restriction but that facet's own.
func (s *state) count(f *filter, c *scratch) {
	if !f.narrow {
		for i := range s.shape.groups {
			if flags := f.flags[i]; flags&(flags-1) == 0 || flags == 0 {
				continue // two restrictions failed: it counts nowhere
			}
			g := &s.shape.groups[i]
			for gear := g.from; gear < g.to; gear++ {
				if f.gear == nil || f.gear.Has(gear) {
					s.countShelf(f, c, g, f.flags[i], &s.shelves[gear])
				}
			}
		}
	}
	for _, d := range f.docs {
		s.countDoc(f, c, d)
	}
	for cell, n := range c.cells {
		if f.cell[cell] {
			c.total += n
		}
	}
}

func (s *state) countShelf(f *filter, c *scratch, g *group, flags uint8, shelf *shelf) {
	docs := shelf.byPrice
	if len(docs) == 0 {
		return
	}
	if flags == inAll {
		for _, d := range docs {
			if f.cell[s.cell[d]] {
				c.bands[bandOf(s.price[d])]++
			}
		}
	}
	if !f.anyPrice {
		from := s.priceFrom(docs, f.low)
		docs = docs[from:max(from, s.priceFrom(docs, f.high+1))]
	}
	n := len(docs)
	if !f.anyCell {
		n = 0
		for _, d := range docs {
			if f.cell[s.cell[d]] {
				n++
			}
		}
	}
	if flags == inAll {
		for _, d := range docs {
			c.cells[s.cell[d]]++
		}
	}
	c.add(g, flags, n)
}

// add counts n listings of a group for the facets that its flags allow.
func (c *scratch) add(g *group, flags uint8, n int) {
	if flags|inCategory == inAll {
		c.categories[g.category] += n
	}
	if flags|inBrand == inAll && g.brand >= 0 {
		c.brands[g.brand] += n
	}
	if flags|inMount == inAll {
		for _, m := range g.mounts {
			c.mounts[m] += n
		}
	}
}

func (s *state) countDoc(f *filter, c *scratch, d uint32) {
	group := s.shape.groupOf[s.gear[d]]
	flags, cell, price := f.flags[group], s.cell[d], s.price[d]
	if flags == inAll && f.cell[cell] {
		c.bands[bandOf(price)]++
	}
	if price < f.low || price > f.high {
		return
	}
	if flags == inAll {
		c.cells[cell]++
	}
	if f.cell[cell] {
		c.add(&s.shape.groups[group], flags, 1)
	}
}

// facets writes the counts down.
func (c *scratch) facets(s *state, chosen models.Region) Facets {
	var f Facets
	for i, n := range c.categories {
		if n > 0 {
			f.Category = append(f.Category, Count{string(models.Categories[i]), n})
		}
	}
	f.Brand = counts(s.shape.brands, c.brands)
	f.Mount = counts(s.shape.mounts, c.mounts)
	for i, n := range c.bands {
		if n > 0 {
			b := Band{Least: models.Cents(bandEdges[i]), Count: n}
			if i+1 < bandCount {
				b.Most = models.Cents(bandEdges[i+1]) - 1
			}
			f.Price = append(f.Price, b)
		}
	}
	f.Condition, f.Region = c.cellFacets(s, chosen)
	return f
}

// cellFacets reads conditions and regions off the cells: each is summed over
// what the other's restriction lets through.
func (c *scratch) cellFacets(s *state, chosen models.Region) (conditions, regions []Count) {
	f := &c.filter
	var byCondition [conditionCount]int
	byRegion := map[models.Region]int{}
	for i, r := range s.regions {
		n := 0
		for k, count := range c.cells[i*conditionCount : (i+1)*conditionCount] {
			if f.region[i] {
				byCondition[k] += count
			}
			if f.condition[k] {
				n += count
			}
		}
		if n == 0 || r == "" {
			continue
		}
		byRegion[r.Country()] += n
		if r != r.Country() && r.Country() == chosen.Country() {
			byRegion[r] += n
		}
	}
	for k, n := range byCondition {
		if n > 0 {
			conditions = append(conditions, Count{string(models.Conditions[k]), n})
		}
	}
	for r, n := range byRegion {
		regions = append(regions, Count{string(r), n})
	}
	slices.SortFunc(regions, func(a, b Count) int {
		return cmp.Or(cmp.Compare(min(len(a.Value), 3), min(len(b.Value), 3)), byCount(a, b))
	})
	return conditions, regions
}

func counts(names []string, numbers []int) []Count {
	var list []Count
	for i, n := range numbers {
		if n > 0 {
			list = append(list, Count{names[i], n})
		}
	}
	slices.SortFunc(list, byCount)
	return list
}

// byCount puts the most frequent first, and orders equal ones by name.
func byCount(a, b Count) int {
	return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Value, b.Value))
}
