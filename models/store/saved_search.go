package store

import (
	"context"
	"crypto/subtle"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

const searchColumns = `id, member_id, name, query, every, email, webhook, webhook_events, webhook_secret, created_at, looked_at, due_at`

// AddSearch saves a search of a member and returns the secret of its feed. It
// sets the id, the times and the webhook secret, and ListingsPublished if there are no
// webhook events.
func (s *Watches) AddSearch(ctx context.Context, search *models.SavedSearch) (feedSecret string, err error) {
	if len(search.WebhookEvents) == 0 {
		search.WebhookEvents = []models.WebhookEvent{models.ListingsPublished}
	}
	if err := search.Check(); err != nil {
		return "", err
	}
	now := s.now()
	search.ID, search.CreatedAt, search.LastRunAt, search.NextRunAt = s.newID(), now, now, now.Add(search.Every.Interval())
	search.WebhookSecret = models.NewWebhookSecret()
	feedSecret = search.FeedSecret()
	err = s.update(ctx, func(t *tx) error {
		n, err := t.affected(ctx, `INSERT INTO searches (`+searchColumns+`, feed_hash)
			SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13 WHERE (SELECT COUNT(*) FROM searches WHERE member_id = $2) < $14`,
			search.ID, search.MemberID, search.Name, search.Query, search.Every, search.Email, search.Webhook, search.WebhookEvents, search.WebhookSecret,
			search.CreatedAt, search.LastRunAt, search.NextRunAt, models.SecretHash(feedSecret), models.MaxSearches)
		if err == nil && n == 0 {
			return &problem.Error{Kind: problem.Conflict, Code: "too_many_searches", Message: problem.Textf("You've reached the limit of 100 saved searches."), Hint: problem.Textf("Delete one first.")}
		}
		return err
	})
	return feedSecret, err
}

// EditSearch calls edit to change the name, query, frequency or channels of a
// member's search and stores the result. If version is not 0, the search must
// still be at that version. A concurrent change is a search_changed error.
func (s *Watches) EditSearch(ctx context.Context, id, memberID string, version int64, edit func(*models.SavedSearch) error) (*models.SavedSearch, error) {
	search, err := s.Search(ctx, id, memberID)
	if err != nil {
		return nil, err
	}
	old := *search
	old.WebhookEvents = slices.Clone(old.WebhookEvents)
	if version != 0 && version != old.Version() {
		return nil, errSearchChanged
	}
	if err := edit(search); err != nil {
		return nil, err
	}
	if err := search.Check(); err != nil {
		return nil, err
	}
	if search.Every != old.Every {
		search.NextRunAt = s.now().Add(search.Every.Interval())
	}
	return search, s.update(ctx, func(t *tx) error {
		n, err := t.affected(ctx, `UPDATE searches SET name = $3, query = $4, every = $5, email = $6, webhook = $7, webhook_events = $14, due_at = CASE WHEN $5 = $10 THEN due_at ELSE $8 END
			WHERE id = $1 AND member_id = $2 AND name = $9 AND every = $10 AND query = $11 AND email = $12 AND webhook = $13 AND webhook_events = $15`,
			id, memberID, search.Name, search.Query, search.Every, search.Email, search.Webhook, search.NextRunAt,
			old.Name, old.Every, old.Query, old.Email, old.Webhook, search.WebhookEvents, old.WebhookEvents)
		if err == nil && n == 0 {
			err = errSearchChanged
		}
		if err == nil && search.Webhook != old.Webhook {
			err = resetWebhook(ctx, t, id)
		}
		if err == nil && !search.Notifies(models.TrendsChanged) {
			err = deleteTrendAlerts(ctx, t, id)
		}
		return err
	})
}

// resetWebhook forgets the failures of a search's former webhook and what is queued
// for it.
func resetWebhook(ctx context.Context, t *tx, id string) error {
	if _, err := t.ExecContext(ctx, `UPDATE searches SET webhook_failures = 0, webhook_retry_at = 0 WHERE id = $1`, id); err != nil {
		return err
	}
	if _, err := t.ExecContext(ctx, `DELETE FROM deliveries WHERE search_id = $1 AND kind = 'webhook'`, id); err != nil {
		return err
	}
	return deleteTrendAlerts(ctx, t, id)
}

// Limit of TestWebhook.
const (
	MaxWebhookTests   = 10 // per member and webhookTestPeriod
	webhookTestPeriod = time.Hour
)

// TestWebhook queues a test of a search's webhook, due at once even if the webhook
// failed before. After MaxWebhookTests of the member within an hour it returns a
// TooMany error, too_many_tests.
func (s *Watches) TestWebhook(ctx context.Context, search *models.SavedSearch, body string) error {
	return s.update(ctx, func(t *tx) error {
		if err := countWebhookTest(ctx, t, search.MemberID); err != nil {
			return err
		}
		if _, err := t.ExecContext(ctx, `UPDATE searches SET webhook_retry_at = 0 WHERE id = $1`, search.ID); err != nil {
			return err
		}
		return queue(ctx, t, []models.Delivery{{Kind: models.Webhook, Recipient: search.Webhook, MemberID: search.MemberID, SearchID: search.ID, Body: body, Secret: search.WebhookSecret}})
	})
}

// countWebhookTest counts a test of a member's webhooks, or returns a TooMany error.
func countWebhookTest(ctx context.Context, t *tx, memberID string) error {
	now := t.db.now()
	if _, err := lockMember(ctx, t, memberID); err != nil {
		return err
	}
	wait, err := retryAfter(ctx, t, `SELECT at FROM webhook_tests WHERE member_id = $1 AND at > $2`, memberID, MaxWebhookTests, webhookTestPeriod, now)
	if err != nil {
		return err
	}
	if wait > 0 {
		return &problem.Error{Kind: problem.TooMany, Code: "too_many_tests", Message: problem.Textf("You've tested webhooks %d times within an hour.", MaxWebhookTests),
			Hint: problem.Textf("Wait until an hour after the first of these tests."), Wait: wait}
	}
	if _, err := t.ExecContext(ctx, `DELETE FROM webhook_tests WHERE at <= $1`, now.Add(-webhookTestPeriod)); err != nil {
		return err
	}
	_, err = t.ExecContext(ctx, `INSERT INTO webhook_tests (member_id, at) VALUES ($1, $2)`, memberID, now)
	return err
}

var errSearchChanged = &problem.Error{Kind: problem.Changed, Code: "search_changed", Message: problem.Textf("The saved search has changed since you opened it."),
	Hint: problem.Programf("Get it again, and send your change with the new ETag in If-Match.")}

// NewSecrets replaces the webhook secret of a member's search and, with it, the
// URL of its feed. The old ones stop working.
func (s *Watches) NewSecrets(ctx context.Context, id, memberID string) (*models.SavedSearch, error) {
	search, err := s.Search(ctx, id, memberID)
	if err != nil {
		return nil, err
	}
	search.WebhookSecret = models.NewWebhookSecret()
	return search, s.update(ctx, func(t *tx) error {
		n, err := t.affected(ctx, `UPDATE searches SET webhook_secret = $3, feed_hash = $4 WHERE id = $1 AND member_id = $2`,
			id, memberID, search.WebhookSecret, models.SecretHash(search.FeedSecret()))
		if err == nil && n == 0 {
			err = searchNotFound(id)
		}
		return err
	})
}

// Unsubscribe ends the emails of a search, given the key from one of them.
func (s *Watches) Unsubscribe(ctx context.Context, id, key string) (*models.SavedSearch, error) {
	search, err := s.SearchByKey(ctx, id, key)
	if err != nil {
		return nil, err
	}
	search.Email = false
	return search, s.update(ctx, func(t *tx) error {
		_, err := t.ExecContext(ctx, `UPDATE searches SET email = $2 WHERE id = $1`, id, false)
		return err
	})
}

// SearchByKey returns a search, given the UnsubscribeKey from one of its
// emails.
func (s *Watches) SearchByKey(ctx context.Context, id, key string) (*models.SavedSearch, error) {
	search, err := s.searchBy(ctx, id, `id = $1`, id)
	if err == nil && subtle.ConstantTimeCompare([]byte(search.UnsubscribeKey()), []byte(key)) != 1 {
		return nil, searchNotFound(id)
	}
	return search, err
}

// DeleteSearch deletes a member's search and its alerts.
func (s *Watches) DeleteSearch(ctx context.Context, id, memberID string) error {
	if !models.Storable(id) {
		return searchNotFound(id)
	}
	return s.update(ctx, func(t *tx) error {
		n, err := t.affected(ctx, `DELETE FROM searches WHERE id = $1 AND member_id = $2`, id, memberID)
		if err == nil && n == 0 {
			err = searchNotFound(id)
		}
		return err
	})
}

func searchNotFound(id string) *problem.Error {
	return &problem.Error{Kind: problem.NotFound, Code: "search_not_found", Message: problem.Programf("You have no saved search with the id %q.", id),
		Hint: problem.Programf("List yours with GET /api/searches.")}
}

// Search returns a search of a member. If there is none it returns a NotFound
// error, search_not_found.
func (s *Watches) Search(ctx context.Context, id, memberID string) (*models.SavedSearch, error) {
	return s.searchBy(ctx, id, `id = $1 AND member_id = $2`, id, memberID)
}

// SearchByFeed returns the search with the given feed secret.
func (s *Watches) SearchByFeed(ctx context.Context, secret string) (*models.SavedSearch, error) {
	return s.searchBy(ctx, "", `feed_hash = $1`, models.SecretHash(secret))
}

func (s *Watches) searchBy(ctx context.Context, id, where string, args ...any) (*models.SavedSearch, error) {
	if !models.Storable(id) {
		return nil, searchNotFound(id)
	}
	var search models.SavedSearch
	err := s.read.GetContext(ctx, &search, `SELECT `+searchColumns+` FROM searches WHERE `+where, args...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, searchNotFound(id)
	}
	return &search, err
}

// Searches returns a member's searches, newest first.
func (s *Watches) Searches(ctx context.Context, memberID string) ([]models.SavedSearch, error) {
	var list []models.SavedSearch
	err := s.read.SelectContext(ctx, &list, `SELECT `+searchColumns+` FROM searches WHERE member_id = $1 ORDER BY id DESC`, memberID)
	return list, err
}

// searchTimeout is how long a claimed search may run before another server claims it.
const searchTimeout = 10 * time.Minute

// ClaimDueSearches claims up to limit daily and weekly searches that are due,
// longest overdue first. Each is returned to one caller. A search is due again
// after searchTimeout unless QueueAlerts is called for it.
func (s *Watches) ClaimDueSearches(ctx context.Context, limit int) (claimed []models.SavedSearch, err error) {
	now := s.now()
	var due []models.SavedSearch
	err = s.read.SelectContext(ctx, &due, `SELECT `+searchColumns+` FROM searches WHERE due_at <= $1 AND every <> $2 ORDER BY due_at, id LIMIT $3`, now, models.Instant, limit)
	if err != nil || len(due) == 0 {
		return nil, err
	}
	err = s.update(ctx, func(t *tx) error {
		claimed = claimed[:0]
		for _, search := range due {
			n, err := t.affected(ctx, `UPDATE searches SET due_at = $3 WHERE id = $1 AND due_at = $2`,
				search.ID, search.NextRunAt, now.Add(searchTimeout))
			if err != nil {
				return err
			}
			if n == 1 {
				claimed = append(claimed, search)
			}
		}
		return nil
	})
	return claimed, err
}

// InstantSearches returns up to limit instant searches with an id greater than
// after, in order of id.
func (s *Watches) InstantSearches(ctx context.Context, after string, limit int) ([]models.SavedSearch, error) {
	var list []models.SavedSearch
	err := s.read.SelectContext(ctx, &list, `SELECT `+searchColumns+` FROM searches WHERE every = 'instant' AND id > $1 ORDER BY id LIMIT $2`, after, limit)
	return list, err
}

// NewMatches returns those of the listings that the search has not sent an
// alert for, in the same order.
func (s *Watches) NewMatches(ctx context.Context, searchID string, listings []string) (unseen []string, err error) {
	alerted := map[string]bool{}
	for part := range chunks(listings) {
		var ids []string
		err := s.read.SelectContext(ctx, &ids, `SELECT listing_id FROM alerts WHERE search_id = $1 AND listing_id IN (`+parameters(2, len(part))+`)`,
			append([]any{searchID}, toAny(part)...)...)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			alerted[id] = true
		}
	}
	for _, id := range listings {
		if !alerted[id] {
			unseen = append(unseen, id)
		}
	}
	return unseen, nil
}

