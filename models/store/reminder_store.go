package store

import (
	"github.com/secondlight/secondlight/models"
)

import "context"

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
