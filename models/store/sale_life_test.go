package store_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// saleMarket is a store with members who trade.
type saleMarket struct {
	*store.Store
	now                     time.Time
	jane, john, olga, oskar string
	saleOf                  func(listing string) *models.Sale
	take                    func(offer string, a store.Answer)
	sold                    func(buyer string) (listing, offer string) // completed by jane
	trend                   func() *prices.Trend
	wantConfirmed           func(n int)
}

// eachSaleMarket runs a test with a new market on each engine.
func eachSaleMarket(t *testing.T, test func(t *testing.T, m *saleMarket)) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		m := &saleMarket{now: time.UnixMilli(int64(someTime))}
		m.Store = storetest.Open(t, url, func() time.Time { return m.now })
		m.jane, m.john, m.olga = account(t, m.Store, "jane").ID, account(t, m.Store, "john").ID, account(t, m.Store, "olga").ID
		operator, err := m.Accounts.CreateAccount(t.Context(), registration("oskar"), models.RoleOperator)
		must(t, err)
		m.oskar = operator.ID
		m.saleOf = func(listing string) *models.Sale {
			t.Helper()
			sales, err := m.Trades.SalesByListing(t.Context(), []string{listing})
			must(t, err)
			return sales[listing]
		}
		m.take = func(offer string, a store.Answer) {
			t.Helper()
			_, err := m.Trades.AnswerOffer(t.Context(), offer, a)
			must(t, err)
		}
		m.sold = func(buyer string) (listing, offer string) {
			t.Helper()
			listing = inStatus(t, m.Store, m.jane, models.StatusActive)
			o, err := m.Trades.MakeOffer(t.Context(), listing, buyer, 40000, "", models.DeliveryRequest{})
			must(t, err)
			m.take(o.ID, store.Answer{Step: models.Accept, By: m.jane})
			m.take(o.ID, store.Answer{Step: models.Complete, By: m.jane})
			return listing, o.ID
		}
		m.trend = func() *prices.Trend {
			t.Helper()
			trend, err := m.Prices.Trend(t.Context(), "canon/eos-r6")
			must(t, err)
			return trend
		}
		m.wantConfirmed = func(n int) {
			t.Helper()
			listings, err := m.Trades.SoldListings(t.Context(), m.jane, 100)
			must(t, err)
			seller, err := m.Trades.Seller(t.Context(), m.jane)
			must(t, err)
			if len(listings) != n || seller.Sold != n {
				t.Errorf("%d counted as sold, %d listed, want %d", seller.Sold, len(listings), n)
			}
		}
		test(t, m)
	})
}

// TestSaleIsConfirmed follows a sale to its confirmation by the buyer or by
// silence.
func TestSaleIsConfirmed(t *testing.T) {
	t.Parallel()
	eachSaleMarket(t, func(t *testing.T, m *saleMarket) {
		listing, offer := m.sold(m.john)
		got := m.saleOf(listing)
		week := models.Time(models.ConfirmationPeriod.Milliseconds())
		want := &models.Sale{ID: got.ID, Gear: "canon/eos-r6", Condition: models.ConditionGood, Price: 40000, SoldAt: someTime, Region: "US-CA", ListingID: listing,
			Source: models.SaleByMembers, Status: models.SaleWaiting, OfferID: offer, SellerID: m.jane, BuyerID: m.john, ConfirmAt: someTime + week, Newcomer: true}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("recorded %+v, want %+v", got, want)
		}
		if m.trend().AllTime != 0 {
			t.Error("an unconfirmed sale is in the trend")
		}
		m.wantConfirmed(0)

		m.now = m.now.Add(time.Hour)
		m.take(offer, store.Answer{Step: models.Confirm, By: m.john})
		if got := m.saleOf(listing); got.Status != models.SaleConfirmed || got.SoldAt != models.TimeOf(m.now) {
			t.Errorf("confirmed: %+v", got)
		}
		if trend := m.trend(); !reflect.DeepEqual(trend, &prices.Trend{Gear: "canon/eos-r6"}) {
			t.Errorf("a sale between new members made the trend %+v", trend)
		}
		m.wantConfirmed(1)

		silent, silentOffer := m.sold(m.olga)
		disputed, disputedOffer := m.sold(m.olga)
		m.take(disputedOffer, store.Answer{Step: models.Dispute, By: m.olga, Message: " The meter is dead. "})
		m.now = m.now.Add(models.ConfirmationPeriod - time.Millisecond)
		must(t, m.Trades.ConfirmSales(t.Context(), 10))
		if got := m.saleOf(silent); got.Status != models.SaleWaiting {
			t.Errorf("confirmed before 7 days: %+v", got)
		}
		m.now = m.now.Add(time.Millisecond)
		_, err := m.Trades.AnswerOffer(t.Context(), silentOffer, store.Answer{Step: models.Dispute, By: m.olga, Message: "Too late"})
		wantError(t, err, problem.Conflict, "wrong_status")
		must(t, m.Trades.ConfirmSales(t.Context(), 10))
		if got := m.saleOf(silent); got.Status != models.SaleConfirmed || got.SoldAt != models.TimeOf(m.now) {
			t.Errorf("after 7 days: %+v", got)
		}
		if got := m.saleOf(disputed); got.Status != models.SaleDisputed {
			t.Errorf("disputed: %+v", got)
		}
		m.wantConfirmed(2)
	})
}

