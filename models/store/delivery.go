package store

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// Retry policy of deliveries. The delay doubles after every failure, for about 30
// hours in total.
const (
	MaxAttempts     = 12
	firstRetryDelay = time.Minute
	maxRetryDelay   = 12 * time.Hour
	attemptTimeout  = 2 * time.Minute    // maximum duration of an attempt
	maxDeliveryAge  = 3 * 24 * time.Hour // of a delivery that is tried again
)

// Limits of the queue.
const (
	MaxConcurrentWebhooks = 2   // per member and per host, on all servers together
	MaxQueuedAlerts       = 100 // emails and webhooks each per saved search; the oldest are dropped
	turnsRead             = 200 // candidates that are read for one claim of webhooks
)

// retryDelay returns the time until the next attempt after a number of failures.
func retryDelay(failures int) time.Duration {
	return min(firstRetryDelay<<(min(failures, MaxAttempts)-1), maxRetryDelay)
}

// Queue queues deliveries. It skips members without an account, such as
// imported, deleted or suspended ones.
func (s *Deliveries) Queue(ctx context.Context, deliveries ...models.Delivery) error {
	return s.update(ctx, func(t *tx) error { return queue(ctx, t, deliveries) })
}

func queue(ctx context.Context, t *tx, deliveries []models.Delivery) error {
	deliveries, err := withAddresses(ctx, t, deliveries)
	if err != nil {
		return err
	}
	now := t.db.now()
	for i := range deliveries {
		d := &deliveries[i]
		d.ID, d.CreatedAt, d.NextAt = t.db.newID(), now, now
		if d.SearchID != "" {
			if err := enterQueue(ctx, t, d); err != nil {
				return err
			}
		}
	}
	if err := logEvents(ctx, t, deliveries); err != nil {
		return err
	}
	copies := map[string][]models.Delivery{}
	if len(deliveries) >= bulkRows && t.db.engine.arrays() {
		deliveries, copies = splitCopies(deliveries)
	}
	err = t.insert(ctx, `deliveries (id, kind, recipient, member_id, search_id, host, subject, body, html, secret, reply_to, dropped, attempts, next_at, created_at)`, "", len(deliveries), func(i int) []any {
		d := &deliveries[i]
		return []any{d.ID, d.Kind, d.Recipient, d.MemberID, models.Nullable(d.SearchID), d.Host(), d.Subject, d.Body, d.HTML, d.Secret, d.ReplyTo, d.Dropped, 0, d.NextAt, d.CreatedAt}
	})
	for id, same := range copies {
		err = errors.Join(err, insertCopies(ctx, t, id, same))
	}
	return err
}

// splitCopies splits deliveries into those that differ, and emails that are copies of one of them
// for other recipients, by its id.
func splitCopies(deliveries []models.Delivery) (different []models.Delivery, copies map[string][]models.Delivery) {
	copies = map[string][]models.Delivery{}
	originals := map[models.Delivery]string{}
	for _, d := range deliveries {
		text := d
		text.ID, text.Recipient, text.MemberID = "", "", ""
		if original, known := originals[text]; known && d.Kind == models.Mail {
			copies[original] = append(copies[original], d)
			continue
		}
		originals[text] = d.ID
		different = append(different, d)
	}
	return different, copies
}

// insertCopies inserts copies of an email for other recipients. Its text is neither sent nor
// compressed again by PostgreSQL, which takes longest when there are very many.
func insertCopies(ctx context.Context, t *tx, original string, copies []models.Delivery) error {
	var columns [3]arrayColumn
	for i := range copies {
		for c, value := range []string{copies[i].ID, copies[i].Recipient, copies[i].MemberID} {
			if err := columns[c].add(value); err != nil {
				return err
			}
		}
	}
	_, err := t.ExecContext(ctx, `INSERT INTO deliveries (id, kind, recipient, member_id, search_id, host, subject, body, html, secret, reply_to, dropped, attempts, next_at, created_at)
		SELECT c.id, d.kind, c.recipient, c.member_id, d.search_id, d.host, d.subject, d.body, d.html, d.secret, d.reply_to, d.dropped, 0, d.next_at, d.created_at
		FROM deliveries d, unnest($2::text[], $3::text[], $4::text[]) AS c (id, recipient, member_id) WHERE d.id = $1`,
		original, columns[0].array(), columns[1].array(), columns[2].array())
	return err
}

