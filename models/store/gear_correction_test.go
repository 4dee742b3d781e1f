package store_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

const catalogHeader = "brand,model,brand_slug,model_slug,category,mount,format,focal_min,focal_max,aperture,year,exif_make,exif_models,aliases"

// smallCatalog returns a catalogue of three gear, with more rows.
func smallCatalog(t testing.TB, more ...string) *catalog.Catalog {
	t.Helper()
	rows := append([]string{catalogHeader,
		"Canon,EOS R6,canon,eos-r6,mirrorless,Canon RF,Full frame,,,,2020,,,R6",
		"Canon,RF 50mm f/1.8 STM,canon,rf-50mm-f1-8-stm,lens_prime,Canon RF,Full frame,50,50,1.8,2020,,,",
		"Nikon,Z6,nikon,z6,mirrorless,Nikon Z,Full frame,,,,2018,,,"}, more...)
	c, err := catalog.ReadCatalog(fstest.MapFS{"lensfun.csv": {Data: []byte(strings.Join(rows, "\n") + "\n")}})
	must(t, err)
	return c
}

var euro = models.Currency{Code: "EUR", Digits: 2}

// TestCorrections tests that corrections reach the database, the catalogue, titles and the
// export, survive a new edition of the catalogue, and can be removed.
func TestCorrections(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx, c := open(), t.Context(), smallCatalog(t)
		operator := seller(t, s)
		save := func(slug string, change func(*catalog.GearValues)) {
			t.Helper()
			v := catalog.GearValues{}
			if g := c.Gear(slug); g != nil {
				v = catalog.ValuesOf(g)
			}
			change(&v)
			correction, err := c.NewCorrection(slug, v, euro)
			must(t, err)
			must(t, s.Site.SaveGearCorrection(ctx, operator, correction))
			must(t, s.Site.CorrectCatalog(ctx, c))
		}
		before, err := s.Position(ctx)
		must(t, err)
		save("", func(v *catalog.GearValues) {
			*v = catalog.GearValues{Brand: "canon", Model: "Prototype Nine", Category: "mirrorless", Mount: "RF", Year: 2026, LaunchPrice: "2499", Aliases: []string{"P9", "P9", " "}}
		})
		added := c.Gear("canon/prototype-nine")
		if added == nil || added.Brand != "Canon" || added.Mount != "Canon RF" || added.LaunchPrice != "2499.00 EUR" || !slices.Equal(added.Aliases, []string{"P9"}) {
			t.Fatalf("added %+v", added)
		}
		if got := c.Resolver().Resolve("Canon Prototype Nine body, boxed").Gear; got != added {
			t.Errorf("a title with it means %v", got)
		}
		lookup := c.Lookup()
		must(t, s.Site.CorrectCatalog(ctx, c))
		if c.Lookup() != lookup {
			t.Error("the catalogue was made again without a change")
		}
		save("nikon/z6", func(v *catalog.GearValues) { v.Year = 2019 })
		save("canon/rf-50mm-f1-8-stm", func(v *catalog.GearValues) { v.Aliases = []string{"nifty fifty"} })
		if entries, err := s.Entries(ctx, before, 10); err != nil || len(entries) != 3 || entries[0].Kind != models.CatalogChanged || entries[0].Public() {
			t.Errorf("changes are %+v, %v", entries, err)
		}

		next := smallCatalog(t, "Canon,Prototype Nine,canon,prototype-nine,mirrorless,Canon RF,,,,,2025,,,")
		must(t, s.Site.CorrectCatalog(ctx, next))
		if got := next.Gear("canon/prototype-nine"); got.Year != 2026 || next.StateOf(next.Correction("canon/prototype-nine")) != catalog.GearCorrected {
			t.Errorf("after an update it is %+v", got)
		}
		same := smallCatalog(t, strings.Replace("Leica,M3,leica,m3,rangefinder,Leica M,,,,,1954,,,", "1954", "1954", 1))
		must(t, same.Correct([]catalog.GearCorrection{{Gear: "nikon/z6", Values: catalog.GearValues{Category: "mirrorless", Model: "Z6", Year: 2018}, Fields: []string{"year"}}}))
		if got := same.StateOf(same.Correction("nikon/z6")); got != catalog.GearRedundant {
			t.Errorf("a correction that the catalogue has is %s", got)
		}

		var file bytes.Buffer
		must(t, c.WriteCorrections(&file))
		again, err := catalog.ReadCatalog(fstest.MapFS{"lensfun.csv": {Data: file.Bytes()}})
		if err != nil || len(again.All()) != 3 || again.Gear("canon/prototype-nine").LaunchPrice != "2499.00 EUR" {
			t.Errorf("the export can't be read: %v\n%s", err, file.String())
		}

		l := someListing(operator, 1)
		l.Gear = "canon/prototype-nine"
		must(t, s.Listings.InsertListings(ctx, []models.Listing{l}))
		wantError(t, s.Site.RemoveGearCorrection(ctx, operator, "canon/prototype-nine", nil), problem.Conflict, "gear_in_use")
		must(t, s.Site.RemoveGearCorrection(ctx, operator, "nikon/z6", c.Shipped("nikon/z6")))
		must(t, s.Site.CorrectCatalog(ctx, c))
		if got := c.Gear("nikon/z6"); got.Year != 2018 || c.Correction("nikon/z6") != nil {
			t.Errorf("after the removal it is %+v", got)
		}
	})
}

