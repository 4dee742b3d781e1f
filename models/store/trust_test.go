package store_test

import (
	"context"
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

func TestNormalSerial(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"SN-4711": "SN4711", " sn 4711 ": "SN4711", "012/345.678": "012345678", "ab12345": "AB12345",
		"": "", "n/a": "", "unknown": "", "0000000": "", "12345": "", "123-456-789": "", "4711": "", "see photo 1": "",
	} {
		if got := models.NormalSerial(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

// item adds a draft with a serial number.
func item(t testing.TB, s *store.Store, sellerID, serial string, change ...func(*models.Listing)) string {
	t.Helper()
	l := someListing(sellerID, 1)
	l.Status, l.Serial, l.Photos = models.StatusDraft, serial, nil
	for _, c := range change {
		c(&l)
	}
	one := []models.Listing{l}
	must(t, s.Listings.InsertListings(t.Context(), one))
	return one[0].ID
}

// status returns the status of a listing as its seller sees it.
func status(t testing.TB, s *store.Store, id string) models.Status {
	t.Helper()
	l, err := s.Moderation.ListingInAnyStatus(t.Context(), id)
	must(t, err)
	return l.Status
}

// publishAs publishes a draft as its seller and returns its status.
func publishAs(t testing.TB, s *store.Store, id, sellerID string) models.Status {
	t.Helper()
	l, err := s.Listings.Advance(t.Context(), id, models.Move{Step: models.Publish, Seller: sellerID})
	must(t, err)
	if stored := status(t, s, id); stored != l.Status {
		t.Errorf("returned as %s, stored as %s", l.Status, stored)
	}
	return l.Status
}

// buy sells a listing to a member with an offer that is confirmed.
func buy(t testing.TB, s *store.Store, id, seller, buyer string) {
	t.Helper()
	o, err := s.Trades.MakeOffer(t.Context(), id, buyer, 40000, "", models.DeliveryRequest{})
	must(t, err)
	for _, a := range []store.Answer{{Step: models.Accept, By: seller}, {Step: models.Complete, By: seller}, {Step: models.Confirm, By: buyer}} {
		_, err := s.Trades.AnswerOffer(t.Context(), o.ID, a)
		must(t, err)
	}
}

// holdsOf returns the reasons and subjects of the open holds of a listing.
func holdsOf(t testing.TB, s *store.Store, id string) (reasons []string) {
	t.Helper()
	holds, err := s.Listings.OpenHolds(t.Context(), []string{id})
	must(t, err)
	for _, h := range holds[id] {
		reasons = append(reasons, string(h.Reason)+" "+h.Subject)
	}
	return reasons
}

// TestSameSerialIsHeld publishes serial numbers that are for sale or were sold here.
func TestSameSerialIsHeld(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.Now().UTC()
		s := storetest.Open(t, url, func() time.Time { return now })
		s.SendNotices(func(n *models.Notice) models.Delivery {
			return models.Delivery{Kind: models.Mail, MemberID: n.To, Subject: string(n.Kind), Body: n.Text}
		})
		jane, john, olga := account(t, s, "jane").ID, account(t, s, "john").ID, account(t, s, "olga").ID
		first := item(t, s, jane, "SN-4711")
		if got := publishAs(t, s, first, jane); got != models.StatusActive {
			t.Fatalf("the first is %s", got)
		}
		for _, c := range []struct {
			what, seller, serial string
			change               func(*models.Listing)
			want                 models.Status
		}{
			{"written otherwise", john, "sn 4711", nil, models.StatusRemoved},
			{"another brand", john, "SN-4711", func(l *models.Listing) { l.Gear = "nikon/z6" }, models.StatusActive},
			{"outside the catalogue", john, "SN-4711", func(l *models.Listing) { l.Gear, l.Title = "", "Canon something" }, models.StatusRemoved},
			{"of the same seller", jane, "SN-4711", nil, models.StatusActive},
			{"another number", john, "SN-4712", nil, models.StatusActive},
			{"no number", john, "n/a", nil, models.StatusActive},
		} {
			id := item(t, s, c.seller, c.serial, func(l *models.Listing) {
				if c.change != nil {
					c.change(l)
				}
			})
			if got := publishAs(t, s, id, c.seller); got != c.want {
				t.Errorf("%s is %s, want %s", c.what, got, c.want)
			}
			if held, err := s.Listings.Held(t.Context(), id); err != nil || held != (c.want == models.StatusRemoved) {
				t.Errorf("%s: held %v %v", c.what, held, err)
			}
			if c.seller == jane { // leave one
				must(t, advance(t.Context(), s, id, models.Move{Step: models.End, Seller: jane}))
			}
		}

		buy(t, s, first, jane, john)
		for _, c := range []struct {
			seller string
			want   models.Status
		}{{john, models.StatusActive}, {olga, models.StatusRemoved}} {
			id := item(t, s, c.seller, "SN-4711", func(l *models.Listing) { l.Title = "Again" })
			got := publishAs(t, s, id, c.seller)
			reasons := holdsOf(t, s, id)
			if got != c.want || c.want == models.StatusRemoved && !slices.Contains(reasons, "sold "+first) {
				t.Errorf("after the sale to john, %s is %s with %q", c.seller, got, reasons)
			}
			if c.seller == john {
				must(t, advance(t.Context(), s, id, models.Move{Step: models.End, Seller: john}))
			}
		}
		now = now.Add(models.SoldPeriod + time.Hour)
		late := item(t, s, olga, "SN-4711", func(l *models.Listing) { l.Gear, l.Title = "canon/eos-r6", "Years later" })
		publishAs(t, s, late, olga)
		if reasons := holdsOf(t, s, late); slices.Contains(reasons, "sold "+first) {
			t.Errorf("held for a sale of years ago: %q", reasons)
		}
	})
}

// TestHoldDecisions releases a held listing and leaves another removed.
func TestHoldDecisions(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.Now().UTC()
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		s.SendNotices(func(n *models.Notice) models.Delivery {
			return models.Delivery{Kind: models.Mail, MemberID: n.To, Subject: string(n.Kind), Body: n.Text}
		})
		jane, john := account(t, s, "jane").ID, account(t, s, "john").ID
		op, err := s.Accounts.CreateAccount(ctx, registration("oskar"), models.RoleOperator)
		must(t, err)
		publishAs(t, s, item(t, s, jane, "SN-4711"), jane)
		id := item(t, s, john, "SN-4711")
		publishAs(t, s, id, john)
		_, err = s.Listings.Listing(ctx, id)
		wantError(t, err, problem.NotFound, "listing_not_found")
		_, err = s.Listings.DecideHold(ctx, op.ID, "nothing", true, "")
		wantError(t, err, problem.NotFound, "listing_not_found")

		now = now.Add(48 * time.Hour)
		_, err = s.Listings.DecideHold(ctx, op.ID, id, true, "sent the invoice")
		must(t, err)
		l, err := s.Listings.Listing(ctx, id)
		must(t, err)
		if l.Status != models.StatusActive || l.PublishedAt != models.TimeOf(now) || l.ExpiresAt != models.TimeOf(now.Add(models.ListingLifetime)) {
			t.Errorf("released as %s, published at %v, expires at %v", l.Status, l.PublishedAt, l.ExpiresAt)
		}
		_, err = s.Listings.DecideHold(ctx, op.ID, id, true, "")
		wantError(t, err, problem.Conflict, "wrong_status")

		// What was looked at doesn't hold it again; something new does.
		must(t, advance(ctx, s, id, models.Move{Step: models.End, Seller: john}))
		if l, err := s.Listings.Advance(ctx, id, models.Move{Step: models.Relist, Seller: john}); err != nil || l.Status != models.StatusActive {
			t.Errorf("relisted as %+v %v", l, err)
		}
		edited, err := s.Listings.EditListing(ctx, id, john, 0, func(l *models.Listing) error { l.Serial = "SN-9999"; return nil })
		must(t, err)
		if edited.Status != models.StatusActive {
			t.Errorf("another number makes it %s", edited.Status)
		}
		publishAs(t, s, item(t, s, jane, "SN-5555"), jane)
		edited, err = s.Listings.EditListing(ctx, id, john, 0, func(l *models.Listing) error { l.Serial = "SN-5555"; return nil })
		must(t, err)
		if edited.Status != models.StatusRemoved {
			t.Errorf("a number that is for sale makes it %s", edited.Status)
		}
		_, err = s.Listings.DecideHold(ctx, op.ID, id, false, "Both sell one camera.")
		must(t, err)
		if got := status(t, s, id); got != models.StatusRemoved {
			t.Errorf("kept as %s", got)
		}
		if c, err := s.Moderation.CountChecks(ctx); err != nil || c.Total() != 0 {
			t.Errorf("still waiting: %+v %v", c, err)
		}
		_, err = s.Moderation.Moderate(ctx, op.ID, id, models.RestoreListing, "on second thoughts")
		must(t, err)
		if got := status(t, s, id); got != models.StatusActive {
			t.Errorf("restored as %s", got)
		}
		mails, err := s.Deliveries.ClaimDeliveries(ctx, 100)
		must(t, err)
		var kinds []string
		for _, m := range mails {
			kinds = append(kinds, m.Recipient+" "+strings.TrimSpace(m.Subject+" "+m.Body))
		}
		slices.Sort(kinds)
		want := []string{"john@example.org listing_held", "john@example.org listing_held", "john@example.org listing_refused Both sell one camera.", "john@example.org listing_released"}
		if !slices.Equal(kinds, want) {
			t.Errorf("notices %q, want %q", kinds, want)
		}
	})
}

