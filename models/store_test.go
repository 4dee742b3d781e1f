package models_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/storetest"
)

const someTime models.Time = 1_760_000_000_000

func sellers(n int) []models.Member {
	members := make([]models.Member, n)
	for i := range members {
		members[i] = models.Member{Handle: fmt.Sprintf("seller-%d", i), Name: fmt.Sprintf("Seller %d", i), Region: "DE", Bio: "Grüße", JoinedAt: someTime}
	}
	return members
}

func someListing(seller string, i int) models.Listing {
	return models.Listing{
		SellerID: seller, Gear: "canon/eos-r6", Category: "mirrorless", Title: fmt.Sprintf("Canon EOS R6 no. %d", i), Text: "Used on weekends.",
		Condition: models.ConditionGood, Functional: models.FullyWorking, Defects: []models.Defect{"dust"}, Included: []string{"box", `"cap"`},
		Shutter: 12000, Serial: "S123", Price: 124900, Region: "US-CA", Status: models.StatusActive,
		Photos: []models.Photo{{Key: "a", Alt: "Front", Width: 1280, Height: 853}, {Key: "b", Alt: "Back", Width: 1280, Height: 853}},
	}
}

// seller adds one member and is its id.
func seller(t testing.TB, s *models.Store) string {
	t.Helper()
	members := sellers(1)
	must(t, s.InsertMembers(context.Background(), members))
	return members[0].ID
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantError checks that err is a *models.Error of a kind and code.
func wantError(t testing.TB, err error, kind models.Kind, code string) {
	t.Helper()
	var e *models.Error
	if !errors.As(err, &e) || e.Kind != kind || e.Code != code || e.Message == "" || e.Hint == "" {
		t.Errorf("got %v, want %s with a message and a hint", err, code)
	}
}

func TestMembers(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open func() *models.Store) {
		s, ctx := open(), t.Context()
		members := sellers(1200) // more than one statement carries
		must(t, s.InsertMembers(ctx, members))
		for _, want := range []models.Member{members[0], members[1199]} {
			got, err := s.Member(ctx, want.Handle)
			must(t, err)
			byID, err := s.MemberByID(ctx, want.ID)
			must(t, err)
			if *got != want || *byID != want {
				t.Errorf("got %+v and %+v, want %+v", got, byID, want)
			}
		}
		var each []models.Member
		must(t, s.EachMember(ctx, func(m *models.Member) error { each = append(each, *m); return nil }))
		byID := func(a, b models.Member) int { return strings.Compare(a.ID, b.ID) }
		if !slices.Equal(each, slices.SortedFunc(slices.Values(members), byID)) {
			t.Errorf("EachMember gave %d members, not the %d that were added by id", len(each), len(members))
		}
		ids, err := s.MemberIDs(ctx, []string{"seller-7", "nobody", "seller-1100"})
		must(t, err)
		if want := map[string]string{"seller-7": members[7].ID, "seller-1100": members[1100].ID}; !reflect.DeepEqual(ids, want) {
			t.Errorf("MemberIDs: got %v, want %v", ids, want)
		}

		_, err = s.Member(ctx, "nobody")
		wantError(t, err, models.NotFound, "member_not_found")
		_, err = s.MemberByID(ctx, "nobody")
		wantError(t, err, models.NotFound, "member_not_found")
		wantError(t, s.InsertMembers(ctx, []models.Member{{Handle: "new"}, {Handle: "seller-3"}}), models.Conflict, "handle_taken")
		_, err = s.Member(ctx, "new")
		wantError(t, err, models.NotFound, "member_not_found")
	})
}

