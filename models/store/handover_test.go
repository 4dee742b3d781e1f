package store_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// trade is an accepted offer of john on a listing of jane.
type trade struct {
	*store.Store
	*testing.T
	now        time.Time
	jane, john string
	offer      string
}

func newTrade(t *testing.T, url string) *trade {
	d := &trade{T: t, now: time.UnixMilli(int64(someTime))}
	d.Store = storetest.Open(t, url, func() time.Time { return d.now })
	d.jane, d.john = account(t, d.Store, "jane").ID, account(t, d.Store, "john").ID
	d.accept()
	return d
}

// accept makes and accepts an offer on a new listing.
func (d *trade) accept() {
	o, err := d.Trades.MakeOffer(d.Context(), inStatus(d.T, d.Store, d.jane, models.StatusActive), d.john, 40000, "", models.DeliveryRequest{})
	must(d.T, err)
	d.offer = o.ID
	d.answer(models.Accept, d.jane, "")
}

func (d *trade) answer(step models.OfferStep, by, want string) {
	d.Helper()
	_, err := d.Trades.AnswerOffer(d.Context(), d.offer, store.Answer{Step: step, By: by, Message: "It is scratched."})
	d.want(err, string(step), want)
}

// move takes a step and checks the code of its error, "" for none.
func (d *trade) move(m models.HandoverMove, want string) {
	d.Helper()
	_, err := d.Trades.MoveHandover(d.Context(), d.offer, m)
	d.want(err, string(m.Step), want)
}

func (d *trade) want(err error, what, want string) {
	d.Helper()
	var e *problem.Error
	code := ""
	if errors.As(err, &e) {
		code = e.Code
	} else if err != nil {
		d.Fatalf("%s: %v", what, err)
	}
	if code != want {
		d.Fatalf("%s is %q, want %q: %v", what, code, want, err)
	}
}

func (d *trade) handover() *models.Handover {
	d.Helper()
	h, err := d.Trades.Handover(d.Context(), d.offer)
	must(d.T, err)
	return h
}

func (d *trade) address(member string) string {
	d.Helper()
	address, err := d.Trades.HandoverAddress(d.Context(), d.offer, member)
	must(d.T, err)
	return address
}

const someAddress = "John Doe\nHauptstraße 1\n10115 Berlin\nGermany"

func (d *trade) proposeShipping(by string) models.HandoverMove {
	return models.HandoverMove{Step: models.ProposeHandover, By: by, Method: models.Shipping}
}

func (d *trade) agree(by string) models.HandoverMove {
	return models.HandoverMove{Step: models.AgreeHandover, By: by, Proposal: d.handover().Proposal}
}

// ship agrees on shipping and sends the item.
func (d *trade) ship() {
	d.Helper()
	m := d.proposeShipping(d.john)
	m.Address = someAddress
	d.move(m, "")
	d.move(d.agree(d.jane), "")
	_, err := d.Trades.AnswerOffer(d.Context(), d.offer, store.Answer{Step: models.Complete, By: d.jane,
		Shipment: models.Shipment{Carrier: "DHL", Tracking: "003404", TrackingURL: "https://www.dhl.example/003404"}})
	must(d.T, err)
}

