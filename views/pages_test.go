package views

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/pricing"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/search"
	accountviews "github.com/secondlight/secondlight/views/account"
	gearviews "github.com/secondlight/secondlight/views/gear"
	homeviews "github.com/secondlight/secondlight/views/home"
	listingviews "github.com/secondlight/secondlight/views/listing"
	portfolioviews "github.com/secondlight/secondlight/views/portfolio"
	priceviews "github.com/secondlight/secondlight/views/price"
	searchviews "github.com/secondlight/secondlight/views/search"
	textviews "github.com/secondlight/secondlight/views/text"
	"github.com/secondlight/secondlight/views/ui"
	"github.com/secondlight/secondlight/views/viewstest"
)

var testGuide = &content.Text{
	Date: viewstest.At("2026-11-18T00:00:00Z").Std(), Updated: viewstest.At("2026-11-20T00:00:00Z").Std(), Minutes: 4, Tags: []string{"film", "macro"},
	Slug: "grades", Language: content.English, Title: "Grades", Description: "What they mean.",
	Markdown: "See the [search](/listings).\n", HTML: "<p>See the <a href=\"/listings\">search</a>.</p>\n",
}

// testTexts is a journal of three entries, newest first.
var testTexts = []*content.Text{
	{Slug: "newer", Language: content.English, Title: "Newer " + viewstest.Nasty, Description: "What came later.", Date: viewstest.At("2026-11-19T00:00:00Z").Std(), Updated: viewstest.At("2026-11-19T00:00:00Z").Std(), Minutes: 1},
	testGuide,
	{Slug: "older", Language: content.English, Title: "Older", Description: "What came before.", Date: viewstest.At("2026-11-01T00:00:00Z").Std(), Updated: viewstest.At("2026-11-01T00:00:00Z").Std(), Minutes: 2, Tags: []string{"macro"}},
}

var testRatings = []accountviews.AuthoredRating{
	{Rating: models.Rating{Stars: 5, Text: "As described.\n\nPacked " + viewstest.Nasty, At: viewstest.At("2026-11-12T10:00:00Z")}, By: &models.Member{Handle: "ben-o", Name: "Ben Okafor"}},
	{Rating: models.Rating{Stars: 3, At: viewstest.At("2026-10-02T10:00:00Z")}, By: &models.Member{Handle: "cleo", Name: "Cleo"}},
}

