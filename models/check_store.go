package models

import (
	"context"
	"fmt"
	"strings"
)

// CheckKind says what an operator decides about.
type CheckKind string

// The kinds of checks.
const (
	CheckPossession CheckKind = "possession" // a photograph of the code beside the item
	CheckHold       CheckKind = "hold"       // a held listing
	CheckStolen     CheckKind = "stolen"     // a report of a stolen serial number
	CheckPhotos     CheckKind = "photos"     // a listing with notes on its photos
)

// CheckKey is the position of a check in their order, by time, kind and subject.
type CheckKey struct {
	At  Time
	Key string // kind and subject, such as "hold/" and the id of a listing
}

// Check is something that waits for an operator's decision.
type Check struct {
	CheckKey
	Kind    CheckKind
	Subject string // id of a listing, or of a report of a stolen serial number
}

// OpenChecks returns up to limit checks after a key, oldest first.
func (s *Store) OpenChecks(ctx context.Context, after CheckKey, limit int) ([]Check, error) {
	if !storable(after.Key) {
		return nil, nil
	}
	var checks []Check
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
		checks[i].Kind, checks[i].Subject = CheckKind(kind), subject
	}
	return checks, nil
}

// CheckCounts are the numbers of what waits for an operator's decision.
type CheckCounts struct {
	Possession int // photographs of the code beside the item
	Held       int // listings
	Stolen     int // reports of stolen serial numbers
	Photos     int // listings with notes on their photos
}

// Total returns the sum of all counts.
func (c CheckCounts) Total() int { return c.Possession + c.Held + c.Stolen + c.Photos }

// CountChecks counts what waits for an operator's decision.
func (s *Store) CountChecks(ctx context.Context) (c CheckCounts, err error) {
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