// TestShipping follows an item that is sent, and who may see the address when.
func TestShipping(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		d := newTrade(t, url)
		olga := account(t, d.Store, "olga").ID
		d.move(d.agree(d.john), "wrong_status")
		d.move(d.proposeShipping(olga), "offer_not_found")
		d.move(d.proposeShipping(d.john), "invalid_parameter") // no address
		if h := d.handover(); h.Status != models.HandoverOpen || h.DueAt != models.TimeOf(d.now.Add(models.ArrangePeriod)) {
			t.Errorf("accepted: %+v", h)
		}
		m := d.proposeShipping(d.john)
		m.Address = someAddress
		d.move(m, "")
		if d.address(d.john) != someAddress || d.address(d.jane) != "" || d.address(olga) != "" {
			t.Error("the address of a proposal is shown to others")
		}
		d.move(d.agree(d.john), "not_your_turn")
		agree := d.agree(d.jane)
		d.move(m, "") // again, while jane reads the first
		d.move(agree, "handover_changed")
		d.move(d.agree(d.jane), "")
		d.move(d.agree(d.jane), "wrong_status")
		if d.address(d.john) != someAddress || d.address(d.jane) != someAddress || d.address(olga) != "" {
			t.Error("the address is not shown to the two")
		}
		d.move(models.HandoverMove{Step: models.SetPayment, By: d.john, Payment: "Cash"}, "not_your_turn")
		d.move(models.HandoverMove{Step: models.SetPayment, By: d.jane, Payment: "Bank transfer", Link: "http://pay.example.com"}, "invalid_parameter")
		d.move(models.HandoverMove{Step: models.SetPayment, By: d.jane, Payment: "Bank transfer", Link: "https://pay.example.com/jane"}, "")
		d.move(models.HandoverMove{Step: models.ReceiveItem, By: d.john}, "wrong_status")
		d.move(models.HandoverMove{Step: models.SetTracking, By: d.jane}, "wrong_status")
		_, err := d.Trades.AnswerOffer(t.Context(), d.offer, store.Answer{Step: models.Complete, By: d.jane, Shipment: models.Shipment{TrackingURL: "javascript:alert(1)"}})
		d.want(err, "complete", "invalid_parameter")
		_, err = d.Trades.AnswerOffer(t.Context(), d.offer, store.Answer{Step: models.Complete, By: d.jane, Shipment: models.Shipment{Carrier: "DHL"}})
		must(t, err)
		d.move(m, "wrong_status")
		d.move(models.HandoverMove{Step: models.SetTracking, By: d.john, Shipment: models.Shipment{Carrier: "UPS"}}, "not_your_turn")
		d.move(models.HandoverMove{Step: models.SetTracking, By: d.jane, Shipment: models.Shipment{Carrier: "UPS", Tracking: "1Z"}}, "")
		o, err := d.Trades.Offer(t.Context(), d.offer, d.john)
		must(t, err)
		if h := d.handover(); h.Status != models.HandoverSent || h.Carrier != "UPS" || h.Tracking != "1Z" || o.ExpiresAt != models.TimeOf(d.now.Add(models.ShippingPeriod)) {
			t.Errorf("sent: %+v, %+v", h, o)
		}
		d.now = d.now.Add(20 * 24 * time.Hour)
		must(t, d.Trades.ConfirmSales(t.Context(), 10))
		d.move(models.HandoverMove{Step: models.ReceiveItem, By: d.jane}, "not_your_turn")
		d.move(models.HandoverMove{Step: models.ReceiveItem, By: d.john}, "")
		d.move(models.HandoverMove{Step: models.ReceiveItem, By: d.john}, "wrong_status")
		d.now = d.now.Add(models.ConfirmationPeriod - time.Hour)
		must(t, d.Trades.ConfirmSales(t.Context(), 10))
		if o, err := d.Trades.Offer(t.Context(), d.offer, d.john); err != nil || o.Status != models.OfferCompleted {
			t.Errorf("the sale is %s before its time, %v", o.Status, err)
		}
		d.now = d.now.Add(time.Hour)
		must(t, d.Trades.ConfirmSales(t.Context(), 10))
		if o, err := d.Trades.Offer(t.Context(), d.offer, d.john); err != nil || o.Status != models.OfferConfirmed {
			t.Errorf("the sale is %s after 7 days of silence, %v", o.Status, err)
		}
	})
}

// TestPickup follows an item that is picked up.
func TestPickup(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		d := newTrade(t, url)
		propose := models.HandoverMove{Step: models.ProposeHandover, By: d.jane, Method: models.Pickup, Place: "Berlin Hauptbahnhof", MeetAt: d.now.Add(72 * time.Hour).UTC().Format(models.MeetLayout)}
		for _, wrong := range []func(*models.HandoverMove){
			func(m *models.HandoverMove) { m.Place = " " },
			func(m *models.HandoverMove) { m.Place = strings.Repeat("é", models.MaxPlace+1) },
			func(m *models.HandoverMove) { m.MeetAt = "Saturday" },
			func(m *models.HandoverMove) { m.MeetAt = "2001-01-01T10:00" },
			func(m *models.HandoverMove) { m.MeetAt = "2099-01-01T10:00" },
			func(m *models.HandoverMove) { m.Method = "pigeon" },
		} {
			m := propose
			wrong(&m)
			d.move(m, "invalid_parameter")
		}
		d.move(propose, "")
		ship := d.proposeShipping(d.john)
		ship.Address = someAddress
		d.move(ship, "") // the buyer wants it sent
		d.move(propose, "")
		if d.address(d.john) != "" {
			t.Error("the address is stored after a pick-up was proposed")
		}
		d.move(d.agree(d.john), "")
		_, err := d.Trades.AnswerOffer(t.Context(), d.offer, store.Answer{Step: models.Complete, By: d.jane, Shipment: models.Shipment{Carrier: "DHL"}})
		d.want(err, "complete with a carrier", "wrong_status")
		d.answer(models.Complete, d.jane, "")
		o, err := d.Trades.Offer(t.Context(), d.offer, d.john)
		must(t, err)
		if h := d.handover(); h.Status != models.HandoverReceived || o.ExpiresAt != models.TimeOf(d.now.Add(models.ConfirmationPeriod)) {
			t.Errorf("picked up: %+v, %+v", h, o)
		}
		d.move(models.HandoverMove{Step: models.ReceiveItem, By: d.john}, "wrong_status")
	})
}

