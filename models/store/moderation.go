package store

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// Moderate applies a moderation action to a listing, closes the reports on it
// and records the action in the audit log, in one transaction.
func (s *Moderation) Moderate(ctx context.Context, operatorID, listingID string, action models.ModerationAction, note string) (*models.AuditEntry, error) {
	if err := checkNote(note); err != nil {
		return nil, err
	}
	if !models.Storable(listingID) {
		return nil, listingNotFound(listingID)
	}
	e := &models.AuditEntry{OperatorID: operatorID, Action: action, Subject: listingID, Note: note, At: s.now()}
	return e, s.update(ctx, func(t *tx) error {
		l, err := lockOwnListing(ctx, t, listingID, "")
		if err != nil {
			return err
		}
		return moderate(ctx, t, l, e)
	})
}

// moderate applies the action of an audit log entry to a listing, closes the reports on it
// and adds the entry.
func moderate(ctx context.Context, t *tx, l *models.Listing, e *models.AuditEntry) (err error) {
	switch e.Action {
	case models.DismissReports:
	case models.RemoveListing:
		err = advance(ctx, t, l, models.Move{Step: models.Remove, At: e.At})
	case models.RestoreListing:
		err = t.release(ctx, l, e.At)
	default:
		err = models.InvalidField("action", "invalid_value", "The action must be one of dismiss, remove, restore.")
	}
	if err != nil {
		return err
	}
	if _, err := t.ExecContext(ctx, `UPDATE reports SET closed_at = $2 WHERE listing_id = $1 AND closed_at = 0`, l.ID, e.At); err != nil {
		return err
	}
	return audit(ctx, t, e)
}

// ModerateReports applies a moderation action to the listings of reports, or to their
// sellers, once to each, and closes the reports on them, all or nothing. DismissReports
// closes the reports only, RemoveListing hides listings unless they are hidden, and
// SuspendSeller suspends their sellers. It returns the entries of the audit log.
func (s *Moderation) ModerateReports(ctx context.Context, operatorID string, reportIDs []string, action models.ModerationAction, note string) (entries []models.AuditEntry, err error) {
	if err := checkNote(note); err != nil {
		return nil, err
	}
	now := s.now()
	return entries, s.update(ctx, func(t *tx) error {
		entries = nil // of an attempt before
		listings, err := reportedListings(ctx, t, reportIDs)
		if err != nil {
			return err
		}
		suspended := map[string]bool{}
		for _, l := range listings {
			e := models.AuditEntry{OperatorID: operatorID, Action: action, Subject: l.ID, Note: note, At: now}
			switch {
			case action != models.SuspendSeller:
				if l.Status == models.StatusRemoved {
					e.Action = models.DismissReports
				}
				err = moderate(ctx, t, l, &e)
			case suspended[l.SellerID]:
				continue
			default:
				e.Subject, suspended[l.SellerID] = l.SellerID, true
				err = suspendReported(ctx, t, &e)
			}
			if err != nil {
				return err
			}
			entries = append(entries, e)
		}
		return nil
	})
}

// reportedListings locks the listings of reports and returns each once, in the order of
// their ids, so that two calls with the same listings don't deadlock.
func reportedListings(ctx context.Context, t *tx, reportIDs []string) ([]*models.Listing, error) {
	ids := map[string]bool{}
	for _, id := range reportIDs {
		var listing string
		err := sql.ErrNoRows
		if models.Storable(id) {
			err = t.GetContext(ctx, &listing, `SELECT listing_id FROM reports WHERE id = $1`, id)
		}
		if errors.Is(err, sql.ErrNoRows) {
			return nil, reportNotFound(id)
		}
		if err != nil {
			return nil, err
		}
		ids[listing] = true
	}
	var listings []*models.Listing
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		l, err := lockOwnListing(ctx, t, id, "")
		if err != nil {
			return nil, err
		}
		listings = append(listings, l)
	}
	return listings, nil
}

// suspendReported suspends the member whom an audit log entry is about, closes the reports
// on all their listings and adds the entry.
func suspendReported(ctx context.Context, t *tx, e *models.AuditEntry) error {
	if err := t.suspend(ctx, e.Subject, e.At); err != nil {
		return err
	}
	_, err := t.ExecContext(ctx, `UPDATE reports SET closed_at = $2 WHERE closed_at = 0 AND listing_id IN (SELECT id FROM listings WHERE seller_id = $1)`, e.Subject, e.At)
	if err != nil {
		return err
	}
	return audit(ctx, t, e)
}