// withAddresses returns the deliveries to members with an account and to other
// recipients, with Recipient set.
func withAddresses(ctx context.Context, t *tx, deliveries []models.Delivery) ([]models.Delivery, error) {
	var members []string
	for i := range deliveries {
		if deliveries[i].MemberID != "" {
			members = append(members, deliveries[i].MemberID)
		}
	}
	accounts, err := selectIn[struct{ MemberID, Email string }](ctx, t, `SELECT member_id, email FROM accounts WHERE suspended_at = 0 AND member_id IN (%s)`, members)
	if err != nil {
		return nil, err
	}
	emails := map[string]string{} // of members who are not suspended
	for _, a := range accounts {
		emails[a.MemberID] = a.Email
	}
	var addressed []models.Delivery
	for _, d := range deliveries {
		email, known := emails[d.MemberID]
		if d.MemberID != "" && !known {
			continue
		}
		if d.MemberID != "" && d.Kind == models.Mail {
			d.Recipient = email
		}
		addressed = append(addressed, d)
	}
	return addressed, nil
}

// enterQueue prepares a delivery for the queue of its search. It drops the oldest
// deliveries of a full queue, and postpones a webhook whose last attempt failed.
func enterQueue(ctx context.Context, t *tx, d *models.Delivery) error {
	var dropped []int
	err := t.SelectContext(ctx, &dropped, `DELETE FROM deliveries WHERE id IN (
			SELECT id FROM deliveries WHERE search_id = $1 AND kind = $2 AND NOT claimed AND failed_at = 0 ORDER BY id DESC LIMIT 1000 OFFSET $3)
		RETURNING dropped`, d.SearchID, d.Kind, MaxQueuedAlerts-1)
	if err != nil {
		return err
	}
	for _, n := range dropped {
		d.Dropped += n + 1
	}
	if d.Kind != models.Webhook {
		return nil
	}
	retryAt, err := webhookRetryAt(ctx, t, d.SearchID)
	d.NextAt = max(d.NextAt, retryAt)
	return err
}

// webhookRetryAt returns when the webhook of a search may be tried again.
func webhookRetryAt(ctx context.Context, t *tx, searchID string) (at models.Time, err error) {
	err = t.GetContext(ctx, &at, `SELECT webhook_retry_at FROM searches WHERE id = $1`, searchID)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return at, err
}

// ClaimDeliveries claims up to limit deliveries that are due, of the given
// kinds or of any. Each is returned to one caller. A delivery that is not
// marked Delivered or Failed is due again after a delay, even if the process
// that claimed it dies.
//
// Members take turns with their webhooks: whose last one was longest ago comes
// first. No more than MaxConcurrentWebhooks of a member, and to a host, are
// claimed at a time. None is claimed while they are paused.
func (s *Deliveries) ClaimDeliveries(ctx context.Context, limit int, kinds ...models.DeliveryKind) (claimed []models.Delivery, err error) {
	if since, err := s.DeliveriesPaused(ctx); err != nil || since > 0 {
		return nil, err
	}
	now := s.now()
	if len(kinds) == 0 {
		kinds = []models.DeliveryKind{models.Mail, models.Webhook}
	}
	var due []models.Delivery
	for _, kind := range kinds {
		query := dueMails
		if kind == models.Webhook {
			query = webhookTurns
		}
		var some []models.Delivery
		if err := s.read.SelectContext(ctx, &some, query, now, turnsRead, MaxConcurrentWebhooks); err != nil {
			return nil, err
		}
		due = append(due, some...)
	}
	if len(due) == 0 || limit <= 0 {
		return nil, nil
	}
	err = s.update(ctx, func(t *tx) error {
		claimed = claimed[:0]
		if err := lockName(ctx, t, "deliveries"); err != nil {
			return err
		}
		for _, d := range due {
			if len(claimed) == limit {
				break
			}
			ok, err := claimDelivery(ctx, t, &d, now)
			if err != nil {
				return err
			}
			if ok {
				claimed = append(claimed, d)
			}
		}
		return nil
	})
	return claimed, err
}

const deliveryColumns = `d.id, d.kind, d.recipient, d.member_id, COALESCE(d.search_id, '') AS search_id, d.subject, d.body, d.html, d.secret, d.reply_to, d.error, d.dropped, d.attempts, d.next_at, d.failed_at, d.created_at`

