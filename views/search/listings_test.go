package search

import (
	"bytes"
	"encoding/json"
	"flag"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/a-h/templ"
	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/views/ui"
	"github.com/secondlight/secondlight/views/viewstest"
	"pgregory.net/rapid"
)

// The values drawn are the same ones at each run; -rapid.seed=0 draws others.
func init() {
	if seed := flag.Lookup("rapid.seed"); seed.Value.String() == "0" {
		_ = seed.Value.Set("1")
	}
}

// plainJSON is what encoding/json writes without escaping HTML.
func plainJSON(t interface{ Fatal(...any) }, v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// drawValue sets a value and every exported field in it to something that is not zero.
func drawValue(t *rapid.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(rapid.StringN(1, 20, -1).Draw(t, "text"))
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(rapid.IntRange(1, int(models.MaxAmount)).Draw(t, "number")))
	case reflect.Float64:
		v.SetFloat(float64(rapid.IntRange(1, 50_000).Draw(t, "hundredths")) / 100)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		drawValue(t, v.Elem())
	case reflect.Slice:
		n := rapid.IntRange(1, 3).Draw(t, "length")
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			drawValue(t, v.Index(i))
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[models.Currency]() {
			v.Set(reflect.ValueOf(viewstest.Site().Currency()))
			return
		}
		for _, field := range v.Fields() {
			if field.CanSet() {
				drawValue(t, field)
			}
		}
	default:
		t.Fatalf("cannot draw a %s", v.Type())
	}
}

// drawCards sets a list to the JSON of cards drawn.
func drawCards(t *rapid.T, list *ui.CardList) {
	cards := make([]ui.Card, rapid.IntRange(0, 2).Draw(t, "cards"))
	for i := range cards {
		drawValue(t, reflect.ValueOf(&cards[i]).Elem())
		*list = append(*list, cards[i].JSON())
	}
}

// TestAppendJSONEqualsEncodingJSON draws every field there is of all that JSON is
// written of by hand.
func TestAppendJSONEqualsEncodingJSON(t *testing.T) {
	same := func(t interface {
		Fatal(...any)
		Fatalf(string, ...any)
	}, what string, got []byte, plain any) {
		if want := plainJSON(t, plain); !bytes.Equal(got, want) {
			t.Fatalf("the JSON of %s is written as\n%s\nencoding/json writes\n%s", what, got, want)
		}
	}
	type fields Listings // without its methods
	samePage := func(t interface {
		Fatal(...any)
		Fatalf(string, ...any)
	}, p *Listings) {
		p.facets()
		same(t, "a page", p.AppendJSON(nil), (*fields)(p))
	}
	samePage(t, testListings(ui.Query{}, 0))
	samePage(t, testListings(ui.Query{Filter: search.Filter{Keyword: viewstest.Nasty}}, 24))
	total := totalListings()
	cards, err := total.decodeCards()
	if err != nil {
		t.Fatal(err)
	}
	same(t, "cards with delivery", total.appendCards(nil), cards)
	rapid.Check(t, func(t *rapid.T) {
		var q ui.Query
		drawValue(t, reflect.ValueOf(&q).Elem())
		same(t, "a query", q.AppendJSON(nil), q)

		var card ui.Card
		drawValue(t, reflect.ValueOf(&card).Elem())
		same(t, "a card", card.JSON(), card)

		found := Found{Query: q, NextCursor: "a=b"}
		drawCards(t, &found.Cards)
		drawValue(t, reflect.ValueOf(&found.Facets).Elem())
		p := NewListings(testWords(), found)
		for _, field := range reflect.ValueOf(p).Elem().Fields() {
			if field.CanSet() && (field.IsZero() || field.Kind() == reflect.Slice && field.Len() == 0) && field.Type() != reflect.TypeFor[Facets]() && field.Type() != reflect.TypeFor[ui.CardList]() {
				drawValue(t, field)
			}
		}
		samePage(t, p)
	})
}

func TestCardListDecodes(t *testing.T) {
	cards, err := testCardList(3).Decode()
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range cards {
		if want := viewstest.Card(i); !bytes.Equal(c.JSON(), want.JSON()) {
			t.Errorf("card %d is read back as %s", i, c.JSON())
		}
	}
	if _, err := (ui.CardList{json.RawMessage(`{"id":7}`)}).Decode(); err == nil {
		t.Error("a card that is none was read")
	}
}

