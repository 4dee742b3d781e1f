package store_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/importer"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

var importNow = time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)

var importParts = sync.OnceValues(func() (*catalog.Catalog, *catalog.Resolver) {
	c, err := catalog.ReadCatalog(os.DirFS("../../content/catalog"))
	if err != nil {
		panic(err)
	}
	return c, c.Resolver()
})

func newImporter(t testing.TB, store *store.Store) *importer.Importer {
	t.Helper()
	c, r := importParts()
	euro, err := models.ParseCurrency("EUR")
	if err != nil {
		t.Fatal(err)
	}
	return &importer.Importer{Store: store, Catalog: c, Resolver: r, Currency: euro}
}

func eachStore(t *testing.T, test func(t *testing.T, store *store.Store)) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		test(t, storetest.Open(t, url, func() time.Time { return importNow }))
	})
}

const listingHeader = "external_id,seller,title,condition,price,region"

func TestImportListingsFile(t *testing.T) {
	t.Parallel()
	const file = "\ufeffexternal_id,seller,title,brand,model,category,condition,functional,price,region,postage,description,defects,included,shutter_count,published_at\r\n" +
		`a-1,anna,"Canon EOS R6 body, 12k shutter",,,,Like New,fully working,1249.50,de,DE=6.90 EU=14.90,"Bought ""new"",` + "\r\n" + `hardly used.",,battery; box,12000,2026-11-01` + "\r\n" +
		`a-2,anna,Lovely camera,Nikon,D750,,good,,450,DE,pick-up only,,dust|sensor marks,,,2026-11-02T08:00:00Z` + "\r\n" +
		"\r\n" +
		`a-3,bo,Leather half case for D750,,,,good,,30,US-CA,,,,,,` + "\r\n"
	eachStore(t, func(t *testing.T, db *store.Store) {
		ctx, im := context.Background(), newImporter(t, db)
		var rejects bytes.Buffer
		report, err := im.Listings(ctx, strings.NewReader(file), &rejects)
		if err != nil || report.Rows != 3 || report.Inserted != 3 || report.Rejected != 0 || report.Unresolved != 1 || fmt.Sprint(report.Sellers) != "[anna bo]" {
			t.Fatalf("%+v, %v\n%s", report, err, rejects.String())
		}
		anna, err := db.Accounts.Member(ctx, "anna")
		if err != nil {
			t.Fatal(err)
		}
		found, err := db.Listings.ListingsBySeller(ctx, anna.ID, []models.Status{models.StatusActive}, store.ListingKey{}, 10)
		if err != nil || len(found) != 2 {
			t.Fatalf("%d listings, %v", len(found), err)
		}
		l := found[1]
		if l.Gear != "canon/eos-r6" || l.Category != "mirrorless" || l.Condition != "like_new" || l.Functional != "fully_working" || l.Price != 124950 ||
			l.Region != "DE" || l.Postage != "DE=690 EU=1490" || l.Text != "Bought \"new\",\nhardly used." || fmt.Sprint(l.Included) != "[battery box]" || l.Shutter != 12000 ||
			l.PublishedAt.RFC3339() != "2026-11-01T00:00:00Z" || l.Status != "active" || l.Demo {
			t.Errorf("%+v", l)
		}
		if l := found[0]; l.Gear != "nikon/d750" || l.Functional != "untested" || l.Postage != models.PickupOnly || fmt.Sprint(l.Defects) != "[dust sensor_marks]" {
			t.Errorf("%+v", l)
		}

		report, err = im.Listings(ctx, strings.NewReader(file), io.Discard)
		if err != nil || report.Unchanged != 3 || report.Inserted+report.Updated+report.Rejected+len(report.Sellers) != 0 {
			t.Errorf("again: %+v, %v", report, err)
		}
		kept, err := im.Listings(ctx, strings.NewReader(strings.NewReplacer("DE=6.90 EU=14.90", "", "pick-up only", "").Replace(file)), io.Discard)
		if err != nil || kept.Unchanged != 3 {
			t.Errorf("without postage: %+v, %v", kept, err)
		}
		var export bytes.Buffer
		err = importer.WriteListings(&export, im.Catalog, im.Currency, "anna", func(yield func(*models.Listing) error) error {
			return errors.Join(yield(found[0]), yield(found[1]))
		})
		if err != nil || !strings.Contains(export.String(), `,"DE 6.90, EU 14.90",`) || !strings.Contains(export.String(), ",pick-up only,") {
			t.Errorf("export %s, %v", export.String(), err)
		}
		if report, err = im.Listings(ctx, &export, io.Discard); err != nil || report.Unchanged != 2 || report.Rejected+report.Updated+report.Inserted != 0 {
			t.Errorf("the export: %+v, %v", report, err)
		}
		cheaper := strings.Replace(file, "1249.50", "1199", 1)
		report, err = im.Listings(ctx, strings.NewReader(cheaper), io.Discard)
		if err != nil || report.Updated != 1 || report.Unchanged != 2 {
			t.Errorf("cheaper: %+v, %v", report, err)
		}
	})
}

