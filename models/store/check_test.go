package store_test

import (
	"slices"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// subjects returns the subjects of the checks of a kind, oldest first.
func subjects(t testing.TB, s *store.Store, kind models.CheckKind) (ids []string) {
	t.Helper()
	checks, err := s.Moderation.OpenChecks(t.Context(), models.CheckKey{}, 100)
	must(t, err)
	for _, c := range checks {
		if c.Kind == kind {
			ids = append(ids, c.Subject)
		}
	}
	return ids
}

// TestChecks reads checks of every kind, many of them of the same time, in pages of every
// size: each of them once, oldest first.
func TestChecks(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		jane, olga := account(t, s, "jane").ID, account(t, s, "olga").ID
		op, err := s.Accounts.CreateAccount(ctx, registration("oskar"), models.RoleOperator)
		must(t, err)
		must(t, s.Listings.SetHeldWords(ctx, op.ID, &models.HeldWords{Words: []string{"replica", "fake"}}))
		for range 2 {
			for range 2 {
				must(t, s.Listings.ReportStolen(ctx, theft(olga, "SN-8888")))
			}
			held := item(t, s, jane, "", func(l *models.Listing) { l.Text = "A fake, a replica" }) // two holds, one check
			publishAs(t, s, held, jane)
			noted := item(t, s, jane, "")
			must(t, s.Listings.AddPhotoFacts(ctx, noted, []models.PhotoFacts{{Key: "generated " + noted, Generated: true}}))
			_, err := s.Listings.AddPhotos(ctx, noted, jane, []models.Photo{{Key: "generated " + noted, Width: 8, Height: 8}})
			must(t, err)
			publishAs(t, s, noted, jane)
			proven := inStatus(t, s, jane, models.StatusActive)
			_, err = s.Listings.StartPossession(ctx, proven, jane)
			must(t, err)
			_, err = s.Listings.SendPossession(ctx, proven, jane, models.Photo{Key: "proof", Width: 8, Height: 8}, false)
			must(t, err)
			now = now.Add(time.Minute)
		}
		all, err := s.Moderation.OpenChecks(ctx, models.CheckKey{}, 100)
		must(t, err)
		counts, err := s.Moderation.CountChecks(ctx)
		must(t, err)
		for kind, n := range map[models.CheckKind]int{models.CheckPossession: 2, models.CheckHold: 2, models.CheckStolen: 4, models.CheckPhotos: 2} {
			if got := subjects(t, s, kind); len(got) != n {
				t.Errorf("%q wait for %s, want %d", got, kind, n)
			}
		}
		if counts != (models.CheckCounts{Possession: 2, Held: 2, Stolen: 4, Photos: 2}) || len(all) != counts.Total() {
			t.Errorf("%d checks, counted as %+v", len(all), counts)
		}
		if !slices.IsSortedFunc(all, func(a, b models.Check) int { return int(a.At - b.At) }) {
			t.Errorf("not oldest first: %+v", all)
		}
		for limit := range len(all) {
			limit++
			var paged []models.Check
			for after := (models.CheckKey{}); ; after = paged[len(paged)-1].CheckKey {
				page, err := s.Moderation.OpenChecks(ctx, after, limit)
				must(t, err)
				if len(page) == 0 {
					break
				}
				paged = append(paged, page...)
			}
			if !slices.Equal(paged, all) {
				t.Errorf("in pages of %d: %+v", limit, paged)
			}
		}
	})
}
