package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// AddReport reports a public listing to the operators. A member may report a
// listing once.
func (s *Moderation) AddReport(ctx context.Context, r *models.Report) error {
	r.Text = strings.TrimSpace(r.Text)
	var fields []problem.FieldError
	if !slices.Contains(models.ReportReasons, r.Reason) {
		fields = append(fields, problem.FieldError{Field: "reason", Code: "invalid_value", Message: problem.Textf("The reason must be one of %s.", models.Joined(models.ReportReasons))})
	}
	if !models.Storable(r.Text) || utf8.RuneCountInString(r.Text) > 2000 {
		fields = append(fields, problem.FieldError{Field: "text", Code: "invalid_value", Message: problem.Textf("Use at most 2,000 characters of text.")})
	}
	if err := models.InvalidFields(fields); err != nil {
		return err
	}
	l, err := s.listings.Listing(ctx, r.ListingID)
	if err != nil {
		return err
	}
	r.ID, r.ListingID, r.At = s.newID(), l.ID, s.now()
	return s.update(ctx, func(t *tx) error {
		if err := checkDailyLimit(ctx, t, dailyReports, r.ReporterID, r.At); err != nil {
			return err
		}
		n, err := t.affected(ctx, `INSERT INTO reports (id, listing_id, reporter_id, reason, text, at, closed_at) VALUES ($1, $2, $3, $4, $5, $6, 0)
			ON CONFLICT (listing_id, reporter_id) DO NOTHING`, r.ID, r.ListingID, r.ReporterID, r.Reason, r.Text, r.At)
		if err == nil && n == 0 {
			return &problem.Error{Kind: problem.Conflict, Code: "reported_already", Message: problem.Textf("You've already reported this listing."), Hint: problem.Textf("An operator will review your report.")}
		}
		return err
	})
}

// ReportKey is the sort key of a report. The zero key is before the oldest.
type ReportKey struct {
	At models.Time
	ID string
}

// ReportFilter selects open reports by all fields that are set.
type ReportFilter struct {
	SellerID string // of the listing
	Reason   string // one of ReportReasons
	Text     string // in the title of the listing or in the report, ignoring the case of ASCII letters
}

// OpenReports returns up to limit open reports after a key, oldest first.
func (s *Moderation) OpenReports(ctx context.Context, f ReportFilter, after ReportKey, limit int) ([]models.Report, error) {
	if !models.Storable(f.Text) {
		return nil, nil
	}
	var list []models.Report
	err := s.read.SelectContext(ctx, &list, `SELECT r.id, r.listing_id, r.reporter_id, r.reason, r.text, r.at, r.closed_at
		FROM reports r JOIN listings l ON l.id = r.listing_id
		WHERE r.closed_at = 0 AND (r.at, r.id) > ($1, $2) AND ($3 = '' OR l.seller_id = $3) AND ($4 = '' OR r.reason = $4)
			AND (LOWER(l.title) LIKE $5 ESCAPE '\' OR LOWER(r.text) LIKE $5 ESCAPE '\')
		ORDER BY r.at, r.id LIMIT $6`, after.At, after.ID, f.SellerID, f.Reason, containing(lowerASCII(f.Text)), limit)
	return list, err
}

// Report returns the report with an id. If there is none it returns a NotFound
// error, report_not_found.
func (s *Moderation) Report(ctx context.Context, id string) (*models.Report, error) {
	var r models.Report
	err := sql.ErrNoRows
	if models.Storable(id) {
		err = s.read.GetContext(ctx, &r, `SELECT id, listing_id, reporter_id, reason, text, at, closed_at FROM reports WHERE id = $1`, id)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return nil, reportNotFound(id)
	}
	return &r, err
}

func reportNotFound(id string) *problem.Error {
	return &problem.Error{Kind: problem.NotFound, Code: "report_not_found", Message: problem.Programf("There is no report with the id %q.", id), Hint: problem.Programf("List open reports with GET /api/reports.")}
}

// CountReports returns the number of open reports.
func (s *Moderation) CountReports(ctx context.Context) (n int, err error) {
	err = s.read.GetContext(ctx, &n, `SELECT COUNT(*) FROM reports WHERE closed_at = 0`)
	return n, err
}