// TestImportSpreadsheet imports what Excel saves in German, which leaves out the separators of empty
// last columns after some rows.
func TestImportSpreadsheet(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.SQLite(t), func() time.Time { return importNow })
	var price models.Cents
	im := newImporter(t, s)
	im.Imported = func(l *models.Listing) { price += l.Price }
	file := "external_id;seller;title;condition;price;region;description;;\r\na;anna;Canon EOS R6;good;1.249,50 \x80;DE;Gepr\xfcft;;\r\nb;anna;Nikon D750;good;500,00;DE\r\n"
	report, err := im.Listings(t.Context(), strings.NewReader(file), io.Discard)
	if err != nil || report.Inserted != 2 || price != 174950 {
		t.Errorf("%+v, %v, prices of %d", report, err, price)
	}
}

func TestImportRejectsRows(t *testing.T) {
	t.Parallel()
	skipUnderRace(t)
	for _, c := range []struct{ name, row, code, hint string }{
		{"no id", `,anna,Canon EOS R6,good,900,DE`, "missing_external_id", ""},
		{"no seller", `x,,Canon EOS R6,good,900,DE`, "missing_seller", ""},
		{"bad seller", `x,Anna Keller,Canon EOS R6,good,900,DE`, "invalid_seller", "anna-keller"},
		{"no title", `x,anna,,good,900,DE`, "missing_title", ""},
		{"long title", `x,anna,` + strings.Repeat("ü", 201) + `,good,900,DE`, "title_too_long", ""},
		{"misspelt condition", `x,anna,Canon EOS R6,excelent,900,DE`, "invalid_condition", "excellent"},
		{"no condition", `x,anna,Canon EOS R6,,900,DE`, "missing_condition", "well_used"},
		{"a price with two meanings", `x,anna,Canon EOS R6,good,1.249,DE`, "invalid_price", "1249.00"},
		{"negative price", `x,anna,Canon EOS R6,good,-5,DE`, "invalid_price", ""},
		{"no price", `x,anna,Canon EOS R6,good,0,DE`, "invalid_price", ""},
		{"region", `x,anna,Canon EOS R6,good,900,Germany`, "invalid_region", "US-CA"},
		{"too few fields", `x,anna,Canon EOS R6,good,900`, "wrong_number_of_fields", ""},
		{"too many fields", `x,anna,Canon EOS R6, body,good,900,DE`, "wrong_number_of_fields", "quotation marks"},
		{"quote in a field", `x,anna,6" rail,good,900,DE`, "malformed_row", ""},
		{"text after the quote", `x,anna,"Canon" R6,good,900,DE`, "malformed_row", ""},
		{"unclosed quote", `x,anna,"Canon EOS R6,good,900,DE`, "malformed_row", ""},
		{"not UTF-8", "x,anna,Canon EOS R6 ö\xe9,good,900,DE", "invalid_encoding", "UTF-8"},
		{"NUL", "x,anna,Canon \x00EOS R6,good,900,DE", "control_character", ""},
		{"long row", `x,anna,"` + strings.Repeat("long ", 20_000) + `",good,900,DE`, "row_too_long", ""},
		{"known id", `ok-1,anna,Canon EOS R6,good,900,DE`, "duplicate_external_id", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			store := storetest.Open(t, storetest.SQLite(t), func() time.Time { return importNow })
			im := newImporter(t, store)
			file := listingHeader + "\nok-1,anna,Nikon D750,good,500,DE\n" + c.row + "\nok-2,anna,Nikon D850,good,900,DE\n"
			var out bytes.Buffer
			report, err := im.Listings(context.Background(), strings.NewReader(file), &out)
			if err != nil || report.Inserted != 2 || report.Rejected != 1 || report.Reasons[c.code] != 1 {
				t.Fatalf("%+v, %v", report, err)
			}
			rows, err := csv.NewReader(&out).ReadAll()
			if err != nil || len(rows) != 2 {
				t.Fatalf("rejects %q, %v", rows, err)
			}
			if header := strings.Join(rows[0], ","); header != listingHeader+",line,code,reason,hint" {
				t.Errorf("header %q", header)
			}
			got := rows[1][6:]
			if got[0] != "3" || got[1] != c.code || got[2] == "" || !strings.Contains(got[3], c.hint) || got[3] == "" {
				t.Errorf("reject %q", got)
			}
		})
	}
}

