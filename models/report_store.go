package models

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/secondlight/secondlight/models/problem"
)

// AddReport reports a public listing to the operators. A member may report a
// listing once.
func (s *Store) AddReport(ctx context.Context, r *Report) error {
	r.Text = strings.TrimSpace(r.Text)
	var fields []problem.FieldError
	if !slices.Contains(ReportReasons, r.Reason) {
		fields = append(fields, problem.FieldError{Field: "reason", Code: "invalid_value", Message: "The reason must be one of " + joined(ReportReasons) + "."})
	}
	if !storable(r.Text) || utf8.RuneCountInString(r.Text) > 2000 {
		fields = append(fields, problem.FieldError{Field: "text", Code: "invalid_value", Message: "Use at most 2,000 characters of text."})
	}
	if err := invalidFields(fields); err != nil {
		return err
	}
	l, err := s.Listing(ctx, r.ListingID)
	if err != nil {
		return err
	}
	r.ID, r.ListingID, r.At = s.newID(), l.ID, s.now()
	return s.update(ctx, func(t *tx) error {
		if err := t.checkDailyLimit(ctx, dailyReports, r.ReporterID, r.At); err != nil {
			return err
		}
		n, err := t.affected(ctx, `INSERT INTO reports (id, listing_id, reporter_id, reason, text, at, closed_at) VALUES ($1, $2, $3, $4, $5, $6, 0)
			ON CONFLICT (listing_id, reporter_id) DO NOTHING`, r.ID, r.ListingID, r.ReporterID, r.Reason, r.Text, r.At)
		if err == nil && n == 0 {
			return &problem.Error{Kind: problem.Conflict, Code: "reported_already", Message: "You've already reported this listing.", Hint: "An operator will review your report."}
		}
		return err
	})
}

// ReportKey is the sort key of a report. The zero key is before the oldest.
type ReportKey struct {
	At Time
	ID string
}

// OpenReports returns up to limit open reports after a key, oldest first.
func (s *Store) OpenReports(ctx context.Context, after ReportKey, limit int) ([]Report, error) {
	var list []Report
	err := s.read.SelectContext(ctx, &list, `SELECT id, listing_id, reporter_id, reason, text, at, closed_at FROM reports
		WHERE closed_at = 0 AND (at, id) > ($1, $2) ORDER BY at, id LIMIT $3`, after.At, after.ID, limit)
	return list, err
}

// Report returns the report with an id. If there is none it returns a NotFound
// error, report_not_found.
func (s *Store) Report(ctx context.Context, id string) (*Report, error) {
	var r Report
	err := sql.ErrNoRows
	if storable(id) {
		err = s.read.GetContext(ctx, &r, `SELECT id, listing_id, reporter_id, reason, text, at, closed_at FROM reports WHERE id = $1`, id)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return nil, &problem.Error{Kind: problem.NotFound, Code: "report_not_found", Message: fmt.Sprintf("There is no report with the id %q.", id), Hint: "List open reports with GET /api/reports."}
	}
	return &r, err
}

// CountReports returns the number of open reports.
func (s *Store) CountReports(ctx context.Context) (n int, err error) {
	err = s.read.GetContext(ctx, &n, `SELECT COUNT(*) FROM reports WHERE closed_at = 0`)
	return n, err
}
