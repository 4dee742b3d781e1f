package bench

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/importer"
	"github.com/secondlight/secondlight/models/storetest"
)

var importRows = flag.Int("import-rows", 100_000, "rows of the files that BenchmarkImport imports")

// BenchmarkImport imports files as the command import does: listings; sales of the whole
// catalogue; and sales of one gear, neither in order of time.
func BenchmarkImport(b *testing.B) {
	gears, err := catalog.ReadCatalog(content.Catalog())
	if err != nil {
		b.Fatal(err)
	}
	all := gears.All()
	for engine, url := range storeURLs {
		for _, file := range []struct {
			name string
			gear []*catalog.Gear
			row  func(*rand.Rand, int, *catalog.Gear) string
			run  func(*importer.Importer, context.Context, io.Reader, io.Writer) (models.ImportReport, error)
		}{
			{"listings", all, listingRow, (*importer.Importer).Listings},
			{"sales", all, saleRow, (*importer.Importer).Sales},
			{"sales-of-one-gear", all[:1], saleRow, (*importer.Importer).Sales},
		} {
			b.Run(engine+"/"+file.name, func(b *testing.B) {
				im := &importer.Importer{Store: storetest.Open(b, url(b), nil), Catalog: gears, Resolver: gears.Resolver(), Currency: euro(b), Seller: "shop"}
				rows := 0
				for b.Loop() {
					in, out := io.Pipe()
					go writeImport(out, *importRows, rows, file.gear, file.row)
					report, err := file.run(im, b.Context(), in, io.Discard)
					if err != nil || report.Inserted != *importRows {
						b.Fatalf("%+v, %v", report, err)
					}
					rows += report.Inserted
				}
				b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
			})
		}
	}
}

func euro(b *testing.B) models.Currency {
	currency, err := models.ParseCurrency("EUR")
	if err != nil {
		b.Fatal(err)
	}
	return currency
}

// writeImport writes a file of n rows, whose ids begin at first.
func writeImport(to *io.PipeWriter, n, first int, gear []*catalog.Gear, row func(*rand.Rand, int, *catalog.Gear) string) {
	w, random := bufio.NewWriter(to), rand.New(rand.NewPCG(1, uint64(first)))
	for i := range n {
		if i == 0 {
			w.WriteString(row(nil, 0, nil))
		}
		w.WriteString(row(random, first+i, gear[random.IntN(len(gear))]))
	}
	to.CloseWithError(w.Flush())
}

// listingRow returns a row of a file of listings, or the header without a random source.
func listingRow(random *rand.Rand, id int, g *catalog.Gear) string {
	if random == nil {
		return "external_id,title,brand,model,condition,price,region,description\n"
	}
	return fmt.Sprintf("item-%d,%q,%q,%q,%s,%d.00,DE,Well kept. Shutter and meter work; comes with caps and the original box.\n",
		id, g.Name()+" boxed", g.Brand, g.Model, models.Conditions[random.IntN(len(models.Conditions))], 50+random.IntN(2000))
}

// saleRow returns a row of a file of sales, or the header without a random source.
func saleRow(random *rand.Rand, id int, g *catalog.Gear) string {
	if random == nil {
		return "external_id,brand,model,condition,price,sold_at,region\n"
	}
	day := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, -random.IntN(5*365))
	return fmt.Sprintf("sale-%d,%q,%q,%s,%d.00,%s,DE\n", id, g.Brand, g.Model, models.Conditions[random.IntN(len(models.Conditions))], 500+random.IntN(400), day.Format(time.DateOnly))
}