// QueueAlerts records the matches of a run of a search and schedules the next
// run. It queues the deliveries that render returns for the new matches in the
// same transaction. Each match is new once, even with several replicas.
func (s *Watches) QueueAlerts(ctx context.Context, search *models.SavedSearch, matches []string, render func(newMatches []string) []models.Delivery) error {
	now := s.now()
	return s.update(ctx, func(t *tx) error {
		var newMatches []string
		err := t.insertReturning(ctx, `alerts (search_id, listing_id, at)`, `ON CONFLICT DO NOTHING RETURNING listing_id`, len(matches),
			func(i int) []any { return []any{search.ID, matches[i], now} },
			func(r *sqlx.Rows) error {
				var id string
				err := r.Scan(&id)
				newMatches = append(newMatches, id)
				return err
			})
		if err != nil {
			return err
		}
		_, err = t.ExecContext(ctx, `UPDATE searches SET looked_at = $2, due_at = $3 WHERE id = $1 AND looked_at <= $2`,
			search.ID, now, now.Add(search.Every.Interval()))
		if err != nil || len(newMatches) == 0 {
			return err
		}
		return queue(ctx, t, render(newMatches))
	})
}

// Alerts returns up to limit listings that the search sent alerts for, newest
// first.
func (s *Watches) Alerts(ctx context.Context, searchID string, limit int) (ids []string, err error) {
	err = s.read.SelectContext(ctx, &ids, `SELECT listing_id FROM alerts WHERE search_id = $1 ORDER BY at DESC, listing_id DESC LIMIT $2`, searchID, limit)
	return ids, err
}

// deleteTrendAlerts forgets the changed trends that a search would be notified of.
func deleteTrendAlerts(ctx context.Context, t *tx, searchID string) error {
	_, err := t.ExecContext(ctx, `DELETE FROM trend_alerts WHERE search_id = $1`, searchID)
	return err
}
