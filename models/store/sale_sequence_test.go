package store_test

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestSaleSequences drives the code and the model of it side by side: it takes random steps
// with a listing and the offers on it. The code must take a step if and only if the model
// does, and both must be in the same state after it. Every sale must be what was agreed on.
// `make sequences` runs 10,000 sequences.
func TestSaleSequences(t *testing.T) {
	t.Parallel()
	skipUnderRace(t)
	storetest.EachURL(t, func(t *testing.T, url string) {
		m := newSaleModel()
		actions := m.actions()
		all := slices.SortedFunc(maps.Keys(actions), func(x, y action) int { return strings.Compare(x.String(), y.String()) })
		market := newSequences(t, url, m)
		rapid.Check(t, func(rt *rapid.T) {
			q := market.start(rt)
			q.try(action{step: "publish", buyer: -1, by: "seller"})
			for range 30 {
				from := all // mostly those that are possible, and those that trade
				if rapid.IntRange(0, 9).Draw(rt, "any") > 0 {
					from = nil
					for _, a := range all {
						if m.possible(actions[a], &q.state) != nil {
							from = append(from, slices.Repeat([]action{a}, map[bool]int{true: 1, false: 6}[a.buyer < 0 || a.step == "block" || a.by == "clock"])...)
						}
					}
				}
				if len(from) > 0 {
					q.try(rapid.SampledFrom(from).Draw(rt, "action"))
				}
			}
		})
		if len(market.reached) < len(models.OfferStatuses)/2 { // TestSaleGuards reaches all
			t.Errorf("offers reached %v", market.reached)
		}
		if _, repaired, err := market.store.Prices.RebuildTrends(t.Context()); err != nil || len(repaired) > 0 {
			t.Errorf("trends %q are not what their sales make them, %v", repaired, err)
		}
	})
}

// sequences makes sequences of steps in a database.
type sequences struct {
	test    *testing.T
	model   *saleModel
	actions map[action][]*rule
	store   *store.Store
	raw     *sql.DB
	now     time.Time
	number  int
	reached map[models.OfferStatus]int // how often offers were found in a status
}

func newSequences(t *testing.T, url string, m *saleModel) *sequences {
	s := &sequences{test: t, model: m, actions: m.actions(), raw: raw(t, url), now: time.UnixMilli(int64(someTime)), reached: map[models.OfferStatus]int{}}
	s.store = storetest.Open(t, url, func() time.Time { return s.now })
	return s
}

// Context returns the context of the test.
func (s *sequences) Context() context.Context { return s.test.Context() }

// sequence is a listing with two buyers, and what its test expects.
type sequence struct {
	rapid.TB
	*sequences
	trail    []string // steps so far
	state    state
	seller   string
	buyers   []string
	operator string
	listing  string
	offerIDs [2]string                 // of the last offers of the buyers
	agreed   map[string]models.Listing // by offer: the listing when it was accepted
	prices   map[string]models.Cents   // by offer: the price agreed on
}

func (s *sequences) start(t rapid.TB) *sequence {
	s.number++
	members := make([]models.Member, 4)
	for i := range members {
		members[i] = models.Member{Handle: fmt.Sprintf("member-%d-%d", s.number, i), Name: "Member", Region: "DE", JoinedAt: models.TimeOf(s.now.AddDate(-1, 0, 0))}
	}
	q := &sequence{TB: t, sequences: s, state: s.model.start, agreed: map[string]models.Listing{}, prices: map[string]models.Cents{}}
	q.must(s.store.Accounts.InsertMembers(s.Context(), members))
	listings := []models.Listing{someListing(members[0].ID, 1)}
	listings[0].Status = models.StatusDraft
	q.must(s.store.Listings.InsertListings(s.Context(), listings))
	q.seller, q.buyers, q.operator, q.listing = members[0].ID, []string{members[1].ID, members[2].ID}, members[3].ID, listings[0].ID
	return q
}

// fail stops the test with the steps that led there.
func (q *sequence) fail(format string, args ...any) {
	q.Helper()
	q.Fatalf("%s\n%s", strings.Join(q.trail, ", "), fmt.Sprintf(format, args...))
}

func (q *sequence) must(err error) {
	q.Helper()
	if err != nil {
		q.fail("%v", err)
	}
}

// errRefused is the error of a step that nobody can try, because what it is about is not
// there.
var errRefused = &problem.Error{Message: problem.Textf("There is nothing to do.")}

