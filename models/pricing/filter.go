package pricing

import (
	"math"
	"slices"
)

// Rates are the hyperparameters of the filter, in logarithms and years.
type Rates struct {
	Level     float64 // how far a level wanders in a year
	Slope     float64 // how far a slope wanders in a year
	SlopeSpan float64 // years after which a slope has lost two thirds
	SlopeOff  float64 // standard deviation of a gear's slope from its kind's
	GradeOff  float64 // standard deviation of a gear's grades from its kind's
	Freedom   float64 // degrees of freedom of the noise: few are fat tails
}

// defaultRates are where the search for the best rates starts.
var defaultRates = Rates{Level: 0.03, Slope: 0.03, SlopeSpan: 3, SlopeOff: 0.05, GradeOff: 0.03, Freedom: 4}

// The state of a gear is its level, its slope beyond that of its kind, and the
// deviations of its grades.
const (
	level = iota
	slope
	firstGrade
	size = firstGrade + Grades
)

// early is the number of sales up to which the median of all weighs each one.
const early = 7

// state is a Kalman filter for one gear. Its cost does not depend on the number of
// sales.
type state struct {
	Count
	Day     int // of the state
	Mean    [size]float64
	Cov     [size][size]float64
	Early   []Sale
	Members map[string]member
	Squares float64      // sum of the squared errors of predictions, in standard deviations
	Errors  int          // number of them
	Recent  []recentSale // that may show a change of the price, see follow
	blind   bool         // to changes of prices
	trace   *trace       // nil unless the state is to be explained
}

// setting is what a filter needs beside its state.
type setting struct {
	gear *Gear
	*effects
	*Rates
}

func newState(c setting, day int, mean float64) *state {
	s := &state{Day: day}
	s.reset(c, day, mean)
	return s
}

// reset forgets the level and what follows from the sales.
func (s *state) reset(c setting, day int, mean float64) {
	s.Day, s.Mean, s.Cov = day, [size]float64{}, [size][size]float64{}
	s.Squares, s.Errors, s.Recent = 0, 0, nil
	s.Mean[level], s.Cov[level][level] = mean, 4
	s.trace.start(mean)
	s.Cov[slope][slope] = c.SlopeOff * c.SlopeOff
	for g := firstGrade; g < size; g++ {
		off := c.GradeOff * gradeDiffers[g-firstGrade]
		s.Cov[g][g] = off*off + c.Unsure[g-firstGrade]
	}
}

// add updates the state with a sale in constant time.
func (s *state) add(c setting, sale *Sale) {
	s.Count.add(sale)
	repeats := s.repeats(sale)
	if len(s.Early) < early && s.Sales <= early {
		s.Early = append(s.Early, *sale)
		s.replay(c)
		return
	}
	s.Early = nil
	s.observe(c, sale, repeats, nil)
}

// replay starts again with the early sales. Each is weighed by its distance from
// their median, because the first one alone could be an outlier.
func (s *state) replay(c setting) {
	levels := make([]float64, len(s.Early))
	now := s.Early[0].Day
	for i := range s.Early {
		now = min(now, s.Early[i].Day)
	}
	for i := range s.Early {
		levels[i] = c.levelOf(&s.Early[i]) - (c.course(c.gear, s.Early[i].Day) - c.course(c.gear, now))
	}
	middle := slices.Sorted(slices.Values(levels))
	median := (middle[(len(middle)-1)/2] + middle[len(middle)/2]) / 2
	s.reset(c, now, median)
	clear(s.Members)
	for i := range s.Early {
		var robust *float64
		if len(levels) > 2 {
			noise := c.noise(s.Early[i].Grade)
			w := trust(levels[i]-median, noise*noise)
			robust = &w
		}
		s.observe(c, &s.Early[i], s.repeats(&s.Early[i]), robust)
	}
}

