package search

import (
	"cmp"
	"encoding/json"
	"math"
	"math/big"
	"slices"
	"sort"

	"github.com/secondlight/secondlight/models"
)

// part is the search of the listings in one currency. Their prices are compared as they
// are, in whole minor units, so that counts and orders within a part don't depend on
// exchange rates. Rates decide how the parts are merged: the bounds of a budget become
// those prices of the part that are within it once they are converted and rounded, and
// listings of different parts are compared by the exact values of their prices.
type part struct {
	s      *state
	c      *scratch
	f      *filter
	q      Query          // with the budget in the currency of the part
	factor *big.Rat       // minor units of the reader's currency for one of the part
	day    models.Day     // of the rate, "" if the currencies are the same
	value  *big.Rat       // minor units of the site's currency for one of the part
	about  float64        // value, rounded
	facets Facets         // of its cells
	bands  [bandCount]int // in the reader's currency, if it is another than that of the part
}

// ranked is a listing found in a part.
type ranked struct {
	part *part
	hit  hit
	position
}

// divided reports whether a query has to convert prices.
func (x *core) divided(q *Query) bool {
	return len(x.foreign) > 0 || x.isForeign(q.Currency) || q.Min != nil && x.isForeign(q.Min.Currency.Code) || q.Max != nil && x.isForeign(q.Max.Currency.Code)
}

// isForeign reports whether a currency code differs from the site's.
func (x *core) isForeign(code string) bool { return code != "" && code != x.rates.Main.Code }

// newParts returns the parts of a query. Listings in a currency without a rate are left out.
func (x *core) newParts(q *Query) (parts []*part) {
	reader := x.rates.Of(q.Currency)
	for s := range x.states {
		own := x.rates.Of(s.currency)
		p := &part{s: s, q: *q}
		var ok, valued bool
		p.factor, p.day, ok = x.rates.Factor(own, reader)
		p.value, _, valued = x.rates.Factor(own, x.rates.Main)
		if !ok || !valued || !p.convertBudget(x.rates, own) {
			continue
		}
		p.about, _ = p.value.Float64()
		p.c = x.scratch.Get().(*scratch)
		parts = append(parts, p)
	}
	return parts
}

// convertBudget sets the budget to the prices of the part that are within it.
func (p *part) convertBudget(rates *models.Rates, own models.Currency) bool {
	if p.q.Min != nil {
		factor, _, ok := rates.Factor(own, rates.Of(p.q.Min.Currency.Code))
		if !ok {
			return false
		}
		p.q.Min = &models.Amount{Cents: minWithin(p.q.Min.Cents, factor), Currency: own}
	}
	if p.q.Max != nil {
		factor, _, ok := rates.Factor(own, rates.Of(p.q.Max.Currency.Code))
		if !ok {
			return false
		}
		p.q.Max = &models.Amount{Cents: maxWithin(p.q.Max.Cents, factor), Currency: own}
	}
	return true
}

// minWithin returns the lowest price that is at least an amount once it is multiplied by
// a factor and rounded.
func minWithin(amount models.Cents, factor *big.Rat) models.Cents {
	return ceilQuo(2*int64(amount)-1, factor)
}

// maxWithin returns the highest price that is at most an amount once it is multiplied by a
// factor and rounded.
func maxWithin(amount models.Cents, factor *big.Rat) models.Cents {
	return ceilQuo(2*int64(amount)+1, factor) - 1
}

// ceilQuo returns n/2 divided by a factor, rounded up, within the range of prices.
func ceilQuo(n int64, factor *big.Rat) models.Cents {
	a := new(big.Int).Mul(big.NewInt(n), factor.Denom())
	b := new(big.Int).Lsh(factor.Num(), 1)
	quo, rest := new(big.Int).DivMod(a, b, new(big.Int)) // rounded down
	if rest.Sign() > 0 {
		quo.Add(quo, big.NewInt(1))
	}
	if !quo.IsInt64() || quo.Int64() > beyond {
		return beyond
	}
	return models.Cents(max(quo.Int64(), -1))
}