// TestImportLimits imports rows at the limits of a listing, which its seller can edit, and
// rejects rows beyond them with the message of an edit.
func TestImportLimits(t *testing.T) {
	items := func(n, length int) string {
		return strings.TrimSuffix(strings.Repeat(strings.Repeat("ü", length)+";", n), ";")
	}
	for _, c := range []struct{ field, allowed, tooMuch string }{
		{"included", items(models.MaxIncluded, models.MaxItem), items(models.MaxIncluded+1, 1)},
		{"included", items(1, models.MaxItem), items(1, models.MaxItem+1)},
		{"shutter_count", fmt.Sprint(models.MaxShutter), fmt.Sprint(models.MaxShutter + 1)},
		{"shutter_count", "0", "-1"},
		{"title", strings.Repeat("ü", models.MaxTitle), strings.Repeat("ü", models.MaxTitle+1)},
		{"description", strings.Repeat("ü", models.MaxText), strings.Repeat("ü", models.MaxText+1)},
	} {
		t.Run(c.field, func(t *testing.T) {
			store := storetest.Open(t, storetest.SQLite(t), func() time.Time { return importNow })
			im := newImporter(t, store)
			var listings []models.Listing
			im.Imported = func(l *models.Listing) { listings = append(listings, *l) }
			columns, title := listingHeader+","+c.field, "Nikon D750"
			if c.field == "title" {
				columns, title = strings.Replace(listingHeader, ",title", "", 1)+",title", ""
			}
			row := func(id, value string) string {
				return id + ",anna," + strings.TrimPrefix(title+",", ",") + "good,500,DE," + value + "\n"
			}
			var rejects bytes.Buffer
			report, err := im.Listings(context.Background(), strings.NewReader(columns+"\n"+row("a", c.allowed)+row("b", c.tooMuch)), &rejects)
			if err != nil || report.Inserted != 1 || report.Rejected != 1 || len(listings) != 1 {
				t.Fatalf("%+v, %v: %s", report, err, rejects.String())
			}
			if err := listings[0].Check(true); err != nil {
				t.Errorf("the imported listing can't be edited: %v", err)
			}
		})
	}
}

// TestImportPostage rejects postage that can't be read.
func TestImportPostage(t *testing.T) {
	t.Parallel()
	im := newImporter(t, storetest.Open(t, storetest.SQLite(t), func() time.Time { return importNow }))
	var out bytes.Buffer
	rows := listingHeader + ",postage\na,anna,Nikon D750,good,500,DE,DE 6.90\nb,anna,Nikon D750,good,500,DE,Atlantis 5\nc,anna,Nikon D750,good,500,DE," + strings.Repeat("DE ", 101) + "\n"
	report, err := im.Listings(context.Background(), strings.NewReader(rows), &out)
	if err != nil || report.Inserted != 1 || report.Reasons["invalid_postage"] != 1 || report.Reasons["postage_too_long"] != 1 || !strings.Contains(out.String(), `isn't a country, EU or world.`) {
		t.Errorf("%+v, %v: %s", report, err, out.String())
	}
}

