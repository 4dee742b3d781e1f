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

// ReportReasons are why a listing may be reported, by code.
var ReportReasons = []string{"counterfeit", "stolen", "misleading", "prohibited", "spam", "offensive", "other"}

// Report is a member's word that something is wrong with a listing.
type Report struct {
	ID         string // UUIDv7
	ListingID  string
	ReporterID string
	Reason     string // one of ReportReasons
	Text       string // plain text, at most 2,000 characters
	At         Time
	ClosedAt   Time // 0 while it waits
}

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

// Judgement is what an operator does about reports.
type Judgement string

// The judgements. Each is written into the audit trail.
const (
	DismissReports   Judgement = "dismiss"
	RemoveListing    Judgement = "remove"
	RestoreListing   Judgement = "restore"
	SuspendSeller    Judgement = "suspend"
	UnsuspendSeller  Judgement = "unsuspend"
	maxJudgementNote           = 2000
)

// AuditEntry is one thing an operator did.
type AuditEntry struct {
	ID         string
	OperatorID string
	Action     Judgement
	Subject    string // id of the listing, or of the member
	Note       string
	At         Time
}

// Judge does what an operator decided about a listing, closes the reports on it,
// and writes both into the audit trail, in one transaction.
func (s *Store) Judge(ctx context.Context, operatorID, listingID string, j Judgement, note string) (*AuditEntry, error) {
	if err := checkNote(note); err != nil {
		return nil, err
	}
	if !storable(listingID) {
		return nil, listingNotFound(listingID)
	}
	now := s.now()
	e := &AuditEntry{OperatorID: operatorID, Action: j, Subject: listingID, Note: note, At: now}
	return e, s.update(ctx, func(t *tx) error {
		l, err := t.ownListing(ctx, listingID, "")
		if err != nil {
			return err
		}
		switch j {
		case DismissReports:
		case RemoveListing:
			err = t.advance(ctx, l, Move{Step: Remove, At: now})
		case RestoreListing:
			err = t.advance(ctx, l, Move{Step: Restore, At: now})
		default:
			err = invalidFields([]FieldError{{"action", "invalid_value", "The action is one of dismiss, remove, restore."}})
		}
		if err != nil {
			return err
		}
		if _, err := t.ExecContext(ctx, `UPDATE reports SET closed_at = $2 WHERE listing_id = $1 AND closed_at = 0`, listingID, now); err != nil {
			return err
		}
		return t.audit(ctx, e)
	})
}

// JudgeMember suspends a member or gives them back their rights, and writes it
// into the audit trail, in one transaction. No operator is suspended.
func (s *Store) JudgeMember(ctx context.Context, operatorID, memberID string, suspend bool, note string) (*AuditEntry, error) {
	if err := checkNote(note); err != nil {
		return nil, err
	}
	now, j := s.now(), UnsuspendSeller
	if suspend {
		j = SuspendSeller
	}
	e := &AuditEntry{OperatorID: operatorID, Action: j, Subject: memberID, Note: note, At: now}
	return e, s.update(ctx, func(t *tx) error {
		judge := t.reinstate
		if suspend {
			judge = t.suspend
		}
		if err := judge(ctx, memberID, now); err != nil {
			return err
		}
		return t.audit(ctx, e)
	})
}

func checkNote(note string) error {
	if !storable(note) || utf8.RuneCountInString(note) > maxJudgementNote {
		return invalidFields([]FieldError{{"note", "invalid_value", "The note is text of at most 2,000 characters."}})
	}
	return nil
}

// audit writes what an operator did into the trail. Nothing takes it out.
func (t *tx) audit(ctx context.Context, e *AuditEntry) error {
	e.ID = t.db.newID()
	_, err := t.ExecContext(ctx, `INSERT INTO audit (id, operator_id, action, subject, note, at) VALUES ($1, $2, $3, $4, $5, $6)`,
		e.ID, e.OperatorID, e.Action, e.Subject, e.Note, e.At)
	return err
}

// JudgedListing is a listing in any status, for operators.
func (s *Store) JudgedListing(ctx context.Context, id string) (*Listing, error) {
	if !storable(id) {
		return nil, listingNotFound(id)
	}
	l, err := listingByID(ctx, s.read, id)
	if err == nil && l == nil {
		err = listingNotFound(id)
	}
	return l, err
}

// Audit is what operators did, newest first.
func (s *Store) Audit(ctx context.Context, limit int) ([]AuditEntry, error) {
	var list []AuditEntry
	err := s.read.SelectContext(ctx, &list, `SELECT id, operator_id, action, subject, note, at FROM audit ORDER BY at DESC, id DESC LIMIT $1`, limit)
	return list, err
}

// CountReports is how many reports wait for the operator.
func (s *Store) CountReports(ctx context.Context) (n int, err error) {
	err = s.read.GetContext(ctx, &n, `SELECT COUNT(*) FROM reports WHERE closed_at = 0`)
	return n, err
}
