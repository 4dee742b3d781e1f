package pricing

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
)

// Model estimates prices. It is not safe for concurrent use.
type Model struct {
	Day int // of the fit

	end     int // day before which sales are used
	catalog map[string]*Gear
	pool    *pool
	rates   Rates
	kernels map[string]kernel // by group
	states  map[string]*state
	priors  map[string]*prior // by group
	ranges  *calibration
}

// Options change a fit.
type Options struct {
	// Tuning is that of an earlier fit, which the new one starts from. The search is
	// shorter with it.
	Tuning *Tuning
	// Counts are the numbers of the sales of each gear where the sales of the fit are only
	// some of them, see Sample.
	Counts map[string]Count

	uncalibrated bool // for prices alone: the ranges are the usual ones, and the hyperparameters those of Tuning
}

// Version is the version of the method. It changes when the same sales give other
// estimates.
const Version = 9

// Tuning holds the hyperparameters that a fit has found.
type Tuning struct {
	Rates   Rates             `json:"rates"`
	Kernels map[string]kernel `json:"kernels"` // by group of a prior
}

// Tuning returns the hyperparameters of the model.
func (m *Model) Tuning() *Tuning { return &Tuning{m.rates, maps.Clone(m.kernels)} }

// The calibration predicts the sales of the last year, a month after the other,
// from what was known before each month. The pool and the prior are fitted again
// before each of the stages, which are more where there are few sales.
const (
	calibrationDays = 366
	minStages       = 2
	maxStages       = 12
	stageSales      = 4_000 // sales times stages, between these numbers
	blockDays       = 30
)

// Fit fits a model to the sales before a day. The order of the sales is
// irrelevant; those that are not valid or of gear that is not listed are ignored.
func Fit(gear []Gear, sales []Sale, day int, options Options) *Model {
	catalog := make(map[string]*Gear, len(gear))
	for i := range gear {
		g := gear[i]
		catalog[g.Slug] = &g
	}
	all := before(ordered(catalog, sales), day)
	setReplaced(catalog, all)
	list := thinned(all)
	m := &Model{Day: day, end: day, catalog: catalog, rates: defaultRates, kernels: map[string]kernel{}, ranges: calibrate(nil)}
	rounds := 3
	if t := options.Tuning; t != nil {
		m.rates, m.kernels, rounds = t.Rates, maps.Clone(t.Kernels), 1
	}
	if !options.uncalibrated {
		m.calibrate(list, rounds)
	}
	m.learn(list, day, 0)
	m.count(all, options.Counts)
	return m
}

// Gear returns the slugs of all gear, in order.
func (m *Model) Gear() []string { return slices.Sorted(maps.Keys(m.catalog)) }

// before removes the sales from a day on.
func before(list []Sale, day int) []Sale {
	return slices.DeleteFunc(list, func(s Sale) bool { return s.Day >= day })
}

// Sales returns the number of sales that the model is fitted to.
func (m *Model) Sales() (n int) {
	for _, s := range m.states {
		n += s.Sales
	}
	return n
}

// maxPerGear bounds the sales of a gear in a fit.
const maxPerGear = 1000

// thinned returns evenly chosen sales of gear with more than maxPerGear.
func thinned(list []Sale) []Sale {
	thin := make([]Sale, 0, len(list))
	for same := range runs(list, sameGear) {
		thin = append(thin, evenly(same, maxPerGear)...)
	}
	return thin
}

// evenly returns at most n elements, evenly chosen and with the last.
func evenly[T any](list []T, n int) []T {
	if len(list) <= n {
		return list
	}
	some := make([]T, n)
	for i := range some {
		some[i] = list[(i+1)*len(list)/n-1]
	}
	return some
}

// count sets the numbers of sales, which thinned sales don't have: those that are known, or
// those of the sales of the fit.
func (m *Model) count(all []Sale, known map[string]Count) {
	for same := range runs(all, sameGear) {
		count, ok := known[same[0].Gear]
		if !ok {
			for i := range same {
				count.add(&same[i])
			}
		}
		m.states[same[0].Gear].Count = count
	}
}