// TestImportCorrectedRejects imports a corrected rejects file.
func TestImportCorrectedRejects(t *testing.T) {
	t.Parallel()
	store := storetest.Open(t, storetest.SQLite(t), func() time.Time { return importNow })
	im := newImporter(t, store)
	var rejects bytes.Buffer
	if _, err := im.Listings(context.Background(), strings.NewReader(listingHeader+"\na,anna,Nikon D750,gud,500,DE\n"), &rejects); err != nil {
		t.Fatal(err)
	}
	corrected := strings.Replace(rejects.String(), "gud", "good", 1)
	report, err := im.Listings(context.Background(), strings.NewReader(corrected), io.Discard)
	if err != nil || report.Inserted != 1 || report.Rejected != 0 {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestImportInvalidFiles(t *testing.T) {
	t.Parallel()
	store := storetest.Open(t, storetest.SQLite(t), nil)
	im := newImporter(t, store)
	for _, c := range []struct{ file, code, hint string }{
		{"", "empty_file", "external_id"},
		{"external_id,titel,condition,price,region\n", "unknown_column", "title"},
		{"external_id,title,condition,price\n", "missing_column", "region"},
		{"external_id,title,title,condition,price,region\n", "duplicate_column", ""},
		{"external_id,\"title\n", "unreadable_header", ""},
		{"\xff\xfee\x00x\x00", "unknown_column", "external_id"},
	} {
		_, err := im.Listings(context.Background(), strings.NewReader(c.file), io.Discard)
		var e *problem.Error
		if !errors.As(err, &e) || e.Kind != problem.Invalid || e.Code != c.code || !strings.Contains(e.Hint.String(), c.hint) {
			t.Errorf("%q: %v", c.file, err)
		}
	}
}

func TestImportSalesFile(t *testing.T) {
	t.Parallel()
	const header = "external_id,title,brand,model,condition,price,sold_at,region,source,seller_kind\n"
	eachStore(t, func(t *testing.T, store *store.Store) {
		ctx, im := context.Background(), newImporter(t, store)
		var file, rejects bytes.Buffer
		file.WriteString(header)
		for i := range 7 {
			fmt.Fprintf(&file, "s-%d,Canon EOS R6 body,,,good,%d,2026-10-%02d,DE,%s,%s\n", i, 900+i, i+1, []string{"", "Golden  Ratio"}[i%2], []string{"", "private", "Dealer"}[i%3])
		}
		file.WriteString("u-1,old brown bag,,,good,20,2026-10-01,DE,\nu-2,,Canon,EOS R66,good,20,2026-10-01,DE,\nu-3,Canon EOS R6,,,good,900,2026-11-22,DE,\nu-4,Canon EOS R6,,,good,900,,DE,\nu-5,Canon EOS R6,,,good,900,2026-10-01,DE,,shop\n")
		text := file.String()
		report, err := im.Sales(ctx, &file, &rejects)
		if err != nil || report.Inserted != 7 || report.Rejected != 5 || report.Reasons["invalid_seller_kind"] != 1 || report.Reasons["unresolved_gear"] != 2 || report.Reasons["invalid_sold_at"] != 1 || report.Reasons["missing_sold_at"] != 1 {
			t.Fatalf("%+v, %v\n%s", report, err, rejects.String())
		}
		if !strings.Contains(rejects.String(), "Canon EOS R6") {
			t.Errorf("no hint with similar gear: %s", rejects.String())
		}
		sample, err := store.Prices.PricedSales(ctx)
		must(t, err)
		sellers := map[string]int{}
		for _, sale := range sample.Sales {
			sellers[strings.Join(sale.Traits, ", ")]++
		}
		if want := map[string]int{"region DE, seller unknown": 3, "region DE": 2, "region DE, seller dealer": 2}; !maps.Equal(sellers, want) {
			t.Errorf("sellers %v, want %v", sellers, want)
		}
		trend, err := store.Prices.Trend(ctx, "canon/eos-r6")
		if err != nil || trend.Summary.Count != 7 || trend.Summary.Median != 90300 {
			t.Errorf("%+v, %v", trend, err)
		}
		sources := []prices.SourceCount{{Source: models.SaleImported, Sales: 4}, {Source: models.SaleImported, Name: "Golden Ratio", Sales: 3}}
		if !slices.Equal(trend.Sources, sources) {
			t.Errorf("sources %+v", trend.Sources)
		}
		report, err = im.Sales(ctx, strings.NewReader(text), io.Discard)
		if err != nil || report.Unchanged != 7 || report.Inserted != 0 {
			t.Errorf("again: %+v, %v", report, err)
		}
	})
}

// TestImportTypos imports sales some of which have a decimal point too many or too few: they are
// rejected with what they were compared with, whatever their place in the file. Prices of years
// ago, of other conditions and of gear with few sales are not compared.
func TestImportTypos(t *testing.T) {
	t.Parallel()
	price := func(i int) float64 {
		switch {
		case i == 1 || i == 2500:
			return 9_123
		case i == 40:
			return 91.2
		}
		return 880 + float64(i*7%50)
	}
	file := "external_id,brand,model,condition,price,sold_at,region\nold,Nikon,D750,good,9000,2014-10-02,DE\nfaulty,Nikon,D750,faulty,90,2026-10-02,DE\nfew,Nikon,D850,good,90,2026-10-02,DE\nfew2,Nikon,D850,good,2000,2026-10-02,DE\n"
	for i := range 2600 {
		file += fmt.Sprintf("s-%d,Nikon,D750,good,%.2f,2026-10-02,DE\n", i, price(i))
	}
	rejects, ctx, store := bytes.Buffer{}, context.Background(), storetest.Open(t, storetest.SQLite(t), nil)
	report, err := newImporter(t, store).Sales(ctx, strings.NewReader(file), &rejects)
	if err != nil || report.Inserted != 2601 || report.Reasons["unusual_price"] != 3 {
		t.Errorf("%+v, %v\n%s", report, err, rejects.String())
	}
	for _, line := range []string{"s-1,", "s-40,", "s-2500,", "The price is 10.1 times the median of 51 sales in the file.", "The price is 0.1 times the median of 90 sales in the file."} {
		if !strings.Contains(rejects.String(), line) {
			t.Errorf("no %q in %s", line, rejects.String())
		}
	}
}

// TestImportSalesByTitle imports sales that were once recorded for other gear: each is recorded for its
// own or rejected, with the gear that it may be.
func TestImportSalesByTitle(t *testing.T) {
	t.Parallel()
	sales := []struct{ title, gear, near string }{
		{"Nikon 70-200 f4 VR", "nikon/af-s-nikkor-70-200mm-f4g-ed-vr", ""},
		{"Sony FE 24-70 2.8 GM2", "sony/fe-24-70mm-f2-8-gm-ii", ""},
		{"Sigma 35 1.4 Art Canon EF", "", "Sigma 35mm f/1.4 DG HSM Art"},
		{"Sigma 150-600mm f5-6.3 Sports Nikon F", "", "Sigma 150-600mm f/5-6.3 DG OS HSM Sports"},
		{"Nikon 70-200 2.8 VR2", "nikon/af-s-nikkor-70-200mm-f2-8g-ed-vr-ii", ""},
		{"Nikon 24-120 f4 VR", "nikon/af-s-nikkor-24-120mm-f4g-ed-vr", ""},
		{"Canon 50/2 юпитер", "", ""},
		{"Canon 5D Mark III mainboard", "", "Canon EOS 5D Mark III"},
		{"Nikon F3 and FM2", "", "Nikon F3"},
		{"XT-4 black", "", ""},
		{"WANTED: Mamiya 7 II", "", "Mamiya 7 II"},
		{"ジュピター8 50/2", "zenit/jupiter-8-50mm-f2", ""},
		{"Lego Leica M6", "", "Leica M6"},
		{"Sigma 50 1.4 Canon EF", "", "Sigma 50mm f/1.4"},
		{"Hasselblad 500CM focusing screen", "", "Hasselblad 500C/M"},
	}
	file, rejects, own := "external_id,title,condition,price,sold_at,region\n", bytes.Buffer{}, 0
	for i, s := range sales {
		file += fmt.Sprintf("s-%d,%s,good,500,2026-10-01,DE\n", i, s.title)
		if s.gear != "" {
			own++
		}
	}
	ctx, store := context.Background(), storetest.Open(t, storetest.SQLite(t), nil)
	report, err := newImporter(t, store).Sales(ctx, strings.NewReader(file), &rejects)
	if err != nil || int(report.Inserted) != own || int(report.Rejected) != len(sales)-own {
		t.Errorf("%+v, %v; want %d inserted", report, err, own)
	}
	for _, s := range sales {
		if s.gear == "" {
			if !strings.Contains(rejects.String(), s.near) {
				t.Errorf("%q: no hint at %s in %s", s.title, s.near, rejects.String())
			}
		} else if trend, err := store.Prices.Trend(ctx, s.gear); err != nil || trend.Summary.Count != 1 {
			t.Errorf("%q is not recorded for %s: %+v, %v", s.title, s.gear, trend, err)
		}
	}
}

// TestImportCancelled checks that the rows written before a cancellation
// remain, and that the next import adds the rest.
func TestImportCancelled(t *testing.T) {
	t.Parallel()
	var file strings.Builder
	file.WriteString(listingHeader + "\n")
	const rows = 5200
	for i := range rows {
		fmt.Fprintf(&file, "n-%d,anna,Nikon D750 number %d,good,500,DE\n", i, i)
	}
	eachStore(t, func(t *testing.T, store *store.Store) {
		ctx, stop := context.WithCancel(context.Background())
		defer stop()
		im := newImporter(t, store)
		var offsets []int64
		im.Progress = func(read int64) {
			if offsets = append(offsets, read); len(offsets) == 2 {
				stop()
			}
		}
		report, err := im.Listings(ctx, strings.NewReader(file.String()), io.Discard)
		if !errors.Is(err, context.Canceled) || report.Inserted != 4000 {
			t.Fatalf("%+v, %v", report, err)
		}
		counts, err := store.Counts(context.Background())
		if err != nil || counts.Listings != 4000 {
			t.Fatalf("%+v, %v", counts, err)
		}
		im.Progress = func(read int64) { offsets = append(offsets, read) }
		report, err = im.Listings(context.Background(), strings.NewReader(file.String()), io.Discard)
		if err != nil || report.Inserted != rows-4000 || report.Unchanged != 4000 {
			t.Errorf("%+v, %v", report, err)
		}
		if last := offsets[len(offsets)-1]; last != int64(file.Len()) {
			t.Errorf("read %d of %d bytes", last, file.Len())
		}
	})
}

// TestImportBatch checks that many rows at once are stored as they are written.
func TestImportBatch(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, store *store.Store) {
		const text = `Tab:	there; back\slash, \N, \., "quotes" and 'more', ü, 📷 {a} $1`
		owner := seller(t, store)
		listings := make([]models.Listing, 1200)
		for i := range listings {
			listings[i] = someListing(owner, i)
			listings[i].ExternalID, listings[i].Text, listings[i].Defects = fmt.Sprint(i), strings.ReplaceAll(text, `\t`, "\t\n")+fmt.Sprint(i), []models.Defect{"haze", "fungus"}
		}
		inserted, _, _, err := store.Listings.ImportListings(t.Context(), listings)
		if err != nil || inserted != len(listings) {
			t.Fatal(inserted, err)
		}
		stored, err := store.Listings.AllListingsByID(t.Context(), []string{listings[0].ID, listings[1199].ID})
		must(t, err)
		for _, want := range []models.Listing{listings[0], listings[1199]} {
			got := stored[want.ID]
			if got == nil || got.Text != want.Text || !slices.Equal(got.Defects, want.Defects) || got.Price != want.Price || got.PublishedAt != want.PublishedAt || len(got.Photos) != len(want.Photos) {
				t.Errorf("stored %+v, want %+v", got, want)
			}
		}
		if _, updated, unchanged, err := store.Listings.ImportListings(t.Context(), listings); err != nil || updated != 0 || unchanged != len(listings) {
			t.Errorf("again: %d updated, %d unchanged, %v", updated, unchanged, err)
		}
	})
}

