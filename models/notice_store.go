package models

import "context"

// SendNotices has what members are to hear of mailed as letters says, from then
// on. A notice is queued in the transaction of what it tells of: both are done,
// or neither.
func (db *database) SendNotices(letters Letters) { db.letters.Store(&letters) }

// tell notes what a member is to hear of when the transaction commits.
func (t *tx) tell(n Notice) { t.notices = append(t.notices, n) }

// tellOther notes that one side of an offer did something that the other is to
// hear of.
func (t *tx) tellOther(ctx context.Context, kind NoticeKind, o *Offer, title, by string) error {
	name, err := t.nameOf(ctx, by)
	if err != nil {
		return err
	}
	t.tell(Notice{Kind: kind, To: o.Other(by), By: name, ID: o.ID, Title: title, Amount: o.Amount, ExpiresAt: o.ExpiresAt})
	return nil
}

func (t *tx) nameOf(ctx context.Context, memberID string) (name string, err error) {
	err = t.GetContext(ctx, &name, `SELECT name FROM members WHERE id = $1`, memberID)
	return name, err
}

// queueNotices queues what the transaction has to tell.
func (t *tx) queueNotices(ctx context.Context) error {
	letters := t.db.letters.Load()
	if letters == nil || len(t.notices) == 0 {
		return nil
	}
	mails := make([]Delivery, len(t.notices))
	for i := range t.notices {
		n := &t.notices[i]
		mails[i] = Delivery{Kind: Mail, MemberID: n.To}
		mails[i].Subject, mails[i].Body = (*letters)(n)
	}
	return t.queue(ctx, mails)
}