// calibrate chooses the hyperparameters by the sales before the last year, or half
// of the time that there is, and the ranges by those after.
func (m *Model) calibrate(list []Sale, rounds int) {
	if len(list) == 0 {
		return
	}
	first := slices.MinFunc(list, func(a, b Sale) int { return cmp.Compare(a.Day, b.Day) }).Day
	stages := min(max(stageSales/len(list), minStages), maxStages)
	span := min(calibrationDays, (m.Day-first)/2)
	if stages == maxStages { // few sales: most of the time that there is
		span = (m.Day - first) * 3 / 4
	}
	from := m.Day - span
	var scores []score
	for stage := range stages {
		start, end := from+span*stage/stages, from+span*(stage+1)/stages
		n := 0
		if stage == 0 {
			n = rounds
		}
		past := m.fork()
		past.learn(until(list, start), start, n)
		m.rates, m.kernels = past.rates, past.kernels
		scores = append(scores, past.score(list, start, end)...)
	}
	m.ranges = calibrate(scores)
}

func (m *Model) fork() *Model {
	return &Model{catalog: m.catalog, rates: m.rates, kernels: maps.Clone(m.kernels), ranges: m.ranges}
}

// learn fits everything but the ranges. It searches for better hyperparameters in
// a number of rounds.
func (m *Model) learn(list []Sale, day, rounds int) {
	m.Day = day
	m.pool = fitPool(m.catalog, until(list, settledBefore(list, day)))
	if rounds > 0 {
		m.tuneRates(list, rounds)
	}
	m.states = map[string]*state{}
	for same := range runs(list, sameGear) {
		m.states[same[0].Gear] = m.filter(same, nil)
	}
	rarity := rarityOf(m.catalog)
	m.priors = map[string]*prior{}
	for group, examples := range m.examples(day, rarity) {
		k, known := m.kernels[group]
		if !known {
			k = startOf(examples)
		}
		if rounds > 0 {
			k = k.tuned(examples, rounds)
		}
		m.kernels[group] = k
		if p := fitPrior(k, examples, rarity, day, m.pool); p != nil {
			m.priors[group] = p
		}
	}
}

// settledBefore returns the day up to which sales count for what a kind shares: all but
// the last 90 days, or a quarter of the time that there is. So nobody can move the prices
// of all gear of a kind at once.
func settledBefore(list []Sale, day int) int {
	first := day
	for i := range list {
		first = min(first, list[i].Day)
	}
	return day - min(90, (day-first)/4)
}

func sameGear(a, b *Sale) bool { return a.Gear == b.Gear }

// until returns the sales before a day.
func until(list []Sale, day int) []Sale {
	var past []Sale
	for i := range list {
		if list[i].Day < day {
			past = append(past, list[i])
		}
	}
	return past
}

func (m *Model) setting(g *Gear) setting { return setting{g, m.pool.of(g.Kind), &m.rates} }

// filter returns the state of a gear after its sales, and records it in a trace unless
// that is nil.
func (m *Model) filter(sales []Sale, t *trace) *state {
	c := m.setting(m.catalog[sales[0].Gear])
	s := newState(c, sales[0].Day, 0)
	s.trace = t
	for i := range sales {
		s.add(c, &sales[i])
	}
	return s
}

// launched returns the group of the gear of a family whose launch price is known. Their
// levels are compared relative to it. All gear of a family is a group too.
func launched(family string) string { return family + ", launch price known" }

// prior returns what knows most of a gear like it, or nil.
func (m *Model) prior(g *Gear) *prior {
	if p := m.priors[launched(g.Family)]; p != nil && g.LaunchPrice > 0 {
		return p
	}
	return m.priors[g.Family]
}

// examples returns the levels on a day of the gear of each group that has the most
// sales.
func (m *Model) examples(day int, rarity map[uint32]float64) map[string][]example {
	slugs := slices.SortedFunc(maps.Keys(m.states), func(a, b string) int {
		return cmp.Or(cmp.Compare(m.states[b].Sales, m.states[a].Sales), cmp.Compare(a, b))
	})
	examples := map[string][]example{}
	for _, slug := range slugs {
		g := m.catalog[slug]
		s := *m.states[slug]
		s.advance(m.setting(g), day)
		e := example{slug: slug, features: featuresOf(g, rarity), y: s.Mean[level], noise: s.Cov[level][level]}
		add := func(group string) {
			if len(examples[group]) < maxExamples {
				examples[group] = append(examples[group], e)
			}
		}
		if e.base != 0 {
			e.base += m.pool.of(g.Kind).aging(g, day)
			e.y -= e.base
			add(launched(g.Family))
			e.y, e.base = e.y+e.base, 0
		}
		add(g.Family)
	}
	return examples
}

