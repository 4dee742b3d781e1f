package store_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

var sequences = flag.Int("sequences", 100, "number of sequences of TestSaleSequences")

// TestSaleSequences takes random steps with a listing and the offers on it. After
// every step it checks that the states of listing, offers and sales agree, and that
// every sale is what was agreed on. `make sequences` runs 10,000 sequences.
func TestSaleSequences(t *testing.T) {
	t.Parallel()
	skipUnderRace(t)
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s := storetest.Open(t, url, func() time.Time { return now })
		reached, moved := map[models.OfferStatus]int{}, map[models.HandoverStep]int{}
		for seed := range *sequences {
			q := newSequence(t, s, &now, uint64(seed))
			if seed%2 == 0 { // a trade to begin with
				q.offer()
				q.take(q.offers()[0], models.Accept, q.seller)
			}
			for range 30 {
				q.step()
				q.check(reached)
			}
			for step, n := range q.moved {
				moved[step] += n
			}
		}
		for _, status := range models.OfferStatuses {
			if reached[status] == 0 {
				t.Errorf("no offer was %s: %v", status, reached)
			}
		}
		for _, step := range models.HandoverSteps {
			if moved[step] == 0 {
				t.Errorf("%s was never taken: %v", step, moved)
			}
		}
		if _, repaired, err := s.Prices.RebuildTrends(t.Context()); err != nil || len(repaired) > 0 {
			t.Errorf("trends %q are not what their sales make them, %v", repaired, err)
		}
	})
}

// sequence is a listing with two buyers, and what its test expects.
type sequence struct {
	*testing.T
	*rand.Rand
	trail    []string // steps so far
	store    *store.Store
	now      *time.Time
	seller   string
	buyers   []string
	operator string
	listing  string
	agreed   map[string]models.Listing // by offer: the listing when it was accepted
	prices   map[string]models.Cents   // by offer: the price agreed on
	moved    map[models.HandoverStep]int
}

func newSequence(t *testing.T, s *store.Store, now *time.Time, seed uint64) *sequence {
	members := make([]models.Member, 4)
	for i := range members {
		members[i] = models.Member{Handle: fmt.Sprintf("member-%d-%d", seed, i), Name: "Member", Region: "DE", JoinedAt: models.TimeOf(now.AddDate(-1, 0, 0))}
	}
	must(t, s.Accounts.InsertMembers(t.Context(), members))
	listings := []models.Listing{someListing(members[0].ID, 1)}
	must(t, s.Listings.InsertListings(t.Context(), listings))
	return &sequence{T: t, Rand: rand.New(rand.NewPCG(seed, 0)), trail: []string{fmt.Sprintf("sequence %d:", seed)}, store: s, now: now,
		seller: members[0].ID, buyers: []string{members[1].ID, members[2].ID}, operator: members[3].ID,
		listing: listings[0].ID, agreed: map[string]models.Listing{}, prices: map[string]models.Cents{}, moved: map[models.HandoverStep]int{}}
}

// fail stops the test with the steps that led there.
func (q *sequence) fail(format string, args ...any) {
	q.Helper()
	q.Fatalf("%s\n%s", strings.Join(q.trail, " "), fmt.Sprintf(format, args...))
}

// allow reports whether a step succeeded. A step may be refused with an error for
// readers.
func (q *sequence) allow(err error) bool {
	var e *problem.Error
	if err != nil && !errors.As(err, &e) {
		q.fail("%v", err)
	}
	return err == nil
}

// one returns a random element.
func one[T any](q *sequence, list []T) T { return list[q.IntN(len(list))] }

