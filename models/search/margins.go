package search

// margins counts listings by price and by the values of one facet of the gear,
// summed along the price as in a cube: all of them, those in each condition
// whatever the region, and those in each region whatever the condition.
type margins struct {
	level  *level
	values int
	sums   []uint32 // by row, by margin, by value
}

// The numbers of the margins; those of conditions and regions are added.
const (
	marginOfAll       = 0
	marginOfCondition = 1
	marginOfRegion    = marginOfCondition + conditionCount
)

func newMargins(l *level, values int) *margins {
	return &margins{level: l, values: values, sums: make([]uint32, len(l.edges)*l.margins()*values)}
}

// margins is how many there are.
func (l *level) margins() int { return marginOfRegion + l.cells/conditionCount }

// row is a margin's counts below an edge, by value.
func (m *margins) row(r, margin int) []uint32 {
	at := (r*m.level.margins() + margin) * m.values
	return m.sums[at : at+m.values : at+m.values]
}

// note counts a listing in the first row that counts for it, and add in all of them.
func (m *margins) note(r, value int, cell uint16, by int) {
	for _, margin := range [...]int{marginOfAll, marginOfCondition + int(cell%conditionCount), marginOfRegion + int(cell/conditionCount)} {
		m.row(r, margin)[value] += uint32(by)
	}
}

func (m *margins) add(value int, price int32, cell uint16, by int) {
	for r := m.level.row(price); r < len(m.level.edges); r++ {
		m.note(r, value, cell, by)
	}
}

// sum makes counts below edges of what was noted between them.
func (m *margins) sum() {
	stride := m.level.margins() * m.values
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
			g := &s.shape.groups[s.shape.groupOf[kind.gear()]]
			if g.brand >= 0 {
				s.brands.note(r, g.brand, kind.cell(), 1)
			}
			for _, mount := range g.mounts {
				s.mounts.note(r, mount, kind.cell(), 1)
			}
		}
	}
	s.brands.sum()
	s.mounts.sum()
}
