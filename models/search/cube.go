package search

import "slices"

// cube counts listings by price and cell, as cumulative sums over the price: row r
// counts the listings below edge r of the level, so that the number of listings
// between two edges is the difference of two rows.
type cube interface {
	// count returns the number of listings between two rows that a filter admits. If
	// details is set it also adds their price bands and cells to c.
	count(f *filter, c *scratch, details bool, low, high int) int32
	// add adds by to the counts of a listing. It reports false, and changes nothing, if
	// the cube has no row or column for the listing or if a count would overflow.
	add(price int32, cell uint16, by int) bool
}

// cubeOf is a cube with a column for each cell that any of its listings has. Its first
// row is the first that counts a listing, its last the first that counts all of them.
// T is the smallest type that holds the counts.
type cubeOf[T uint8 | uint16 | uint32] struct {
	level  *level
	cells  []uint16 // by column, ascending
	first  int      // number of the first row
	totals []uint32 // by row: listings in all cells
	counts []T      // by row, by column
}

// level holds the prices that divide the rows of all cubes and the buckets of
// documents: the edges of the bands, and round prices between them, so that no bucket
// has many listings.
type level struct {
	edges    []int32        // ascending; the last is beyond every price
	bands    [bandCount]int // row of the listings below the end of each band
	cells    int            // number of cells when the level was made
	values   int            // capacity of margins, in values
	listings int            // number of listings when the level was made
}

// cubeFrom returns the number of listings from which on a group has a cube. It loses
// the cube when it has fewer than half as many. For smaller groups, counting the
// listings one by one takes about as long as adding rows, and less memory.
func (l *level) cubeFrom() int32 { return int32(max(minCubeFrom, l.cells/3)) }

const minCubeFrom = 96

// parts bounds the size of buckets: no bucket has more than one in parts of the
// listings. A higher number makes cubes larger; a lower number leaves more listings to
// scan between a bound of the price and the next edge.
const parts = 22

// newLevel returns a level for a number of listings, given a sample of their prices.
// It sorts the sample.
func newLevel(listings int, c *cells, sample []int32) *level {
	l := &level{cells: len(c.cells), values: grownSize(len(c.values)), listings: listings}
	slices.Sort(sample)
	most := len(sample) / parts
	for b, high := range append(slices.Clone(bandEdges[1:]), beyond) {
		var band []int32
		band, sample = cutBelow(sample, high)
		l.cut(band, most)
		l.bands[b] = len(l.edges)
		l.edges = append(l.edges, high)
	}
	return l
}

// grownSize returns a capacity for n values that allows for some growth before the
// level must be made again.
func grownSize(n int) int { return n + n/16 + 4 }

// cut divides ascending prices until no part has more than most. It cuts at the
// roundest price in the middle half, because shoppers choose round prices as bounds:
// if the bound is an edge, no listings are between the two.
func (l *level) cut(sample []int32, most int) {
	if len(sample) <= most {
		return
	}
	end, quarter := len(sample)-1, len(sample)/4
	low, high := sample[quarter], sample[end-quarter]
	if low == high { // most prices are the same
		low, high = sample[0], sample[end]
	}
	if low == high {
		return
	}
	edge := roundest(low+1, high, sample[end/2])
	cheaper, rest := cutBelow(sample, edge)
	l.cut(cheaper, most)
	l.edges = append(l.edges, edge)
	l.cut(rest, most)
}

// roundest returns the price from least to most with the fewest significant digits,
// where a last digit five counts as half a digit; of several, the one nearest to near.
func roundest(least, most, near int32) int32 {
	for step := int32(1_000_000_000); ; step /= 10 {
		for _, step := range [...]int32{step, max(step/2, 1)} {
			if first, last := (least+step-1)/step*step, most/step*step; first <= last {
				return min(max((near+step/2)/step*step, first), last)
			}
		}
	}
}

// cutBelow divides ascending prices into those below edge and the rest.
func cutBelow(prices []int32, edge int32) (below, rest []int32) {
	at, _ := slices.BinarySearch(prices, edge)
	return prices[:at], prices[at:]
}

