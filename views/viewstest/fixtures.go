package viewstest

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/pricing"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/views/ui"
)

// Fixtures of the tests of this package.

func Site() *ui.Site {
	return &ui.Site{BaseURL: "https://secondlight.test", Defaults: ui.SiteSettings{SiteSettings: models.SiteSettings{Name: "Secondlight", Owner: "Ada Ortega"}, Currency: models.Currency{Code: "EUR", Digits: 2}, SiteState: ui.SiteState{Demo: true}},
		Clock: func() time.Time { return time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC) }}
}

func At(s string) models.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		panic(err)
	}
	return models.TimeOf(t)
}

var Gear = &catalog.Gear{
	Brand: "Canon", Model: "EOS R6", BrandSlug: "canon", ModelSlug: "eos-r6", Category: "mirrorless", Mount: "Canon RF",
	Format: "Full frame", Year: 2020, Aliases: []string{"R6", "R6 mark one"},
}

var Lens = &catalog.Gear{
	Brand: "Canon", Model: "RF 24-105mm F4 L IS USM", BrandSlug: "canon", ModelSlug: "rf-24-105mm-f4-l-is-usm", Category: "lens_zoom", Mount: "Canon RF",
	Format: "Full frame", FocalMin: 24, FocalMax: 105, Aperture: 4, Year: 2018,
}

var Member = &models.Member{ID: "m1", Handle: "anna-k", Name: "Anna Keller", Region: "DE", Bio: "Weddings by day, Tri-X by night.\n\nI pack well.", JoinedAt: At("2024-03-02T10:00:00Z"), Demo: true}

var testTitles = []string{
	"Canon EOS R6 body, 18k shutter, boxed", "Leica M6 Classic 0.72 black chrome, CLA 2024", "Nikon Z6 II body with two batteries",
	"Fujifilm X-T4 silver", "Sony FE 85mm f/1.8, hood and pouch", "Hasselblad 500C/M with 80mm Planar and A12 back, recently serviced", "Pentax K1000 SE", "Zeiss Planar T* 1.4/50 ZM",
	"Olympus OM-1n with Zuiko 50/1.8", "Ricoh GR III", "Panasonic Lumix S5 + 20-60mm kit", "Mamiya RB67 Pro SD 127mm f/3.8 K/L outfit",
}

// Nasty is a title that tries to break out of every format.
const Nasty = "R6 | <script>alert(1)</script> [x](javascript:alert(1)) *\n# `two`"

func Listing(i int) *models.Listing {
	l := &models.Listing{
		ID: fmt.Sprintf("0190c4a6-7f3e-7000-8000-%012d", i), SellerID: "m1", Gear: "canon/eos-r6", Category: "mirrorless",
		Title: testTitles[i%len(testTitles)], Text: "Bought new in 2021 and used at weekends.\n\nThere is a faint mark on the baseplate; the sensor is clean.",
		Item:  models.Item{Condition: models.Conditions[(i+2)%7], Functional: models.FullyWorking, Included: []string{"battery", "charger", "box"}, ItemDetails: models.ItemDetails{Shutter: 18204}},
		Price: models.Cents(124900 + i*7350), Region: []models.Region{"DE", "US-CA", "GB", "JP"}[i%4], Status: models.StatusActive, Demo: true,
		CreatedAt: At("2026-11-10T08:00:00Z"), PublishedAt: At("2026-11-14T08:30:00Z") - models.Time(i)*86400000, UpdatedAt: At("2026-11-15T09:00:00Z"),
	}
	for n := range 3 {
		l.Photos = append(l.Photos, models.Photo{Key: fmt.Sprintf("%08x%02d", 0x9e3779b9*uint32(i+1), n), Alt: "Canon EOS R6, view " + fmt.Sprint(n+1), Width: 1280, Height: 960})
	}
	return l
}

// Working returns how estimates in two conditions follow from two sales and from similar
// gear.
func Working() *pricing.Working {
	w := &pricing.Working{}
	excellent, good := slices.Index(models.Conditions, models.ConditionExcellent), slices.Index(models.Conditions, models.ConditionGood)
	w.Grades[excellent] = pricing.Formula{Stated: true, Constant: 0.01, Low: -0.12, HalfLow: -0.06, HalfHigh: 0.06, High: 0.12}
	w.Grades[good] = pricing.Formula{Stated: true, Constant: -0.09, Low: -0.14, HalfLow: -0.07, HalfHigh: 0.07, High: 0.14}
	for _, term := range []pricing.Term{
		{Kind: pricing.SimilarTerm, Price: 98765.4321}, {Kind: pricing.SaleTerm, Day: models.DayNumber(At("2026-05-02T10:00:00Z").Std()), Grade: good, Price: 94000, Adjustment: 0.07},
		{Kind: pricing.SaleTerm, Day: models.DayNumber(At("2026-11-12T10:00:00Z").Std()), Grade: excellent, Price: 104550},
	} {
		share := []float64{0.1, 0.25, 0.65}[len(w.Terms)]
		term.Weights[excellent], term.Weights[good] = share, share
		w.Terms = append(w.Terms, term)
	}
	return w
}