func TestListings(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open func() *models.Store) {
		s, ctx := open(), t.Context()
		owner := seller(t, s)
		listings := make([]models.Listing, 6)
		for i := range listings {
			listings[i] = someListing(owner, i)
		}
		listings[1].Photos, listings[1].Defects, listings[1].Included, listings[1].Gear, listings[1].Demo = nil, nil, nil, "", true
		listings[2].Status, listings[3].Status, listings[4].Status = models.StatusDraft, models.StatusRemoved, models.StatusSold
		must(t, s.InsertListings(ctx, listings))
		if l := listings[0]; l.ID == "" || l.CreatedAt == 0 || l.PublishedAt != l.CreatedAt || l.UpdatedAt != l.CreatedAt {
			t.Errorf("not completed: %+v", l)
		}
		if listings[2].PublishedAt != 0 {
			t.Error("a draft was published")
		}

		for _, i := range []int{0, 1, 4} {
			got, err := s.Listing(ctx, listings[i].ID)
			must(t, err)
			if !reflect.DeepEqual(*got, listings[i]) {
				t.Errorf("got %+v, want %+v", *got, listings[i])
			}
		}
		for _, id := range []string{listings[2].ID, listings[3].ID, "nothing", ""} {
			_, err := s.Listing(ctx, id)
			wantError(t, err, models.NotFound, "listing_not_found")
		}
		found, err := s.ListingsByID(ctx, []string{listings[5].ID, "nothing", listings[2].ID, listings[0].ID, listings[5].ID})
		must(t, err)
		if got := idsOf(found); !slices.Equal(got, []string{listings[5].ID, listings[0].ID}) {
			t.Errorf("ListingsByID gave %v", got)
		}

		active := map[string]*models.Listing{}
		must(t, s.EachActiveListing(ctx, func(l *models.Listing) error { active[l.ID] = l; return nil }))
		if len(active) != 3 {
			t.Fatalf("%d listings are active, want 3", len(active))
		}
		for _, i := range []int{0, 1, 5} {
			want := listings[i]
			want.Text, want.Defects, want.Included, want.Shutter, want.Serial, want.CreatedAt, want.UpdatedAt, want.Version = "", nil, nil, 0, "", 0, 0, 0
			want.Photos = want.Photos[:min(1, len(want.Photos))]
			if !reflect.DeepEqual(*active[want.ID], want) {
				t.Errorf("got %+v, want %+v", *active[want.ID], want)
			}
		}
	})
}

// Addresses hold anything: what no database can hold is not there, on both engines.
func TestUnstorableLookups(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open func() *models.Store) {
		s, ctx := open(), t.Context()
		for _, text := range []string{"\x00", "a\x00b", "\xff", "\xed\xa0\x80"} {
			_, err := s.Member(ctx, text)
			wantError(t, err, models.NotFound, "member_not_found")
			_, err = s.Listing(ctx, text)
			wantError(t, err, models.NotFound, "listing_not_found")
			wantError(t, advance(ctx, s, text, models.Move{Step: models.End}), models.NotFound, "listing_not_found")
			if trend, err := s.Trend(ctx, text); err != nil || trend.AllTime != 0 {
				t.Error(trend, err)
			}
			if ids, err := s.MemberIDs(ctx, []string{text}); err != nil || len(ids) != 0 {
				t.Error(ids, err)
			}
		}
	})
}

// Members own listings, prices are not negative: the schema holds it on both engines.
func TestConstraints(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open func() *models.Store) {
		s, ctx := open(), t.Context()
		if s.InsertListings(ctx, []models.Listing{someListing("nobody", 1)}) == nil {
			t.Error("a listing of nobody was taken")
		}
		negative := someListing(seller(t, s), 1)
		negative.Price = -1
		if s.InsertListings(ctx, []models.Listing{negative}) == nil {
			t.Error("a negative price was taken")
		}
		empty := true
		must(t, s.EachActiveListing(ctx, func(*models.Listing) error { empty = false; return nil }))
		if !empty {
			t.Error("a refused listing stayed")
		}
	})
}

func idsOf(listings []*models.Listing) []string {
	ids := make([]string, len(listings))
	for i, l := range listings {
		ids[i] = l.ID
	}
	return ids
}

