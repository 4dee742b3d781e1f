package views

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/portfolio"
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

// linked returns the JSON-LD blocks of a page by type.
func linked(t *testing.T, html string) map[string]map[string]any {
	t.Helper()
	found := map[string]map[string]any{}
	for _, part := range strings.Split(html, `<script type="application/ld+json">`)[1:] {
		body, _, _ := strings.Cut(part, "</script>")
		var block map[string]any
		if err := json.Unmarshal([]byte(body), &block); err != nil {
			t.Fatalf("%v: %s", err, body)
		}
		if block["@context"] != "https://schema.org" {
			t.Errorf("a data block is of %v", block["@context"])
		}
		kind, _ := block["@type"].(string)
		if found[kind] != nil {
			t.Errorf("two data blocks are a %s", kind)
		}
		found[kind] = block
	}
	return found
}

// member returns the value at a dotted path of names, "0" for the first of a list.
func member(block any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		if list, ok := block.([]any); ok && len(list) > 0 {
			block = list[0]
			if name == "0" {
				continue
			}
		}
		object, _ := block.(map[string]any)
		block = object[name]
	}
	return block
}

func TestProduct(t *testing.T) {
	page := func(demo bool, status models.Status) map[string]map[string]any {
		l := viewstest.Listing(0)
		l.Title, l.Demo, l.Status = viewstest.Nasty+"</script>", demo, status
		return linked(t, viewstest.HTML(t, listingviews.NewListing(viewstest.Site(), listingviews.ListingParts{Listing: l, Gear: viewstest.Gear, Seller: viewstest.Member})))
	}
	if page(true, models.StatusActive)["Product"] != nil {
		t.Error("search engines are told of something invented")
	}
	for status, want := range map[models.Status]string{
		models.StatusActive: "InStock", models.StatusReserved: "LimitedAvailability", models.StatusSold: "SoldOut", models.StatusEnded: "Discontinued",
	} {
		got := page(false, status)["Product"]
		for path, want := range map[string]any{
			"name": viewstest.Nasty + "</script>", "offers.price": "1249.00", "offers.priceCurrency": "EUR", "offers.availability": "https://schema.org/" + want,
			"offers.itemCondition": "https://schema.org/UsedCondition", "brand.name": "Canon",
		} {
			if member(got, path) != want {
				t.Errorf("%v: %s is %v, want %v", status, path, member(got, path), want)
			}
		}
		if images, _ := got["image"].([]any); len(images) != 3 || !strings.HasSuffix(images[0].(string), "-1280.jpg") {
			t.Errorf("pictures are %q", got["image"])
		}
	}
}