// TestEstablishedMembers has as many accounts as can't establish each other sell everybody to
// everybody: nothing counts. Nor after one of them has traded with somebody else; after two have,
// all sales of the members whom they have traded with count, the earlier ones too.
func TestEstablishedMembers(t *testing.T) {
	t.Parallel()
	eachSaleMarket(t, func(t *testing.T, m *saleMarket) {
		group := []string{m.jane, m.john}
		for i := len(group); i < models.EstablishedReach; i++ {
			group = append(group, account(t, m.Store, fmt.Sprintf("member-%d", i)).ID)
		}
		sell := func(seller, buyer string) {
			t.Helper()
			_, _, err := m.Trades.ImportSales(t.Context(), []models.Sale{{ID: models.NewID(m.now), Gear: "leica/m6", Condition: models.ConditionGood, Price: 999_900, SoldAt: models.TimeOf(m.now),
				Region: "DE", Source: models.SaleByMembers, Newcomer: true, SellerID: seller, BuyerID: buyer}})
			must(t, err)
		}
		confirmed := func(buyer string) {
			t.Helper()
			_, offer := m.sold(buyer)
			m.take(offer, store.Answer{Step: models.Confirm, By: buyer})
		}
		want := func(when string, want prices.Uncounted, count, all int) {
			t.Helper()
			if trend := m.trend(); trend.Summary.Count != count || trend.AllTime != all || trend.Uncounted != want {
				t.Errorf("%s, the trend is %+v", when, trend)
			}
		}
		for i, seller := range group[1:] {
			for _, buyer := range group[1 : 1+i] {
				sell(seller, buyer)
			}
		}
		confirmed(group[2]) // while jane is new
		m.now = m.now.Add(models.NewcomerPeriod)
		for _, buyer := range group[1:4] {
			confirmed(buyer)
		}
		want("in a closed group", prices.Uncounted{}, 0, 0)
		sell(m.olga, group[4])
		confirmed(group[4])
		want("after one sale of an outsider", prices.Uncounted{}, 0, 0)
		sell(m.olga, group[5])
		confirmed(group[5])
		want("once jane is established", prices.Uncounted{Repeated: 1, OverLimit: 4}, 1, 6)
	})
}

func TestDisputeRequiresText(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.SQLite(t), nil)
	for _, text := range []string{"", " \n", "a\x00", string(slices.Repeat([]byte("a"), models.MaxDispute+1))} {
		_, err := s.Trades.AnswerOffer(t.Context(), "any", store.Answer{Step: models.Dispute, Message: text})
		wantError(t, err, problem.Invalid, "invalid_parameter")
	}
}

// TestDeclaredSales checks that a sale its seller declares alone counts nowhere,
// unless the seller is the operators' shop.
func TestDeclaredSales(t *testing.T) {
	t.Parallel()
	eachSaleMarket(t, func(t *testing.T, m *saleMarket) {
		before := m.trend()
		listing := inStatus(t, m.Store, m.jane, models.StatusActive)
		must(t, advance(t.Context(), m.Store, listing, models.Move{Step: models.Sell, Seller: m.jane, Price: 9999900}))
		if got := m.saleOf(listing); got.Source != models.SaleDeclared || got.SellerID != m.jane || got.Price != 9999900 || got.Eligible() {
			t.Errorf("declared: %+v", got)
		}
		m.wantConfirmed(0)
		if after := m.trend(); !reflect.DeepEqual(before, after) {
			t.Errorf("a declared sale made the trend %+v", after)
		}
		shop := inStatus(t, m.Store, m.oskar, models.StatusActive)
		must(t, m.Listings.SetSellerKind(t.Context(), m.oskar, models.Dealer))
		must(t, advance(t.Context(), m.Store, shop, models.Move{Step: models.Sell, Seller: m.oskar, Price: 90000}))
		if got := m.saleOf(shop); got.Source != models.SaleByShop || got.SellerKind != models.Dealer || !got.Eligible() {
			t.Errorf("of the shop: %+v", got)
		}
		must(t, m.Listings.SetSellerKind(t.Context(), m.oskar, models.PrivateSeller))
		if got := m.saleOf(shop); got.SellerKind != models.Dealer {
			t.Errorf("a recorded sale changed its seller: %+v", got)
		}
		if trend := m.trend(); trend.AllTime != 1 {
			t.Errorf("a sale of the shop made the trend %+v", trend)
		}
	})
}

