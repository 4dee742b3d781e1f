package catalog

import (
	"strconv"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/pricing"
)

// PricedGear returns what the prices of gear are estimated from.
func PricedGear(of []*Gear) []pricing.Gear {
	gear := make([]pricing.Gear, len(of))
	for i, g := range of {
		gear[i] = g.Priced()
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

// launchPrice returns the launch price in euros, or 0 if it is unknown. One in dollars
// counts as one in euros: makers quote about the same number, without tax and with it.
func (g *Gear) launchPrice() float64 {
	number, unit := models.CutCurrency(g.LaunchPrice)
	price, err := strconv.ParseFloat(number, 64)
	if err != nil || unit != "EUR" && unit != "USD" {
		return 0
	}
	return price
}
