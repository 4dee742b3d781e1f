package models

import (
	"context"

	"github.com/jmoiron/sqlx"
)

// PutWatch puts a public listing on a member's watchlist; once is enough.
func (s *AlertStore) PutWatch(ctx context.Context, memberID, listingID string) error {
	l, err := publicListing(ctx, s.read, listingID)
	if err != nil {
		return err
	}
	return s.update(ctx, func(t *tx) error {
		var n int
		if err := t.GetContext(ctx, &n, `SELECT COUNT(*) FROM watches WHERE member_id = $1 AND listing_id <> $2`, memberID, listingID); err != nil {
			return err
		}
		if n >= MaxWatches {
			return &Error{Kind: Conflict, Code: "too_many_watches", Message: "You watch 500 listings.", Hint: "Take one off the list first."}
		}
		_, err := t.ExecContext(ctx, `INSERT INTO watches (member_id, listing_id, price, told_price, created_at) VALUES ($1, $2, $3, $3, $4)
			ON CONFLICT DO NOTHING`, memberID, l.ID, l.Price, s.now())
		return err
	})
}

// DeleteWatch takes a listing off a member's watchlist; it need not be there.
func (s *AlertStore) DeleteWatch(ctx context.Context, memberID, listingID string) error {
	if !storable(listingID) {
		return nil
	}
	return s.update(ctx, func(t *tx) error {
		_, err := t.ExecContext(ctx, `DELETE FROM watches WHERE member_id = $1 AND listing_id = $2`, memberID, listingID)
		return err
	})
}

// Watching reports whether a member watches a listing.
func (s *AlertStore) Watching(ctx context.Context, memberID, listingID string) (bool, error) {
	if !storable(listingID) {
		return false, nil
	}
	var n int
	err := s.read.GetContext(ctx, &n, `SELECT COUNT(*) FROM watches WHERE member_id = $1 AND listing_id = $2`, memberID, listingID)
	return n > 0, err
}

// Watches are what a member watches, the last put there first.
func (s *AlertStore) Watches(ctx context.Context, memberID string) ([]Watch, error) {
	var list []Watch
	err := s.read.SelectContext(ctx, &list, `SELECT listing_id, price, created_at FROM watches
		WHERE member_id = $1 ORDER BY created_at DESC, listing_id DESC`, memberID)
	return list, err
}

// dropFrom is how far a price must fall below the last one told, in hundredths,
// so that a price which goes up and down does not tell the same again and again.
const dropFrom = 3

// Dropped are the ids of watched listings whose price drops are not told yet, at
// most limit.
func (s *AlertStore) Dropped(ctx context.Context, limit int) (ids []string, err error) {
	err = s.read.SelectContext(ctx, &ids, `SELECT DISTINCT w.listing_id FROM watches w JOIN listings l ON l.id = w.listing_id
		WHERE l.status = 'active' AND l.price * 100 <= w.told_price * (100 - $1) LIMIT $2`, dropFrom, limit)
	return ids, err
}

// TakeDrops are the price drops of a listing nobody was told of yet. Each is
// handed out once, whoever asks. What tell makes of them is queued for delivery
// in the same transaction; nil tells nobody.
func (s *AlertStore) TakeDrops(ctx context.Context, listingID string, tell func([]PriceDrop) []Delivery) (drops []PriceDrop, err error) {
	err = s.update(ctx, func(t *tx) error {
		drops = nil
		rows, err := t.QueryxContext(ctx, `SELECT w.member_id, w.listing_id, w.told_price, l.price FROM watches w JOIN listings l ON l.id = w.listing_id
			WHERE w.listing_id = $1 AND l.status = 'active' AND l.price * 100 <= w.told_price * (100 - $2)`, listingID, dropFrom)
		if err != nil {
			return err
		}
		var found []PriceDrop
		err = eachRow(rows, func(r *sqlx.Rows) error {
			var d PriceDrop
			err := r.Scan(&d.MemberID, &d.ListingID, &d.From, &d.To)
			found = append(found, d)
			return err
		})
		if err != nil {
			return err
		}
		for _, d := range found {
			n, err := t.affected(ctx, `UPDATE watches SET told_price = $3 WHERE member_id = $1 AND listing_id = $2 AND told_price > $3`, d.MemberID, d.ListingID, d.To)
			if err != nil {
				return err
			}
			if n == 1 {
				drops = append(drops, d)
			}
		}
		if len(drops) == 0 || tell == nil {
			return nil
		}
		return t.queue(ctx, tell(drops))
	})
	return drops, err
}
