package search

import (
	"cmp"
	"iter"
	"math"
	"math/big"
	"sort"
)

// belowRange selects the documents whose asking price is below the range of the estimate of
// their gear in their condition and functional state, as their cards say: a price in another
// currency than that of the site is converted and rounded first. No list of them has to be
// updated, because they are among the first of each gear by deal.
type belowRange struct {
	s     *state
	value *big.Rat // minor units of the site's currency for one of the state; nil if it is the same
	about float64  // value, rounded
}

// belowRange returns the selection of documents in a state. It returns false if their
// currency has no rate.
func (x *core) belowRange(s *state) (b belowRange, ok bool) {
	if s.currency == "" {
		return belowRange{s: s, about: 1}, true
	}
	value, _, ok := x.rates.Factor(x.rates.Of(s.currency), x.rates.Main)
	if ok {
		b = belowRange{s: s, value: value}
		b.about, _ = value.Float64()
	}
	return b, ok
}

// admits reports whether the price of a document is below the range.
func (b *belowRange) admits(d uint32) bool {
	price, low := b.s.price[d], b.s.typicalPriceOf(d).Low
	if b.value == nil || low == 0 {
		return price < low
	}
	// It is rounded half away from zero, so it is below low if it is less than low − ½.
	return compareScaled(2*int64(price), b.value, b.about, 2*int64(low)-1) < 0
}

// compareScaled compares n×factor with m, in floating point unless the two are too close
// for it. about is the factor, rounded.
func compareScaled(n int64, factor *big.Rat, about float64, m int64) int {
	const errors = 1e-12 // relative; about has a few of 2⁻⁵³
	v, w := float64(n)*about, float64(m)
	if math.Abs(v-w) > errors*(v+w) {
		return cmp.Compare(v, w)
	}
	x := new(big.Rat).SetInt64(n)
	return x.Mul(x, factor).Cmp(new(big.Rat).SetInt64(m))
}

// first returns the documents of a gear by deal, up to one after which none is admitted: the
// first whose price is a greater share of the improbable price than the low end of the range
// in any condition and state.
func (b *belowRange) first(gear int) []uint32 {
	list, highest := &b.s.postings[gear], 0.0
	for _, t := range list.typical {
		if t.Low > 0 {
			highest = max(highest, float64(t.Low)/float64(t.Improbable))
		}
	}
	if highest == 0 {
		return nil
	}
	highest *= 1 + 1e-9 // for the errors of floating-point numbers
	return list.byDeal[:sort.Search(len(list.byDeal), func(i int) bool {
		d := list.byDeal[i]
		typical := b.s.typicalOf(d)
		return typical == 0 || float64(b.s.price[d])*b.about > highest*float64(typical)
	})]
}

// docs yields the documents that are admitted, of gear that may meet a filter.
func (b *belowRange) docs(f *filter) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for gear := range b.s.postings {
			if !f.admits(uint16(gear)) || f.extras == nil && !f.has(uint16(gear)) {
				continue
			}
			for _, d := range b.first(gear) {
				if b.admits(d) && !yield(d) {
					return
				}
			}
		}
	}
}

// of yields those of some documents that are admitted.
func (b *belowRange) of(docs iter.Seq[uint32]) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for d := range docs {
			if b.admits(d) && !yield(d) {
				return
			}
		}
	}
}