// TestBlockedTraders tests which steps a member can take towards somebody who has
// blocked them.
func TestBlockedTraders(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		d := newTrade(t, url)
		must(t, d.Trades.Block(t.Context(), d.jane, d.john, true))
		m := d.proposeShipping(d.john)
		m.Address = someAddress
		d.move(m, "blocked")
		if d.address(d.john) != "" {
			t.Error("the address of a refused step is stored")
		}
		must(t, d.Trades.Block(t.Context(), d.jane, d.john, false))
		d.ship()
		must(t, d.Trades.Block(t.Context(), d.jane, d.john, true))
		must(t, d.Trades.Block(t.Context(), d.john, d.jane, true))
		d.move(models.HandoverMove{Step: models.SetTracking, By: d.jane, Shipment: models.Shipment{Tracking: "7"}}, "")
		d.move(models.HandoverMove{Step: models.ReceiveItem, By: d.john}, "")
		d.answer(models.Dispute, d.john, "")
		_, err := d.Trades.AddEvidence(t.Context(), d.offer, d.jane, "It was fine.")
		must(t, err)
	})
}

// TestConcurrentHandover tests that one of several steps at the same time is taken.
func TestConcurrentHandover(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		d := newTrade(t, url)
		m := d.proposeShipping(d.john)
		m.Address = someAddress
		d.move(m, "")
		race := func(move models.HandoverMove) {
			t.Helper()
			var group sync.WaitGroup
			var mu sync.Mutex
			taken := 0
			for range 8 {
				group.Go(func() {
					_, err := d.Trades.MoveHandover(t.Context(), d.offer, move)
					var e *problem.Error
					if err != nil && !errors.As(err, &e) {
						t.Error(err)
					}
					mu.Lock()
					defer mu.Unlock()
					if err == nil {
						taken++
					}
				})
			}
			group.Wait()
			if taken != 1 {
				t.Errorf("%s was taken %d times", move.Step, taken)
			}
		}
		race(d.agree(d.jane))
		d.answer(models.Complete, d.jane, "")
		race(models.HandoverMove{Step: models.ReceiveItem, By: d.john})
	})
}

