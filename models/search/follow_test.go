package search

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// patience is how long is waited for what happens within a second, on a machine
// with other work too.
const patience = time.Minute

// A listing that any process writes is found, changed and gone, and a changed
// trend reaches its cards and the order of deals.
func TestFeedFollowsOtherProcesses(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		ctx, cancel := context.WithCancel(context.Background())
		writer, reader := open(), open()
		seller := models.Member{Handle: "anna", Name: "Anna", Region: "DE"}
		members := []models.Member{seller}
		if err := writer.Accounts.InsertMembers(ctx, members); err != nil {
			t.Fatal(err)
		}
		gear := realLookup().At(0)
		listing := func(seller string, price models.Cents) models.Listing {
			return models.Listing{SellerID: seller, Gear: gear.Slug(), Category: gear.Category, Title: "Zyx boxed", Text: "As new.",
				Item: models.Item{Condition: models.ConditionGood, Functional: models.FullyWorking}, Price: price, Region: "DE", Status: models.StatusActive}
		}
		before := []models.Listing{listing(members[0].ID, 20000)}
		if err := writer.Listings.InsertListings(ctx, before); err != nil {
			t.Fatal(err)
		}

		index := New(realLookup())
		feed := NewFeed(index, reader, func(l *models.Listing, seller string, deal *prices.Deal) []byte {
			return fmt.Appendf(nil, "%s %d %s %v", l.ID, l.Price, seller, deal)
		}, slog.New(slog.DiscardHandler))
		if err := feed.Load(ctx); err != nil {
			t.Fatal(err)
		}
		cards := func(q Query) (cards []string) {
			r, err := index.Search(q)
			if err != nil {
				t.Fatal(err)
			}
			for _, card := range r.Cards {
				cards = append(cards, string(card))
			}
			return cards
		}
		await := func(what string, q Query, want ...string) {
			t.Helper()
			var got []string
			for start := time.Now(); time.Since(start) < patience; time.Sleep(5 * time.Millisecond) {
				if got = cards(q); fmt.Sprint(got) == fmt.Sprint(want) {
					return
				}
			}
			t.Fatalf("%s: after %v the cards are %q, want %q", what, patience, got, want)
		}
		await("loaded", Query{}, before[0].ID+" 20000 anna <nil>")

		done := make(chan error)
		go func() { done <- feed.Run(ctx) }()
		defer func() {
			cancel()
			if err := <-done; err != context.Canceled {
				t.Error("Run ended with ", err)
			}
		}()

		joined := []models.Member{{Handle: "ben", Name: "Ben", Region: "FR"}}
		if err := writer.Accounts.InsertMembers(ctx, joined); err != nil {
			t.Fatal(err)
		}
		after := []models.Listing{listing(joined[0].ID, 10000)}
		if err := writer.Listings.InsertListings(ctx, after); err != nil {
			t.Fatal(err)
		}
		byPrice := Query{Filter: Filter{Keyword: "zyx"}, Sort: Price}
		await("added", byPrice, after[0].ID+" 10000 ben <nil>", before[0].ID+" 20000 anna <nil>")

		byTotal := Query{Filter: Filter{Keyword: "zyx"}, ShipTo: []models.Region{"DE"}, Sort: Total}
		await("postage not stated", byTotal, after[0].ID+" 10000 ben <nil>", before[0].ID+" 20000 anna <nil>")
		if err := writer.Accounts.SetPostage(ctx, joined[0].ID, "FR=500"); err != nil {
			t.Fatal(err)
		}
		await("postage to France", byTotal, before[0].ID+" 20000 anna <nil>", after[0].ID+" 10000 ben <nil>")

		var sales []models.Sale
		for i := range prices.MinSales {
			sales = append(sales, models.Sale{ExternalID: fmt.Sprint(i), Gear: gear.Slug(), Condition: models.ConditionGood,
				Price: 40000, SoldAt: models.TimeOf(time.Now()), Region: "DE"})
		}
		if _, _, err := writer.Trades.ImportSales(ctx, sales); err != nil {
			t.Fatal(err)
		}
		await("trend", Query{Filter: Filter{Keyword: "zyx"}, Sort: Deal}, after[0].ID+" 10000 ben &{-75 {40000 0 0 5}}", before[0].ID+" 20000 anna &{-50 {40000 0 0 5}}")

		if _, err := writer.Listings.Advance(ctx, after[0].ID, models.Move{Step: models.End}); err != nil {
			t.Fatal(err)
		}
		await("closed", byPrice, before[0].ID+" 20000 anna &{-50 {40000 0 0 5}}")
	})
}

// feedFixture is a feed over a new store with a listing of a gear in each condition.
type feedFixture struct {
	*Feed
	store    *store.Store
	gear     string
	listings []models.Listing
	now      time.Time

	mu       sync.Mutex
	rendered map[models.Condition]int
}