// row returns the first row that counts a price.
func (l *level) row(price int32) int {
	low, high := 0, len(l.edges)-1
	for low < high {
		if mid := int(uint(low+high) >> 1); l.edges[mid] <= price {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// sample returns the prices of some documents, evenly spaced.
func sample[T any](docs []T, price func(T) int32) (prices []int32) {
	const most = 1 << 14
	for i := 0; i < len(docs); i += 1 + len(docs)/most {
		prices = append(prices, price(docs[i]))
	}
	return prices
}

// addUp replaces each row of numbers by the sum of the rows up to it. row is the row
// length.
func addUp(numbers []uint32, row int) {
	for i := row; i < len(numbers); i++ {
		numbers[i] += numbers[i-row]
	}
}

// convert returns numbers as values of type T, which must be able to hold them.
func convert[T uint8 | uint16](numbers []uint32) []T {
	converted := make([]T, len(numbers))
	for i, n := range numbers {
		converted[i] = T(n)
	}
	return converted
}

// add implements cube.
func (c *cubeOf[T]) add(price int32, cell uint16, by int) bool {
	r := c.level.row(price) - c.first
	column, ok := slices.BinarySearch(c.cells, cell)
	if !ok || r < 0 || r >= len(c.totals) || by > 0 && c.row(len(c.totals) - 1)[column] == ^T(0) {
		return false
	}
	for ; r < len(c.totals); r++ {
		c.totals[r] += uint32(by)
		c.row(r)[column] += T(by)
	}
	return true
}

// count implements cube.
func (c *cubeOf[T]) count(f *filter, into *scratch, details bool, low, high int) int32 {
	if !f.anyCell {
		into.columns = c.admitted(into.columns, f)
	}
	if details {
		c.addCells(into.cells, low, high)
		below := uint32(0)
		for band, row := range c.level.bands { // regardless of the price filter
			n := c.below(f, into.columns, row)
			into.bands[band] += n - below
			below = n
		}
	}
	return int32(c.below(f, into.columns, high) - c.below(f, into.columns, low))
}

// admitted returns the columns whose cells a filter admits, using columns as its
// buffer. It writes every column and overwrites those that are not admitted, because a
// branch would often be mispredicted.
func (c *cubeOf[T]) admitted(columns []uint16, f *filter) []uint16 {
	if len(c.cells) == len(f.cell) {
		return append(columns[:0], f.cells...) // every cell has a column
	}
	columns = slices.Grow(columns[:0], len(c.cells))[:len(c.cells)]
	n, in := 0, f.cell
	for column, cell := range c.cells {
		columns[n] = uint16(column)
		n += int(in[cell])
	}
	return columns[:n]
}

// below returns the number of listings below an edge that a filter admits. columns are
// the admitted columns; they are ignored if the filter admits all cells.
func (c *cubeOf[T]) below(f *filter, columns []uint16, edge int) (n uint32) {
	r := c.index(edge)
	if r < 0 {
		return 0
	}
	if f.anyCell {
		return c.totals[r]
	}
	counts := c.row(r)
	for _, column := range columns {
		n += uint32(counts[column])
	}
	return n
}

// addCells adds the counts between two edges to cells.
func (c *cubeOf[T]) addCells(cells []uint32, low, high int) {
	to, from := c.index(high), c.index(low)
	if to < 0 {
		return
	}
	counts := c.row(to)
	if from < 0 {
		for column, cell := range c.cells {
			cells[cell] += uint32(counts[column])
		}
		return
	}
	less := c.row(from)
	for column, cell := range c.cells {
		cells[cell] += uint32(counts[column]) - uint32(less[column])
	}
}

// index returns the index in the cube of the row of an edge. It is negative if no
// listing is below the edge.
func (c *cubeOf[T]) index(edge int) int { return min(edge-c.first, len(c.totals)-1) }

// row returns the counts by column of row i.
func (c *cubeOf[T]) row(i int) []T {
	columns := len(c.cells)
	return c.counts[i*columns : (i+1)*columns : (i+1)*columns]
}

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