// TestEvidence tests who can add to a dispute, and how often.
func TestEvidence(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		d := newTrade(t, url)
		ctx, olga := t.Context(), account(t, d.Store, "olga").ID
		add := func(by, text, want string) {
			t.Helper()
			_, err := d.Trades.AddEvidence(ctx, d.offer, by, text)
			d.want(err, "evidence", want)
		}
		d.ship()
		add(d.john, "It is scratched.", "wrong_status")
		d.answer(models.Dispute, d.john, "")
		add(olga, "I know better.", "offer_not_found")
		add(d.jane, " ", "invalid_parameter")
		for i := range models.MaxEvidence {
			add(d.jane, fmt.Sprint("It was fine ", i), "")
		}
		add(d.jane, "Really.", "too_much_evidence")
		dented := []models.Photo{{Key: "6f1c0b1e9d0a4c55b3b0a7a5a4d3e2f1", Width: 640, Height: 480, Bytes: 9000}, {Key: "0f1c0b1e9d0a4c55b3b0a7a5a4d3e2f1", Width: 480, Height: 640, Bytes: 8000}}
		_, err := d.Trades.AddEvidence(ctx, d.offer, d.john, "It was not.", slices.Repeat(dented, 3)...)
		d.want(err, "evidence", "invalid_parameter")
		_, err = d.Trades.AddEvidence(ctx, d.offer, d.john, "It was not.", dented...)
		must(t, err)
		boss, err := d.Accounts.CreateAccount(ctx, registration("boss"), models.RoleOperator)
		must(t, err)
		for member, want := range map[string]bool{d.jane: true, d.john: true, olga: false, boss.ID: true} {
			if has, err := d.Listings.HasOwnPhoto(ctx, dented[1].Key, member); err != nil || has != want {
				t.Errorf("%s can open the photo: %t, %v", member, has, err)
			}
		}
		if used, err := d.Listings.UsedPhotos(ctx, []string{dented[0].Key, "unused"}); err != nil || !slices.Equal(used, []string{dented[0].Key}) {
			t.Errorf("used are %q, %v", used, err)
		}
		all, err := d.Trades.EvidenceOf(ctx, []string{d.offer, d.offer, "unknown"})
		must(t, err)
		got := all[d.offer]
		if len(got) != models.MaxEvidence+1 || got[0].ByBuyer || got[0].Text != "It was fine 0" || !got[models.MaxEvidence].ByBuyer ||
			got[0].Photos != nil || !slices.Equal(got[models.MaxEvidence].Photos, dented) {
			t.Errorf("evidence %+v", got)
		}
		d.answer(models.Confirm, d.john, "")
		add(d.john, "Settled.", "wrong_status")
	})
}

// TestErasedAddresses tests that addresses are deleted when a trade is withdrawn, when the
// buyer's account is deleted, and 60 days after the end of a trade, and that they are in
// the export of the buyer alone.
func TestErasedAddresses(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		d := newTrade(t, url)
		ctx := t.Context()
		m := d.proposeShipping(d.john)
		m.Address = someAddress
		d.move(m, "")
		d.answer(models.Withdraw, d.jane, "")
		if d.address(d.john) != "" || d.handover() != nil {
			t.Error("the address is stored after the offer was withdrawn")
		}

		d.accept()
		d.move(models.HandoverMove{Step: models.SetPayment, By: d.jane, Payment: "To DE02 1203"}, "")
		d.ship()
		for member, want := range map[string]int{d.john: 1, d.jane: 0} {
			tables, err := d.Accounts.PersonalData(ctx, member)
			must(t, err)
			if got := rowsOf(tables, "handover_addresses"); got != want {
				t.Errorf("%d addresses in an export, want %d", got, want)
			}
			for _, table := range tables {
				if want == 0 && strings.Contains(fmt.Sprint(table.Rows), "Hauptstra") {
					t.Errorf("the seller's export has the address in %s", table.Name)
				}
			}
		}
		d.now = d.now.Add(100 * 24 * time.Hour)
		must(t, d.Accounts.DeleteExpired(ctx))
		if d.address(d.jane) != someAddress {
			t.Error("the address of an open trade is deleted")
		}
		d.answer(models.Confirm, d.john, "")
		d.now = d.now.Add(models.ErasePeriod - time.Hour)
		must(t, d.Accounts.DeleteExpired(ctx))
		if h := d.handover(); d.address(d.jane) != someAddress || h.Payment == "" || h.Erased {
			t.Error("the address is deleted too early")
		}
		d.now = d.now.Add(time.Hour)
		must(t, d.Accounts.DeleteExpired(ctx))
		if h := d.handover(); d.address(d.john) != "" || h.Payment != "" || h.Tracking != "" || h.TrackingURL != "" || !h.Erased || h.Status != models.HandoverSent {
			t.Errorf("60 days after the end: %+v", h)
		}

		d.accept()
		d.ship()
		must(t, d.Accounts.DeleteAccount(ctx, d.john))
		if d.address(d.jane) != "" {
			t.Error("the address is stored after the account was deleted")
		}
	})
}

