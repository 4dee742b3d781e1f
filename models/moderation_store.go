package models

import (
	"context"
	"unicode/utf8"
)

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