// try takes a step in the model and in the code.
func (q *sequence) try(a action) {
	q.trail = append(q.trail, a.String())
	q.now = q.now.Add(time.Second)
	r := q.model.possible(q.actions[a], &q.state)
	if q.limited(a) {
		r = nil
	}
	err := q.take(a)
	var e *problem.Error
	if err != nil && !errors.As(err, &e) {
		q.fail("%v", err)
	}
	if a.by != "clock" && (err == nil) != (r != nil) {
		q.fail("the code answers %v, the model %v", err, r)
	}
	if r != nil {
		q.state = q.model.take(r, q.state)
	}
	for _, i := range q.model.invariants {
		if !q.model.is(i.is, &q.state) {
			q.fail("the model is wrong: %s", i.name)
		}
	}
	q.compare()
}

// limited reports whether a step is a counter-offer too many: the model doesn't count them.
func (q *sequence) limited(a action) bool {
	return a.step == string(models.Counter) && slices.ContainsFunc(q.offers(), func(o models.Offer) bool {
		return o.ID == q.offerIDs[a.buyer] && o.ProposalsLeft() == 0
	})
}

// take takes a step in the code.
func (q *sequence) take(a action) error {
	ctx, by := q.Context(), map[string]string{"seller": q.seller, "operator": q.operator}[a.by]
	offer := ""
	if a.buyer >= 0 {
		offer = q.offerIDs[a.buyer]
		if a.by == "buyer" {
			by = q.buyers[a.buyer]
		}
	}
	switch a.step {
	case "edit":
		return q.edit()
	case makeStep, buyStep, instantStep:
		return q.offer(a, by)
	case "block", "unblock":
		return errors.Join(q.store.Trades.Block(ctx, q.seller, by, a.step == "block"), q.store.Trades.Block(ctx, by, q.seller, a.step == "block"))
	case "expire_offer":
		q.overdue(`UPDATE offers SET expires_at = $1 WHERE id = $2 AND status IN ('pending', 'countered')`, offer)
		return q.store.Trades.ExpireOffers(ctx)
	case "silence":
		q.overdue(`UPDATE sales SET confirm_at = $1 WHERE offer_id = $2`, offer)
		q.overdue(`UPDATE handovers SET remind_at = $1 WHERE offer_id = $2 AND remind_at > 0`, offer)
		return errors.Join(q.store.Trades.RemindTraders(ctx, 1000), q.store.Trades.ConfirmSales(ctx, 1000))
	case "approve", "void":
		if offer == "" && a.buyer >= 0 {
			return errRefused
		}
		return q.review(map[string]models.ModerationAction{"approve": models.ApproveSale, "void": models.VoidSale}[a.step], offer)
	case string(models.Remove), string(models.Restore):
		_, err := q.store.Moderation.Moderate(ctx, q.operator, q.listing, map[string]models.ModerationAction{"remove": models.RemoveListing, "restore": models.RestoreListing}[a.step], "")
		return err
	}
	switch {
	case slices.Contains(models.OfferSteps, models.OfferStep(a.step)):
		return q.answer(offer, models.OfferStep(a.step), by)
	case slices.Contains(models.HandoverSteps, models.HandoverStep(a.step)):
		return q.handOver(offer, a, by)
	}
	return advance(ctx, q.store, q.listing, models.Move{Step: models.Step(a.step), Seller: by, Price: 70000})
}

// overdue runs a statement whose first parameter is now.
func (q *sequence) overdue(statement, offer string) {
	_, err := q.raw.ExecContext(q.Context(), statement, models.TimeOf(q.now), offer)
	q.must(err)
}

// amount returns a price that is below the asking price and seldom the same.
func (q *sequence) amount() models.Cents { return models.Cents(30000 + len(q.trail)*97%10000) }

// current returns the listing, or nil if it is deleted.
func (q *sequence) current() *models.Listing {
	l, err := q.store.Listings.OwnListing(q.Context(), q.listing, q.seller)
	var e *problem.Error
	if !errors.As(err, &e) {
		q.must(err)
	}
	return l
}

func (q *sequence) offers() []models.Offer {
	offers, err := q.store.Trades.Offers(q.Context(), q.seller, store.OfferKey{}, 1000)
	q.must(err)
	return offers
}

