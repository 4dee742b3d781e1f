package pricing

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// The knots of the age in years between which a kind's drift is constant, and the
// numbers of coefficients.
var knots = [...]float64{0, 1, 2, 4, 7, 12, 20}

const (
	drifts    = 9 // per year of age between knots, for an unknown age, and by a successor
	harmonics = 4
)

// effects are what all gear of a kind shares.
type effects struct {
	Grade  [Grades]float64
	Drift  [drifts]float64
	Season [harmonics]float64
	Noise  float64         // standard deviation of a price around its median
	Unsure [Grades]float64 // variances of Grade
	Spread [Grades]float64 // factors of Noise by grade
	Traits map[string]float64
	Known  map[string]float64 `json:"-"` // what sales say about each of Traits, see information
}

// traits returns the log price that the traits of a sale add.
func (e *effects) traits(s *Sale) (sum float64) {
	for _, t := range s.Traits {
		sum += e.Traits[t]
	}
	return sum
}

// pool holds the effects of each kind. A kind without sales has those of all.
type pool struct {
	all   effects
	kinds map[string]*effects
}

func (p *pool) of(kind string) *effects {
	if e := p.kinds[kind]; e != nil {
		return e
	}
	return &p.all
}

// course returns the log price that a gear's age adds. Only differences mean
// anything.
func (e *effects) course(g *Gear, day int) float64 {
	var sum float64
	for i, b := range courseBasis(g, day) {
		sum += e.Drift[i] * b
	}
	return sum
}

// aging returns the log price that gear of a known age has lost since its launch, 0 for others.
func (e *effects) aging(g *Gear, day int) float64 {
	if _, known := g.age(day); !known {
		return 0
	}
	return e.course(g, day)
}

func courseBasis(g *Gear, day int) (b [drifts]float64) {
	if g.replaced != 0 {
		b[drifts-1] = min(max(float64(day-g.replaced)/newsDays, 0), 1)
	}
	age, known := g.age(day)
	if !known {
		b[drifts-2] = float64(day) / daysPerYear
		return b
	}
	for i, from := range knots {
		b[i] = max(0, age-from)
		if i+1 < len(knots) {
			b[i] = min(b[i], knots[i+1]-from)
		}
	}
	return b
}

// season returns the log price that the time of the year adds.
func (e *effects) season(day int) float64 {
	var sum float64
	for i, b := range seasonBasis(day) {
		sum += e.Season[i] * b
	}
	return sum
}

func seasonBasis(day int) [harmonics]float64 {
	year := 2 * math.Pi * float64(day) / daysPerYear
	return [harmonics]float64{math.Cos(year), math.Sin(year), math.Cos(2 * year), math.Sin(2 * year)}
}

// Prior standard deviations of a kind's effects around those of all kinds, and of
// those around nothing.
const (
	traitSpread  = 0.1
	driftSpread  = 0.05
	seasonSpread = 0.01
	wide         = 1.0
	driftHalf    = 3.0 // years in which the weight of a sale in the drift halves
	// serial inflates the noise of the drift's regression, because the level of a
	// gear wanders, so that its residuals are not independent.
	serial = 4.0
)

// usual are the effects of grades where a site's sales say nothing: the steps between the grades
// of dealers' price lists, rounded, and by how much prices in a bad state differ more.
var usual = effects{
	Grade:  [Grades]float64{0.12, 0.06, 0, -0.1, -0.22, -0.4, -0.85},
	Unsure: [Grades]float64{0.0025, 0.0016, 0, 0.0016, 0.005, 0.015, 0.06},
	Spread: [Grades]float64{1, 1, 1, 1, 1.1, 1.4, 2},
	Drift:  [drifts]float64{-0.2, -0.11, -0.09, -0.07, -0.05, -0.02, 0, -0.03, -0.05},
	Noise:  0.1,
}

// gradeDiffers are the factors of GradeOff: by how much the grades of gear differ from those of its kind.
var gradeDiffers = [Grades]float64{1, 1, 1, 1, 1.5, 2.5, 5}

// noise returns the standard deviation of a price in a grade.
func (e *effects) noise(grade int) float64 { return e.Noise * e.Spread[grade] }

// maxPerKind bounds the sales by which the effects of a kind are estimated.
const maxPerKind = 100_000

// fitPool estimates the effects from sales in order of gear and day.
func fitPool(catalog map[string]*Gear, sales []Sale) *pool {
	p := &pool{kinds: map[string]*effects{}}
	byKind := map[string][]Sale{}
	var known []Sale
	for same := range runs(sales, sameGear) {
		kind := catalog[same[0].Gear].Kind
		byKind[kind] = append(byKind[kind], same...)
	}
	for _, kind := range slices.Sorted(maps.Keys(byKind)) {
		byKind[kind] = slices.Concat(ofSomeGear(byKind[kind], maxPerKind)...)
		known = append(known, byKind[kind]...)
	}
	p.all = fitEffects(catalog, slices.Concat(ofSomeGear(known, maxPerKind)...), &usual, wide)
	for kind, sales := range byKind {
		e := fitEffects(catalog, sales, &p.all, 1)
		p.kinds[kind] = &e
	}
	return p
}

