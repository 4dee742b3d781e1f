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
	Day                int // of the state
	First, Last, Sales int
	ByGrade            [Grades]int
	Mean               [size]float64
	Cov                [size][size]float64
	Early              []Sale
	Members            map[string]seen
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
	s.Mean[level], s.Cov[level][level] = mean, 4
	s.Cov[slope][slope] = c.SlopeOff * c.SlopeOff
	for g := firstGrade; g < size; g++ {
		s.Cov[g][g] = c.GradeOff * c.GradeOff
	}
}

// add updates the state with a sale in constant time.
func (s *state) add(c setting, sale *Sale) {
	if s.Sales == 0 {
		s.First, s.Last = sale.Day, sale.Day
	}
	s.First, s.Last = min(s.First, sale.Day), max(s.Last, sale.Day)
	s.Sales++
	s.ByGrade[sale.Grade]++
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
			e := (levels[i] - median) / c.Noise
			w := (c.Freedom + 1) / (c.Freedom + e*e)
			robust = &w
		}
		s.observe(c, &s.Early[i], s.repeats(&s.Early[i]), robust)
	}
}

// repeats returns the square of how many sales of about the last year the sale's
// busier member had, itself included, and remembers it. The weight of a sale is
// divided by it: all sales of a member together weigh less than two, so that a ring
// can't outvote the others.
func (s *state) repeats(sale *Sale) float64 {
	most := 1.0
	for _, m := range []string{sale.Seller, sale.Buyer} {
		if m == "" {
			continue
		}
		if s.Members == nil || len(s.Members) >= maxMembers {
			s.Members = map[string]seen{}
		}
		known := s.Members[m]
		known.Count = known.Count*math.Exp2(-max(0, float64(sale.Day-known.Day))/daysPerYear) + 1
		known.Day = max(known.Day, sale.Day)
		s.Members[m] = known
		most = max(most, known.Count)
	}
	return most * most
}

// seen counts a member's sales of the gear, of which half is forgotten each year.
type seen struct {
	Day   int
	Count float64
}

// maxMembers bounds the members that a state remembers.
const maxMembers = 256

// levelOf returns the level that a sale speaks for.
func (c setting) levelOf(sale *Sale) float64 {
	return math.Log(float64(sale.Price)) - c.Grade[sale.Grade] - c.season(sale.Day)
}

// observe moves the state to the day of a sale and updates it.
func (s *state) observe(c setting, sale *Sale, repeats float64, robust *float64) {
	y := c.levelOf(sale)
	if sale.Day >= s.Day {
		s.advance(c, sale.Day)
	} else {
		y += c.course(c.gear, s.Day) - c.course(c.gear, sale.Day) // a late sale
	}
	g := firstGrade + sale.Grade
	r := c.Noise * c.Noise
	e := y - s.Mean[level] - s.Mean[g]
	variance := s.Cov[level][level] + 2*s.Cov[level][g] + s.Cov[g][g]
	w := (c.Freedom + 1) / (c.Freedom + e*e/(variance+r))
	if robust != nil {
		w = *robust
	}
	s.update(g, e, r*repeats/w)
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
	s.Cov[level][level] += q*dt*dt/3 + c.Level*c.Level*dt
	s.Day = day
}

// predict returns the mean and the variance of the logarithm of the price in a
// grade on the state's day, without the noise of a sale.
func (s *state) predict(c setting, grade int) (mean, variance float64) {
	g := firstGrade + grade
	mean = s.Mean[level] + s.gradeEffects(c)[grade] + c.season(s.Day)
	return mean, max(0, s.Cov[level][level]+2*s.Cov[level][g]+s.Cov[g][g])
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