func (q *sequence) sales() []models.Sale {
	sales, err := q.store.Trades.SalesOf(q.Context(), q.seller, store.SaleKey{}, 1000)
	q.must(err)
	return sales
}

func (q *sequence) edit() error {
	n := len(q.trail)
	_, err := q.store.Listings.EditListing(q.Context(), q.listing, q.seller, 0, func(l *models.Listing) error {
		l.Gear, l.Condition = []string{"canon/eos-r6", "nikon/z-9", ""}[n%3], models.Conditions[n%len(models.Conditions)]
		l.Functional, l.Defects = models.Functionals[n%len(models.Functionals)], models.Defects[:n%3]
		l.Price, l.Shutter = models.Cents(50000+n*1000), n
		l.Title, l.Text = fmt.Sprint("Title ", n), fmt.Sprint("Text ", n)
		l.Photos = []models.Photo{{Key: fmt.Sprint(n), Width: 1280, Height: 853}}
		return nil
	})
	return err
}

// answer takes a step of an offer.
func (q *sequence) answer(offer string, step models.OfferStep, by string) error {
	before := q.current()
	after, err := q.store.Trades.AnswerOffer(q.Context(), offer, store.Answer{Step: step, By: by, Amount: q.amount(), Message: "Broken"})
	if err == nil && step == models.Accept {
		q.agreed[offer], q.prices[offer] = *before, after.Amount
	}
	return err
}

// offer makes an offer, or buys.
func (q *sequence) offer(a action, by string) error {
	ask := models.DeliveryRequest{Method: a.method, Address: "There"}
	before := q.current()
	var o *models.Offer
	var err error
	if a.step == makeStep {
		o, err = q.store.Trades.MakeOffer(q.Context(), q.listing, by, q.amount(), "", ask)
	} else {
		_, set := q.raw.ExecContext(q.Context(), `UPDATE listings SET buy_now = $1 WHERE id = $2`, map[string]models.BuyNow{buyStep: models.BuyConfirm, instantStep: models.BuyInstant}[a.step], q.listing)
		q.must(set)
		o, err = q.store.Trades.Buy(q.Context(), q.listing, by, 0, ask)
	}
	if err != nil {
		return err
	}
	q.offerIDs[a.buyer] = o.ID
	if o.Status == models.OfferAccepted {
		q.agreed[o.ID], q.prices[o.ID] = *before, o.Amount
	}
	return nil
}

// handOver takes a step of the hand-over of an offer.
func (q *sequence) handOver(offer string, a action, by string) error {
	m := models.HandoverMove{Step: models.HandoverStep(a.step), By: by, Method: a.method, Place: "Here", MeetAt: q.now.Add(time.Hour).UTC().Format(models.MeetLayout), Payment: "Cash", Shipment: models.Shipment{Tracking: "123"}}
	if a.gives {
		m.Address = "There"
	}
	if h := q.handover(offer); h != nil {
		m.Proposal = h.Proposal
	}
	_, err := q.store.Trades.MoveHandover(q.Context(), offer, m)
	return err
}

// review approves or voids the sale of an offer, or the one that the seller declared.
func (q *sequence) review(do models.ModerationAction, offer string) error {
	for _, s := range q.sales() {
		if s.OfferID == offer && (offer != "" || s.VoidedAt == 0) {
			if s.Held && do == models.ApproveSale {
				s.ID = "" // its price would be approved
			}
			_, err := q.store.Trades.ReviewSale(q.Context(), q.operator, s.ID, do, "")
			return err
		}
	}
	return errRefused
}

func (q *sequence) handover(offer string) *models.Handover {
	h, err := q.store.Trades.Handover(q.Context(), offer)
	q.must(err)
	return h
}

// compare fails if the code and the model are in different states.
func (q *sequence) compare() {
	l := q.current()
	if l == nil {
		q.same("listing", q.model.values["l_deleted"])
		return
	}
	q.same("listing", q.model.values["l_"+string(l.Status)])
	if l.Status == models.StatusRemoved {
		q.same("from", q.model.values["l_"+string(l.RemovedFrom)])
	}
	q.same("price", value(l.SoldPrice > 0))
	sales, declared := map[string]*models.Sale{}, false
	for _, s := range q.sales() {
		sales[s.OfferID] = &s
		declared = declared || s.OfferID == "" && s.VoidedAt == 0
	}
	q.same("declared", value(declared))
	for _, o := range q.offers() {
		q.reached[o.Status]++
		if b := slices.Index(q.offerIDs[:], o.ID); b >= 0 {
			q.compareOffer(b, &o, sales[o.ID])
		}
	}
}