// ModerateMember suspends or reinstates a member and records the action in the
// audit log, in one transaction. Operators can't be suspended.
func (s *Moderation) ModerateMember(ctx context.Context, operatorID, memberID string, suspend bool, note string) (*models.AuditEntry, error) {
	if err := checkNote(note); err != nil {
		return nil, err
	}
	now, action := s.now(), models.UnsuspendSeller
	if suspend {
		action = models.SuspendSeller
	}
	e := &models.AuditEntry{OperatorID: operatorID, Action: action, Subject: memberID, Note: note, At: now}
	return e, s.update(ctx, func(t *tx) error {
		apply := t.reinstate
		if suspend {
			apply = t.suspend
		}
		if err := apply(ctx, memberID, now); err != nil {
			return err
		}
		return audit(ctx, t, e)
	})
}

// SuspendForFraud suspends a member and voids all their sales, as seller or
// buyer, in one transaction. Each action is recorded in the audit log.
func (s *Moderation) SuspendForFraud(ctx context.Context, operatorID, memberID, note string) (*models.AuditEntry, error) {
	if err := checkNote(note); err != nil {
		return nil, err
	}
	e := &models.AuditEntry{OperatorID: operatorID, Action: models.SuspendSeller, Subject: memberID, Note: note, At: s.now()}
	return e, s.update(ctx, func(t *tx) error {
		if err := t.suspend(ctx, memberID, e.At); err != nil {
			return err
		}
		if err := voidSales(ctx, t, operatorID, memberID, note, e.At); err != nil {
			return err
		}
		return audit(ctx, t, e)
	})
}

// SetRole gives a member a role and ends their tokens and connected apps with a scope that
// the role before or the new one lacks, whose names it returns. It records both in the
// audit log, in one transaction. It returns a Conflict error for members who have no
// account or are suspended, wrong_status, and for the last operator, last_operator.
func (s *Moderation) SetRole(ctx context.Context, operatorID, memberID string, role models.Role) (ended []string, err error) {
	if !slices.Contains(models.Roles, role) {
		return nil, models.InvalidField("role", "invalid_value", "The role must be one of %s.", models.Joined(models.Roles))
	}
	return ended, s.update(ctx, func(t *tx) error {
		if err := lockName(ctx, t, "roles"); err != nil {
			return err
		}
		before, err := lockMember(ctx, t, memberID)
		if err != nil || before == role {
			return err
		}
		n, err := t.affected(ctx, `UPDATE accounts SET role = $2 WHERE member_id = $1 AND suspended_at = 0`, memberID, role)
		if err != nil {
			return err
		}
		if n == 0 {
			return &problem.Error{Kind: problem.Conflict, Code: "wrong_status", Message: problem.Textf("This member can't have a role."),
				Hint: problem.Textf("Reinstate a suspended member first. Imported and former members have no account.")}
		}
		if err := requireOperator(ctx, t); err != nil {
			return err
		}
		if ended, err = endTokens(ctx, t, memberID, before, role); err != nil {
			return err
		}
		note := string(before) + " → " + string(role)
		if len(ended) > 0 {
			note += "; tokens ended: " + strings.Join(ended, ", ")
		}
		return audit(ctx, t, &models.AuditEntry{OperatorID: operatorID, Action: models.SetRole, Subject: memberID, Note: note, At: t.db.now()})
	})
}

// endTokens ends the tokens and grants of a member with a scope that one of two roles
// lacks, and returns their names. A scope that the role before lacks is one of a token that
// earlier releases let members create.
func endTokens(ctx context.Context, t *tx, memberID string, before, after models.Role) (ended []string, err error) {
	var all []struct{ ID, Name, Scopes string }
	if err := t.SelectContext(ctx, &all, `SELECT id, name, scopes FROM tokens WHERE member_id = $1 AND grant_id IS NULL
		UNION ALL SELECT id, client_name, scopes FROM oauth_grants WHERE member_id = $1 ORDER BY id`, memberID); err != nil {
		return nil, err
	}
	for _, c := range all {
		lacks := func(scope string) bool { return !before.May(models.Scope(scope)) || !after.May(models.Scope(scope)) }
		if !slices.ContainsFunc(strings.Fields(c.Scopes), lacks) {
			continue
		}
		for _, table := range []string{"tokens", "oauth_grants"} {
			if _, err := t.ExecContext(ctx, `DELETE FROM `+table+` WHERE id = $1`, c.ID); err != nil {
				return nil, err
			}
		}
		ended = append(ended, c.Name)
	}
	return ended, nil
}