// TestTradeReminders tests that each reminder goes to the right member, once.
func TestTradeReminders(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		d := newTrade(t, url)
		var sent []string
		d.SendNotices(func(n *models.Notice) models.Delivery {
			if strings.HasSuffix(string(n.Kind), "_reminder") {
				who := "jane"
				if n.To == d.john {
					who = "john"
				}
				sent = append(sent, string(n.Kind)+" "+who)
			}
			return models.Delivery{Kind: models.Mail, MemberID: n.To, Subject: "Subject", Body: "Body"}
		})
		remind := func(after time.Duration, want ...string) {
			t.Helper()
			d.now = d.now.Add(after)
			sent = nil
			for range 2 {
				must(t, d.Trades.RemindTraders(t.Context(), 10))
			}
			slices.Sort(sent)
			if !slices.Equal(sent, want) {
				t.Errorf("reminders %q, want %q", sent, want)
			}
		}
		remind(models.ArrangePeriod - 25*time.Hour)
		remind(time.Hour, "arrange_reminder jane", "arrange_reminder john")
		m := d.proposeShipping(d.john)
		m.Address = someAddress
		d.move(m, "")
		remind(models.ArrangePeriod-24*time.Hour, "agree_reminder jane")
		d.move(d.agree(d.jane), "")
		remind(models.SendPeriod-24*time.Hour, "send_reminder jane")
		d.move(models.HandoverMove{Step: models.ProposeHandover, By: d.jane, Method: models.Pickup, Place: "Here", MeetAt: d.now.Add(96 * time.Hour).UTC().Format(models.MeetLayout)}, "")
		d.move(d.agree(d.john), "")
		remind(73*time.Hour, "pickup_reminder jane", "pickup_reminder john")
		d.answer(models.Complete, d.jane, "")
		remind(models.ConfirmationPeriod-47*time.Hour, "confirm_reminder john")
		d.answer(models.Confirm, d.john, "")
		remind(100 * 24 * time.Hour)

		d.accept()
		d.ship()
		d.move(models.HandoverMove{Step: models.ReceiveItem, By: d.john}, "")
		d.answer(models.Dispute, d.john, "")
		remind(100 * 24 * time.Hour)
	})
}

// TestWaiting tests the pending tasks of both sides at each step.
func TestWaiting(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		d := newTrade(t, url)
		ctx := t.Context()
		want := func(jane, john string) {
			t.Helper()
			for member, want := range map[string]string{d.jane: jane, d.john: john} {
				waiting, err := d.Trades.WaitingFor(ctx, member, 10)
				must(t, err)
				var kinds []string
				for _, w := range waiting {
					kinds = append(kinds, string(w.Kind))
				}
				counts, err := d.Trades.CountWaiting(ctx, member)
				must(t, err)
				if got := strings.Join(kinds, " "); got != want || counts.Total()-counts.Unread != len(kinds) {
					t.Errorf("%q waits and %+v, want %q", got, counts, want)
				}
			}
		}
		want("arrange", "arrange")
		m := d.proposeShipping(d.john)
		m.Address = someAddress
		d.move(m, "")
		want("agree", "")
		d.move(d.agree(d.jane), "")
		want("send", "")
		d.answer(models.Complete, d.jane, "")
		want("", "confirm")
		d.answer(models.Confirm, d.john, "")
		want("", "")
		o, err := d.Trades.MakeOffer(ctx, inStatus(t, d.Store, d.jane, models.StatusActive), d.john, 40000, "", models.DeliveryRequest{})
		must(t, err)
		want("reply", "")
		_, err = d.Trades.AnswerOffer(ctx, o.ID, store.Answer{Step: models.Counter, By: d.jane, Amount: 41000})
		must(t, err)
		want("", "reply")
		d.now = d.now.Add(models.OfferLifetime)
		want("", "")
		_, _, err = d.Trades.SendMessage(ctx, o.ListingID, d.john, "Still there?")
		must(t, err)
		if counts, err := d.Trades.CountWaiting(ctx, d.jane); err != nil || counts != (models.WaitingCounts{Unread: 1}) {
			t.Errorf("counts %+v, %v", counts, err)
		}
	})
}