// searchParts is search for a query that has to convert prices.
func (x *core) searchParts(result *Result, q *Query, m, original *match, after *position) {
	parts := x.newParts(q)
	defer func() {
		for _, p := range parts {
			x.release(p.c)
		}
	}()
	for _, p := range parts {
		x.countPart(p, m)
		result.Total += p.c.total
	}
	if len(parts) > 0 && !q.NoFacets {
		mergeFacets(&result.Facets, parts, q)
	}
	if result.Total == 0 {
		if len(m.slugs) == 0 {
			result.DidYouMean = cmp.Or(x.instead(m.words, func(words []string) (n int) { return x.countParts(parts, words) }), result.DidYouMean)
		}
		return
	}
	found, before := x.collectParts(parts, q, after)
	x.pageOfParts(result, q, found, before, original)
}

// countPart counts the listings of a part.
func (x *core) countPart(p *part, m *match) {
	if p.day != "" && !p.q.NoFacets {
		for i := range p.bands {
			p.bands[i] = x.countBand(p, m, i)
		}
	}
	p.f = x.filter(p.s, p.c, &p.q, m)
	p.c.reset(p.s)
	p.c.count(p.s, p.f)
	if p.day == "" {
		for i, n := range p.c.bands {
			p.bands[i] = int(n)
		}
	}
}

// countBand returns how many listings of a part have a price in a band of the reader's
// currency, whatever the budget.
func (x *core) countBand(p *part, m *match, band int) int {
	q := p.q
	q.Min, q.Max = &models.Amount{Cents: minWithin(models.Cents(bandEdges[band]), p.factor)}, nil
	if band+1 < bandCount {
		q.Max = &models.Amount{Cents: maxWithin(models.Cents(bandEdges[band+1])-1, p.factor)}
	}
	p.c.reset(p.s)
	p.c.count(p.s, x.filter(p.s, p.c, &q, m))
	return p.c.total
}

// countParts returns how many listings other words would find.
func (x *core) countParts(parts []*part, words []string) (n int) {
	m := x.matchWords(words)
	for _, p := range parts {
		p.c.reset(p.s)
		p.c.count(p.s, x.filter(p.s, p.c, &p.q, m))
		n += p.c.total
	}
	return n
}

// mergeFacets writes the sums of the counts of all parts to f.
func mergeFacets(f *Facets, parts []*part, q *Query) {
	for _, p := range parts {
		p.c.countDefects(p.s)
	}
	first := parts[0]
	for _, p := range parts[1:] {
		addTo(first.c.categories, p.c.categories)
		addTo(first.c.brands, p.c.brands)
		addTo(first.c.mounts, p.c.mounts)
		first.c.defects.add(&p.c.defects)
		addTo(first.bands[:], p.bands[:])
	}
	for i, n := range first.bands {
		first.c.bands[i] = uint32(n)
	}
	first.c.facets(f, first.s, q)
	for _, p := range parts[1:] {
		p.c.cellFacets(&p.facets, p.s, q)
		for i := range dimensions {
			if dimensions[i].order != nil {
				order := dimensions[i].order
				mergeCounts(dimensions[i].facet(f), *dimensions[i].facet(&p.facets), func(a, b Count) int {
					return cmp.Compare(slices.Index(order, a.Value), slices.Index(order, b.Value))
				})
			}
		}
		mergeCounts(&f.Region, p.facets.Region, compareRegions)
	}
}

// addTo adds numbers to those at the same index.
func addTo(sums, numbers []int) {
	for i, n := range numbers {
		sums[i] += n
	}
}

// mergeCounts adds counts to a list by value and sorts it.
func mergeCounts(list *[]Count, more []Count, compare func(a, b Count) int) {
	for _, c := range more {
		if at := slices.IndexFunc(*list, func(a Count) bool { return a.Value == c.Value }); at >= 0 {
			(*list)[at].Count += c.Count
		} else {
			*list = append(*list, c)
		}
	}
	slices.SortFunc(*list, compare)
}

// collectParts is collectPage for parts: it returns the listings found in order.
func (x *core) collectParts(parts []*part, q *Query, after *position) (found []ranked, before int) {
	if after == nil {
		return x.collectRanked(parts, q, q.Limit+1, nil), 0
	}
	limit := (maxBack+1)*q.Limit + 1
	found = x.collectRanked(parts, q, limit, nil)
	at := ranked{part: x.partOf(after.currency), position: *after}
	before = sort.Search(len(found), func(i int) bool { return q.Sort.compareRanked(&found[i], &at) > 0 })
	if before <= maxBack*q.Limit || len(found) < limit {
		return found, before
	}
	return x.collectRanked(parts, q, q.Limit+1, &at), 0
}