// TestWrittenHTMLEqualsTemplates compares the facets and cards of a search, which are
// written without templates, with those of the templates.
func TestWrittenHTMLEqualsTemplates(t *testing.T) {
	render := func(components ...templ.Component) string {
		var b strings.Builder
		for _, c := range components {
			if err := c.Render(t.Context(), &b); err != nil {
				t.Fatal(err)
			}
		}
		return b.String()
	}
	for _, q := range []ui.Query{
		{},
		{Filter: search.Filter{Keyword: viewstest.Nasty, Brands: []string{"canon"}, Category: "mirrorless"}, Sort: "deal"},
		{Filter: search.Filter{Conditions: []models.Condition{"good", "new"}, Regions: []models.Region{"DE"}}, Min: &models.Amount{Cents: 50000, Currency: viewstest.Site().Currency()}},
	} {
		p := testListings(q, 6)
		p.full = true
		var facets []templ.Component
		written := render(p.facetLists())
		for _, g := range p.facets().groups() {
			switch {
			case g.Key == "price":
			case !search.Params[search.ParamIndex(g.Param)].Many():
				facets = append(facets, ui.FacetList(g))
			default:
				for _, f := range g.Facets {
					checked := ""
					if f.Active {
						checked = " checked"
					}
					if box := `name="` + g.Param + `" value="` + f.Value + `"` + checked + `> `; !strings.Contains(written, box) {
						t.Errorf("%s has no checkbox %s", p.Links.Page, box)
					}
				}
			}
		}
		for _, list := range facets {
			if !strings.Contains(written, render(list)) {
				t.Errorf("%s doesn't have the facet %s", p.Links.Page, render(list))
			}
		}
		cards, err := p.Cards.Decode()
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second time cards are cached
			for what, pair := range map[string][2]string{
				"prices": {render(p.priceItems()), render(ui.FacetItems(p.facets().Price))},
				"cards":  {render(p.cards()), render(ui.CardGrid(p.site, cards, eagerCards))},
			} {
				if pair[0] != pair[1] {
					t.Errorf("%s of %s: written\n%s\ntemplate\n%s", what, p.Links.Page, pair[0], pair[1])
				}
			}
		}
	}
}

// TestMoreFilters checks which filters are on the page of a search: those that are seen first, and the
// others if one of them is chosen or the page has all.
func TestMoreFilters(t *testing.T) {
	moreBrands, more := `view=full">6 more</a>`, `view=full">More filters</a>`
	brands, fields := `<details open><summary>6 more</summary>`, `<div class="more-filters">`
	for _, test := range []struct {
		name    string
		filter  search.Filter
		full    bool
		has     []string
		without []string
	}{
		{"nothing chosen", search.Filter{}, false, []string{moreBrands, more}, []string{brands, fields, `value="zeiss"`}},
		{"seen first", search.Filter{Brands: []string{"nikon"}}, false, []string{moreBrands, more, `value="nikon" checked`}, []string{brands, fields}},
		{"a brand that is not", search.Filter{Brands: []string{"zeiss"}}, false, []string{brands, more, `value="zeiss" checked`}, []string{moreBrands, fields}},
		{"a specification", search.Filter{ShutterMax: 50000}, false, []string{moreBrands, fields, `value="50000"`}, []string{brands, more}},
		{"all", search.Filter{}, true, []string{brands, fields, `value="zeiss"`}, []string{moreBrands, more}},
	} {
		p := testListings(ui.Query{Filter: test.filter}, 1)
		p.full = test.full
		var b strings.Builder
		if err := p.HTML().Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		for _, text := range test.has {
			if !strings.Contains(b.String(), text) {
				t.Errorf("%s: no %s", test.name, text)
			}
		}
		for _, text := range test.without {
			if strings.Contains(b.String(), text) {
				t.Errorf("%s: has %s", test.name, text)
			}
		}
	}
}

