package store_test

import (
	"regexp"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/storetest"
)

// hashColumn matches the columns with hashes and secrets, of any table.
var hashColumn = regexp.MustCompile(`hash|secret|network|password|^band\d`)

// TestPersonalDataIsComplete checks that PersonalData includes every table that
// refers to members, and no hash.
func TestPersonalDataIsComplete(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, ctx := storetest.Open(t, url, nil), t.Context()
		jane, john := account(t, s, "jane"), account(t, s, "john")
		l := someListing(jane.ID, 1)
		both := []models.Listing{l, someListing(john.ID, 2)}
		must(t, s.Listings.InsertListings(ctx, both))
		must(t, s.Watches.AddWatch(ctx, john.ID, both[0].ID))
		_, err := s.Trades.MakeOffer(ctx, both[0].ID, john.ID, 40000, "Would you take 400?", models.DeliveryRequest{})
		must(t, err)
		_, _, err = s.Trades.SendMessage(ctx, both[0].ID, john.ID, "Is it still there?")
		must(t, err)
		must(t, s.Trades.Block(ctx, john.ID, jane.ID, true))
		session(t, s, john.ID, "192.0.2.1")
		must(t, s.Deliveries.Queue(ctx, models.Delivery{Kind: models.Mail, Recipient: "john@example.org", Subject: "Hello", Body: "Text"},
			models.Delivery{Kind: models.Mail, Recipient: "jane@example.org", Subject: "Not yours", Body: "Text"}))
		tables, err := s.Accounts.PersonalData(ctx, john.ID)
		must(t, err)
		rows := map[string]int{}
		for _, table := range tables {
			rows[table.Name] = len(table.Rows)
			for _, column := range table.Columns {
				if hashColumn.MatchString(column) {
					t.Errorf("%s has the column %s", table.Name, column)
				}
			}
			for _, row := range table.Rows {
				if len(row) != len(table.Columns) {
					t.Errorf("%s has rows of %d values for %q", table.Name, len(row), table.Columns)
				}
			}
		}
		for name, want := range map[string]int{"members": 1, "accounts": 1, "listings": 1, "listing_photos": 2, "watches": 1, "offers": 1, "offer_rounds": 1,
			"conversations": 1, "messages": 1, "blocks": 1, "sessions": 1, "deliveries": 1, "tokens": 0} {
			if rows[name] != want {
				t.Errorf("%s has %d rows, want %d", name, rows[name], want)
			}
		}
		names, err := s.TablesOfMembers(ctx)
		must(t, err)
		if len(names) < 12 {
			t.Errorf("only %q refer to members", names)
		}
		for _, name := range names {
			if _, ok := rows[name]; !ok {
				t.Errorf("the table %s refers to members and is not in PersonalData", name)
			}
		}

		must(t, s.Accounts.DeleteAccount(ctx, john.ID))
		tables, err = s.Accounts.PersonalData(ctx, john.ID)
		must(t, err)
		for _, table := range tables {
			switch table.Name { // what stays: others rely on it
			case "members", "listings", "listing_photos", "offers", "offer_rounds", "conversations", "messages":
			default:
				if len(table.Rows) > 0 {
					t.Errorf("%s is stored after the account was deleted: %v", table.Name, table.Rows)
				}
			}
			if table.Name == "offers" && table.Rows[0][4] != "withdrawn" {
				t.Errorf("an offer is open after the account was deleted: %v", table.Rows)
			}
		}
	})
}