// TestImportSalesTrends checks that trends after an import are computed from all sales,
// and that an import whose process dies leaves them outdated, which a sale, the next
// import and a start mend.
func TestImportSalesTrends(t *testing.T) {
	t.Parallel()
	file := func(from, to int) io.Reader {
		var b strings.Builder
		b.WriteString("external_id,brand,model,condition,price,sold_at,region\n")
		for i := from; i < to; i++ {
			model := []string{"D750", "D850", "D700"}[i%3]
			fmt.Fprintf(&b, "s-%d,Nikon,%s,good,%d,2026-%02d-%02d,DE\n", i, model, 500+i%90, 1+i*7%10, 1+i*5%28)
		}
		return strings.NewReader(b.String())
	}
	storetest.EachURL(t, func(t *testing.T, url string) {
		store, other, ctx := storetest.Open(t, url, nil), storetest.Open(t, url, nil), t.Context()
		im := newImporter(t, store)
		right := func(when string, want int) {
			t.Helper()
			n, err := store.Trades.CountSales(ctx)
			must(t, err)
			if _, repaired, err := other.Prices.RebuildTrends(ctx); err != nil || len(repaired) > 0 || n != want {
				t.Errorf("%s: %d sales in trends, want %d; wrong were %v, %v", when, n, want, repaired, err)
			}
		}
		report, err := im.Sales(ctx, file(0, 3000), io.Discard)
		if err != nil || report.Inserted != 3000 {
			t.Fatalf("%+v, %v", report, err)
		}
		right("after an import", 3000)
		sale := func(day int) []models.Sale {
			return []models.Sale{{Gear: "nikon/d750", Condition: "good", Price: 50_000, SoldAt: someTime + models.Time(day)*86_400_000, Region: "DE"}}
		}
		_, _, err = other.Trades.ImportSales(ctx, sale(1)) // has the state of the trend in memory
		must(t, err)
		lost := sale(-400)
		_, _, err = store.ImportSalesAndDie(ctx, append(lost, models.Sale{Gear: "nikon/d5", Condition: "good", Price: 50_000, SoldAt: someTime, Region: "DE"}))
		must(t, err)
		_, _, err = other.Trades.ImportSales(ctx, sale(2))
		must(t, err)
		if trend, err := other.Prices.Trend(ctx, "nikon/d750"); err != nil || trend.AllTime != 1003 {
			t.Errorf("a sale after an import that died: %d sales, %v", trend.AllTime, err)
		}
		must(t, other.Migrate(ctx))
		right("after a start", 3004)
		report, err = im.Sales(ctx, file(2000, 4000), io.Discard)
		if err != nil || report.Inserted != 1000 || report.Unchanged != 1000 {
			t.Fatalf("%+v, %v", report, err)
		}
		right("after another import", 4004)
	})
}

