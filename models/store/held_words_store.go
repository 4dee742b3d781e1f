package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// HeldWords returns the words that hold a listing.
func (s *Listings) HeldWords(ctx context.Context) (*models.HeldWords, error) {
	return heldWords(ctx, s.read)
}

func heldWords(ctx context.Context, db sqlx.QueryerContext) (*models.HeldWords, error) {
	var row struct {
		Version int64
		Words   string
	}
	err := sqlx.GetContext(ctx, db, &row, `SELECT version, words FROM held_words WHERE id = 1`)
	if errors.Is(err, sql.ErrNoRows) {
		return &models.HeldWords{}, nil
	}
	h := &models.HeldWords{Version: row.Version}
	if row.Words != "" {
		h.Words = strings.Split(row.Words, "\n")
	}
	return h, err
}

// SetHeldWords replaces the words that hold a listing if they are still at h.Version, sets
// that to the next one, and records the change in the audit log. Otherwise it returns a
// Changed error, held_words_changed.
func (s *Listings) SetHeldWords(ctx context.Context, operatorID string, h *models.HeldWords) error {
	if err := h.Check(); err != nil {
		return err
	}
	next := h.Version + 1
	err := s.update(ctx, func(t *tx) error {
		if _, err := t.ExecContext(ctx, `INSERT INTO held_words (id, version, words) VALUES (1, 0, '') ON CONFLICT DO NOTHING`); err != nil {
			return err
		}
		n, err := t.affected(ctx, `UPDATE held_words SET version = $1, words = $2 WHERE id = 1 AND version = $3`, next, strings.Join(h.Words, "\n"), h.Version)
		if err != nil {
			return err
		}
		if n == 0 {
			return errHeldWordsChanged
		}
		return audit(ctx, t, &models.AuditEntry{OperatorID: operatorID, Action: models.EditHeldWords, Subject: siteSubject, Note: fmt.Sprint(len(h.Words)), At: t.db.now()})
	})
	if err == nil {
		h.Version = next
	}
	return err
}

var errHeldWordsChanged = &problem.Error{Kind: problem.Changed, Code: "held_words_changed", Message: problem.Textf("The list has changed since you opened it."),
	Hint: problem.Programf("Read it again with GET /api/held-words, and send your change with the new version.")}

// screenWords checks the texts of a public listing, and stores why it has to be held.
func screenWords(ctx context.Context, t *tx, l *models.Listing, at models.Time) (held bool, err error) {
	found, err := wordHolds(ctx, t, l)
	if err != nil {
		return false, err
	}
	holds, err := t.undecided(ctx, l, found, at)
	if err != nil || len(holds) == 0 {
		return false, err
	}
	return true, addHolds(ctx, t, l, holds, false)
}

// wordHolds returns the holds of a listing for the words it contains.
func wordHolds(ctx context.Context, t *tx, l *models.Listing) (holds []models.Hold, err error) {
	words, err := heldWords(ctx, t)
	if err != nil {
		return nil, err
	}
	for _, word := range words.In(l) {
		holds = append(holds, models.Hold{Reason: models.HoldWord, Subject: word})
	}
	return holds, nil
}
