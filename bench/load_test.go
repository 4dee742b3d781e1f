package bench

import (
	"io"
	"log/slog"
	"testing"

	"github.com/secondlight/secondlight/content"
	shop "github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/importer"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/storetest"
	"github.com/secondlight/secondlight/views/ui"
)

// BenchmarkLoad reads imported listings into an index with their cards, as the first start
// of a server does.
func BenchmarkLoad(b *testing.B) {
	gears, err := catalog.ReadCatalog(content.Catalog())
	if err != nil {
		b.Fatal(err)
	}
	site := ui.Site{BaseURL: "https://example.com", Defaults: ui.SiteSettings{Currency: models.Currency{Code: "EUR", Digits: 2}}}
	site.Adjustable()
	for engine, url := range storeURLs {
		b.Run(engine, func(b *testing.B) {
			s := storetest.Open(b, url(b), nil)
			im := &importer.Importer{Store: s, Catalog: gears, Resolver: gears.Resolver(), Currency: euro(b), Seller: "shop"}
			in, out := io.Pipe()
			go writeImport(out, *importRows, 0, gears.All(), listingRow)
			if report, err := im.Listings(b.Context(), in, io.Discard); err != nil || report.Inserted != *importRows {
				b.Fatalf("%+v, %v", report, err)
			}
			rows := 0
			for b.Loop() {
				index := search.New(gears.Lookup())
				feed := search.NewFeed(index, s, shop.CardRenderer(&site, gears), slog.Default())
				if err := feed.Load(b.Context()); err != nil {
					b.Fatal(err)
				}
				rows += index.Len()
			}
			b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}
