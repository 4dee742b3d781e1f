package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"net/url"
	"slices"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// GearRow is a stored row of gear: of listings, agreements, sales, kit_items, stolen_reports,
// gear_corrections, gear_proposals or searches.
type GearRow struct {
	Kind  string // the table
	ID    string
	Gear  string // catalogue slug; of a search, its query
	Title string // that of the listing or the member's name for it; "" if there is none
}

// movesSetting is the setting with the moves that were applied, as JSON.
const movesSetting = "gear_moves"

// MoveGear applies the moves of the catalogue that were not applied yet: listings, agreements,
// sales, kits, reports of theft, proposals and saved searches become those of the gear that they are of by
// now, and the trends follow. It returns the number of rows moved. What a title leaves in doubt
// stays, and UnclearGear lists it. It is safe to run on several servers at once.
func (s *Site) MoveGear(ctx context.Context, c *catalog.Catalog) (moved int, err error) {
	want, err := json.Marshal(c.Moves())
	if err != nil {
		return 0, err
	}
	var have string
	if err := s.read.GetContext(ctx, &have, selectSetting, movesSetting); err != nil && !errors.Is(err, sql.ErrNoRows) || have == string(want) {
		return 0, err
	}
	err = s.update(ctx, func(t *tx) error {
		applied, err := appliedMoves(ctx, t)
		if err != nil {
			return err
		}
		moves := slices.DeleteFunc(slices.Clone(c.Moves()), func(m catalog.Move) bool { return slices.Contains(applied, m) })
		rows, err := rowsOfGear(ctx, t, moves)
		if err != nil {
			return err
		}
		moved = 0
		for _, row := range rows {
			if to := movedTo(c, row, moves); to != row.Gear {
				moved++
				err = errors.Join(err, setGear(ctx, t, row, to, c))
			}
		}
		if err != nil {
			return err
		}
		return t.setSetting(ctx, movesSetting, string(want))
	})
	return moved, err
}

// appliedMoves returns the moves that were applied.
func appliedMoves(ctx context.Context, t *tx) (moves []catalog.Move, err error) {
	var text string
	if err := t.GetContext(ctx, &text, selectSetting, movesSetting); errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	return moves, json.Unmarshal([]byte(text), &moves)
}

// UnclearGear returns listings, sales, kits and reports of gear that was split whose titles don't
// say which part they are.
func (s *Site) UnclearGear(ctx context.Context, c *catalog.Catalog) ([]GearRow, error) {
	rows, err := rowsOfGear(ctx, s.read, c.Moves())
	return slices.DeleteFunc(rows, func(row GearRow) bool {
		_, certain := c.Moved(row.Gear, row.Title)
		return certain || !slices.Contains([]string{"listings", "sales", "kit_items", "stolen_reports"}, row.Kind)
	}), err
}

// SetGear says which gear rows of UnclearGear are, by a person's decision.
func (s *Site) SetGear(ctx context.Context, c *catalog.Catalog, rows []GearRow) error {
	return s.update(ctx, func(t *tx) error {
		known, err := rowsOfGear(ctx, t, c.Moves())
		for _, row := range rows {
			i := slices.IndexFunc(known, func(k GearRow) bool { return k.Kind == row.Kind && k.ID == row.ID })
			if i < 0 || c.Gear(row.Gear) == nil {
				return errors.Join(err, errors.New("no "+row.Kind+" "+row.ID+" of gear that was split, or no gear "+row.Gear))
			}
			err = errors.Join(err, setGear(ctx, t, known[i], row.Gear, c))
		}
		return err
	})
}

// movedTo returns the gear of a row after moves or, of a search, its query.
func movedTo(c *catalog.Catalog, row GearRow, moves []catalog.Move) string {
	to := func(slug string) string {
		gear, _ := c.Moved(slug, row.Title)
		if gear == slug || !slices.Contains(moves, catalog.Move{From: slug, Gear: gear}) {
			return slug
		}
		return gear
	}
	if row.Kind != "searches" {
		return to(row.Gear)
	}
	query, err := url.ParseQuery(row.Gear)
	if err != nil {
		return row.Gear
	}
	changed := false
	for _, name := range [...]string{"gear", "model", "fits"} {
		for i, slug := range query[name] {
			query[name][i] = to(slug)
			changed = changed || query[name][i] != slug
		}
	}
	if !changed {
		return row.Gear
	}
	return query.Encode()
}

// rowsOfGear returns the rows that moves may concern.
func rowsOfGear(ctx context.Context, q sqlx.QueryerContext, moves []catalog.Move) (rows []GearRow, err error) {
	if len(moves) == 0 {
		return nil, nil
	}
	var from []string
	for _, m := range moves {
		from = append(from, m.From)
	}
	slices.Sort(from)
	from = slices.Compact(from)
	in := ` IN (` + parameters(1, len(from)) + `)`
	err = sqlx.SelectContext(ctx, q, &rows, `SELECT 'listings' AS kind, id, gear, title FROM listings WHERE gear`+in+`
		UNION ALL SELECT 'agreements', offer_id, gear, title FROM agreements WHERE gear`+in+`
		UNION ALL SELECT 'sales', s.id, s.gear, COALESCE(l.title, '') FROM sales s LEFT JOIN listings l ON l.id = s.listing_id WHERE s.gear`+in+`
		UNION ALL SELECT 'kit_items', id, gear, name FROM kit_items WHERE gear`+in+`
		UNION ALL SELECT 'stolen_reports', id, gear, name FROM stolen_reports WHERE gear`+in+`
		UNION ALL SELECT 'gear_corrections', gear, gear, '' FROM gear_corrections WHERE gear`+in+`
		UNION ALL SELECT 'gear_proposals', id, gear, '' FROM gear_proposals WHERE gear`+in+`
		UNION ALL SELECT 'searches', id, query, name FROM searches WHERE query LIKE '%gear=%' OR query LIKE '%model=%' OR query LIKE '%fits=%'`, toAny(from)...)
	return rows, err
}

// setGear stores the gear of a row or, of a search, its query.
func setGear(ctx context.Context, t *tx, row GearRow, to string, c *catalog.Catalog) error {
	switch row.Kind {
	case "listings":
		if _, err := t.ExecContext(ctx, `UPDATE listings SET gear = $2, category = $3 WHERE id = $1`, row.ID, to, c.Gear(to).Category); err != nil {
			return err
		}
		l, err := listingByID(ctx, t, row.ID)
		if err == nil && l.Status.Public() {
			t.listingHappened(models.ListingUpdated, l)
		}
		return err
	case "agreements":
		_, err := t.ExecContext(ctx, `UPDATE agreements SET gear = $2 WHERE offer_id = $1`, row.ID, to)
		return err
	case "sales":
		touchTrend(t, row.Gear)
		touchTrend(t, to)
	case "kit_items":
		_, err := t.ExecContext(ctx, `UPDATE kit_items SET gear = $2, told_price = 0, version = version + 1 WHERE id = $1`, row.ID, to)
		return err
	case "gear_corrections":
		_, err := t.ExecContext(ctx, `UPDATE gear_corrections SET gear = $2 WHERE gear = $1 AND NOT EXISTS (SELECT 1 FROM gear_corrections WHERE gear = $2)`, row.ID, to)
		return err
	case "searches":
		_, err := t.ExecContext(ctx, `UPDATE searches SET query = $2 WHERE id = $1`, row.ID, to)
		return err
	}
	_, err := t.ExecContext(ctx, `UPDATE `+row.Kind+` SET gear = $2 WHERE id = $1`, row.ID, to)
	return err
}
