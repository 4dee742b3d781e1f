package prices

import (
	"cmp"
	"slices"

	"github.com/secondlight/secondlight/models/catalog"
)

// Unpriced says of which models no price is stated, because too few have sold.
type Unpriced struct {
	Gear    int        // number of models
	Nearest []FewSales // those that need the fewest more sales, most sold first
}

// FewSales is a model with some sales, but fewer than MinSales.
type FewSales struct {
	Gear  *catalog.Gear
	Sales int // in the 12 months up to the last one
}

// Missing returns how many more sales the model needs.
func (f *FewSales) Missing() int { return MinSales - f.Sales }

// nearestShown bounds the models of Unpriced.Nearest.
const nearestShown = 10

// NewUnpriced returns the models that have neither an estimate nor MinSales sales, given the
// number of sales by gear.
func NewUnpriced(of []*catalog.Gear, sales map[string]int, estimated func(gear string) bool) *Unpriced {
	u := &Unpriced{}
	for _, g := range of {
		n := sales[g.Slug()]
		if n >= MinSales || estimated(g.Slug()) {
			continue
		}
		u.Gear++
		if n > 0 {
			u.Nearest = append(u.Nearest, FewSales{g, n})
		}
	}
	slices.SortFunc(u.Nearest, func(a, b FewSales) int {
		return cmp.Or(b.Sales-a.Sales, cmp.Compare(a.Gear.Slug(), b.Gear.Slug()))
	})
	u.Nearest = u.Nearest[:min(len(u.Nearest), nearestShown)]
	return u
}
