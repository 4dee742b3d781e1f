package pricing

import "maps"

// Cents returns the price of a logarithm.
func Cents(log float64) int64 { return cents(log) }

// Forget returns a copy of the model that does not know a gear's sales.
func (m *Model) Forget(gear string) *Model {
	forgetful := *m
	forgetful.states = maps.Clone(m.states)
	delete(forgetful.states, gear)
	return &forgetful
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
