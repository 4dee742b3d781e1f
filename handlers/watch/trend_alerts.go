package watch

import (
	"context"
	"errors"
	"fmt"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
	views "github.com/secondlight/secondlight/views/watch"
)

// NotifyTrends queues webhooks about price trends that changed, for the saved searches
// that name their gear, and emails to members whose kit has such gear, or whose kit has
// another value by a new fit of price estimates.
func (s Alerts) NotifyTrends(ctx context.Context) error {
	if err := s.Kits.NotifyKitsOfFit(ctx); err != nil {
		return err
	}
	for {
		changes, err := s.Watches.UnreadTrendChanges(ctx)
		if err != nil {
			return err
		}
		gear := make([]string, len(changes.Entries))
		for i, e := range changes.Entries {
			gear[i] = e.Subject
		}
		if err := s.Kits.NotifyKits(ctx, gear); err != nil {
			return err
		}
		alerts, err := s.trendAlertsOf(ctx, changes.Entries)
		if err != nil {
			return err
		}
		if err := s.Watches.RecordTrendAlerts(ctx, changes, alerts); err != nil {
			return err
		}
		if !changes.More {
			return s.queueTrendAlerts(ctx)
		}
	}
}

// trendAlertsOf returns the saved searches that have to be notified of changed trends.
func (s Alerts) trendAlertsOf(ctx context.Context, entries []models.Entry) (alerts []store.TrendAlert, err error) {
	for after := ""; len(entries) > 0; {
		searches, err := s.Watches.TrendSearches(ctx, after, batchSize)
		if err != nil {
			return nil, err
		}
		for i := range searches {
			matches := s.gearOf(&searches[i])
			for _, e := range entries {
				if matches(e.Subject) {
					alerts = append(alerts, store.TrendAlert{SearchID: searches[i].ID, Gear: e.Subject, Position: e.Position})
				}
			}
		}
		if len(searches) < batchSize {
			break
		}
		after = searches[len(searches)-1].ID
	}
	return alerts, nil
}

// GearOf returns a function that reports whether a saved search names gear, by its slug.
func (s Alerts) gearOf(saved *models.SavedSearch) func(slug string) bool {
	q, err := s.Queries.Parse(saved.Query)
	if err != nil {
		s.Log.Warn("parse saved search", "search", saved.ID, "err", err)
		return func(string) bool { return false }
	}
	return s.Index.MatchesGear(q)
}

// queueTrendAlerts queues the webhooks that are due.
func (s Alerts) queueTrendAlerts(ctx context.Context) error {
	searches, err := s.Watches.DueTrendSearches(ctx, batchSize)
	errs := []error{err}
	for i := range searches {
		if err := s.queueTrendAlert(ctx, &searches[i]); err != nil {
			errs = append(errs, fmt.Errorf("saved search %s: %w", searches[i].ID, err))
		}
	}
	return errors.Join(errs...)
}

// queueTrendAlert queues the webhook of a saved search about the trends that are due.
func (s Alerts) queueTrendAlert(ctx context.Context, saved *models.SavedSearch) error {
	alerts, err := s.Watches.DueTrendAlerts(ctx, saved.ID)
	if err != nil {
		return err
	}
	gear := make([]string, len(alerts))
	for i := range alerts {
		gear[i] = alerts[i].Gear
	}
	trends, err := s.Prices.Trends(ctx, gear)
	if err != nil {
		return err
	}
	log, _, err := s.Store.ChangeLog(ctx)
	if err != nil {
		return err
	}
	matches := s.gearOf(saved) // the search may have been edited since the change
	return s.Watches.QueueTrendAlerts(ctx, saved, alerts, func(claimed []store.TrendAlert) []models.Delivery {
		var changed []views.ChangedTrend
		for _, a := range claimed {
			if matches(a.Gear) {
				changed = append(changed, views.NewChangedTrend(s.Site, s.Catalog.Gear(a.Gear), trends[a.Gear], models.Cursor(log, a.Position)))
			}
		}
		if len(changed) == 0 || !saved.Notifies(models.TrendsChanged) {
			return nil
		}
		page := views.NewSavedSearch(s.Site, s.Queries.Card(saved), saved, nil)
		return []models.Delivery{{Kind: models.Webhook, Recipient: saved.Webhook, MemberID: saved.MemberID, SearchID: saved.ID,
			Body: page.TrendWebhook(changed), Secret: saved.WebhookSecret}}
	})
}
