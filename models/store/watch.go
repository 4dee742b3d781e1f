package store

import (
	"context"
	"strconv"
	"strings"
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
		// Without the lock the price could fall, and all watchers be notified, before this one is among them.
		if err := lockListingRow(ctx, t, l.ID); err != nil {
			return err
		}
		var n int
		if err := t.GetContext(ctx, &n, `SELECT COUNT(*) FROM watches WHERE member_id = $1 AND listing_id <> $2`, memberID, listingID); err != nil {
			return err
		}
		if n >= models.MaxWatches {
			return &problem.Error{Kind: problem.Conflict, Code: "too_many_watches", Message: problem.Textf("You've reached the limit of 500 watched listings."), Hint: problem.Textf("Remove one first.")}
		}
		_, err := t.ExecContext(ctx, `INSERT INTO watches (member_id, listing_id, price, told_price, created_at) SELECT $1, id, price, price, $3 FROM listings WHERE id = $2
			ON CONFLICT DO NOTHING`, memberID, l.ID, s.now())
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

// Watching reports whether a listing is on a member's watchlist, and on how many lists it is, counted up to maxWatchers.
func (s *Watches) Watching(ctx context.Context, memberID, listingID string) (watching bool, watchers int, err error) {
	if !models.Storable(listingID) {
		return false, 0, nil
	}
	var n struct{ Own, Everybody int }
	err = s.read.GetContext(ctx, &n, `SELECT (SELECT COUNT(*) FROM watches WHERE member_id = $1 AND listing_id = $2) AS own,
		(SELECT COUNT(*) FROM (SELECT 1 FROM watches WHERE listing_id = $2 LIMIT $3) AS counted) AS everybody`, memberID, listingID, maxWatchers)
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
// price drops that members were not notified of. It reads all watches.
func (s *Watches) ListingsWithPriceDrops(ctx context.Context, limit int) (ids []string, err error) {
	err = s.read.SelectContext(ctx, &ids, `SELECT DISTINCT w.listing_id FROM watches w JOIN listings l ON l.id = w.listing_id
		WHERE l.status = 'active' AND l.price * 100 <= w.told_price * (100 - $1) LIMIT $2`, minPriceDrop, limit)
	return ids, err
}

// PriceDropsOf returns those of some listings that have price drops that members were not notified of.
func (s *Watches) PriceDropsOf(ctx context.Context, listings []string) (ids []string, err error) {
	rows, err := selectIn[struct{ ID string }](ctx, s.read, `SELECT l.id FROM listings l WHERE l.id IN (%s) AND l.status = 'active'
		AND l.price * 100 <= (SELECT MAX(told_price) FROM watches WHERE listing_id = l.id) * `+strconv.Itoa(100-minPriceDrop), listings)
	for i := range rows {
		ids = append(ids, rows[i].ID)
	}
	return ids, err
}

// priceCursorSetting is the cursor after which watchers have not been notified of changed prices.
const priceCursorSetting = "price_drops"

// UnreadPriceChanges returns the oldest changes not yet passed to PriceChangesRead that may have
// made the price of a listing for sale lower than its watchers know.
func (s *Watches) UnreadPriceChanges(ctx context.Context) (*UnreadChanges, error) {
	return s.unreadChanges(ctx, priceCursorSetting, models.ListingChanged, models.ListingPriceChanged, models.ListingPublished, models.ListingRelisted, models.ListingRestored)
}

// PriceChangesRead records that the watchers of changed listings have been notified.
func (s *Watches) PriceChangesRead(ctx context.Context, changes *UnreadChanges) error {
	if changes.from == changes.to {
		return nil
	}
	return s.update(ctx, func(t *tx) error {
		_, err := t.markRead(ctx, changes)
		return err
	})
}

// QueuePriceDrops returns the new price drops of a listing for up to n members who watch it, in
// order of the price they were last notified of and of member id, starting after a cursor, and
// queues the deliveries that render returns for them in the same transaction. next is the cursor
// to continue after, "" if there are no more. Each drop is returned once, even with concurrent
// callers. If render is nil no emails are queued.
func (s *Watches) QueuePriceDrops(ctx context.Context, listingID, after string, n int, render func([]models.PriceDrop) []models.Delivery) (drops []models.PriceDrop, next string, err error) {
	err = s.update(ctx, func(t *tx) error {
		drops, next = nil, ""
		// Nobody else notifies or adds a watcher meanwhile.
		if err := lockListingRow(ctx, t, listingID); err != nil {
			return err
		}
		var found []models.Notice // about the drop, with the price
		err := t.SelectContext(ctx, &found, `SELECT id, title, currency, price AS amount FROM listings WHERE id = $1 AND status = 'active'`, listingID)
		if err != nil || len(found) == 0 {
			return err
		}
		if drops, err = newDrops(ctx, t, listingID, found[0].Amount, after, n); err != nil || len(drops) == 0 {
			return err
		}
		if len(drops) == n {
			next = dropCursor(&drops[n-1])
		}
		if err := storeToldPrice(ctx, t, drops); err != nil {
			return err
		}
		if err := queueDropEvents(ctx, t, &found[0], drops); err != nil || render == nil {
			return err
		}
		return queue(ctx, t, render(drops))
	})
	return drops, next, err
}

// newDrops returns up to n drops to a price after a cursor that members were not notified of.
func newDrops(ctx context.Context, t *tx, listingID string, price models.Cents, after string, n int) (drops []models.PriceDrop, err error) {
	from, member := parseDropCursor(after)
	from = max(from, leastDropped(price))
	err = t.SelectContext(ctx, &drops, `SELECT w.member_id, w.listing_id, w.told_price AS "from", CAST($5 AS BIGINT) AS "to",
			COALESCE((SELECT language FROM accounts a WHERE a.member_id = w.member_id), '') AS language
		FROM watches w WHERE w.listing_id = $1 AND (w.told_price, w.member_id) > ($2, $3) ORDER BY w.told_price, w.member_id LIMIT $4`, listingID, from, member, n, price)
	return drops, err
}

// leastDropped returns the lowest price from which another is a drop by minPriceDrop.
func leastDropped(to models.Cents) models.Cents {
	const rest = 100 - minPriceDrop
	return (to*100 + rest - 1) / rest
}

// dropCursor returns the cursor after a price drop.
func dropCursor(d *models.PriceDrop) string {
	return strconv.FormatInt(int64(d.From), 10) + " " + d.MemberID
}

// parseDropCursor returns the price and the member of a cursor, zero values for "".
func parseDropCursor(cursor string) (from models.Cents, member string) {
	price, member, _ := strings.Cut(cursor, " ")
	n, _ := strconv.ParseInt(price, 10, 64)
	return models.Cents(n), member
}

// storeToldPrice stores the price that watchers of a listing are notified of.
func storeToldPrice(ctx context.Context, t *tx, drops []models.PriceDrop) error {
	args := []any{drops[0].ListingID, drops[0].To}
	for i := range drops {
		args = append(args, drops[i].MemberID)
	}
	_, err := t.ExecContext(ctx, `UPDATE watches SET told_price = $2 WHERE listing_id = $1 AND member_id IN (`+parameters(3, len(drops))+`)`, args...)
	return err
}

// queueDropEvents queues the webhooks of accounts about price drops of a listing.
func queueDropEvents(ctx context.Context, t *tx, about *models.Notice, drops []models.PriceDrop) error {
	notices := make([]models.Notice, len(drops))
	for i, d := range drops {
		notices[i] = *about
		notices[i].To, notices[i].Amount = d.MemberID, d.To
	}
	return queueEvents(ctx, t, models.PriceDroppedEvent, notices)
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

// UnreadChanges is the part of the change log, of one kind, that a job has not read.
type UnreadChanges struct {
	Entries           []models.Entry // each subject once, with its newest change
	More              bool           // there are further changes
	Missed            bool           // there may be earlier ones that the log doesn't have: it is another log, they were pruned, or the job is new
	setting, from, to string         // where the cursor is stored, and its values
}

// UnreadTrendChanges returns the oldest retained trend changes not yet passed to
// RecordTrendAlerts.
func (s *Watches) UnreadTrendChanges(ctx context.Context) (*UnreadChanges, error) {
	return s.trendChanges(ctx, trendCursorSetting)
}

// trendChanges returns the oldest changes of trends after the cursor of a setting.
func (db *database) trendChanges(ctx context.Context, setting string) (*UnreadChanges, error) {
	return db.unreadChanges(ctx, setting, models.GearChanged, models.TrendChanged)
}

// unreadChanges returns the oldest events of a kind of object after the cursor of a setting.
func (db *database) unreadChanges(ctx context.Context, setting string, kind models.ChangeKind, events ...models.Event) (*UnreadChanges, error) {
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
	changes := &UnreadChanges{setting: setting, from: from, to: models.Cursor(log, now)}
	cursorLog, after, ok := models.ParseCursor(from)
	if !ok || cursorLog != log { // the first time, and after the database was restored
		after, changes.Missed = 0, true
	}
	if after < pruned {
		after, changes.Missed = pruned, true
	}
	args := append([]any{after, now, kind, models.ChangesBatch}, toAny(events)...)
	err = db.read.SelectContext(ctx, &changes.Entries, selectEntries+` WHERE seq > $1 AND seq <= $2 AND kind = $3 AND event IN (`+parameters(5, len(events))+`) ORDER BY seq LIMIT $4`, args...)
	if len(changes.Entries) == models.ChangesBatch {
		changes.More, changes.to = true, models.Cursor(log, changes.Entries[models.ChangesBatch-1].Position)
	}
	changes.Entries = newestOfEach(changes.Entries)
	return changes, err
}

// markRead stores the cursor after changes, and reports whether it did: not if they have been
// read already.
func (t *tx) markRead(ctx context.Context, changes *UnreadChanges) (bool, error) {
	n, err := t.affected(ctx, `INSERT INTO settings (name, value) VALUES ($1, $2)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE settings.value = $3`, changes.setting, changes.to, changes.from)
	return n > 0, err
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
func (s *Watches) RecordTrendAlerts(ctx context.Context, changes *UnreadChanges, alerts []TrendAlert) error {
	if changes.from == changes.to {
		return nil
	}
	now := s.now()
	return s.update(ctx, func(t *tx) error {
		fresh, err := t.markRead(ctx, changes)
		if err != nil || !fresh {
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
