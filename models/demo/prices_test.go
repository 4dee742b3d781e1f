//go:build !race

package demo

import (
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
)

// priceRow matches a row of the table in docs/dev/demo-prices.md.
var priceRow = regexp.MustCompile(`(?m)^\| ([a-z0-9-]+/[a-z0-9-]+) \| (\d+) \| .+ \|$`)

// tolerance is by how much a typical price may differ from the table, in either direction.
const tolerance = 0.4

// TestPricesAreBelievable compares the typical price of well-known gear, the median of the
// sales of a year in good and excellent condition, with the table in docs/dev/demo-prices.md.
// Of gear that is hardly sold, it takes the price that sales are made from.
func TestPricesAreBelievable(t *testing.T) {
	document, err := os.ReadFile("../../docs/dev/demo-prices.md")
	if err != nil {
		t.Fatal(err)
	}
	sold := map[string][]models.Cents{}
	for _, s := range data().Sales {
		if s.SoldAt > models.TimeOf(testDay.AddDate(-1, 0, 0)) && (s.Condition == models.ConditionExcellent || s.Condition == models.ConditionGood) {
			sold[s.Gear] = append(sold[s.Gear], s.Price)
		}
	}
	goods := map[string]*good{}
	for _, g := range newMarket(gears(), testDay).goods {
		goods[g.gear.Slug()] = g
	}
	rows := priceRow.FindAllStringSubmatch(string(document), -1)
	if len(rows) < 100 {
		t.Fatalf("the table has %d rows", len(rows))
	}
	for _, row := range rows {
		gear, figures := row[1], sold[row[1]]
		want, err := strconv.ParseFloat(row[2], 64)
		g := goods[gear]
		if err != nil || g == nil {
			t.Errorf("%s is not on the market; nearest %v", gear, near(gears(), gear))
			continue
		}
		typical := g.value(testDay)
		if len(figures) >= prices.MinSales {
			slices.Sort(figures)
			typical = float64(figures[len(figures)/2]) / 100
		}
		if off := typical/want - 1; math.Abs(off) > tolerance {
			t.Errorf("%s sells for %.0f, %+.0f %% from %.0f", gear, typical, off*100, want)
		}
	}
}