// TestVoidedSales checks that everything a sale counted in is, once it is voided,
// what it was before.
func TestVoidedSales(t *testing.T) {
	t.Parallel()
	eachSaleMarket(t, func(t *testing.T, m *saleMarket) {
		ctx := t.Context()
		_, _, err := m.Trades.ImportSales(ctx, []models.Sale{{Gear: "canon/eos-r6", Condition: models.ConditionGood, Price: 90000, SoldAt: someTime - 1000, Region: "DE"}})
		must(t, err)
		before := m.trend()
		listing, offer := m.sold(m.john)
		m.take(offer, store.Answer{Step: models.Confirm, By: m.john})
		_, err = m.Trades.Rate(ctx, offer, m.john, 5, "Quick")
		must(t, err)
		sale := m.saleOf(listing)
		if rated, err := m.Trades.Seller(ctx, m.jane); err != nil || rated.Ratings != 1 || m.trend().AllTime != 2 {
			t.Fatalf("%+v %v, the trend %+v", rated, err, m.trend())
		}

		_, err = m.Trades.ReviewSale(ctx, m.oskar, sale.ID, models.VoidSale, "It never took place.")
		must(t, err)
		if after := m.trend(); !reflect.DeepEqual(before, after) {
			t.Errorf("after voiding, the trend is\n%+v, it was\n%+v", after, before)
		}
		if rated, err := m.Trades.Seller(ctx, m.jane); err != nil || rated.Ratings != 0 {
			t.Errorf("after voiding, the ratings are %+v, %v", rated, err)
		}
		if list, err := m.Trades.Ratings(ctx, m.jane, 10); err != nil || len(list) != 0 {
			t.Errorf("after voiding, the ratings are %+v, %v", list, err)
		}
		m.wantConfirmed(0)
		l, err := m.Listings.Listing(ctx, listing)
		must(t, err)
		if l.Status != models.StatusEnded || l.SoldPrice != 0 {
			t.Errorf("the listing is %s for %d", l.Status, l.SoldPrice)
		}
		if o, err := m.Trades.Offer(ctx, offer, m.john); err != nil || o.Status != models.OfferVoided {
			t.Errorf("the offer is %+v, %v", o, err)
		}
		_, err = m.Trades.ReviewSale(ctx, m.oskar, sale.ID, models.VoidSale, "")
		wantError(t, err, problem.Conflict, "wrong_status")
		_, err = m.Trades.ReviewSale(ctx, m.oskar, sale.ID, models.ApproveSale, "")
		wantError(t, err, problem.Conflict, "wrong_status")
		_, err = m.Trades.ReviewSale(ctx, m.oskar, "nothing", models.VoidSale, "")
		wantError(t, err, problem.NotFound, "sale_not_found")
		trail, err := m.Moderation.Audit(ctx, store.AuditFilter{}, store.AuditKey{}, 10)
		must(t, err)
		if len(trail) != 1 || trail[0].Action != models.VoidSale || trail[0].Subject != sale.ID || trail[0].Note != "It never took place." {
			t.Errorf("the audit log is %+v", trail)
		}

		// Put back on sale, it can be sold again.
		must(t, advance(ctx, m.Store, listing, models.Move{Step: models.Relist, Seller: m.jane}))
		o, err := m.Trades.MakeOffer(ctx, listing, m.olga, 41000, "", models.DeliveryRequest{})
		must(t, err)
		for _, a := range []store.Answer{{Step: models.Accept, By: m.jane}, {Step: models.Complete, By: m.jane}, {Step: models.Confirm, By: m.olga}} {
			m.take(o.ID, a)
		}
		m.wantConfirmed(1)
	})
}