func TestListingsBySeller(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open func() *models.Store) {
		s, ctx := open(), t.Context()
		members := sellers(2)
		must(t, s.InsertMembers(ctx, members))
		listings := make([]models.Listing, 40)
		for i := range listings {
			listings[i] = someListing(members[i%2].ID, i)
			listings[i].PublishedAt = someTime + models.Time(i/10) // many at once: the id decides
			if i%8 == 0 {
				listings[i].Status = models.StatusSold
			}
		}
		must(t, s.InsertListings(ctx, listings))
		var want []string
		newestFirst := func(a, b models.Listing) int {
			return -strings.Compare(fmt.Sprint(int64(a.PublishedAt), a.ID), fmt.Sprint(int64(b.PublishedAt), b.ID))
		}
		for _, l := range slices.SortedFunc(slices.Values(listings), newestFirst) {
			if l.SellerID == members[0].ID && l.Status == models.StatusActive {
				want = append(want, l.ID)
			}
		}
		var got []string
		for key := (models.ListingKey{}); ; {
			page, err := s.ListingsBySeller(ctx, members[0].ID, []models.Status{models.StatusActive, models.StatusReserved}, key, 4)
			must(t, err)
			if len(page) == 0 {
				break
			}
			if len(page[0].Photos) != 2 {
				t.Error("photos are missing")
			}
			got = append(got, idsOf(page)...)
			last := page[len(page)-1]
			key = models.ListingKey{PublishedAt: last.PublishedAt, ID: last.ID}
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		counts, err := s.CountBySeller(ctx, members[0].ID)
		must(t, err)
		if want := map[models.Status]int{models.StatusActive: 15, models.StatusSold: 5}; !reflect.DeepEqual(counts, want) {
			t.Errorf("got %v, want %v", counts, want)
		}
	})
}

func TestImportListings(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open func() *models.Store) {
		s, ctx := open(), t.Context()
		owner := seller(t, s)
		rows := func() []models.Listing {
			rows := make([]models.Listing, 700)
			for i := range rows {
				rows[i] = someListing(owner, i)
				rows[i].ExternalID = fmt.Sprint("x", i)
			}
			return rows
		}
		importing := func(rows []models.Listing, inserted, updated, unchanged int) {
			t.Helper()
			i, u, n, err := s.ImportListings(ctx, rows)
			must(t, err)
			if i != inserted || u != updated || n != unchanged {
				t.Errorf("%d inserted, %d updated, %d unchanged; want %d, %d, %d", i, u, n, inserted, updated, unchanged)
			}
		}
		first := rows()
		importing(first, 700, 0, 0)
		at, err := s.Position(ctx)
		must(t, err)
		importing(rows(), 0, 0, 700)
		if now, err := s.Position(ctx); err != nil || changesSince(t, s, at, now) != 0 {
			t.Error("an import that changed nothing told of changes", err)
		}

		changed := rows()
		changed[3].Price, changed[4].Photos, changed[5].Title = 99, nil, "Canon EOS R6, boxed"
		must(t, advance(ctx, s, first[6].ID, models.Move{Step: models.Sell, Price: 100, At: someTime}))
		changed[6].Price = 5 // sold meanwhile
		changed = append(changed, someListing(owner, 1000), someListing(owner, 1000))
		changed[700].ExternalID, changed[701].ExternalID, changed[701].Price = "twice", "twice", 7
		importing(changed, 1, 2, 699)
		for i, want := range map[int]models.Cents{3: 99, 5: 124900, 6: 124900} {
			l, err := s.Listing(ctx, first[i].ID)
			must(t, err)
			if l.Price != want || len(l.Photos) != 2 || l.PublishedAt != first[i].PublishedAt || l.Title != changed[i].Title {
				t.Errorf("row %d: %+v", i, l)
			}
		}
		twice, err := s.Listing(ctx, changed[700].ID)
		must(t, err)
		if twice.Price != 7 {
			t.Errorf("of two rows with one external id the last counts: %+v", twice)
		}
		if _, _, _, err := s.ImportListings(ctx, []models.Listing{someListing(owner, 1)}); err == nil {
			t.Error("a row without external id was imported")
		}
	})
}

