package models

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// AddReport reports a public listing to the operator, once for each member.
func (s *Store) AddReport(ctx context.Context, r *Report) error {
	r.Text = strings.TrimSpace(r.Text)
	var fields []FieldError
	if !slices.Contains(ReportReasons, r.Reason) {
		fields = append(fields, FieldError{"reason", "invalid_value", "The reason is one of " + joined(ReportReasons) + "."})
	}
	if !storable(r.Text) || utf8.RuneCountInString(r.Text) > 2000 {
		fields = append(fields, FieldError{"text", "invalid_value", "What you say is text of at most 2,000 characters."})
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
		if err := t.withinLimit(ctx, reportsADay, r.ReporterID, r.At); err != nil {
			return err
		}
		n, err := t.affected(ctx, `INSERT INTO reports (id, listing_id, reporter_id, reason, text, at, closed_at) VALUES ($1, $2, $3, $4, $5, $6, 0)
			ON CONFLICT (listing_id, reporter_id) DO NOTHING`, r.ID, r.ListingID, r.ReporterID, r.Reason, r.Text, r.At)
		if err == nil && n == 0 {
			return &Error{Kind: Conflict, Code: "reported_already", Message: "You have reported this listing.", Hint: "The operator will look at it."}
		}
		return err
	})
}

// OpenReports are the reports that wait for the operator, the oldest first.
func (s *Store) OpenReports(ctx context.Context, limit int) ([]Report, error) {
	var list []Report
	err := s.read.SelectContext(ctx, &list, `SELECT id, listing_id, reporter_id, reason, text, at, closed_at FROM reports
		WHERE closed_at = 0 ORDER BY at, id LIMIT $1`, limit)
	return list, err
}

// Report is a report of an id; NotFound report_not_found without one.
func (s *Store) Report(ctx context.Context, id string) (*Report, error) {
	var r Report
	err := sql.ErrNoRows
	if storable(id) {
		err = s.read.GetContext(ctx, &r, `SELECT id, listing_id, reporter_id, reason, text, at, closed_at FROM reports WHERE id = $1`, id)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return nil, &Error{Kind: NotFound, Code: "report_not_found", Message: fmt.Sprintf("There is no report with the id %q.", id), Hint: "List those that wait with GET /api/reports."}
	}
	return &r, err
}

// CountReports is how many reports wait for the operator.
func (s *Store) CountReports(ctx context.Context) (n int, err error) {
	err = s.read.GetContext(ctx, &n, `SELECT COUNT(*) FROM reports WHERE closed_at = 0`)
	return n, err
}
