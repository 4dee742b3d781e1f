package views

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/pricing"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/search"
)

// Fixtures of the tests of this package.

func testSite() *Site {
	return &Site{BaseURL: "https://secondlight.test", Defaults: SiteSettings{SiteSettings: models.SiteSettings{Name: "Secondlight", Owner: "Ada Ortega"}, Currency: models.Currency{Code: "EUR", Digits: 2}, SiteState: SiteState{Demo: true}},
		Clock: func() time.Time { return time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC) }}
}

func at(s string) models.Time {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		panic(err)
	}
	return models.TimeOf(t)
}

var testGear = &catalog.Gear{
	Brand: "Canon", Model: "EOS R6", BrandSlug: "canon", ModelSlug: "eos-r6", Category: "mirrorless", Mount: "Canon RF",
	Format: "Full frame", Year: 2020, Aliases: []string{"R6", "R6 mark one"},
}

var testLens = &catalog.Gear{
	Brand: "Canon", Model: "RF 24-105mm F4 L IS USM", BrandSlug: "canon", ModelSlug: "rf-24-105mm-f4-l-is-usm", Category: "lens_zoom", Mount: "Canon RF",
	Format: "Full frame", FocalMin: 24, FocalMax: 105, Aperture: 4, Year: 2018,
}

var testMember = &models.Member{ID: "m1", Handle: "anna-k", Name: "Anna Keller", Region: "DE", Bio: "Weddings by day, Tri-X by night.\n\nI pack well.", JoinedAt: at("2024-03-02T10:00:00Z"), Demo: true}

var testTitles = []string{
	"Canon EOS R6 body, 18k shutter, boxed", "Leica M6 Classic 0.72 black chrome, CLA 2024", "Nikon Z6 II body with two batteries",
	"Fujifilm X-T4 silver", "Sony FE 85mm f/1.8, hood and pouch", "Hasselblad 500C/M with 80mm Planar and A12 back, recently serviced", "Pentax K1000 SE", "Zeiss Planar T* 1.4/50 ZM",
	"Olympus OM-1n with Zuiko 50/1.8", "Ricoh GR III", "Panasonic Lumix S5 + 20-60mm kit", "Mamiya RB67 Pro SD 127mm f/3.8 K/L outfit",
}

// nasty is a title that tries to break out of every format.
const nasty = "R6 | <script>alert(1)</script> [x](javascript:alert(1)) *\n# `two`"

func testListing(i int) *models.Listing {
	l := &models.Listing{
		ID: fmt.Sprintf("0190c4a6-7f3e-7000-8000-%012d", i), SellerID: "m1", Gear: "canon/eos-r6", Category: "mirrorless",
		Title: testTitles[i%len(testTitles)], Text: "Bought new in 2021 and used at weekends.\n\nThere is a faint mark on the baseplate; the sensor is clean.",
		Item:  models.Item{Condition: models.Conditions[(i+2)%7], Functional: models.FullyWorking, Included: []string{"battery", "charger", "box"}, Shutter: 18204},
		Price: models.Cents(124900 + i*7350), Region: []models.Region{"DE", "US-CA", "GB", "JP"}[i%4], Status: models.StatusActive, Demo: true,
		CreatedAt: at("2026-11-10T08:00:00Z"), PublishedAt: at("2026-11-14T08:30:00Z") - models.Time(i)*86400000, UpdatedAt: at("2026-11-15T09:00:00Z"),
	}
	for n := range 3 {
		l.Photos = append(l.Photos, models.Photo{Key: fmt.Sprintf("%08x%02d", 0x9e3779b9*uint32(i+1), n), Alt: "Canon EOS R6, view " + fmt.Sprint(n+1), Width: 1280, Height: 960})
	}
	return l
}