// Two imports of the same rows at once: each row is there once, whoever adds it.
func TestImportListingsRace(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open func() *models.Store) {
		a, b := open(), open()
		owner := seller(t, a)
		var wg sync.WaitGroup
		var mu sync.Mutex
		var inserted int
		for _, s := range []*models.Store{a, b, a, b} {
			wg.Go(func() {
				rows := make([]models.Listing, 200)
				for i := range rows {
					rows[i] = someListing(owner, i)
					rows[i].ExternalID = fmt.Sprint(i)
				}
				n, updated, _, err := s.ImportListings(context.Background(), rows)
				if err != nil || updated > 0 {
					t.Error(updated, err)
				}
				mu.Lock()
				defer mu.Unlock()
				inserted += n
			})
		}
		wg.Wait()
		if inserted != 200 {
			t.Errorf("%d rows inserted, want 200", inserted)
		}
	})
}

// Twenty close one listing: one succeeds, and one sale is recorded.
func TestCloseListing(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open func() *models.Store) {
		a, b, ctx := open(), open(), t.Context()
		listings := []models.Listing{someListing(seller(t, a), 1)}
		must(t, a.InsertListings(ctx, listings))
		id := listings[0].ID
		var wg sync.WaitGroup
		errs := make([]error, 20)
		for i := range errs {
			wg.Go(func() {
				errs[i] = advance(context.Background(), []*models.Store{a, b}[i%2], id, models.Move{Step: models.Sell, Price: models.Cents(1000 + i), At: someTime})
			})
		}
		wg.Wait()
		winner := slices.Index(errs, nil)
		for i, err := range errs {
			if i != winner {
				wantError(t, err, models.Conflict, "wrong_status")
			}
		}
		l, err := b.Listing(ctx, id)
		must(t, err)
		if l.Status != models.StatusSold || l.SoldPrice != models.Cents(1000+winner) || l.ClosedAt != someTime {
			t.Errorf("winner %d, listing %+v", winner, l)
		}
		trend, err := b.Trend(ctx, l.Gear)
		must(t, err)
		if trend.AllTime != 1 || trend.Summary.Median != l.SoldPrice || trend.AsOf != someTime {
			t.Errorf("trend %+v", trend)
		}
		wantError(t, advance(ctx, a, "nothing", models.Move{Step: models.End}), models.NotFound, "listing_not_found")
	})
}

func TestImportSalesRollsUp(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open func() *models.Store) {
		s, ctx := open(), t.Context()
		sales := someSales(3000, 5)
		for i := range sales {
			sales[i].ExternalID = fmt.Sprint(i)
		}
		for _, part := range [][]models.Sale{sales[:1000], sales[500:2000], sales} {
			inserted, unchanged, err := s.ImportSales(ctx, part)
			must(t, err)
			if inserted+unchanged != len(part) || inserted%1000 != 0 || inserted == 0 {
				t.Errorf("%d inserted, %d unchanged of %d", inserted, unchanged, len(part))
			}
		}
		wantTrends(t, s, sales)

		at, err := s.Position(ctx)
		must(t, err)
		if inserted, unchanged, err := s.ImportSales(ctx, sales); inserted != 0 || unchanged != 3000 || err != nil {
			t.Error("imported again:", inserted, unchanged, err)
		}
		if now, err := s.Position(ctx); err != nil || changesSince(t, s, at, now) != 0 {
			t.Error("an import that changed nothing told of changes", err)
		}
		none, err := s.Trend(ctx, "gear/none")
		must(t, err)
		if !reflect.DeepEqual(none, &models.Trend{Gear: "gear/none"}) {
			t.Errorf("a gear without sales: %+v", none)
		}
		counts, err := s.Counts(ctx)
		must(t, err)
		if counts != (models.Counts{Sales: 3000}) {
			t.Errorf("%+v", counts)
		}
	})
}