// rarityOf returns the weights of words: rare ones say more.
func rarityOf(catalog map[string]*Gear) map[uint32]float64 {
	count := map[uint32]int{}
	for _, g := range catalog {
		for _, w := range hashes(g) {
			count[w]++
		}
	}
	rarity := make(map[uint32]float64, len(count))
	for w, n := range count {
		rarity[w] = math.Log(1 + float64(len(catalog))/float64(n))
	}
	return rarity
}

// tunedSales bounds the sales by which rates are chosen.
const tunedSales = 20_000

// tuneRates chooses the rates that predict each sale best from those before, by
// coordinate search.
func (m *Model) tuneRates(list []Sale, rounds int) {
	groups := ofSomeGear(list, tunedSales)
	best := m.likelihood(groups, m.rates)
	for step := 1.8; rounds > 0; rounds-- {
		for i := range 6 {
			for _, factor := range []float64{step, 1 / step} {
				next := m.rates
				next.scale(i, factor)
				if l := m.likelihood(groups, next); l > best+0.1 {
					m.rates, best = next, l
					break
				}
			}
		}
		step = math.Sqrt(step)
	}
}

// scale multiplies a rate, within what makes sense.
func (r *Rates) scale(i int, factor float64) {
	rate := []*float64{&r.Level, &r.Slope, &r.SlopeSpan, &r.SlopeOff, &r.GradeOff, &r.Freedom}[i]
	low := []float64{0.005, 0.002, 0.3, 0.005, 0.002, 2.5}[i]
	high := []float64{0.3, 0.5, 20, 0.5, 0.3, 30}[i]
	*rate = min(max(*rate*factor, low), high)
}

// likelihood returns the logarithm of the density of the sales, each predicted
// from those before.
func (m *Model) likelihood(groups [][]Sale, rates Rates) float64 {
	var sum float64
	for _, sales := range groups {
		g := m.catalog[sales[0].Gear]
		c := setting{g, m.pool.of(g.Kind), &rates}
		s := newState(c, sales[0].Day, 0)
		s.blind = true // which is faster
		for i := range sales {
			if sale := &sales[i]; i >= early {
				s.advance(c, sale.Day)
				k := firstGrade + sale.Grade
				e := c.levelOf(sale) - s.Mean[level] - s.Mean[k]
				v := s.Cov[level][level] + 2*s.Cov[level][k] + s.Cov[k][k] + c.noise(sale.Grade)*c.noise(sale.Grade)
				sum += studentT(e, v, rates.Freedom)
			}
			s.add(c, &sales[i])
		}
	}
	return sum
}

// studentT returns the logarithm of the density of Student's t-distribution with a
// squared scale.
func studentT(e, v, freedom float64) float64 {
	a, _ := math.Lgamma((freedom + 1) / 2)
	b, _ := math.Lgamma(freedom / 2)
	return a - b - math.Log(freedom*math.Pi*v)/2 - (freedom+1)/2*math.Log1p(e*e/(freedom*v))
}

// score predicts the sales from one day to another, those of a block of days from
// what was known before it, and returns the errors.
func (m *Model) score(list []Sale, from, to int) []score {
	var scores []score
	byBlock := map[int][]*Sale{}
	for i := range list {
		if s := &list[i]; s.Day >= from && s.Day < to {
			byBlock[(s.Day-from)/blockDays] = append(byBlock[(s.Day-from)/blockDays], s)
		}
	}
	for _, block := range slices.Sorted(maps.Keys(byBlock)) {
		for _, s := range byBlock[block] {
			g := m.catalog[s.Gear]
			if p, ok := m.predict(g, s.Grade, s.Day); ok {
				id := cellOf(g, p.sales, s.Grade)
				scores = append(scores, score{id, id.classes(), (math.Log(float64(s.Price)) - p.mean) / p.deviation, p.deviation})
			}
		}
		for _, s := range byBlock[block] {
			m.Update(*s)
		}
	}
	return scores
}

