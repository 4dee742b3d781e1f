package store

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"

	"github.com/secondlight/secondlight/models"
)

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