// partOf returns a part that stands for a currency in comparisons.
func (x *core) partOf(currency string) *part {
	value, _, ok := x.rates.Factor(x.rates.Of(currency), x.rates.Main)
	if !ok {
		value = big.NewRat(1, 1)
	}
	p := &part{value: value}
	p.about, _ = value.Float64()
	return p
}

// collectRanked returns the first listings of all parts in the order of the query, after a
// position.
func (x *core) collectRanked(parts []*part, q *Query, limit int, after *ranked) (found []ranked) {
	for _, p := range parts {
		if p.c.total == 0 {
			continue
		}
		p.c.hits.reset(q.Sort, limit, p.convertPosition(q.Sort, after))
		p.c.collect(p.s, p.f)
		for _, h := range p.c.hits.list {
			position := p.s.position(q.Sort, &h)
			position.currency = p.s.currency
			found = append(found, ranked{p, h, position})
		}
	}
	slices.SortFunc(found, func(a, b ranked) int { return q.Sort.compareRanked(&a, &b) })
	return found[:min(len(found), limit)]
}

// compareRanked is compare for listings of different parts.
func (by Sort) compareRanked(a, b *ranked) int {
	if a.currency == b.currency {
		return by.compare(&a.position, &b.position)
	}
	c := 0
	switch by {
	case Relevance:
		c = cmp.Compare(a.tier, b.tier)
	case Price:
		c = compareValues(a, b, int64(a.price), int64(b.price))
	case PriceDesc:
		c = compareValues(b, a, int64(b.price), int64(a.price))
	case Deal:
		if a.typical == 0 || b.typical == 0 {
			c = cmp.Compare(min(b.typical, 1), min(a.typical, 1))
		} else {
			c = compareValues(a, b, int64(a.price)*int64(b.typical), int64(b.price)*int64(a.typical))
		}
	case Total:
		if c = cmp.Compare(a.tier, b.tier); c == 0 {
			c = compareValues(a, b, int64(a.price)+int64(a.typical), int64(b.price)+int64(b.typical))
		}
	}
	if c != 0 {
		return c
	}
	if c = cmp.Compare(b.published, a.published); c != 0 {
		return c
	}
	return compareIDs(&b.id, &a.id)
}

// compareValues compares numbers of minor units of two parts exactly. Floating-point
// numbers decide unless they are so close that their errors matter.
func compareValues(a, b *ranked, n, m int64) int {
	const errors = 1e-12 // relative; each number has a few of 2⁻⁵³
	v, w := float64(n)*a.part.about, float64(m)*b.part.about
	if math.Abs(v-w) > errors*(v+w) {
		return cmp.Compare(v, w)
	}
	x, y := new(big.Rat).SetInt64(n), new(big.Rat).SetInt64(m)
	return x.Mul(x, a.part.value).Cmp(y.Mul(y, b.part.value))
}

// convertPosition returns a position among the listings of the part that those come after
// which come after a position of another part, and no others.
func (p *part) convertPosition(by Sort, after *ranked) *position {
	if after == nil {
		return nil
	}
	at := after.position
	if at.currency == p.s.currency || by == Relevance || by == Newest || by == Deal && at.typical == 0 {
		return &at
	}
	factor := new(big.Rat).Quo(after.part.value, p.value)
	exact := false
	switch by {
	case Price, PriceDesc:
		at.price, exact = scaled(int64(at.price), factor, by == PriceDesc)
	case Total:
		at.price, exact = scaled(int64(at.price)+int64(at.typical), factor, false)
		at.typical = 0
	case Deal:
		at.price, at.typical, exact = fractionBelow(factor.Mul(factor, big.NewRat(int64(at.price), int64(at.typical))), int64(models.MaxAmount))
	}
	if !exact { // listings with this price come before the position
		at.published = -1
	}
	return &at
}

// scaled returns a number times a factor, rounded down or up, and whether it is exact.
func scaled(n int64, factor *big.Rat, up bool) (price int32, exact bool) {
	x := new(big.Rat).SetInt64(n)
	x.Mul(x, factor)
	whole := new(big.Int).Quo(x.Num(), x.Denom())
	if exact = x.IsInt(); up && !exact {
		whole.Add(whole, big.NewInt(1))
	}
	if !whole.IsInt64() || whole.Int64() > math.MaxInt32 {
		return math.MaxInt32, false
	}
	return int32(whole.Int64()), exact
}