// wantTrends checks that every stored trend is what its sales say.
func wantTrends(t testing.TB, s *models.Store, sales []models.Sale) {
	t.Helper()
	byGear := map[string][]models.Sale{}
	for _, sale := range sales {
		byGear[sale.Gear] = append(byGear[sale.Gear], sale)
	}
	for gear, sales := range byGear {
		want := models.NewTrend(gear, sales)
		got, err := s.Trend(context.Background(), gear)
		must(t, err)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, want %+v", gear, got, want)
		}
	}
	must(t, s.EachTrend(context.Background(), func(got *models.Trend) error {
		want := models.NewTrend(got.Gear, byGear[got.Gear])
		want.Months = nil
		if !reflect.DeepEqual(got, want) {
			t.Errorf("EachTrend %s: got %+v, want %+v", got.Gear, got, want)
		}
		delete(byGear, got.Gear)
		return nil
	}))
	if len(byGear) > 0 {
		t.Errorf("EachTrend left out %d gear", len(byGear))
	}
}

// Writers of the same gear, each in a transaction of its own: the last roll-up
// has seen every sale.
func TestConcurrentRollUps(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open func() *models.Store) {
		stores := []*models.Store{open(), open()}
		sales := someSales(800, 3)
		var wg sync.WaitGroup
		for writer := range 8 {
			wg.Go(func() {
				mine := sales[writer*100 : writer*100+100]
				for len(mine) > 0 {
					if _, _, err := stores[writer%2].ImportSales(context.Background(), mine[:10]); err != nil {
						t.Error(err)
					}
					mine = mine[10:]
				}
			})
		}
		wg.Wait()
		wantTrends(t, stores[0], sales)
		checked, repaired, err := stores[1].RebuildTrends(t.Context())
		must(t, err)
		if checked != 3 || len(repaired) != 0 {
			t.Errorf("%d trends checked, %v repaired", checked, repaired)
		}
	})
}

func TestRebuildTrends(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, ctx := storetest.Open(t, url, nil), t.Context()
		sales := someSales(500, 6)
		_, _, err := s.ImportSales(ctx, sales)
		must(t, err)
		db := raw(t, url)
		for _, damage := range []string{
			`UPDATE trend_months SET median = median + 1 WHERE gear = 'gear/0' AND month_key = (SELECT MAX(month_key) FROM trend_months WHERE gear = 'gear/0')`,
			`UPDATE trends SET change_12m = 7 WHERE gear = 'gear/1'`,
			`DELETE FROM trend_summaries WHERE gear = 'gear/2' AND condition = ''`,
			`INSERT INTO trend_months SELECT gear, 1, sales, average, median, low, high, p25, p75, last_sold_at FROM trend_summaries WHERE gear = 'gear/3' AND condition = ''`,
			`DELETE FROM trends WHERE gear = 'gear/4'`,
			`INSERT INTO trends (gear, as_of, window_from, all_time) VALUES ('gear/ghost', 1, 1, 1)`,
		} {
			if _, err := db.Exec(damage); err != nil {
				t.Fatal(err)
			}
		}
		checked, repaired, err := s.RebuildTrends(ctx)
		must(t, err)
		want := []string{"gear/0", "gear/1", "gear/2", "gear/3", "gear/4"}
		if got := slices.DeleteFunc(slices.Clone(repaired), func(g string) bool { return g == "gear/ghost" }); checked != 7 || !slices.Equal(got, want) {
			t.Errorf("%d checked, %v repaired", checked, repaired)
		}
		wantTrends(t, s, sales)
		if _, repaired, err := s.RebuildTrends(ctx); err != nil || len(repaired) > 0 {
			t.Error("the second rebuild repaired", repaired, err)
		}
	})
}

// raw opens the database behind a store's back.
func raw(t testing.TB, url string) *sql.DB {
	t.Helper()
	driver, address := "postgres", url
	if path, ok := strings.CutPrefix(url, "sqlite:"); ok {
		driver, address = "sqlite", "file:"+path+"?_busy_timeout=10000&_foreign_keys=1"
	}
	db, err := sql.Open(driver, address)
	must(t, err)
	t.Cleanup(func() { db.Close() })
	return db
}

