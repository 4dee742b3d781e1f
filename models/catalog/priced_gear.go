package catalog

import (
	"strconv"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/pricing"
)

// PricedGear returns what the prices of gear are estimated from.
func PricedGear(of []*Gear) []pricing.Gear {
	gear, next := make([]pricing.Gear, len(of)), successors(of)
	for i, g := range of {
		gear[i] = g.Priced()
		gear[i].Successor = next[gear[i].Slug]
	}
	return gear
}

// Priced returns what prices are estimated from.
func (g *Gear) Priced() pricing.Gear {
	return pricing.Gear{
		Slug: g.Slug(), Name: g.Model, Brand: g.Brand, Kind: string(g.Category), Family: g.Category.Family(), Mount: g.Mount, Format: g.Format,
		FocalMin: g.FocalMin, FocalMax: g.FocalMax, Aperture: g.Aperture, Year: g.Year, LaunchPrice: g.launchPrice(),
	}
}

// launchPrice returns the launch price in euros, or 0 if it is unknown. One in dollars is
// converted at the rate of its year, and gets European tax and the makers' premium.
func (g *Gear) launchPrice() float64 {
	number, unit := models.CutCurrency(g.LaunchPrice)
	price, err := strconv.ParseFloat(number, 64)
	switch {
	case err != nil:
		return 0
	case unit == "USD":
		return price * europeanPremium / dollarsPerEuro[min(max(g.Year, firstEuro)-firstEuro, len(dollarsPerEuro)-1)]
	case unit == "EUR":
		return price
	}
	return 0
}

// europeanPremium is a price in Europe with tax over one in America without, in one currency.
const europeanPremium = 1.28

// firstEuro is the first year of the euro.
const firstEuro = 1999

// dollarsPerEuro has the mean rate of each year, from firstEuro.
var dollarsPerEuro = [...]float64{
	1.066, 0.924, 0.896, 0.946, 1.131, 1.244, 1.244, 1.256, 1.371, 1.471, 1.395, 1.326, 1.392, 1.285, 1.328, 1.329,
	1.110, 1.107, 1.130, 1.181, 1.119, 1.142, 1.183, 1.053, 1.081, 1.082, 1.130,
}