func (q *sequence) step() {
	steps := []struct {
		name   string
		weight int
		take   func()
	}{
		{"answer", 60, q.answer},
		{"handover", 30, func() {
			for range 1 + q.IntN(4) {
				q.handOver()
			}
		}},
		{"offer", 20, q.offer},
		{"edit", 10, q.edit},
		{"relist", 12, func() { q.advance(models.Move{Step: models.Relist}) }},
		{"reserve", 1, func() { q.advance(models.Move{Step: models.Reserve}) }},
		{"sell", 1, func() { q.advance(models.Move{Step: models.Sell, Price: 70000}) }},
		{"end", 1, func() { q.advance(models.Move{Step: models.End}) }},
		{"approve", 3, func() { q.review(models.ApproveSale) }},
		{"void", 6, func() { q.review(models.VoidSale) }},
		{"remove", 1, func() { q.moderate(models.RemoveListing) }},
		{"restore", 10, func() { q.moderate(models.RestoreListing) }},
		{"block", 1, func() { q.block(true) }},
		{"unblock", 3, func() { q.block(false) }},
		{"wait", 5, q.wait},
	}
	total := 0
	for _, s := range steps {
		total += s.weight
	}
	at := q.IntN(total)
	for _, s := range steps {
		if at -= s.weight; at < 0 {
			q.trail = append(q.trail, s.name)
			s.take()
			return
		}
	}
}

func (q *sequence) current() *models.Listing {
	l, err := q.store.Listings.OwnListing(q.Context(), q.listing, q.seller)
	must(q.T, err)
	return l
}

func (q *sequence) offers() []models.Offer {
	offers, err := q.store.Trades.Offers(q.Context(), q.seller, store.OfferKey{}, 1000)
	must(q.T, err)
	return offers
}

func (q *sequence) sales() []models.Sale {
	sales, err := q.store.Trades.SalesOf(q.Context(), q.seller, store.SaleKey{}, 1000)
	must(q.T, err)
	return sales
}

func (q *sequence) edit() {
	agreed := slices.ContainsFunc(q.offers(), func(o models.Offer) bool { return o.Status == models.OfferAccepted })
	_, err := q.store.Listings.EditListing(q.Context(), q.listing, q.seller, 0, func(l *models.Listing) error {
		l.Gear, l.Condition = one(q, []string{"canon/eos-r6", "nikon/z-9", ""}), one(q, models.Conditions)
		l.Functional, l.Defects = one(q, models.Functionals), models.Defects[:q.IntN(3)]
		l.Price, l.Shutter = models.Cents(1+q.IntN(1e6)), q.IntN(1e5)
		l.Title, l.Text = fmt.Sprint("Title ", q.Int()), fmt.Sprint("Text ", q.Int())
		l.Photos = []models.Photo{{Key: fmt.Sprint(q.Int()), Width: 1280, Height: 853}}
		return nil
	})
	var e *problem.Error
	if edited := q.allow(err); agreed && (edited || !errors.As(err, &e) || e.Code != "offer_accepted") {
		q.fail("edited while an offer was accepted: %v", err)
	}
}

func (q *sequence) offer() {
	_, err := q.store.Trades.MakeOffer(q.Context(), q.listing, one(q, q.buyers), models.Cents(1+q.IntN(40000)), "")
	q.allow(err)
}

// answer takes a step of an offer, mostly one that the member may take.
func (q *sequence) answer() {
	offers := q.offers()
	if len(offers) == 0 {
		return
	}
	o := offers[0] // changed last
	if q.IntN(3) == 0 {
		o = one(q, offers)
	}
	by := one(q, append(q.buyers, q.seller))
	if q.IntN(10) > 0 {
		by = one(q, []string{o.BuyerID, o.SellerID})
	}
	step := one(q, models.OfferSteps)
	if steps := o.Steps(by); len(steps) > 0 && q.IntN(10) > 0 {
		step = one(q, steps)
	}
	if step == models.Withdraw && q.IntN(4) > 0 {
		return // it leads nowhere
	}
	q.take(o, step, by)
}

// take takes a step of an offer.
func (q *sequence) take(o models.Offer, step models.OfferStep, by string) {
	q.trail = append(q.trail, string(step))
	before := q.current()
	after, err := q.store.Trades.AnswerOffer(q.Context(), o.ID, store.Answer{Step: step, By: by, Amount: models.Cents(1 + q.IntN(1e6)), Message: "Broken"})
	if q.allow(err) && step == models.Accept {
		q.agreed[o.ID], q.prices[o.ID] = *before, after.Amount
	}
}