// repeats returns the square of how many sales of about the last year the ring of the
// sale's members had, itself included, and remembers it. The weight of a sale is divided
// by it: all sales of a ring together weigh less than two, so that it can't outvote the
// others. A ring is all members who are connected by sales of the gear.
func (s *state) repeats(sale *Sale) float64 {
	if sale.Seller == "" && sale.Buyer == "" {
		return 1
	}
	if len(s.Members) >= maxMembers {
		s.forgetMembers()
	}
	if s.Members == nil {
		s.Members = map[string]member{}
	}
	name, ring := "", member{Day: sale.Day}
	for _, m := range []string{sale.Seller, sale.Buyer} {
		if m == "" {
			continue
		}
		root := s.ringOf(m)
		if known, ok := s.Members[root]; ok && root != name {
			day := max(ring.Day, known.Day)
			ring = member{Day: day, Count: ring.faded(day) + known.faded(day)}
		}
		if name != "" && root != name {
			s.Members[root] = member{Ring: name}
		} else {
			name = root
		}
	}
	ring.Count++
	s.Members[name] = ring
	return ring.Count * ring.Count
}

// member is a member who sold or bought the gear, or with Ring the ring of one.
type member struct {
	Ring  string  // another member of the ring, or "" for the one who counts for it
	Day   int     // of the last sale of the ring
	Count float64 // of the ring's sales, of which half is forgotten each year
}

// faded returns the count on a later day.
func (m member) faded(day int) float64 {
	return m.Count * math.Exp2(-float64(day-m.Day)/daysPerYear)
}

// ringOf returns the member who counts for the ring of a member.
func (s *state) ringOf(name string) string {
	for s.Members[name].Ring != "" {
		name = s.Members[name].Ring
	}
	return name
}

// forgetMembers forgets the half of the members whose rings were inactive for longest.
func (s *state) forgetMembers() {
	var days []int
	day := func(name string) int { return s.Members[s.ringOf(name)].Day }
	for name := range s.Members {
		days = append(days, day(name))
	}
	slices.Sort(days)
	kept := map[string]member{}
	for name, m := range s.Members {
		if day(name) > days[len(days)/2] {
			kept[name] = m
		}
	}
	s.Members = kept
}

// maxMembers bounds the members that a state remembers.
const maxMembers = 512

// levelOf returns the level that a sale speaks for.
func (c setting) levelOf(sale *Sale) float64 {
	return math.Log(float64(sale.Price)) - c.Grade[sale.Grade] - c.season(sale.Day) - c.traits(sale)
}

// observe moves the state to the day of a sale and updates it.
func (s *state) observe(c setting, sale *Sale, repeats float64, robust *float64) {
	y := c.levelOf(sale)
	gap := max(0, sale.Day-s.Day)
	if sale.Day >= s.Day {
		s.advance(c, sale.Day)
	} else {
		y += c.course(c.gear, s.Day) - c.course(c.gear, sale.Day) // a late sale
	}
	g := firstGrade + sale.Grade
	r := c.noise(sale.Grade) * c.noise(sale.Grade)
	e := y - s.Mean[level] - s.Mean[g]
	variance := s.Cov[level][level] + 2*s.Cov[level][g] + s.Cov[g][g]
	w := trust(e, variance+r)
	s.Squares += min(e*e/(variance+r), maxSquare) / repeats
	s.Errors++
	if robust != nil {
		w = *robust
	}
	recent := recentSale{day: s.Day, grade: sale.Grade, level: y, variance: r, vouched: sale.Seller == "" && sale.Buyer == "",
		base: s.Mean[level] - c.course(c.gear, s.Day), unsure: s.Cov[level][level], gap: gap}
	s.trace.sale(sale, c.traits(sale))
	recent.term = s.trace.last()
	s.update(g, e, r*repeats/w)
	if repeats == 1 && robust == nil && !s.blind {
		s.remember(recent)
		shares, probability := s.changes(c)
		s.follow(c, shares, settled*probability*probability) // whose variance stays, so that forgers gain nothing by it
	}
}

const (
	maxSquare  = 6  // bound of a squared error, so that one outlier says little about the noise
	noiseWorth = 12 // errors that the noise of the kind is worth beside the gear's own
)