// ofSomeGear returns the sales of evenly chosen gear, each gear's apart, about n in
// all.
func ofSomeGear(sales []Sale, n int) [][]Sale {
	groups := slices.Collect(runs(sales, sameGear))
	return evenly(groups, max(1, len(groups)*n/max(len(sales), n)))
}

// fitEffects estimates effects that are shrunk to those of a prior, whose spreads
// are multiplied by a factor.
func fitEffects(catalog map[string]*Gear, sales []Sale, prior *effects, factor float64) effects {
	e := *prior
	var grades, courses []row
	for i, same := range enumerate(runs(sales, sameQuarter)) {
		for j := range same {
			g := same[j].Grade
			r := row{group: i, grade: g, y: math.Log(float64(same[j].Price)), w: 1 / (prior.Spread[g] * prior.Spread[g])}
			if g != reference {
				r.x[g] = 1
			}
			grades = append(grades, r)
		}
	}
	e.fitGrades(grades, prior)
	if e.fitTraits(sales, prior.Traits); len(e.Traits) > 0 { // and what is left without them
		for i := range sales {
			grades[i].y -= e.traits(&sales[i])
		}
		e.fitGrades(grades, prior)
	}

	end := 0
	for i := range sales {
		end = max(end, sales[i].Day)
	}
	for i, same := range enumerate(runs(sales, sameGear)) {
		for j := range same {
			s := &same[j]
			r := row{group: i, y: math.Log(float64(s.Price)) - e.Grade[s.Grade] - e.traits(s), w: math.Exp2(float64(s.Day-end) / daysPerYear / driftHalf)}
			b, h := courseBasis(catalog[s.Gear], s.Day), seasonBasis(s.Day)
			copy(r.x[:], b[:])
			copy(r.x[drifts:], h[:])
			courses = append(courses, r)
		}
	}
	spreads := append(repeat(drifts, driftSpread*factor), repeat(harmonics, seasonSpread*factor)...)
	means := append(slices.Clone(prior.Drift[:]), prior.Season[:]...)
	course, _, _, _ := within(courses, means, spreads, e.Noise, serial)
	copy(e.Drift[:], course)
	copy(e.Season[:], course[drifts:])
	return e
}

// fitGrades estimates the effects of grades, how certain they are, and the noise.
func (e *effects) fitGrades(grades []row, prior *effects) {
	spreads := make([]float64, Grades)
	for g := range spreads {
		spreads[g] = math.Sqrt(usual.Unsure[g]) + 1e-6
	}
	effect, variance, residuals, noise := within(grades, prior.Grade[:], spreads, prior.Noise, 1)
	copy(e.Grade[:], effect)
	copy(e.Unsure[:], variance)
	e.Noise, e.Unsure[reference] = noise, 0
	const strength = 20 // sales that the prior is worth
	sizes := [Grades][]float64{}
	eachGroup(grades, func(from, to int) {
		for i := from; i < to && to-from >= 4; i++ {
			g := grades[i].grade
			sizes[g] = append(sizes[g], math.Abs(residuals[i])/noise*math.Sqrt(float64(to-from)/float64(to-from-1)))
		}
	})
	for g, list := range sizes {
		if n := float64(len(list)); n > 0 {
			e.Spread[g] = min(max((1.4826*n*medianOf(list)+strength*prior.Spread[g])/(n+strength), 0.5), 4)
		}
	}
}

// row is an observation of a regression within groups.
type row struct {
	group int // rows of a group are consecutive
	grade int
	y, w  float64
	x     [drifts + harmonics]float64
}

// within regresses y on x within groups, so that whatever a group has in common
// drops out. Coefficients are shrunk to means by their spreads, and outliers have
// less weight, by Huber's function. It returns the coefficients and the standard
// deviation of the noise, which is start if there is too little data.
func within(rows []row, means, spreads []float64, start, inflate float64) (coefficients, variances, residuals []float64, noise float64) {
	n := len(means)
	coefficients, noise = slices.Clone(means), start
	variances = make([]float64, n)
	robust := make([]float64, len(rows))
	for i := range robust {
		robust[i] = 1
	}
	for range 5 {
		a, b := newTriangle(n), make([]float64, n)
		for j := range n {
			precision := inflate * noise * noise / (spreads[j] * spreads[j])
			a.row(j)[j] = precision
			b[j] = precision * means[j]
		}
		eachGroup(rows, func(from, to int) { addGroup(a, b, rows[from:to], robust[from:to]) })
		if !a.factorize() {
			return slices.Clone(means), variances, make([]float64, len(rows)), start
		}
		coefficients = a.solve(b)
		for j, v := range a.inverseDiagonal() {
			variances[j] = inflate * noise * noise * v
		}
		residuals, noise = residualNoise(rows, robust, coefficients, start)
	}
	return coefficients, variances, residuals, noise
}