// handOver takes a step of the hand-over of an offer, mostly one that the member may
// take. A step that the member may not take must be refused.
func (q *sequence) handOver() {
	offers := slices.DeleteFunc(q.offers(), func(o models.Offer) bool { h := q.handover(o.ID); return h == nil })
	if len(offers) == 0 {
		q.answer()
		return
	}
	o := offers[0] // changed last
	by := one(q, []string{o.BuyerID, o.SellerID})
	if q.IntN(10) == 0 {
		by = one(q, append(q.buyers, q.operator))
	}
	h := q.handover(o.ID)
	step := one(q, models.HandoverSteps)
	steps := h.Steps(&o, by)
	if len(steps) > 0 && q.IntN(10) > 0 {
		step = one(q, append(steps, steps[0])) // the one that leads on first
	}
	if h.Status == models.HandoverAgreed && o.Status == models.OfferAccepted && q.IntN(4) > 0 {
		q.take(o, models.Complete, o.SellerID)
		return
	}
	q.trail = append(q.trail, string(step))
	_, err := q.store.Trades.MoveHandover(q.Context(), o.ID, models.HandoverMove{Step: step, By: by, Method: one(q, []models.HandoverMethod{models.Pickup, models.Shipping, models.Shipping}),
		Place: "Here", MeetAt: q.now.Add(time.Hour).UTC().Format(models.MeetLayout), Address: one(q, []string{"", "There", "There"}), Proposal: h.Proposal - q.IntN(4)/3,
		Payment: "Cash", Shipment: models.Shipment{Tracking: fmt.Sprint(q.Int())}})
	if q.allow(err) {
		if !slices.Contains(steps, step) {
			q.fail("%s is taken by %s from %+v", step, by, h)
		}
		q.moved[step]++
	}
}

func (q *sequence) handover(offer string) *models.Handover {
	h, err := q.store.Trades.Handover(q.Context(), offer)
	must(q.T, err)
	return h
}

// checkHandover checks that a hand-over is in a status that fits its offer, and who
// may see the address.
func (q *sequence) checkHandover(o *models.Offer, sale *models.Sale) {
	h := q.handover(o.ID)
	if (h != nil) != (o.Status == models.OfferAccepted || sale != nil) {
		q.fail("the offer is %s, its hand-over %+v", o.Status, h)
	}
	address := map[string]string{}
	for _, member := range append(q.buyers, q.seller, q.operator) {
		var err error
		address[member], err = q.store.Trades.HandoverAddress(q.Context(), o.ID, member)
		must(q.T, err)
		if address[member] != "" && member != o.BuyerID && (member != o.SellerID || !h.Shipped()) {
			q.fail("%s reads the address of %+v", member, h)
		}
	}
	if h == nil {
		return
	}
	handedOver := h.Status == models.HandoverSent || h.Status == models.HandoverReceived
	if handedOver != (sale != nil) || handedOver != (h.SentAt != 0) || (h.Status == models.HandoverReceived) != (h.ReceivedAt != 0) {
		q.fail("the offer is %s, its hand-over %+v", o.Status, h)
	}
	if h.Shipped() && address[o.SellerID] == "" {
		q.fail("the seller has no address for %+v", h)
	}
	if o.Status == models.OfferCompleted && (o.ExpiresAt != sale.ConfirmAt || h.DueAt != o.ExpiresAt) {
		q.fail("silence confirms the offer at %d, the sale at %d, the hand-over is due at %d", o.ExpiresAt, sale.ConfirmAt, h.DueAt)
	}
}

func (q *sequence) advance(move models.Move) {
	move.Seller = q.seller
	q.allow(advance(q.Context(), q.store, q.listing, move))
}

func (q *sequence) review(action models.ModerationAction) {
	if sales := q.sales(); len(sales) > 0 {
		_, err := q.store.Trades.ReviewSale(q.Context(), q.operator, one(q, sales).ID, action, "")
		q.allow(err)
	}
}

func (q *sequence) moderate(action models.ModerationAction) {
	_, err := q.store.Moderation.Moderate(q.Context(), q.operator, q.listing, action, "")
	q.allow(err)
}

