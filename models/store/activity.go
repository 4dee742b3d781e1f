package store

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/secondlight/secondlight/models"
)

// activity counts the rows of a table by a time, which has an index.
func (s *Moderation) activity(ctx context.Context, table, column string) (a models.Activity, err error) {
	now := s.now()
	err = s.read.GetContext(ctx, &a, `SELECT COALESCE(SUM(CASE WHEN `+column+` > $1 THEN 1 ELSE 0 END), 0) AS day,
		COALESCE(SUM(CASE WHEN `+column+` > $2 THEN 1 ELSE 0 END), 0) AS week, COUNT(*) AS month FROM `+table+` WHERE `+column+` > $3 AND `+column+` <= $4`,
		now.Add(-24*time.Hour), now.Add(-7*24*time.Hour), now.Add(-30*24*time.Hour), now)
	return a, err
}

// SalesActivity counts the sales of the last days, from all sources.
func (s *Moderation) SalesActivity(ctx context.Context) (models.Activity, error) {
	return s.activity(ctx, "sales", "sold_at")
}

// ListingActivity counts the listings that were published in the last days.
func (s *Moderation) ListingActivity(ctx context.Context) (models.Activity, error) {
	return s.activity(ctx, "listings", "published_at")
}

// SignUpActivity counts the accounts that were created in the last days.
func (s *Moderation) SignUpActivity(ctx context.Context) (models.Activity, error) {
	return s.activity(ctx, "accounts", "created_at")
}

// Queues returns the queues of email and of webhooks.
func (s *Moderation) Queues(ctx context.Context) ([]models.Queue, error) {
	queues := []models.Queue{{Kind: models.Mail}, {Kind: models.Webhook}}
	for i := range queues {
		q := &queues[i]
		err := s.read.GetContext(ctx, q, `SELECT COUNT(*) AS waiting, COALESCE(SUM(CASE WHEN attempts > 0 AND NOT claimed THEN 1 ELSE 0 END), 0) AS retried,
			COALESCE(MIN(CASE WHEN failed_at = 0 THEN created_at END), 0) AS oldest_at FROM deliveries WHERE kind = $1`, q.Kind)
		if err != nil {
			return nil, err
		}
	}
	return queues, nil
}

// Schema describes the database: its engine, the version of its schema, and its size.
type Schema struct {
	Engine  string // SQLite or PostgreSQL
	Version int64
	Size    int64 // bytes
}

// Schema describes the database.
func (s *Moderation) Schema(ctx context.Context) (d Schema, err error) {
	d.Engine = s.engine.name()
	if err := s.read.GetContext(ctx, &d.Version, `SELECT COALESCE(MAX(version_id), 0) FROM goose_db_version WHERE is_applied`); err != nil {
		return d, err
	}
	return d, s.read.GetContext(ctx, &d.Size, s.engine.size())
}

// OpenChecks returns up to limit checks after a key, oldest first.
func (s *Moderation) OpenChecks(ctx context.Context, after models.CheckKey, limit int) ([]models.Check, error) {
	if !models.Storable(after.Key) {
		return nil, nil
	}
	var checks []models.Check
	err := s.read.SelectContext(ctx, &checks, `SELECT at, key FROM (
			SELECT sent_at AS at, 'possession/' || listing_id AS key FROM possession_checks WHERE status = 'waiting'
			UNION ALL SELECT MIN(at), 'hold/' || listing_id FROM listing_holds WHERE decided_at = 0 GROUP BY listing_id
			UNION ALL SELECT at, 'stolen/' || id FROM stolen_reports WHERE status = 'open'
			UNION ALL SELECT MIN(at), 'photos/' || listing_id FROM photo_notes WHERE closed_at = 0 GROUP BY listing_id) open
		WHERE (at, key) > ($1, $2) ORDER BY at, key LIMIT $3`, after.At, after.Key, limit)
	if err != nil {
		return nil, fmt.Errorf("list checks: %w", err)
	}
	for i := range checks {
		kind, subject, _ := strings.Cut(checks[i].Key, "/")
		checks[i].Kind, checks[i].Subject = models.CheckKind(kind), subject
	}
	return checks, nil
}

// CountChecks counts the items that await an operator's decision.
func (s *Moderation) CountChecks(ctx context.Context) (c models.CheckCounts, err error) {
	err = s.read.GetContext(ctx, &c, `SELECT
		(SELECT COUNT(*) FROM possession_checks WHERE status = 'waiting') AS possession,
		(SELECT COUNT(DISTINCT listing_id) FROM listing_holds WHERE decided_at = 0) AS held,
		(SELECT COUNT(*) FROM stolen_reports WHERE status = 'open') AS stolen,
		(SELECT COUNT(DISTINCT listing_id) FROM photo_notes WHERE closed_at = 0) AS photos`)
	if err != nil {
		err = fmt.Errorf("count checks: %w", err)
	}
	return c, err
}
