package store_test

import (
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/secondlight/secondlight/migrations"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// splitCatalog returns a catalogue in which the FM2/T was split from the FM2, the old Z6 was renamed,
// and the H3D-31 was split from the H3D.
func splitCatalog(t testing.TB) *catalog.Catalog {
	t.Helper()
	c, err := catalog.ReadCatalog(fstest.MapFS{
		"lensfun.csv": {Data: []byte(strings.Join([]string{catalogHeader,
			"Hasselblad,H3D,hasselblad,h3d,medium_format,Hasselblad H,48x36 medium format,,,,2006,,,",
			"Hasselblad,H3D-31,hasselblad,h3d-31,medium_format,Hasselblad H,44x33 medium format,,,,2006,,,",
			"Nikon,FM2,nikon,fm2,film_slr,Nikon F,35mm film,,,,1982,,,FM2n",
			"Nikon,FM2/T,nikon,fm2-t,film_slr,Nikon F,35mm film,,,,1993,,,",
			"Nikon,Z 6,nikon,z-6,mirrorless,Nikon Z,Full frame,,,,2018,,,Z6"}, "\n") + "\n")},
		"moves.csv": {Data: []byte("from,gear\nhasselblad/h3d,hasselblad/h3d-31\nnikon/fm2,nikon/fm2-t\nnikon/z6,nikon/z-6\n")},
	})
	must(t, err)
	return c
}

// TestMoveGear tests that what is stored of gear that was split or renamed becomes that of the
// right gear, once, and that the rest is left to a person.
func TestMoveGear(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx, c := open(), t.Context(), splitCatalog(t)
		jane, john := account(t, s, "jane").ID, account(t, s, "john").ID
		listings, kits, searches := map[string]string{}, map[string]string{}, map[string]string{}
		rows := []struct{ gear, title, want string }{
			{"nikon/fm2", "Nikon FM2/T titanium", "nikon/fm2-t"},
			{"nikon/fm2", "Nikon FM2n black", "nikon/fm2"},
			{"nikon/fm2", "Old camera", "nikon/fm2"},
			{"nikon/z6", "Nikon Z 6", "nikon/z-6"},
			{"nikon/z6", "A mirrorless body", "nikon/z-6"},
			{"hasselblad/h3d", "Hasselblad H3D-31", "hasselblad/h3d-31"},
			{"canon/eos-r6", "Nikon FM2/T", "canon/eos-r6"},
		}
		var sold []models.Sale
		for i, row := range rows {
			id := item(t, s, jane, "", func(l *models.Listing) { l.Gear, l.Title = row.gear, row.title })
			listings[row.title] = id
			sold = append(sold, models.Sale{ID: "sale-" + id, Gear: row.gear, Condition: models.ConditionGood, Price: models.Cents(50000 + i), SoldAt: someTime, Region: "DE", ListingID: id})
			kit := kitItem(john, row.gear, row.title)
			must(t, s.Watches.AddKitItem(ctx, kit))
			kits[row.title] = kit.ID
			search := models.SavedSearch{MemberID: john, Name: row.title, Query: "gear=" + strings.ReplaceAll(row.gear, "/", "%2F") + "&sort=price", Every: models.Daily, Email: true}
			_, err := s.Watches.AddSearch(ctx, &search)
			must(t, err)
			searches[row.title] = search.ID
		}
		sold = append(sold, models.Sale{ID: "untitled", Gear: "nikon/fm2", Condition: models.ConditionGood, Price: 40000, SoldAt: someTime, Region: "DE"})
		_, _, err := s.Trades.ImportSales(ctx, sold)
		must(t, err)
		must(t, s.Watches.AddWatch(ctx, john, publicItem(t, s, jane, "nikon/fm2", "Nikon FM2/T")))

		proposal, err := c.Propose(c.Gear("nikon/z-6"), "year", "2019", euro)
		must(t, err)
		proposal.Gear, proposal.MemberID = "nikon/z6", john
		must(t, s.Site.ProposeGear(ctx, *proposal))

		moved, err := s.Site.MoveGear(ctx, c)
		must(t, err)
		if want := 4*4 + 1 + 1; moved != want {
			t.Errorf("%d rows moved, want %d", moved, want)
		}
		sales := map[string]int{"nikon/fm2": 1}
		for _, row := range rows {
			sales[row.want]++
			l, err := s.Moderation.ListingInAnyStatus(ctx, listings[row.title])
			must(t, err)
			kit, err := s.Watches.KitItem(ctx, kits[row.title], john)
			must(t, err)
			search, err := s.Watches.Search(ctx, searches[row.title], john)
			must(t, err)
			if wantQuery := "gear=" + strings.ReplaceAll(row.want, "/", "%2F") + "&sort=price"; l.Gear != row.want || kit.Gear != row.want || search.Query != wantQuery {
				t.Errorf("%q is %s as a listing, %s in a kit, and searched as %s, want %s", row.title, l.Gear, kit.Gear, search.Query, row.want)
			}
			if g := c.Gear(row.want); g != nil && row.gear != row.want && l.Category != g.Category {
				t.Errorf("%q has the category %s", row.title, l.Category)
			}
		}
		for gear, n := range sales {
			trend, err := s.Prices.Trend(ctx, gear)
			must(t, err)
			if trend.Summary.Count != n {
				t.Errorf("the trend of %s has %d sales, want %d", gear, trend.Summary.Count, n)
			}
		}
		if old, err := s.Prices.Trend(ctx, "nikon/z6"); err != nil || old.Summary.Count != 0 {
			t.Errorf("the old slug has %+v, %v", old.Summary, err)
		}

		if open, err := s.Site.OpenProposals(ctx, 9); err != nil || len(open) != 1 || open[0].Gear != "nikon/z-6" {
			t.Errorf("the proposals are %+v, %v", open, err)
		}

		unclear, err := s.Site.UnclearGear(ctx, c)
		must(t, err)
		var kinds []string
		for _, row := range unclear {
			kinds = append(kinds, row.Kind)
		}
		slices.Sort(kinds)
		if want := []string{"kit_items", "listings", "sales", "sales"}; !slices.Equal(kinds, want) {
			t.Errorf("unclear are %v, want %v", unclear, want)
		}
		must(t, s.Site.SetGear(ctx, c, []store.GearRow{{Kind: "sales", ID: "untitled", Gear: "nikon/fm2-t"}}))
		if trend, err := s.Prices.Trend(ctx, "nikon/fm2-t"); err != nil || trend.Summary.Count != sales["nikon/fm2-t"]+1 {
			t.Errorf("after the decision: %+v, %v", trend.Summary, err)
		}
		if err := s.Site.SetGear(ctx, c, []store.GearRow{{Kind: "sales", ID: "none", Gear: "nikon/fm2-t"}}); err == nil {
			t.Error("assigned a sale that does not exist")
		}
		// A person's decision against a title lasts.
		must(t, s.Site.SetGear(ctx, c, []store.GearRow{{Kind: "listings", ID: listings["Nikon FM2n black"], Gear: "nikon/fm2-t"}}))
		if again, err := s.Site.MoveGear(ctx, c); err != nil || again != 0 {
			t.Errorf("moved again: %d, %v", again, err)
		}
	})
}

