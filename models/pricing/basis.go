package pricing

import "maps"

// Basis is what a fit has learned from all gear: with it the prices of one gear are estimated
// again from its own sales, for example after a sale, without another fit.
type Basis struct {
	Day    int                        `json:"day"` // of the fit
	Rates  Rates                      `json:"rates"`
	All    effects                    `json:"all"`
	Kinds  map[string]*effects        `json:"kinds"`
	Ranges *calibration               `json:"ranges"`
	Priors map[string]similarEstimate `json:"priors"` // by gear

	Replaced map[string]int `json:"replaced"` // by gear: the day since which its successor sells
}

// ListingBasis is what a fit has learned to judge asking prices by, beside the estimates.
type ListingBasis struct {
	Selling *Selling                      `json:"selling"` // nil if unknown
	Works   map[string]map[string]float64 `json:"works"`   // by kind: the known effects of what does not work, see Effects
	Sellers map[string]map[string]float64 `json:"sellers"` // by kind: those of who sells
}

// Effect returns the effect on the logarithm of a price that a trait has in a kind, and false if
// that is unknown.
func (b *ListingBasis) Effect(kind, trait string) (effect float64, ok bool) {
	if b != nil {
		if effect, ok = b.Works[kind][trait]; !ok {
			effect, ok = b.Sellers[kind][trait]
		}
	}
	return effect, ok
}

// similarEstimate is what similar gear says about the level of one: mean and variance.
type similarEstimate [2]float64

// Basis returns the basis of the model.
func (m *Model) Basis() *Basis {
	b := &Basis{Day: m.Day, Rates: m.rates, All: m.pool.all, Kinds: maps.Clone(m.pool.kinds), Ranges: m.ranges, Priors: map[string]similarEstimate{}, Replaced: map[string]int{}}
	for slug, g := range m.catalog {
		if g.replaced != 0 {
			b.Replaced[slug] = g.replaced
		}
		if p := m.prior(g); p != nil {
			similar := p.of(g)
			b.Priors[slug] = similarEstimate{similar.mean, similar.variance}
		}
	}
	return b
}

// Model returns a model of one gear on the day of the fit. Its sales may be of that day, too,
// and counts has their number, if they are only some of them.
func (b *Basis) Model(gear Gear, sales []Sale, counts map[string]Count) *Model {
	gear.replaced = b.Replaced[gear.Slug]
	m := &Model{Day: b.Day, end: b.Day + 1, catalog: map[string]*Gear{gear.Slug: &gear}, pool: &pool{b.All, b.Kinds}, rates: b.Rates,
		states: map[string]*state{}, priors: map[string]*prior{}, ranges: b.Ranges}
	if similar, ok := b.Priors[gear.Slug]; ok {
		m.priors[gear.Family] = &prior{day: b.Day, others: map[string]belief{gear.Slug: {similar[0], similar[1]}}}
	}
	list := before(ordered(m.catalog, sales), m.end)
	if len(list) > 0 {
		m.states[gear.Slug] = m.filter(thinned(list), nil)
		m.count(list, counts)
	}
	return m
}
