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

// holdsFor returns why a listing has to be held, whose serial number has a hash, "" for
// none. It leaves out the reasons that an operator has reviewed before, for this listing
// or for the other one.
func holdsFor(ctx context.Context, t *tx, l *models.Listing, hash string, at models.Time) ([]models.Hold, error) {
	serial, err := serialHolds(ctx, t, l, hash, at)
	if err != nil {
		return nil, err
	}
	words, err := wordHolds(ctx, t, l)
	if err != nil {
		return nil, err
	}
	return t.undecided(ctx, l, append(serial, words...), at)
}

// serialHolds returns the holds of a listing for a serial number with a hash, "" for none.
func serialHolds(ctx context.Context, t *tx, l *models.Listing, hash string, at models.Time) (found []models.Hold, err error) {
	if hash == "" {
		return nil, nil
	}
	// Of two members who publish the same serial number at once, one waits here.
	if _, err := t.ExecContext(ctx, `UPDATE listing_serials SET hash = hash WHERE hash = $1`, hash); err != nil {
		return nil, err
	}
	err = t.SelectContext(ctx, &found, `SELECT 'stolen' AS reason, id AS subject FROM stolen_reports WHERE hash = $1 AND status = 'accepted'
		UNION ALL SELECT 'same_serial', l.id FROM listing_serials s JOIN listings l ON l.id = s.listing_id
		WHERE s.hash = $1 AND l.seller_id <> $2 AND l.status IN ('active', 'reserved')`, hash, l.SellerID)
	if err != nil {
		return nil, err
	}
	if id, err := soldToOther(ctx, t, hash, l, at); err != nil {
		return nil, err
	} else if id != "" {
		found = append(found, models.Hold{Reason: models.HoldSold, Subject: id})
	}
	return found, nil
}

// undecided returns the holds of a listing that no operator has released before.
func (t *tx) undecided(ctx context.Context, l *models.Listing, found []models.Hold, at models.Time) (holds []models.Hold, err error) {
	for _, h := range found {
		var released bool
		err := t.GetContext(ctx, &released, `SELECT EXISTS (SELECT 1 FROM listing_holds WHERE reason = $2 AND decision = 'released'
			AND (listing_id = $1 AND subject = $3 OR listing_id = $3 AND subject = $1))`, l.ID, h.Reason, h.Subject)
		if err != nil {
			return nil, err
		}
		if !released {
			holds = append(holds, models.Hold{ListingID: l.ID, Reason: h.Reason, Subject: h.Subject, At: at})
		}
	}
	return holds, nil
}

// soldToOther returns the listing of the last sale of a serial number here within
// SoldPeriod, if its buyer is another member than the seller of l; otherwise "". Its
// buyer may list it again. A sale without a known buyer says nothing about who has it.
func soldToOther(ctx context.Context, t *tx, hash string, l *models.Listing, at models.Time) (id string, err error) {
	var last struct{ ID, BuyerID string }
	err = t.GetContext(ctx, &last, `SELECT l.id, COALESCE(s.buyer_id, '') AS buyer_id FROM listing_serials n JOIN listings l ON l.id = n.listing_id
		LEFT JOIN sales s ON s.listing_id = l.id AND s.voided_at = 0
		WHERE n.hash = $1 AND l.status = 'sold' AND l.closed_at > $2 AND l.id <> $3 ORDER BY l.closed_at DESC, l.id DESC LIMIT 1`, hash, at.Add(-models.SoldPeriod), l.ID)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	if last.BuyerID == "" || last.BuyerID == l.SellerID {
		return "", err
	}
	return last.ID, err
}

// addHolds stores why a listing is held and notifies its seller.
func addHolds(ctx context.Context, t *tx, l *models.Listing, holds []models.Hold, unpublished bool) error {
	for _, h := range holds {
		_, err := t.ExecContext(ctx, `INSERT INTO listing_holds (listing_id, reason, subject, unpublished, at, decided_at, decision) VALUES ($1, $2, $3, $4, $5, 0, '')
			ON CONFLICT (listing_id, reason, subject) DO UPDATE SET unpublished = excluded.unpublished, at = excluded.at, decided_at = 0, decision = ''`,
			h.ListingID, h.Reason, h.Subject, unpublished, h.At)
		if err != nil {
			return err
		}
	}
	addNotice(t, models.Notice{Kind: models.NoticeListingHeld, To: l.SellerID, ID: l.ID, Title: l.Title})
	return nil
}

