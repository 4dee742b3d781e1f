package store_test

import (
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestStartDraft tests that a form sent twice is one draft, of one member.
func TestStartDraft(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		members := sellers(2)
		must(t, s.Accounts.InsertMembers(ctx, members))
		ann, bob := members[0].ID, members[1].ID
		id := models.NewID(time.Now())
		for range 2 {
			must(t, s.Listings.StartDraft(ctx, id, ann, "DE"))
		}
		if counts, err := s.Listings.CountBySeller(ctx, ann); err != nil || counts[models.StatusDraft] != 1 {
			t.Errorf("two forms are %v drafts, %v", counts, err)
		}
		l, err := s.Listings.EditListing(ctx, id, ann, 0, func(l *models.Listing) error { l.Title = "Half a thought"; return nil })
		must(t, err)
		if l.Title != "Half a thought" || l.Region != "DE" || l.Status != models.StatusDraft || l.Version != 2 {
			t.Errorf("the draft is %+v", l)
		}
		must(t, s.Listings.StartDraft(ctx, id, ann, ""))
		if l, err := s.Listings.OwnListing(ctx, id, ann); err != nil || l.Title != "Half a thought" {
			t.Errorf("starting it again makes it %+v, %v", l, err)
		}
		wantError(t, advance(ctx, s, id, models.Move{Step: models.Publish, Seller: ann}), problem.Invalid, "invalid_parameter")
		for _, foreign := range []string{id, "", "x", "00000000-0000-4000-8000-000000000000", "019AA7D2-7C00-7000-8000-000000000000", models.NewID(time.Now().Add(time.Hour))} {
			wantError(t, s.Listings.StartDraft(ctx, foreign, bob, ""), problem.NotFound, "listing_not_found")
		}
	})
}