// TestFraudVoidsSales checks that suspending a member for fraud voids what they
// sold and bought, with an entry in the audit log for each.
func TestFraudVoidsSales(t *testing.T) {
	t.Parallel()
	eachSaleMarket(t, func(t *testing.T, m *saleMarket) {
		ctx := t.Context()
		before := m.trend()
		_, first := m.sold(m.john)
		m.take(first, store.Answer{Step: models.Confirm, By: m.john})
		hidden, _ := m.sold(m.john)
		_, err := m.Moderation.Moderate(ctx, m.oskar, hidden, models.RemoveListing, "")
		must(t, err)
		m.sold(m.olga)
		_, err = m.Moderation.SuspendForFraud(ctx, m.oskar, m.john, "One person")
		must(t, err)
		if a, err := m.Accounts.Account(ctx, m.john); err != nil || !a.Suspended() {
			t.Errorf("the account is %+v, %v", a, err)
		}
		if after := m.trend(); !reflect.DeepEqual(before, after) {
			t.Errorf("the trend is %+v", after)
		}
		sales, err := m.Trades.SalesOf(ctx, m.jane, store.SaleKey{}, 10)
		must(t, err)
		voided := 0
		for _, s := range sales {
			if (s.VoidedAt != 0) != (s.BuyerID == m.john) {
				t.Errorf("sale %+v", s)
			} else if s.VoidedAt != 0 {
				voided++
			}
		}
		trail, err := m.Moderation.Audit(ctx, store.AuditFilter{}, store.AuditKey{}, 10)
		must(t, err)
		var did []models.ModerationAction
		for _, e := range trail {
			did = append(did, e.Action)
		}
		slices.Sort(did)
		if want := []models.ModerationAction{models.RemoveListing, models.SuspendSeller, models.VoidSale, models.VoidSale}; voided != 2 || !slices.Equal(did, want) {
			t.Errorf("%d voided, the audit log has %q", voided, did)
		}
		_, err = m.Moderation.Moderate(ctx, m.oskar, hidden, models.RestoreListing, "")
		must(t, err)
		if l, err := m.Listings.Listing(ctx, hidden); err != nil || l.Status != models.StatusEnded {
			t.Errorf("restored: %+v, %v", l, err)
		}
	})
}

// TestDisputesAreReviewed checks the queue of an operator and both decisions.
func TestDisputesAreReviewed(t *testing.T) {
	t.Parallel()
	eachSaleMarket(t, func(t *testing.T, m *saleMarket) {
		ctx := t.Context()
		var ids []string
		for range 2 {
			m.now = m.now.Add(time.Second)
			listing, offer := m.sold(m.john)
			m.take(offer, store.Answer{Step: models.Dispute, By: m.john, Message: "The meter is dead."})
			ids = append(ids, m.saleOf(listing).ID)
			disputes, err := m.Trades.Disputes(ctx, []string{offer})
			if err != nil || disputes[offer].Text != "The meter is dead." {
				t.Errorf("disputes %+v, %v", disputes, err)
			}
		}
		waiting := func(want ...string) {
			t.Helper()
			sales, err := m.Trades.SalesToReview(ctx, store.SaleKey{}, 10)
			must(t, err)
			var got []string
			for _, s := range sales {
				got = append(got, s.ID)
			}
			if n, err := m.Trades.CountSalesToReview(ctx); err != nil || n != len(want) || !slices.Equal(got, want) {
				t.Errorf("to review: %q, %d counted, %v, want %q", got, n, err, want)
			}
		}
		waiting(ids...)
		_, err := m.Trades.ReviewSale(ctx, m.oskar, ids[0], "burn", "")
		wantError(t, err, problem.Invalid, "invalid_parameter")
		_, err = m.Trades.ReviewSale(ctx, m.oskar, ids[0], models.ApproveSale, "The meter works in his photos.")
		must(t, err)
		waiting(ids[1])
		_, err = m.Trades.ReviewSale(ctx, m.oskar, ids[1], models.VoidSale, "")
		must(t, err)
		waiting()
		m.wantConfirmed(1)
		sales, err := m.Trades.SalesByID(ctx, ids)
		must(t, err)
		if s := sales[ids[0]]; s.Status != models.SaleConfirmed || s.ApprovedAt != models.TimeOf(m.now) || s.SoldAt != models.TimeOf(m.now) {
			t.Errorf("approved: %+v", s)
		}
		_, err = m.Trades.ReviewSale(ctx, m.oskar, ids[0], models.ApproveSale, "")
		wantError(t, err, problem.Conflict, "wrong_status")
	})
}