// testPages returns one page of every kind by name.
func testPages() map[string]ui.Page {
	site, l := viewstest.Site(), viewstest.Listing(0)
	l.Defects = []models.Defect{"scratches", "sticky_rubber"}
	sold := viewstest.Listing(3)
	sold.Status, sold.ClosedAt, sold.SoldPrice, sold.Title = models.StatusSold, viewstest.At("2026-11-18T10:00:00Z"), 119050, viewstest.Nasty
	forSale, trend := 31, viewstest.Trend(60)
	forecast, excellent := *viewstest.Estimate, *viewstest.Estimate
	forecast.Error = 0.0912
	excellent.Condition, excellent.Median, excellent.Low, excellent.High = models.ConditionExcellent, 104000, 91000, 118000
	for n := range models.Cents(prices.ForecastMonths) {
		forecast.Forecast = append(forecast.Forecast, prices.Forecast{Median: 93000 - n*700, Low: 81000 - n*1200, High: 106500 + n*400})
	}
	doubtful := viewstest.Accuracy("film_slr")
	doubtful.InMost = 0.69
	estimated := viewstest.Estimate.Typical().Deal(l.Price)
	gear := []ui.GearCard{ui.NewGearCard(site, viewstest.Gear, forSale, 98000, trend, viewstest.Estimate), ui.NewGearCard(site, viewstest.Lens, 0, 0, nil, nil)}
	shipped := viewstest.Listing(1)
	shipped.Condition, shipped.Price, shipped.Postage = models.ConditionExcellent, 98000, "DE=690 EU=1490"
	line, _ := homeviews.NewTrendLine(gear[0], trend)
	pages := map[string]ui.Page{
		"home": homeviews.NewHome(site, homeviews.HomeParts{ForSale: 5000, Sales: 60000, Gear: 2045, Categories: []search.Count{{Value: "mirrorless", Count: 1480}, {Value: "dslr", Count: 730}, {Value: "film_slr", Count: 210}, {Value: "lens_prime", Count: 498}, {Value: "lens_zoom", Count: 512}},
			Deals: viewstest.Cards(8), Newest: viewstest.Cards(4), Movers: []homeviews.TrendLine{line}}),
		"search":  foundPage(ui.Query{Filter: search.Filter{Keyword: "canon r6", Brands: []string{"canon"}, Conditions: []models.Condition{"good", "excellent"}}}, 3),
		"total":   totalPage(),
		"empty":   searchviews.NewListings(searchviews.NewVocabulary(viewstest.Site(), viewstest.Names), searchviews.Found{Query: ui.Query{Filter: search.Filter{Keyword: viewstest.Nasty}, Sort: "relevance", Limit: 24}, DidYouMean: "nikon z6"}),
		"listing": listingviews.NewListing(site, listingviews.ListingParts{Listing: l, Gear: viewstest.Gear, Trend: trend, Estimate: viewstest.Estimate, Deal: &estimated, Seller: viewstest.Member, SellerForSale: 12, SellerSold: 48, Similar: viewstest.Cards(5)[1:], FromSeller: viewstest.Cards(8)[4:]}),
		"sold":    listingviews.NewListing(site, listingviews.ListingParts{Listing: sold, Seller: viewstest.Member, SellerForSale: 12, SellerSold: 49}),
		"compare": searchviews.NewComparison(site, []searchviews.ComparedParts{{Gear: viewstest.Gear, Trend: trend, Estimate: viewstest.Estimate, Asked: priceviews.Asking{Count: 31, Lowest: 98000}}, {Gear: viewstest.Lens}}, nil, 0),
		"compared": searchviews.NewListingComparison(site, []listingviews.ListingParts{{Listing: shipped, Gear: viewstest.Gear, Trend: trend, Seller: viewstest.Member, SellerSold: 48, Ratings: models.RatingSummary{Ratings: 3, Stars: 13}, Deal: viewstest.Deal(shipped)},
			{Listing: l, Gear: viewstest.Gear, Trend: trend, Seller: viewstest.Member, Deal: viewstest.Deal(l)}, {Listing: sold, Seller: viewstest.Member}}, "DE", []string{"gone"}, 1),
		"gear": gearviews.NewTrend(site, gearviews.TrendParts{Gear: viewstest.Gear, Trend: trend, Active: 31, Lowest: 98000, Average: 127450, Listings: viewstest.Cards(8), Estimate: &forecast, Grades: []*prices.Estimate{&excellent, viewstest.Estimate}, Index: viewstest.Index(),
			Recent: []models.Sale{{SoldAt: viewstest.At("2026-11-20T12:00:00Z"), Condition: models.ConditionGood, Price: 91000}}}),
		"working":      priceviews.NewPriceWorking(site, viewstest.Gear, viewstest.Working(), "2026-11-21"),
		"index":        priceviews.NewPriceStart(site, priceviews.NewPriceIndex(site, viewstest.Index(), viewstest.Catalog()), gear),
		"kinds":        priceviews.NewPriceChart(site, viewstest.Index(), viewstest.Catalog(), "kinds"),
		"movers":       priceviews.NewPriceChart(site, viewstest.Index(), viewstest.Catalog(), "movers"),
		"seasons":      priceviews.NewPriceChart(site, viewstest.Index(), viewstest.Catalog(), "seasons"),
		"depreciation": priceviews.NewPriceChart(site, viewstest.Index(), viewstest.Catalog(), "depreciation"),
		"no-chart":     priceviews.NewPriceChart(site, nil, viewstest.Catalog(), "brands"),
		"accuracy": priceviews.NewAccuracy(site, &prices.PriceFit{Day: "2026-11-21", Sales: 60123, Gear: 2171, AccuracyAt: viewstest.At("2026-11-21T03:00:00Z"), Accuracy: &pricing.Report{Months: 12,
			All: viewstest.Accuracy("all"), BySales: []pricing.Accuracy{viewstest.Accuracy("0"), viewstest.Accuracy("1–2")}, ByKind: []pricing.Accuracy{viewstest.Accuracy("mirrorless"), doubtful}, PerGear: viewstest.Accuracy("all"),
			ByGrade: []pricing.Accuracy{viewstest.Accuracy("0")}, ByPrice: []pricing.Accuracy{viewstest.Accuracy("under 50")},
			Forgery: pricing.Forgery{Gear: 412, Forged: 2210, Mean: 0.0074, Most: 0.0281}}},
			&prices.Unpriced{Gear: 318, Nearest: []prices.FewSales{{Gear: viewstest.Gear, Sales: 4}, {Gear: viewstest.Lens, Sales: 1}}}),
		"unsold":  gearviews.NewTrend(site, gearviews.TrendParts{Gear: viewstest.Lens}),
		"brands":  gearviews.NewGearIndex(site, 2045, []gearviews.BrandCard{gearviews.NewBrandCard(site, "canon", "Canon", 240, 911), gearviews.NewBrandCard(site, "leica", "Leica", 61, 1)}, gear),
		"brand":   gearviews.NewBrandPage(site, "canon", "Canon", 240, gear, ui.Next{Cursor: "next"}),
		"seller":  accountviews.NewSeller(site, viewstest.Member, 12, 48, viewstest.Cards(6), viewstest.Cards(3), "next").WithRatings(models.RatingSummary{Ratings: 3, Stars: 13}, testRatings, models.ResponseStats{Conversations: 12, Answered: 11, Median: 190 * time.Minute}),
		"guide":   textviews.NewGuide(site, testGuide, []*content.Text{testGuide, {Slug: "prices", Title: "Prices"}}),
		"guides":  textviews.NewGuides(site, testTexts),
		"journal": textviews.NewJournal(site, testTexts, "film"),
		"entry":   textviews.NewJournalEntry(site, testTexts[1], testTexts),
		"about":   textviews.NewAbout(site, testGuide),
		"terms":   textviews.NewTextPage(site, &content.Text{Slug: "terms", Language: content.English, Title: "Terms of use", Description: "The rules.", Date: testGuide.Date, Updated: testGuide.Updated, Markdown: "Read [help](/help).\n", HTML: "<p>Read <a href=\"/help\">help</a>.</p>\n"}),
		"error": &ui.Error{Type: site.URL("/errors/listing_not_found"), Title: problem.Textf("Listing not found"), Status: 404, Code: "listing_not_found", Message: problem.Programf("No listing has the id %s.", viewstest.Nasty), Hint: problem.Programf("Search with GET /api/listings/search?keyword=…"), RequestID: "0011223344556677",
			Errors: []ui.FieldError{{Field: "budget_max", Code: "invalid_value", Message: problem.Textf("%s", viewstest.Nasty)}}, Candidates: []ui.Candidate{{Field: "budget_max", Value: viewstest.Nasty}}, Links: []ui.Link{{Href: "/listings?keyword=a+b", Label: viewstest.Nasty}}},
	}
	galleryPages(site, pages)
	return pages
}

