package views

import (
	"bytes"
	"encoding/json"
	"flag"
	"net/url"
	"slices"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/search"
	"pgregory.net/rapid"
)

// The values drawn are the same ones at each run; -rapid.seed=0 draws others.
func init() {
	if seed := flag.Lookup("rapid.seed"); seed.Value.String() == "0" {
		_ = seed.Value.Set("1")
	}
}

func TestAppendJSONEqualsEncodingJSON(t *testing.T) {
	type fields Listings // without its methods
	plain := func(p *Listings) []byte {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		p.facets()
		if err := enc.Encode((*fields)(p)); err != nil {
			t.Fatal(err)
		}
		return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	}
	same := func(t interface{ Fatalf(string, ...any) }, p *Listings) {
		if got, want := p.AppendJSON(nil), plain(p); !bytes.Equal(got, want) {
			t.Fatalf("AppendJSON writes\n%s\nencoding/json\n%s", got, want)
		}
	}
	same(t, testListings(Query{}, 0))
	same(t, testListings(Query{Filter: search.Filter{Keyword: nasty}}, 24))
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String()
		q := Query{
			Filter: search.Filter{Keyword: text.Draw(t, "keyword"), Mount: text.Draw(t, "mount"), Brands: rapid.SliceOf(text).Draw(t, "brands")},
			Sort:   "price",
			Max:    &models.Amount{Cents: 1250, Currency: testSite().Currency},
		}
		var counts []search.Count
		var bands []search.Band
		for i, v := range rapid.SliceOf(text).Draw(t, "values") {
			counts = append(counts, search.Count{Value: v, Count: i})
			bands = append(bands, search.Band{Least: models.Cents(i) * 5050, Most: models.Cents(i%3) * 1_000_000, Count: i})
		}
		same(t, NewListings(testWords(), Found{
			Query: q, Total: rapid.Int().Draw(t, "total"), Cards: testCardList(rapid.IntRange(0, 2).Draw(t, "cards")), NextCursor: text.Draw(t, "cursor"),
			DidYouMean: text.Draw(t, "meant"), Facets: search.Facets{Category: counts, Brand: counts, Condition: counts, Region: counts, Mount: counts, Price: bands},
			Warnings: []Warning{{"a", text.Draw(t, "warning"), "b"}},
		}))
	})
}

func TestCardListDecodes(t *testing.T) {
	cards, err := testCardList(3).Decode()
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range cards {
		if want := testCard(i); !bytes.Equal(c.JSON(), want.JSON()) {
			t.Errorf("card %d is read back as %s", i, c.JSON())
		}
	}
	if _, err := (CardList{json.RawMessage(`{"id":7}`)}).Decode(); err == nil {
		t.Error("a card that is none was read")
	}
}

func TestFacetsLead(t *testing.T) {
	money := func(c models.Cents) *models.Amount { return &models.Amount{Cents: c, Currency: testSite().Currency} }
	all := Query{
		Filter: search.Filter{Keyword: "r6 & more", Category: "mirrorless", Brands: []string{"nikon", "canon"}, Mount: "Canon RF", Conditions: []models.Condition{"good", "new"}, Region: "US-CA"},
		Min:    money(50000),
		Max:    money(99999),
		Sort:   "deal",
	}
	const (
		key    = "?keyword=r6+%26+more"
		brands = "&brand=canon&brand=nikon"
		conds  = "&condition=new&condition=good"
		tail   = "&budget=500-999.99&region=US-CA&sort=deal"
	)
	for _, test := range []struct {
		name   string
		query  Query
		facet  func(*Facets) []Facet
		counts search.Facets
		want   Facet
	}{
		{"choose", Query{}, func(f *Facets) []Facet { return f.Brand }, search.Facets{Brand: []search.Count{{Value: "canon", Count: 7}}},
			Facet{Value: "canon", Label: "Canon", Count: 7, Href: "/listings?brand=canon"}},
		{"choose a second", Query{Filter: search.Filter{Brands: []string{"nikon"}}}, func(f *Facets) []Facet { return f.Brand }, search.Facets{Brand: []search.Count{{Value: "canon", Count: 7}}},
			Facet{Value: "canon", Label: "Canon", Count: 7, Href: "/listings?brand=canon&brand=nikon"}},
		{"drop the only one", Query{Filter: search.Filter{Brands: []string{"canon"}}}, func(f *Facets) []Facet { return f.Brand }, search.Facets{Brand: []search.Count{{Value: "canon", Count: 7}}},
			Facet{Value: "canon", Label: "Canon", Count: 7, Href: "/listings", Active: true}},
		{"drop one of two", all, func(f *Facets) []Facet { return f.Brand }, search.Facets{Brand: []search.Count{{Value: "nikon", Count: 7}}},
			Facet{Value: "nikon", Label: "Nikon", Count: 7, Href: "/listings" + key + "&category=mirrorless&brand=canon&mount=Canon+RF" + conds + tail, Active: true}},
		{"replace a category", all, func(f *Facets) []Facet { return f.Category }, search.Facets{Category: []search.Count{{Value: "dslr", Count: 7}}},
			Facet{Value: "dslr", Label: "DSLR", Count: 7, Href: "/listings" + key + "&category=dslr" + brands + "&mount=Canon+RF" + conds + tail}},
		{"add a condition in its place", all, func(f *Facets) []Facet { return f.Condition }, search.Facets{Condition: []search.Count{{Value: "excellent", Count: 7}}},
			Facet{Value: "excellent", Label: "Excellent", Count: 7, Href: "/listings" + key + "&category=mirrorless" + brands + "&mount=Canon+RF&condition=new&condition=excellent&condition=good" + tail}},
		{"widen to the country", all, func(f *Facets) []Facet { return f.Region }, search.Facets{Region: []search.Count{{Value: "US", Count: 7}}},
			Facet{Value: "US", Label: "United States", Count: 7, Href: "/listings" + key + "&category=mirrorless" + brands + "&mount=Canon+RF" + conds + "&budget=500-999.99&region=US&sort=deal"}},
		{"drop the price", all, func(f *Facets) []Facet { return f.Price }, search.Facets{Price: []search.Band{{Least: 50000, Most: 99999, Count: 7}}},
			Facet{Value: "500-999.99", Label: "€500 – €1,000", Count: 7, Href: "/listings" + key + "&category=mirrorless" + brands + "&mount=Canon+RF" + conds + "&region=US-CA&sort=deal", Active: true}},
		{"mount with a space", Query{}, func(f *Facets) []Facet { return f.Mount }, search.Facets{Mount: []search.Count{{Value: "Leica M", Count: 7}}},
			Facet{Value: "Leica M", Label: "Leica M", Count: 7, Href: "/listings?mount=Leica+M"}},
	} {
		if test.query.Sort == "" {
			test.query.Sort = test.query.search().DefaultSort()
		}
		p := NewListings(testWords(), Found{Query: test.query, Facets: test.counts, NextCursor: "next"})
		if got := test.facet(p.facets()); len(got) != 1 || got[0] != test.want {
			t.Errorf("%s:\n got %+v\nwant %+v", test.name, got, test.want)
		}
	}
}

