package handlers

import (
	"context"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
)

func TestWatchlist(t *testing.T) {
	t.Parallel()
	s, _ := newClockedMarket(t)
	ann, bob := s.join(t, "ann", models.RoleMember), s.join(t, "bob", models.RoleMember)
	id := ann.sells(t, "Canon EOS R6", "canon/eos-r6", 100000)
	answer := bob.ask(t, "PUT", "/api/watchlist/"+id, "", 200)
	if answer["price_then"].(map[string]any)["amount"] != "1000.00" || answer["drop"] != nil {
		t.Errorf("watching: %v", answer)
	}
	price := func(cents models.Cents) {
		t.Helper()
		_, err := s.store.Listings.EditListing(context.Background(), id, ann.ID, 0, func(l *models.Listing) error { l.Price = cents; return nil })
		must(err)
		must(s.AlertNow(context.Background()))
	}
	for _, c := range []struct {
		price models.Cents
		mails int
	}{{98000, 0}, {90000, 1}, {90000, 0}, {99000, 0}, {90000, 0}, {89000, 0}, {85000, 1}} {
		price(c.price)
		mails := s.queued(t)
		if len(mails) != c.mails {
			t.Fatalf("at %d: %d mails", c.price, len(mails))
		}
		for _, m := range mails {
			if m.Recipient != "bob@example.org" || !strings.Contains(m.Subject, "Canon EOS R6") || !strings.Contains(m.Body, "/listings/"+id) {
				t.Errorf("mail %+v", m)
			}
		}
	}
	list := bob.ask(t, "GET", "/api/watchlist", "", 200)["watches"].([]any)
	first := list[0].(map[string]any)
	if len(list) != 1 || first["drop"].(map[string]any)["amount"] != "150.00" || first["listing"].(map[string]any)["price"].(map[string]any)["amount"] != "850.00" {
		t.Errorf("watchlist %v", list)
	}
	page := bob.read(t, "/account/watchlist")
	for _, want := range []string{"Canon EOS R6", "150", "850", "1,000", `action="/account/watchlist/` + id + `/remove"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if got := ann.ask(t, "GET", "/api/watchlist", "", 200)["watches"].([]any); len(got) != 0 {
		t.Errorf("somebody else's list: %v", got)
	}
	for m, watches := range map[*testMember]bool{bob: true, s.join(t, "eve", models.RoleMember): false} {
		page := m.read(t, "/listings/"+id)
		if strings.Contains(page, `action="/account/watchlist/`+id+`"`) == watches || strings.Contains(page, ">Watching (1)</a>") != watches {
			t.Errorf("to %s the listing's page does not say whether it is watched", m.Handle)
		}
	}
	bob.ask(t, "PUT", "/api/watchlist/019aa7d2-7c00-7000-8000-000000000000", "", 404)
	resp, _ := bob.post(t, "/account/watchlist/"+id+"/remove", "")
	if resp.StatusCode != 303 || resp.Header.Get("Location") != "/account/watchlist" {
		t.Errorf("removing is %d to %s", resp.StatusCode, resp.Header.Get("Location"))
	}
	if got := bob.ask(t, "DELETE", "/api/watchlist/"+id, "", 200)["watches"].([]any); len(got) != 0 {
		t.Errorf("left: %v", got)
	}
	price(10000)
	if mails := s.queued(t); len(mails) != 0 {
		t.Errorf("mail after unwatching: %+v", mails)
	}
	resp, _ = bob.post(t, "/account/watchlist/"+id, "")
	if resp.StatusCode != 303 || resp.Header.Get("Location") != "/account/watchlist" {
		t.Errorf("watching is %d to %s", resp.StatusCode, resp.Header.Get("Location"))
	}
}
