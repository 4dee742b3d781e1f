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
