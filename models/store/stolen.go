package store

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

const stolenColumns = `id, COALESCE(reporter_id, '') AS reporter_id, status, gear, name, serial, stolen_on, place, police, photo, at, decided_at, erased`

// ReportStolen stores a member's report of a stolen serial number for an operator. A
// member may make MaxStolenReports within StolenReportsPeriod.
func (s *Listings) ReportStolen(ctx context.Context, r *models.StolenReport) error {
	if err := r.Check(s.now()); err != nil {
		return err
	}
	r.ID, r.Status, r.At = s.newID(), models.StolenOpen, s.now()
	return s.update(ctx, func(t *tx) error {
		if _, err := lockMember(ctx, t, r.ReporterID); err != nil {
			return err
		}
		wait, err := retryAfter(ctx, t, `SELECT at FROM stolen_reports WHERE reporter_id = $1 AND at > $2`, r.ReporterID, models.MaxStolenReports, models.StolenReportsPeriod, r.At)
		if err != nil {
			return err
		}
		if wait > 0 {
			return &problem.Error{Kind: problem.TooMany, Code: "too_many_stolen_reports", Message: problem.Textf("You've reached the limit of %d stolen items in 30 days.", models.MaxStolenReports),
				Hint: problem.Textf("If more was stolen, put the numbers in one police report and contact us."), Wait: wait}
		}
		hash, err := serialHasher(ctx, t)
		if err != nil {
			return err
		}
		_, err = t.ExecContext(ctx, `INSERT INTO stolen_reports (id, reporter_id, status, gear, name, serial, hash, stolen_on, place, police, photo, at, decided_at, erased)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, 0, FALSE)`,
			r.ID, r.ReporterID, r.Status, r.Gear, r.Name, r.Serial, hash(models.BrandOf(r.Gear, r.Name), r.Serial), r.StolenOn, r.Place, r.Police, r.Photo, r.At)
		return err
	})
}

// DecideStolen accepts or rejects a report of a stolen serial number, notifies the
// reporter and records the decision in the audit log. Accepting it holds all listings for
// sale with the serial number, and those published later. A report that was accepted can
// still be rejected, such as when the item was found.
func (s *Listings) DecideStolen(ctx context.Context, operatorID, id string, accept bool, note string) (*models.AuditEntry, error) {
	if err := checkNote(note); err != nil {
		return nil, err
	}
	if !models.Storable(id) {
		return nil, models.StolenNotFound(id)
	}
	e := &models.AuditEntry{OperatorID: operatorID, Action: models.RejectStolen, Subject: id, Note: note, At: s.now()}
	if accept {
		e.Action = models.AcceptStolen
	}
	return e, s.update(ctx, func(t *tx) error {
		r, hash, err := lockStolen(ctx, t, id)
		switch {
		case err != nil:
			return err
		case r.Status == models.StolenRejected || accept && r.Status == models.StolenAccepted:
			return nothingToDecide("This report has already been decided.")
		case accept:
			err = acceptStolen(ctx, t, r, hash, e.At)
		default:
			_, err = t.ExecContext(ctx, `UPDATE stolen_reports SET status = 'rejected', decided_at = $2 WHERE id = $1`, r.ID, e.At)
		}
		if err != nil {
			return err
		}
		if r.ReporterID != "" {
			kind := models.NoticeStolenRejected
			if accept {
				kind = models.NoticeStolenAccepted
			}
			addNotice(t, models.Notice{Kind: kind, To: r.ReporterID, ID: r.ID, Title: r.Name, Text: note})
		}
		return audit(ctx, t, e)
	})
}

// lockStolen returns a report and its hash, and makes other decisions on it wait.
func lockStolen(ctx context.Context, t *tx, id string) (r *models.StolenReport, hash string, err error) {
	err = t.GetContext(ctx, &hash, `UPDATE stolen_reports SET status = status WHERE id = $1 RETURNING hash`, id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, "", models.StolenNotFound(id)
	}
	r = &models.StolenReport{}
	if err == nil {
		err = t.GetContext(ctx, r, `SELECT `+stolenColumns+` FROM stolen_reports WHERE id = $1`, id)
	}
	return r, hash, err
}

// acceptStolen accepts a report and holds the listings for sale with its serial number.
func acceptStolen(ctx context.Context, t *tx, r *models.StolenReport, hash string, at models.Time) error {
	if _, err := t.ExecContext(ctx, `UPDATE stolen_reports SET status = 'accepted', decided_at = $2 WHERE id = $1`, r.ID, at); err != nil {
		return err
	}
	// Locks the serial numbers, as holdsFor does.
	var ids []string
	if err := t.SelectContext(ctx, &ids, `UPDATE listing_serials SET hash = hash WHERE hash = $1 RETURNING listing_id`, hash); err != nil {
		return err
	}
	for _, id := range ids {
		l, err := listingByID(ctx, t, id)
		if err != nil {
			return err
		}
		if l == nil || l.Status != models.StatusActive && l.Status != models.StatusReserved {
			continue
		}
		if err := addHolds(ctx, t, l, []models.Hold{{ListingID: l.ID, Reason: models.HoldStolen, Subject: r.ID, At: at}}, false); err != nil {
			return err
		}
		if err := advance(ctx, t, l, models.Move{Step: models.Remove, At: at}); err != nil {
			return err
		}
	}
	return nil
}

