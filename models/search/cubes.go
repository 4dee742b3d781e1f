package search

import (
	"cmp"
	"math"
	"slices"
	"sync"
)

// cubes holds the documents by price, and their counts by price and the values of facets.
type cubes struct {
	lists
	level   *level
	buckets [][]uint32 // by row of the level: its documents, by price and then by number
	kinds   []cube     // by category
	brands  *margins
	mounts  *margins
	stock   []stock // by group
	size    []int32 // by group: number of listings; not in stock so that scans access adjacent memory
}

// stock holds the listings of one group: a small group has all of them in few, in no
// particular order, a larger group has a cube.
type stock struct {
	few  []item
	cube cube
}

// item holds the fields of a listing that are counted.
type item struct {
	price int32
	cell  uint16
}

// redivide makes the level, buckets and cubes again for the current documents.
func (s *cubes) redivide() {
	docs := slices.Concat(s.buckets...)
	s.level = newLevel(len(docs), s.cells, sample(docs, func(d uint32) int32 { return s.price[d] }))
	s.divide(docs)
}

// divide distributes all documents, which must be in ascending order of price, to the
// buckets of the level, and makes the cubes and margins.
func (s *cubes) divide(docs []uint32) {
	s.buckets = make([][]uint32, len(s.level.edges))
	for r, edge := range s.level.edges {
		n := s.priceFrom(docs, edge)
		s.buckets[r], docs = docs[:n:n], docs[n:]
	}
	var work sync.WaitGroup
	work.Go(s.countMargins)
	work.Go(func() {
		s.kinds = make([]cube, len(s.shape.ofCategory))
		for category := range s.kinds {
			s.countKind(category)
		}
	})
	work.Go(func() {
		for i := range s.stock {
			s.rebuildGroup(i)
		}
	})
	work.Wait()
}

// countKind makes the cube of a category.
func (s *cubes) countKind(category int) {
	s.kinds[category] = newCube(s, s.shape.ofCategory[category]...)
}

// inBucket returns the bucket of a document and the document's index in it.
func (s *cubes) inBucket(d uint32) (bucket *[]uint32, at int) {
	bucket = &s.buckets[s.level.row(s.price[d])]
	at, _ = slices.BinarySearchFunc(*bucket, d, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(s.price[a], s.price[b]), cmp.Compare(a, b))
	})
	return bucket, at
}

// insertPrice inserts a document into its bucket.
func (s *cubes) insertPrice(d uint32) {
	bucket, at := s.inBucket(d)
	*bucket = slices.Insert(*bucket, at, d)
}

// removePrice removes a document from its bucket.
func (s *cubes) removePrice(d uint32) {
	bucket, at := s.inBucket(d)
	*bucket = slices.Delete(*bucket, at, at+1)
}

// newCube returns the cube of the documents of groups.
func newCube(s *cubes, groups ...uint16) cube {
	cells, columns := s.columnsOf(groups)
	totals, counts := make([]uint32, len(s.level.edges)), make([]uint32, len(s.level.edges)*len(cells))
	first, last := len(s.level.edges)-1, 0
	for d := range s.docsIn(groups) {
		r := s.level.row(s.price[d])
		totals[r]++
		counts[r*len(cells)+int(columns[s.kind[d].cell()])]++
		first, last = min(first, r), max(last, r)
	}
	first = min(first, last) // if there are no documents
	totals, counts = slices.Clone(totals[first:last+1]), counts[first*len(cells):(last+1)*len(cells)]
	addUp(totals, 1)
	addUp(counts, len(cells))
	most := uint32(0)
	for _, n := range counts[len(counts)-len(cells):] {
		most = max(most, n)
	}
	switch {
	case most <= math.MaxUint8:
		return &cubeOf[uint8]{s.level, cells, first, totals, convert[uint8](counts)}
	case most <= math.MaxUint16:
		return &cubeOf[uint16]{s.level, cells, first, totals, convert[uint16](counts)}
	default:
		return &cubeOf[uint32]{s.level, cells, first, totals, slices.Clone(counts)}
	}
}