// TestLinkedData checks each type for the properties that search engines require or
// recommend: https://developers.google.com/search/docs/appearance/structured-data
func TestLinkedData(t *testing.T) {
	site := viewstest.Site()
	site.Defaults.Demo = false
	real := viewstest.Listing(0)
	real.Demo = false
	member1 := *viewstest.Member
	member1.Demo = false
	shown := testPhoto("")
	project, photo := portfolioviews.NewProject(site, shown.Project, shown.Project.Photos, ui.Next{}), portfolioviews.NewProjectPhoto(site, portfolioviews.PhotoParts{Photo: shown})
	for _, c := range []struct {
		kind     string
		page     ui.Page
		required string
	}{
		{"Product", listingviews.NewListing(site, listingviews.ListingParts{Listing: real, Gear: viewstest.Gear, Seller: &member1}), "name image offers.@type offers.price offers.priceCurrency offers.availability offers.itemCondition offers.url offers.seller.name brand.name description sku"},
		{"Product", gearviews.NewTrend(site, gearviews.TrendParts{Gear: viewstest.Gear, Trend: viewstest.Trend(60), Active: 31, Lowest: 98000, Average: 127450, Highest: 169900}), "name image offers.@type offers.lowPrice offers.highPrice offers.priceCurrency offers.offerCount"},
		{"Dataset", priceviews.NewPriceStart(site, nil, nil), "name description url distribution.0.contentUrl creator.name"},
		{"ItemList", searchviews.NewListings(searchviews.NewVocabulary(site, viewstest.Names), searchviews.Found{Query: ui.Query{Sort: "newest", Limit: 24}, Total: 3, Cards: cardList(3)}), "itemListElement.0.position itemListElement.0.url numberOfItems"},
		{"ItemList", gearviews.NewBrandPage(site, "canon", "Canon", 240, []ui.GearCard{ui.NewGearCard(site, viewstest.Gear, 3, 98000, nil, nil)}, ui.Next{}), "itemListElement.0.position itemListElement.0.url"},
		{"ProfilePage", accountviews.NewSeller(site, &member1, 12, 48, nil, nil, ""), "mainEntity.@type mainEntity.name mainEntity.alternateName"},
		{"ProfilePage", textviews.NewAbout(site, testGuide), "mainEntity.@type mainEntity.name"},
		{"Article", textviews.NewGuide(site, testGuide, nil), "headline image datePublished dateModified author.@type author.name author.url"},
		{"Article", textviews.NewJournalEntry(site, testTexts[1], testTexts), "headline image datePublished dateModified author.@type author.name author.url keywords"},
		{"WebSite", homeviews.NewHome(site, homeviews.HomeParts{}), "name url potentialAction.@type potentialAction.target.urlTemplate potentialAction.query-input"},
		{"ImageGallery", project, "name url image.0.contentUrl image.0.name"},
		{"ImageObject", photo, "contentUrl creator.@type creator.name creditText caption width height"},
		{"BreadcrumbList", photo, "itemListElement.0.position itemListElement.0.name itemListElement.0.item"},
	} {
		block := linked(t, viewstest.HTML(t, c.page))[c.kind]
		for path := range strings.FieldsSeq(c.required) {
			if value := member(block, path); value == nil || value == "" {
				t.Errorf("%T: a %s has no %s: %v", c.page, c.kind, path, block)
			}
		}
	}
}

// TestNothingInventedIsDescribed checks that no JSON-LD block describes demonstration
// data.
func TestNothingInventedIsDescribed(t *testing.T) {
	for name, page := range testPages() {
		for kind, block := range linked(t, viewstest.HTML(t, page)) {
			if kind == "Product" || kind == "ProfilePage" && name != "about" || kind == "ItemList" && strings.Contains(member(block, "itemListElement.0.url").(string), "/listings/") {
				t.Errorf("%s describes a %s", name, kind)
			}
		}
	}
}

func TestOwner(t *testing.T) {
	site := viewstest.Site()
	about := &content.Text{Title: "About"}
	if got := linked(t, viewstest.HTML(t, textviews.NewAbout(site, about)))["ProfilePage"]; member(got, "mainEntity.@type") != "Person" || member(got, "mainEntity.name") != site.Owner() {
		t.Errorf("the owner is %v", got["mainEntity"])
	}
	site.Defaults.Owner = site.Name()
	if got := linked(t, viewstest.HTML(t, textviews.NewAbout(site, about)))["ProfilePage"]; member(got, "mainEntity.@type") != "Organization" {
		t.Errorf("an owner without a name is %v", got["mainEntity"])
	}
	shown := testPhoto("Drawn.")
	shown.Credit = ""
	photo := portfolioviews.NewProjectPhoto(site, portfolioviews.PhotoParts{Photo: shown})
	if got := photo.Schema(); got["creator"] != nil || got["creditText"] != "Drawn." {
		t.Errorf("a demonstration's photograph is by %v", got["creator"])
	}
}

// testPhoto returns a photo of a project with a notice.
func testPhoto(notice string) *portfolio.Photo {
	photo := &portfolio.Photo{Slug: "one", Key: "a", Title: "One", Credit: "Felice Beato", Caption: "1865.", Alt: "A.", Width: 640, Height: 480}
	photo.Project = &portfolio.Project{Slug: "p", Title: "P", Notice: notice, Date: time.Date(2026, 9, 12, 0, 0, 0, 0, time.UTC), Photos: []*portfolio.Photo{photo}}
	return photo
}
