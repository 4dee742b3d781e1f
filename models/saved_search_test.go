package models_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/storetest"
)

func TestSavedSearches(t *testing.T) {
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
			_, err := s.AddSearch(ctx, &bad)
			wantError(t, err, models.Invalid, "invalid_parameter")
		}
		daily := models.SavedSearch{MemberID: jane, Name: "r6", Query: "keyword=r6", Every: models.Daily, Email: true}
		secret, err := s.AddSearch(ctx, &daily)
		must(t, err)
		byFeed, err := s.SearchByFeed(ctx, secret)
		must(t, err)
		if *byFeed != daily || daily.WebhookSecret == "" {
			t.Errorf("got %+v, want %+v", byFeed, daily)
		}
		_, err = s.SearchByFeed(ctx, "guess")
		wantError(t, err, models.NotFound, "search_not_found")
		_, err = s.Search(ctx, daily.ID, john)
		wantError(t, err, models.NotFound, "search_not_found")
		due := func(want int) {
			t.Helper()
			list, err := s.DueSearches(ctx, 10)
			must(t, err)
			if len(list) != want {
				t.Errorf("%d searches are due, want %d", len(list), want)
			}
		}
		due(0)
		now = now.Add(24 * time.Hour)
		due(1)
		edited, err := s.EditSearch(ctx, daily.ID, jane, daily.Version(), func(search *models.SavedSearch) error { search.Every = models.Instant; return nil })
		must(t, err)
		_, err = s.EditSearch(ctx, daily.ID, jane, daily.Version(), func(search *models.SavedSearch) error { return nil })
		wantError(t, err, models.Changed, "search_changed")
		_, err = s.EditSearch(ctx, daily.ID, jane, 0, func(search *models.SavedSearch) error {
			_, err := s.EditSearch(ctx, daily.ID, jane, 0, func(search *models.SavedSearch) error { search.Name = "first"; return nil })
			search.Name = "second"
			return err
		})
		wantError(t, err, models.Changed, "search_changed")
		due(0)
		instant, err := s.InstantSearches(ctx, "", 10)
		must(t, err)
		if len(instant) != 1 || instant[0].ID != daily.ID {
			t.Errorf("looked at whenever something is published: %+v", instant)
		}

		// Four replicas look at once: each listing is news once, and mailed once.
		var mu sync.Mutex
		var news []string
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				err := s.TakeAlerts(ctx, edited, []string{"a", "b"}, func(found []string) []models.Delivery {
					mu.Lock()
					defer mu.Unlock()
					news = append(news, found...)
					return []models.Delivery{{Kind: models.Mail, Recipient: "jane@example.org", Subject: "News", Body: strings.Join(found, " ")}}
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		slices.Sort(news)
		if !slices.Equal(news, []string{"a", "b"}) {
			t.Errorf("news are %q", news)
		}
		must(t, s.TakeAlerts(ctx, edited, []string{"b", "c"}, func(found []string) []models.Delivery {
			if !slices.Equal(found, []string{"c"}) {
				t.Errorf("news are %q", found)
			}
			return nil
		}))
		untold, err := s.Untold(ctx, edited.ID, []string{"d", "a", "c", "e"})
		must(t, err)
		if !slices.Equal(untold, []string{"d", "e"}) {
			t.Errorf("untold are %q", untold)
		}
		told, err := s.Alerts(ctx, edited.ID, 10)
		must(t, err)
		if len(told) != 3 {
			t.Errorf("told of %q", told)
		}
		claimed, err := s.ClaimDeliveries(ctx, 10)
		must(t, err)
		if len(claimed) != 1 || claimed[0].Recipient != "jane@example.org" {
			t.Errorf("to be mailed: %+v", claimed)
		}
		renewed, err := s.NewSecrets(ctx, daily.ID, jane)
		must(t, err)
		_, err = s.SearchByFeed(ctx, secret)
		wantError(t, err, models.NotFound, "search_not_found")
		_, err = s.SearchByFeed(ctx, renewed.FeedSecret())
		must(t, err)
		_, err = s.NewSecrets(ctx, daily.ID, john)
		wantError(t, err, models.NotFound, "search_not_found")
		_, err = s.StopMail(ctx, daily.ID, edited.StopKey())
		wantError(t, err, models.NotFound, "search_not_found")
		_, err = s.StopMail(ctx, daily.ID, renewed.StopKey())
		must(t, err)
		if stopped, err := s.Search(ctx, daily.ID, jane); err != nil || stopped.Email {
			t.Errorf("mail goes on: %+v, %v", stopped, err)
		}
		wantError(t, s.DeleteSearch(ctx, daily.ID, john), models.NotFound, "search_not_found")
		must(t, s.DeleteSearch(ctx, daily.ID, jane))
		if list, _ := s.Searches(ctx, jane); len(list) != 0 {
			t.Errorf("still there: %+v", list)
		}
	})
}