// Index returns a price index of two kinds and a brand.
func Index() *prices.PriceIndex {
	series := func(name string, sales int, yearly float64) prices.IndexSeries {
		s := prices.IndexSeries{Name: name, Sales: sales, Year: &prices.IndexChange{Percent: yearly, Low: yearly - 0.9, High: yearly + 0.8}}
		for m := range 14 {
			value := 100 + yearly/12*float64(m)
			s.Points = append(s.Points, prices.IndexPoint{Month: models.MonthKey(2025*12 + 8 + m), Value: value, Low: value - 1.5, High: value + 1.5, Sales: 30 + m})
		}
		return s
	}
	change := func(gear string, percent float64) prices.GearChange {
		return prices.GearChange{Gear: gear, IndexChange: prices.IndexChange{Percent: percent, Low: percent - 2.2, High: percent + 2.3}, Sales: 41}
	}
	x := &prices.PriceIndex{Day: "2026-11-21", All: series("", 60123, -5.2), Kinds: []prices.IndexSeries{series("mirrorless", 20001, -8.7), series("film_slr", 3002, 2.4)},
		Brands: []prices.IndexSeries{series("canon", 16003, -4.9)}, Rising: []prices.GearChange{change("olympus/mju-ii", 8.2)}, Falling: []prices.GearChange{change("canon/eos-r6", -14.6)},
		Holders: []prices.GearChange{change("leica/m6", 9.4)}}
	x.Kinds[1].Points = append(x.Kinds[1].Points[:4:4], x.Kinds[1].Points[6:]...) // a gap
	years := func(yearly float64, n int) (list []prices.YearsChange) {
		for _, y := range prices.DepreciationYears[:n] {
			percent := yearly * float64(y)
			list = append(list, prices.YearsChange{Years: y, IndexChange: prices.IndexChange{Percent: percent, Low: percent - 1.5, High: percent + 1.4}, Sales: 5000 / y})
		}
		return list
	}
	x.Depreciation = []prices.Depreciation{{Kind: "mirrorless", Years: years(-12.7, 4)}, {Kind: "film_slr", Years: years(0.3, 3)}, {Kind: "lens_prime", Years: years(-3.1, 2)}}
	x.GearDepreciation = map[string][]prices.YearsChange{"canon/eos-r6": years(-10.4, 3), "leica/m6": years(4.2, 1)}
	x.RepeatSales = []prices.RepeatSales{{Kind: "mirrorless", Pairs: 12, Years: 2.1, Percent: -24, Same: 7, Worse: 4, Better: 1}}
	for m := range 12 {
		x.Seasons = append(x.Seasons, prices.Season{Month: m + 1, IndexChange: prices.IndexChange{Percent: float64(m) - 5.5, Low: float64(m) - 5.8, High: float64(m) - 5.2}, Share: 8.3})
	}
	return x
}

// Catalog is the catalogue of the tests.
var Catalog = sync.OnceValue(func() *catalog.Catalog {
	catalog, err := catalog.ReadCatalog(content.Catalog())
	if err != nil {
		panic(err)
	}
	return catalog
})

// Accuracy returns the accuracy of the estimates of a class of sales.
func Accuracy(class string) pricing.Accuracy {
	return pricing.Accuracy{Class: pricing.Class{Name: class}, Sales: 13012, Stated: 12988, Error: 0.0524, Within10: 0.812, InHalf: 0.493, InMost: 0.805,
		Compared: 9953, Ours: 0.0503, MedianError: 0.0588, LastError: 0.0698}
}

// Estimate is an estimate of Gear.
var Estimate = &prices.Estimate{Gear: "canon/eos-r6", Condition: models.ConditionGood, Day: "2026-11-21", Median: 93500, Low: 82000, High: 106500, HalfLow: 88000, HalfHigh: 99900, Sales: 8, SameGrade: 3, Borrowed: 24}

// Trend returns a trend with one month of too few sales and one of none.
func Trend(months int) *prices.Trend {
	t := &prices.Trend{Gear: "canon/eos-r6", AsOf: At("2026-11-20T12:00:00Z"), WindowFrom: At("2025-11-20T12:00:00Z"), ByCondition: map[models.Condition]prices.Stats{}}
	last := models.MonthOf(t.AsOf)
	for i := range months {
		if months > 12 && i == 14 {
			continue
		}
		median := models.Cents(229000 - i*2100 + (i*i*37)%5000)
		s := prices.Stats{Count: 9 + i%7, Average: median + 1250, Median: median, Low: median - 40000, High: median + 52000, P25: median - 16000, P75: median + 14500, LastSoldAt: t.AsOf}
		if months > 12 && i == 27 {
			s.Count = 3
		}
		t.Months = append(t.Months, prices.TrendMonth{Month: last - models.MonthKey(months-1-i), Stats: s})
		t.AllTime += s.Count
	}
	if months == 0 {
		return &prices.Trend{Gear: "canon/eos-r6"}
	}
	t.Summary = prices.Stats{Count: 134, Average: 125317, Median: 124900, Low: 86000, High: 169900, P25: 112000, P75: 138000, LastSoldAt: t.AsOf}
	for i, c := range models.Conditions {
		t.ByCondition[c] = prices.Stats{Count: 34 - 5*i, Average: models.Cents(151000 - 12000*i), Median: models.Cents(149900 - 12000*i), Low: models.Cents(120000 - 12000*i), High: models.Cents(170000 - 12000*i), P25: models.Cents(141000 - 12000*i), P75: models.Cents(157000 - 12000*i), LastSoldAt: t.AsOf}
	}
	t.Sources = []prices.SourceCount{{Source: models.SaleImported, Name: "Golden Ratio", Sales: 70}, {Source: models.SaleByMembers, Sales: 60}, {Source: models.SaleByShop, Sales: 4}}
	t.Uncounted = prices.Uncounted{Held: 2, OverLimit: 1}
	d30, d90, m12 := -120, -415, -1250
	t.Change30d, t.Change90d, t.Change12m = &d30, &d90, &m12
	return t
}

