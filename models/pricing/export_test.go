package pricing

import (
	"maps"
	"slices"
)

// Cents returns the price of a logarithm.
func Cents(log float64) int64 { return cents(log) }

// Forget returns a copy of the model that does not know a gear's sales.
func (m *Model) Forget(gear string) *Model {
	forgetful := *m
	forgetful.states = maps.Clone(m.states)
	delete(forgetful.states, gear)
	return &forgetful
}

// Known returns a copy of the model whose state of a gear can be updated without this one.
func (m *Model) Known(gear string) *Model {
	known := *m
	known.states = maps.Clone(m.states)
	s := *m.states[gear]
	s.Early, s.Members, s.Recent = slices.Clone(s.Early), maps.Clone(s.Members), slices.Clone(s.Recent)
	known.states[gear] = &s
	return &known
}

// PastPrice returns what a gear sold for on a day.
func (m *Model) PastPrice(gear string, grade, day int) (int64, bool) {
	return m.pastPrice(gear, grade, day)
}

// TraitEffects returns the effect of a trait in each kind.
func (m *Model) TraitEffects(trait string) map[string]float64 {
	effects := map[string]float64{}
	for kind, e := range m.pool.kinds {
		effects[kind] = e.Traits[trait]
	}
	return effects
}

// ByCell classifies checks by the kind and the number of the gear's own sales.
func ByCell(c *Check) Class { return byKindAndCrowd(c) }

// Errors are errors of predictions of a kind of gear whose launch price is known, in standard deviations.
type Errors struct {
	Kind         string
	Sales, Grade int
	Z            []float64
}

func (e *Errors) cell() cell {
	return cellOf(&Gear{Kind: e.Kind, LaunchPrice: 1}, e.Sales, e.Grade)
}

// Missed returns which shares of later errors are below and above the ranges by known ones.
func Missed(known []Errors, later *Errors) (below, above float64) {
	var scores []score
	for i := range known {
		id := known[i].cell()
		for _, z := range known[i].Z {
			scores = append(scores, score{id, id.classes(), z, 0.1})
		}
	}
	q := calibrate(scores).of(later.cell())
	for _, z := range later.Z {
		below += one(z < q[0]) / float64(len(later.Z))
		above += one(z > q[len(q)-1]) / float64(len(later.Z))
	}
	return below, above
}