func TestFacetsLead(t *testing.T) {
	money := func(c models.Cents) *models.Amount {
		return &models.Amount{Cents: c, Currency: viewstest.Site().Currency()}
	}
	all := ui.Query{
		Filter: search.Filter{Keyword: "r6 & more", Category: "mirrorless", Brands: []string{"nikon", "canon"}, Mount: "Canon RF", Conditions: []models.Condition{"good", "new"}, Regions: []models.Region{"US-CA"}},
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
		query  ui.Query
		facet  func(*Facets) []ui.Facet
		counts search.Facets
		want   ui.Facet
	}{
		{"choose", ui.Query{}, func(f *Facets) []ui.Facet { return f.Brand }, search.Facets{Brand: []search.Count{{Value: "canon", Count: 7}}},
			ui.Facet{Value: "canon", Label: "Canon", Count: 7, Page: "/listings?brand=canon"}},
		{"choose a second", ui.Query{Filter: search.Filter{Brands: []string{"nikon"}}}, func(f *Facets) []ui.Facet { return f.Brand }, search.Facets{Brand: []search.Count{{Value: "canon", Count: 7}}},
			ui.Facet{Value: "canon", Label: "Canon", Count: 7, Page: "/listings?brand=canon&brand=nikon"}},
		{"drop the only one", ui.Query{Filter: search.Filter{Brands: []string{"canon"}}}, func(f *Facets) []ui.Facet { return f.Brand }, search.Facets{Brand: []search.Count{{Value: "canon", Count: 7}}},
			ui.Facet{Value: "canon", Label: "Canon", Count: 7, Page: "/listings", Active: true}},
		{"drop one of two", all, func(f *Facets) []ui.Facet { return f.Brand }, search.Facets{Brand: []search.Count{{Value: "nikon", Count: 7}}},
			ui.Facet{Value: "nikon", Label: "Nikon", Count: 7, Page: "/listings" + key + "&category=mirrorless&brand=canon&mount=Canon+RF" + conds + tail, Active: true}},
		{"replace a category", all, func(f *Facets) []ui.Facet { return f.Category }, search.Facets{Category: []search.Count{{Value: "dslr", Count: 7}}},
			ui.Facet{Value: "dslr", Label: "DSLR", Count: 7, Page: "/listings" + key + "&category=dslr" + brands + "&mount=Canon+RF" + conds + tail}},
		{"add a condition in its place", all, func(f *Facets) []ui.Facet { return f.Condition }, search.Facets{Condition: []search.Count{{Value: "excellent", Count: 7}}},
			ui.Facet{Value: "excellent", Label: "Excellent", Count: 7, Page: "/listings" + key + "&category=mirrorless" + brands + "&mount=Canon+RF&condition=new&condition=excellent&condition=good" + tail}},
		{"widen to the country", all, func(f *Facets) []ui.Facet { return f.Region }, search.Facets{Region: []search.Count{{Value: "US", Count: 7}}},
			ui.Facet{Value: "US", Label: "United States", Count: 7, Page: "/listings" + key + "&category=mirrorless" + brands + "&mount=Canon+RF" + conds + "&budget=500-999.99&region=US&sort=deal"}},
		{"narrow to a subdivision", ui.Query{Filter: search.Filter{Regions: []models.Region{"AT", "EU", "US"}}}, func(f *Facets) []ui.Facet { return f.Region }, search.Facets{Region: []search.Count{{Value: "US-CA", Count: 7}}},
			ui.Facet{Value: "US-CA", Label: "California, United States", Count: 7, Page: "/listings?region=AT&region=EU&region=US-CA"}},
		{"choose a second region", ui.Query{Filter: search.Filter{Regions: []models.Region{"DE"}}}, func(f *Facets) []ui.Facet { return f.Region }, search.Facets{Region: []search.Count{{Value: "AT", Count: 7}}},
			ui.Facet{Value: "AT", Label: "Austria", Count: 7, Page: "/listings?region=AT&region=DE"}},
		{"drop the price", all, func(f *Facets) []ui.Facet { return f.Price }, search.Facets{Price: []search.Band{{Min: 50000, Max: 99999, Count: 7}}},
			ui.Facet{Value: "500-999.99", Label: "€500 – €1,000", Count: 7, Page: "/listings" + key + "&category=mirrorless" + brands + "&mount=Canon+RF" + conds + "&region=US-CA&sort=deal", Active: true}},
		{"mount with a space", ui.Query{}, func(f *Facets) []ui.Facet { return f.Mount }, search.Facets{Mount: []search.Count{{Value: "Leica M", Count: 7}}},
			ui.Facet{Value: "Leica M", Label: "Leica M", Count: 7, Page: "/listings?mount=Leica+M"}},
	} {
		if test.query.Sort == "" {
			test.query.Sort = test.query.Search().DefaultSort()
		}
		p := NewListings(testWords(), Found{Query: test.query, Facets: test.counts, NextCursor: "next"})
		if got := test.facet(p.facets()); len(got) != 1 || got[0] != test.want.Leading(test.want.Page) {
			t.Errorf("%s:\n got %+v\nwant %+v", test.name, got, test.want)
		}
	}
}