func newFeedFixture(t *testing.T, url string) *feedFixture {
	f := &feedFixture{gear: realLookup().At(0).Slug(), now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), rendered: map[models.Condition]int{}}
	f.store = storetest.Open(t, url, func() time.Time { return f.now })
	members := []models.Member{{Handle: "anna", Name: "Anna", Region: "DE"}}
	if err := f.store.Accounts.InsertMembers(t.Context(), members); err != nil {
		t.Fatal(err)
	}
	for _, c := range models.Conditions {
		f.listings = append(f.listings, models.Listing{SellerID: members[0].ID, Gear: f.gear, Category: realLookup().At(0).Category, Title: "Zyx", Text: "As new.",
			Item: models.Item{Condition: c, Functional: models.FullyWorking}, Price: 10000, Region: "DE", Status: models.StatusActive})
	}
	if err := f.store.Listings.InsertListings(t.Context(), f.listings); err != nil {
		t.Fatal(err)
	}
	f.Feed = NewFeed(New(realLookup()), f.store, func(l *models.Listing, _ string, deal *prices.Deal) []byte {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.rendered[l.Condition]++
		return fmt.Appendf(nil, "%s %v", l.Condition, deal)
	}, slog.New(slog.DiscardHandler))
	if err := f.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	clear(f.rendered)
	return f
}

// sell records sales at 200.00 and applies the change.
func (f *feedFixture) sell(t *testing.T, c models.Condition, n int) {
	t.Helper()
	sales := make([]models.Sale, n)
	for i := range sales {
		sales[i] = models.Sale{Gear: f.gear, Condition: c, Price: 20000, SoldAt: models.TimeOf(f.now), Region: "DE"}
	}
	if _, _, err := f.store.Trades.ImportSales(t.Context(), sales); err != nil {
		t.Fatal(err)
	}
	clear(f.rendered)
	if err := f.apply(t.Context(), []models.Entry{{Change: models.Change{Kind: models.GearChanged, Subject: f.gear}}}); err != nil {
		t.Fatal(err)
	}
}

// card returns the card of a condition.
func (f *feedFixture) card(t *testing.T, c models.Condition) string {
	t.Helper()
	r, err := f.index.Search(Query{Filter: Filter{Model: f.gear, Conditions: []models.Condition{c}}})
	if err != nil || len(r.Cards) != 1 {
		t.Fatalf("%d cards of %s, %v", len(r.Cards), c, err)
	}
	return string(r.Cards[0])
}

// A sale renders only the cards of the conditions whose deal it changed.
func TestFeedRendersChangedDeals(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		f := newFeedFixture(t, url)
		if f.sell(t, models.ConditionGood, prices.MinSales-1); len(f.rendered) != 0 {
			t.Errorf("without a typical price %v are rendered", f.rendered)
		}
		for _, sales := range []int{prices.MinSales, prices.MinSales + 1} {
			f.sell(t, models.ConditionGood, 1)
			if len(f.rendered) != 1 || f.rendered[models.ConditionGood] != 1 {
				t.Errorf("%v are rendered", f.rendered)
			}
			if got, want := f.card(t, models.ConditionGood), fmt.Sprintf("good &{-50 {20000 0 0 %d}}", sales); got != want {
				t.Errorf("card %q, want %q", got, want)
			}
		}
	})
}

// A listing is compared with the estimate of its gear, in whole units and if at least five
// sales are of the gear, and with the median without one.
func TestFeedComparesWithEstimates(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		f := newFeedFixture(t, url)
		f.Estimate(models.Currency{Code: "EUR", Digits: 2})
		f.sell(t, models.ConditionGood, prices.MinSales)
		f.now = f.now.Add(48 * time.Hour)
		estimate := func(c models.Condition, day models.Day, sales int) prices.Estimate {
			return prices.Estimate{Gear: f.gear, Condition: c, Day: day, Median: 12549, Low: 10951, High: 14049, HalfLow: 12000, HalfHigh: 13000, Sales: sales}
		}
		for _, step := range []struct {
			estimates []prices.Estimate
			good, new string
			below     string
		}{
			{nil, "good &{-50 {20000 0 0 5}}", "new <nil>", ""},
			{[]prices.Estimate{estimate("good", "2026-11-21", 5), estimate("new", "2026-11-21", 4)}, "good &{-20 {12500 11000 14000 5}}", "new <nil>", "good &{-20 {12500 11000 14000 5}}"},
			{[]prices.Estimate{estimate("new", "2026-11-22", 5)}, "good &{-50 {20000 0 0 5}}", "new &{-20 {12500 11000 14000 5}}", "new &{-20 {12500 11000 14000 5}}"},
		} {
			day := models.Day("2026-11-20")
			if len(step.estimates) > 0 {
				day = step.estimates[0].Day
			}
			if err := f.store.Prices.StorePriceFit(t.Context(), &prices.PriceFit{Day: day, MadeAt: f.store.Now()}, step.estimates); err != nil {
				t.Fatal(err)
			}
			for name, update := range map[string]func(context.Context) error{"LoadEstimates": f.LoadEstimates, "Load": f.Load} {
				if err := update(t.Context()); err != nil {
					t.Fatal(err)
				}
				if good, asNew := f.card(t, models.ConditionGood), f.card(t, models.ConditionNew); good != step.good || asNew != step.new {
					t.Errorf("with the estimates of %s, after %s: %q and %q, want %q and %q", day, name, good, asNew, step.good, step.new)
				}
				if r, err := f.index.Search(Query{Filter: Filter{Deal: prices.BelowRange}}); err != nil || cards(r) != step.below {
					t.Errorf("with the estimates of %s, after %s: %q is below its range, want %q", day, name, cards(r), step.below)
				}
			}
		}
	})
}

