package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// WebhookLogPeriod is how long what webhooks of accounts were sent is stored.
const WebhookLogPeriod = 14 * 24 * time.Hour

// SendWebhooks enables webhooks of accounts, rendered by render.
func (db *database) SendWebhooks(render models.WebhookRenderer) { db.renderWebhook.Store(&render) }

// AccountWebhook returns the webhook of a member's account, nil if there is none.
func (s *Watches) AccountWebhook(ctx context.Context, memberID string) (*models.AccountWebhook, error) {
	var w models.AccountWebhook
	err := s.read.GetContext(ctx, &w, `SELECT member_id, url, secret, events, created_at FROM account_webhooks WHERE member_id = $1`, memberID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &w, err
}

// SetAccountWebhook sets the webhook of a member's account, or removes it if its URL is "". The
// secret stays unless newSecret is set. What waits for another URL is discarded.
func (s *Watches) SetAccountWebhook(ctx context.Context, w *models.AccountWebhook, newSecret bool) error {
	if w.URL != "" {
		if err := w.Check(); err != nil {
			return err
		}
	}
	return s.update(ctx, func(t *tx) error {
		if _, err := t.ExecContext(ctx, `DELETE FROM deliveries WHERE kind = 'webhook' AND member_id = $1 AND search_id IS NULL AND recipient <> $2`, w.MemberID, w.URL); err != nil {
			return err
		}
		if w.URL == "" {
			_, err := t.ExecContext(ctx, `DELETE FROM account_webhooks WHERE member_id = $1`, w.MemberID)
			return err
		}
		_, err := t.ExecContext(ctx, `INSERT INTO account_webhooks (member_id, url, secret, events, created_at) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (member_id) DO UPDATE SET url = $2, events = $4, secret = CASE WHEN $6 THEN $3 ELSE account_webhooks.secret END`,
			w.MemberID, w.URL, models.NewWebhookSecret(), w.Events, t.db.now(), newSecret)
		return err
	})
}

// WebhookLog returns the latest events of a member's account that its webhook was sent, newest
// first.
func (s *Watches) WebhookLog(ctx context.Context, memberID string, limit int) (list []models.WebhookEntry, err error) {
	err = s.read.SelectContext(ctx, &list, `SELECT id, member_id, event, body, attempts, created_at, sent_at, failed_at, error FROM webhook_log WHERE member_id = $1 ORDER BY id DESC LIMIT $2`, memberID, limit)
	return list, err
}

// RedeliverWebhook queues an event of a member's account again, under its id. It returns a
// NotFound error, delivery_not_found, if it is not in the log or there is no webhook.
func (s *Watches) RedeliverWebhook(ctx context.Context, memberID, id string) error {
	return s.update(ctx, func(t *tx) error {
		var found []models.Delivery
		err := t.SelectContext(ctx, &found, `SELECT l.id, w.url AS recipient, l.member_id, l.body, w.secret FROM webhook_log l JOIN account_webhooks w ON w.member_id = l.member_id
			WHERE l.id = $1 AND l.member_id = $2`, id, memberID)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return &problem.Error{Kind: problem.NotFound, Code: "delivery_not_found", Message: problem.Textf("There's no such webhook to send again."), Hint: problem.Programf("Take an id from deliveries of GET /api/me/webhook.")}
		}
		d, now := &found[0], t.db.now()
		d.Kind = models.Webhook
		if _, err := t.ExecContext(ctx, `UPDATE webhook_log SET sent_at = 0, failed_at = 0, error = '' WHERE id = $1`, id); err != nil {
			return err
		}
		_, err = t.ExecContext(ctx, `INSERT INTO deliveries (id, kind, recipient, member_id, host, subject, body, secret, attempts, next_at, created_at) VALUES ($1, 'webhook', $2, $3, $4, '', $5, $6, 0, $7, $7)
			ON CONFLICT (id) DO UPDATE SET next_at = $7`, d.ID, d.Recipient, d.MemberID, d.Host(), d.Body, d.Secret, now)
		return err
	})
}

// TestAccountWebhook queues a test of the webhook of a member's account. Tests are limited as
// those of TestWebhook are.
func (s *Watches) TestAccountWebhook(ctx context.Context, memberID string) error {
	return s.update(ctx, func(t *tx) error {
		if err := countWebhookTest(ctx, t, memberID); err != nil {
			return err
		}
		return queueEvent(ctx, t, models.WebhookTestEvent, &models.Notice{To: memberID})
	})
}

// queueEvent queues the webhook of an account about an event, if it has one that wants it.
func queueEvent(ctx context.Context, t *tx, event models.AccountEvent, n *models.Notice) error {
	return queueEvents(ctx, t, event, []models.Notice{*n})
}

// queueEvents queues the webhooks of accounts about an event, of those that have one that wants it.
func queueEvents(ctx context.Context, t *tx, event models.AccountEvent, notices []models.Notice) error {
	render := t.db.renderWebhook.Load()
	if render == nil || event == "" {
		return nil
	}
	hooks, err := accountWebhooks(ctx, t, notices)
	if err != nil {
		return err
	}
	var deliveries []models.Delivery
	for i := range notices {
		n := &notices[i]
		if w := hooks[n.To]; w != nil && (event == models.WebhookTestEvent || slices.Contains(w.Events, event)) {
			deliveries = append(deliveries, models.Delivery{Kind: models.Webhook, Recipient: w.URL, MemberID: n.To, Event: event, Body: (*render)(event, n), Secret: w.Secret})
		}
	}
	return queue(ctx, t, deliveries)
}

// accountWebhooks returns the webhooks of the recipients of notices, by member.
func accountWebhooks(ctx context.Context, t *tx, notices []models.Notice) (map[string]*models.AccountWebhook, error) {
	members := make([]string, len(notices))
	for i := range notices {
		members[i] = notices[i].To
	}
	hooks, err := selectIn[models.AccountWebhook](ctx, t, `SELECT member_id, url, secret, events FROM account_webhooks WHERE member_id IN (%s)`, members)
	return byKey(hooks, func(w *models.AccountWebhook) string { return w.MemberID }), err
}

// logEvents records the queued webhooks of accounts.
func logEvents(ctx context.Context, t *tx, deliveries []models.Delivery) error {
	events := slices.DeleteFunc(slices.Clone(deliveries), func(d models.Delivery) bool { return d.Event == "" })
	return t.insert(ctx, `webhook_log (id, member_id, event, body, attempts, created_at)`, "", len(events), func(i int) []any {
		d := &events[i]
		return []any{d.ID, d.MemberID, d.Event, d.Body, 0, d.CreatedAt}
	})
}

// eventSent and eventFailed record what became of a webhook of an account.
func eventSent(ctx context.Context, t *tx, id string) error {
	_, err := t.ExecContext(ctx, `UPDATE webhook_log SET attempts = attempts + 1, sent_at = $2, error = '' WHERE id = $1`, id, t.db.now())
	return err
}

func eventFailed(ctx context.Context, t *tx, id, reason string, givenUp bool) error {
	var failedAt models.Time
	if givenUp {
		failedAt = t.db.now()
	}
	_, err := t.ExecContext(ctx, `UPDATE webhook_log SET attempts = attempts + 1, failed_at = $2, error = $3 WHERE id = $1`, id, failedAt, reason)
	return err
}
