// Package demo generates demonstration data for a new site: sellers, listings with
// drawn photographs, and five years of sales at plausible prices. All of it is marked
// as demonstration data. The result depends only on the catalogue, the seed and the
// day.
package demo

import (
	"cmp"
	"slices"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// Seed is the seed that Fill uses.
const Seed uint64 = 1839

// Generate generates a market for the catalogue's gear as of the start of now's day in
// UTC. It is a pure function of its arguments.
func Generate(cat *catalog.Catalog, seed uint64, now time.Time) *Data {
	g := &generator{seed: seed, now: now.UTC().Truncate(24 * time.Hour)}
	g.market = newMarket(cat, g.now)
	d := &Data{Members: g.members()}
	d.Sales = g.sales()
	d.Listings = g.listings(d.Members, d.Sales)
	g.trade(d)
	return d
}

// sales returns exactly Sales sales, distributed over months and gear by demand.
func (g *generator) sales() []models.Sale {
	d := g.dice("sales")
	from := g.now.AddDate(-Years, 0, 0)
	months := monthsBetween(from, g.now)
	weights := make([]float64, len(months))
	for i, m := range months {
		weights[i] = m.to.Sub(m.from).Hours() * season(m.from, 0.06) * (1 + 0.05*float64(i)/12)
	}
	sales := make([]models.Sale, 0, Sales)
	for i, n := range d.share(Sales, weights) {
		for j, n := range d.share(n, g.market.demand(months[i].from)) {
			for range n {
				sales = append(sales, g.sale(d, g.market.goods[j], months[i]))
			}
		}
	}
	slices.SortFunc(sales, func(a, b models.Sale) int {
		return cmp.Or(cmp.Compare(a.SoldAt, b.SoldAt), cmp.Compare(a.ID, b.ID))
	})
	return sales
}

func (g *generator) sale(d dice, item *good, m month) models.Sale {
	at := m.from.Add(time.Duration(d.Float64() * float64(m.to.Sub(m.from))))
	at = at.Truncate(24 * time.Hour).Add(time.Duration(d.IntN(16*60)+7*60) * time.Minute)
	c := g.condition(d, item, at)
	soldAt := models.TimeOf(at)
	return models.Sale{
		ID: d.id(soldAt), Gear: item.gear.Slug(), Condition: c, SoldAt: soldAt,
		Price:  g.market.sold(d, item, c, at),
		Region: words().Regions[d.weighted(regionWeights())].Code,
		Demo:   true,
	}
}