// testWorking returns how estimates in two conditions follow from two sales and from similar
// gear.
func testWorking() *pricing.Working {
	w := &pricing.Working{}
	excellent, good := slices.Index(models.Conditions, models.ConditionExcellent), slices.Index(models.Conditions, models.ConditionGood)
	w.Grades[excellent] = pricing.Formula{Stated: true, Constant: 0.01, Low: -0.12, HalfLow: -0.06, HalfHigh: 0.06, High: 0.12}
	w.Grades[good] = pricing.Formula{Stated: true, Constant: -0.09, Low: -0.14, HalfLow: -0.07, HalfHigh: 0.07, High: 0.14}
	for _, term := range []pricing.Term{
		{Kind: pricing.SimilarTerm, Price: 98765.4321}, {Kind: pricing.SaleTerm, Day: models.DayNumber(at("2026-05-02T10:00:00Z").Std()), Grade: good, Price: 94000, Adjustment: 0.07},
		{Kind: pricing.SaleTerm, Day: models.DayNumber(at("2026-11-12T10:00:00Z").Std()), Grade: excellent, Price: 104550},
	} {
		share := []float64{0.1, 0.25, 0.65}[len(w.Terms)]
		term.Weights[excellent], term.Weights[good] = share, share
		w.Terms = append(w.Terms, term)
	}
	return w
}

