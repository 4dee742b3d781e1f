package models

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"unicode"
)

// NormalSerial returns a serial number in upper case without spaces, dashes and other
// punctuation, so that every way to write it is the same. It returns "" for what
// identifies nothing, such as "n/a" or "0000".
func NormalSerial(serial string) string {
	serial = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToUpper(r)
		}
		return -1
	}, serial)
	digits, distinct := 0, map[rune]bool{}
	for _, r := range serial {
		if distinct[r] = true; unicode.IsDigit(r) {
			digits++
		}
	}
	if len(serial) < 5 || digits < 3 || len(distinct) < 3 || strings.HasPrefix("1234567890", serial) {
		return ""
	}
	return serial
}

// brandOf returns the brand under which a serial number is compared: that of the gear,
// or the first word of the name of an item that is not in the catalogue.
func brandOf(gear, name string) string {
	if brand, _, ok := strings.Cut(gear, "/"); ok {
		return brand
	}
	first, _, _ := strings.Cut(strings.TrimSpace(name), " ")
	return Slug(first)
}

// serialKeySetting names the setting with the key of the hashes of serial numbers.
const serialKeySetting = "serial_key"

// serialHasher returns a function that hashes the serial numbers of a brand, "" for
// serial numbers that can't be compared. It creates the key on the first use.
func (t *tx) serialHasher(ctx context.Context) (func(brand, serial string) string, error) {
	key, err := t.secretSetting(ctx, serialKeySetting)
	if err != nil {
		return nil, err
	}
	return func(brand, serial string) string {
		if serial = NormalSerial(serial); serial == "" {
			return ""
		}
		mac := hmac.New(sha256.New, []byte(key))
		mac.Write([]byte(brand + "\x00" + serial))
		return hex.EncodeToString(mac.Sum(nil))
	}, nil
}

// serialHash returns the stored hash of a listing's serial number, "" for none.
func (t *tx) serialHash(ctx context.Context, listingID string) (hash string, err error) {
	err = t.GetContext(ctx, &hash, `SELECT hash FROM listing_serials WHERE listing_id = $1`, listingID)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return hash, err
}

// insertSerials stores the hashes of the serial numbers of new listings.
func (t *tx) insertSerials(ctx context.Context, listings []*Listing) error {
	type row struct{ id, hash string }
	var rows []row
	var hash func(brand, serial string) string
	for _, l := range listings {
		if NormalSerial(l.Serial) == "" {
			continue
		}
		if hash == nil {
			var err error
			if hash, err = t.serialHasher(ctx); err != nil {
				return err
			}
		}
		rows = append(rows, row{l.ID, hash(brandOf(l.Gear, l.Title), l.Serial)})
	}
	return t.insert(ctx, `listing_serials (listing_id, hash)`, `ON CONFLICT DO NOTHING`, len(rows), func(i int) []any { return []any{rows[i].id, rows[i].hash} })
}

// updateSerial replaces the stored hash of a listing's serial number.
func (t *tx) updateSerial(ctx context.Context, l *Listing) error {
	if _, err := t.ExecContext(ctx, `DELETE FROM listing_serials WHERE listing_id = $1`, l.ID); err != nil {
		return err
	}
	return t.insertSerials(ctx, []*Listing{l})
}

// hashSerials stores the missing hashes of the serial numbers of listings: those of a
// version of the program that had none.
func (db *database) hashSerials(ctx context.Context) error {
	after := ""
	for {
		var listings []*Listing
		err := db.read.SelectContext(ctx, &listings, `SELECT l.id, l.gear, l.title, l.serial FROM listings l
			WHERE l.id > $1 AND l.serial <> '' AND NOT EXISTS (SELECT 1 FROM listing_serials s WHERE s.listing_id = l.id) ORDER BY l.id LIMIT 1000`, after)
		if err != nil || len(listings) == 0 {
			return err
		}
		if err := db.update(ctx, func(t *tx) error { return t.insertSerials(ctx, listings) }); err != nil {
			return err
		}
		after = listings[len(listings)-1].ID
	}
}

// sameTexts reports whether an edit leaves what is written about the item as it is.
func sameTexts(old, l *Listing) bool {
	return old.Title == l.Title && old.Text == l.Text && slices.Equal(old.Texts(), l.Texts())
}

// sameItem reports whether an edit leaves it the same item: the same gear, or the same
// title if it is not in the catalogue, and the same serial number.
func sameItem(old, l *Listing) bool {
	return old.Gear == l.Gear && (l.Gear != "" || old.Title == l.Title) && NormalSerial(old.Serial) == NormalSerial(l.Serial)
}