// TestPostage tests postage as sellers write it, and what it costs where.
func TestPostage(t *testing.T) {
	t.Parallel()
	eur := models.Currency{Code: "EUR", Digits: 2}
	for _, tt := range []struct{ text, stored, written, at, us string }{
		{"", "", "", "", ""},
		{"6,90", "DE=690", "DE 6.90", "", ""},
		{"€6.90", "DE=690", "DE 6.90", "", ""},
		{" Pick-up only ", "pickup", "pick-up only", "", ""},
		{"free", "WORLD=0", "free", "0", "0"},
		{"world 29, Germany: 6,90, EU 14.90", "DE=690 EU=1490 WORLD=2900", "DE 6.90, EU 14.90, world 29.00", "1490", "2900"},
		{"DE free\nAT 9", "DE=0 AT=900", "DE free, AT 9.00", "900", ""},
		{"DE=6.90 EU=14.90", "DE=690 EU=1490", "DE 6.90, EU 14.90", "1490", ""},
		{"AT 9 €, DE 5 EUR", "AT=900 DE=500", "AT 9.00, DE 5.00", "900", ""},
		{"DE 6,90, EU 14,90, Welt 29", "DE=690 EU=1490 WORLD=2900", "DE 6.90, EU 14.90, world 29.00", "1490", "2900"},
		{"nur Abholung", "pickup", "pick-up only", "", ""},
		{"Germany 6,90 € United States: 29 world free", "DE=690 US=2900 WORLD=0", "DE 6.90, US 29.00, world free", "0", "2900"},
	} {
		p, err := eur.ParsePostage(tt.text, "DE-BY")
		if err != nil || string(p) != tt.stored || p.Text(eur) != tt.written {
			t.Errorf("%q is %q, written %q, %v", tt.text, p, p.Text(eur), err)
		}
		for region, want := range map[models.Region]string{"AT": tt.at, "US-CA": tt.us} {
			got := ""
			if cents, ok := p.To(region); ok {
				got = fmt.Sprint(int64(cents))
			}
			if got != want {
				t.Errorf("%q to %s is %q, want %q", tt.text, region, got, want)
			}
		}
	}
	for _, text := range []string{"DE", "6,90", "DE 5, DE 6", "Atlantis 5", "DE 5 6", "US-CA 5", "DE -5", "DE 5 USD", strings.Repeat("DE 1, ", 20), "AT 1, BE 1, BG 1, CY 1, CZ 1, DE 1, DK 1, EE 1, ES 1, FI 1, FR 1, GR 1, HR 1"} {
		if p, err := eur.ParsePostage(text, ""); err == nil {
			t.Errorf("%q is %q", text, p)
		}
	}
}

