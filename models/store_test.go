package models_test

import (
	"fmt"
	"reflect"
	"testing"

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

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestMembersAndListings(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open func() *models.Store) {
		s, ctx := open(), t.Context()
		members := sellers(3)
		must(t, s.InsertMembers(ctx, members))
		got, err := s.Member(ctx, "seller-1")
		must(t, err)
		if *got != members[1] {
			t.Fatalf("got %+v, want %+v", got, members[1])
		}
		listings := []models.Listing{someListing(got.ID, 1), someListing(got.ID, 2)}
		must(t, s.InsertListings(ctx, listings))
		for _, want := range listings {
			l, err := s.Listing(ctx, want.ID)
			must(t, err)
			if !reflect.DeepEqual(*l, want) {
				t.Errorf("got %+v, want %+v", *l, want)
			}
		}
		inserted, unchanged, err := s.ImportSales(ctx, []models.Sale{{Gear: "canon/eos-r6", Condition: "good", Price: 100, SoldAt: someTime, Region: "DE", ExternalID: "1"}})
		must(t, err)
		if inserted != 1 || unchanged != 0 {
			t.Error(inserted, unchanged)
		}
		trend, err := s.Trend(ctx, "canon/eos-r6")
		must(t, err)
		if trend.AllTime != 1 || trend.Summary.Median != 100 {
			t.Errorf("%+v", trend)
		}
	})
}
