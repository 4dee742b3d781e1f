package pricing

import (
	"math"
	"slices"
	"sort"
)

// crowds are the numbers of a gear's own sales at which a new class of gear starts.
var crowds = [...]int{0, 1, 3, 10, 30, 100}

func crowd(sales int) int { return sort.SearchInts(crowds[:], sales+1) - 1 }

// quantiles are the shares of sales below the ends of the ranges.
var quantiles = [...]float64{0.1, 0.25, 0.75, 0.9}

// rangeEnds are quantiles of errors in standard deviations, see calibration.
type rangeEnds = [len(quantiles)]float64

// cell is a class of predictions that have ranges of their own.
type cell struct {
	kind         string
	crowd, grade int
}

// score is the error of a prediction in standard deviations.
type score struct {
	cell
	z float64
}

// calibration says how large the errors of predictions are, in standard deviations:
// split-conformal prediction of errors that are divided by the factors of their kind, of their
// number of sales and of their grade, and by one of all three where its own errors say so. A factor
// of few errors is shrunk to 1, and to the errors of a fit come those of usualErrors, which decide
// as long as a site has few sales.
type calibration struct {
	Kinds  map[string]float64   `json:"kinds"`
	Crowds [len(crowds)]float64 `json:"crowds"`
	Grades [Grades]float64      `json:"grades"`
	Cells  map[string]float64   `json:"cells"` // by name
	Ends   rangeEnds            `json:"ends"`
}

// What usual errors and a factor of 1 are worth, in errors.
const (
	usualWorth  = 15
	factorWorth = 20
)

func calibrate(scores []score) *calibration {
	c := &calibration{Kinds: map[string]float64{}}
	for i := range c.Crowds {
		c.Crowds[i] = 1
	}
	for i := range c.Grades {
		c.Grades[i] = 1
	}
	for range 3 {
		c.Kinds = factors(scores, func(s *score) string { return s.kind }, func(id cell) float64 { return c.factor(id) / c.ofKind(id.kind) })
		for i, f := range factors(scores, func(s *score) int { return s.crowd }, func(id cell) float64 { return c.factor(id) / c.Crowds[id.crowd] }) {
			c.Crowds[i] = f
		}
		for i, f := range factors(scores, func(s *score) int { return s.grade }, func(id cell) float64 { return c.factor(id) / c.Grades[id.grade] }) {
			c.Grades[i] = f
		}
	}
	z := usualErrors()
	for i := range scores {
		z = append(z, scores[i].z/c.factor(scores[i].cell))
	}
	c.Ends = conformal(z)
	c.Cells = c.widened(scores)
	return c
}

// A range of 80 % is stated as it is if at least minHeld of the errors of its cell are in it, of
// minErrors. Otherwise it is as wide as these errors require.
const (
	minHeld   = 0.77
	minErrors = 15
)

// widened returns the factors of the cells whose ranges would not hold.
func (c *calibration) widened(scores []score) map[string]float64 {
	needed := map[string][]float64{} // by cell, by which factor the range would hold each error
	for i := range scores {
		q := c.of(scores[i].cell)
		end := q[len(q)-1]
		if scores[i].z < 0 {
			end = q[0]
		}
		name := scores[i].name()
		needed[name] = append(needed[name], scores[i].z/end)
	}
	cells := map[string]float64{}
	for name, list := range needed {
		held := 0
		for _, factor := range list {
			held += int(one(factor <= 1))
		}
		if n := len(list); n >= minErrors && float64(held) < minHeld*float64(n) {
			cells[name] = max(1, quantile80(list))
		}
	}
	return cells
}

// anyGrade is the grade of a cell of all.
const anyGrade = -1

// name names the cell, with the group of its grade.
func (id cell) name() string {
	name := id.kind + ", " + crowdName(id.crowd)
	if id.grade != anyGrade {
		name += ", " + gradeGroups[id.grade]
	}
	return name
}

// factors returns by class of scores what their errors are times those of all, given the other
// factors of a cell.
func factors[K comparable](scores []score, class func(*score) K, others func(cell) float64) map[K]float64 {
	sizes := map[K][]float64{}
	var all []float64
	for i := range scores {
		s := &scores[i]
		size := math.Abs(s.z) / others(s.cell)
		sizes[class(s)] = append(sizes[class(s)], size)
		all = append(all, size)
	}
	found := map[K]float64{}
	for k, list := range sizes {
		n := float64(len(list))
		found[k] = (n*quantile80(list)/max(quantile80(all), 1e-9) + factorWorth) / (n + factorWorth)
	}
	return found
}

// quantile80 returns the size that 8 of 10 errors are below.
func quantile80(sizes []float64) float64 {
	slices.Sort(sizes)
	return sizes[min(len(sizes)-1, (len(sizes)+1)*8/10)]
}

func (c *calibration) ofKind(kind string) float64 {
	if f, ok := c.Kinds[kind]; ok {
		return f
	}
	return 1
}

func (c *calibration) factor(id cell) float64 {
	f := c.ofKind(id.kind) * c.Crowds[id.crowd] * c.Grades[id.grade]
	if wider, ok := c.Cells[id.name()]; ok {
		f *= wider
	}
	return f
}

// of returns the quantiles of a cell.
func (c *calibration) of(id cell) rangeEnds {
	q := c.Ends
	for i := range q {
		q[i] *= c.factor(id)
	}
	return q
}

// usualErrors returns the errors of predictions by a fit to few sales: those of Student's t with
// four degrees of freedom, a fifth wider.
func usualErrors() []float64 {
	z := make([]float64, usualWorth)
	for i := range z {
		p := (float64(i) + 0.5) / usualWorth
		a := math.Sqrt(4 * p * (1 - p))
		z[i] = 1.2 * math.Copysign(2*math.Sqrt(math.Cos(math.Acos(a)/3)/a-1), p-0.5)
	}
	return z
}

// conformal returns the quantiles of scores, each one rank further out than the
// sample's, which makes up for the score that is to come.
func conformal(z []float64) (q rangeEnds) {
	slices.Sort(z)
	n := float64(len(z))
	for i, p := range quantiles {
		rank := math.Ceil((n + 1) * p)
		if p < 0.5 {
			rank = math.Floor((n + 1) * p)
		}
		q[i] = z[int(min(max(rank-1, 0), n-1))]
	}
	return q
}