// dueMails selects up to $2 emails that are due at $1, longest due first. It ignores
// $3.
const dueMails = `SELECT ` + deliveryColumns + ` FROM deliveries d
	WHERE d.kind = 'mail' AND d.next_at <= $1 AND d.failed_at = 0 AND $3 > 0 ORDER BY d.next_at, d.id LIMIT $2`

// webhookTurns selects up to $2 webhooks that are due at $1, in the order of their
// turns: of each member and host with fewer than $3 being sent, at most $3.
const webhookTurns = `SELECT ` + deliveryColumns + ` FROM (
		SELECT id, ROW_NUMBER() OVER (PARTITION BY member_id ORDER BY next_at, id) AS place FROM deliveries
		WHERE kind = 'webhook' AND next_at <= $1
			AND member_id NOT IN (SELECT member_id FROM deliveries WHERE claimed AND next_at > $1 GROUP BY member_id HAVING COUNT(*) >= $3)
			AND host NOT IN (SELECT host FROM deliveries WHERE claimed AND next_at > $1 GROUP BY host HAVING COUNT(*) >= $3)) turn
	JOIN deliveries d ON d.id = turn.id
	LEFT JOIN accounts a ON a.member_id = d.member_id
	WHERE turn.place <= $3 ORDER BY turn.place, COALESCE(a.webhook_at, 0), d.next_at, d.id LIMIT $2`

// claimDelivery claims a delivery and reports whether it did: not if it has been
// claimed meanwhile, or if MaxConcurrentWebhooks of its member or to its host are
// being sent.
func claimDelivery(ctx context.Context, t *tx, d *models.Delivery, now models.Time) (bool, error) {
	const claim = `UPDATE deliveries SET attempts = attempts + 1, claimed = TRUE, next_at = $3 WHERE id = $1 AND next_at = $2`
	timeout := now.Add(attemptTimeout)
	args := []any{d.ID, d.NextAt, timeout}
	query := claim
	if d.Kind == models.Webhook {
		query += ` AND (SELECT COUNT(*) FROM deliveries WHERE claimed AND next_at > $4 AND member_id = $5) < $7
			AND (SELECT COUNT(*) FROM deliveries WHERE claimed AND next_at > $4 AND host = $6) < $7`
		args = append(args, now, d.MemberID, d.Host(), MaxConcurrentWebhooks)
	}
	n, err := t.affected(ctx, query, args...)
	if err != nil || n == 0 {
		return false, err
	}
	d.Attempts++
	if d.Kind == models.Webhook {
		_, err = t.ExecContext(ctx, `UPDATE accounts SET webhook_at = $2 WHERE member_id = $1`, d.MemberID, now)
	}
	return true, err
}

// Delivered removes a delivery from the queue. The others of a webhook that failed
// before are due at once.
func (s *Deliveries) Delivered(ctx context.Context, id string) error {
	return s.update(ctx, func(t *tx) error {
		var sent []models.Delivery
		err := t.SelectContext(ctx, &sent, `DELETE FROM deliveries WHERE id = $1 RETURNING kind, COALESCE(search_id, '') AS search_id`, id)
		if err != nil || len(sent) == 0 || sent[0].Kind != models.Webhook {
			return err
		}
		search := sent[0].SearchID
		if search == "" {
			return eventSent(ctx, t, id)
		}
		n, err := t.affected(ctx, `UPDATE searches SET webhook_failures = 0, webhook_retry_at = 0 WHERE id = $1 AND webhook_failures > 0`, search)
		if err != nil || n == 0 {
			return err
		}
		_, err = t.ExecContext(ctx, `UPDATE deliveries SET next_at = $2 WHERE search_id = $1 AND kind = 'webhook' AND NOT claimed AND next_at > $2`, search, s.now())
		return err
	})
}