func TestSearchLinks(t *testing.T) {
	p := NewListings(testWords(), Found{Query: ui.Query{Filter: search.Filter{Keyword: "r6"}, Sort: "newest", Limit: 10}, NextCursor: "a=b"})
	want := SearchLinks{
		Self: "/api/listings/search?keyword=r6&sort=newest&limit=10", First: "/api/listings/search?keyword=r6&sort=newest&limit=10",
		Next: "/api/listings/search?keyword=r6&sort=newest&limit=10&cursor=a%3Db", Page: "/listings?keyword=r6&sort=newest&limit=10",
	}
	if p.Links != want {
		t.Errorf("links are %+v, want %+v", p.Links, want)
	}
	for _, q := range []ui.Query{{Sort: "newest"}, {Filter: search.Filter{Keyword: "r6"}, Sort: "relevance", Limit: search.DefaultLimit}} {
		if u, _ := url.Parse(q.Path()); u.Query().Has("sort") || u.Query().Has("limit") {
			t.Errorf("%s writes a default", q.Path())
		}
	}
}

// TestChosenDropsOneThing reads every chip of a search back.
func TestChosenDropsOneThing(t *testing.T) {
	q := ui.Query{
		Filter: search.Filter{Keyword: "r6", Category: "camera", Brands: []string{"canon", "nikon"}, Model: "canon/eos-r6", Mount: "Canon RF", Conditions: []models.Condition{"new", "good"}, Regions: []models.Region{"DE"}, Seller: "anna-k"},
		Max:    &models.Amount{Cents: 80000, Currency: viewstest.Site().Currency()},
		Sort:   "price",
	}
	full, _ := url.Parse(q.Path())
	count := func(u *url.URL) (n int) {
		for _, values := range u.Query() {
			n += len(values)
		}
		return n
	}
	chosen := q.Chosen(languages.English, viewstest.Names)
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
	q := ui.Query{
		Filter: search.Filter{Keyword: "r6 & more", Brands: []string{"canon", "nikon"}, Conditions: []models.Condition{"good"}, Regions: []models.Region{"US-CA"}, Seller: "anna-k", Model: "canon/eos-r6", Mount: "Canon RF", Category: "camera"},
		Sort:   "deal",
		Limit:  48,
		Min:    &models.Amount{Cents: 500, Currency: viewstest.Site().Currency()},
	}
	form := url.Values{}
	for _, f := range q.Hidden(search.Budget) {
		form.Add(f.Name, f.Value)
	}
	q.Min = nil
	u, _ := url.Parse(q.Path())
	if got, want := form.Encode(), u.Query().Encode(); got != want {
		t.Errorf("the form keeps %s, want %s", got, want)
	}
}

// TestCachedCardsFollowTheClock renders cached cards on another day.
func TestCachedCardsFollowTheClock(t *testing.T) {
	p := testListings(ui.Query{}, 3)
	now := p.site.Now()
	p.site.Clock = func() time.Time { return now }
	page := func() string {
		var b bytes.Buffer
		if err := p.cards().Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	before := page()
	now = now.AddDate(1, 0, 0)
	after := page()
	if before == after || strings.Count(after, "1 year ago") != 3 || strings.Contains(after, ui.Placeholder) {
		t.Errorf("a year later: %s", after)
	}
}

func testCardList(n int) ui.CardList {
	var list ui.CardList
	for _, c := range viewstest.Cards(n) {
		list = append(list, c.JSON())
	}
	return list
}

func testWords() *Vocabulary { return NewVocabulary(viewstest.Site(), viewstest.Names) }

func testListings(q ui.Query, n int) *Listings {
	q.Limit = search.DefaultLimit
	if q.Sort == "" {
		q.Sort = q.Search().DefaultSort()
	}
	return NewListings(testWords(), Found{
		Query: q, Total: 2820, Gear: []NamedGear{testWords().NewNamedGear("canon/eos-r6", 1203)}, Cards: testCardList(n), Facets: viewstest.Facets(), NextCursor: "eyJwIjoxMjQ5MDB9",
		Warnings: []ui.Warning{{Code: "limit_clamped", Message: "limit was 500 and is at most 100.", Field: "limit"}},
	})
}

// totalListings returns a search in the order Total with each kind of delivery.
func totalListings() *Listings {
	p := testListings(ui.Query{Filter: search.Filter{Model: "canon/eos-r6"}, ShipTo: []models.Region{"DE"}, Sort: search.Total}, 3)
	p.Cards = append(p.Cards, p.Cards...)
	p.shipping = []search.Shipping{
		{To: "DE", Terms: search.Ships, Price: 124900, Postage: 690}, {To: "DE", Terms: search.Ships, Price: 124900}, {To: "DE", Terms: search.NotStated, Price: 124900},
		{To: "DE", Terms: search.Pickup, Price: 124900}, {To: "DE", Terms: search.NotShipped, Price: 124900},
	}
	p.Cards = p.Cards[:len(p.shipping)]
	return p
}