// TestSerialRace publishes one serial number by many members at once: one is for sale.
func TestSerialRace(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s := open()
		var ids, members []string
		for i := range 6 {
			m := account(t, s, fmt.Sprint("member-", i)).ID
			members, ids = append(members, m), append(ids, item(t, s, m, "RACE-1234"))
		}
		var work sync.WaitGroup
		for i := range ids {
			work.Go(func() {
				if _, err := s.Listings.Advance(context.Background(), ids[i], models.Move{Step: models.Publish, Seller: members[i]}); err != nil {
					t.Error(err)
				}
			})
		}
		work.Wait()
		active := 0
		for _, id := range ids {
			if status(t, s, id) == models.StatusActive {
				active++
			}
		}
		if active != 1 {
			t.Errorf("%d of %d are for sale", active, len(ids))
		}
	})
}

// theft returns a report of a stolen serial number.
func theft(reporter, serial string) *models.StolenReport {
	return &models.StolenReport{ReporterID: reporter, Gear: "canon/eos-r6", Name: "Canon EOS R6", Serial: serial, StolenOn: "2026-11-01", Place: "Berlin", Police: "261101-1234", Photo: "proof"}
}

// TestStolenSerials reports thefts: accepted ones hold listings, others don't.
func TestStolenSerials(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		jane, john, olga := account(t, s, "jane").ID, account(t, s, "john").ID, account(t, s, "olga").ID
		op, err := s.Accounts.CreateAccount(ctx, registration("oskar"), models.RoleOperator)
		must(t, err)
		for field, spoil := range map[string]func(*models.StolenReport){
			"serial": func(r *models.StolenReport) { r.Serial = "n/a" }, "stolen_on": func(r *models.StolenReport) { r.StolenOn = "2027-01-01" },
			"place": func(r *models.StolenReport) { r.Place = " " }, "police": func(r *models.StolenReport) { r.Police = strings.Repeat("x", models.MaxPolice+1) },
			"gear": func(r *models.StolenReport) { r.Name = "" },
		} {
			r := theft(olga, "SN-4711")
			spoil(r)
			var wrong *problem.Error
			if err := s.Listings.ReportStolen(ctx, r); !errors.As(err, &wrong) || len(wrong.Fields) != 1 || wrong.Fields[0].Field != field {
				t.Errorf("an invalid %s is %v", field, err)
			}
		}
		sold := item(t, s, jane, "SN-4711")
		publishAs(t, s, sold, jane)
		offer, err := s.Trades.MakeOffer(ctx, sold, john, 100, "", models.DeliveryRequest{})
		must(t, err)
		r := theft(olga, "sn4711")
		must(t, s.Listings.ReportStolen(ctx, r))
		if got := status(t, s, sold); got != models.StatusActive {
			t.Errorf("an open report makes it %s", got)
		}
		_, err = s.Listings.DecideStolen(ctx, op.ID, r.ID, true, "")
		must(t, err)
		_, err = s.Listings.DecideStolen(ctx, op.ID, r.ID, true, "")
		wantError(t, err, problem.Conflict, "wrong_status")
		_, err = s.Listings.DecideStolen(ctx, op.ID, "nothing", true, "")
		wantError(t, err, problem.NotFound, "stolen_report_not_found")
		if got := status(t, s, sold); got != models.StatusRemoved {
			t.Errorf("an accepted report makes it %s", got)
		}
		if o, err := s.Trades.Offer(ctx, offer.ID, john); err != nil || o.Status != models.OfferDeclined {
			t.Errorf("the offer is %+v %v", o, err)
		}
		again := item(t, s, john, "SN-4711")
		if got := publishAs(t, s, again, john); got != models.StatusRemoved || !slices.Contains(holdsOf(t, s, again), "stolen "+r.ID) {
			t.Errorf("published as %s with %q", got, holdsOf(t, s, again))
		}

		// Found again: what is published from then on is for sale.
		_, err = s.Listings.DecideStolen(ctx, op.ID, r.ID, false, "found")
		must(t, err)
		for _, id := range []string{sold, again} {
			_, err := s.Listings.DecideHold(ctx, op.ID, id, true, "")
			must(t, err)
		}
		if got := publishAs(t, s, item(t, s, jane, "SN-4711", func(l *models.Listing) { l.SellerID = jane }), jane); got != models.StatusRemoved { // john's is for sale
			t.Errorf("got %s", got)
		}

		// The limit, and what is left after the decision and of a former member.
		for range models.MaxStolenReports - 1 {
			must(t, s.Listings.ReportStolen(ctx, theft(olga, "SN-8888")))
		}
		wantError(t, s.Listings.ReportStolen(ctx, theft(olga, "SN-8888")), problem.TooMany, "too_many_stolen_reports")
		open := subjects(t, s, models.CheckStolen)
		if len(open) != models.MaxStolenReports-1 {
			t.Fatalf("%d are open", len(open))
		}
		_, err = s.Listings.DecideStolen(ctx, op.ID, open[0], true, "")
		must(t, err)
		now = now.Add(models.ErasePeriod + time.Hour)
		must(t, s.Accounts.DeleteExpired(ctx))
		mine, err := s.Listings.StolenReportsOf(ctx, olga)
		must(t, err)
		if len(mine) != models.MaxStolenReports-1 {
			t.Errorf("a rejected report is stored for long: %d", len(mine))
		}
		for _, m := range mine {
			if m.Erased != (m.ID == open[0]) || m.Erased && m.Serial+m.Place+m.Police+m.Photo+string(m.StolenOn) != "" {
				t.Errorf("after 60 days: %+v", m)
			}
		}
		must(t, s.Accounts.DeleteAccount(ctx, olga))
		if got := publishAs(t, s, item(t, s, jane, "SN-8888"), jane); got != models.StatusRemoved {
			t.Errorf("the reporter left, and it is %s", got)
		}
	})
}