func (q *sequence) block(block bool) {
	by, other := q.seller, one(q, q.buyers)
	if q.IntN(2) == 0 {
		by, other = other, by
	}
	q.allow(q.store.Trades.Block(q.Context(), by, other, block))
}

// wait lets offers expire and silence confirm sales.
func (q *sequence) wait() {
	*q.now = q.now.Add(one(q, []time.Duration{time.Hour, models.OfferLifetime, models.ConfirmationPeriod, models.ShippingPeriod}))
	must(q.T, q.store.Trades.ExpireOffers(q.Context()))
	must(q.T, q.store.Trades.ConfirmSales(q.Context(), 100))
	must(q.T, q.store.Trades.RemindTraders(q.Context(), 100))
}

// check fails if states disagree, and counts the states of offers.
func (q *sequence) check(reached map[models.OfferStatus]int) {
	l, offers := q.current(), q.offers()
	accepted := 0
	for _, o := range offers {
		reached[o.Status]++
		if o.Status == models.OfferAccepted {
			accepted++
		}
	}
	if accepted > 1 || accepted == 1 && l.Status != models.StatusReserved {
		q.fail("%d offers are accepted, the listing is %s", accepted, l.Status)
	}
	valid, byOffer := 0, map[string]*models.Sale{}
	for _, s := range q.sales() {
		if s.VoidedAt == 0 {
			valid++
		}
		if s.OfferID != "" {
			byOffer[s.OfferID] = &s
		}
	}
	if valid > 1 || l.Status != models.StatusRemoved && (l.Status == models.StatusSold) != (valid == 1) {
		q.fail("the listing is %s, with %d sales that are not voided", l.Status, valid)
	}
	for i := range offers {
		q.checkOffer(&offers[i], byOffer[offers[i].ID])
		q.checkHandover(&offers[i], byOffer[offers[i].ID])
	}
}

// checkOffer checks the sale and the agreement of an offer.
func (q *sequence) checkOffer(o *models.Offer, sale *models.Sale) {
	a, err := q.store.Trades.Agreement(q.Context(), o.ID)
	must(q.T, err)
	switch {
	case (sale != nil) != (o.Sold() || o.Status == models.OfferVoided):
		q.fail("the offer is %s, its sale %+v", o.Status, sale)
	case (a != nil) != (o.Status == models.OfferAccepted || sale != nil):
		q.fail("the offer is %s, its agreement %+v", o.Status, a)
	case a == nil:
		return
	}
	want := q.agreed[o.ID]
	if got, want := content(&a.Listing), content(&want); !reflect.DeepEqual(got, want) || a.Amount != q.prices[o.ID] {
		q.fail("agreed on %+v for %d, stored %+v", want, q.prices[o.ID], a)
	}
	if sale == nil {
		return
	}
	if sale.Gear != want.Gear || sale.Condition != want.Condition || sale.Region != want.Region || sale.Price != q.prices[o.ID] || sale.SellerID != o.SellerID || sale.BuyerID != o.BuyerID {
		q.fail("agreed on %+v for %d, sold %+v", want, q.prices[o.ID], sale)
	}
	status := map[models.OfferStatus]models.SaleStatus{models.OfferCompleted: models.SaleWaiting, models.OfferDisputed: models.SaleDisputed, models.OfferConfirmed: models.SaleConfirmed}
	if (o.Status == models.OfferVoided) != (sale.VoidedAt != 0) || o.Status != models.OfferVoided && sale.Status != status[o.Status] {
		q.fail("the offer is %s, its sale %s, voided at %d", o.Status, sale.Status, sale.VoidedAt)
	}
}

// content returns what buyers rely on.
func content(l *models.Listing) models.Listing {
	return models.Listing{Gear: l.Gear, Category: l.Category, Title: l.Title, Text: l.Text, Item: models.Item{Condition: l.Condition, Functional: l.Functional, Defects: slices.Clip(append([]models.Defect{}, l.Defects...)), Included: l.Included, ItemDetails: l.ItemDetails},
		Price: l.Price, Region: l.Region, Photos: l.Photos}
}