// A deal lapses a year after the last sale in its condition.
func TestFeedLapsesDeals(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		f := newFeedFixture(t, url)
		f.sell(t, models.ConditionGood, prices.MinSales)
		for _, step := range []struct {
			now  time.Time
			want string
		}{
			{f.now.AddDate(1, 0, 0).Add(-time.Millisecond), "good &{-50 {20000 0 0 5}}"},
			{f.now.AddDate(1, 0, 0), "good <nil>"},
		} {
			f.now = step.now
			if err := f.refreshAll(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := f.card(t, models.ConditionGood); got != step.want {
				t.Errorf("at %v the card is %q, want %q", step.now, got, step.want)
			}
		}
	})
}

// A listing that cannot be read or indexed is omitted, and the others remain.
func TestFeedOmitsBadRows(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		f := newFeedFixture(t, url)
		driver, address := "postgres", url
		if path, ok := strings.CutPrefix(url, "sqlite:"); ok {
			driver, address = "sqlite", "file:"+path
		}
		db, err := sql.Open(driver, address)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		// Rows from before there were constraints may violate them.
		permit := `ALTER TABLE listings DROP CONSTRAINT listings_condition`
		if driver == "sqlite" {
			permit = `DROP TRIGGER listings_condition_updated`
		}
		if _, err := db.Exec(permit); err != nil {
			t.Fatal(err)
		}
		for i, test := range []struct {
			damage                 string
			afterChange, afterLoad int
		}{
			{"condition = 'mint'", 6, 6},
			{"defects = '{'", 5, 5},
			{"published_at = -1", 4, 4},
		} {
			id := f.listings[i].ID
			if _, err := db.Exec(`UPDATE listings SET ` + test.damage + ` WHERE id = '` + id + `'`); err != nil {
				t.Fatal(err)
			}
			changed := func(id string) models.Entry {
				return models.Entry{Change: models.Change{Kind: models.ListingChanged, Subject: id}}
			}
			if err := f.apply(t.Context(), []models.Entry{changed(id), changed(f.listings[6].ID)}); err != nil {
				t.Fatal(test.damage, err)
			}
			if n := f.index.Len(); n != test.afterChange {
				t.Errorf("%s: %d listings after the change, want %d", test.damage, n, test.afterChange)
			}
			if err := f.Load(t.Context()); err != nil {
				t.Fatal(test.damage, err)
			}
			if n := f.index.Len(); n != test.afterLoad {
				t.Errorf("%s: %d listings after a load, want %d", test.damage, n, test.afterLoad)
			}
		}
	})
}

// New exchange rates change the deals of listings in other currencies, and their place.
func TestFeedFollowsExchangeRates(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		f, ctx := newFeedFixture(t, url), t.Context()
		save := func(day models.Day, rate string) {
			t.Helper()
			if _, err := f.store.Prices.SaveRates(ctx, []models.DayRates{{Day: day, Rates: map[string]string{"USD": rate}}}); err != nil {
				t.Fatal(err)
			}
		}
		save("2026-11-19", "1.25")
		foreign := f.listings[:1]
		foreign[0].ID, foreign[0].Currency, foreign[0].Condition = "", "USD", models.ConditionGood
		if err := f.store.Listings.InsertListings(ctx, foreign); err != nil {
			t.Fatal(err)
		}
		f.sell(t, models.ConditionGood, prices.MinSales)
		if err := f.Load(ctx); err != nil {
			t.Fatal(err)
		}
		card := func(most models.Cents) string {
			t.Helper()
			r, err := f.index.Search(Query{Filter: Filter{Conditions: []models.Condition{models.ConditionGood}}, Max: &models.Amount{Cents: most}, Sort: Price})
			if err != nil || len(r.Cards) == 0 {
				return fmt.Sprint("none ", err)
			}
			return string(r.Cards[0])
		}
		before := card(8000) // $100
		save("2026-11-20", "2")
		if err := f.catchUp(ctx); err != nil {
			t.Fatal(err)
		}
		after := card(5000)
		if card(4999) == after || before == after || !strings.Contains(before, "good &{") || !strings.Contains(after, "good &{") {
			t.Errorf("the card was %q and is %q", before, after)
		}
	})
}
