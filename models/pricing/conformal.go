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

// cell is a class of predictions that have ranges of their own.
type cell struct {
	kind  string
	crowd int
}

// score is the error of a prediction in standard deviations.
type score struct {
	cell
	z float64
}

// minScores is the number of scores that a cell needs for ranges of its own.
const minScores = 150

// calibration holds the quantiles of the errors of predictions, in standard
// deviations: split-conformal prediction, within each cell (Mondrian). A cell with
// few scores has the quantiles of its number of sales in all kinds.
type calibration struct {
	cells  map[cell]rangeEnds
	crowds [len(crowds)]rangeEnds
}

func calibrate(scores []score) *calibration {
	c := &calibration{cells: map[cell]rangeEnds{}}
	byCell, byCrowd := map[cell][]float64{}, map[int][]float64{}
	var all []float64
	for _, s := range scores {
		byCell[s.cell] = append(byCell[s.cell], s.z)
		byCrowd[s.crowd] = append(byCrowd[s.crowd], s.z)
		all = append(all, s.z)
	}
	whole := [len(quantiles)]float64{-1.28, -0.67, 0.67, 1.28}
	if len(all) >= minScores {
		whole = conformal(all)
	}
	for i := range c.crowds {
		c.crowds[i] = whole
		if list := byCrowd[i]; len(list) >= minScores {
			c.crowds[i] = conformal(list)
		}
	}
	for id, list := range byCell {
		if len(list) >= minScores {
			c.cells[id] = conformal(list)
		}
	}
	return c
}

// of returns the quantiles of a cell.
func (c *calibration) of(id cell) [len(quantiles)]float64 {
	if q, ok := c.cells[id]; ok {
		return q
	}
	return c.crowds[id.crowd]
}

// conformal returns the quantiles of scores, each one rank further out than the
// sample's, which makes up for the score that is to come.
func conformal(z []float64) (q [len(quantiles)]float64) {
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

// rangeEnds are quantiles of errors in standard deviations, see calibration.
type rangeEnds = [len(quantiles)]float64
