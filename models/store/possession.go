package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

const possessionColumns = `listing_id, code, status, issued_at, expires_at, photo, width, height, bytes, show_photo, sent_at, decided_at, reason`

// Possession returns the proof of possession of a listing of a seller. One without a
// code is empty.
func (s *Listings) Possession(ctx context.Context, id, seller string) (*models.Possession, error) {
	if _, err := s.OwnListing(ctx, id, seller); err != nil {
		return nil, err
	}
	return possessionOf(ctx, s.read, id)
}

func possessionOf(ctx context.Context, db sqlx.QueryerContext, listingID string) (*models.Possession, error) {
	p := models.Possession{ListingID: listingID}
	err := sqlx.GetContext(ctx, db, &p, `SELECT `+possessionColumns+` FROM possession_checks WHERE listing_id = $1`, listingID)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return &p, err
}

var errAlreadyVerified = &problem.Error{Kind: problem.Conflict, Code: "wrong_status", Message: problem.Textf("This listing is already photo-verified."), Hint: problem.Textf("You don't need to do anything.")}

// StartPossession gives the seller of an open listing a code. A code that can still be
// used stays as it is.
func (s *Listings) StartPossession(ctx context.Context, id, seller string) (p *models.Possession, err error) {
	return s.editPossession(ctx, id, seller, func(t *tx, p *models.Possession, now models.Time) error {
		switch {
		case p.Status == models.PossessionVerified:
			return errAlreadyVerified
		case p.Status == models.PossessionWaiting || p.Code != "" && !p.Expired(now):
			return nil
		}
		*p = models.Possession{ListingID: id, Code: models.NewPossessionCode(), Status: models.PossessionOpen, IssuedAt: now, ExpiresAt: now.Add(models.CodeLifetime)}
		return putPossession(ctx, t, p)
	})
}

// SendPossession stores the photo of a code beside the item for an operator to look at.
// It replaces one that was sent before and isn't confirmed. The code must not have
// expired.
func (s *Listings) SendPossession(ctx context.Context, id, seller string, photo models.Photo, show bool) (p *models.Possession, err error) {
	return s.editPossession(ctx, id, seller, func(t *tx, p *models.Possession, now models.Time) error {
		switch {
		case p.Code == "":
			return &problem.Error{Kind: problem.Conflict, Code: "wrong_status", Message: problem.Textf("You don't have a code for this listing yet."), Hint: problem.Textf("Get one first, then take the photo.")}
		case p.Status == models.PossessionVerified:
			return errAlreadyVerified
		case p.Expired(now):
			return &problem.Error{Kind: problem.Conflict, Code: "possession_code_expired", Message: problem.Textf("Your code has expired."), Hint: problem.Textf("Get a new code and take the photo again.")}
		}
		p.Status, p.SentAt, p.DecidedAt, p.Reason, p.ShowPhoto = models.PossessionWaiting, now, 0, "", show
		p.Photo, p.Width, p.Height, p.Bytes = photo.Key, photo.Width, photo.Height, photo.Bytes
		if err := putPossession(ctx, t, p); err != nil {
			return err
		}
		return checkPhotoStorage(ctx, t, seller)
	})
}

// editPossession changes the proof of possession of an open listing of a seller.
func (s *Listings) editPossession(ctx context.Context, id, seller string, edit func(*tx, *models.Possession, models.Time) error) (p *models.Possession, err error) {
	if !models.Storable(id) {
		return nil, listingNotFound(id)
	}
	return p, s.update(ctx, func(t *tx) error {
		l, err := lockOwnListing(ctx, t, id, seller)
		if err != nil {
			return err
		}
		if !l.Status.Open() {
			return &problem.Error{Kind: problem.Conflict, Code: "wrong_status", Message: problem.Textf("The listing is %s.", l.Status), Hint: problem.Textf("Only drafts and listings for sale can be photo-verified.")}
		}
		if p, err = possessionOf(ctx, t, id); err != nil {
			return err
		}
		if p.Status == models.PossessionVerified && l.VerifiedAt == 0 { // the badge went with a voided sale
			p = &models.Possession{ListingID: id}
		}
		return edit(t, p, s.now())
	})
}