func TestSearchLinks(t *testing.T) {
	p := NewListings(testWords(), Found{Query: Query{Filter: search.Filter{Keyword: "r6"}, Sort: "newest", Limit: 10}, NextCursor: "a=b"})
	want := SearchLinks{
		Self: "/api/listings/search?keyword=r6&sort=newest&limit=10", First: "/api/listings/search?keyword=r6&sort=newest&limit=10",
		Next: "/api/listings/search?keyword=r6&sort=newest&limit=10&cursor=a%3Db", HTML: "/listings?keyword=r6&sort=newest&limit=10",
	}
	if p.Links != want {
		t.Errorf("links are %+v, want %+v", p.Links, want)
	}
	for _, q := range []Query{{Sort: "newest"}, {Filter: search.Filter{Keyword: "r6"}, Sort: "relevance", Limit: search.DefaultLimit}} {
		if u, _ := url.Parse(q.Path()); u.Query().Has("sort") || u.Query().Has("limit") {
			t.Errorf("%s writes a default", q.Path())
		}
	}
}

// TestChosenDropsOneThing reads every chip of a search back.
func TestChosenDropsOneThing(t *testing.T) {
	q := Query{
		Filter: search.Filter{Keyword: "r6", Category: "camera", Brands: []string{"canon", "nikon"}, Model: "canon/eos-r6", Mount: "Canon RF", Conditions: []models.Condition{"new", "good"}, Region: "DE", Seller: "anna-k"},
		Max:    &models.Amount{Cents: 80000, Currency: testSite().Currency},
		Sort:   "price",
	}
	full, _ := url.Parse(q.Path())
	count := func(u *url.URL) (n int) {
		for _, values := range u.Query() {
			n += len(values)
		}
		return n
	}
	chosen := q.chosen(testNames)
	if len(chosen) != count(full)-1 {
		t.Errorf("%d chips for %s", len(chosen), full)
	}
	for _, c := range chosen {
		if u, err := url.Parse(c.Href); err != nil || count(u) != count(full)-1 {
			t.Errorf("%s %s leads to %s", c.Name, c.Label, c.Href)
		}
	}
	labels := make([]string, len(chosen))
	for i, c := range chosen {
		labels[i] = c.Label
	}
	if want := []string{"r6", "Cameras", "Canon", "Nikon", "Canon EOS R6", "Canon RF", "New", "Good", "Up to €800", "Germany", "anna-k"}; !slices.Equal(labels, want) {
		t.Errorf("chips are %q, want %q", labels, want)
	}
}

// TestHiddenKeepsTheSearch submits the price form and expects the same search
// but for the price.
func TestHiddenKeepsTheSearch(t *testing.T) {
	q := Query{
		Filter: search.Filter{Keyword: "r6 & more", Brands: []string{"canon", "nikon"}, Conditions: []models.Condition{"good"}, Region: "US-CA", Seller: "anna-k", Model: "canon/eos-r6", Mount: "Canon RF", Category: "camera"},
		Sort:   "deal",
		Limit:  48,
		Min:    &models.Amount{Cents: 500, Currency: testSite().Currency},
	}
	form := url.Values{}
	for _, f := range q.hidden() {
		form.Add(f.Name, f.Value)
	}
	q.Min = nil
	u, _ := url.Parse(q.Path())
	if got, want := form.Encode(), u.Query().Encode(); got != want {
		t.Errorf("the form keeps %s, want %s", got, want)
	}
}
