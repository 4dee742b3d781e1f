package search

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/storetest"
)

// patience is how long is waited for what happens within a second, on a machine
// with other work too.
const patience = time.Minute

// A listing that any process writes is found, changed and gone, and a changed
// trend reaches its cards and the order of deals.
func TestFeedFollowsOtherProcesses(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open func() *models.Store) {
		ctx, cancel := context.WithCancel(context.Background())
		writer, reader := open(), open()
		seller := models.Member{Handle: "anna", Name: "Anna", Region: "DE"}
		members := []models.Member{seller}
		if err := writer.InsertMembers(ctx, members); err != nil {
			t.Fatal(err)
		}
		gear := realLookup().At(0)
		listing := func(seller string, price models.Cents) models.Listing {
			return models.Listing{SellerID: seller, Gear: gear.Slug(), Category: gear.Category, Title: "Zyx boxed", Text: "As new.",
				Condition: models.ConditionGood, Functional: models.FullyWorking, Price: price, Region: "DE", Status: models.StatusActive}
		}
		before := []models.Listing{listing(members[0].ID, 20000)}
		if err := writer.InsertListings(ctx, before); err != nil {
			t.Fatal(err)
		}

		index := New(realLookup())
		feed := NewFeed(index, reader, func(l *models.Listing, seller string, deal *models.Deal) []byte {
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
		if err := writer.InsertMembers(ctx, joined); err != nil {
			t.Fatal(err)
		}
		after := []models.Listing{listing(joined[0].ID, 10000)}
		if err := writer.InsertListings(ctx, after); err != nil {
			t.Fatal(err)
		}
		byPrice := Query{Filter: Filter{Keyword: "zyx"}, Sort: Price}
		await("added", byPrice, after[0].ID+" 10000 ben <nil>", before[0].ID+" 20000 anna <nil>")

		var sales []models.Sale
		for i := range models.MinSales {
			sales = append(sales, models.Sale{ExternalID: fmt.Sprint(i), Gear: gear.Slug(), Condition: models.ConditionGood,
				Price: 40000, SoldAt: models.TimeOf(time.Now()), Region: "DE"})
		}
		if _, _, err := writer.ImportSales(ctx, sales); err != nil {
			t.Fatal(err)
		}
		await("trend", Query{Filter: Filter{Keyword: "zyx"}, Sort: Deal}, after[0].ID+" 10000 ben &{-75 40000 5}", before[0].ID+" 20000 anna &{-50 40000 5}")

		if _, err := writer.Advance(ctx, after[0].ID, models.Move{Step: models.End}); err != nil {
			t.Fatal(err)
		}
		await("closed", byPrice, before[0].ID+" 20000 anna &{-50 40000 5}")
	})
}
