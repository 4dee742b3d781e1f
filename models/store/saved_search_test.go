package store_test

import (
	"reflect"
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

func TestSavedSearches(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		jane, john := account(t, s, "jane").ID, account(t, s, "john").ID
		for _, bad := range []models.SavedSearch{
			{Query: "keyword=r6", Every: models.Daily},
			{Name: strings.Repeat("n", 101), Every: models.Daily},
			{Name: "r6", Every: "hourly"},
			{Name: "r6", Every: models.Daily, Query: strings.Repeat("q", 1001)},
			{Name: "r6", Every: models.Daily, Webhook: "file:///etc/passwd"},
			{Name: "r6", Every: models.Daily, Webhook: "https://user:password@example.org"},
		} {
			bad.MemberID = jane
			_, err := s.Watches.AddSearch(ctx, &bad)
			wantError(t, err, problem.Invalid, "invalid_parameter")
		}
		daily := models.SavedSearch{MemberID: jane, Name: "r6", Query: "keyword=r6", Every: models.Daily, Email: true}
		secret, err := s.Watches.AddSearch(ctx, &daily)
		must(t, err)
		byFeed, err := s.Watches.SearchByFeed(ctx, secret)
		must(t, err)
		if !reflect.DeepEqual(*byFeed, daily) || daily.WebhookSecret == "" {
			t.Errorf("got %+v, want %+v", byFeed, daily)
		}
		_, err = s.Watches.SearchByFeed(ctx, "guess")
		wantError(t, err, problem.NotFound, "search_not_found")
		_, err = s.Watches.Search(ctx, daily.ID, john)
		wantError(t, err, problem.NotFound, "search_not_found")
		due := func(want int) {
			t.Helper()
			list, err := s.Watches.ClaimDueSearches(ctx, 10)
			must(t, err)
			if len(list) != want {
				t.Errorf("%d due searches, want %d", len(list), want)
			}
		}
		due(0)
		now = now.Add(24 * time.Hour)
		due(1)
		edited, err := s.Watches.EditSearch(ctx, daily.ID, jane, daily.Version(), func(search *models.SavedSearch) error { search.Every = models.Instant; return nil })
		must(t, err)
		_, err = s.Watches.EditSearch(ctx, daily.ID, jane, daily.Version(), func(search *models.SavedSearch) error { return nil })
		wantError(t, err, problem.Changed, "search_changed")
		_, err = s.Watches.EditSearch(ctx, daily.ID, jane, 0, func(search *models.SavedSearch) error {
			_, err := s.Watches.EditSearch(ctx, daily.ID, jane, 0, func(search *models.SavedSearch) error { search.Name = "first"; return nil })
			search.Name = "second"
			return err
		})
		wantError(t, err, problem.Changed, "search_changed")
		due(0)
		instant, err := s.Watches.InstantSearches(ctx, "", 10)
		must(t, err)
		if len(instant) != 1 || instant[0].ID != daily.ID {
			t.Errorf("instant searches: %+v", instant)
		}

		// With four concurrent replicas each listing is a new match once, and emailed once.
		var mu sync.Mutex
		var matches []string
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				err := s.Watches.QueueAlerts(ctx, edited, []string{"a", "b"}, func(found []string) []models.Delivery {
					mu.Lock()
					defer mu.Unlock()
					matches = append(matches, found...)
					return []models.Delivery{{Kind: models.Mail, Recipient: "jane@example.org", Subject: "News", Body: strings.Join(found, " ")}}
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		slices.Sort(matches)
		if !slices.Equal(matches, []string{"a", "b"}) {
			t.Errorf("new matches %q", matches)
		}
		must(t, s.Watches.QueueAlerts(ctx, edited, []string{"b", "c"}, func(found []string) []models.Delivery {
			if !slices.Equal(found, []string{"c"}) {
				t.Errorf("new matches %q", found)
			}
			return nil
		}))
		unseen, err := s.Watches.NewMatches(ctx, edited.ID, []string{"d", "a", "c", "e"})
		must(t, err)
		if !slices.Equal(unseen, []string{"d", "e"}) {
			t.Errorf("unalerted matches %q", unseen)
		}
		alerted, err := s.Watches.Alerts(ctx, edited.ID, 10)
		must(t, err)
		if len(alerted) != 3 {
			t.Errorf("alerts %q", alerted)
		}
		claimed, err := s.Deliveries.ClaimDeliveries(ctx, 10)
		must(t, err)
		if len(claimed) != 1 || claimed[0].Recipient != "jane@example.org" {
			t.Errorf("deliveries: %+v", claimed)
		}
		renewed, err := s.Watches.NewSecrets(ctx, daily.ID, jane)
		must(t, err)
		_, err = s.Watches.SearchByFeed(ctx, secret)
		wantError(t, err, problem.NotFound, "search_not_found")
		_, err = s.Watches.SearchByFeed(ctx, renewed.FeedSecret())
		must(t, err)
		_, err = s.Watches.NewSecrets(ctx, daily.ID, john)
		wantError(t, err, problem.NotFound, "search_not_found")
		_, err = s.Watches.Unsubscribe(ctx, daily.ID, edited.UnsubscribeKey())
		wantError(t, err, problem.NotFound, "search_not_found")
		_, err = s.Watches.Unsubscribe(ctx, daily.ID, renewed.UnsubscribeKey())
		must(t, err)
		if stopped, err := s.Watches.Search(ctx, daily.ID, jane); err != nil || stopped.Email {
			t.Errorf("emails not stopped: %+v, %v", stopped, err)
		}
		wantError(t, s.Watches.DeleteSearch(ctx, daily.ID, john), problem.NotFound, "search_not_found")
		must(t, s.Watches.DeleteSearch(ctx, daily.ID, jane))
		if list, _ := s.Watches.Searches(ctx, jane); len(list) != 0 {
			t.Errorf("still there: %+v", list)
		}
	})
}

// TestDueSearchesAreClaimedOnce checks that of two servers one runs a due search, and
// that a search whose run failed leaves the others their turns.
func TestDueSearchesAreClaimedOnce(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		clock := func() time.Time { return now }
		s, ctx := storetest.Open(t, url, clock), t.Context()
		servers := []*store.Store{s, storetest.Open(t, url, clock)}
		jane := account(t, s, "jane").ID
		const searches = 30
		for range searches {
			_, err := s.Watches.AddSearch(ctx, &models.SavedSearch{MemberID: jane, Name: "r6", Query: "keyword=r6", Every: models.Daily, Email: true})
			must(t, err)
		}
		now = now.Add(24 * time.Hour)
		var mu sync.Mutex
		claims := map[string]int{}
		var last models.SavedSearch
		var group sync.WaitGroup
		for i := range 8 {
			group.Go(func() {
				claimed, err := servers[i%2].Watches.ClaimDueSearches(ctx, 20)
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				for _, search := range claimed {
					claims[search.ID]++
					last = search
				}
			})
		}
		group.Wait()
		for {
			claimed, err := s.Watches.ClaimDueSearches(ctx, 7)
			must(t, err)
			if len(claimed) == 0 {
				break
			}
			for _, search := range claimed {
				claims[search.ID]++
			}
		}
		for id, n := range claims {
			if n != 1 {
				t.Errorf("%s was claimed %d times", id, n)
			}
		}
		if len(claims) != searches {
			t.Errorf("%d of %d searches were claimed", len(claims), searches)
		}
		must(t, s.Watches.QueueAlerts(ctx, &last, nil, nil))
		now = now.Add(time.Hour)
		again, err := s.Watches.ClaimDueSearches(ctx, 100)
		must(t, err)
		if len(again) != searches-1 || slices.ContainsFunc(again, func(search models.SavedSearch) bool { return search.ID == last.ID }) {
			t.Errorf("%d searches are claimed again, want all but the one that ran", len(again))
		}
	})
}