// noiseFactor returns the variance of the gear's noise over that of its kind, shrunk to 1.
func (s *state) noiseFactor() float64 {
	return (s.Squares + noiseWorth) / (float64(s.Errors) + noiseWorth)
}

// trust returns the weight of a sale by its difference from what was expected, of a
// variance. It is that of Student's t with few degrees of freedom, fewer than prices have:
// what honest sales lose by it is little, what forged ones gain is less.
func trust(e, variance float64) float64 {
	const freedom = 3
	return 1 / (1 + e*e/(variance*freedom))
}

// update applies an observation of the level plus the element g, or of the level
// alone if g is level. e is its difference from what was expected and r its
// variance.
func (s *state) update(g int, e, r float64) {
	var gain [size]float64
	for i := range gain {
		gain[i] = s.Cov[i][level]
		if g != level {
			gain[i] += s.Cov[i][g]
		}
	}
	total := gain[level] + r
	if g != level {
		total += gain[g]
	}
	s.trace.update(g, gain, total)
	for i := range gain {
		k := gain[i] / total
		s.Mean[i] += k * e
		for j := range gain {
			s.Cov[i][j] -= k * gain[j]
		}
	}
}

// advance moves the state to a later day.
func (s *state) advance(c setting, day int) {
	if day <= s.Day {
		return
	}
	dt := float64(day-s.Day) / daysPerYear
	keep := math.Exp(-dt / c.SlopeSpan)
	reach := c.SlopeSpan * (1 - keep)
	s.Mean[level] += c.course(c.gear, day) - c.course(c.gear, s.Day) + reach*s.Mean[slope]
	s.Mean[slope] *= keep
	s.trace.advance(keep, reach)
	for i := range size {
		s.Cov[level][i] += reach * s.Cov[slope][i]
		s.Cov[slope][i] *= keep
	}
	for i := range size {
		s.Cov[i][level] += reach * s.Cov[i][slope]
		s.Cov[i][slope] *= keep
	}
	q := c.Slope * c.Slope * c.SlopeSpan / 2 * (1 - keep*keep)
	s.Cov[slope][slope] += q
	s.Cov[level][slope] += q * dt / 2
	s.Cov[slope][level] += q * dt / 2
	s.Cov[level][level] += q*dt*dt/3 + c.Level*c.Level*dt + newsSpread*newsSpread*c.gear.news(s.Day, day)
	s.Day = day
}

// predict returns the mean and the variance of the logarithm of the price in a
// grade on the state's day.
func (s *state) predict(c setting, grade int) (mean, variance float64) {
	g := firstGrade + grade
	mean = s.Mean[level] + s.gradeEffects(c)[grade] + c.season(s.Day)
	noise := c.noise(grade)
	return mean, max(0, s.Cov[level][level]+2*s.Cov[level][g]+s.Cov[g][g]) + noise*noise*s.noiseFactor()
}

// gradeEffects returns the effects of all grades, none above a better one.
func (s *state) gradeEffects(c setting) [Grades]float64 {
	var effect, weight [Grades]float64
	for g := range Grades {
		effect[g] = c.Grade[g] + s.Mean[firstGrade+g]
		weight[g] = 1 / max(s.Cov[firstGrade+g][firstGrade+g], 1e-9)
	}
	return falling(effect, weight)
}

// falling returns the closest values that don't rise, by pooling adjacent
// violators.
func falling(values, weights [Grades]float64) [Grades]float64 {
	type block struct {
		value, weight float64
		n             int
	}
	var blocks []block
	for i, v := range values {
		blocks = append(blocks, block{v, weights[i], 1})
		for n := len(blocks); n > 1 && blocks[n-1].value > blocks[n-2].value; n-- {
			a, b := blocks[n-2], blocks[n-1]
			w := a.weight + b.weight
			blocks = append(blocks[:n-2], block{(a.value*a.weight + b.value*b.weight) / w, w, a.n + b.n})
		}
	}
	i := 0
	for _, b := range blocks {
		for range b.n {
			values[i] = b.value
			i++
		}
	}
	return values
}