// addGroup adds the cross products of a group's deviations from its means.
func addGroup(a triangle, b []float64, rows []row, robust []float64) {
	n := len(b)
	var meanX [drifts + harmonics]float64
	var meanY, sum float64
	for i := range rows {
		w := rows[i].w * robust[i]
		sum += w
		meanY += w * rows[i].y
		for j := range n {
			meanX[j] += w * rows[i].x[j]
		}
	}
	meanY /= sum
	for j := range n {
		meanX[j] /= sum
	}
	for i := range rows {
		r, w := &rows[i], rows[i].w*robust[i]
		for j := range n {
			dx := w * (r.x[j] - meanX[j])
			if dx == 0 {
				continue
			}
			b[j] += dx * (r.y - meanY)
			for k := j; k < n; k++ {
				a.row(k)[j] += dx * (r.x[k] - meanX[k])
			}
		}
	}
}

// residualNoise sets the robust weights from the residuals, and returns their
// standard deviation by the median of their absolute values.
func residualNoise(rows []row, robust, coefficients []float64, start float64) (residuals []float64, noise float64) {
	residuals = make([]float64, len(rows))
	var sizes []float64 // of residuals in groups large enough
	eachGroup(rows, func(from, to int) {
		var sum, weight float64
		for i := from; i < to; i++ {
			residuals[i] = rows[i].y
			for j, c := range coefficients {
				residuals[i] -= c * rows[i].x[j]
			}
			w := rows[i].w * robust[i]
			sum, weight = sum+w*residuals[i], weight+w
		}
		n := float64(to - from)
		for i := from; i < to; i++ {
			residuals[i] -= sum / weight
			if n >= 4 {
				sizes = append(sizes, math.Abs(residuals[i])*math.Sqrt(n/(n-1)))
			}
		}
	})
	noise = start
	if len(sizes) > 0 {
		const strength = 50 // observations that the start is worth
		slices.Sort(sizes)
		n := float64(len(sizes))
		noise = (n*1.4826*sizes[len(sizes)/2] + strength*start) / (n + strength)
	}
	noise = max(noise, 0.005)
	for i, r := range residuals {
		robust[i] = min(1, 1.345*noise/max(math.Abs(r), 1e-12))
	}
	return residuals, noise
}

func eachGroup(rows []row, do func(from, to int)) {
	for from := 0; from < len(rows); {
		to := from + 1
		for to < len(rows) && rows[to].group == rows[from].group {
			to++
		}
		do(from, to)
		from = to
	}
}

func sameQuarter(a, b *Sale) bool { return a.Gear == b.Gear && quarter(a.Day) == quarter(b.Day) }

func quarter(day int) int { return int(math.Floor(float64(day) * 4 / daysPerYear)) }

func repeat(n int, x float64) []float64 {
	list := make([]float64, n)
	for i := range list {
		list[i] = x
	}
	return list
}

// runs splits a list into the longest runs whose neighbours are the same.
func runs[T any](list []T, same func(a, b *T) bool) func(func([]T) bool) {
	return func(yield func([]T) bool) {
		for from := 0; from < len(list); {
			to := from + 1
			for to < len(list) && same(&list[to-1], &list[to]) {
				to++
			}
			if !yield(list[from:to]) {
				return
			}
			from = to
		}
	}
}

// enumerate numbers the elements of a sequence.
func enumerate[T any](seq func(func(T) bool)) func(func(int, T) bool) {
	return func(yield func(int, T) bool) {
		i := 0
		seq(func(v T) bool {
			i++
			return yield(i-1, v)
		})
	}
}

// ordered returns the valid sales of known gear in order of gear, day and the rest,
// so that the order in which they are given doesn't matter.
func ordered(catalog map[string]*Gear, sales []Sale) []Sale {
	list := make([]Sale, 0, len(sales))
	for i := range sales {
		if sales[i].valid() && catalog[sales[i].Gear] != nil {
			list = append(list, sales[i])
		}
	}
	slices.SortFunc(list, func(a, b Sale) int {
		return cmp.Or(cmp.Compare(a.Gear, b.Gear), cmp.Compare(a.Day, b.Day), cmp.Compare(a.Price, b.Price),
			cmp.Compare(a.Grade, b.Grade), cmp.Compare(a.Seller, b.Seller), cmp.Compare(a.Buyer, b.Buyer), slices.Compare(a.Traits, b.Traits))
	})
	return list
}
