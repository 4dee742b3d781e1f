package prices

import (
	"cmp"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// PriceIndex says how the prices of the same gear in the same condition moved, by kind, by
// brand and by gear. Values are those of sales until the end of a month.
type PriceIndex struct {
	Day     models.Day    // it was computed
	All     IndexSeries   // of all gear
	Kinds   []IndexSeries // by category, the most sold first
	Brands  []IndexSeries // by slug, the most sold first
	Rising  []GearChange  // in 12 months, most first
	Falling []GearChange
	Holders []GearChange // in 3 years, those that lost least first
	Seasons []Season     // January to December; empty with less than 2 years of sales

	Depreciation     []Depreciation           // by kind, the most sold first
	GearDepreciation map[string][]YearsChange // by slug
	RepeatSales      []RepeatSales            // by kind, the most first
}

// IndexSeries is the index of a group of gear: what the same gear in the same condition sells
// for, 100 in the first month. Months with fewer than MinIndexSales sales are absent.
type IndexSeries struct {
	Name   string // a category, or the slug of a brand
	Sales  int
	Points []IndexPoint
	Year   *IndexChange // in the last 12 months, nil if unknown
	Three  *IndexChange // in the last 3 years
}

// IndexPoint is the index in a month, with a range of 80 %.
type IndexPoint struct {
	Month            models.MonthKey
	Value, Low, High float64
	Sales            int
}

// GearChange is the change of the price of one gear.
type GearChange struct {
	Gear string
	IndexChange
	Sales int // that it is based on
}

// Season compares the prices and the number of sales of a calendar month with those of the
// whole year.
type Season struct {
	Month       int     // 1 to 12
	IndexChange         // of the price from the average of the year
	Share       float64 // of the year's sales, in percent
}

// Index returns the index of the sales that were added.
func (b *IndexBuilder) Index(day models.Day) *PriceIndex {
	x := &PriceIndex{Day: day}
	all := b.fit("", &indexGroup{b.cells, slices.DeleteFunc(slices.Clone(b.repeats), func(r repeatSale) bool { return !r.sameGrade() })})
	x.All = all.series
	x.Kinds = b.fitAll(func(g *catalog.Gear) string { return string(g.Category) })
	x.Brands = b.fitAll(func(g *catalog.Gear) string { return g.BrandSlug })
	x.Brands = x.Brands[:min(len(x.Brands), indexBrands)]
	year, three := b.changes(3, 12, all.spread), b.changes(6, 36, all.spread)
	// The end of the range that is nearer to no change decides: few sales don't lead by chance.
	x.Rising = leading(year, indexMovers, func(c *GearChange) float64 { return c.Low })
	x.Falling = leading(year, indexMovers, func(c *GearChange) float64 { return -c.High })
	slices.SortFunc(three, func(p, q GearChange) int { return cmp.Or(cmp.Compare(q.Low, p.Low), cmp.Compare(p.Gear, q.Gear)) })
	x.Holders = three[:min(len(three), indexHolders)]
	x.Seasons = b.seasons(all)
	x.Depreciation, x.GearDepreciation = b.depreciation(all.spread)
	x.RepeatSales = b.repeatSales()
	return x
}

// leading returns the n changes with the greatest positive score.
func leading(changes []GearChange, n int, score func(*GearChange) float64) []GearChange {
	list := slices.DeleteFunc(slices.Clone(changes), func(c GearChange) bool { return score(&c) <= 0 })
	slices.SortFunc(list, func(p, q GearChange) int {
		return cmp.Or(cmp.Compare(score(&q), score(&p)), cmp.Compare(p.Gear, q.Gear))
	})
	return list[:min(len(list), n)]
}

// indexGroup is what the index of a group of gear is fitted to.
type indexGroup struct {
	cells   []indexCell
	repeats []repeatSale // in the same condition
}

// fitAll returns the series of the groups of gear that have any, the most sold first.
func (b *IndexBuilder) fitAll(groupOf func(*catalog.Gear) string) (list []IndexSeries) {
	groups := map[string]*indexGroup{}
	for _, c := range b.cells {
		name := groupOf(b.items[c.item].gear)
		if groups[name] == nil {
			groups[name] = &indexGroup{}
		}
		groups[name].cells = append(groups[name].cells, c)
	}
	for _, r := range b.repeats {
		if g := groups[groupOf(r.gear)]; r.sameGrade() {
			g.repeats = append(g.repeats, r)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		if s := b.fit(name, groups[name]).series; len(s.Points) > 1 {
			list = append(list, s)
		}
	}
	slices.SortStableFunc(list, func(p, q IndexSeries) int { return cmp.Compare(q.Sales, p.Sales) })
	return list
}

// indexFit is the regression of log prices on the gear in its condition, on the month, and on the
// time for each gear.
type indexFit struct {
	*indexGroup
	rows    []indexRow // of its cells
	series  IndexSeries
	levels  []float64   // of the months, NaN without enough sales
	sales   []int       // by month
	spread  float64     // standard deviation of a price
	items   []float64   // of gear in a condition
	slopes  []float64   // of gear, in a month, around the mean by sales
	centres []float64   // of gear, the mean month of its sales
	robust  []float64   // weights of cells
	drawn   []float64   // of gear, 1 or its weight in a bootstrap
	weights []float64   // of the sales of the months
	draws   [][]float64 // levels
}

// indexRow has the numbers of the gear and of its condition among those of the group of a cell.
type indexRow struct {
	item, gear, month int
	mean              float64
}

// Settings of the ranges of the index, which are of a Bayesian bootstrap over gear (Rubin 1981).
const (
	indexDraws   = 24
	drawRounds   = 12   // of a draw, which starts from the fit
	slopeDiffers = 0.12 // standard deviation of the log price of gear from others', in a year
	usualSpread  = 0.1  // of a price
)

// fit fits the index of a group: a regression of the log price on gear and condition and on
// the month (the time-product-dummy method), and on the time for each gear, whose slope is shrunk
// to the mean of all, weighed by sales: gear that loses faster than others must not move the
// index when its share of the sales changes. It alternates means, with weights that fall for
// prices far from the fit. A repeat sale counts once more as gear of its own, which sold
// twice (the method of Bailey, Muth and Nourse). Ranges are of a bootstrap over gear, so that
// they contain how gear differ.
func (b *IndexBuilder) fit(name string, group *indexGroup) indexFit {
	months := int(b.last-b.first) + 1
	f := indexFit{indexGroup: group, series: IndexSeries{Name: name}, levels: make([]float64, months), sales: make([]int, months), robust: make([]float64, len(group.cells))}
	b.number(&f)
	total := make([]float64, len(f.slopes))
	for i := range group.cells {
		c, g := &group.cells[i], f.rows[i].gear
		f.robust[i], f.drawn[g] = c.weight, 1
		f.sales[c.month] += int(c.sales)
		f.series.Sales += int(c.sales)
		f.centres[g], total[g] = f.centres[g]+c.weight*float64(c.month), total[g]+c.weight
	}
	for g, w := range total {
		f.centres[g] /= w
	}
	for range 100 {
		if f.improve() < 1e-5 {
			break
		}
	}
	f.setSpread()
	f.bootstrap()
	base := -1
	for m := range f.levels {
		if f.sales[m] < MinIndexSales {
			f.levels[m] = math.NaN()
			continue
		}
		if base < 0 {
			base = m
		}
		p := f.between(base, m)
		f.series.Points = append(f.series.Points, IndexPoint{b.first + models.MonthKey(m), 100 + p.Percent, 100 + p.Low, 100 + p.High, f.sales[m]})
	}
	if last := months - 1; base >= 0 && f.sales[last] >= MinIndexSales {
		f.series.Year, f.series.Three = f.since(last-12, last), f.since(last-36, last)
	}
	return f
}

// number numbers the gear of a group and its conditions, from 0.
func (b *IndexBuilder) number(f *indexFit) {
	items, gear := map[int32]int{}, map[int32]int{}
	of := func(numbers map[int32]int, key int32) int {
		n, known := numbers[key]
		if !known {
			n = len(numbers)
			numbers[key] = n
		}
		return n
	}
	f.rows = make([]indexRow, len(f.cells))
	for i := range f.cells {
		c := &f.cells[i]
		f.rows[i] = indexRow{of(items, c.item), of(gear, b.items[c.item].number), int(c.month), c.mean()}
	}
	f.items, f.slopes, f.centres, f.drawn = make([]float64, len(items)), make([]float64, len(gear)), make([]float64, len(gear)), make([]float64, len(gear))
}

// drift returns by how much the gear of a row has moved away from the others since the middle of
// its sales.
func (f *indexFit) drift(r *indexRow) float64 {
	return f.slopes[r.gear] * (float64(r.month) - f.centres[r.gear])
}

// improve alternates the means once, and returns by how much a level moved.
func (f *indexFit) improve() (moved float64) {
	sums, counts, squares := make([]float64, len(f.items)), make([]float64, len(f.items)), make([]float64, len(f.slopes))
	for i := range f.rows {
		r := &f.rows[i]
		weight := f.robust[i] * f.drawn[r.gear]
		sums[r.item] += weight * (r.mean - f.levels[r.month] - f.drift(r))
		counts[r.item] += weight
	}
	for i, count := range counts {
		f.items[i] = sums[i] / max(count, 1e-9)
	}
	next, counted := make([]float64, len(f.levels)), make([]float64, len(f.levels))
	for i := range f.rows {
		r := &f.rows[i]
		weight := f.robust[i] * f.drawn[r.gear]
		next[r.month] += weight * (r.mean - f.items[r.item] - f.drift(r))
		counted[r.month] += weight
	}
	f.weights = slices.Clone(counted)
	for i := range f.repeats {
		r := &f.repeats[i]
		before, after := r.before-f.levels[r.from], r.after-f.levels[r.to]
		item, apart := (before+after)/2, (after-before)/clipped
		weight := r.weight / (1 + apart*apart)
		next[r.from], counted[r.from] = next[r.from]+weight*(r.before-item), counted[r.from]+weight
		next[r.to], counted[r.to] = next[r.to]+weight*(r.after-item), counted[r.to]+weight
	}
	for m := range next {
		if counted[m] > 0 {
			next[m] /= counted[m]
		}
		moved = max(moved, math.Abs(next[m]-f.levels[m]))
	}
	f.levels = next
	clear(sums)
	clear(counts)
	for i := range f.rows {
		r := &f.rows[i]
		weight, x := f.robust[i]*f.drawn[r.gear], float64(r.month)-f.centres[r.gear]
		sums[r.gear] += weight * x * (r.mean - f.items[r.item] - f.levels[r.month])
		squares[r.gear] += weight * x * x
		counts[r.gear] += weight
	}
	const ridge = usualSpread * usualSpread * 12 * 12 / (slopeDiffers * slopeDiffers)
	mean, total := 0.0, 0.0
	for g := range f.slopes {
		f.slopes[g] = sums[g] / (squares[g] + ridge)
		mean, total = mean+counts[g]*f.slopes[g], total+counts[g]
	}
	for g := range f.slopes {
		f.slopes[g] -= mean / max(total, 1e-9)
	}
	for i := range f.rows {
		apart := (f.rows[i].mean - f.at(i)) / clipped
		f.robust[i] = f.cells[i].weight / (1 + apart*apart)
	}
	return moved
}

// at returns the log price that the fit has for a cell.
func (f *indexFit) at(i int) float64 {
	r := &f.rows[i]
	return f.items[r.item] + f.levels[r.month] + f.drift(r)
}

// setSpread sets the standard deviation of a price.
func (f *indexFit) setSpread() {
	var squares, weight float64
	for i := range f.cells {
		c, at := &f.cells[i], f.at(i)
		squares += f.robust[i] / c.weight * max(0, c.squares-2*at*c.sum+at*at*c.weight)
		weight += f.robust[i]
	}
	f.spread = math.Sqrt(squares / max(1, weight-float64(len(f.items))))
}

// bootstrap fits the levels again with drawn weights of gear.
func (f *indexFit) bootstrap() {
	random := rand.New(rand.NewPCG(1, 1))
	for range indexDraws {
		draw := *f
		draw.slopes, draw.items = slices.Clone(f.slopes), slices.Clone(f.items)
		draw.robust, draw.drawn = slices.Clone(f.robust), make([]float64, len(f.drawn))
		for g := range draw.drawn {
			draw.drawn[g] = random.ExpFloat64()
		}
		for range drawRounds {
			draw.improve()
		}
		f.draws = append(f.draws, draw.levels)
	}
}

// since returns the change from one month to another, nil if there is no level of the first.
func (f *indexFit) since(from, to int) *IndexChange {
	if from < 0 || math.IsNaN(f.levels[from]) {
		return nil
	}
	c := f.between(from, to)
	return &c
}

// between returns the change from one month to another. Its range is that of the bootstrap, and
// at least that of the noise of a price, which decides if there is little gear.
func (f *indexFit) between(from, to int) IndexChange {
	if from == to {
		return IndexChange{}
	}
	change := f.levels[to] - f.levels[from]
	squares := 0.0
	for _, levels := range f.draws {
		d := levels[to] - levels[from] - change
		squares += d * d / indexDraws
	}
	noise := f.spread * math.Sqrt(1/f.weights[from]+1/f.weights[to])
	return changeOf(change, max(noise, math.Sqrt(squares)))
}

// changes returns how the price of each gear changed from a period of some months to the
// same period some months later, which ends with the last month. It compares only sales in
// the same condition, and only gear with MinIndexSales sales in both periods together.
func (b *IndexBuilder) changes(length, apart int, spread float64) (list []GearChange) {
	end := int(b.last - b.first)
	for i := 0; i < len(b.cells); {
		gear := b.items[b.cells[i].item].gear
		var periods [7][2]indexPeriod
		for ; i < len(b.cells) && b.items[b.cells[i].item].gear == gear; i++ {
			c := &b.cells[i]
			before := end - int(c.month)
			for k, from := range []int{apart, 0} {
				if before >= from && before < from+length {
					periods[b.items[c.item].condition][k].add(c)
				}
			}
		}
		var d priceDifference
		for _, p := range periods {
			d.add(&p[0], &p[1])
		}
		if d.enough() {
			list = append(list, GearChange{gear.Slug(), d.change(spread), int(d.earlier + d.later)})
		}
	}
	return list
}

// seasons compares each month with the average of the 12 around it.
func (b *IndexBuilder) seasons(f indexFit) []Season {
	var deviations [12][]float64
	var sales [12]float64
	var total float64
	for m := 6; m+6 < len(f.levels); m++ {
		around := (f.levels[m-6] + f.levels[m+6]) / 2
		for k := m - 5; k <= m+5; k++ {
			around += f.levels[k]
		}
		if math.IsNaN(around) {
			continue
		}
		calendar := int(b.first+models.MonthKey(m)) % 12
		deviations[calendar] = append(deviations[calendar], f.levels[m]-around/12)
	}
	for m := max(0, len(f.sales)-36); m < len(f.sales); m++ { // whole years
		sales[int(b.first+models.MonthKey(m))%12] += float64(f.sales[m])
		total += float64(f.sales[m])
	}
	var seasons []Season
	var mean float64
	for _, d := range deviations {
		if len(d) == 0 {
			return nil
		}
		mean += average(d) / 12
	}
	var squares, n float64
	for _, d := range deviations {
		for _, v := range d {
			squares, n = squares+(v-average(d))*(v-average(d)), n+1
		}
	}
	deviation := math.Sqrt(squares / max(1, n-12))
	for m, d := range deviations {
		seasons = append(seasons, Season{m + 1, changeOf(average(d)-mean, deviation/math.Sqrt(float64(len(d)))), math.Round(1000*sales[m]/max(1, total)) / 10})
	}
	return seasons
}

func average(values []float64) (sum float64) {
	for _, v := range values {
		sum += v / float64(len(values))
	}
	return sum
}

// DepreciationOf returns how the prices of the kind of a gear and of the gear itself changed,
// as far as it is known. x may be nil.
func (x *PriceIndex) DepreciationOf(g *catalog.Gear) (kind, gear []YearsChange) {
	if x == nil {
		return nil, nil
	}
	for _, d := range x.Depreciation {
		if d.Kind == string(g.Category) {
			kind = d.Years
		}
	}
	return kind, x.GearDepreciation[g.Slug()]
}
