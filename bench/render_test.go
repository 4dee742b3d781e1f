// Package bench holds benchmarks of searching, reading trends and rendering pages.
// They run only with -bench; see docs/dev/measurements.md for the figures and the commands.
package bench

import (
	"context"
	"fmt"
	"io"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/search"
	gearviews "github.com/secondlight/secondlight/views/gear"
	searchviews "github.com/secondlight/secondlight/views/search"
	"github.com/secondlight/secondlight/views/ui"
)

var site = &ui.Site{BaseURL: "https://secondlight.test", Defaults: ui.SiteSettings{SiteSettings: models.SiteSettings{Name: "Secondlight"}, Currency: models.Currency{Code: "EUR", Digits: 2}, SiteState: ui.SiteState{Demo: true}}}

var gear = &catalog.Gear{Brand: "Canon", Model: "EOS R6", BrandSlug: "canon", ModelSlug: "eos-r6", Category: "mirrorless", Mount: "Canon RF", Year: 2020}

// cards returns n cards of listings of gear.
func cards(n int) []ui.Card {
	all := make([]ui.Card, n)
	for i := range all {
		l := &models.Listing{
			ID: fmt.Sprintf("0190c4a6-7f3e-7000-8000-%012d", i), Title: fmt.Sprintf("Canon EOS R6 body, %dk shutter, boxed", i+3), Category: gear.Category,
			Item: models.Item{Condition: models.Conditions[i%7], Functional: models.FullyWorking}, Price: models.Cents(124900 + 730*i), Region: "DE", Status: models.StatusActive,
			PublishedAt: models.Time(1_790_000_000_000), Photos: []models.Photo{{Key: fmt.Sprintf("demo-mirrorless-2-1-%08x-front", i*7919), Alt: "Drawing of a Canon EOS R6 from the front", Width: 1280, Height: 960}},
		}
		all[i] = ui.NewCard(site, l, gear, "anna-k", &prices.Deal{Percent: -12, Typical: prices.Typical{Price: 141000, Low: 122000, High: 163000, Sales: 34}})
	}
	return all
}

// searchResult returns the result of a search: 24 cards and six facets of typical
// size.
func searchResult() searchviews.Found {
	f := searchviews.Found{Query: ui.Query{Filter: search.Filter{Keyword: "canon r6"}, Sort: "relevance", Limit: 24}, Total: 2820, NextCursor: "eyJwIjoxMjQ5MDB9"}
	for _, c := range cards(24) {
		f.Cards = append(f.Cards, c.JSON())
	}
	facet := func(name string, n int) []search.Count {
		counts := make([]search.Count, n)
		for i := range counts {
			counts[i] = search.Count{Value: fmt.Sprintf("%s-%d", name, i), Count: 1000 - i}
		}
		return counts
	}
	f.Facets = search.Facets{Brand: facet("brand", 40), Mount: facet("mount", 20), Region: []search.Count{{Value: "DE", Count: 9}, {Value: "US", Count: 8}}}
	for _, c := range models.Categories {
		f.Facets.Category = append(f.Facets.Category, search.Count{Value: string(c), Count: 7})
	}
	for _, c := range models.Conditions {
		f.Facets.Condition = append(f.Facets.Condition, search.Count{Value: string(c), Count: 7})
	}
	return f
}

// trend returns a trend page with five years of months and 12 listings.
func trend() *gearviews.Trend {
	t := &prices.Trend{Gear: gear.Slug(), AsOf: 1_790_000_000_000, WindowFrom: 1_758_000_000_000, ByCondition: map[models.Condition]prices.Stats{}}
	s := prices.Stats{Count: 34, Average: 125317, Median: 124900, Low: 86000, High: 169900, P25: 112000, P75: 138000, LastSoldAt: t.AsOf}
	t.Summary = s
	for _, c := range models.Conditions {
		t.ByCondition[c] = s
	}
	for i := range models.MonthKey(60) {
		t.Months = append(t.Months, prices.TrendMonth{Month: models.MonthOf(t.AsOf) - 59 + i, Stats: s})
	}
	return gearviews.NewTrend(site, gearviews.TrendParts{Gear: gear, Trend: t, Active: 31, Lowest: 98000, Average: 127450, Listings: cards(12)})
}

// html renders a page as HTML until the benchmark ends.
func html(b *testing.B, page ui.Page) {
	b.ReportAllocs()
	for b.Loop() {
		if err := ui.Document(site, page).Render(context.Background(), io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}

// markdown renders a page as Markdown until the benchmark ends.
func markdown(b *testing.B, page ui.Page) {
	b.ReportAllocs()
	for b.Loop() {
		if err := page.Markdown(b.Context(), io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRender measures rendering the two most visited pages in each format.
// Searches as JSON include building the page from the result, as the server does.
func BenchmarkRender(b *testing.B) {
	f := searchResult()
	words := searchviews.NewVocabulary(site, ui.Names{})
	b.Run("search/JSON", func(b *testing.B) {
		b.ReportAllocs()
		var buf []byte
		for b.Loop() {
			buf = searchviews.NewListings(words, f).AppendJSON(buf[:0])
		}
		b.SetBytes(int64(len(buf)))
	})
	b.Run("search/HTML", func(b *testing.B) { html(b, searchviews.NewListings(words, f)) })
	b.Run("search/Markdown", func(b *testing.B) { markdown(b, searchviews.NewListings(words, f)) })
	t := trend()
	b.Run("trend/HTML", func(b *testing.B) { html(b, t) })
	b.Run("trend/Markdown", func(b *testing.B) { markdown(b, t) })
	b.Run("trend/CSV", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := t.CSV(io.Discard); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("trend/SVG", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := t.SVG(context.Background(), io.Discard); err != nil {
				b.Fatal(err)
			}
		}
	})
}
