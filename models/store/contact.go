package store

import (
	"context"
	"errors"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// contactKeySetting names the setting with the key of the stamps of contact forms.
const contactKeySetting = "contact_key"

// Numbers of messages to the owner before delays start: of those that a client or a member
// sends, of those of a network, and of those of all visitors that are emailed.
const (
	contactsOfOne     = 4
	contactsOfNetwork = 20
	contactsOfAll     = 60
)

// NewContactStamp returns the stamp of a new contact form. AddContactMessage checks it.
func (s *Site) NewContactStamp(ctx context.Context) (string, error) {
	key, err := s.secretSetting(ctx, contactKeySetting)
	return models.NewContactStamp(key, s.now()), err
}

// CheckContactStamp returns an error unless a form with a stamp may be sent now:
// form_expired or form_too_fast.
func (s *Site) CheckContactStamp(ctx context.Context, stamp string) error {
	key, err := s.secretSetting(ctx, contactKeySetting)
	if err != nil {
		return err
	}
	return models.CheckContactStamp(key, stamp, s.now())
}

// LimitContact counts a message to the owner, by client, network and member, and returns a TooMany
// error if there were too many. Messages of others don't count.
func (s *Site) LimitContact(ctx context.Context, client, memberID string) error {
	limits := []attemptLimit{{"contact:" + client, contactsOfOne}, {"contact-network:" + networkOf(client), contactsOfNetwork}}
	if memberID != "" {
		limits = append(limits, attemptLimit{"contact:" + memberID, contactsOfOne})
	}
	err := s.accounts.countAttempts(ctx, limits)
	var limited *problem.Error
	if errors.As(err, &limited) {
		return &problem.Error{Kind: limited.Kind, Code: "too_many_messages", Message: problem.Textf("Too many messages were sent."), Hint: problem.Textf("Wait %s and try again.", secondsText(limited.Wait)), Wait: limited.Wait, Cause: err}
	}
	return err
}

// AddContactMessage stores a message, sets its id and its time and, unless it is spam,
// queues the emails that render writes to operators. If visitors sent too many, theirs are
// stored without an email. It returns an Invalid error that
// lists all invalid fields, and form_expired if the form was sent before.
func (s *Site) AddContactMessage(ctx context.Context, m *models.ContactMessage, render func(operator *models.Account) models.Delivery) error {
	if err := m.Check(); err != nil {
		return err
	}
	m.ID, m.CreatedAt = s.newID(), s.now()
	return s.update(ctx, func(t *tx) error {
		n, err := t.affected(ctx, `INSERT INTO contact_messages (id, member_id, name, email, topic, about, text, status, stamp, created_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (stamp) DO NOTHING`,
			m.ID, models.Nullable(m.MemberID), m.Name, m.Email, m.Topic, m.About, m.Text, m.Status, models.Nullable(m.Stamp), m.CreatedAt)
		if err != nil {
			return err
		}
		if n == 0 {
			return models.ErrFormExpired
		}
		if m.Status == models.ContactSpam {
			return nil
		}
		if m.MemberID == "" {
			if wait, err := countAttempt(ctx, t, attemptLimit{"contact", contactsOfAll}, m.CreatedAt); err != nil || wait > 0 {
				return err
			}
		}
		return queueContact(ctx, t, m, render)
	})
}

// queueContact queues the emails about a message to operators.
func queueContact(ctx context.Context, t *tx, m *models.ContactMessage, render func(*models.Account) models.Delivery) error {
	var operators []struct {
		MemberID, Language string
	}
	if err := t.SelectContext(ctx, &operators, `SELECT member_id, language FROM accounts WHERE role = $1 AND suspended_at = 0 ORDER BY member_id`, models.RoleOperator); err != nil {
		return err
	}
	emails := make([]models.Delivery, len(operators))
	for i, o := range operators {
		emails[i] = render(&models.Account{MemberID: o.MemberID, Language: o.Language})
		emails[i].ReplyTo = m.Email
	}
	return queue(ctx, t, emails)
}

const contactColumns = `id, COALESCE(member_id, '') AS member_id, name, email, topic, about, text, status, created_at`

// ContactMessages returns up to limit messages of a status before the one with an id, the
// newest first. The id "" is after all.
func (s *Site) ContactMessages(ctx context.Context, status models.ContactStatus, before string, limit int) ([]models.ContactMessage, error) {
	if !models.Storable(before) {
		return nil, nil
	}
	var list []models.ContactMessage
	err := s.read.SelectContext(ctx, &list, `SELECT `+contactColumns+` FROM contact_messages
		WHERE status = $1 AND ($2 = '' OR id < $2) ORDER BY id DESC LIMIT $3`, status, before, limit)
	return list, err
}

// CountContactMessages returns the number of messages of a status.
func (s *Site) CountContactMessages(ctx context.Context, status models.ContactStatus) (n int, err error) {
	err = s.read.GetContext(ctx, &n, `SELECT COUNT(*) FROM contact_messages WHERE status = $1`, status)
	return n, err
}

// SetContactStatus sets the status of a message and returns the message.
func (s *Site) SetContactStatus(ctx context.Context, id string, status models.ContactStatus) (*models.ContactMessage, error) {
	var changed []models.ContactMessage
	err := s.update(ctx, func(t *tx) error {
		return t.SelectContext(ctx, &changed, `UPDATE contact_messages SET status = $2 WHERE id = $1 RETURNING `+contactColumns, id, status)
	})
	if err == nil && len(changed) == 0 {
		err = errContactNotFound
	}
	if err != nil {
		return nil, err
	}
	return &changed[0], nil
}

// DeleteContactMessage deletes a message.
func (s *Site) DeleteContactMessage(ctx context.Context, id string) error {
	return s.update(ctx, func(t *tx) error {
		n, err := t.affected(ctx, `DELETE FROM contact_messages WHERE id = $1`, id)
		if err == nil && n == 0 {
			err = errContactNotFound
		}
		return err
	})
}

// eraseContact deletes messages that are older than ContactPeriod, and spam that is older
// than SpamPeriod.
func eraseContact(ctx context.Context, t *tx, now models.Time) error {
	_, err := t.ExecContext(ctx, `DELETE FROM contact_messages WHERE created_at < $1 OR status = 'spam' AND created_at < $2`, now.Add(-models.ContactPeriod), now.Add(-models.SpamPeriod))
	return err
}

var errContactNotFound = &problem.Error{Kind: problem.NotFound, Code: "contact_message_not_found", Message: problem.Textf("There's no such message."),
	Hint: problem.Textf("It may have been deleted.").And(problem.Programf("GET /api/admin/contact lists all messages."))}
