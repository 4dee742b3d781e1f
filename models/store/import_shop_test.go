package store_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/importer"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// shopFiles are exports of shops, with the listings that they become.
var shopFiles = map[models.ImportSource]struct{ file, want string }{
	models.EBayFile: {"\ufeff#INFO,Version=1.0,,,,,,,\n" + `Item number,Title,Variation details,Custom label (SKU),Available quantity,Format,Currency,Current price,Condition
327,"Canon EOS R6, boxed",,R6-1,1,FIXED_PRICE,EUR,1249.50,NEW
328,Nikon Z6,,,0,FIXED_PRICE,EUR,800,USED
329,Nikon Z6,,,1,AUCTION,EUR,1,USED
330,Nikon Z6,,,1,FIXED_PRICE,USD,700,USED
331,Nikon Z6,,,1,FIXED_PRICE,EUR,700,3000
`, "ebay-327 Canon EOS R6, boxed new 124950; ebay-331 Nikon Z6 good 70000; rows 5 skipped 1 rejected 2"},
	models.ShopifyFile: {`Handle,Title,Body (HTML),Vendor,Tags,Published,Option1 Name,Option1 Value,Variant Inventory Qty,Variant Price,Status
r6,EOS R6,"<p>Boxed &amp; <b>tested</b>.</p><script>x</script>",Canon,"camera, Condition: Like new",true,Title,Default Title,1,"1,249.00",active
r6,,,,,,,,,,
z6,Nikon Z6,,Nikon,,true,Grade,Good,1,800,active
z6,,,,,,,Excellent,1,900,
z6,,,,,,,Well used,0,500,
gone,Old one,,,,true,Title,Default Title,1,5,draft
`, "shopify-r6 EOS R6 like_new 124900 Boxed & tested.; shopify-z6/Good Nikon Z6 good 80000; shopify-z6/Excellent Nikon Z6 excellent 90000; rows 6 skipped 3 rejected 0"},
	models.WooCommerceFile: {`ID,Type,SKU,Name,Published,Description,In stock?,Stock,Sale price,Regular price,Tags,Attribute 1 name,Attribute 1 value(s)
7,simple,R6,Canon EOS R6,1,One owner.,1,1,1199,1249,,Zustand,Excellent
8,variable,,Nikon Z6,1,,1,,,800,,,
9,simple,,Nikon Z6,-1,,1,,,800,,,
10,simple,,Nikon Z6,1,,0,,,800,,,
11,"simple, virtual",,Voucher,1,,1,,,50,,,
`, "woocommerce-7 Canon EOS R6 excellent 119900 One owner.; rows 5 skipped 4 rejected 0"},
}

// TestImportShops tests what the exports of shops become, with HTML entities and direction
// overrides in all texts, and that importing one again changes nothing.
func TestImportShops(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		for source, test := range shopFiles {
			escaped := strings.NewReplacer("Nikon", "Ni&#107;on", "EOS R6", "EOS&nbsp;&#x52;6", "Condition: Like new", "Condition: Like&#32;new")
			if source == models.WooCommerceFile {
				escaped = strings.NewReplacer("Nikon", "Ni&#107;on", "EOS R6", "EOS R6", "Excellent", "Excellen&#116;")
			}
			test.file = strings.Replace(escaped.Replace(test.file), "Canon EOS", "Canon\u202e EOS\u202c", 1)
			if got := importer.ImportSourceOf(strings.NewReader(test.file)); got != source {
				t.Errorf("the file of %s is taken for %s", source, got)
			}
			s, c := open(), smallCatalog(t)
			var got []string
			var last models.ImportReport
			im := &importer.Importer{Store: s, Catalog: c, Resolver: c.Resolver(), Currency: euro, Seller: "shop", Shops: true, Region: "DE",
				Imported: func(l *models.Listing) {
					got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s %s %d %s", l.ExternalID, l.Title, l.Condition, l.Price, l.Text)))
				},
				Counted: func(r models.ImportReport) { last = r },
			}
			report, err := im.Listings(t.Context(), strings.NewReader(test.file), &bytes.Buffer{})
			must(t, err)
			got = append(got, fmt.Sprintf("rows %d skipped %d rejected %d", report.Rows, report.Skipped, report.Rejected))
			if text := strings.Join(got, "; "); text != test.want || last.Inserted != report.Inserted {
				t.Errorf("%s became\n%s, want\n%s", source, text, test.want)
			}
			again, err := im.Listings(t.Context(), strings.NewReader(test.file), &bytes.Buffer{})
			if err != nil || again.Inserted+again.Updated != 0 || again.Unchanged != report.Inserted {
				t.Errorf("%s again: %+v, %v", source, again, err)
			}
		}
	})
}

// FuzzImportShops tests that no export makes the import fail or lose count of rows.
func FuzzImportShops(f *testing.F) {
	for _, test := range shopFiles {
		f.Add(test.file)
	}
	f.Add("Handle,Title,Variant Price\n,,\n\"")
	c, s := smallCatalog(f), storetest.Open(f, storetest.SQLite(f), nil)
	f.Fuzz(func(t *testing.T, file string) {
		importer.ImportSourceOf(strings.NewReader(file))
		im := &importer.Importer{Store: s, Catalog: c, Resolver: c.Resolver(), Currency: euro, Seller: "shop", Shops: true, Region: "DE"}
		r, err := im.Listings(t.Context(), strings.NewReader(file), &bytes.Buffer{})
		if err == nil && r.Rows != r.Inserted+r.Updated+r.Unchanged+r.Skipped+r.Rejected {
			t.Errorf("%d rows are not all counted: %+v", r.Rows, r)
		}
	})
}
