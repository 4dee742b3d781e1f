package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
)

// Retention has the number of days after which old data is deleted; 0 for never.
// Sales, which prices are made of, are always kept, and so is whatever a dispute, a report
// or a hold that an operator has not decided may need.
type Retention struct {
	Messages int // conversations, since their last message and since the listing closed
	Listings int // listings that ended or expired without an offer or a conversation
	Alerts   int // records of alerts about listings that are no longer for sale
	Audit    int // the audit log of operators
}

// MinRetention is the fewest days that data can be kept for.
const MinRetention = 30

// What is deleted in one transaction, and of each kind at a time.
const (
	retentionRows    = 500
	retentionBatches = 100
)

// Apply deletes data that was kept for long enough, up to 50,000 rows of each kind.
func (r Retention) Apply(ctx context.Context, s *Store) error {
	return errors.Join(
		deleteOld(ctx, s.Site, r.Messages, (*tx).deleteConversations),
		deleteOld(ctx, s.Site, r.Listings, (*tx).deleteListings),
		deleteOld(ctx, s.Site, r.Alerts, (*tx).deleteAlerts),
		deleteOld(ctx, s.Site, r.Audit, (*tx).deleteAudit),
	)
}

// ClockJump is the error for a clock that is not trusted with deletions and deadlines.
type ClockJump struct {
	Said, Says models.Time // before it jumped, and now
	Until      models.Time // when it is trusted if it goes on like this
}

// Error implements error.
func (e *ClockJump) Error() string {
	return fmt.Sprintf("the clock says %s, and said %s before: nothing is deleted and no deadline passes until %s; if the clock is right, run the job at /admin/jobs", e.Says.RFC3339(), e.Said.RFC3339(), e.Until.RFC3339())
}

// A clock that has jumped by more than maxClockStep, forwards or backwards, is trusted again once
// it has gone on for steadyClock. clockSetting has what it said last, when it jumped and what it had
// said before that.
const (
	maxClockStep = models.Time(30 * 24 * time.Hour / time.Millisecond)
	steadyClock  = 7 * 24 * time.Hour
	clockSetting = "clock"
	clockPeriod  = models.Time(time.Hour / time.Millisecond) // in which it is stored once
)

// CheckClock returns a *ClockJump if the clock has jumped, which a site also sees that was stopped
// for long or restored from an old backup, unless trust is set: an operator says that it is right.
func (s *Site) CheckClock(ctx context.Context, trust bool) error {
	var doubt *ClockJump
	now := s.now()
	err := s.update(ctx, func(t *tx) error {
		doubt = nil
		var said, jumped, before models.Time
		var value string
		if err := t.GetContext(ctx, &value, `SELECT COALESCE(MAX(value), '') FROM settings WHERE name = $1`, clockSetting); err != nil {
			return err
		}
		if _, err := fmt.Sscan(value, &said, &jumped, &before); err != nil { // the first time
			if err := t.GetContext(ctx, &said, `SELECT COALESCE(MAX(started_at), $1) FROM job_runs`, now); err != nil {
				return err
			}
		}
		known := value != "" && now >= said && now-said < clockPeriod
		if now-said > maxClockStep || said-now > maxClockStep {
			jumped, before = now, said
		}
		if trust && jumped > 0 {
			known, jumped = false, 0
		}
		if until := jumped.Add(steadyClock); jumped > 0 && now < until {
			doubt = &ClockJump{before, now, until}
		}
		if known {
			return nil
		}
		_, err := t.ExecContext(ctx, `INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`, clockSetting, fmt.Sprint(now, jumped, before))
		return err
	})
	if err == nil && doubt != nil {
		err = doubt
	}
	return err
}

// deleteOld calls delete, which deletes a batch of the rows from before a time, until none
// is left. Days are 0 to keep all.
func deleteOld(ctx context.Context, s *Site, days int, delete func(*tx, context.Context, models.Time) (int64, error)) error {
	if days == 0 {
		return nil
	}
	before := s.now() - models.Time(days)*24*60*60*1000
	for range retentionBatches {
		var n int64
		err := s.update(ctx, func(t *tx) (err error) {
			n, err = delete(t, ctx, before)
			return err
		})
		if err != nil || n == 0 {
			return err
		}
	}
	return nil
}

// undecided is the condition of listings l that operators have to decide about.
const undecided = `(EXISTS (SELECT 1 FROM reports r WHERE r.listing_id = l.id AND r.closed_at = 0)
	OR EXISTS (SELECT 1 FROM listing_holds h WHERE h.listing_id = l.id AND h.decided_at = 0)
	OR EXISTS (SELECT 1 FROM sales s WHERE s.listing_id = l.id AND s.status <> 'confirmed' AND s.voided_at = 0))`

func (t *tx) deleteConversations(ctx context.Context, before models.Time) (int64, error) {
	return t.affected(ctx, `DELETE FROM conversations WHERE updated_at < $1 AND id IN (
		SELECT c.id FROM conversations c JOIN listings l ON l.id = c.listing_id
		WHERE c.updated_at < $1 AND l.closed_at < $1 AND l.status NOT IN ('draft', 'active', 'reserved') AND NOT `+undecided+` LIMIT $2)`, before, retentionRows)
}

// deleteListings tells the readers of the change feed to delete their copies.
func (t *tx) deleteListings(ctx context.Context, before models.Time) (n int64, err error) {
	rows, err := t.QueryxContext(ctx, `DELETE FROM listings WHERE status IN ('ended', 'expired') AND id IN (
		SELECT l.id FROM listings l WHERE l.status IN ('ended', 'expired') AND l.closed_at > 0 AND l.closed_at < $1
			AND NOT EXISTS (SELECT 1 FROM offers o WHERE o.listing_id = l.id)
			AND NOT EXISTS (SELECT 1 FROM sales s WHERE s.listing_id = l.id)
			AND NOT EXISTS (SELECT 1 FROM conversations c WHERE c.listing_id = l.id) AND NOT `+undecided+` LIMIT $2)
		RETURNING id, seller_id, version`, before, retentionRows)
	if err != nil {
		return 0, err
	}
	return n, eachRow(rows, func(r *sqlx.Rows) error {
		var l models.Listing
		err := r.Scan(&l.ID, &l.SellerID, &l.Version)
		t.listingHappened(models.ListingRemoved, &l)
		n++
		return err
	})
}

// deleteAlerts leaves those about listings for sale, which would be sent again.
func (t *tx) deleteAlerts(ctx context.Context, before models.Time) (int64, error) {
	return t.affected(ctx, `DELETE FROM alerts WHERE (search_id, listing_id) IN (
		SELECT a.search_id, a.listing_id FROM alerts a WHERE a.at < $1
			AND NOT EXISTS (SELECT 1 FROM listings l WHERE l.id = a.listing_id AND l.status IN ('draft', 'active', 'reserved')) LIMIT $2)`, before, retentionRows)
}

func (t *tx) deleteAudit(ctx context.Context, before models.Time) (int64, error) {
	return t.affected(ctx, `DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE at < $1 ORDER BY at LIMIT $2)`, before, retentionRows)
}