type brokenReader struct{ left int }

func (b *brokenReader) Read(p []byte) (int, error) {
	if b.left == 0 {
		return 0, errors.New("the disk is gone")
	}
	n := copy(p, strings.Repeat("x", min(len(p), b.left)))
	b.left -= n
	return n, nil
}

func TestImportReadError(t *testing.T) {
	t.Parallel()
	store := storetest.Open(t, storetest.SQLite(t), nil)
	_, err := newImporter(t, store).Listings(context.Background(), &brokenReader{10}, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "the disk is gone") {
		t.Errorf("%v", err)
	}
}

// FuzzImport checks that no file makes an import fail or lose a row, and that
// importing it again changes nothing.
func FuzzImport(f *testing.F) {
	f.Add("a,anna,Canon EOS R6,good,900,DE\n")
	f.Add("a,anna,\"x\n\ny\",good,900,DE\r\n\"")
	f.Add("\"\"\"\",\"\n\"\"\n,,,,,\n")
	f.Add("a,anna,\xff\x00,good,1e9,D\u0085E")
	store := storetest.Open(f, storetest.SQLite(f), func() time.Time { return importNow })
	im := newImporter(f, store)
	f.Fuzz(func(t *testing.T, rows string) {
		file := listingHeader + "\n" + rows
		report, err := im.Listings(context.Background(), strings.NewReader(file), io.Discard)
		if err != nil {
			t.Fatalf("%q: %v", rows, err)
		}
		if report.Inserted+report.Updated+report.Unchanged+report.Rejected != report.Rows {
			t.Fatalf("%q: rows are lost: %+v", rows, report)
		}
		again, err := im.Listings(context.Background(), strings.NewReader(file), io.Discard)
		if err != nil || again.Inserted+again.Updated != 0 || again.Rejected != report.Rejected {
			t.Fatalf("%q: the second run: %+v, %v", rows, again, err)
		}
	})
}

