package store_test

import (
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestRetention tests what is deleted after its time, and that nothing is by default.
func TestRetention(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now, ctx := time.Now(), t.Context()
		s := storetest.Open(t, url, func() time.Time { return now })
		olga, err := s.Accounts.CreateAccount(ctx, registration("olga"), models.RoleOperator)
		must(t, err)
		owner, buyer := seller(t, s), account(t, s, "anna").ID
		listings := make([]models.Listing, 520) // more than a batch; the first three are special
		for i := range listings {
			listings[i] = someListing(owner, i)
			listings[i].Photos = nil
		}
		must(t, s.Listings.InsertListings(ctx, listings))
		const sold, written, active = 0, 1, 2
		_, _, err = s.Trades.SendMessage(ctx, listings[written].ID, buyer, "Is it boxed?")
		must(t, err)
		_, _, err = s.Trades.SendMessage(ctx, listings[active].ID, buyer, "Is it boxed?")
		must(t, err)
		db := raw(t, url)
		exec := func(statement string, args ...any) {
			t.Helper()
			_, err := db.Exec(statement, args...)
			must(t, err)
		}
		closed := models.TimeOf(now)
		exec(`UPDATE listings SET status = 'ended', closed_at = $1 WHERE id <> $2`, closed, listings[active].ID)
		exec(`INSERT INTO sales (id, gear, condition, price, sold_at, region, listing_id, demo) VALUES ('sale', 'canon/eos-r6', 'good', 5, 5, 'DE', $1, FALSE)`, listings[sold].ID)
		exec(`INSERT INTO searches (id, member_id, name, query, every, email, webhook, webhook_secret, feed_hash, created_at, looked_at, due_at)
			VALUES ('search', $1, '', '', 'daily', FALSE, '', '', 'x', 1, 1, 1)`, buyer)
		exec(`INSERT INTO alerts (search_id, listing_id, at) VALUES ('search', $1, 1), ('search', 'gone', 1)`, listings[active].ID)
		_, err = s.Moderation.Record(ctx, olga.ID, models.RunJob, "mail", "")
		must(t, err)
		count := func(table string) (n int) {
			t.Helper()
			must(t, db.QueryRow(`SELECT COUNT(*) FROM `+table).Scan(&n))
			return n
		}
		all := store.Retention{Messages: 90, Listings: 60, Alerts: 30, Audit: 30}
		for _, c := range []struct {
			after                                          time.Duration
			keep                                           store.Retention
			listings, conversations, messages, alerts, log int
		}{
			{29 * 24 * time.Hour, all, 520, 2, 2, 1, 1}, // the alert is from 1970
			{1000 * 24 * time.Hour, store.Retention{}, 520, 2, 2, 1, 1},
			{61 * 24 * time.Hour, all, 3, 2, 2, 1, 0},
			{91 * 24 * time.Hour, all, 2, 1, 1, 1, 0}, // without its messages, the listing goes too
		} {
			now = closed.Std().Add(c.after)
			from := position(t, s)
			before := count("listings")
			must(t, c.keep.Apply(ctx, s))
			got := [5]int{count("listings"), count("conversations"), count("messages"), count("alerts"), count("audit")}
			if want := [5]int{c.listings, c.conversations, c.messages, c.alerts, c.log}; got != want {
				t.Errorf("after %v: %v listings, conversations, messages, alerts and audit entries, want %v", c.after, got, want)
			}
			entries, err := s.Entries(ctx, from, 1000)
			if err != nil || len(entries) != before-c.listings {
				t.Errorf("after %v: %d changes for %d listings, %v", c.after, len(entries), before-c.listings, err)
			}
		}
		if n := count("sales"); n != 1 {
			t.Errorf("%d sales are left", n)
		}
	})
}