// Failed records why an attempt of a delivery failed and schedules the next one. It
// removes the delivery from the queue, and reports that it did, if the failure is permanent
// or it was the last attempt; an email can then be queued again by Requeue. Until the next
// attempt, nothing is sent to the webhook of its search. reason must not contain secrets.
func (s *Deliveries) Failed(ctx context.Context, d *models.Delivery, reason string, permanent bool) (givenUp bool, err error) {
	now := s.now()
	givenUp = permanent || d.Attempts >= MaxAttempts || now >= d.CreatedAt.Add(maxDeliveryAge)
	err = s.update(ctx, func(t *tx) error {
		retryAt := now.Add(retryDelay(d.Attempts))
		if d.Kind == models.Webhook && d.SearchID != "" {
			var err error
			if retryAt, err = pauseWebhook(ctx, t, d.SearchID, now); err != nil {
				return err
			}
		}
		if d.Kind == models.Webhook && d.SearchID == "" {
			if err := eventFailed(ctx, t, d.ID, reason, givenUp); err != nil {
				return err
			}
		}
		var failedAt models.Time
		if givenUp {
			if d.Kind == models.Webhook {
				_, err := t.ExecContext(ctx, `DELETE FROM deliveries WHERE id = $1`, d.ID)
				return err
			}
			failedAt = now
		}
		_, err := t.ExecContext(ctx, `UPDATE deliveries SET claimed = FALSE, next_at = $3, failed_at = $4, error = $5 WHERE id = $1 AND attempts = $2`,
			d.ID, d.Attempts, retryAt, failedAt, reason)
		return err
	})
	return givenUp, err
}

// RetryDeliveries makes the deliveries of a kind that wait after a failure due at once,
// and returns how many.
func (s *Deliveries) RetryDeliveries(ctx context.Context, kind models.DeliveryKind) (n int64, err error) {
	now := s.now()
	err = s.update(ctx, func(t *tx) error {
		n, err = t.affected(ctx, `UPDATE deliveries SET next_at = $2 WHERE kind = $1 AND NOT claimed AND next_at > $2`, kind, now)
		return err
	})
	return n, err
}

// pauseWebhook counts a failure of a search's webhook and postpones its deliveries.
// Failures of concurrent attempts count as one.
func pauseWebhook(ctx context.Context, t *tx, searchID string, now models.Time) (retryAt models.Time, err error) {
	var failures []int
	err = t.SelectContext(ctx, &failures, `UPDATE searches SET webhook_failures = webhook_failures + 1
		WHERE id = $1 AND webhook_retry_at <= $2 RETURNING webhook_failures`, searchID, now)
	if err != nil {
		return 0, err
	}
	if len(failures) == 0 {
		return webhookRetryAt(ctx, t, searchID)
	}
	retryAt = now.Add(retryDelay(failures[0]))
	if _, err := t.ExecContext(ctx, `UPDATE searches SET webhook_retry_at = $2 WHERE id = $1`, searchID, retryAt); err != nil {
		return 0, err
	}
	_, err = t.ExecContext(ctx, `UPDATE deliveries SET next_at = $2 WHERE search_id = $1 AND kind = 'webhook' AND NOT claimed AND next_at < $2`, searchID, retryAt)
	return retryAt, err
}

// FailedMailPeriod is how long an undeliverable email is stored.
const FailedMailPeriod = 14 * 24 * time.Hour

// CountMail returns the numbers of emails that are not sent.
func (s *Deliveries) CountMail(ctx context.Context) (c models.MailCounts, err error) {
	err = s.read.GetContext(ctx, &c, `SELECT COALESCE(SUM(CASE WHEN failed_at = 0 AND error = '' THEN 1 ELSE 0 END), 0) AS waiting,
		COALESCE(SUM(CASE WHEN failed_at = 0 AND error <> '' THEN 1 ELSE 0 END), 0) AS retrying,
		COALESCE(SUM(CASE WHEN failed_at > 0 THEN 1 ELSE 0 END), 0) AS failed FROM deliveries WHERE kind = 'mail'`)
	return c, err
}

// UnsentMail returns up to limit emails that are not sent, without their text: first those
// that are undeliverable, then those that failed, newest first.
func (s *Deliveries) UnsentMail(ctx context.Context, limit int) ([]models.Delivery, error) {
	var list []models.Delivery
	for _, state := range []string{`failed_at > 0`, `failed_at = 0 AND error <> ''`, `failed_at = 0 AND error = ''`} {
		var some []models.Delivery
		err := s.read.SelectContext(ctx, &some, `SELECT id, kind, recipient, subject, attempts, error, next_at, failed_at, created_at FROM deliveries
			WHERE kind = 'mail' AND `+state+` ORDER BY id DESC LIMIT $1`, limit-len(list))
		if err != nil {
			return nil, err
		}
		if list = append(list, some...); len(list) == limit {
			break
		}
	}
	return list, nil
}