// TestGearOfTables checks that every table with gear follows when gear is split or renamed, except those
// that are computed from sales.
func TestGearOfTables(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("gear_move.go")
	must(t, err)
	files, err := fs.Glob(migrations.Files, "*.sql")
	must(t, err)
	computed, tables := []string{"trends", "trend_summaries", "trend_months", "trend_alerts", "price_fits", "price_estimates", "price_workings"}, 0
	table := regexp.MustCompile(`(?s)CREATE TABLE (\w+) \((.*?)\n\);`)
	for _, name := range files {
		text, err := fs.ReadFile(migrations.Files, name)
		must(t, err)
		for _, m := range table.FindAllStringSubmatch(string(text), -1) {
			if !regexp.MustCompile(`\n    gear\s`).MatchString(m[2]) {
				continue
			}
			tables++
			if !slices.Contains(computed, m[1]) && !strings.Contains(string(source), "SELECT '"+m[1]+"'") {
				t.Errorf("%s keeps the old gear when gear is split or renamed", m[1])
			}
		}
	}
	if tables < 14 {
		t.Errorf("found only %d tables with gear", tables)
	}
}

// publicItem publishes a listing of gear and returns its id.
func publicItem(t testing.TB, s *store.Store, sellerID, gear, title string) string {
	t.Helper()
	id := inStatus(t, s, sellerID, models.StatusActive)
	_, err := s.Listings.EditListing(t.Context(), id, sellerID, 0, func(l *models.Listing) error { l.Gear, l.Title = gear, title; return nil })
	must(t, err)
	return id
}