func TestSettings(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open func() *models.Store) {
		s, ctx := open(), t.Context()
		if empty, err := s.IsEmpty(ctx); err != nil || !empty {
			t.Error("a new database is not empty", err)
		}
		if demo, err := s.Demo(ctx); err != nil || demo {
			t.Error("a new database is a demonstration", err)
		}
		for _, want := range []bool{true, false, true} {
			must(t, s.SetDemo(ctx, want))
			if demo, err := open().Demo(ctx); err != nil || demo != want {
				t.Errorf("demo %v, want %v, %v", demo, want, err)
			}
		}
		seller(t, s)
		if empty, err := s.IsEmpty(ctx); err != nil || empty {
			t.Error("a database with a member is empty", err)
		}
	})
}

// A transaction that is stopped says so, also when it was rolled back before its
// next statement.
func TestStopped(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open func() *models.Store) {
		s := open()
		listings := make([]models.Listing, 3000) // written in three steps
		owner := seller(t, s)
		for i := range listings {
			listings[i] = someListing(owner, i)
		}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		steps := 0
		err := s.FillDemo(ctx, nil, listings, nil, func(int) {
			if steps++; steps == 2 { // what comes again is prepared by now
				stop()
				must(t, s.SetDemo(t.Context(), false)) // waits until this transaction is rolled back
			}
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("stopped: %v", err)
		}
		if counts, err := s.Counts(t.Context()); err != nil || counts.Listings != 0 {
			t.Errorf("stopped with %+v, %v", counts, err)
		}
	})
}

func TestMigrate(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		ctx := t.Context()
		var wg sync.WaitGroup
		for range 4 { // several processes start at once on a new database
			s, err := models.Open(ctx, url, nil)
			must(t, err)
			defer s.Close()
			wg.Go(func() {
				if err := s.Migrate(ctx); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		s := storetest.Open(t, url, nil) // migrates again
		if _, err := raw(t, url).Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, TRUE)`); err != nil {
			t.Fatal(err)
		}
		if err := s.Migrate(ctx); err == nil || !strings.Contains(err.Error(), "99999") || !strings.Contains(err.Error(), "newer") {
			t.Errorf("a schema from the future: %v", err)
		}
	})
}

func TestOpenRefuses(t *testing.T) {
	for _, url := range []string{"", "mysql://localhost", "sqlite:", "sqlite::memory:", "sqlite:/nowhere/at/all/x.db", "postgres://user:secret@127.0.0.1:1/x?sslmode=disable", "postgres://user:secret@%zz/"} {
		s, err := models.Open(t.Context(), url, nil)
		if err == nil {
			s.Close()
			t.Errorf("%q was opened", url)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("the password is in %q", err)
		}
	}
}

func TestBackup(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, ctx := storetest.Open(t, url, nil), t.Context()
		listings := []models.Listing{someListing(seller(t, s), 1)}
		must(t, s.InsertListings(ctx, listings))
		path := filepath.Join(t.TempDir(), "it's a copy.db")
		err := s.Backup(ctx, path)
		if strings.HasPrefix(url, "postgres") {
			if err == nil || !strings.Contains(err.Error(), "pg_dump") {
				t.Errorf("got %v, want the name of the tool to use", err)
			}
			return
		}
		must(t, err)
		got, err := storetest.Open(t, "sqlite:"+path, nil).Listing(ctx, listings[0].ID)
		must(t, err)
		if !reflect.DeepEqual(*got, listings[0]) {
			t.Errorf("the copy has %+v, want %+v", got, listings[0])
		}
		if s.Backup(ctx, path) == nil {
			t.Error("a file was overwritten")
		}
	})
}

// The clock is the store's: ids and stamps come from it.
func TestClock(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		then := time.Date(2031, 2, 3, 4, 5, 6, 7_000_000, time.UTC)
		s := storetest.Open(t, url, func() time.Time { return then })
		listings := []models.Listing{someListing(seller(t, s), 1)}
		must(t, s.InsertListings(t.Context(), listings))
		l := listings[0]
		if l.CreatedAt != models.TimeOf(then) || l.ID[:13] != models.NewID(then)[:13] || l.ID[14] != '7' {
			t.Errorf("%+v", l)
		}
	})
}

func advance(ctx context.Context, s *models.Store, id string, move models.Move) error {
	_, err := s.Advance(ctx, id, move)
	return err
}