// galleryPages adds the pages of a gallery: with and without its password, one of its photos, and its
// owner's.
func galleryPages(site *ui.Site, pages map[string]ui.Page) {
	own := &portfolio.Project{Folder: "wedding", Slug: "wedding", Visibility: portfolio.Private, Title: "Wedding " + viewstest.Nasty, Date: viewstest.At("2026-09-12T00:00:00Z").Std()}
	for i, slug := range []string{"cover", "first-dance", "rain"} {
		own.Photos = append(own.Photos, &portfolio.Photo{Project: own, Slug: slug, File: "portfolio/wedding/IMG_000" + strconv.Itoa(i) + ".jpg", Key: "k" + strconv.Itoa(i), Title: slug, Alt: "What it shows.", Width: 3000, Height: 2000})
	}
	g := &models.Gallery{Project: "wedding", Address: "k2m4q6s8k2m4q6s8k2m4q6s8k2", EndsAt: viewstest.At("2026-12-31T00:00:00Z")}
	marks := []models.GalleryMark{{Name: "Ben", File: "IMG_0002.jpg", Favourite: true}, {Name: "Vera", File: "IMG_0001.jpg", Favourite: true, Comment: "Large, " + viewstest.Nasty}, {Name: "Vera", File: "IMG_0002.jpg", Comment: "Not this one."}}
	shown := own.InGallery(g.Address)
	pages["gallery-locked"] = portfolioviews.NewLockedGallery(site, g.Address)
	pages["gallery"] = portfolioviews.NewGallery(site, g, shown, shown.Photos, ui.Next{}, "Vera", marks, "")
	pages["gallery-photo"] = portfolioviews.NewGalleryPhoto(site, shown.Photo("first-dance"), marks[1])
	pages["gallery-editor"] = portfolioviews.NewGalleryEditor(site, own, g, marks, viewstest.At("2026-11-21T00:00:00Z"))
	pages["gallery-new"] = portfolioviews.NewGalleryEditor(site, own, nil, nil, viewstest.At("2026-11-21T00:00:00Z"))
}