// TestAgreementsAreKept checks that what was agreed on can't be edited, and that
// its photos stay, also when the listing changes after the sale is voided.
func TestAgreementsAreKept(t *testing.T) {
	t.Parallel()
	eachSaleMarket(t, func(t *testing.T, m *saleMarket) {
		ctx := t.Context()
		listing := inStatus(t, m.Store, m.jane, models.StatusActive)
		o, err := m.Trades.MakeOffer(ctx, listing, m.john, 40000, "", models.DeliveryRequest{})
		must(t, err)
		if a, err := m.Trades.Agreement(ctx, o.ID); a != nil || err != nil {
			t.Errorf("before it is accepted: %+v, %v", a, err)
		}
		m.take(o.ID, store.Answer{Step: models.Accept, By: m.jane})
		_, err = m.Listings.EditListing(ctx, listing, m.jane, 0, func(l *models.Listing) error { l.Condition = models.ConditionFaulty; return nil })
		wantError(t, err, problem.Conflict, "offer_accepted")
		_, err = m.Listings.RemovePhoto(ctx, listing, m.jane, "a")
		wantError(t, err, problem.Conflict, "offer_accepted")
		_, err = m.Listings.AddPhotos(ctx, listing, m.jane, []models.Photo{{Key: "c"}})
		wantError(t, err, problem.Conflict, "offer_accepted")
		_, err = m.Listings.ArrangePhotos(ctx, listing, m.jane, 0, store.Arrangement{MoveDown: "a"})
		wantError(t, err, problem.Conflict, "offer_accepted")

		a, err := m.Trades.Agreement(ctx, o.ID)
		must(t, err)
		if a.Amount != 40000 || a.AgreedAt != someTime || a.Listing.Text != "Used on weekends." || len(a.Listing.Photos) != 2 || a.Listing.Serial != "" {
			t.Errorf("agreed on %+v", a)
		}
		m.take(o.ID, store.Answer{Step: models.Complete, By: m.jane})
		_, err = m.Trades.ReviewSale(ctx, m.oskar, m.saleOf(listing).ID, models.VoidSale, "")
		must(t, err)
		must(t, advance(ctx, m.Store, listing, models.Move{Step: models.Relist, Seller: m.jane}))
		for _, key := range []string{"a", "b"} {
			_, err = m.Listings.RemovePhoto(ctx, listing, m.jane, key)
			must(t, err)
		}
		used, err := m.Listings.UsedPhotos(ctx, []string{"a", "b", "c"})
		must(t, err)
		slices.Sort(used)
		if !slices.Equal(used, []string{"a", "b"}) {
			t.Errorf("photos in use: %q", used)
		}
		for member, want := range map[string]bool{m.jane: true, m.john: true, m.olga: false} {
			if has, err := m.Listings.HasOwnPhoto(ctx, "a", member); err != nil || has != want {
				t.Errorf("a photo of the agreement is shown: %v, %v, want %v", has, err, want)
			}
		}

		withdrawn, err := m.Trades.MakeOffer(ctx, listing, m.olga, 40000, "", models.DeliveryRequest{})
		must(t, err)
		m.take(withdrawn.ID, store.Answer{Step: models.Accept, By: m.jane})
		m.take(withdrawn.ID, store.Answer{Step: models.Withdraw, By: m.jane})
		if a, err := m.Trades.Agreement(ctx, withdrawn.ID); a != nil || err != nil {
			t.Errorf("after withdrawing: %+v, %v", a, err)
		}
		_, err = m.Listings.EditListing(ctx, listing, m.jane, 0, func(l *models.Listing) error { l.Condition = models.ConditionFaulty; return nil })
		must(t, err)
	})
}

// TestImportKeepsAgreements checks that an import refuses to change a listing on
// which an offer is accepted.
func TestImportKeepsAgreements(t *testing.T) {
	t.Parallel()
	eachSaleMarket(t, func(t *testing.T, m *saleMarket) {
		ctx := t.Context()
		row := func(external string, price models.Cents) models.Listing {
			l := someListing(m.jane, 1)
			l.ExternalID, l.Price = external, price
			return l
		}
		rows := []models.Listing{row("1", 50000), row("2", 50000)}
		_, _, _, err := m.Listings.ImportListings(ctx, rows)
		must(t, err)
		o, err := m.Trades.MakeOffer(ctx, rows[0].ID, m.john, 40000, "", models.DeliveryRequest{})
		must(t, err)
		m.take(o.ID, store.Answer{Step: models.Accept, By: m.jane})
		inserted, updated, unchanged, err := m.Listings.ImportListings(ctx, []models.Listing{row("1", 60000), row("2", 60000)})
		if inserted != 0 || updated != 1 || unchanged != 1 || err != nil {
			t.Errorf("%d inserted, %d updated, %d unchanged, %v", inserted, updated, unchanged, err)
		}
		if l, err := m.Listings.Listing(ctx, rows[0].ID); err != nil || l.Price != 50000 {
			t.Errorf("imported over %+v, %v", l, err)
		}
	})
}