func putPossession(ctx context.Context, t *tx, p *models.Possession) error {
	_, err := t.ExecContext(ctx, `INSERT INTO possession_checks (`+possessionColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
		ON CONFLICT (listing_id) DO UPDATE SET code = excluded.code, status = excluded.status, issued_at = excluded.issued_at, expires_at = excluded.expires_at,
		photo = excluded.photo, width = excluded.width, height = excluded.height, bytes = excluded.bytes, show_photo = excluded.show_photo,
		sent_at = excluded.sent_at, decided_at = excluded.decided_at, reason = excluded.reason`,
		p.ListingID, p.Code, p.Status, p.IssuedAt, p.ExpiresAt, p.Photo, p.Width, p.Height, p.Bytes, p.ShowPhoto, p.SentAt, p.DecidedAt, p.Reason)
	return err
}

// DecidePossession confirms or rejects the photo of a code beside the item, notifies the
// seller and records the decision in the audit log. A rejection needs a reason, which
// the seller reads. A photo that the seller wants to show joins those of the listing if
// there is room.
func (s *Listings) DecidePossession(ctx context.Context, operatorID, listingID string, verify bool, note string) (*models.AuditEntry, error) {
	e := &models.AuditEntry{OperatorID: operatorID, Action: models.RejectPossession, Subject: listingID, Note: note, At: s.now()}
	if verify {
		e.Action = models.VerifyPossession
	} else if note == "" {
		return nil, models.InvalidField("note", "missing_parameter", "Tell the seller what is wrong with the photo.")
	}
	return e, s.decide(ctx, e, func(t *tx, l *models.Listing) error {
		p, err := possessionOf(ctx, t, l.ID)
		if err != nil {
			return err
		}
		if p.Status != models.PossessionWaiting {
			return nothingToDecide("There's no photo to confirm.")
		}
		p.DecidedAt = e.At
		if !verify {
			p.Status, p.Reason = models.PossessionRejected, note
			addNotice(t, models.Notice{Kind: models.NoticePossessionRejected, To: l.SellerID, ID: l.ID, Title: l.Title, Text: note})
			return putPossession(ctx, t, p)
		}
		p.Status = models.PossessionVerified
		if err := putPossession(ctx, t, p); err != nil {
			return err
		}
		addNotice(t, models.Notice{Kind: models.NoticePossessionVerified, To: l.SellerID, ID: l.ID, Title: l.Title})
		return setVerified(ctx, t, l, p, e.At)
	})
}

// setVerified gives a listing its badge, and the photo if the seller wants to show it.
func setVerified(ctx context.Context, t *tx, l *models.Listing, p *models.Possession, at models.Time) error {
	l.VerifiedAt, l.UpdatedAt = at, at
	l.Version++
	_, err := t.ExecContext(ctx, `UPDATE listings SET verified_at = $2, updated_at = $2, version = version + 1 WHERE id = $1`, l.ID, at)
	if err != nil {
		return err
	}
	event := models.Event("")
	if l.Status.Public() {
		event = models.ListingUpdated
	}
	t.listingHappened(event, l)
	if !p.ShowPhoto || len(l.Photos) >= models.MaxPhotos || photoAt(l.Photos, p.Photo) >= 0 {
		return nil
	}
	l.Photos = append(l.Photos, models.Photo{Key: p.Photo, Width: p.Width, Height: p.Height, Bytes: p.Bytes})
	_, err = t.ExecContext(ctx, `INSERT INTO listing_photos (`+photoColumns+`) VALUES ($1, $2, $3, '', $4, $5, $6)`, l.ID, len(l.Photos)-1, p.Photo, p.Width, p.Height, p.Bytes)
	return err
}

// WaitingPossessions returns the proofs of possession of listings that wait for an operator,
// by listing.
func (s *Listings) WaitingPossessions(ctx context.Context, listings []string) (map[string]*models.Possession, error) {
	waiting, err := selectIn[models.Possession](ctx, s.read, `SELECT `+possessionColumns+` FROM possession_checks WHERE status = 'waiting' AND listing_id IN (%s)`, listings)
	return byKey(waiting, func(p *models.Possession) string { return p.ListingID }), err
}

// erasePossessions deletes the codes and photos that were decided on, or expired, before
// a time.
func erasePossessions(ctx context.Context, t *tx, before models.Time) error {
	if _, err := t.ExecContext(ctx, `DELETE FROM possession_checks WHERE status IN ('open', 'rejected') AND expires_at < $1`, before); err != nil {
		return err
	}
	_, err := t.ExecContext(ctx, `UPDATE possession_checks SET photo = '', bytes = 0 WHERE status = 'verified' AND photo <> '' AND decided_at < $1`, before)
	return err
}
