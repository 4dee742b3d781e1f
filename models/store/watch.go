package store

import (
	"context"
	"slices"
	"time"

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
			return &problem.Error{Kind: problem.Conflict, Code: "too_many_watches", Message: problem.Textf("You've reached the limit of 500 watched listings."), Hint: problem.Textf("Remove one first.")}
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

// Watching reports whether a listing is on a member's watchlist, and on how many lists it is.
func (s *Watches) Watching(ctx context.Context, memberID, listingID string) (watching bool, watchers int, err error) {
	if !models.Storable(listingID) {
		return false, 0, nil
	}
	var n struct{ Own, Everybody int }
	err = s.read.GetContext(ctx, &n, `SELECT COUNT(CASE WHEN member_id = $1 THEN 1 END) AS own, COUNT(*) AS everybody FROM watches WHERE listing_id = $2`, memberID, listingID)
	return n.Own > 0, n.Everybody, err
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

// QueuePriceDrops returns the new price drops of a listing for the first n members who watch it,
// in order of member id, starting after the given one, and queues the deliveries that render returns
// for them in the same transaction. next is the id to continue after, "" if there are no more. Each drop is
// returned once, even with concurrent callers. If render is nil nothing is queued.
func (s *Watches) QueuePriceDrops(ctx context.Context, listingID, after string, n int, render func([]models.PriceDrop) []models.Delivery) (drops []models.PriceDrop, next string, err error) {
	err = s.update(ctx, func(t *tx) error {
		var untold []models.PriceDrop
		err := t.SelectContext(ctx, &untold, `SELECT w.member_id, w.listing_id, w.told_price AS "from", l.price AS "to", COALESCE(a.language, '') AS language
			FROM watches w JOIN listings l ON l.id = w.listing_id LEFT JOIN accounts a ON a.member_id = w.member_id
			WHERE w.listing_id = $1 AND w.member_id > $2 AND l.status = 'active' AND l.price * 100 <= w.told_price * (100 - $3)
			ORDER BY w.member_id LIMIT $4`, listingID, after, minPriceDrop, n)
		if err != nil || len(untold) == 0 {
			drops, next = nil, ""
			return err
		}
		if next = ""; len(untold) == n {
			next = untold[n-1].MemberID
		}
		if drops, err = storeToldPrice(ctx, t, untold); err != nil {
			return err
		}
		if err := queueDropEvents(ctx, t, listingID, drops); err != nil || len(drops) == 0 || render == nil {
			return err
		}
		return queue(ctx, t, render(drops))
	})
	return drops, next, err
}

// storeToldPrice stores the price that watchers of a listing are notified of. It returns the drops
// that no concurrent caller has stored.
func storeToldPrice(ctx context.Context, t *tx, untold []models.PriceDrop) ([]models.PriceDrop, error) {
	args := []any{untold[0].ListingID, untold[0].To}
	for i := range untold {
		args = append(args, untold[i].MemberID)
	}
	var told []string
	err := t.SelectContext(ctx, &told, `UPDATE watches SET told_price = $2 WHERE listing_id = $1 AND told_price > $2 AND member_id IN (`+parameters(3, len(untold))+`)
		RETURNING member_id`, args...)
	return slices.DeleteFunc(untold, func(d models.PriceDrop) bool { return !slices.Contains(told, d.MemberID) }), err
}

// queueDropEvents queues the webhooks of accounts about price drops of a listing.
func queueDropEvents(ctx context.Context, t *tx, listingID string, drops []models.PriceDrop) error {
	if len(drops) == 0 {
		return nil
	}
	n := models.Notice{ID: listingID}
	if err := t.QueryRowxContext(ctx, `SELECT title, currency FROM listings WHERE id = $1`, listingID).Scan(&n.Title, &n.Currency); err != nil {
		return err
	}
	for _, d := range drops {
		n.To, n.Amount = d.MemberID, d.To
		if err := queueEvent(ctx, t, models.PriceDroppedEvent, &n); err != nil {
			return err
		}
	}
	return nil
}

// trendCursorSetting is the cursor after which the changes of trends have not been
// recorded as TrendAlerts.
const trendCursorSetting = "trend_alerts"

// maxTrendsInAlert is the number of trends in one webhook; the others follow in the next.
const maxTrendsInAlert = 100

// TrendAlert is a changed trend that the webhook of a search has to be notified of.
type TrendAlert struct {
	SearchID string `db:"search_id"`
	Gear     string
	Position models.Position // of the newest change
}

// TrendChanges is a part of the change log: the changes of trends between two positions.
type TrendChanges struct {
	Entries  []models.Entry // each gear once, with its newest change
	from, to string         // cursors
	More     bool           // there are further changes
}

// UnreadTrendChanges returns the oldest retained trend changes not yet passed to
// RecordTrendAlerts.
func (s *Watches) UnreadTrendChanges(ctx context.Context) (*TrendChanges, error) {
	return s.trendChanges(ctx, trendCursorSetting)
}

// trendChanges returns the oldest changes of trends after the cursor of a setting.
func (db *database) trendChanges(ctx context.Context, setting string) (*TrendChanges, error) {
	from, err := db.setting(ctx, setting)
	if err != nil {
		return nil, err
	}
	log, pruned, err := db.changeLogState(ctx)
	if err != nil {
		return nil, err
	}
	now, err := db.Position(ctx) // before the rows: all up to it are visible to them
	if err != nil {
		return nil, err
	}
	changes := &TrendChanges{from: from, to: models.Cursor(log, now)}
	cursorLog, after, ok := models.ParseCursor(from)
	if !ok || cursorLog != log { // the first time, and after the database was restored
		after = 0
	}
	err = db.read.SelectContext(ctx, &changes.Entries, `SELECT seq AS position, kind, subject, event, member_id, version, at FROM changes
		WHERE seq > $1 AND seq <= $2 AND kind = $3 AND event = $4 ORDER BY seq LIMIT $5`, max(after, pruned), now, models.GearChanged, models.TrendChanged, models.ChangesBatch)
	if len(changes.Entries) == models.ChangesBatch {
		changes.More, changes.to = true, models.Cursor(log, changes.Entries[models.ChangesBatch-1].Position)
	}
	changes.Entries = newestOfEach(changes.Entries)
	return changes, err
}

// newestOfEach returns the newest entry of each subject.
func newestOfEach(entries []models.Entry) (newest []models.Entry) {
	seen := map[string]int{}
	for _, e := range entries {
		if at, again := seen[e.Subject]; again {
			newest[at] = e
			continue
		}
		seen[e.Subject] = len(newest)
		newest = append(newest, e)
	}
	return newest
}

// RecordTrendAlerts records which searches have to be notified of changes, and that the
// changes have been read. If they have been read already it does nothing.
func (s *Watches) RecordTrendAlerts(ctx context.Context, changes *TrendChanges, alerts []TrendAlert) error {
	if changes.from == changes.to {
		return nil
	}
	now := s.now()
	return s.update(ctx, func(t *tx) error {
		n, err := t.affected(ctx, `INSERT INTO settings (name, value) VALUES ($1, $2)
			ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE settings.value = $3`, trendCursorSetting, changes.to, changes.from)
		if err != nil || n == 0 {
			return err
		}
		return t.insert(ctx, `trend_alerts (search_id, gear, position, due_at)`, `ON CONFLICT (search_id, gear) DO UPDATE SET position = excluded.position`, len(alerts),
			func(i int) []any { return []any{alerts[i].SearchID, alerts[i].Gear, alerts[i].Position, now} })
	})
}

// wantsTrends is the condition of searches whose webhook is notified of trends.
const wantsTrends = `webhook <> '' AND webhook_events LIKE '%trends.changed%'`

// TrendSearches returns up to limit searches whose webhook is notified of changed trends,
// with an id greater than after, in order of id.
func (s *Watches) TrendSearches(ctx context.Context, after string, limit int) (list []models.SavedSearch, err error) {
	err = s.read.SelectContext(ctx, &list, `SELECT `+searchColumns+` FROM searches WHERE `+wantsTrends+` AND id > $1 ORDER BY id LIMIT $2`, after, limit)
	return list, err
}

// DueTrendSearches returns up to limit searches with changed trends to be notified of, and
// no webhook that waits to be sent: until then changes of one gear become one.
func (s *Watches) DueTrendSearches(ctx context.Context, limit int) (list []models.SavedSearch, err error) {
	err = s.read.SelectContext(ctx, &list, `SELECT `+searchColumns+` FROM searches
		WHERE id IN (SELECT search_id FROM trend_alerts WHERE due_at <= $1 AND position > 0)
			AND id NOT IN (SELECT search_id FROM deliveries WHERE kind = 'webhook' AND search_id IS NOT NULL)
		ORDER BY id LIMIT $2`, s.now(), limit)
	return list, err
}

// DueTrendAlerts returns the changed trends that the webhook of a search is due to be
// notified of, at most as many as one webhook has, in order of gear.
func (s *Watches) DueTrendAlerts(ctx context.Context, searchID string) (alerts []TrendAlert, err error) {
	err = s.read.SelectContext(ctx, &alerts, `SELECT search_id, gear, position FROM trend_alerts
		WHERE search_id = $1 AND due_at <= $2 AND position > 0 ORDER BY gear LIMIT $3`, searchID, s.now(), maxTrendsInAlert)
	return alerts, err
}

// trendInterval is the time between two webhooks about the same gear of an instant search.
const trendInterval = 5 * time.Minute

// QueueTrendAlerts queues the deliveries that render returns for those of the alerts of a
// search that no other server has queued, in the same transaction. Further changes of
// their trends are due after the interval of the search.
func (s *Watches) QueueTrendAlerts(ctx context.Context, search *models.SavedSearch, alerts []TrendAlert, render func(claimed []TrendAlert) []models.Delivery) error {
	now := s.now()
	next := now.Add(max(search.Every.Interval(), trendInterval))
	return s.update(ctx, func(t *tx) error {
		var claimed []TrendAlert
		for _, a := range alerts {
			n, err := t.affected(ctx, `UPDATE trend_alerts SET position = 0, due_at = $4 WHERE search_id = $1 AND gear = $2 AND position = $3`, search.ID, a.Gear, a.Position, next)
			if err != nil {
				return err
			}
			if n == 1 {
				claimed = append(claimed, a)
			}
		}
		return queue(ctx, t, render(claimed))
	})
}
