package store

import (
	"context"
	"strconv"

	"github.com/secondlight/secondlight/models"
)

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
