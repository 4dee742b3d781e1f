package pricing

import (
	"cmp"
	"math"
	"slices"
)

// recentSale is a sale that may show a change of prices: the first of its ring.
type recentSale struct {
	day, grade int
	term       int     // in a trace
	level      float64 // for which it speaks, with the deviation of the grade
	variance   float64 // of its noise
	vouched    bool    // by the operators
}

const (
	maxRecent   = 48  // sales that show a change
	minRecent   = 4   // without those that are left out
	leftOut     = 4   // sales of members in the direction of the change, as many as forgers may make
	errorLimit  = 1.5 // bound of an error in standard deviations
	errorSpread = 0.85
	clearErrors = 2.4 // standard errors of the mean of the errors
)

// recentDays are the periods that are compared with what was expected.
var recentDays = [...]int{20, 40, 80}

// detect adds a sale to the recent ones. If these differ from the level by more than chance, the
// level starts again from their median. Of members' sales the four that differ most are left out,
// so that four pairs of forgers change nothing.
func (s *state) detect(c setting, last recentSale) {
	s.Recent = append(s.Recent, last)
	if len(s.Recent) > maxRecent {
		s.Recent = s.Recent[1:]
	}
	for _, days := range recentDays {
		from := slices.IndexFunc(s.Recent, func(n recentSale) bool { return s.Day-n.day <= days })
		if from < 0 {
			return
		}
		if median, n, clear := s.change(c, s.Recent[from:]); clear {
			e := s.differs(c, median)
			s.Cov[level][level] += e * e
			s.trace.again(median.term)
			s.update(firstGrade+median.grade, e, math.Pi/2*median.variance/float64(n))
			s.Recent = nil
			return
		}
	}
}

// differs returns by how much a sale differs from what was expected.
func (s *state) differs(c setting, n *recentSale) float64 {
	return n.level + c.course(c.gear, s.Day) - c.course(c.gear, n.day) - s.Mean[level] - s.Mean[firstGrade+n.grade]
}

// differing is a sale with its difference in standard deviations of the noise.
type differing struct {
	*recentSale
	by float64
}

// change returns the median of the sales and their number, without those that are left out, and
// whether they clearly differ from what was expected.
func (s *state) change(c setting, list []recentSale) (median *recentSale, n int, clear bool) {
	some, sum := make([]differing, 0, maxRecent), 0.0
	for i := range list {
		d := differing{&list[i], s.differs(c, &list[i]) / math.Sqrt(list[i].variance)}
		some, sum = append(some, d), sum+d.by
	}
	direction := math.Copysign(1, sum)
	if !s.clear(some, direction) {
		return nil, 0, false
	}
	slices.SortStableFunc(some, func(a, b differing) int { return cmp.Compare(direction*b.by, direction*a.by) })
	omitted := 0
	some = slices.DeleteFunc(some, func(d differing) bool {
		omit := !d.vouched && omitted < leftOut
		omitted += int(one(omit))
		return omit
	})
	if !s.clear(some, direction) {
		return nil, 0, false
	}
	return some[len(some)/2].recentSale, len(some), true
}

// clear reports whether sales differ in a direction by more than chance.
func (s *state) clear(some []differing, direction float64) bool {
	n := float64(len(some))
	if n < minRecent {
		return false
	}
	mean, noise := 0.0, 0.0
	for _, d := range some {
		mean += min(max(d.by*direction, -errorLimit), errorLimit) / n
		noise += d.variance / n
	}
	return mean > clearErrors*math.Sqrt(errorSpread*errorSpread/n+s.Cov[level][level]/noise)
}
