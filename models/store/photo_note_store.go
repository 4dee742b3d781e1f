package store

import (
	"github.com/secondlight/secondlight/models"
)

import "context"

const photoFactsColumns = `listing_id, key, camera, lens, camera_hash, lens_hash, software, generated, band0, band1, band2, band3`

// AddPhotoFacts stores what the files of photos say that are about to be added to a
// listing of a seller. Facts of a photo that the listing already has stay as they are.
func (s *Listings) AddPhotoFacts(ctx context.Context, listingID string, facts []models.PhotoFacts) error {
	return s.update(ctx, func(t *tx) error {
		hash, err := serialHasher(ctx, t)
		if err != nil {
			return err
		}
		return t.insert(ctx, `photo_facts (`+photoFactsColumns+`)`, `ON CONFLICT DO NOTHING`, len(facts), func(i int) []any {
			f := &facts[i]
			bands := models.BandsOf(f.Fingerprint)
			return []any{listingID, f.Key, f.Camera, f.Lens, hash(models.BrandOf(f.Camera, ""), f.CameraSN), hash(models.BrandOf(f.Lens, ""), f.LensSN), f.Software, f.Generated,
				bands[0], bands[1], bands[2], bands[3]}
		})
	})
}

// notePhotos stores notes on the photos of a listing that is public or about to be, and
// whose serial number has a hash, "" for none. Notes that an operator has closed stay
// closed.
func notePhotos(ctx context.Context, t *tx, l *models.Listing, serialHash string, at models.Time) error {
	var facts []models.PhotoFactsRow
	err := t.SelectContext(ctx, &facts, `SELECT `+photoFactsColumns+` FROM photo_facts WHERE listing_id = $1 ORDER BY key`, l.ID)
	if err != nil || len(facts) == 0 {
		return err
	}
	var notes []models.PhotoNote
	for i := range facts {
		f := &facts[i]
		if photoAt(l.Photos, f.Key) < 0 {
			continue // removed since
		}
		notes = append(notes, f.Notes(l.Gear, serialHash)...)
		other, err := reused(ctx, t, f, l.SellerID)
		if err != nil {
			return err
		}
		if other != "" {
			notes = append(notes, models.PhotoNote{Key: f.Key, Kind: models.PhotoReused, Subject: other})
		}
	}
	return t.insert(ctx, `photo_notes (listing_id, key, kind, detail, subject, at, closed_at)`, `ON CONFLICT DO NOTHING`, len(notes), func(i int) []any {
		n, closed := &notes[i], models.Time(0)
		if n.Kind == models.PhotoSameSerial {
			closed = at
		}
		return []any{l.ID, n.Key, n.Kind, n.Detail, n.Subject, at, closed}
	})
}

// maxReused limits the pictures that one is compared with: blank walls have bands in
// common.
const maxReused = 500

// reused returns a published listing of another seller with the same picture, or "".
func reused(ctx context.Context, t *tx, f *models.PhotoFactsRow, seller string) (listingID string, err error) {
	const of = ` FROM photo_facts p JOIN listings l ON l.id = p.listing_id WHERE l.seller_id <> $1 AND l.status <> 'draft' AND `
	const columns = `SELECT p.listing_id, p.key, p.band0, p.band1, p.band2, p.band3`
	query, args := columns+of+`p.key = $2`, []any{seller, f.Key, f.Band0, f.Band1, f.Band2, f.Band3}
	if f.Band0 != nil {
		for i, band := range []string{`band0`, `band1`, `band2`, `band3`} {
			query += ` UNION ` + columns + of + `p.` + band + ` = ` + numbered(i+3)
		}
	} else {
		args = args[:2]
	}
	var found []models.PhotoFactsRow
	if err := t.SelectContext(ctx, &found, query+` LIMIT `+numbered(len(args)+1), append(args, maxReused)...); err != nil {
		return "", err
	}
	for i := range found {
		if found[i].Key == f.Key || models.SimilarPictures(found[i].Fingerprint(), f.Fingerprint()) {
			return found[i].ListingID, nil
		}
	}
	return "", nil
}

// OpenPhotoNotes returns the open notes on the photos of listings by listing, with those that
// never waited.
func (s *Listings) OpenPhotoNotes(ctx context.Context, listings []string) (map[string][]models.PhotoNote, error) {
	notes, err := selectIn[models.PhotoNote](ctx, s.read, `SELECT listing_id, key, kind, detail, subject, at, closed_at FROM photo_notes
		WHERE (closed_at = 0 OR kind = 'same_serial') AND listing_id IN (%s) ORDER BY listing_id, key, kind`, listings)
	return groupBy(notes, func(n *models.PhotoNote) string { return n.ListingID }), err
}

// ClosePhotoNotes closes the open notes on the photos of a listing and records it in the
// audit log.
func (s *Listings) ClosePhotoNotes(ctx context.Context, operatorID, listingID, note string) (*models.AuditEntry, error) {
	e := &models.AuditEntry{OperatorID: operatorID, Action: models.ClosePhotoNotes, Subject: listingID, Note: note, At: s.now()}
	return e, s.decide(ctx, e, func(t *tx, l *models.Listing) error {
		n, err := t.affected(ctx, `UPDATE photo_notes SET closed_at = $2 WHERE listing_id = $1 AND closed_at = 0`, l.ID, e.At)
		if err == nil && n == 0 {
			err = nothingToDecide("No notes on the photos of this listing are open.")
		}
		return err
	})
}

// HasPrivatePhoto reports whether a photo with the given key was sent to the operators:
// as a proof of possession or a document of a theft, or is in a listing that they check.
func (s *Listings) HasPrivatePhoto(ctx context.Context, key string) (has bool, err error) {
	err = s.read.GetContext(ctx, &has, `SELECT EXISTS (SELECT 1 FROM possession_checks WHERE photo = $1) OR EXISTS (SELECT 1 FROM stolen_reports WHERE photo = $1)
		OR EXISTS (SELECT 1 FROM photo_notes WHERE key = $1)
		OR EXISTS (SELECT 1 FROM listing_photos p WHERE p.key = $1 AND (EXISTS (SELECT 1 FROM listing_holds h WHERE h.listing_id = p.listing_id)
			OR EXISTS (SELECT 1 FROM possession_checks c WHERE c.listing_id = p.listing_id AND c.status = 'waiting')))`, key)
	return has, err
}