// same fails if a variable of the model has another value than the code.
func (q *sequence) same(name string, code byte) {
	if model := q.state[q.model.variable(name)]; model != code {
		q.fail("%s is %d in the code and %d in the model: %v", name, code, model, q.model.values)
	}
}

// compareOffer compares the last offer of a buyer and its sale, if there is one, with the
// model, and checks what the model doesn't know.
func (q *sequence) compareOffer(b int, o *models.Offer, sale *models.Sale) {
	same := func(name string, code byte) { q.same(fmt.Sprint(name, b), code) }
	a, err := q.store.Trades.Agreement(q.Context(), o.ID)
	q.must(err)
	same("offer", q.model.values["o_"+string(o.Status)])
	same("bought", value(o.Bought && o.Status == models.OfferPending))
	asked := ""
	if o.AwaitsReply() {
		asked = string(o.Method)
	}
	same("asked", q.model.values[cmp.Or(asked, "none")])
	same("agreement", value(a != nil))
	h := q.handover(o.ID)
	if h == nil {
		same("handover", 0)
		if known := q.checkAddress(o, &models.Handover{}); known != (asked == string(models.Shipping)) {
			q.fail("an address is known: %t, asked for %q", known, asked)
		}
	} else {
		same("handover", q.model.values["h_"+string(h.Status)])
		same("method", q.model.values[cmp.Or(string(h.Method), "none")])
		same("address", value(q.checkAddress(o, h)))
	}
	if a != nil {
		want := q.agreed[o.ID]
		if got, want := content(&a.Listing), content(&want); !reflect.DeepEqual(got, want) || a.Amount != q.prices[o.ID] {
			q.fail("agreed on %+v for %d, stored %+v", want, q.prices[o.ID], a)
		}
	}
	if sale == nil {
		same("sale", 0)
		return
	}
	same("sale", q.model.values[string(sale.Status)])
	same("voided", value(sale.VoidedAt != 0))
	q.checkSale(o, h, sale)
}

// checkAddress checks who may see the address of a hand-over, and reports whether there is
// one.
func (q *sequence) checkAddress(o *models.Offer, h *models.Handover) bool {
	address := map[string]string{}
	for _, member := range append(q.buyers, q.seller, q.operator) {
		var err error
		address[member], err = q.store.Trades.HandoverAddress(q.Context(), o.ID, member)
		q.must(err)
		if address[member] != "" && member != o.BuyerID && (member != o.SellerID || !h.Shipped()) {
			q.fail("%s reads the address of %+v", member, h)
		}
	}
	if h.Shipped() && address[o.SellerID] == "" {
		q.fail("the seller has no address for %+v", h)
	}
	return address[o.BuyerID] != ""
}

// checkSale checks that a sale is what was agreed on, and its dates.
func (q *sequence) checkSale(o *models.Offer, h *models.Handover, sale *models.Sale) {
	want := q.agreed[o.ID]
	if sale.Gear != want.Gear || sale.Condition != want.Condition || sale.Region != want.Region || sale.Price != q.prices[o.ID] || sale.SellerID != o.SellerID || sale.BuyerID != o.BuyerID {
		q.fail("agreed on %+v for %d, sold %+v", want, q.prices[o.ID], sale)
	}
	if h.SentAt == 0 || (h.Status == models.HandoverReceived) != (h.ReceivedAt != 0) {
		q.fail("the offer is %s, its hand-over %+v", o.Status, h)
	}
	if o.Status == models.OfferCompleted && (o.ExpiresAt != sale.ConfirmAt || h.DueAt != o.ExpiresAt) {
		q.fail("silence confirms the offer at %d, the sale at %d, the hand-over is due at %d", o.ExpiresAt, sale.ConfirmAt, h.DueAt)
	}
}

// content returns what buyers rely on.
func content(l *models.Listing) models.Listing {
	return models.Listing{Gear: l.Gear, Category: l.Category, Title: l.Title, Text: l.Text, Item: models.Item{Condition: l.Condition, Functional: l.Functional, Defects: slices.Clip(append([]models.Defect{}, l.Defects...)), Included: l.Included, ItemDetails: l.ItemDetails},
		Price: l.Price, Region: l.Region, Photos: l.Photos}
}