// TestBlockedMembersLeaveOffers checks what a member can do with an offer of
// somebody who has blocked them.
func TestBlockedMembersLeaveOffers(t *testing.T) {
	t.Parallel()
	eachSaleMarket(t, func(t *testing.T, m *saleMarket) {
		ctx := t.Context()
		o, err := m.Trades.MakeOffer(ctx, inStatus(t, m.Store, m.jane, models.StatusActive), m.john, 40000, "", models.DeliveryRequest{})
		must(t, err)
		m.take(o.ID, store.Answer{Step: models.Counter, By: m.jane, Amount: 45000})
		must(t, m.Trades.Block(ctx, m.jane, m.john, true))
		for _, step := range []models.OfferStep{models.Counter, models.Accept} {
			_, err = m.Trades.AnswerOffer(ctx, o.ID, store.Answer{Step: step, By: m.john, Amount: 41000})
			wantError(t, err, problem.Forbidden, "blocked")
		}
		m.take(o.ID, store.Answer{Step: models.Decline, By: m.john})
		_, offer := m.sold(m.olga)
		must(t, m.Trades.Block(ctx, m.jane, m.olga, true))
		m.take(offer, store.Answer{Step: models.Dispute, By: m.olga, Message: "It never arrived."})
	})
}

// TestRecentSales tests that a listing is compared with public sales: of the
// gear, in the conditions asked for, confirmed, newest first.
func TestRecentSales(t *testing.T) {
	t.Parallel()
	eachSaleMarket(t, func(t *testing.T, m *saleMarket) {
		sale := func(id, gear string, c models.Condition, days int, change func(*models.Sale)) models.Sale {
			s := models.Sale{ExternalID: id, Gear: gear, Condition: c, Price: 50000, SoldAt: someTime - models.Time(days)*86_400_000, Region: "DE"}
			if change != nil {
				change(&s)
			}
			return s
		}
		r6 := "canon/eos-r6"
		_, _, err := m.Trades.ImportSales(t.Context(), []models.Sale{
			sale("older", r6, models.ConditionGood, 3, nil),
			sale("newer", r6, models.ConditionExcellent, 1, nil),
			sale("faulty", r6, models.ConditionFaulty, 2, nil),
			sale("other gear", "leica/m6", models.ConditionGood, 2, nil),
			sale("voided", r6, models.ConditionGood, 2, func(s *models.Sale) { s.VoidedAt = someTime }),
			sale("newcomer", r6, models.ConditionGood, 2, func(s *models.Sale) { s.Newcomer = true }),
			sale("waiting", r6, models.ConditionGood, 2, func(s *models.Sale) { s.Status = models.SaleWaiting }),
			sale("declared", r6, models.ConditionGood, 2, func(s *models.Sale) { s.Source = models.SaleDeclared }),
		})
		must(t, err)
		for limit, want := range map[int][]string{5: {"newer", "older"}, 1: {"newer"}} {
			sales, err := m.Trades.RecentSales(t.Context(), r6, models.ConditionGood.Near(), limit)
			must(t, err)
			var got []string
			for _, s := range sales {
				got = append(got, s.ExternalID)
			}
			if !slices.Equal(got, want) {
				t.Errorf("the last %d are %v, want %v", limit, got, want)
			}
		}
	})
}

func TestNearConditions(t *testing.T) {
	t.Parallel()
	for c, want := range map[models.Condition][]models.Condition{
		models.ConditionNew:    {models.ConditionNew, models.ConditionLikeNew},
		models.ConditionGood:   {models.ConditionExcellent, models.ConditionGood, models.ConditionWellUsed},
		models.ConditionFaulty: {models.ConditionHeavilyUsed, models.ConditionFaulty},
		"mint":                 nil,
	} {
		if got := c.Near(); !slices.Equal(got, want) {
			t.Errorf("near %q are %v, want %v", c, got, want)
		}
	}
}