// testIndex returns a price index of two kinds and a brand.
func testIndex() *prices.PriceIndex {
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

// testCatalog is the catalogue of the tests.
var testCatalog = sync.OnceValue(func() *catalog.Catalog {
	catalog, err := catalog.ReadCatalog(content.Catalog())
	if err != nil {
		panic(err)
	}
	return catalog
})

// testAccuracy returns the accuracy of the estimates of a class of sales.
func testAccuracy(class string) pricing.Accuracy {
	return pricing.Accuracy{Class: pricing.Class{Name: class}, Sales: 13012, Stated: 12988, Error: 0.0524, Within10: 0.812, InHalf: 0.493, InMost: 0.805,
		Compared: 9953, Ours: 0.0503, MedianError: 0.0588, LastError: 0.0698}
}

// testEstimate is an estimate of testGear.
var testEstimate = &prices.Estimate{Gear: "canon/eos-r6", Condition: models.ConditionGood, Day: "2026-11-21", Median: 93500, Low: 82000, High: 106500, HalfLow: 88000, HalfHigh: 99900, Sales: 8, SameGrade: 3, Borrowed: 24}

// testTrend returns a trend with one month of too few sales and one of none.
func testTrend(months int) *prices.Trend {
	t := &prices.Trend{Gear: "canon/eos-r6", AsOf: at("2026-11-20T12:00:00Z"), WindowFrom: at("2025-11-20T12:00:00Z"), ByCondition: map[models.Condition]prices.Stats{}}
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

func testCard(i int) Card {
	l := testListing(i)
	gear := testGear
	if i%3 == 1 {
		gear, l.Category = testLens, testLens.Category
	}
	return NewCard(testSite(), l, gear, "anna-k", testDeal(l))
}

// testDeal compares the price of a listing with the median of testTrend.
func testDeal(l *models.Listing) *prices.Deal {
	typical, ok := testTrend(30).TypicalOf(l.Condition, 0)
	if !ok {
		return nil
	}
	deal := typical.Deal(l.Price)
	return &deal
}

func testCards(n int) []Card {
	cards := make([]Card, n)
	for i := range cards {
		cards[i] = testCard(i)
	}
	return cards
}

func testCardList(n int) CardList {
	var list CardList
	for _, c := range testCards(n) {
		list = append(list, c.JSON())
	}
	return list
}

var testNames = Names{
	Brand: func(slug string) string {
		return map[string]string{"canon": "Canon", "nikon": "Nikon", "sony": "Sony", "leica": "Leica", "fujifilm": "Fujifilm"}[slug]
	},
	Gear: func(slug string) string { return map[string]string{"canon/eos-r6": "Canon EOS R6"}[slug] },
}

func testFacets() search.Facets {
	return search.Facets{
		Category:  []search.Count{{Value: "mirrorless", Count: 1480}, {Value: "dslr", Count: 730}, {Value: "lens_zoom", Count: 512}, {Value: "lens_prime", Count: 498}, {Value: "film_slr", Count: 210}},
		Brand:     []search.Count{{Value: "canon", Count: 911}, {Value: "nikon", Count: 702}, {Value: "sony", Count: 655}, {Value: "fujifilm", Count: 320}, {Value: "leica", Count: 121}, {Value: "olympus", Count: 99}, {Value: "panasonic", Count: 98}, {Value: "pentax", Count: 80}, {Value: "hasselblad", Count: 34}, {Value: "mamiya", Count: 30}, {Value: "ricoh", Count: 22}, {Value: "zeiss", Count: 17}},
		Condition: []search.Count{{Value: "new", Count: 40}, {Value: "like_new", Count: 340}, {Value: "excellent", Count: 1100}, {Value: "good", Count: 900}, {Value: "well_used", Count: 300}, {Value: "heavily_used", Count: 90}, {Value: "faulty", Count: 50}},
		Region:    []search.Count{{Value: "DE", Count: 1032}, {Value: "US", Count: 800}, {Value: "US-CA", Count: 340}, {Value: "GB", Count: 300}, {Value: "FR", Count: 250}, {Value: "JP", Count: 211}},
		Mount:     []search.Count{{Value: "Canon RF", Count: 402}, {Value: "Sony E", Count: 391}, {Value: "Nikon Z", Count: 280}, {Value: "Leica M", Count: 90}},
		Price:     testBands(),
	}
}

// testBands returns the price bands of the index with counts.
func testBands() []search.Band {
	return []search.Band{
		{Min: 0, Max: 9999, Count: 120}, {Min: 10000, Max: 24999, Count: 420}, {Min: 25000, Max: 49999, Count: 711},
		{Min: 50000, Max: 99999, Count: 900}, {Min: 100000, Max: 199999, Count: 570}, {Min: 200000, Count: 130},
	}
}

func testWords() *Vocabulary { return NewVocabulary(testSite(), testNames) }

func testListings(q Query, n int) *Listings {
	q.Limit = search.DefaultLimit
	if q.Sort == "" {
		q.Sort = q.search().DefaultSort()
	}
	return NewListings(testWords(), Found{
		Query: q, Total: 2820, Gear: []NamedGear{testWords().NewNamedGear("canon/eos-r6", 1203)}, Cards: testCardList(n), Facets: testFacets(), NextCursor: "eyJwIjoxMjQ5MDB9",
		Warnings: []Warning{{"limit_clamped", "limit was 500 and is at most 100.", "limit"}},
	})
}

var testGuide = &content.Text{
	Date: at("2026-11-18T00:00:00Z").Std(), Updated: at("2026-11-20T00:00:00Z").Std(), Minutes: 4, Tags: []string{"film", "macro"},
	Slug: "grades", Language: content.English, Title: "Grades", Description: "What they mean.",
	Markdown: "See the [search](/listings).\n", HTML: "<p>See the <a href=\"/listings\">search</a>.</p>\n",
}

// testTexts is a journal of three entries, newest first.
var testTexts = []*content.Text{
	{Slug: "newer", Language: content.English, Title: "Newer " + nasty, Description: "What came later.", Date: at("2026-11-19T00:00:00Z").Std(), Updated: at("2026-11-19T00:00:00Z").Std(), Minutes: 1},
	testGuide,
	{Slug: "older", Language: content.English, Title: "Older", Description: "What came before.", Date: at("2026-11-01T00:00:00Z").Std(), Updated: at("2026-11-01T00:00:00Z").Std(), Minutes: 2, Tags: []string{"macro"}},
}

var testRatings = []AuthoredRating{
	{models.Rating{Stars: 5, Text: "As described.\n\nPacked " + nasty, At: at("2026-11-12T10:00:00Z")}, &models.Member{Handle: "ben-o", Name: "Ben Okafor"}},
	{models.Rating{Stars: 3, At: at("2026-10-02T10:00:00Z")}, &models.Member{Handle: "cleo", Name: "Cleo"}},
}

// testPages returns one page of every kind by name.
func testPages() map[string]Page {
	site, l := testSite(), testListing(0)
	l.Defects = []models.Defect{"scratches", "sticky_rubber"}
	sold := testListing(3)
	sold.Status, sold.ClosedAt, sold.SoldPrice, sold.Title = models.StatusSold, at("2026-11-18T10:00:00Z"), 119050, nasty
	forSale, trend := 31, testTrend(60)
	forecast := *testEstimate
	for n := range models.Cents(prices.ForecastMonths) {
		forecast.Forecast = append(forecast.Forecast, prices.Forecast{Median: 93000 - n*700, Low: 81000 - n*1200, High: 106500 + n*400})
	}
	estimated := testEstimate.Typical().Deal(l.Price)
	gear := []GearCard{NewGearCard(site, testGear, forSale, 98000, trend), NewGearCard(site, testLens, 0, 0, nil)}
	shipped := testListing(1)
	shipped.Condition, shipped.Price, shipped.Postage = models.ConditionExcellent, 98000, "DE=690 EU=1490"
	line, _ := NewTrendLine(gear[0], trend)
	return map[string]Page{
		"home": NewHome(site, HomeParts{ForSale: 5000, Sales: 60000, Gear: 2045, Categories: []search.Count{{Value: "mirrorless", Count: 1480}, {Value: "dslr", Count: 730}, {Value: "film_slr", Count: 210}, {Value: "lens_prime", Count: 498}, {Value: "lens_zoom", Count: 512}},
			Deals: testCards(8), Newest: testCards(4), Movers: []TrendLine{line}}),
		"search":  testListings(Query{Filter: search.Filter{Keyword: "canon r6", Brands: []string{"canon"}, Conditions: []models.Condition{"good", "excellent"}}}, 3),
		"total":   totalListings(),
		"empty":   NewListings(testWords(), Found{Query: Query{Filter: search.Filter{Keyword: nasty}, Sort: "relevance", Limit: 24}, DidYouMean: "nikon z6"}),
		"listing": NewListing(site, ListingParts{Listing: l, Gear: testGear, Trend: trend, Estimate: testEstimate, Deal: &estimated, Seller: testMember, SellerForSale: 12, SellerSold: 48, Similar: testCards(5)[1:], FromSeller: testCards(8)[4:]}),
		"sold":    NewListing(site, ListingParts{Listing: sold, Seller: testMember, SellerForSale: 12, SellerSold: 49}),
		"compare": NewComparison(site, []ComparedParts{{Gear: testGear, Trend: trend, Estimate: testEstimate, Asked: Asking{Count: 31, Lowest: 98000}}, {Gear: testLens}}, nil, 0),
		"compared": NewListingComparison(site, []ListingParts{{Listing: shipped, Gear: testGear, Trend: trend, Seller: testMember, SellerSold: 48, Ratings: models.RatingSummary{Ratings: 3, Stars: 13}, Deal: testDeal(shipped)},
			{Listing: l, Gear: testGear, Trend: trend, Seller: testMember, Deal: testDeal(l)}, {Listing: sold, Seller: testMember}}, "DE", []string{"gone"}, 1),
		"gear":         NewTrend(site, TrendParts{Gear: testGear, Trend: trend, Active: 31, Lowest: 98000, Average: 127450, Listings: testCards(8), Estimate: &forecast, Index: testIndex()}),
		"working":      NewPriceWorking(site, testGear, testWorking(), "2026-11-21"),
		"index":        NewPriceStart(site, NewPriceIndex(site, testIndex(), testCatalog()), gear),
		"kinds":        NewPriceChart(site, testIndex(), testCatalog(), "kinds"),
		"movers":       NewPriceChart(site, testIndex(), testCatalog(), "movers"),
		"seasons":      NewPriceChart(site, testIndex(), testCatalog(), "seasons"),
		"depreciation": NewPriceChart(site, testIndex(), testCatalog(), "depreciation"),
		"no-chart":     NewPriceChart(site, nil, testCatalog(), "brands"),
		"accuracy": NewAccuracy(site, &prices.PriceFit{Day: "2026-11-21", Sales: 60123, Gear: 2171, AccuracyAt: at("2026-11-21T03:00:00Z"), Accuracy: &pricing.Report{Months: 12,
			All: testAccuracy("all"), BySales: []pricing.Accuracy{testAccuracy("0"), testAccuracy("1–2")}, ByKind: []pricing.Accuracy{testAccuracy("mirrorless")},
			Forgery: pricing.Forgery{Gear: 412, Forged: 2210, Mean: 0.0074, Most: 0.0281}}}),
		"unsold":  NewTrend(site, TrendParts{Gear: testLens}),
		"brands":  NewGearIndex(site, 2045, []BrandCard{NewBrandCard(site, "canon", "Canon", 240, 911), NewBrandCard(site, "leica", "Leica", 61, 1)}, gear),
		"brand":   NewBrandPage(site, "canon", "Canon", 240, gear, Next{Cursor: "next"}),
		"seller":  NewSeller(site, testMember, 12, 48, testCards(6), testCards(3), "next").WithRatings(models.RatingSummary{Ratings: 3, Stars: 13}, testRatings, models.ResponseStats{Conversations: 12, Answered: 11, Median: 190 * time.Minute}),
		"guide":   NewGuide(site, testGuide, []*content.Text{testGuide, {Slug: "prices", Title: "Prices"}}),
		"guides":  NewGuides(site, testTexts),
		"journal": NewJournal(site, testTexts, "film"),
		"entry":   NewJournalEntry(site, testTexts[1], testTexts),
		"about":   NewAbout(site, testGuide),
		"terms":   NewTextPage(site, &content.Text{Slug: "terms", Language: content.English, Title: "Terms of use", Description: "The rules.", Date: testGuide.Date, Updated: testGuide.Updated, Markdown: "Read [help](/help).\n", HTML: "<p>Read <a href=\"/help\">help</a>.</p>\n"}),
		"error": &Error{Type: site.URL("/errors/listing_not_found"), Title: problem.Textf("Listing not found"), Status: 404, Code: "listing_not_found", Message: problem.Programf("No listing has the id %s.", nasty), Hint: problem.Programf("Search with GET /api/listings/search?keyword=…"), RequestID: "0011223344556677",
			Errors: []FieldError{{"budget_max", "invalid_value", problem.Textf("%s", nasty)}}, Candidates: []Candidate{{"budget_max", nasty}}, Links: []Link{{"/listings?keyword=a+b", nasty}}},
	}
}

// jsonOf returns the JSON of a page.
func jsonOf(v any) []byte {
	if a, ok := v.(JSONAppender); ok {
		return a.AppendJSON(nil)
	}
	return appendAny(nil, v)
}

// totalListings returns a search in the order Total with each kind of delivery.
func totalListings() *Listings {
	p := testListings(Query{Filter: search.Filter{Model: "canon/eos-r6"}, ShipTo: "DE", Sort: search.Total}, 3)
	p.Cards = append(p.Cards, p.Cards...)
	p.shipping = []search.Shipping{
		{Terms: search.Ships, Price: 124900, Postage: 690}, {Terms: search.Ships, Price: 124900}, {Terms: search.NotStated, Price: 124900},
		{Terms: search.Pickup, Price: 124900}, {Terms: search.NotShipped, Price: 124900},
	}
	p.Cards = p.Cards[:len(p.shipping)]
	return p
}