// TestImportBadRowsMemory checks that the memory needed for a file of invalid
// rows does not depend on its length.
func TestImportBadRowsMemory(t *testing.T) {
	skipUnderRace(t)
	const size = 4 << 20
	store := storetest.Open(t, storetest.SQLite(t), nil)
	im := newImporter(t, store)
	reported := 0
	im.Rejected = func(int, string, string) { reported++ }
	in := io.MultiReader(strings.NewReader(listingHeader+"\n"), io.LimitReader(&repeatReader{"x\n"}, size))

	most := &peakHeap{in: in}
	report, err := im.Listings(t.Context(), most, io.Discard)
	must(t, err)
	if report.Rejected != size/2 || report.Rows != size/2 || report.Reasons["wrong_number_of_fields"] != size/2 {
		t.Errorf("%+v", report)
	}
	if reported != models.MaxRejectedRows {
		t.Errorf("%d rows were reported", reported)
	}
	if most.growth > 16<<20 {
		t.Errorf("the heap grew by %d MB", most.growth>>20)
	}
}

// TestImportBadRowsCancelled checks that an import without valid rows can be
// cancelled.
func TestImportBadRowsCancelled(t *testing.T) {
	t.Parallel()
	store := storetest.Open(t, storetest.SQLite(t), nil)
	im := newImporter(t, store)
	ctx, stop := context.WithCancel(t.Context())
	im.Rejected = func(line int, _, _ string) {
		if line == 10 {
			stop()
		}
	}
	report, err := im.Listings(ctx, io.MultiReader(strings.NewReader(listingHeader+"\n"), io.LimitReader(&repeatReader{"x\n"}, 1<<20)), io.Discard)
	if !errors.Is(err, context.Canceled) || report.Rejected != 9 {
		t.Errorf("%+v, %v", report, err)
	}
}