// Requeue makes an email that failed due at once, with all attempts. It returns a NotFound
// error, email_not_found, if no email with the id has failed.
func (s *Deliveries) Requeue(ctx context.Context, id string) error {
	now := s.now()
	return s.update(ctx, func(t *tx) error {
		n, err := t.affected(ctx, `UPDATE deliveries SET attempts = 0, next_at = $2, failed_at = 0, error = '', created_at = $2
			WHERE id = $1 AND kind = 'mail' AND NOT claimed AND error <> ''`, id, now)
		if err == nil && n == 0 {
			err = errEmailNotFound
		}
		return err
	})
}

// eraseFailed deletes emails that became undeliverable FailedMailPeriod ago, and what webhooks
// of accounts were sent WebhookLogPeriod ago.
func eraseFailed(ctx context.Context, t *tx, now models.Time) error {
	if _, err := t.ExecContext(ctx, `DELETE FROM webhook_log WHERE created_at < $1`, now.Add(-WebhookLogPeriod)); err != nil {
		return err
	}
	_, err := t.ExecContext(ctx, `DELETE FROM deliveries WHERE failed_at > 0 AND failed_at < $1`, now.Add(-FailedMailPeriod))
	return err
}

var errEmailNotFound = &problem.Error{Kind: problem.NotFound, Code: "email_not_found", Message: problem.Programf("There is no failed email with this id."),
	Hint: problem.Textf("It may have been sent meanwhile.").And(problem.Programf("GET /api/admin/mail lists the emails that are not sent."))}

// pausedSetting is since when no delivery is sent, in milliseconds. It is not set while
// they are.
const pausedSetting = "deliveries_paused"

// DeliveriesPaused returns since when email and webhooks wait, because the database was
// restored or an operator paused them; 0 if they are sent.
func (s *Deliveries) DeliveriesPaused(ctx context.Context) (since models.Time, err error) {
	value, err := s.setting(ctx, pausedSetting)
	if err != nil || value == "" {
		return 0, err
	}
	ms, err := strconv.ParseInt(value, 10, 64)
	return models.Time(ms), err
}

// PauseDeliveries lets email and webhooks wait until ResumeDeliveries. They are queued
// meanwhile.
func (s *Deliveries) PauseDeliveries(ctx context.Context) error {
	return s.update(ctx, func(t *tx) error { return pauseDeliveries(ctx, t) })
}

// pauseDeliveries is PauseDeliveries in a transaction.
func pauseDeliveries(ctx context.Context, t *tx) error {
	return t.setSetting(ctx, pausedSetting, strconv.FormatInt(int64(t.db.now()), 10))
}

// ResumeDeliveries sends email and webhooks again, and records it in the audit log. It does
// nothing if they are not paused.
func (s *Deliveries) ResumeDeliveries(ctx context.Context, operatorID, note string) error {
	return s.update(ctx, func(t *tx) error {
		n, err := t.affected(ctx, `DELETE FROM settings WHERE name = $1`, pausedSetting)
		if err != nil || n == 0 {
			return err
		}
		return audit(ctx, t, &models.AuditEntry{OperatorID: operatorID, Action: models.ResumeDeliveries, Subject: siteSubject, Note: note, At: t.db.now()})
	})
}

// DiscardDeliveries deletes the email and webhooks that wait while they are paused, and
// returns how many. It does nothing if they are not paused.
func (s *Deliveries) DiscardDeliveries(ctx context.Context) (n int64, err error) {
	err = s.update(ctx, func(t *tx) error {
		n, err = t.affected(ctx, `DELETE FROM deliveries WHERE failed_at = 0 AND EXISTS (SELECT 1 FROM settings WHERE name = $1)`, pausedSetting)
		return err
	})
	return n, err
}

