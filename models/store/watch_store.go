package store

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// AddWatch adds a public listing to a member's watchlist, if it is not on it.
func (s *Watches) AddWatch(ctx context.Context, memberID, listingID string) error {
	l, err := publicListing(ctx, s.read, listingID)
	if err != nil {
		return err
	}
	return s.update(ctx, func(t *tx) error {
		var n int
		if err := t.GetContext(ctx, &n, `SELECT COUNT(*) FROM watches WHERE member_id = $1 AND listing_id <> $2`, memberID, listingID); err != nil {
			return err
		}
		if n >= models.MaxWatches {
			return &problem.Error{Kind: problem.Conflict, Code: "too_many_watches", Message: problem.Textf("Your watchlist has 500 listings, which is the limit."), Hint: problem.Textf("Remove one first.")}
		}
		_, err := t.ExecContext(ctx, `INSERT INTO watches (member_id, listing_id, price, told_price, created_at) VALUES ($1, $2, $3, $3, $4)
			ON CONFLICT DO NOTHING`, memberID, l.ID, l.Price, s.now())
		return err
	})
}

// DeleteWatch removes a listing from a member's watchlist, if it is on it.
func (s *Watches) DeleteWatch(ctx context.Context, memberID, listingID string) error {
	if !models.Storable(listingID) {
		return nil
	}
	return s.update(ctx, func(t *tx) error {
		_, err := t.ExecContext(ctx, `DELETE FROM watches WHERE member_id = $1 AND listing_id = $2`, memberID, listingID)
		return err
	})
}

// Watching reports whether a listing is on a member's watchlist.
func (s *Watches) Watching(ctx context.Context, memberID, listingID string) (bool, error) {
	if !models.Storable(listingID) {
		return false, nil
	}
	var n int
	err := s.read.GetContext(ctx, &n, `SELECT COUNT(*) FROM watches WHERE member_id = $1 AND listing_id = $2`, memberID, listingID)
	return n > 0, err
}

// Watches returns a member's watchlist, most recently added first.
func (s *Watches) Watches(ctx context.Context, memberID string) ([]models.Watch, error) {
	var list []models.Watch
	err := s.read.SelectContext(ctx, &list, `SELECT listing_id, price, created_at FROM watches
		WHERE member_id = $1 ORDER BY created_at DESC, listing_id DESC`, memberID)
	return list, err
}

// Watchers returns the ids of the members who watch listings, by listing.
func (s *Watches) Watchers(ctx context.Context, listings []string) (map[string][]string, error) {
	rows, err := selectIn[struct{ ListingID, MemberID string }](ctx, s.read, `SELECT listing_id, member_id FROM watches WHERE listing_id IN (%s)`, listings)
	watchers := map[string][]string{}
	for _, row := range rows {
		watchers[row.ListingID] = append(watchers[row.ListingID], row.MemberID)
	}
	return watchers, err
}

// minPriceDrop is the minimum reduction, in percent, since the last price a
// member was notified of. It prevents repeated notices when a price goes up and
// down.
const minPriceDrop = 3

// ListingsWithPriceDrops returns the ids of up to limit watched listings with
// price drops that members were not notified of.
func (s *Watches) ListingsWithPriceDrops(ctx context.Context, limit int) (ids []string, err error) {
	err = s.read.SelectContext(ctx, &ids, `SELECT DISTINCT w.listing_id FROM watches w JOIN listings l ON l.id = w.listing_id
		WHERE l.status = 'active' AND l.price * 100 <= w.told_price * (100 - $1) LIMIT $2`, minPriceDrop, limit)
	return ids, err
}

// QueuePriceDrops returns the new price drops of a listing for the members who
// watch it, and queues the deliveries that render returns for them in the same
// transaction. Each drop is returned once, even with concurrent callers. If
// render is nil nothing is queued.
func (s *Watches) QueuePriceDrops(ctx context.Context, listingID string, render func([]models.PriceDrop) []models.Delivery) (drops []models.PriceDrop, err error) {
	err = s.update(ctx, func(t *tx) error {
		drops = nil
		rows, err := t.QueryxContext(ctx, `SELECT w.member_id, w.listing_id, w.told_price, l.price FROM watches w JOIN listings l ON l.id = w.listing_id
			WHERE w.listing_id = $1 AND l.status = 'active' AND l.price * 100 <= w.told_price * (100 - $2)`, listingID, minPriceDrop)
		if err != nil {
			return err
		}
		var candidates []models.PriceDrop
		err = eachRow(rows, func(r *sqlx.Rows) error {
			var d models.PriceDrop
			err := r.Scan(&d.MemberID, &d.ListingID, &d.From, &d.To)
			candidates = append(candidates, d)
			return err
		})
		if err != nil {
			return err
		}
		for _, d := range candidates {
			n, err := t.affected(ctx, `UPDATE watches SET told_price = $3 WHERE member_id = $1 AND listing_id = $2 AND told_price > $3`, d.MemberID, d.ListingID, d.To)
			if err != nil {
				return err
			}
			if n == 0 {
				continue
			}
			if d.Language, err = languageOf(ctx, t, d.MemberID); err != nil {
				return err
			}
			drops = append(drops, d)
		}
		if len(drops) == 0 || render == nil {
			return nil
		}
		return queue(ctx, t, render(drops))
	})
	return drops, err
}
