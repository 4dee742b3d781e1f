package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/secondlight/secondlight/models"
)

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

// CountChecks counts what waits for an operator's decision.
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
