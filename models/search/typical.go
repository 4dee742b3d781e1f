package search

import (
	"slices"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
)

// TypicalPrices are the typical prices of a gear; those that it lacks are zero values.
type TypicalPrices [itemCount]prices.Typical

// Of returns the typical price of the gear in a condition and a functional state.
func (p *TypicalPrices) Of(c models.Condition, works models.Functional) *prices.Typical {
	if !c.Valid() {
		return &prices.Typical{}
	}
	return &p[itemOf(c, works)]
}

// itemNumber numbers the pairs of condition and functional state, each of which has a
// typical price. The first of each condition stands for an unknown state, which has none.
type itemNumber = uint8

const itemCount = conditionCount * (functionalCount + 1)

// itemOf returns the number of a valid condition and a functional state.
func itemOf(c models.Condition, works models.Functional) itemNumber {
	return itemNumber(slices.Index(models.Conditions, c)*(functionalCount+1) + slices.Index(models.Functionals, works) + 1)
}

// typicalPrice is what the index knows of what gear in a condition and a functional state sells
// for, in minor units of the currency of the site: the zero value if it is unknown. Snapshots
// contain it.
type typicalPrice struct {
	Improbable int32 // what asking prices are divided by for the order Deal, see prices.Typical
	Low        int32 // low end of the range of the estimate, 0 without one
}

// newTypicalPrice returns a typical price within the range of prices in the index.
func newTypicalPrice(t prices.Typical) (p typicalPrice) {
	if p.Improbable = price32(t.Improbable()); p.Improbable > 0 {
		p.Low = price32(t.Low)
	}
	return p
}

// price32 clamps an amount to the range of prices in the index.
func price32(c models.Cents) int32 { return int32(min(max(c, 0), models.MaxAmount)) }

const (
	conditionCount  = 7 // len(models.Conditions)
	functionalCount = 4 // len(models.Functionals)
)
