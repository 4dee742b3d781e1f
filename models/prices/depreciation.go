package prices

import (
	"cmp"
	"math"
	"slices"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// Depreciation says how the price of the gear of a kind changed in some years, in the same
// condition.
type Depreciation struct {
	Kind  string // a category
	Years []YearsChange
}

// YearsChange is the change of a price in a number of years.
type YearsChange struct {
	Years int
	IndexChange
	Sales int // that it is based on
}

// RepeatSales sums up what happened to items of a kind that sold here twice: MinRepeatSales
// or more, so that nothing is said of a single item.
type RepeatSales struct {
	Kind    string  // a category
	Pairs   int     // of sales of the same item
	Years   float64 // between the two, on average
	Percent float64 // mean change of the price, in whole percent, corrected by nothing
	Same    int     // pairs whose second sale was in the same grade
	Worse   int     // in a worse grade
	Better  int     // in a better grade
}

// DepreciationYears are the numbers of years after which a change is stated.
var DepreciationYears = []int{1, 2, 3, 5}

// priceDifference is the mean difference between log prices of gear, each within one condition.
type priceDifference struct {
	sum, weight float64
	earlier     float64 // number of sales
	later       float64
}

// add adds the difference between the mean prices of two periods.
func (d *priceDifference) add(before, after *indexPeriod) {
	if before.sales == 0 || after.sales == 0 {
		return
	}
	d.addChange(after.sum/after.weight-before.sum/before.weight, before.weight*after.weight/(before.weight+after.weight))
	d.earlier, d.later = d.earlier+before.sales, d.later+after.sales
}

// addChange adds a difference with a weight: the inverse of its variance, in units of that
// of a price.
func (d *priceDifference) addChange(change, weight float64) {
	d.sum, d.weight = d.sum+weight*change, d.weight+weight
}

// enough reports whether there are enough sales to state the difference for one gear.
func (d *priceDifference) enough() bool {
	return min(d.earlier, d.later) >= minPeriodSales && d.earlier+d.later >= MinIndexSales
}

// change returns the difference as a change in percent, given the deviation of a price.
func (d *priceDifference) change(spread float64) IndexChange {
	return changeOf(d.sum/d.weight, spread/math.Sqrt(d.weight))
}

// gearHistory holds the sales of one gear in half years, the last one first, by condition.
type gearHistory struct {
	gear    *catalog.Gear
	blocks  [7][indexBlocks]indexPeriod
	repeats []repeatSale
}

// since returns how the prices of the gear changed in a number of years, and the number of
// sales that this is based on. A pair of sales of one item, about as far apart, counts once
// more, because nothing else differs between the two.
func (h *gearHistory) since(years int) (d priceDifference, sales int) {
	apart := 12 / blockMonths * years
	for c := range h.blocks {
		blocks := &h.blocks[c]
		for k := 0; k < indexBlocks; k++ {
			if k+apart < indexBlocks {
				d.add(&blocks[k+apart], &blocks[k])
			}
			if k >= apart && blocks[k-apart].sales > 0 || k+apart < indexBlocks && blocks[k+apart].sales > 0 {
				sales += int(blocks[k].sales)
			}
		}
	}
	for i := range h.repeats {
		r := &h.repeats[i]
		if part := 12 * float64(years) / r.months(); r.sameGrade() && part > 0.8 && part < 1.25 {
			d.addChange(part*(r.after-r.before), r.weight/2)
		}
	}
	return d, sales
}

// histories calls each for all gear.
func (b *IndexBuilder) histories(each func(*gearHistory)) {
	end, repeats := int(b.last-b.first), b.repeats
	for i := 0; i < len(b.cells); {
		h := &gearHistory{gear: b.items[b.cells[i].item].gear}
		for ; i < len(b.cells) && b.items[b.cells[i].item].gear == h.gear; i++ {
			c := &b.cells[i]
			h.blocks[b.items[c.item].condition][(end-int(c.month))/blockMonths].add(c)
		}
		n := slices.IndexFunc(repeats, func(r repeatSale) bool { return r.gear != h.gear })
		if n < 0 {
			n = len(repeats)
		}
		h.repeats, repeats = repeats[:n], repeats[n:]
		each(h)
	}
}

// depreciation returns how prices changed in DepreciationYears: of each kind, the most sold
// first, and of each gear by slug, as far as there are enough sales.
func (b *IndexBuilder) depreciation(spread float64) (kinds []Depreciation, gear map[string][]YearsChange) {
	byKind, sold := map[string][]kindDifference{}, map[string]int{}
	gear = map[string][]YearsChange{}
	b.histories(func(h *gearHistory) {
		kind, slug := string(h.gear.Category), h.gear.Slug()
		if byKind[kind] == nil {
			byKind[kind] = make([]kindDifference, len(DepreciationYears))
		}
		for i, years := range DepreciationYears {
			d, sales := h.since(years)
			if d.weight == 0 {
				continue
			}
			byKind[kind][i].add(d, sales)
			sold[kind] += sales
			if d.enough() && sales >= MinIndexSales {
				gear[slug] = append(gear[slug], YearsChange{years, d.change(spread), sales})
			}
		}
	})
	for kind, all := range byKind {
		d := Depreciation{Kind: kind}
		for i, years := range DepreciationYears {
			if all[i].enough() {
				d.Years = append(d.Years, YearsChange{years, all[i].change(spread), all[i].sales})
			}
		}
		if len(d.Years) > 0 {
			kinds = append(kinds, d)
		}
	}
	slices.SortFunc(kinds, func(p, q Depreciation) int {
		return cmp.Or(cmp.Compare(sold[q.Kind], sold[p.Kind]), cmp.Compare(p.Kind, q.Kind))
	})
	return kinds, gear
}

// kindDifference is the mean difference between the prices of the gear of a kind.
type kindDifference struct {
	priceDifference
	gear  []priceDifference
	sales int
}

func (k *kindDifference) add(d priceDifference, sales int) {
	k.addChange(d.sum/d.weight, d.weight)
	k.earlier, k.later, k.sales = k.earlier+d.earlier, k.later+d.later, k.sales+sales
	k.gear = append(k.gear, d)
}

// enough reports whether there are enough sales of enough gear to state the difference.
func (k *kindDifference) enough() bool {
	return len(k.gear) >= minKindGear && min(k.earlier, k.later) >= MinIndexSales
}

// change returns the difference as a change in percent. Its range is that of the mean of the
// gear, which differs: it is as wide as the gear is apart, and at least as the prices are.
func (k *kindDifference) change(spread float64) IndexChange {
	mean, squares, n := k.sum/k.weight, 0.0, float64(len(k.gear))
	for _, d := range k.gear {
		apart := d.sum - mean*d.weight
		squares += apart * apart
	}
	between := math.Sqrt(squares*n/(n-1)) / k.weight
	return changeOf(mean, max(between, spread/math.Sqrt(k.weight)))
}

// repeatSales sums up the pairs of sales of the same item by kind, the most first.
func (b *IndexBuilder) repeatSales() (list []RepeatSales) {
	sums := map[models.Category]*RepeatSales{}
	for i := range b.repeats {
		r := &b.repeats[i]
		s := sums[r.gear.Category]
		if s == nil {
			s = &RepeatSales{Kind: string(r.gear.Category)}
			sums[r.gear.Category] = s
		}
		s.Pairs, s.Years, s.Percent = s.Pairs+1, s.Years+r.months()/12, s.Percent+r.change
		switch {
		case r.sameGrade():
			s.Same++
		case r.grades[1] > r.grades[0]:
			s.Worse++
		default:
			s.Better++
		}
	}
	for _, s := range sums {
		if n := float64(s.Pairs); s.Pairs >= MinRepeatSales {
			s.Years, s.Percent = math.Round(10*s.Years/n)/10, math.Round(100*math.Expm1(s.Percent/n))
			list = append(list, *s)
		}
	}
	slices.SortFunc(list, func(p, q RepeatSales) int { return cmp.Or(cmp.Compare(q.Pairs, p.Pairs), cmp.Compare(p.Kind, q.Kind)) })
	return list
}

// IndexChange is a change in percent, with a range of 80 %.
type IndexChange struct{ Percent, Low, High float64 }

// changeOf returns a change of a log price as percent, rounded to a tenth, with the range of
// 80 % of its standard error.
func changeOf(change, deviation float64) IndexChange {
	percent := func(log float64) float64 { return math.Round(1000*math.Expm1(log)) / 10 }
	return IndexChange{percent(change), percent(change - z80*deviation), percent(change + z80*deviation)}
}

// z80 is the quantile of the normal distribution for a range of 80 %.
const z80 = 1.2816
