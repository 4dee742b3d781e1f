package search

import (
	"cmp"
	"slices"
	"sync"
)

// cube counts listings by price and by cell (region and condition), summed along
// the price: row r counts those below edge r, so that whatever is between two
// edges is the difference of two rows. It begins with the first row that counts
// any, and ends with the first that counts all. T is as wide as the greatest
// count needs.
type cube[T uint16 | uint32] struct {
	level  *level
	first  int // number of the first row
	stride int // numbers in a row: one for all cells together, then one for each
	sums   []T // rows
}

// level is the prices at which the rows of all cubes end, and the buckets of
// documents with them: the edges of the bands, and round prices between them, so
// that no bucket has many listings.
type level struct {
	edges    []int32        // ascending; the last is beyond every price
	bands    [bandCount]int // row of the listings below the end of each band
	cells    int            // room for so many cells in a row of a cube
	values   int            // and for so many values in margins
	listings int            // there were when they were divided
}

// Groups from so many listings on have a cube, until they have fewer than
// cubeUntil; smaller ones are looked through as fast.
const (
	cubeFrom  = 96
	cubeUntil = cubeFrom / 2
)

// parts says that no bucket has more than one in so many listings. More make cubes
// larger, fewer leave more listings to look through between a bound of the price
// and the next edge.
const parts = 26

const beyond = 1 << 30 // above every price

// newLevel divides listings by a sample of their prices.
func newLevel(listings int, c *cells, sample []int32) *level {
	l := &level{cells: withRoom(len(c.cells)), values: withRoom(len(c.values)), listings: listings}
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

// withRoom returns a number somewhat larger than n, so that numbers can grow
// often before the prices are divided anew.
func withRoom(n int) int { return n + n/8 + 8 }

// cut divides ascending prices until no part has more than most. It cuts where
// people put a bound, at the roundest price in the middle half: with an edge
// there, no listing is between the two.
func (l *level) cut(sample []int32, most int) {
	if len(sample) <= most {
		return
	}
	end, quarter := len(sample)-1, len(sample)/4
	low, high := sample[quarter], sample[end-quarter]
	if low == high { // most ask the same
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

// roundest is the price from least to most that has the fewest digits before its
// zeros, a last five being half a digit; of several, the nearest to another price.
func roundest(least, most, near int32) int32 {
	for step := int32(1_000_000_000); ; step /= 10 {
		for _, step := range [...]int32{step, max(step/2, 1)} {
			if first, last := (least+step-1)/step*step, most/step*step; first <= last {
				return min(max((near+step/2)/step*step, first), last)
			}
		}
	}
}

// cutBelow divides ascending prices.
func cutBelow(prices []int32, edge int32) (below, rest []int32) {
	at, _ := slices.BinarySearch(prices, edge)
	return prices[:at], prices[at:]
}

// row is the first row that counts a price.
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

// redivide divides the documents there are anew.
func (s *state) redivide() {
	docs := slices.Concat(s.buckets...)
	s.level = newLevel(len(docs), s.cells, sample(docs, func(d uint32) int32 { return s.price[d] }))
	s.divide(docs)
}

// sample is the prices of some documents.
func sample[T any](docs []T, price func(T) int32) (prices []int32) {
	const most = 1 << 14
	for i := 0; i < len(docs); i += 1 + len(docs)/most {
		prices = append(prices, price(docs[i]))
	}
	return prices
}

// divide puts all documents, of ascending price, into the buckets of the level,
// and counts them into cubes.
func (s *state) divide(docs []uint32) {
	s.buckets = make([][]uint32, len(s.level.edges))
	for r, edge := range s.level.edges {
		n := s.priceFrom(docs, edge)
		s.buckets[r], docs = docs[:n:n], docs[n:]
	}
	var work sync.WaitGroup
	work.Go(s.countMargins)
	work.Go(func() {
		s.kinds = make([]*cube[uint32], len(s.shape.ofCategory))
		for category := range s.kinds {
			s.countKind(category)
		}
	})
	work.Go(func() {
		for i := range s.stock {
			s.fit(i)
		}
	})
	work.Wait()
}

// countKind counts the documents of a category into a cube of its own.
func (s *state) countKind(category int) {
	s.kinds[category] = newCube[uint32](s, s.shape.ofCategory[category]...)
}

// priceFrom is where the first document of at least a price stands among
// documents of ascending price.
func (s *state) priceFrom(docs []uint32, least int32) int {
	low, high := 0, len(docs)
	for low < high {
		if mid := int(uint(low+high) >> 1); s.price[docs[mid]] < least {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// inBucket is the bucket of a document, and its place there.
func (s *state) inBucket(d uint32) (bucket *[]uint32, at int) {
	bucket = &s.buckets[s.level.row(s.price[d])]
	at, _ = slices.BinarySearchFunc(*bucket, d, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(s.price[a], s.price[b]), cmp.Compare(a, b))
	})
	return bucket, at
}

func (s *state) insertPrice(d uint32) {
	bucket, at := s.inBucket(d)
	*bucket = slices.Insert(*bucket, at, d)
}

func (s *state) removePrice(d uint32) {
	bucket, at := s.inBucket(d)
	*bucket = slices.Delete(*bucket, at, at+1)
}

// newCube counts the documents of groups: each into the row it is the first to
// count for, and then the rows are added up.
func newCube[T uint16 | uint32](s *state, groups ...uint16) *cube[T] {
	stride := 1 + s.level.cells
	sums := make([]T, len(s.level.edges)*stride)
	first, last := len(s.level.edges)-1, 0
	for _, i := range groups {
		g := &s.shape.groups[i]
		for gear := g.from; gear < g.to; gear++ {
			for _, d := range s.shelves[gear].byPublished {
				r := s.level.row(s.price[d])
				row := sums[r*stride:]
				row[0]++
				row[1+s.kind[d].cell()]++
				first, last = min(first, r), max(last, r)
			}
		}
	}
	first = min(first, last) // when there are none
	sums = slices.Clone(sums[first*stride : (last+1)*stride])
	for i := stride; i < len(sums); i++ {
		sums[i] += sums[i-stride]
	}
	return &cube[T]{level: s.level, first: first, stride: stride, sums: sums}
}

// add counts a listing, or takes it back with by −1; it reports false when the
// listing is outside the rows there are.
func (c *cube[T]) add(price int32, cell uint16, by int) bool {
	at := (c.level.row(price) - c.first) * c.stride
	if at < 0 || at >= len(c.sums) {
		return false
	}
	for ; at < len(c.sums); at += c.stride {
		c.sums[at] += T(by)
		c.sums[at+1+int(cell)] += T(by)
	}
	return true
}

// row is the counts below an edge; nil where there are none.
func (c *cube[T]) row(r int) []T {
	if r < c.first {
		return nil
	}
	at := min((r-c.first)*c.stride, len(c.sums)-c.stride)
	return c.sums[at : at+c.stride : at+c.stride]
}

// bound is a price in the rows of a level: the listings below it are those of a
// row, and of some documents beside: more, or with by −1 less. The row is that
// of the nearer edge, so that the documents are few.
type bound struct {
	row  int // −1 for none
	docs []uint32
	by   int32
}

func (s *state) below(price int32) bound {
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