// TestPurchases buys listings at once and with a confirmation, and follows what each step
// does to the listing, the address and the payment.
func TestPurchases(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		d := newTrade(t, url)
		ctx := t.Context()
		must(t, d.Trades.EditTradeSettings(ctx, d.jane, func(s *models.TradeSettings) {
			s.AccountHolder, s.IBAN, s.Cash = "Jane Doe", "de02 1203 0000 0000 2020 51", true
		}))
		d.want(d.Trades.EditTradeSettings(ctx, d.jane, func(s *models.TradeSettings) { s.IBAN = "DE03 1203 0000 0000 2020 51" }), "a wrong IBAN", "invalid_parameter")
		listing := ""
		sell := func(how models.BuyNow, postage models.Postage) {
			t.Helper()
			listing = inStatus(t, d.Store, d.jane, models.StatusActive)
			_, err := d.Listings.EditListing(ctx, listing, d.jane, 0, func(l *models.Listing) error { l.BuyNow, l.Postage = how, postage; return nil })
			must(t, err)
		}
		buy := func(price models.Cents, ask models.DeliveryRequest, want string) *models.Offer {
			t.Helper()
			o, err := d.Trades.Buy(ctx, listing, d.john, price, ask)
			d.want(err, "buy", want)
			if err == nil {
				d.offer = o.ID
			}
			return o
		}
		listed := func(want models.Status) {
			t.Helper()
			if l, err := d.Listings.Listing(ctx, listing); err != nil || l.Status != want {
				t.Errorf("the listing is %+v, %v, want %s", l, err, want)
			}
		}
		post := models.DeliveryRequest{Method: models.Shipping, Address: someAddress, Save: true}

		sell(models.BuyOff, "")
		buy(0, post, "no_buy_now")
		sell(models.BuyConfirm, "DE=690")
		buy(1, post, "listing_changed")
		buy(0, models.DeliveryRequest{}, "invalid_parameter") // no address
		buy(0, models.DeliveryRequest{Method: "pigeon"}, "invalid_parameter")
		earlier, err := d.Trades.MakeOffer(ctx, listing, d.john, 40000, "", post)
		must(t, err)
		if o := buy(124900, models.DeliveryRequest{}, ""); o.Status != models.OfferPending || o.Amount != 124900 || o.Method != models.Shipping || o.Postage != 690 || o.ExpiresAt != models.TimeOf(d.now.Add(models.OfferLifetime)) {
			t.Errorf("bought %+v", o)
		}
		if o, err := d.Trades.Offer(ctx, earlier.ID, d.john); err != nil || o.Status != models.OfferWithdrawn {
			t.Errorf("the earlier offer is %+v, %v", o, err)
		}
		listed(models.StatusReserved)
		if d.address(d.jane) != "" || d.address(d.john) != someAddress {
			t.Error("the address is shown before the purchase is confirmed")
		}
		d.answer(models.Counter, d.jane, "invalid_parameter")
		_, err = d.Trades.AnswerOffer(ctx, d.offer, store.Answer{Step: models.Counter, By: d.jane, Amount: 100})
		d.want(err, "counter", "wrong_status")
		_, err = d.Listings.EditListing(ctx, listing, d.jane, 0, func(l *models.Listing) error { l.Price++; return nil })
		d.want(err, "edit", "offer_accepted")
		d.want(advance(ctx, d.Store, listing, models.Move{Step: models.Relist, Seller: d.jane}), "relist", "offer_accepted")
		d.answer(models.Accept, d.jane, "")
		listed(models.StatusReserved)
		if h := d.handover(); d.address(d.jane) != someAddress || h.Status != models.HandoverAgreed || !h.Shipped() || h.IBAN != "DE02120300000000202051" || h.AccountHolder != "Jane Doe" || !h.Cash {
			t.Errorf("confirmed: %+v", h)
		}
		d.answer(models.Complete, d.jane, "")
		d.answer(models.Confirm, d.john, "")
		listed(models.StatusSold)

		sell(models.BuyInstant, models.PickupOnly)
		buy(0, post, "invalid_parameter") // not posted
		if o := buy(0, models.DeliveryRequest{}, ""); o.Status != models.OfferAccepted || o.Method != models.Pickup || o.Postage != 0 {
			t.Errorf("bought at once: %+v", o)
		}
		listed(models.StatusReserved)
		d.answer(models.Complete, d.jane, "")
		listed(models.StatusSold)

		for name, end := range map[string]func(){
			"declined":  func() { d.answer(models.Decline, d.jane, "") },
			"withdrawn": func() { d.answer(models.Withdraw, d.john, "") },
			"expired": func() {
				d.now = d.now.Add(models.OfferLifetime)
				d.answer(models.Accept, d.jane, "wrong_status")
				must(t, d.Trades.ExpireOffers(ctx))
			},
		} {
			sell(models.BuyConfirm, "")
			if o := buy(0, models.DeliveryRequest{}, ""); o.Postage != models.UnknownPostage {
				t.Errorf("postage %d", o.Postage)
			}
			end()
			listed(models.StatusActive)
			if d.address(d.john) != "" {
				t.Errorf("the address of an offer that was %s is stored", name)
			}
		}
		sell(models.BuyConfirm, "")
		buy(0, models.DeliveryRequest{}, "")
		d.now = d.now.Add(models.OfferLifetime)
		must(t, d.Accounts.DeleteAccount(ctx, d.john))
		listed(models.StatusActive)
		if s, err := d.Trades.TradeSettings(ctx, d.john); err != nil || s != (models.TradeSettings{}) {
			t.Errorf("settings of a deleted account: %+v, %v", s, err)
		}
	})
}

// TestShopsSellAtOnce tests that the listings of the site's own shop can be bought unless
// they say otherwise, and those of others only if they say so.
func TestShopsSellAtOnce(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := storetest.Open(t, url, nil)
		shop, err := s.Accounts.CreateAccount(t.Context(), registration("shop"), models.RoleOperator)
		must(t, err)
		for _, tt := range []struct {
			seller    string
			set, want models.BuyNow
		}{{shop.ID, "", models.BuyConfirm}, {shop.ID, models.BuyOff, models.BuyOff}, {shop.ID, models.BuyInstant, models.BuyInstant}, {account(t, s, "jane").ID, "", ""}} {
			l := someListing(tt.seller, 1)
			l.BuyNow = tt.set
			must(t, s.Listings.CreateListing(t.Context(), &l))
			if stored, err := s.Listings.OwnListing(t.Context(), l.ID, tt.seller); err != nil || stored.BuyNow != tt.want {
				t.Errorf("%q of %s is %q, %v", tt.set, tt.seller, stored.BuyNow, err)
			}
		}
	})
}
