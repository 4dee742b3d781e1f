package store

import (
	"context"
	"errors"
	"slices"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// HasPhoto reports whether a public listing has the photo with the given key.
func (s *Listings) HasPhoto(ctx context.Context, key string) (bool, error) {
	return s.hasPhoto(ctx, isPublic, key)
}

// HasOwnPhoto reports whether a listing of a member, in any status, an agreement of
// theirs, or a dispute that they read has the photo with the given key, or whether they
// sent it to the operators. Operators read all disputes.
func (s *Listings) HasOwnPhoto(ctx context.Context, key, member string) (bool, error) {
	has, err := s.hasPhoto(ctx, `l.seller_id = $2`, key, member)
	if err != nil || has {
		return has, err
	}
	err = s.read.GetContext(ctx, &has, `SELECT EXISTS (
		SELECT 1 FROM agreement_photos p JOIN offers o ON o.id = p.offer_id
		WHERE p.key = $1 AND $2 IN (o.buyer_id, o.seller_id)) OR EXISTS (
		SELECT 1 FROM evidence_photos p JOIN offers o ON o.id = p.offer_id
		WHERE p.key = $1 AND ($2 IN (o.buyer_id, o.seller_id) OR EXISTS (SELECT 1 FROM accounts WHERE member_id = $2 AND role = 'operator')))
		OR EXISTS (SELECT 1 FROM possession_checks c JOIN listings l ON l.id = c.listing_id WHERE c.photo = $1 AND l.seller_id = $2)
		OR EXISTS (SELECT 1 FROM stolen_reports WHERE photo = $1 AND reporter_id = $2)`, key, member)
	return has, err
}

func (s *Listings) hasPhoto(ctx context.Context, where string, args ...any) (bool, error) {
	var has bool
	err := s.read.GetContext(ctx, &has, `SELECT EXISTS (
		SELECT 1 FROM listing_photos p JOIN listings l ON l.id = p.listing_id
		WHERE p.key = $1 AND `+where+`)`, args...)
	return has, err
}

// UsedPhotos returns those of the keys that a listing, in any status, an agreement, a
// dispute, or a proof of possession or theft has.
func (s *Listings) UsedPhotos(ctx context.Context, keys []string) (used []string, err error) {
	if len(keys) == 0 {
		return nil, nil
	}
	given := parameters(1, len(keys))
	err = s.read.SelectContext(ctx, &used, `SELECT key FROM listing_photos WHERE key IN (`+given+`)
		UNION SELECT key FROM agreement_photos WHERE key IN (`+given+`)
		UNION SELECT key FROM evidence_photos WHERE key IN (`+given+`)
		UNION SELECT photo FROM possession_checks WHERE photo IN (`+given+`)
		UNION SELECT photo FROM stolen_reports WHERE photo IN (`+given+`)`, toAny(keys)...)
	return used, err
}

// EditableListing returns an open listing of a seller, or the error EditListing
// would return.
func (s *Listings) EditableListing(ctx context.Context, id, seller string) (*models.Listing, error) {
	return s.EditListing(ctx, id, seller, 0, func(*models.Listing) error { return nil })
}

// AddPhotos appends photos to an open listing of a seller, skipping those it
// already has.
func (s *Listings) AddPhotos(ctx context.Context, id, seller string, photos []models.Photo) (*models.Listing, error) {
	return s.editPhotos(ctx, id, seller, 0, func(now []models.Photo) ([]models.Photo, error) {
		for _, p := range photos {
			if photoAt(now, p.Key) < 0 {
				now = append(now, p)
			}
		}
		if len(now) > models.MaxPhotos {
			return nil, TooManyPhotos(len(now))
		}
		return now, nil
	})
}

// TooManyPhotos returns the error for a listing that would have n photos.
func TooManyPhotos(n int) error {
	return models.InvalidField("photo", "invalid_value", "A listing can have at most %d photos. This would make %d.", models.MaxPhotos, n)
}

// MaxPhotoStorage is the total size of the photos of a member's listings, in bytes.
// Operators may store more.
const MaxPhotoStorage = 1_000_000_000

func photoBytes(photos []models.Photo) (sum int64) {
	for _, p := range photos {
		sum += p.Bytes
	}
	return sum
}

// checkPhotoStorage returns a Conflict error, photo_storage_full, if the photos of a
// member's listings, in any status, take more than MaxPhotoStorage. A photo of several
// listings is stored, and counts, once.
func checkPhotoStorage(ctx context.Context, t *tx, memberID string) error {
	role, err := lockMember(ctx, t, memberID)
	if err != nil || role != models.RoleMember {
		return err
	}
	var stored int64
	err = t.GetContext(ctx, &stored, `SELECT COALESCE(SUM(bytes), 0) FROM (
		SELECT MAX(p.bytes) AS bytes FROM listings l JOIN (SELECT listing_id, key, bytes FROM listing_photos
			UNION ALL SELECT listing_id, photo, bytes FROM possession_checks) p ON p.listing_id = l.id WHERE l.seller_id = $1 GROUP BY p.key) photos`, memberID)
	if err == nil && stored > MaxPhotoStorage {
		return &problem.Error{Kind: problem.Conflict, Code: "photo_storage_full",
			Message: problem.Textf("Your photos would take %d MB of storage. The limit is %d MB.", stored/1_000_000, MaxPhotoStorage/1_000_000),
			Hint:    problem.Textf("Remove photos from your drafts and open listings, or contact us.")}
	}
	return err
}

// Arrangement is a new order and description of a listing's photos.
type Arrangement struct {
	Order            []string          // all keys in the new order; nil keeps the order
	Alts             map[string]string // alternative texts by key; "" restores the default, made from the title
	MoveUp, MoveDown string            // key to swap with its neighbour, or ""
}

// ArrangePhotos reorders and describes the photos of an open listing of a
// seller. If version is not 0, the listing must still be at that version.
func (s *Listings) ArrangePhotos(ctx context.Context, id, seller string, version int64, a Arrangement) (*models.Listing, error) {
	return s.editPhotos(ctx, id, seller, version, a.apply)
}

func (a Arrangement) apply(now []models.Photo) ([]models.Photo, error) {
	if a.Order != nil {
		ordered := make([]models.Photo, 0, len(now))
		for _, key := range a.Order {
			at := photoAt(now, key)
			if at < 0 {
				return nil, invalidPhotos("The listing has no photo %s.", key)
			}
			if photoAt(ordered, key) >= 0 {
				return nil, invalidPhotos("The photo %s is listed twice.", key)
			}
			ordered = append(ordered, now[at])
		}
		for _, p := range now {
			if photoAt(ordered, p.Key) < 0 {
				return nil, invalidPhotos("The photo %s is missing.", p.Key)
			}
		}
		now = ordered
	}
	for key, alt := range a.Alts {
		at := photoAt(now, key)
		if at < 0 {
			return nil, invalidPhotos("The listing has no photo %s.", key)
		}
		now[at].Alt = alt
	}
	for _, move := range []struct {
		key string
		by  int
	}{{a.MoveUp, -1}, {a.MoveDown, 1}} {
		if move.key == "" {
			continue
		}
		at := photoAt(now, move.key)
		if at < 0 {
			return nil, invalidPhotos("The listing has no photo %s.", move.key)
		}
		if to := at + move.by; to >= 0 && to < len(now) {
			now[at], now[to] = now[to], now[at]
		}
	}
	return now, nil
}

func invalidPhotos(format problem.Format, args ...any) error {
	message := problem.Textf(format, args...)
	e := &problem.Error{Kind: problem.Invalid, Code: "invalid_parameter", Message: message, Hint: problem.Textf("List every photo key once, in the new order."),
		Fields: []problem.FieldError{{Field: "photos", Code: "invalid_value", Message: message}}}
	return e
}

// RemovePhoto removes a photo from an open listing of a seller.
func (s *Listings) RemovePhoto(ctx context.Context, id, seller, key string) (*models.Listing, error) {
	return s.editPhotos(ctx, id, seller, 0, func(now []models.Photo) ([]models.Photo, error) {
		at := photoAt(now, key)
		if at < 0 {
			return nil, &problem.Error{Kind: problem.NotFound, Code: "photo_not_found", Message: problem.Textf("This listing doesn't have that photo."),
				Hint: problem.Programf("GET /api/listings/%s/photos lists its photos with their keys.", id)}
		}
		return slices.Delete(now, at, at+1), nil
	})
}

func photoAt(photos []models.Photo, key string) int {
	return slices.IndexFunc(photos, func(p models.Photo) bool { return p.Key == key })
}

// maxEditAttempts is how often an edit without a version is retried after
// concurrent edits.
const maxEditAttempts = 20

func (s *Listings) editPhotos(ctx context.Context, id, seller string, version int64, edit func([]models.Photo) ([]models.Photo, error)) (l *models.Listing, err error) {
	for range maxEditAttempts {
		l, err = s.EditListing(ctx, id, seller, version, func(l *models.Listing) error {
			photos, err := edit(slices.Clone(l.Photos))
			if err == nil {
				l.Photos = photos
			}
			return err
		})
		if version != 0 || !errors.Is(err, errListingChanged) {
			break
		}
	}
	return l, err
}

// EachPhoto calls do with the keys of all photos that UsedPhotos would return, some of them
// more than once.
func (s *Listings) EachPhoto(ctx context.Context, do func(key string) error) error {
	rows, err := s.scan.QueryxContext(ctx, `SELECT key FROM listing_photos UNION ALL SELECT key FROM agreement_photos
		UNION ALL SELECT key FROM evidence_photos UNION ALL SELECT photo FROM possession_checks WHERE photo <> ''
		UNION ALL SELECT photo FROM stolen_reports WHERE photo <> ''`)
	if err != nil {
		return err
	}
	defer rows.Close()
	return eachRow(rows, func(r *sqlx.Rows) error {
		var key string
		if err := r.Scan(&key); err != nil {
			return err
		}
		return do(key)
	})
}

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
			err = nothingToDecide("This listing has no open photo notes.")
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
