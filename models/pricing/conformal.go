package pricing

import (
	"maps"
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
	launched     bool // whether the launch price is known
}

// cellOf returns the cell of a prediction of a gear with some sales of its own.
func cellOf(g *Gear, sales, grade int) cell {
	return cell{g.Kind, crowd(sales), grade, g.LaunchPrice > 0}
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

// borrowing is the class of the number of sales up to which what similar gear says decides.
const borrowing = 2

// unsold reports whether the gear has neither sold nor a launch price.
func (id cell) unsold() bool { return id.crowd == 0 && !id.launched }

// bias names the errors of gear with few sales that are off in the same direction: those of its kind
// with what it is compared with.
func (id cell) bias() string {
	if id.launched {
		return launched(id.kind)
	}
	return id.kind
}

// A cell is in several classes, of which the first are of its kind, of the number of sales and of the
// grade; the others are of these together.
const (
	mainClasses = 3
	classes     = 5
)

// classes returns the names of the classes of a cell.
func (id cell) classes() [classes]string {
	sales := crowdName(id.crowd)
	if id.launched && id.crowd < borrowing {
		sales = launched(sales)
	}
	return [...]string{id.kind, sales, gradeNames[id.grade], id.kind + ", " + sales, id.name()}
}

var gradeNames = [Grades]string{"grade 0", "grade 1", "grade 2", "grade 3", "grade 4", "grade 5", "grade 6"}

// score is the error of a prediction in standard deviations, and one of these as a logarithm.
type score struct {
	cell
	names        [classes]string // of the cell's classes
	z, deviation float64
}

// calibration says how large the errors of predictions are, in standard deviations:
// split-conformal prediction of errors less the shifts of their kinds, divided by the factors of their
// classes. Shifts and factors of few errors are shrunk to what is usual, and to the errors of a fit come
// those of usualErrors, which decide as long as a site has few sales.
type calibration struct {
	Shifts  map[string]float64 `json:"shifts"`  // by bias
	Factors map[string]float64 `json:"factors"` // by class
	Ends    rangeEnds          `json:"ends"`
	Unsold  int                `json:"unsold"` // errors of gear that neither had sold nor has a launch price
}

// At least minUsual usual errors are added to those of a fit, and as many as make minErrors in all: of fewer,
// the quantiles would be the outermost errors, and ranges too wide. A usual factor or shift counts as
// factorWorth errors.
const (
	minErrors   = 30
	minUsual    = 15
	factorWorth = 20
)

// usualFactors are those of classes of which a site has no errors, unless they are 1. Gear that has not
// sold is nearer to its launch price than the process says, and a single sale says less than the filter.
var usualFactors = map[string]float64{"0": 1.2, "0, launch price known": 0.7, "1–2": 1.1}

// calibrate returns the calibration by the scores whose ranges are stated: these are of the gear that
// the process says most of, and thinks that it knows better than it does.
func calibrate(scores []score) *calibration {
	c := newCalibration(scores)
	for range 3 {
		scores = slices.DeleteFunc(scores, func(s score) bool { return !c.narrow(s.cell, s.deviation) })
		c = newCalibration(scores)
	}
	return c
}

// narrow reports whether the ends of a range are less than a factor of maxSpread apart.
func (c *calibration) narrow(id cell, deviation float64) bool {
	q := c.of(id)
	return (q[len(q)-1]-q[0])*deviation <= math.Log(maxSpread)
}

// minUnsold is the number of errors of gear without sales and launch price from which its estimates
// are stated: without any, nothing says whether similar gear costs about the same on the site.
const minUnsold = 20

// stated reports whether a prediction of a deviation is stated.
func (c *calibration) stated(id cell, deviation float64) bool {
	return c.narrow(id, deviation) && (!id.unsold() || c.Unsold >= minUnsold)
}

func newCalibration(scores []score) *calibration {
	c := &calibration{Shifts: map[string]float64{}, Factors: maps.Clone(usualFactors)}
	errors := map[string][]float64{}
	for i := range scores {
		if id := scores[i].cell; id.crowd < borrowing {
			errors[id.bias()] = append(errors[id.bias()], scores[i].z)
		}
		c.Unsold += int(one(scores[i].unsold()))
	}
	for bias, z := range errors {
		n := float64(len(z))
		c.Shifts[bias] = medianOf(z) * n / (n + factorWorth)
	}
	for range 3 {
		for class := range mainClasses {
			c.fit(scores, class)
		}
	}
	z := usualErrors(max(minUsual, minErrors-len(scores)))
	for i := range scores {
		z = append(z, (scores[i].z-c.shift(scores[i].cell))/c.factor(&scores[i].names))
	}
	c.Ends = conformal(z)
	for class := mainClasses; class < classes; class++ {
		c.fit(scores, class)
	}
	return c
}

// fit sets the factors of one of the classes of each score, given the others. That of a main class is
// the size of its errors over that of all; any other is by which shareRequired of the errors would be
// in their range.
func (c *calibration) fit(scores []score, class int) {
	sizes := map[string][]float64{}
	var all []float64
	for i := range scores {
		s := &scores[i]
		name := s.names[class]
		e := s.z - c.shift(s.cell)
		size := math.Abs(e) / c.factor(&s.names) * c.ofClass(name)
		switch {
		case class < mainClasses:
			all = append(all, size)
		case e < 0:
			size /= -c.Ends[0]
		default:
			size /= c.Ends[len(c.Ends)-1]
		}
		sizes[name] = append(sizes[name], size)
	}
	usualSize := 1.0
	if len(all) > 0 {
		usualSize = max(quantile(all, 0.8), 1e-9)
	}
	for name, list := range sizes {
		n, share, usual := float64(len(list)), 0.8, 1.0
		if class >= mainClasses {
			share = shareRequired(n)
		} else if f, ok := usualFactors[name]; ok {
			usual = f
		}
		c.Factors[name] = (n*quantile(list, share)/usualSize + factorWorth*usual) / (n + factorWorth)
	}
}

// shareRequired returns the share of n errors that a range has to hold, at least 80 %, so that with a
// probability of 90 % it holds 75 % of those to come.
func shareRequired(n float64) float64 {
	return max(0.8, 0.75+1.28*math.Sqrt(0.75*0.25/(n+factorWorth)))
}

// quantile returns the size that a share of errors is below, one rank further out than the sample's.
func quantile(sizes []float64, share float64) float64 {
	slices.Sort(sizes)
	return sizes[min(len(sizes)-1, int(float64(len(sizes)+1)*share))]
}

func (c *calibration) ofClass(name string) float64 {
	if f, ok := c.Factors[name]; ok {
		return f
	}
	return 1
}

// factor returns the factor of a cell by the names of its classes.
func (c *calibration) factor(names *[classes]string) float64 {
	f := 1.0
	for _, name := range names {
		f *= c.ofClass(name)
	}
	return f
}

// shift returns the median of the errors of a cell, which is not that of its estimate.
func (c *calibration) shift(id cell) float64 {
	if id.crowd >= borrowing {
		return 0
	}
	return c.Shifts[id.bias()]
}

// of returns the quantiles of a cell. The estimate is between them.
func (c *calibration) of(id cell) rangeEnds {
	q := c.Ends
	names := id.classes()
	f, shift := c.factor(&names), c.shift(id)
	for i, p := range quantiles {
		q[i] = q[i]*f + shift
		if p < 0.5 {
			q[i] = min(q[i], 0)
		} else {
			q[i] = max(q[i], 0)
		}
	}
	return q
}

// usualErrors returns n errors of predictions by a fit to few sales: those of Student's t with
// four degrees of freedom, a twentieth wider.
func usualErrors(n int) []float64 {
	z := make([]float64, n)
	for i := range z {
		p := (float64(i) + 0.5) / float64(n)
		a := math.Sqrt(4 * p * (1 - p))
		z[i] = 1.05 * math.Copysign(2*math.Sqrt(math.Cos(math.Acos(a)/3)/a-1), p-0.5)
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
