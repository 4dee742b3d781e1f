package store

import (
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/problem"
)

// CorrectCatalog gives a catalogue the corrections of the database.
func (s *Site) CorrectCatalog(ctx context.Context, c *catalog.Catalog) error {
	c.Correcting.Lock() // so that the corrections read last are applied last
	defer c.Correcting.Unlock()
	corrections, err := s.GearCorrections(ctx)
	if err != nil {
		return err
	}
	return c.Correct(corrections)
}

// GearCorrections returns all corrections of the catalogue.
func (s *Site) GearCorrections(ctx context.Context) ([]catalog.GearCorrection, error) {
	var rows []struct {
		Gear, Document string
		At             models.Time
	}
	if err := s.read.SelectContext(ctx, &rows, `SELECT gear, document, at FROM gear_corrections`); err != nil {
		return nil, err
	}
	all := make([]catalog.GearCorrection, len(rows))
	for i, row := range rows {
		all[i] = catalog.GearCorrection{Gear: row.Gear, At: row.At}
		if err := json.Unmarshal([]byte(row.Document), &all[i]); err != nil {
			return nil, fmt.Errorf("read correction of %s: %w", row.Gear, err)
		}
	}
	return all, nil
}

// SaveGearCorrection stores a correction and applies it to the listings of the gear. It
// replaces that of the same gear and removes it if the correction has no fields. The
// error is too_many_corrections once there are MaxGearCorrections.
func (s *Site) SaveGearCorrection(ctx context.Context, operatorID string, g *catalog.GearCorrection) error {
	document, err := json.Marshal(g)
	if err != nil {
		return err
	}
	return s.update(ctx, func(t *tx) error {
		var others int
		if err := t.GetContext(ctx, &others, `SELECT COUNT(*) FROM gear_corrections WHERE gear <> $1`, g.Gear); err != nil {
			return err
		}
		if others >= catalog.MaxGearCorrections {
			return errTooManyCorrections
		}
		if err := deleteCorrection(ctx, t, g.Gear, g.Values.Picture); err != nil {
			return err
		}
		if len(g.Fields) > 0 {
			if _, err := t.ExecContext(ctx, `INSERT INTO gear_corrections (gear, document, picture, at) VALUES ($1, $2, $3, $4)`, g.Gear, string(document), g.Values.Picture, t.db.now()); err != nil {
				return err
			}
		}
		return catalogChanged(ctx, t, operatorID, models.CorrectGear, g.Gear, g.Values.Category)
	})
}

var errTooManyCorrections = &problem.Error{Kind: problem.Conflict, Code: "too_many_corrections", Message: problem.Textf("The catalogue has reached its limit of %d corrections.", catalog.MaxGearCorrections),
	Hint: problem.Programf("Remove those that the shipped catalogue has by now: GET /api/admin/catalog?show=redundant lists them.")}

// RemoveGearCorrection removes the correction of gear, which is then as shipped. The
// error is gear_in_use if the shipped catalogue lacks it, as shipped is nil, and listings
// or sales are of it.
func (s *Site) RemoveGearCorrection(ctx context.Context, operatorID, slug string, shipped *catalog.Gear) error {
	return s.update(ctx, func(t *tx) error {
		category := models.Category("")
		if shipped != nil {
			category = shipped.Category
		} else if err := requireUnused(ctx, t, slug); err != nil {
			return err
		}
		if err := deleteCorrection(ctx, t, slug, ""); err != nil {
			return err
		}
		return catalogChanged(ctx, t, operatorID, models.UncorrectGear, slug, category)
	})
}

// deleteCorrection deletes the correction of a gear, if there is one, and its picture
// unless that is the next or another gear has it.
func deleteCorrection(ctx context.Context, t *tx, slug, next string) error {
	var picture string
	err := t.GetContext(ctx, &picture, `DELETE FROM gear_corrections WHERE gear = $1 RETURNING picture`, slug)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil || picture == "" || picture == next {
		return err
	}
	_, err = t.ExecContext(ctx, `DELETE FROM gear_pictures WHERE name = $1 AND NOT EXISTS (SELECT 1 FROM gear_corrections WHERE picture = $1)`, picture)
	return err
}

// catalogChanged records that the values of a gear changed, and gives its listings its
// category, unless that is "".
func catalogChanged(ctx context.Context, t *tx, operatorID string, action models.ModerationAction, slug string, category models.Category) error {
	if category != "" {
		if _, err := t.ExecContext(ctx, `UPDATE listings SET category = $1 WHERE gear = $2 AND category <> $1`, category, slug); err != nil {
			return err
		}
	}
	t.changed(models.CatalogChanged, slug)
	return audit(ctx, t, &models.AuditEntry{OperatorID: operatorID, Action: action, Subject: slug, Note: slug, At: t.db.now()})
}

// requireUnused returns a Conflict error, gear_in_use, if listings or sales are of gear.
func requireUnused(ctx context.Context, t *tx, slug string) error {
	var listings, sales int
	if err := t.GetContext(ctx, &listings, `SELECT COUNT(*) FROM listings WHERE gear = $1`, slug); err != nil {
		return err
	}
	if err := t.GetContext(ctx, &sales, `SELECT COUNT(*) FROM sales WHERE gear = $1`, slug); err != nil {
		return err
	}
	if listings+sales == 0 {
		return nil
	}
	return &problem.Error{Kind: problem.Conflict, Code: "gear_in_use", Message: problem.Textf("You can't remove this model: it has %d listings and %d sales.", listings, sales),
		Hint: problem.Textf("Correct it instead.")}
}

// AddGearPicture stores a JPEG under a name, its hash.
func (s *Site) AddGearPicture(ctx context.Context, name string, jpeg []byte) error {
	return s.update(ctx, func(t *tx) error {
		_, err := t.ExecContext(ctx, `INSERT INTO gear_pictures (name, data) VALUES ($1, $2) ON CONFLICT DO NOTHING`, name, base64.StdEncoding.EncodeToString(jpeg))
		return err
	})
}

// GearPicture returns the JPEG with a name, nil if there is none.
func (s *Site) GearPicture(ctx context.Context, name string) ([]byte, error) {
	if !models.Storable(name) {
		return nil, nil
	}
	var data string
	err := s.read.GetContext(ctx, &data, `SELECT data FROM gear_pictures WHERE name = $1`, name)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return base64.StdEncoding.DecodeString(data)
}