// Update adds a sale in constant time. It reports whether the sale is valid and
// its gear listed.
func (m *Model) Update(sale Sale) bool {
	g := m.catalog[sale.Gear]
	if g == nil || !sale.valid() {
		return false
	}
	s, c := m.states[sale.Gear], m.setting(g)
	if s == nil {
		s = newState(c, sale.Day, 0)
		m.states[sale.Gear] = s
	}
	s.add(c, &sale)
	return true
}

// prediction is the distribution of the logarithm of a price.
type prediction struct {
	mean, deviation float64
	sales           int
	borrowed        float64
	state           state
}

// predict returns false if neither the gear nor similar gear has sales.
func (m *Model) predict(g *Gear, grade, day int) (prediction, bool) {
	p, ok := m.extend(g, m.states[g.Slug], day)
	if ok {
		mean, variance := p.state.predict(m.setting(g), grade)
		p.mean, p.deviation = mean, math.Sqrt(variance)
	}
	return p, ok
}

// extend returns the state of a gear on a day, with what is borrowed from similar gear,
// from that after its sales, which is nil without any.
func (m *Model) extend(g *Gear, s *state, day int) (p prediction, ok bool) {
	c, prior := m.setting(g), m.prior(g)
	if s == nil && prior == nil {
		return p, false
	}
	if s == nil {
		s = newState(c, day, prior.of(g).mean)
		s.Cov[level][level] = unknown
	}
	own := *s
	shares, _ := own.changes(c)
	own.Cov[level][level] += own.follow(c, shares, 1)
	own.advance(c, day)
	p = prediction{sales: s.Sales}
	if prior != nil {
		b := prior.of(g)
		b.mean += c.course(g, own.Day) - c.course(g, prior.day)
		b.variance += c.Level * c.Level * math.Abs(float64(own.Day-prior.day)) / daysPerYear
		p.borrowed = own.Cov[level][level] / (own.Cov[level][level] + b.variance)
		own.trace.similar(b.mean)
		own.update(level, b.mean-own.Mean[level], b.variance)
	}
	p.state = own
	return p, true
}

// unknown is the variance of a level that nothing is known of.
const unknown = 1e6

// maxSpread is the ratio of the ends of the wide range from which nothing is stated, because
// nobody could act on it. What is borrowed on a new site is nearly as wide.
const maxSpread = 4.5

// Estimate returns what a gear sells for in a grade on a day, which may be in the
// future. It returns false if too little is known.
func (m *Model) Estimate(slug string, grade, day int) (Estimate, bool) {
	g := m.catalog[slug]
	if g == nil || grade < 0 || grade >= Grades || day <= -maxDay || day >= maxDay {
		return Estimate{}, false
	}
	if m.states[slug] == nil && !m.comparable(g) {
		return Estimate{}, false
	}
	p, ok := m.predict(g, grade, day)
	id := cellOf(g, p.sales, grade)
	if !ok || !m.ranges.stated(id, p.deviation) {
		return Estimate{}, false
	}
	q := m.ranges.of(id)
	at := func(z float64) int64 { return cents(p.mean + z*p.deviation) }
	e := Estimate{
		Price: cents(p.mean), Half: Range{at(q[1]), at(q[2])}, Most: Range{at(q[0]), at(q[3])},
		Sales: p.sales, Borrowed: p.borrowed, Direction: m.direction(g, p.state),
	}
	e.Quick, e.Patient = e.Half.Low, e.Half.High
	if s := m.states[slug]; s != nil {
		e.SameGrade, e.FirstDay, e.LastDay = s.ByGrade[grade], s.First, s.Last
	}
	return e, true
}

// comparable reports whether something is known of the price of gear that has not sold: what it
// cost at its launch, or what gear of its kind and brand sells for. Other brands may cost ten times as
// much or as little.
func (m *Model) comparable(g *Gear) bool {
	p := m.prior(g)
	if g.LaunchPrice > 0 || p == nil {
		return p != nil
	}
	kind, brand := kindOf(g), strings.ToLower(g.Brand)
	return slices.ContainsFunc(p.examples, func(e example) bool { return e.kind == kind && e.brand == brand })
}