// closeHolds closes the open holds of a listing and returns how many there were, and
// whether the listing had never been public.
func closeHolds(ctx context.Context, t *tx, listingID, decision string, at models.Time) (n int, unpublished bool, err error) {
	var open []bool
	err = t.SelectContext(ctx, &open, `UPDATE listing_holds SET decided_at = $2, decision = $3 WHERE listing_id = $1 AND decided_at = 0 RETURNING unpublished`, listingID, at, decision)
	for _, fresh := range open {
		unpublished = unpublished || fresh
	}
	return len(open), unpublished, err
}

// DecideHold releases a held listing, or leaves it removed for good, and records the
// decision in the audit log. The seller is notified in both cases, with the note if it
// stays removed.
func (s *Listings) DecideHold(ctx context.Context, operatorID, listingID string, release bool, note string) (*models.AuditEntry, error) {
	e := &models.AuditEntry{OperatorID: operatorID, Action: models.KeepHold, Subject: listingID, Note: note, At: s.now()}
	if release {
		e.Action = models.ReleaseHold
	}
	return e, s.decide(ctx, e, func(t *tx, l *models.Listing) error {
		var open bool
		err := t.GetContext(ctx, &open, `SELECT EXISTS (SELECT 1 FROM listing_holds WHERE listing_id = $1 AND decided_at = 0)`, l.ID)
		switch {
		case err != nil:
			return err
		case !open || l.Status != models.StatusRemoved:
			return nothingToDecide("The listing isn't held.")
		case release:
			return t.release(ctx, l, e.At)
		}
		if _, _, err := closeHolds(ctx, t, l.ID, "removed", e.At); err != nil {
			return err
		}
		addNotice(t, models.Notice{Kind: models.NoticeListingRefused, To: l.SellerID, ID: l.ID, Title: l.Title, Text: note})
		return nil
	})
}

// decide runs a decision of an operator about a listing and records it in the audit log,
// in one transaction.
func (s *Listings) decide(ctx context.Context, e *models.AuditEntry, apply func(*tx, *models.Listing) error) error {
	if err := checkNote(e.Note); err != nil {
		return err
	}
	if !models.Storable(e.Subject) {
		return listingNotFound(e.Subject)
	}
	return s.update(ctx, func(t *tx) error {
		// The lock makes a second operator wait, who then finds nothing to decide.
		l, err := lockOwnListing(ctx, t, e.Subject, "")
		if err == nil {
			err = apply(t, l)
		}
		if err != nil {
			return err
		}
		return audit(ctx, t, e)
	})
}

// nothingToDecide returns the error for a decision that is made already.
func nothingToDecide(message problem.Format) error {
	return &problem.Error{Kind: problem.Conflict, Code: "wrong_status", Message: problem.Textf(message), Hint: problem.Textf("Someone else may have already dealt with it.").And(problem.Programf("List what waits with GET /api/checks."))}
}

// OpenHolds returns the open holds of listings by listing, oldest first.
func (s *Listings) OpenHolds(ctx context.Context, listings []string) (map[string][]models.Hold, error) {
	holds, err := selectIn[models.Hold](ctx, s.read, `SELECT listing_id, reason, subject, at FROM listing_holds WHERE decided_at = 0 AND listing_id IN (%s) ORDER BY at, reason, subject`, listings)
	return groupBy(holds, func(h *models.Hold) string { return h.ListingID }), err
}

// Held reports whether a listing is held.
func (s *Listings) Held(ctx context.Context, listingID string) (held bool, err error) {
	err = s.read.GetContext(ctx, &held, `SELECT EXISTS (SELECT 1 FROM listing_holds WHERE listing_id = $1 AND decided_at = 0)`, listingID)
	return held, err
}

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
