package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/secondlight/secondlight/models"
)

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
	addNotice(t, models.Notice{Kind: kind, To: o.Other(by), By: name, ID: o.ID, Title: title, Amount: o.Amount, Currency: o.Currency, ExpiresAt: o.ExpiresAt})
	return nil
}

func memberName(ctx context.Context, t *tx, memberID string) (name string, err error) {
	err = t.GetContext(ctx, &name, `SELECT name FROM members WHERE id = $1`, memberID)
	return name, err
}

// queueNotices queues the recorded notices as emails.
func queueNotices(ctx context.Context, t *tx) error {
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
		mails[i] = models.Delivery{Kind: models.Mail, MemberID: n.To}
		mails[i].Subject, mails[i].Body = (*render)(n)
	}
	return queue(ctx, t, mails)
}

// languageOf returns the language that a member has chosen, "" for none.
func languageOf(ctx context.Context, t *tx, memberID string) (language string, err error) {
	err = t.GetContext(ctx, &language, `SELECT language FROM accounts WHERE member_id = $1`, memberID)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return language, err
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