// direction returns the expected change of a level in half a year, without the
// season.
func (m *Model) direction(g *Gear, s state) Direction {
	c := m.setting(g)
	const ahead = 183
	years := ahead / daysPerYear
	keep := math.Exp(-years / c.SlopeSpan)
	reach := c.SlopeSpan * (1 - keep)
	mean := c.course(g, s.Day+ahead) - c.course(g, s.Day) + reach*s.Mean[slope]
	variance := reach*reach*s.Cov[slope][slope] + c.Level*c.Level*years + c.Slope*c.Slope*years*years*years/3
	d := 1.2816 * math.Sqrt(variance)
	return Direction{math.Expm1(mean), math.Expm1(mean - d), math.Expm1(mean + d)}
}

// Working returns how the estimates of a gear on the day of the fit follow from its sales,
// which are those that the model was fitted to, and false if nothing is stated.
func (m *Model) Working(slug string, sales []Sale) (*Working, bool) {
	g := m.catalog[slug]
	if g == nil {
		return nil, false
	}
	t := &trace{}
	var s *state
	if list := thinned(before(ordered(map[string]*Gear{slug: g}, sales), m.end)); len(list) > 0 {
		s = m.filter(list, t)
	}
	w := &Working{}
	any := false
	for grade := range Grades {
		if _, ok := m.Estimate(slug, grade, m.Day); ok {
			w.Grades[grade].Stated, any = true, true
		}
	}
	if !any {
		return nil, false
	}
	if s == nil { // a start that is traced
		s = newState(m.setting(g), m.Day, 0)
		s.trace = t
		s.reset(m.setting(g), m.Day, m.prior(g).of(g).mean)
		s.Cov[level][level] = unknown
	}
	p, _ := m.extend(g, s, m.Day)
	w.Terms = t.terms
	c := m.setting(g)
	for i := range w.Terms {
		if term := &w.Terms[i]; term.Kind == SaleTerm {
			term.Adjustment += -c.Grade[term.Grade] - c.season(term.Day) + c.course(g, m.Day) - c.course(g, term.Day)
		}
	}
	for grade := range Grades {
		q := m.ranges.of(cellOf(g, p.sales, grade))
		t.weigh(w, grade, p.state.gradient(c, grade))
		mean, variance := p.state.predict(c, grade)
		deviation := math.Sqrt(variance)
		f := &w.Grades[grade]
		f.Constant = mean
		for i := range w.Terms {
			term := &w.Terms[i]
			f.Constant -= term.Weights[grade] * (math.Log(term.Price) + term.Adjustment)
		}
		f.Low, f.HalfLow, f.HalfHigh, f.High = q[0]*deviation, q[1]*deviation, q[2]*deviation, q[3]*deviation
	}
	return w, true
}

// tuned returns the kernel that explains the examples best, by coordinate search from k in a few
// rounds. What is far from where the search starts has to explain them much better: few examples
// say little about hyperparameters.
func (k kernel) tuned(examples []example, rounds int) kernel {
	const most = 350
	examples = evenly(examples, most)
	all := make([][]pair, len(examples))
	for i := range examples {
		all[i] = pairsBefore(nil, examples, i)
	}
	start := startOf(examples)
	likelihood := func(k kernel) float64 {
		l := k.likelihood(examples, func(i int) []pair { return all[i] })
		for i := range k {
			d := math.Log(k[i]/start[i]) / kernelDoubt
			l -= d * d / 2
		}
		return l
	}
	best := likelihood(k)
	for step := 2.0; rounds > 0; rounds-- {
		for i := range k {
			for _, factor := range []float64{step, 1 / step} {
				next := k
				next[i] *= factor
				if i == otherKind {
					next[i] = min(next[i], 1)
				}
				if l := likelihood(next); l > best+0.01 {
					k, best = next, l
					break
				}
			}
		}
		step = math.Pow(step, 0.75)
	}
	return k
}

// startOf returns the kernel from which the search for the best one of examples starts.
func startOf(examples []example) kernel {
	if examples[0].base != 0 {
		return startRelative
	}
	return startKernel
}

// kernelDoubt is the standard deviation of the logarithm of a hyperparameter around where the
// search starts.
const kernelDoubt = 0.7