// QueueReminders finds up to limit active listings that expire before a time
// and whose sellers have not been reminded of it, and queues the deliveries
// that render returns for them, given the language of the seller. Each expiry is
// processed once, even with concurrent callers.
func (s *Watches) QueueReminders(ctx context.Context, before models.Time, limit int, render func(l *models.Listing, language string) models.Delivery) error {
	now := s.now()
	var due []string
	err := s.read.SelectContext(ctx, &due, `SELECT l.id FROM listings l LEFT JOIN reminders r ON r.listing_id = l.id AND r.expires_at = l.expires_at
		WHERE l.status = 'active' AND l.expires_at > $1 AND l.expires_at <= $2 AND r.listing_id IS NULL ORDER BY l.expires_at, l.id LIMIT $3`, now, before, limit)
	if err != nil || len(due) == 0 {
		return err
	}
	return s.update(ctx, func(t *tx) error {
		var reminders []models.Delivery
		for _, id := range due {
			n, err := t.affected(ctx, `INSERT INTO reminders (listing_id, expires_at) SELECT id, expires_at FROM listings WHERE id = $1 AND status = 'active'
				ON CONFLICT (listing_id) DO UPDATE SET expires_at = excluded.expires_at WHERE reminders.expires_at <> excluded.expires_at`, id)
			if err != nil {
				return err
			}
			if n == 0 {
				continue
			}
			l, err := listingByID(ctx, t, id)
			if err != nil {
				return err
			}
			if l == nil {
				continue
			}
			language, err := languageOf(ctx, t, l.SellerID)
			if err != nil {
				return err
			}
			reminders = append(reminders, render(l, language))
		}
		if len(reminders) == 0 {
			return nil
		}
		return queue(ctx, t, reminders)
	})
}

// SendNotices enables email notices, rendered by render. The emails are queued
// in the transaction of the event.
func (db *database) SendNotices(render models.NoticeRenderer) { db.renderNotice.Store(&render) }

// addNotice records a notice to be queued when the transaction commits. Those of
// offers and sales are events of their recipient too.
func addNotice(t *tx, n models.Notice) {
	t.notices = append(t.notices, n)
	if n.Kind.IsEvent() {
		t.happened(models.Entry{Change: models.Change{Kind: models.OfferChanged, Subject: n.ID}, Event: models.Event(n.Kind), MemberID: n.To})
	}
}

// notifyOther notifies one side of an offer of an action of the other.
func notifyOther(ctx context.Context, t *tx, kind models.NoticeKind, o *models.Offer, title, by string) error {
	name, err := memberName(ctx, t, by)
	if err != nil {
		return err
	}
	addNotice(t, models.Notice{Kind: kind, To: o.Other(by), By: name, ID: o.ID, Title: title, Amount: o.Amount, Currency: o.Currency, ExpiresAt: o.ExpiresAt,
		Shipped: o.Method == models.Shipping, Instant: o.Bought && o.Status == models.OfferAccepted})
	return nil
}

func memberName(ctx context.Context, t *tx, memberID string) (name string, err error) {
	err = t.GetContext(ctx, &name, `SELECT name FROM members WHERE id = $1`, memberID)
	return name, err
}

// queueNotices queues the recorded notices as emails and as webhooks of accounts.
func queueNotices(ctx context.Context, t *tx) error {
	for i := range t.notices {
		if err := queueEvent(ctx, t, t.notices[i].AccountEvent(), &t.notices[i]); err != nil {
			return err
		}
	}
	render := t.db.renderNotice.Load()
	if render == nil || len(t.notices) == 0 {
		return nil
	}
	mails := make([]models.Delivery, len(t.notices))
	for i := range t.notices {
		n := &t.notices[i]
		var err error
		if n.Language, err = languageOf(ctx, t, n.To); err != nil {
			return err
		}
		if n.Photo, err = photoOf(ctx, t, n.ID); err != nil {
			return err
		}
		mails[i] = (*render)(n)
	}
	return queue(ctx, t, mails)
}

// photoOf returns the key of the first photo of a listing that everyone can see, "" for none, given
// the id of the listing, or of an offer or a conversation about it.
func photoOf(ctx context.Context, t *tx, id string) (key string, err error) {
	err = t.GetContext(ctx, &key, `SELECT COALESCE(MIN(p.key), '') FROM listing_photos p JOIN listings l ON l.id = p.listing_id WHERE p.place = 0 AND `+isPublic+` AND l.id = COALESCE(
		(SELECT listing_id FROM offers WHERE id = $1), (SELECT listing_id FROM conversations WHERE id = $1), $1)`, id)
	return key, err
}

// languageOf returns the language that a member has chosen, "" for none.
func languageOf(ctx context.Context, t *tx, memberID string) (language string, err error) {
	err = t.GetContext(ctx, &language, `SELECT language FROM accounts WHERE member_id = $1`, memberID)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return language, err
}
