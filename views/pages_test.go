package views

import (
	"encoding/json"
	"time"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/pricing"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/search"
)

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
		"search":  foundPage(Query{Filter: search.Filter{Keyword: "canon r6", Brands: []string{"canon"}, Conditions: []models.Condition{"good", "excellent"}}}, 3),
		"total":   totalPage(),
		"empty":   NewListings(NewVocabulary(testSite(), testNames), Found{Query: Query{Filter: search.Filter{Keyword: nasty}, Sort: "relevance", Limit: 24}, DidYouMean: "nikon z6"}),
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
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// foundPage returns the page of a search with n cards.
func foundPage(q Query, n int) *Listings {
	q.Limit = search.DefaultLimit
	if q.Sort == "" {
		q.Sort = search.Newest
		if q.Keyword != "" {
			q.Sort = search.Relevance
		}
	}
	words := NewVocabulary(testSite(), testNames)
	return NewListings(words, Found{
		Query: q, Total: 2820, Gear: []NamedGear{words.NewNamedGear("canon/eos-r6", 1203)}, Cards: cardList(n), Facets: testFacets(), NextCursor: "eyJwIjoxMjQ5MDB9",
		Warnings: []Warning{{"limit_clamped", "limit was 500 and is at most 100.", "limit"}},
	})
}

// cardList returns n cards as a search has them.
func cardList(n int) (list CardList) {
	for _, c := range testCards(n) {
		list = append(list, c.JSON())
	}
	return list
}

// totalPage returns a search in the order Total with each kind of delivery.
func totalPage() *Listings {
	words := NewVocabulary(testSite(), testNames)
	return NewListings(words, Found{
		Query: Query{Filter: search.Filter{Model: "canon/eos-r6"}, ShipTo: "DE", Sort: search.Total, Limit: search.DefaultLimit}, Total: 2820,
		Gear: []NamedGear{words.NewNamedGear("canon/eos-r6", 1203)}, Cards: append(cardList(3), cardList(2)...), Facets: testFacets(), NextCursor: "eyJwIjoxMjQ5MDB9",
		Warnings: []Warning{{"limit_clamped", "limit was 500 and is at most 100.", "limit"}},
		Shipping: []search.Shipping{
			{Terms: search.Ships, Price: 124900, Postage: 690}, {Terms: search.Ships, Price: 124900}, {Terms: search.NotStated, Price: 124900},
			{Terms: search.Pickup, Price: 124900}, {Terms: search.NotShipped, Price: 124900},
		},
	})
}
