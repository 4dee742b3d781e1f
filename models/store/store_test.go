package store_test

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
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
		Item:  models.Item{Condition: models.ConditionGood, Functional: models.FullyWorking, Defects: []models.Defect{"dust"}, Included: []string{"box", `"cap"`}, ItemDetails: models.ItemDetails{Shutter: 12000}, Serial: "S123-" + seller},
		Price: 124900, Region: "US-CA", Status: models.StatusActive,
		Photos: []models.Photo{{Key: "a", Alt: "Front", Width: 1280, Height: 853}, {Key: "b", Alt: "Back", Width: 1280, Height: 853}},
	}
}

// seller adds a member and returns its id.
func seller(t testing.TB, s *store.Store) string {
	t.Helper()
	members := sellers(1)
	must(t, s.Accounts.InsertMembers(context.Background(), members))
	return members[0].ID
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// full runs at full size the tests that otherwise run a fifth; `make full` sets it.
var full = flag.Bool("full", false, "run every case of tests that otherwise run a fifth of them")

// part returns every fifth of the cases of a test, the last one included, or all if full is
// set.
func part[T any](cases []T) []T {
	if *full {
		return cases
	}
	var some []T
	for i := range cases {
		if (len(cases)-1-i)%5 == 0 {
			some = append(some, cases[i])
		}
	}
	return some
}

// skipUnderRace skips a long test that does one thing after another where every access is
// watched. CI also runs the tests that call it without the race detector: see .ci/norace.
func skipUnderRace(t *testing.T) {
	t.Helper()
	if raceEnabled {
		t.Skip("runs without the race detector")
	}
}

// wantError checks that err is a *problem.Error with a kind and code.
func wantError(t testing.TB, err error, kind problem.Kind, code string) {
	t.Helper()
	var e *problem.Error
	if !errors.As(err, &e) || e.Kind != kind || e.Code != code || e.Message == nil || e.Advice() == nil {
		t.Errorf("got %v, want %s with a message and a hint", err, code)
	}
}

func idsOf(listings []*models.Listing) []string {
	ids := make([]string, len(listings))
	for i, l := range listings {
		ids[i] = l.ID
	}
	return ids
}

// wantTrends checks that every stored trend matches its sales.
func wantTrends(t testing.TB, s *store.Store, sales []models.Sale) {
	t.Helper()
	byGear := map[string][]models.Sale{}
	for _, sale := range sales {
		byGear[sale.Gear] = append(byGear[sale.Gear], sale)
	}
	for gear, sales := range byGear {
		want := prices.NewTrend(gear, sales)
		got, err := s.Prices.Trend(context.Background(), gear)
		must(t, err)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, want %+v", gear, got, want)
		}
	}
	must(t, s.Prices.EachTrend(context.Background(), func(got *prices.Trend) error {
		want := prices.NewTrend(got.Gear, byGear[got.Gear])
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

// establish has all sales between members count, as if these were established.
func establish(t testing.TB, url string) {
	t.Helper()
	if _, err := raw(t, url).Exec(`UPDATE sales SET newcomer = FALSE`); err != nil {
		t.Fatal(err)
	}
}

// raw opens the database of a store directly.
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
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
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

func advance(ctx context.Context, s *store.Store, id string, move models.Move) error {
	_, err := s.Listings.Advance(ctx, id, move)
	return err
}