// fractionBelow returns the greatest fraction that is at most x, which is not negative,
// with a numerator and a denominator of at most limit, and whether it equals x. It walks
// down the Stern-Brocot tree, as many levels at a time as lead into the same direction.
func fractionBelow(x *big.Rat, limit int64) (n, d int32, exact bool) {
	lowN, lowD, highN, highD := int64(0), int64(1), int64(1), int64(0) // the fractions next to x
	for {
		// How far low can move towards high: lowN + k·highN ≤ x·(lowD + k·highD).
		up := steps(x, lowN, lowD, highN, highD, limit)
		lowN, lowD = lowN+up*highN, lowD+up*highD
		if equals(x, lowN, lowD) {
			return int32(lowN), int32(lowD), true
		}
		down := stepsDown(x, lowN, lowD, highN, highD, limit)
		highN, highD = highN+down*lowN, highD+down*lowD
		if up == 0 && down == 0 {
			return int32(lowN), int32(lowD), false
		}
	}
}

// equals reports whether x is a fraction.
func equals(x *big.Rat, n, d int64) bool { return x.Cmp(big.NewRat(n, d)) == 0 }

// steps returns the greatest k for which (lowN + k·highN) ÷ (lowD + k·highD) is at most x
// and within the limit.
func steps(x *big.Rat, lowN, lowD, highN, highD, limit int64) int64 {
	k := roomFor(lowN, lowD, highN, highD, limit)
	if excess := gap(x, highN, highD); excess.Sign() < 0 { // high is above x
		k = min(k, floorQuo(gap(x, lowN, lowD), excess.Neg(excess)))
	}
	return k
}

// stepsDown returns the greatest k for which (highN + k·lowN) ÷ (highD + k·lowD) is above x
// and within the limit.
func stepsDown(x *big.Rat, lowN, lowD, highN, highD, limit int64) int64 {
	k := roomFor(highN, highD, lowN, lowD, limit)
	above := gap(x, highN, highD)
	above.Neg(above)
	below := gap(x, lowN, lowD)
	most := floorQuo(above, below)
	if new(big.Int).Mul(below, big.NewInt(most)).Cmp(above) == 0 {
		most-- // it would equal x
	}
	return min(k, max(most, 0))
}

// gap returns a number with the sign of x − n ÷ d, in proportion to it times d.
func gap(x *big.Rat, n, d int64) *big.Int {
	a := new(big.Int).Mul(x.Num(), big.NewInt(d))
	return a.Sub(a, new(big.Int).Mul(x.Denom(), big.NewInt(n)))
}

// floorQuo returns a ÷ b, rounded down, of two positive numbers, within int64.
func floorQuo(a, b *big.Int) int64 {
	if b.Sign() == 0 {
		return math.MaxInt64
	}
	if q := new(big.Int).Quo(a, b); q.IsInt64() {
		return q.Int64()
	}
	return math.MaxInt64
}

// roomFor returns the greatest k for which n + k·addN and d + k·addD are within the limit.
func roomFor(n, d, addN, addD, limit int64) int64 {
	k := int64(math.MaxInt64)
	if addN > 0 {
		k = min(k, (limit-n)/addN)
	}
	if addD > 0 {
		k = min(k, (limit-d)/addD)
	}
	return k
}

// pageOfParts adds the listings found to a result, with the cursors of the pages next to it.
func (x *core) pageOfParts(r *Result, q *Query, found []ranked, before int, m *match) {
	page := found[before:]
	if len(page) > q.Limit {
		page = page[:q.Limit]
		r.NextCursor = q.cursor(page[q.Limit-1].position, m)
	}
	reader := x.rates.Of(q.Currency)
	for i := range page {
		p, d, start := page[i].part, page[i].hit.doc, len(r.text)
		r.text, p.c.text = p.s.cards.appendJSON(r.text, p.c.text, d, &p.s.ids[d])
		r.Cards = append(r.Cards, json.RawMessage(r.text[start:len(r.text):len(r.text)]))
		approx := models.Approx{}
		if price, ok := models.Times(models.Cents(p.s.price[d]), p.factor); ok && p.day != "" {
			approx = models.Approx{Amount: models.Amount{Cents: price, Currency: reader}, Day: p.day}
		}
		r.Approx = append(r.Approx, approx)
		if len(q.ShipTo) > 0 {
			r.Shipping = p.s.shipping(r.Shipping, []hit{page[i].hit}, 1, q.ShipTo)
		}
	}
	r.HasPrevious = before > 0
	if start := before - q.Limit; start > 0 {
		r.PreviousCursor = q.cursor(found[start-1].position, m)
	}
}
