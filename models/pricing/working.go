package pricing

import "math"

// Working shows how the estimates of a gear follow from its sales. The logarithm of an
// estimate in minor units is its grade's constant plus the sum of
//
//	weight in the grade × (logarithm of the term's price + adjustment)
//
// of all terms. The weights of a grade add up to 1.
type Working struct {
	Terms  []Term          `json:"terms"`
	Grades [Grades]Formula `json:"grades"`
}

// TermKind is the kind of a term.
type TermKind string

// The kinds of terms.
const (
	SaleTerm    TermKind = "sale"
	StartTerm   TermKind = "start"   // where the filter started: the median of the first sales
	SimilarTerm TermKind = "similar" // what similar gear says
)

// Term is a sale, or another price that an estimate is made from.
type Term struct {
	Kind       TermKind        `json:"kind"`
	Day        int             `json:"day,omitempty"` // of a sale
	Grade      int             `json:"grade"`         // of a sale
	Price      float64         `json:"price"`         // in minor units
	Adjustment float64         `json:"adjustment"`    // logarithm; removes the effects of grade, season and age
	Weights    [Grades]float64 `json:"weights"`       // in the estimate of each grade
}

// Formula is what the estimate of a grade needs beside the terms.
type Formula struct {
	Stated   bool    `json:"stated"` // whether there is an estimate
	Constant float64 `json:"constant"`
	// The ends of the ranges: what is added to the logarithm of the estimate.
	Low      float64 `json:"low"`
	HalfLow  float64 `json:"half_low"`
	HalfHigh float64 `json:"half_high"`
	High     float64 `json:"high"`
}

// gradient returns the derivatives of a predicted logarithm by the elements of the state.
func (s *state) gradient(c setting, grade int) (d [size]float64) {
	effects := s.gradeEffects(c)
	var sum float64
	for g, effect := range effects {
		if effect == effects[grade] { // the grades that are pooled with it
			d[firstGrade+g] = 1 / max(s.Cov[firstGrade+g][firstGrade+g], 1e-9)
			sum += d[firstGrade+g]
		}
	}
	for g := firstGrade; g < size; g++ {
		d[g] /= sum
	}
	d[level] = 1
	return d
}

// trace records the steps of a filter. Given its gains a filter is linear in the logarithms
// of the prices, so that the weight of each follows from the steps after it. A nil trace
// records nothing.
type trace struct {
	terms []Term
	steps []step
	term  int // that the next update is by
}

// step is an update by the last term, or the passing of time.
type step struct {
	term        int // -1 if time passes
	grade       int // element of the state beside the level, or level
	gain        [size]float64
	keep, reach float64
}

// start forgets the steps before.
func (t *trace) start(mean float64) {
	if t != nil {
		t.terms, t.steps = t.terms[:0], t.steps[:0]
		t.add(Term{Kind: StartTerm, Price: math.Exp(mean)})
	}
}

// add adds the term that the next update is by.
func (t *trace) add(term Term) {
	t.term = len(t.terms)
	t.terms = append(t.terms, term)
}

func (t *trace) sale(s *Sale, traits float64) {
	if t != nil {
		t.add(Term{Kind: SaleTerm, Day: s.Day, Grade: s.Grade, Price: float64(s.Price), Adjustment: -traits})
	}
}

func (t *trace) similar(mean float64) {
	if t != nil {
		t.add(Term{Kind: SimilarTerm, Price: math.Exp(mean)})
	}
}

// last returns the number of the last term.
func (t *trace) last() int {
	if t == nil {
		return 0
	}
	return t.term
}

// again makes the next update one by an earlier term.
func (t *trace) again(term int) {
	if t != nil {
		t.term = term
	}
}

func (t *trace) update(grade int, gain [size]float64, total float64) {
	if t == nil {
		return
	}
	for i := range gain {
		gain[i] /= total
	}
	t.steps = append(t.steps, step{term: t.term, grade: grade, gain: gain})
}

func (t *trace) advance(keep, reach float64) {
	if t != nil {
		t.steps = append(t.steps, step{term: -1, keep: keep, reach: reach})
	}
}

// weigh sets the weights of the terms in a grade, from the last step to the first. d has
// the derivatives of the estimate by the elements of the state after the last.
func (t *trace) weigh(w *Working, grade int, d [size]float64) {
	for i := len(t.steps) - 1; i >= 0; i-- {
		s := &t.steps[i]
		if s.term < 0 {
			d[slope] = s.keep*d[slope] + s.reach*d[level]
			continue
		}
		var weight float64
		for j := range d {
			weight += d[j] * s.gain[j]
		}
		w.Terms[s.term].Weights[grade] += weight
		d[level] -= weight
		if s.grade != level {
			d[s.grade] -= weight
		}
	}
	w.Terms[0].Weights[grade] += d[level]
}