func Card(i int) ui.Card {
	l := Listing(i)
	gear := Gear
	if i%3 == 1 {
		gear, l.Category = Lens, Lens.Category
	}
	return ui.NewCard(Site(), l, gear, "anna-k", Deal(l))
}

// Deal compares the price of a listing with the median of Trend.
func Deal(l *models.Listing) *prices.Deal {
	typical, ok := Trend(30).TypicalOf(l.Condition, 0)
	if !ok {
		return nil
	}
	deal := typical.Deal(l.Price)
	return &deal
}

func Cards(n int) []ui.Card {
	cards := make([]ui.Card, n)
	for i := range cards {
		cards[i] = Card(i)
	}
	return cards
}

var Names = ui.Names{
	Brand: func(slug string) string {
		return map[string]string{"canon": "Canon", "nikon": "Nikon", "sony": "Sony", "leica": "Leica", "fujifilm": "Fujifilm"}[slug]
	},
	Gear: func(slug string) string { return map[string]string{"canon/eos-r6": "Canon EOS R6"}[slug] },
}

func Facets() search.Facets {
	return search.Facets{
		Category:  []search.Count{{Value: "mirrorless", Count: 1480}, {Value: "dslr", Count: 730}, {Value: "lens_zoom", Count: 512}, {Value: "lens_prime", Count: 498}, {Value: "film_slr", Count: 210}},
		Brand:     []search.Count{{Value: "canon", Count: 911}, {Value: "nikon", Count: 702}, {Value: "sony", Count: 655}, {Value: "fujifilm", Count: 320}, {Value: "leica", Count: 121}, {Value: "olympus", Count: 99}, {Value: "panasonic", Count: 98}, {Value: "pentax", Count: 80}, {Value: "hasselblad", Count: 34}, {Value: "mamiya", Count: 30}, {Value: "ricoh", Count: 22}, {Value: "zeiss", Count: 17}},
		Condition: []search.Count{{Value: "new", Count: 40}, {Value: "like_new", Count: 340}, {Value: "excellent", Count: 1100}, {Value: "good", Count: 900}, {Value: "well_used", Count: 300}, {Value: "heavily_used", Count: 90}, {Value: "faulty", Count: 50}},
		Region:    []search.Count{{Value: "DE", Count: 1032}, {Value: "US", Count: 800}, {Value: "US-CA", Count: 340}, {Value: "GB", Count: 300}, {Value: "FR", Count: 250}, {Value: "JP", Count: 211}},
		Mount:     []search.Count{{Value: "Canon RF", Count: 402}, {Value: "Sony E", Count: 391}, {Value: "Nikon Z", Count: 280}, {Value: "Leica M", Count: 90}},
		Price:     Bands(),
	}
}

// Bands returns the price bands of the index with counts.
func Bands() []search.Band {
	return []search.Band{
		{Min: 0, Max: 9999, Count: 120}, {Min: 10000, Max: 24999, Count: 420}, {Min: 25000, Max: 49999, Count: 711},
		{Min: 50000, Max: 99999, Count: 900}, {Min: 100000, Max: 199999, Count: 570}, {Min: 200000, Count: 130},
	}
}

func HTML(t testing.TB, page ui.Page) string {
	t.Helper()
	return HTMLIn(t, context.Background(), page)
}

// HTMLIn returns the document of a page in the language of ctx.
func HTMLIn(t testing.TB, ctx context.Context, page ui.Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := ui.Document(Site(), page).Render(ctx, &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func Markdown(t testing.TB, page ui.Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := page.Markdown(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Main returns the main element, one HTML element per line.
func Main(html string) string {
	_, html, _ = strings.Cut(html, "<main")
	html, _, _ = strings.Cut(html, "</main>")
	return strings.ReplaceAll("<main"+html+"</main>\n", "><", ">\n<")
}

func WellFormed(t *testing.T, s string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(s))
	for {
		if _, err := d.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("%v in %s", err, s)
		}
	}
}