// TestInvalidCorrections tests that one error lists all invalid values.
func TestInvalidCorrections(t *testing.T) {
	t.Parallel()
	c := smallCatalog(t)
	for name, test := range map[string]struct {
		slug   string
		values catalog.GearValues
		want   []string
	}{
		"everything": {"", catalog.GearValues{Brand: " ", Model: "|", Category: "toaster", Mount: "Nonsense", FocalMin: 50, FocalMax: 20, Aperture: -1, Year: 12, LaunchPrice: "much", Aliases: []string{"a|b"}},
			[]string{"brand", "model", "category", "mount", "focal_max", "aperture", "year", "launch_price", "aliases"}},
		"known":         {"", catalog.GearValues{Brand: "Nikon", Model: "Z 6", Category: "mirrorless"}, nil},
		"twice":         {"", catalog.GearValues{Brand: "Nikon", Model: "Z6", Category: "mirrorless"}, []string{"model"}},
		"another brand": {"nikon/z6", catalog.GearValues{Brand: "Canon", Model: "Z6", Category: "mirrorless"}, []string{"brand"}},
		"spelling":      {"nikon/z6", catalog.GearValues{Brand: "NIKON", Model: "Z6", Category: "mirrorless"}, nil},
	} {
		_, err := c.NewCorrection(test.slug, test.values, euro)
		var got []string
		var invalid *problem.Error
		if errors.As(err, &invalid) {
			for _, f := range invalid.Fields {
				got = append(got, f.Field)
			}
		}
		slices.Sort(got)
		slices.Sort(test.want)
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: invalid are %v, want %v", name, got, test.want)
		}
	}
}

// TestImports tests that one import runs at a time, can be cancelled, and is taken for
// failed once its server is silent.
func TestImports(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), context.Background()
		operator := seller(t, s)
		first := &models.Import{Name: "a.csv", Source: models.ShopifyFile, Bytes: 10, Options: models.ImportOptions{Seller: "x"}}
		must(t, s.Imports.StartImport(ctx, operator, first))
		wantError(t, s.Imports.StartImport(ctx, operator, &models.Import{Name: "b.csv"}), problem.Conflict, "import_running")
		first.BytesRead, first.Report.Rows, first.Rejected = 5, 3, []models.RejectedRow{{Line: 2, Reason: "no", Hint: "yes"}}
		running, err := s.Imports.ReportImport(ctx, first)
		must(t, err)
		stored, err := s.Imports.Import(ctx, first.ID)
		must(t, err)
		if !running || stored.BytesRead != 5 || stored.Report.Rows != 3 || len(stored.Rejected) != 1 || stored.Options.Seller != "x" {
			t.Errorf("stored %+v, running %v", stored, running)
		}
		must(t, s.Imports.CancelImport(ctx, first.ID))
		wantError(t, s.Imports.CancelImport(ctx, first.ID), problem.Conflict, "import_ended")
		if running, err := s.Imports.ReportImport(ctx, first); err != nil || running {
			t.Errorf("it runs after it was cancelled: %v", err)
		}
		first.Status = models.ImportDone
		must(t, s.Imports.FinishImport(ctx, first))
		if all, err := s.Imports.Imports(ctx); err != nil || len(all) != 1 || all[0].Status != models.ImportCancelled {
			t.Errorf("imports are %+v, %v", all, err)
		}
		_, err = s.Imports.Import(ctx, "none")
		wantError(t, err, problem.NotFound, "import_not_found")
		must(t, s.Imports.EndInterruptedImports(ctx))
	})
}
