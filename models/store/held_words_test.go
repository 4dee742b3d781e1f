package store_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestHeldWordsIn tests which texts contain words and phrases that hold a listing.
func TestHeldWordsIn(t *testing.T) {
	t.Parallel()
	words := models.HeldWords{Words: []string{"Western Union", "réplica", "whatsapp", "Mark II copy", "größe"}}
	for text, want := range map[string]string{
		"Pay by western  UNION only":   "Western Union",
		"Western-Union":                "Western Union",
		"A union in the west":          "",
		"Westernunion":                 "",
		"A Replica of a lens":          "réplica",
		"replicas":                     "",
		"Ask on What\u00adsApp!":       "whatsapp",
		"W\u200bhatsapp, R\u00c9PLICA": "réplica, whatsapp",
		"EOS 5D mk2 copy":              "Mark II copy",
		"Grösse M":                     "größe",
		"Groesse, Grosse, Größe":       "größe",
		"":                             "",
	} {
		for _, l := range []models.Listing{{Title: text}, {Title: "Leica M6", Text: "Boxed.\n" + text}, {Item: models.Item{Included: []string{"box", text}}}} {
			if got := strings.Join(words.In(&l), ", "); got != want {
				t.Errorf("%+q has %q, want %q", text, got, want)
			}
		}
	}
	across := models.Listing{Title: "Sold in the western", Text: "Union Jack"}
	if got := words.In(&across); got != nil {
		t.Errorf("a phrase spans two texts: %q", got)
	}
}

// TestSetHeldWords tests the limits, the version and the audit log of the list.
func TestSetHeldWords(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		olga, err := s.Accounts.CreateAccount(ctx, registration("olga"), models.RoleOperator)
		must(t, err)
		first := &models.HeldWords{Words: []string{" Western \t Union", "", "WESTERN-union", "Whatsapp"}}
		must(t, s.Listings.SetHeldWords(ctx, olga.ID, first))
		got, err := s.Listings.HeldWords(ctx)
		must(t, err)
		if got.Version != 1 || !slices.Equal(got.Words, []string{"Western Union", "Whatsapp"}) {
			t.Errorf("got %+v", got)
		}
		for code, h := range map[string]*models.HeldWords{
			"held_words_changed": {Words: []string{"other"}},
			"invalid_parameter":  {Version: 1, Words: []string{"!!!"}},
		} {
			var e *problem.Error
			if err := s.Listings.SetHeldWords(ctx, olga.ID, h); !errors.As(err, &e) || e.Code != code {
				t.Errorf("%+v is %v, want %s", h, err, code)
			}
		}
		if err := (&models.HeldWords{Words: []string{strings.Repeat("x", models.MaxHeldWord+1)}}).Check(); err == nil {
			t.Error("a long word is accepted")
		}
		must(t, s.Listings.SetHeldWords(ctx, olga.ID, &models.HeldWords{Version: 1}))
		if got, err := s.Listings.HeldWords(ctx); err != nil || got.Version != 2 || len(got.Words) != 0 {
			t.Errorf("got %+v, %v", got, err)
		}
		log, err := s.Moderation.Audit(ctx, store.AuditFilter{Action: models.EditHeldWords}, store.AuditKey{}, 10)
		must(t, err)
		if len(log) != 2 || log[0].Note != "0" || log[1].Note != "2" {
			t.Errorf("logged %+v", log)
		}
	})
}

// TestWordsHoldListings tests when a listing is held for a word, and that one that was
// released isn't held for it again.
func TestWordsHoldListings(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		olga, err := s.Accounts.CreateAccount(ctx, registration("olga"), models.RoleOperator)
		must(t, err)
		anna := account(t, s, "anna")
		clean := inStatus(t, s, anna.ID, models.StatusActive)
		must(t, s.Listings.SetHeldWords(ctx, olga.ID, &models.HeldWords{Words: []string{"Western Union", "replica"}}))

		write := func(id, text string) *models.Listing {
			l, err := s.Listings.EditListing(ctx, id, anna.ID, 0, func(l *models.Listing) error { l.Text = text; return nil })
			must(t, err)
			return l
		}
		take := func(id string, step models.Step) *models.Listing {
			l, err := s.Listings.Advance(ctx, id, models.Move{Step: step, Seller: anna.ID})
			must(t, err)
			return l
		}
		draft := inStatus(t, s, anna.ID, models.StatusDraft)
		if l := write(draft, "Western union, no replica"); l.Status != models.StatusDraft {
			t.Errorf("a draft is %s", l.Status)
		}
		if l := take(draft, models.Publish); l.Status != models.StatusRemoved {
			t.Errorf("published as %s", l.Status)
		}
		held, err := s.Listings.OpenHolds(ctx, []string{draft})
		must(t, err)
		holds := held[draft]
		if len(holds) != 2 || holds[0].Reason != models.HoldWord || holds[0].Subject != "Western Union" || holds[1].Subject != "replica" {
			t.Errorf("held for %+v", holds)
		}
		_, err = s.Listings.DecideHold(ctx, olga.ID, draft, true, "the box of a replica")
		must(t, err)
		if l := write(draft, "Western union, a replica"); l.Status != models.StatusActive {
			t.Errorf("held again: %s", l.Status)
		}
		take(draft, models.Reserve)
		if l := take(draft, models.Relist); l.Status != models.StatusActive {
			t.Errorf("relisted as %s", l.Status)
		}

		if l := write(clean, "As new"); l.Status != models.StatusActive {
			t.Errorf("a clean edit is %s", l.Status)
		}
		if l := write(clean, "As new. Replica strap"); l.Status != models.StatusRemoved {
			t.Errorf("an edit with a word is %s", l.Status)
		}
		if _, err = s.Listings.DecideHold(ctx, olga.ID, clean, false, "no replicas"); err != nil {
			t.Error(err)
		}
		if counts, err := s.Moderation.CountChecks(ctx); err != nil || counts.Held != 0 {
			t.Errorf("%+v waits, %v", counts, err)
		}
	})
}