// StolenReportsOf returns the reports of a member, newest first.
func (s *Listings) StolenReportsOf(ctx context.Context, memberID string) (reports []models.StolenReport, err error) {
	err = s.read.SelectContext(ctx, &reports, `SELECT `+stolenColumns+` FROM stolen_reports WHERE reporter_id = $1 ORDER BY at DESC, id DESC LIMIT 100`, memberID)
	return reports, err
}

// StolenReportsByID returns reports by id. Unknown ids are omitted.
func (s *Listings) StolenReportsByID(ctx context.Context, ids []string) (map[string]*models.StolenReport, error) {
	reports, err := selectIn[models.StolenReport](ctx, s.read, `SELECT `+stolenColumns+` FROM stolen_reports WHERE id IN (%s)`, ids)
	return byKey(reports, func(r *models.StolenReport) string { return r.ID }), err
}

// eraseStolen deletes rejected reports, and everything but the hash of accepted ones,
// that were decided before a time.
func eraseStolen(ctx context.Context, t *tx, before models.Time) error {
	if _, err := t.ExecContext(ctx, `DELETE FROM stolen_reports WHERE status = 'rejected' AND decided_at < $1`, before); err != nil {
		return err
	}
	_, err := t.ExecContext(ctx, `UPDATE stolen_reports SET `+erasedStolen+` WHERE status = 'accepted' AND NOT erased AND decided_at < $1`, before)
	return err
}

const erasedStolen = `serial = '', place = '', police = '', stolen_on = '', photo = '', erased = TRUE`

// forgetReporter deletes the reports of a member who leaves. Of accepted ones only the
// hash stays, so that the item stays recognized.
func forgetReporter(ctx context.Context, t *tx, memberID string) error {
	if _, err := t.ExecContext(ctx, `DELETE FROM stolen_reports WHERE reporter_id = $1 AND status <> 'accepted'`, memberID); err != nil {
		return err
	}
	_, err := t.ExecContext(ctx, `UPDATE stolen_reports SET reporter_id = NULL, `+erasedStolen+` WHERE reporter_id = $1`, memberID)
	return err
}

// serialKeySetting names the setting with the key of the hashes of serial numbers.
const serialKeySetting = "serial_key"

// serialHasher returns a function that hashes the serial numbers of a brand, "" for
// serial numbers that can't be compared. It creates the key on the first use.
func serialHasher(ctx context.Context, t *tx) (func(brand, serial string) string, error) {
	key, err := secretSetting(ctx, t, serialKeySetting)
	if err != nil {
		return nil, err
	}
	return func(brand, serial string) string {
		if serial = models.NormalSerial(serial); serial == "" {
			return ""
		}
		mac := hmac.New(sha256.New, []byte(key))
		mac.Write([]byte(brand + "\x00" + serial))
		return hex.EncodeToString(mac.Sum(nil))
	}, nil
}

// serialHash returns the stored hash of a listing's serial number, "" for none.
func serialHash(ctx context.Context, t *tx, listingID string) (hash string, err error) {
	err = t.GetContext(ctx, &hash, `SELECT hash FROM listing_serials WHERE listing_id = $1`, listingID)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return hash, err
}

// insertSerials stores the hashes of the serial numbers of new listings.
func insertSerials(ctx context.Context, t *tx, listings []*models.Listing) error {
	type row struct{ id, hash string }
	var rows []row
	var hash func(brand, serial string) string
	for _, l := range listings {
		if models.NormalSerial(l.Serial) == "" {
			continue
		}
		if hash == nil {
			var err error
			if hash, err = serialHasher(ctx, t); err != nil {
				return err
			}
		}
		rows = append(rows, row{l.ID, hash(models.BrandOf(l.Gear, l.Title), l.Serial)})
	}
	return t.insert(ctx, `listing_serials (listing_id, hash)`, `ON CONFLICT DO NOTHING`, len(rows), func(i int) []any { return []any{rows[i].id, rows[i].hash} })
}

// updateSerial replaces the stored hash of a listing's serial number.
func updateSerial(ctx context.Context, t *tx, l *models.Listing) error {
	if _, err := t.ExecContext(ctx, `DELETE FROM listing_serials WHERE listing_id = $1`, l.ID); err != nil {
		return err
	}
	return insertSerials(ctx, t, []*models.Listing{l})
}

// hashSerials stores the missing hashes of the serial numbers of listings: those of a
// version of the program that had none.
func (db *database) hashSerials(ctx context.Context) error {
	after := ""
	for {
		var listings []*models.Listing
		err := db.read.SelectContext(ctx, &listings, `SELECT l.id, l.gear, l.title, l.serial FROM listings l
			WHERE l.id > $1 AND l.serial <> '' AND NOT EXISTS (SELECT 1 FROM listing_serials s WHERE s.listing_id = l.id) ORDER BY l.id LIMIT 1000`, after)
		if err != nil || len(listings) == 0 {
			return err
		}
		if err := db.update(ctx, func(t *tx) error { return insertSerials(ctx, t, listings) }); err != nil {
			return err
		}
		after = listings[len(listings)-1].ID
	}
}