// TestPossession goes from the code to the badge, and loses it.
func TestPossession(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		jane, john := account(t, s, "jane").ID, account(t, s, "john").ID
		op, err := s.Accounts.CreateAccount(ctx, registration("oskar"), models.RoleOperator)
		must(t, err)
		id := inStatus(t, s, jane, models.StatusActive)
		photo := models.Photo{Key: "proof", Width: 1280, Height: 853, Bytes: 5}

		_, err = s.Listings.StartPossession(ctx, id, john)
		wantError(t, err, problem.Forbidden, "not_yours")
		_, err = s.Listings.StartPossession(ctx, inStatus(t, s, jane, models.StatusEnded), jane)
		wantError(t, err, problem.Conflict, "wrong_status")
		_, err = s.Listings.SendPossession(ctx, id, jane, photo, false)
		wantError(t, err, problem.Conflict, "wrong_status")
		first, err := s.Listings.StartPossession(ctx, id, jane)
		must(t, err)
		again, err := s.Listings.StartPossession(ctx, id, jane)
		must(t, err)
		if len(first.Code) != 7 || first.Code != again.Code || first.ExpiresAt != models.TimeOf(now.Add(models.CodeLifetime)) {
			t.Errorf("the code is %+v, then %+v", first, again)
		}
		now = now.Add(models.CodeLifetime)
		_, err = s.Listings.SendPossession(ctx, id, jane, photo, false)
		wantError(t, err, problem.Conflict, "possession_code_expired")
		second, err := s.Listings.StartPossession(ctx, id, jane)
		must(t, err)
		if second.Code == first.Code {
			t.Error("an expired code is given out again")
		}
		_, err = s.Listings.DecidePossession(ctx, op.ID, id, true, "")
		wantError(t, err, problem.Conflict, "wrong_status")
		_, err = s.Listings.SendPossession(ctx, id, jane, photo, false)
		must(t, err)
		_, err = s.Listings.DecidePossession(ctx, op.ID, id, false, "")
		wantError(t, err, problem.Invalid, "invalid_parameter")
		_, err = s.Listings.DecidePossession(ctx, op.ID, id, false, "The code is not readable.")
		must(t, err)
		if p, err := s.Listings.Possession(ctx, id, jane); err != nil || p.Status != models.PossessionRejected || p.Reason != "The code is not readable." {
			t.Errorf("rejected: %+v %v", p, err)
		}
		_, err = s.Listings.SendPossession(ctx, id, jane, photo, true)
		must(t, err)
		if has, err := s.Listings.HasPhoto(ctx, "proof"); err != nil || has {
			t.Errorf("the photo is public: %v %v", has, err)
		}
		for who, want := range map[string]bool{jane: true, john: false} {
			if has, err := s.Listings.HasOwnPhoto(ctx, "proof", who); err != nil || has != want {
				t.Errorf("the photo is theirs: %v %v, want %v", has, err, want)
			}
		}
		_, err = s.Listings.DecidePossession(ctx, op.ID, id, true, "")
		must(t, err)
		l, err := s.Listings.Listing(ctx, id)
		must(t, err)
		if l.VerifiedAt != models.TimeOf(now) || len(l.Photos) != 3 || l.Photos[2].Key != "proof" {
			t.Errorf("verified at %v with %d photos", l.VerifiedAt, len(l.Photos))
		}
		_, err = s.Listings.StartPossession(ctx, id, jane)
		wantError(t, err, problem.Conflict, "wrong_status")

		// The badge stays with a new price, and goes with the item.
		for _, c := range []struct {
			what string
			edit func(*models.Listing)
			lost bool
		}{
			{"price", func(l *models.Listing) { l.Price = 1000 }, false},
			{"title", func(l *models.Listing) { l.Title = "Canon EOS R6 with box" }, false},
			{"serial", func(l *models.Listing) { l.Serial = "SN-0815" }, true},
		} {
			l, err := s.Listings.EditListing(ctx, id, jane, 0, func(l *models.Listing) error { c.edit(l); return nil })
			must(t, err)
			stored, err := s.Listings.Listing(ctx, id)
			must(t, err)
			if l.VerifiedAt != stored.VerifiedAt || (stored.VerifiedAt == 0) != c.lost {
				t.Errorf("after an edit of the %s it is verified at %v, %v", c.what, l.VerifiedAt, stored.VerifiedAt)
			}
		}
		if p, err := s.Listings.Possession(ctx, id, jane); err != nil || p.Code != "" {
			t.Errorf("another item has %+v %v", p, err)
		}
	})
}