// requireOperator returns a Conflict error, last_operator, if no operator is left.
func requireOperator(ctx context.Context, t *tx) error {
	var left bool
	if err := t.GetContext(ctx, &left, `SELECT EXISTS (SELECT 1 FROM accounts WHERE role = 'operator')`); err != nil || left {
		return err
	}
	return &problem.Error{Kind: problem.Conflict, Code: "last_operator", Message: problem.Textf("This is the site's only operator."),
		Hint: problem.Textf("Make another member an operator first.")}
}

func checkNote(note string) error {
	if !models.Storable(note) || utf8.RuneCountInString(note) > models.MaxModerationNote {
		return models.InvalidField("note", "invalid_value", "The note must be text of at most 2,000 characters.")
	}
	return nil
}

// audit adds an entry to the audit log, which is append-only.
func audit(ctx context.Context, t *tx, e *models.AuditEntry) error {
	e.ID = t.db.newID()
	_, err := t.ExecContext(ctx, `INSERT INTO audit (id, operator_id, action, subject, note, at) VALUES ($1, $2, $3, $4, $5, $6)`,
		e.ID, e.OperatorID, e.Action, e.Subject, e.Note, e.At)
	return err
}

// AuditBackup records what an operator did with a backup in the audit log.
func (s *Moderation) AuditBackup(ctx context.Context, operatorID string, action models.ModerationAction, backup string) error {
	return s.update(ctx, func(t *tx) error {
		return audit(ctx, t, &models.AuditEntry{OperatorID: operatorID, Action: action, Subject: siteSubject, Note: backup, At: t.db.now()})
	})
}

// ListingInAnyStatus returns a listing whether or not it is public. Callers
// must check that the member may see it.
func (s *Moderation) ListingInAnyStatus(ctx context.Context, id string) (*models.Listing, error) {
	if !models.Storable(id) {
		return nil, listingNotFound(id)
	}
	l, err := listingByID(ctx, s.read, id)
	if err == nil && l == nil {
		err = listingNotFound(id)
	}
	return l, err
}

// AuditFilter selects audit entries by all fields that are set.
type AuditFilter struct {
	MemberID string // who acted, or whom the action was about
	Action   models.ModerationAction
}

// AuditKey is the sort key of an audit entry. The zero key is before the newest.
type AuditKey struct {
	At models.Time
	ID string
}

// Audit returns up to limit audit entries after a key, newest first.
func (s *Moderation) Audit(ctx context.Context, f AuditFilter, after AuditKey, limit int) ([]models.AuditEntry, error) {
	if after == (AuditKey{}) {
		after.At = 1 << 62
	}
	var list []models.AuditEntry
	err := s.read.SelectContext(ctx, &list, `SELECT id, operator_id, action, subject, note, at FROM audit
		WHERE (at, id) < ($1, $2) AND ($3 = '' OR operator_id = $3 OR subject = $3) AND ($4 = '' OR action = $4)
		ORDER BY at DESC, id DESC LIMIT $5`, after.At, after.ID, f.MemberID, f.Action, limit)
	return list, err
}

// Record adds an entry to the audit log about something that changes no data of the
// site, such as running a job.
func (s *Moderation) Record(ctx context.Context, operatorID string, action models.ModerationAction, subject, note string) (*models.AuditEntry, error) {
	e := &models.AuditEntry{OperatorID: operatorID, Action: action, Subject: subject, Note: note, At: s.now()}
	return e, s.update(ctx, func(t *tx) error { return audit(ctx, t, e) })
}

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
			return &problem.Error{Kind: problem.Conflict, Code: "reported_already", Message: problem.Textf("You've already reported this listing."), Hint: problem.Textf("We'll review your report.")}
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
