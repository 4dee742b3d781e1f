package prices

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// TestPriceIndex computes the index of a market whose courses are known: each gear of a kind
// changes at the same rate, and the mix of gear and conditions varies from month to month.
func TestPriceIndex(t *testing.T) {
	t.Parallel()
	day := models.TimeOf(time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC))
	yearly := map[models.Category]float64{"mirrorless": -0.12, "film_slr": 0.05}
	var gears []*catalog.Gear
	for _, slug := range []string{"a", "b", "c", "d", "e", "f"} {
		kind := models.Category("mirrorless")
		if slug > "c" {
			kind = "film_slr"
		}
		gears = append(gears, &catalog.Gear{BrandSlug: "brand-" + slug, ModelSlug: "model", Category: kind})
	}
	r := rand.New(rand.NewPCG(1, 1))
	b := NewIndexBuilder(gears, day)
	for i, g := range gears {
		for range 1200 {
			years := 5 * r.Float64()
			condition := r.IntN(1 + int(years)) // better ones later: their mix must not matter
			at := day.Std().AddDate(-5, 0, 0).Add(time.Duration(years * 365.25 * 24 * float64(time.Hour)))
			price := 1000 * math.Pow(2, float64(i)) * math.Exp(-0.1*float64(condition)+yearly[g.Category]*years+0.07*r.NormFloat64()+0.03*math.Sin(2*math.Pi*float64(at.YearDay())/365))
			b.Add(&models.Sale{Gear: g.Slug(), Condition: models.Conditions[condition], Price: models.Cents(100 * price), SoldAt: models.TimeOf(at)}, "")
		}
	}
	for range 300 { // a member who sells to friends at a tenth of the price weighs little
		b.Add(&models.Sale{Gear: "brand-f/model", Condition: models.Conditions[0], Price: 1000, SoldAt: day - 60*24*60*60*1000, SellerID: "forger"}, "")
	}
	b.Add(&models.Sale{Gear: "brand-x/unknown", Condition: models.Conditions[0], Price: 1000, SoldAt: day}, "")
	x := b.Index("2026-11-21")
	near := func(what string, c *IndexChange, want float64) {
		t.Helper()
		if c == nil || math.Abs(c.Percent-want) > 3 || c.Low > c.Percent || c.High < c.Percent || c.High-c.Low > 8 {
			t.Errorf("%s is %+v, want about %.1f", what, c, want)
		}
	}
	for _, s := range x.Kinds {
		rate := yearly[models.Category(s.Name)]
		near(s.Name+" in a year", s.Year, 100*math.Expm1(rate))
		near(s.Name+" in three years", s.Three, 100*math.Expm1(3*rate))
		if first, last := s.Points[0], s.Points[len(s.Points)-1]; first.Value != 100 || len(s.Points) < 58 || last.Month.String() != "2026-10" {
			t.Errorf("%s is from %+v to %+v in %d months", s.Name, first, last, len(s.Points))
		}
	}
	if len(x.Kinds) != 2 || len(x.Brands) != 6 || len(x.Falling) != 3 || len(x.Holders) != 6 || x.Holders[2].Percent < 10 || x.Falling[0].Percent > -8 {
		t.Errorf("%d kinds, %d brands, falling %+v, holders %+v", len(x.Kinds), len(x.Brands), x.Falling, x.Holders)
	}
	if len(x.Seasons) != 12 || x.Seasons[2].Percent < 1 || x.Seasons[8].Percent > -1 {
		t.Errorf("the seasons are %+v", x.Seasons)
	}
	if empty := NewIndexBuilder(gears, day).Index("2026-11-21"); len(empty.All.Points)+len(empty.Kinds)+len(empty.Rising)+len(empty.Seasons) != 0 {
		t.Errorf("without sales the index is %+v", empty)
	}
}
