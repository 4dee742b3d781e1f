package models

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// Delivery is an outgoing email or webhook call.
type Delivery struct {
	ID        string // UUIDv7; the same for every attempt
	Kind      DeliveryKind
	Recipient string // email address or webhook URL
	MemberID  string // recipient of an email, in place of Recipient, which Queue then sets
	Subject   string // of an email
	Body      string
	Secret    string // signing key of a webhook; unsubscribe URL of an email, or ""
	Attempts  int
	NextAt    Time
	CreatedAt Time
}

// DeliveryKind is the channel of a delivery.
type DeliveryKind string

// The kinds of deliveries.
const (
	Mail    DeliveryKind = "mail"
	Webhook DeliveryKind = "webhook"
)

// Retry policy of deliveries. The delay doubles after every attempt, for about
// two days in total.
const (
	MaxAttempts     = 12
	firstRetryDelay = time.Minute
	attemptTimeout  = 2 * time.Minute // maximum duration of an attempt
)

// Queue queues deliveries. It skips members without an address, such as
// imported, deleted or suspended ones.
func (s *Store) Queue(ctx context.Context, deliveries ...Delivery) error {
	return s.update(ctx, func(t *tx) error { return t.queue(ctx, deliveries) })
}

func (t *tx) queue(ctx context.Context, deliveries []Delivery) error {
	deliveries, err := t.withAddresses(ctx, deliveries)
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

// withAddresses returns the deliveries that have a recipient, with Recipient
// set.
func (t *tx) withAddresses(ctx context.Context, deliveries []Delivery) ([]Delivery, error) {
	var addressed []Delivery
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
		addressed = append(addressed, d)
	}
	return addressed, nil
}

// ClaimDeliveries claims up to limit deliveries that are due, of the given
// kinds or of any. Each is returned to one caller. A delivery that is not
// marked Delivered is due again after a delay, even if the process that claimed
// it dies.
func (s *Store) ClaimDeliveries(ctx context.Context, limit int, kinds ...DeliveryKind) (claimed []Delivery, err error) {
	now := s.now()
	if len(kinds) == 0 {
		kinds = []DeliveryKind{Mail, Webhook}
	}
	var due []Delivery
	err = s.read.SelectContext(ctx, &due, `SELECT id, kind, recipient, subject, body, secret, attempts, next_at, created_at FROM deliveries
		WHERE next_at <= $1 AND kind IN (`+parameters(3, len(kinds))+`) ORDER BY next_at, id LIMIT $2`, append([]any{now, limit}, toAny(kinds)...)...)
	if err != nil || len(due) == 0 {
		return nil, err
	}
	err = s.update(ctx, func(t *tx) error {
		claimed = claimed[:0]
		for _, d := range due {
			again := now + Time((attemptTimeout + firstRetryDelay<<d.Attempts).Milliseconds())
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

// Delivered removes a delivery from the queue.
func (s *Store) Delivered(ctx context.Context, id string) error {
	return s.update(ctx, func(t *tx) error {
		_, err := t.ExecContext(ctx, `DELETE FROM deliveries WHERE id = $1`, id)
		return err
	})
}

// Failed removes a delivery from the queue after its last attempt, and reports
// whether it did.
func (s *Store) Failed(ctx context.Context, d *Delivery) (givenUp bool, err error) {
	if d.Attempts < MaxAttempts {
		return false, nil
	}
	return true, s.Delivered(ctx, d.ID)
}
