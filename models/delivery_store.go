package models

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// Delivery is a mail or a webhook on its way out.
type Delivery struct {
	ID        string // UUIDv7; the same at each attempt
	Kind      DeliveryKind
	Recipient string // e-mail address, or the webhook's
	MemberID  string // whom a mail is for instead of a Recipient, who is filled in when it is queued
	Subject   string // of a mail
	Body      string
	Secret    string // a webhook is signed with it; of a mail, the address that ends mail like it, "" for none
	Attempts  int
	NextAt    Time
	CreatedAt Time
}

// DeliveryKind is how a delivery goes out.
type DeliveryKind string

// The kinds of delivery.
const (
	Mail    DeliveryKind = "mail"
	Webhook DeliveryKind = "webhook"
)

// A delivery is tried so often, after pauses that double from a minute on: for
// about two days.
const (
	MaxAttempts = 12
	firstPause  = time.Minute
	claimTime   = 2 * time.Minute // within which an attempt must end
)

// Queue puts deliveries into the queue. Nothing is queued for a member without an
// address: imported, gone or suspended.
func (s *Store) Queue(ctx context.Context, deliveries ...Delivery) error {
	return s.update(ctx, func(t *tx) error { return t.queue(ctx, deliveries) })
}

func (t *tx) queue(ctx context.Context, deliveries []Delivery) error {
	deliveries, err := t.addressed(ctx, deliveries)
	if err != nil {
		return err
	}
	now := t.db.now()
	return t.insert(ctx, `deliveries (id, kind, recipient, subject, body, secret, attempts, next_at, created_at)`, "", len(deliveries), func(i int) []any {
		d := &deliveries[i]
		d.ID, d.CreatedAt, d.NextAt = t.db.newID(), now, now
		return []any{d.ID, d.Kind, d.Recipient, d.Subject, d.Body, d.Secret, 0, d.NextAt, d.CreatedAt}
	})
}

// addressed are the deliveries that somebody gets, with their addresses.
func (t *tx) addressed(ctx context.Context, deliveries []Delivery) ([]Delivery, error) {
	var kept []Delivery
	for _, d := range deliveries {
		if d.MemberID != "" {
			err := t.GetContext(ctx, &d.Recipient, `SELECT email FROM accounts WHERE member_id = $1 AND suspended_at = 0`, d.MemberID)
			if errors.Is(err, sql.ErrNoRows) {
				continue
			}
			if err != nil {
				return nil, err
			}
		}
		kept = append(kept, d)
	}
	return kept, nil
}

// ClaimDeliveries hands out deliveries that are due, each to one of those who
// ask, at most limit, of the kinds named or of any. Those that are not Delivered are due again after a pause;
// a process that dies with one loses nothing.
func (s *Store) ClaimDeliveries(ctx context.Context, limit int, kinds ...DeliveryKind) (claimed []Delivery, err error) {
	now := s.now()
	if len(kinds) == 0 {
		kinds = []DeliveryKind{Mail, Webhook}
	}
	var due []Delivery
	err = s.read.SelectContext(ctx, &due, `SELECT id, kind, recipient, subject, body, secret, attempts, next_at, created_at FROM deliveries
		WHERE next_at <= $1 AND kind IN (`+parameters(3, len(kinds))+`) ORDER BY next_at, id LIMIT $2`, append([]any{now, limit}, anys(kinds)...)...)
	if err != nil || len(due) == 0 {
		return nil, err
	}
	err = s.update(ctx, func(t *tx) error {
		claimed = claimed[:0]
		for _, d := range due {
			again := now + Time((claimTime + firstPause<<d.Attempts).Milliseconds())
			n, err := t.affected(ctx, `UPDATE deliveries SET attempts = attempts + 1, next_at = $3 WHERE id = $1 AND next_at = $2`, d.ID, d.NextAt, again)
			if err != nil {
				return err
			}
			if n == 1 {
				d.Attempts++
				claimed = append(claimed, d)
			}
		}
		return nil
	})
	return claimed, err
}

// Delivered takes a delivery out of the queue.
func (s *Store) Delivered(ctx context.Context, id string) error {
	return s.update(ctx, func(t *tx) error {
		_, err := t.ExecContext(ctx, `DELETE FROM deliveries WHERE id = $1`, id)
		return err
	})
}

// Failed gives a delivery up after its last attempt, and reports whether it did.
func (s *Store) Failed(ctx context.Context, d *Delivery) (givenUp bool, err error) {
	if d.Attempts < MaxAttempts {
		return false, nil
	}
	return true, s.Delivered(ctx, d.ID)
}
