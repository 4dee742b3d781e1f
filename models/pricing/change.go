package pricing

import (
	"cmp"
	"math"
	"slices"
)

// recentSale is a sale that may show a change of the price: the first of its ring.
type recentSale struct {
	day, grade int
	term       int     // in a trace
	level      float64 // for which it speaks, with the deviation of the grade
	variance   float64 // of its noise
	vouched    bool    // by the operators

	// Before the sale: the level less the course, its variance, and the days without a sale.
	base, unsure float64
	gap          int
}

const (
	changesAYear  = 5    // of a price, before anything is known: more than there are, so that estimates follow soon
	changeSize    = 0.12 // standard deviation of a change, as a logarithm
	changeFreedom = 4    // degrees of freedom of the noise, so that outliers are no change
	changeDays    = 90   // how long ago a change may be
	maxGap        = 30   // days without a sale that speak for a change
	settled       = 0.4  // part of a certain change that each sale makes part of the state
	maxRecent     = 48
	minRecent     = 3 // without those that are left out
	leftOut       = 4 // sales of members in the direction of the change, as many as forgers may make
)

// changedSince are the numbers of recent sales since which the price may have changed.
var changedSince = [...]int{3, 4, 5, 6, 7, 8, 10, 12, 15, 19, 24, 30, 38, 48}

// remember adds a sale to the recent ones.
func (s *state) remember(last recentSale) {
	s.Recent = append(s.Recent, last)
	for len(s.Recent) > maxRecent || s.Day-s.Recent[0].day > changeDays {
		s.Recent = s.Recent[1:]
	}
}

// change is that of a price before the last n recent sales.
type change struct {
	n      int
	odds   float64 // against no change
	share  float64 // of the sales' mean in the level after it; the rest is the level as it was
	weight []float64
}

// follow moves the level towards the recent sales by a part of what changes says, and returns how much less
// certain it is, as a variance.
func (s *state) follow(c setting, shares []float64, part float64) (doubt float64) {
	rest := 1.0
	for _, share := range shares {
		rest -= part * share
	}
	for i, share := range shares { // one after the other, each with what those after it leave of it
		if share > 0 {
			rest += part * share
			step := part * share / rest
			e := s.move(c, &s.Recent[i], step)
			doubt += step * (1 - step) * min(e*e, changeSize*changeSize)
		}
	}
	return doubt
}

// move moves the level by a share of its difference from a sale, which it returns.
func (s *state) move(c setting, to *recentSale, share float64) (e float64) {
	e = to.level + c.course(c.gear, s.Day) - c.course(c.gear, to.day) - s.Mean[level] - s.Mean[firstGrade+to.grade]
	s.trace.again(to.term)
	s.trace.update(firstGrade+to.grade, [size]float64{level: share}, 1)
	s.Mean[level] += share * e
	return e
}

// changes returns the shares that the recent sales have in the level, and the probability that the price
// has changed: before the last n of them, for some n (Barry and Hartigan 1993). It is as smooth in prices as
// the filter: a little more evidence moves a level a little more.
func (s *state) changes(c setting) (shares []float64, probability float64) {
	var found []change
	all := 1.0
	for i, n := range changedSince {
		if n > len(s.Recent) {
			break
		}
		before := 0
		if i+1 < len(changedSince) {
			before = max(0, len(s.Recent)-changedSince[i+1])
		}
		if x, ok := s.changed(c, n, before); ok {
			found = append(found, x)
			all += x.odds
		}
	}
	if len(found) == 0 {
		return nil, 0
	}
	shares = make([]float64, len(s.Recent))
	for _, x := range found {
		for i, w := range x.weight {
			shares[len(s.Recent)-x.n+i] += w * x.odds / all * x.share
		}
	}
	return shares, 1 - 1/all
}

// differing is a sale with its difference from what was expected before a change, and the variance of
// its noise.
type differing struct {
	at           int // among the sales since
	by, variance float64
	vouched      bool
}

// changed returns the change before the last n recent sales, but after the one with the number before.
// It returns false if too few are left without those that are left out.
func (s *state) changed(c setting, n, before int) (x change, ok bool) {
	since := s.Recent[len(s.Recent)-n:]
	first := &since[0]
	list := make([]differing, 0, maxRecent)
	direction, noise := 0.0, s.noiseFactor()
	for i := range since {
		r := &since[i]
		d := differing{i, r.level - c.course(c.gear, r.day) - s.Mean[firstGrade+r.grade] - first.base, r.variance * noise, r.vouched}
		list, direction = append(list, d), direction+d.by/(math.Abs(d.by)+math.Sqrt(d.variance))
	}
	slices.SortStableFunc(list, func(a, b differing) int { return cmp.Compare(direction*b.by, direction*a.by) })
	omitted := 0
	list = slices.DeleteFunc(list, func(d differing) bool {
		omit := !d.vouched && omitted < leftOut
		omitted += int(one(omit))
		return omit
	})
	if len(list) < minRecent {
		return x, false
	}
	x = change{n: n, weight: make([]float64, n)}
	mean, variance := robustMean(list, x.weight)
	gain := 0.0 // of the logarithm of the likelihood
	for _, d := range list {
		gain += (changeFreedom + 1) / 2.0 * math.Log((changeFreedom*d.variance+d.by*d.by)/(changeFreedom*d.variance+(d.by-mean)*(d.by-mean)))
	}
	days := first.day - s.Recent[before].day
	if days == 0 {
		days = first.gap
	}
	unsure := first.unsure + c.Level*c.Level*float64(s.Day-first.day)/daysPerYear
	gain *= variance / (variance + unsure)
	variance += unsure
	const usual = changeSize * changeSize
	gain -= mean*mean/(2*(usual+variance)) + math.Log1p(usual/variance)/2
	x.odds = changesAYear * float64(min(days, maxGap)) / daysPerYear * math.Exp(min(gain, 30))
	x.share = usual / (usual + variance)
	return x, true
}

// robustMean returns the mean of differences by Huber's weights around their median, and its variance,
// and sets the weight of each. The differences are in order.
func robustMean(list []differing, weight []float64) (mean, variance float64) {
	median := (list[(len(list)-1)/2].by + list[len(list)/2].by) / 2
	var sum, precision float64
	for _, d := range list {
		w := min(1, 1.345*math.Sqrt(d.variance)/max(math.Abs(d.by-median), 1e-12)) / d.variance
		weight[d.at] = w
		mean, sum, precision = mean+w*d.by, sum+w, precision+1/d.variance
	}
	for i := range weight {
		weight[i] /= sum
	}
	const efficiency = 1.1 // of the variance over that of a mean
	return mean / sum, efficiency / precision
}