// openNotes returns the notes on photos that wait for an operator.
func openNotes(t testing.TB, s *store.Store) (open []models.PhotoNote) {
	t.Helper()
	notes, err := s.Listings.OpenPhotoNotes(t.Context(), subjects(t, s, models.CheckPhotos))
	must(t, err)
	for _, n := range notes {
		open = append(open, n...)
	}
	return open
}

// TestPhotoNotes adds photos whose files say something to listings for sale.
func TestPhotoNotes(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		jane, john := account(t, s, "jane").ID, account(t, s, "john").ID
		op, err := s.Accounts.CreateAccount(ctx, registration("oskar"), models.RoleOperator)
		must(t, err)
		const picture = 0x0123_4567_89ab_cdef
		add := func(id, seller string, f models.PhotoFacts) {
			t.Helper()
			must(t, s.Listings.AddPhotoFacts(ctx, id, []models.PhotoFacts{f}))
			_, err := s.Listings.AddPhotos(ctx, id, seller, []models.Photo{{Key: f.Key, Width: 8, Height: 8}})
			must(t, err)
		}
		add(item(t, s, john, "SN-1111"), john, models.PhotoFacts{Key: "draft", Fingerprint: picture})
		elsewhere := item(t, s, john, "SN-2222")
		add(elsewhere, john, models.PhotoFacts{Key: "theirs", Fingerprint: picture})
		publishAs(t, s, elsewhere, john)

		for _, c := range []struct {
			what  string
			facts models.PhotoFacts
			want  string
		}{
			{"a phone", models.PhotoFacts{Camera: "apple/iphone-15"}, ""},
			{"another camera", models.PhotoFacts{Camera: "nikon/z6", CameraSN: "SN-4711"}, ""},
			{"the model", models.PhotoFacts{Camera: "canon/eos-r6"}, "same_model"},
			{"the item", models.PhotoFacts{Camera: "canon/eos-r6", CameraSN: "sn4711"}, ""},
			{"another item", models.PhotoFacts{Camera: "canon/eos-r6", CameraSN: "99887766"}, "other_serial"},
			{"an editor", models.PhotoFacts{Software: "GIMP 2.10"}, "edited GIMP 2.10"},
			{"a model", models.PhotoFacts{Generated: true}, "generated"},
			{"the same picture", models.PhotoFacts{Fingerprint: picture}, "reused"},
			{"resized", models.PhotoFacts{Fingerprint: picture ^ 0x0001_0001_0001_0000}, "reused"},
			{"another picture", models.PhotoFacts{Fingerprint: picture ^ 0x0000_0000_0000_000f}, ""},
			{"a blank wall", models.PhotoFacts{}, ""},
		} {
			id := item(t, s, jane, "SN-4711")
			c.facts.Key = "photo of " + c.what
			add(id, jane, c.facts)
			if n := openNotes(t, s); len(n) != 0 {
				t.Errorf("%s: a draft has %+v", c.what, n)
			}
			publishAs(t, s, id, jane)
			got := ""
			for _, n := range openNotes(t, s) {
				got += strings.TrimSpace(string(n.Kind) + " " + n.Detail)
				if n.Kind == models.PhotoReused && n.Subject != elsewhere {
					t.Errorf("%s is reused from %s", c.what, n.Subject)
				}
			}
			if got != c.want || status(t, s, id) != models.StatusActive {
				t.Errorf("%s is noted as %q, want %q; the listing is %s", c.what, got, c.want, status(t, s, id))
			}
			_, err := s.Listings.ClosePhotoNotes(ctx, op.ID, id, "")
			if c.want == "" {
				wantError(t, err, problem.Conflict, "wrong_status")
			} else {
				must(t, err)
				must(t, advance(ctx, s, id, models.Move{Step: models.End, Seller: jane}))
				must(t, advance(ctx, s, id, models.Move{Step: models.Relist, Seller: jane}))
				if n := openNotes(t, s); len(n) != 0 {
					t.Errorf("%s: closed notes are open again: %+v", c.what, n)
				}
			}
		}

		// A photo that is added to a listing for sale is noted at once.
		late := inStatus(t, s, jane, models.StatusActive)
		add(late, jane, models.PhotoFacts{Key: "late", Generated: true})
		if n := openNotes(t, s); len(n) != 1 || n[0].Key != "late" {
			t.Errorf("noted %+v", n)
		}
	})
}
