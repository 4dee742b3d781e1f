package search

import "slices"

// cube counts the listings of a group by price and by cell (region and
// condition), summed along the price: row r counts those below edge r, so that
// whatever is between two edges is the difference of two rows. T is as wide as
// the greatest count needs.
type cube[T uint16 | uint32] struct {
	level  *level
	stride int // numbers in a row: one for all cells together, then one for each
	sums   []T // rows
}

// level is the prices at which a cube's rows end, and the greatest possible
// price behind them.
type level struct {
	edges []int32
	bands [bandCount]int // row of the listings below the end of each band
}

// Groups too small for a cube are looked through. The finer edges are budgets
// that shoppers ask for, from and up to that price.
var (
	coarseLevel = newLevel(bandEdges[1:]...)
	fineLevel   = newLevel(withEnds(50, 100, 150, 200, 250, 300, 400, 500, 600, 700, 800, 1000, 1200, 1500, 2000, 2500, 3000, 4000, 5000)...)
)

// A group has a coarse cube from half as many listings on as there are numbers
// in a row, and a fine one from so many for each of them, which keeps all cubes
// together to a few bytes a listing.
const fineFrom = 24

const beyond = 1 << 30 // above every price

func withEnds(prices ...int32) []int32 {
	var edges []int32
	for _, p := range prices {
		edges = append(edges, p*100, p*100+1)
	}
	return edges
}

func newLevel(edges ...int32) *level {
	l := &level{edges: append(slices.Clone(edges), beyond)}
	for b := range bandCount - 1 {
		l.bands[b] = slices.Index(l.edges, bandEdges[b+1])
	}
	l.bands[bandCount-1] = len(l.edges) - 1
	return l
}

// newCube counts documents of ascending price.
func newCube[T uint16 | uint32](l *level, s *state, docs []uint32) *cube[T] {
	c := &cube[T]{level: l, stride: s.stride, sums: make([]T, len(l.edges)*s.stride)}
	c.count(s, docs)
	c.sum()
	return c
}

// count puts documents of ascending price into the rows they are the first to
// count for. Once all are in, sum adds the rows up.
func (c *cube[T]) count(s *state, docs []uint32) {
	at := 0
	for _, d := range docs {
		for s.price[d] >= c.level.edges[at] {
			at++
		}
		row := c.row(at)
		row[0]++
		row[1+s.cell[d]]++
	}
}

func (c *cube[T]) sum() {
	for i := c.stride; i < len(c.sums); i++ {
		c.sums[i] += c.sums[i-c.stride]
	}
}

// add counts a listing, or takes it back with by −1.
func (c *cube[T]) add(price int32, cell uint16, by int) {
	for r := len(c.level.edges) - 1; r >= 0 && c.level.edges[r] > price; r-- {
		row := c.row(r)
		row[0] += T(by)
		row[1+cell] += T(by)
	}
}

// row is the counts below an edge; of row −1, no counts: nil.
func (c *cube[T]) row(r int) []T {
	if r < 0 {
		return nil
	}
	return c.sums[r*c.stride : (r+1)*c.stride : (r+1)*c.stride]
}

// span is a range of prices in the rows of a level: what lies between two rows,
// and the ranges before and behind that have to be looked through. Ranges
// include both ends and are empty when they end before they begin.
type span struct {
	low, high     int // rows; low may be −1
	before, after [2]int32
}

// exact reports whether the rows tell all.
func (sp *span) exact() bool { return sp.before[0] > sp.before[1] && sp.after[0] > sp.after[1] }

func (l *level) span(low, high int32) span {
	sp := span{low: -1, before: [2]int32{0, -1}, after: [2]int32{0, -1}}
	at, exact := slices.BinarySearch(l.edges, low) // the first row that ends at low or above
	switch {
	case exact:
		sp.low = at
	case low > 0:
		sp.low = at
		sp.before = [2]int32{low, l.edges[at] - 1}
	}
	at, exact = slices.BinarySearch(l.edges, high+1)
	if !exact {
		at--
	}
	sp.high = at
	if sp.high < sp.low || sp.high < 0 { // no edge in between
		return span{low: -1, high: -1, before: [2]int32{low, high}, after: [2]int32{0, -1}}
	}
	sp.after = [2]int32{l.edges[at], high}
	return sp
}
