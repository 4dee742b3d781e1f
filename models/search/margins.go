package search

// margins counts listings by price and by the values of one facet of the gear,
// summed along the price as in a cube. Margin 0 counts all of them; the others
// count those with one value of a dimension, by the number cells has for it.
type margins struct {
	level  *level
	values int
	sums   []uint32 // by row, by margin, by value
}

func newMargins(l *level, values int) *margins {
	return &margins{level: l, values: values, sums: make([]uint32, len(l.edges)*l.values*values)}
}

// row is a margin's counts below an edge, by value.
func (m *margins) row(r, margin int) []uint32 {
	at := (r*m.level.values + margin) * m.values
	return m.sums[at : at+m.values : at+m.values]
}

// note counts a listing in the first row that counts for it, and add in all of them.
func (m *margins) note(r, value int, c cell, by int) {
	m.row(r, 0)[value] += uint32(by)
	for _, margin := range c {
		m.row(r, int(margin))[value] += uint32(by)
	}
}

func (m *margins) add(value int, price int32, c cell, by int) {
	for r := m.level.row(price); r < len(m.level.edges); r++ {
		m.note(r, value, c, by)
	}
}

// sum makes counts below edges of what was noted between them.
func (m *margins) sum() {
	stride := m.level.values * m.values
	for i := stride; i < len(m.sums); i++ {
		m.sums[i] += m.sums[i-stride]
	}
}

// count counts, by value, what a filter lets through between two rows.
func (m *margins) count(f *filter, counts []int, low, high int) {
	for _, margin := range f.margins {
		if high >= 0 {
			for value, n := range m.row(high, margin) {
				counts[value] += int(n)
			}
		}
		if low >= 0 {
			for value, n := range m.row(low, margin) {
				counts[value] -= int(n)
			}
		}
	}
}

// countMargins counts the documents in the buckets by brand and by mount.
func (s *state) countMargins() {
	s.brands, s.mounts = newMargins(s.level, len(s.shape.brands)), newMargins(s.level, len(s.shape.mounts))
	for r, docs := range s.buckets {
		for _, d := range docs {
			kind := s.kind[d]
			c := s.cells.cells[kind.cell()]
			g := &s.shape.groups[s.shape.groupOf[kind.gear()]]
			if g.brand >= 0 {
				s.brands.note(r, g.brand, c, 1)
			}
			for _, mount := range g.mounts {
				s.mounts.note(r, mount, c, 1)
			}
		}
	}
	s.brands.sum()
	s.mounts.sum()
}