// columnsOf returns the cells that the documents of groups have, ascending, and for each
// cell its index among them.
func (s *cubes) columnsOf(groups []uint16) (cells, columns []uint16) {
	columns = make([]uint16, len(s.cells.cells))
	for d := range s.docsIn(groups) {
		columns[s.kind[d].cell()] = 1
	}
	for cell, present := range columns {
		columns[cell] = uint16(len(cells))
		if present != 0 {
			cells = append(cells, uint16(cell))
		}
	}
	return slices.Clip(cells), columns
}

// bound expresses a price in rows of a level: the listings below the price are those
// of row plus docs if by is 1, or minus docs if by is −1. The row is that of the
// nearer edge, so that docs is short.
type bound struct {
	row  int // −1 for none
	docs []uint32
	by   int32
}

// below returns the bound of a price.
func (s *cubes) below(price int32) bound {
	if price <= 0 {
		return bound{row: -1}
	}
	row := s.level.row(price - 1)
	docs := s.buckets[row]
	at := s.priceFrom(docs, price)
	if at <= len(docs)/2 {
		return bound{row: row - 1, docs: docs[:at], by: 1}
	}
	return bound{row: row, docs: docs[at:], by: -1}
}

// countMargins makes the margins of brands and mounts from the buckets.
func (s *cubes) countMargins() {
	s.brands, s.mounts = newMargins(s.level, len(s.shape.brands)), newMargins(s.level, len(s.shape.mounts))
	for r, docs := range s.buckets {
		for _, d := range docs {
			kind := s.kind[d]
			c := s.cells.cells[kind.cell()]
			g := &s.shape.groups[s.shape.groupOf[kind.gear()]]
			if g.brand >= 0 {
				s.brands.addRow(r, g.brand, c, 1)
			}
			for _, mount := range g.mounts {
				s.mounts.addRow(r, mount, c, 1)
			}
		}
	}
	s.brands.sum()
	s.mounts.sum()
}

// updateCounts adds by, 1 or −1, to all counts of a document.
func (s *cubes) updateCounts(d uint32, by int) {
	i := int(s.shape.groupOf[s.kind[d].gear()])
	st, price, cell := &s.stock[i], s.price[d], s.kind[d].cell()
	s.size[i] += int32(by)
	count := s.size[i]
	g := &s.shape.groups[i]
	if !s.kinds[g.category].add(price, cell, by) {
		s.countKind(g.category)
	}
	if g.brand >= 0 {
		s.brands.add(g.brand, price, s.cells.cells[cell], by)
	}
	for _, mount := range g.mounts {
		s.mounts.add(mount, price, s.cells.cells[cell], by)
	}
	from := s.level.cubeFrom()
	switch {
	case st.cube != nil && count >= from/2 && st.cube.add(price, cell, by):
	case st.cube != nil || count >= from:
		s.rebuildGroup(i)
	case by > 0:
		st.few = append(st.few, item{price, cell})
	default:
		at, last := slices.Index(st.few, item{price, cell}), len(st.few)-1
		st.few[at], st.few = st.few[last], st.few[:last]
	}
}

// rebuildGroup makes the list or the cube of a group, depending on its size.
func (s *cubes) rebuildGroup(i int) {
	st, count := &s.stock[i], s.size[i]
	st.few, st.cube = nil, nil
	switch {
	case count < s.level.cubeFrom():
		g := &s.shape.groups[i]
		st.few = make([]item, 0, count)
		for gear := g.from; gear < g.to; gear++ {
			for _, d := range s.postings[gear].byPublished {
				st.few = append(st.few, item{s.price[d], s.kind[d].cell()})
			}
		}
	default:
		st.cube = newCube(s, uint16(i))
	}
}

// listingsIn returns the number of listings in groups.
func (s *cubes) listingsIn(groups []uint16) (n int) {
	for _, i := range groups {
		n += int(s.size[i])
	}
	return n
}

// kindOf returns the kind of an entry. It makes the level again if the entry has a new
// value that exceeds the capacity of margins.
func (s *cubes) kindOf(e *entry) kind {
	k := kind(e.gear)<<16 | kind(s.cells.cell(e.values))
	if len(s.cells.values) > s.level.values {
		s.redivide()
	}
	return k
}