// repeatReader returns the same text repeatedly.
type repeatReader struct{ text string }

func (r *repeatReader) Read(p []byte) (n int, err error) {
	for n < len(p) {
		m := copy(p[n:], r.text)
		n += m
		if m < len(r.text) {
			r.text = r.text[m:] + r.text[:m]
		}
	}
	return n, nil
}

// peakHeap measures by how much the heap grows while a file is read.
type peakHeap struct {
	in            io.Reader
	reads         int
	start, growth uint64
}

func (h *peakHeap) Read(p []byte) (int, error) {
	if h.reads%128 == 0 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		if h.reads == 0 {
			h.start = m.HeapAlloc
		}
		h.growth = max(h.growth, m.HeapAlloc-min(m.HeapAlloc, h.start))
	}
	h.reads++
	return h.in.Read(p)
}

// TestImportRetry checks that an import whose process died can be retried with
// the same idempotency key.
func TestImportRetry(t *testing.T) {
	t.Parallel()
	var file strings.Builder
	file.WriteString(listingHeader + "\n")
	const rows = 700
	for i := range rows {
		fmt.Fprintf(&file, "n-%d,jane,Nikon D750 number %d,good,500,DE\n", i, i)
	}
	storetest.EachURL(t, func(t *testing.T, url string) {
		begun := time.Now()
		var later atomic.Int64 // nanoseconds since then: rows are read while others are written
		db := storetest.Open(t, url, func() time.Time { return begun.Add(time.Duration(later.Load())) })
		jane := account(t, db, "jane")
		claim := func() *store.Claim {
			t.Helper()
			c, _, err := db.Tokens.Claim(t.Context(), jane.ID, "import", "key", "file")
			must(t, err)
			return c
		}
		im := newImporter(t, db)
		im.Seller, im.Own = "jane", true
		first := claim()
		ctx, stop := context.WithCancel(first.WithContext(t.Context()))
		im.Progress = func(int64) { later.Add(int64(50 * time.Second)); stop() }
		report, err := im.Listings(ctx, strings.NewReader(file.String()), io.Discard)
		if !errors.Is(err, context.Canceled) || report.Inserted != 500 {
			t.Fatalf("%+v, %v", report, err)
		}
		later.Add(int64(2 * time.Minute))
		second := claim()
		im.Progress = nil
		report, err = im.Listings(second.WithContext(t.Context()), strings.NewReader(file.String()), io.Discard)
		if err != nil || report.Inserted != 200 || report.Unchanged != 500 {
			t.Fatalf("%+v, %v", report, err)
		}
		if _, err := im.Listings(first.WithContext(t.Context()), strings.NewReader(file.String()), io.Discard); err == nil {
			t.Error("a lost claim can still write")
		}
		must(t, db.Tokens.StoreResponse(t.Context(), second, []byte("done"), ""))
		if c, answer, err := db.Tokens.Claim(t.Context(), jane.ID, "import", "key", "file"); c != nil || string(answer) != "done" || err != nil {
			t.Errorf("%v, %q, %v", c, answer, err)
		}
	})
}
