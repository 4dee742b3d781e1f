package search

// margins counts listings by price and by the values of one facet of the gear, as
// cumulative sums over the price like a cube. Margin 0 counts all listings; margin n
// counts those that have the dimension value numbered n in cells.
type margins struct {
	level  *level
	values int
	sums   []uint32 // by row, by margin, by value
}

// newMargins returns margins with all counts 0.
func newMargins(l *level, values int) *margins {
	return &margins{level: l, values: values, sums: make([]uint32, len(l.edges)*l.values*values)}
}

// row returns a margin's counts below an edge, by value.
func (m *margins) row(r, margin int) []uint32 {
	at := (r*m.level.values + margin) * m.values
	return m.sums[at : at+m.values : at+m.values]
}

// addRow adds by to a listing's counts in row r only.
func (m *margins) addRow(r, value int, c cell, by int) {
	m.row(r, 0)[value] += uint32(by)
	for _, margin := range c {
		m.row(r, int(margin))[value] += uint32(by)
	}
}

// add adds by to a listing's counts in every row that counts its price.
func (m *margins) add(value int, price int32, c cell, by int) {
	for r := m.level.row(price); r < len(m.level.edges); r++ {
		m.addRow(r, value, c, by)
	}
}

// sum replaces each row by the sum of the rows up to it.
func (m *margins) sum() {
	stride := m.level.values * m.values
	for i := stride; i < len(m.sums); i++ {
		m.sums[i] += m.sums[i-stride]
	}
}

// count adds to counts, by value, the listings between two rows that a filter admits.
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

// countMargins makes the margins of brands and mounts from the buckets.
func (s *state) countMargins() {
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