// jsonOf returns the JSON of a page.
func jsonOf(v any) []byte {
	if a, ok := v.(ui.JSONAppender); ok {
		return a.AppendJSON(nil)
	}
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// foundPage returns the page of a search with n cards.
func foundPage(q ui.Query, n int) *searchviews.Listings {
	q.Limit = search.DefaultLimit
	if q.Sort == "" {
		q.Sort = search.Newest
		if q.Keyword != "" {
			q.Sort = search.Relevance
		}
	}
	words := searchviews.NewVocabulary(viewstest.Site(), viewstest.Names)
	return searchviews.NewListings(words, searchviews.Found{
		Query: q, Total: 2820, Gear: []searchviews.NamedGear{words.NewNamedGear("canon/eos-r6", 1203)}, Cards: cardList(n), Facets: viewstest.Facets(), NextCursor: "eyJwIjoxMjQ5MDB9",
		Warnings: []ui.Warning{{Code: "limit_clamped", Message: "limit was 500 and is at most 100.", Field: "limit"}},
	})
}

// cardList returns n cards as a search has them.
func cardList(n int) (list ui.CardList) {
	for _, c := range viewstest.Cards(n) {
		list = append(list, c.JSON())
	}
	return list
}

// totalPage returns a search in the order Total with each kind of delivery and all filters.
func totalPage() *searchviews.Listings {
	words := searchviews.NewVocabulary(viewstest.Site(), viewstest.Names)
	return searchviews.NewListings(words, searchviews.Found{
		Query: ui.Query{Filter: search.Filter{Model: "canon/eos-r6"}, ShipTo: []models.Region{"DE"}, Sort: search.Total, Limit: search.DefaultLimit}, Total: 2820, View: "full",
		Gear: []searchviews.NamedGear{words.NewNamedGear("canon/eos-r6", 1203)}, Cards: append(cardList(3), cardList(2)...), Facets: viewstest.Facets(), NextCursor: "eyJwIjoxMjQ5MDB9",
		Warnings: []ui.Warning{{Code: "limit_clamped", Message: "limit was 500 and is at most 100.", Field: "limit"}},
		Shipping: []search.Shipping{
			{To: "DE", Terms: search.Ships, Price: 124900, Postage: 690}, {To: "DE", Terms: search.Ships, Price: 124900}, {To: "DE", Terms: search.NotStated, Price: 124900},
			{To: "DE", Terms: search.Pickup, Price: 124900}, {To: "DE", Terms: search.NotShipped, Price: 124900},
		},
	})
}
