package store_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// released are the migrations of the last release: those up to 24, but for 22.
const released, unreleased = 24, 22

// TestUpgrade fills a database of the last release, migrates it, and tests that nothing is
// lost and that what is new works.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	storetest.EachEmpty(t, func(t *testing.T, url string) {
		ctx := t.Context()
		s, err := store.Open(ctx, url, nil)
		must(t, err)
		defer s.Close()
		must(t, s.MigrateTo(ctx, released))
		db := raw(t, url)
		for _, table := range []string{"text_pictures", "text_moves", "text_revisions", "texts"} {
			_, err := db.Exec(`DROP TABLE ` + table)
			must(t, err)
		}
		_, err = db.Exec(`DELETE FROM goose_db_version WHERE version_id = $1`, unreleased)
		must(t, err)

		_, err = db.Exec(`CREATE TABLE unordered_changes (id SERIAL, kind TEXT, subject TEXT, event TEXT, member_id TEXT, version BIGINT, at BIGINT)`) // which this version writes to
		must(t, err)
		later := s.MissingListingColumns(ctx) // which this version writes as well
		for _, column := range later {
			_, err = db.Exec(`ALTER TABLE listings ADD COLUMN ` + column + ` TEXT NOT NULL DEFAULT ''`)
			must(t, err)
		}
		_, err = db.Exec(`ALTER TABLE members ADD COLUMN seller_kind TEXT NOT NULL DEFAULT ''`)
		must(t, err)
		olga, err := s.Accounts.CreateAccount(ctx, registration("olga"), models.RoleOperator)
		must(t, err)
		anna := account(t, s, "anna")
		listing := someListing(anna.ID, 1)
		listing.Text, listing.Serial = "Boxed. Western Union.", "SN-4711"
		other := someListing(anna.ID, 2)
		other.Status = models.StatusDraft
		listings := []models.Listing{listing, other}
		must(t, s.Listings.InsertListings(ctx, listings))
		settings := &models.SiteSettings{Name: "Foto Ecke", Theme: "darkroom", FooterLinks: []models.SiteLink{{Label: "Prints", Href: "/journal"}}}
		_, err = s.Site.EditSite(ctx, olga.ID, 0, settings)
		must(t, err)
		must(t, s.Site.AddSitePicture(ctx, "logo-1x1", []byte("png")))
		_, err = db.Exec(`INSERT INTO listing_holds (listing_id, reason, subject, unpublished, at, decided_at, decision) VALUES ($1, 'same_serial', $2, TRUE, 5, 0, ''), ($1, 'sold', 'x', FALSE, 6, 7, 'released')`, listings[1].ID, listings[0].ID)
		must(t, err)
		token, err := s.Tokens.CreateToken(ctx, olga.ID, &models.Token{Name: "bot", Scopes: models.RoleOperator.Scopes()})
		must(t, err)

		_, err = db.Exec(`DROP TABLE unordered_changes`)
		must(t, err)
		for _, column := range later {
			_, err = db.Exec(`ALTER TABLE listings DROP COLUMN ` + column)
			must(t, err)
		}
		_, err = db.Exec(`ALTER TABLE members DROP COLUMN seller_kind`)
		must(t, err)
		must(t, s.Migrate(ctx))
		got, version, err := s.Site.SiteSettings(ctx)
		must(t, err)
		if version != 1 || got.Name != "Foto Ecke" || got.Theme != "darkroom" || !slices.Equal(got.FooterLinks, settings.FooterLinks) {
			t.Errorf("the settings are %+v at %d", got, version)
		}
		if png, err := s.Site.SitePicture(ctx, "logo-1x1"); err != nil || string(png) != "png" {
			t.Errorf("the logo is %q, %v", png, err)
		}
		if id, err := s.Tokens.TokenIdentity(ctx, token); err != nil || id == nil || id.Account.Role != models.RoleOperator {
			t.Errorf("the token is of %+v, %v", id, err)
		}
		if l, err := s.Listings.OwnListing(ctx, listings[0].ID, anna.ID); err != nil || l.Text != listing.Text || l.Serial != listing.Serial || l.Status != models.StatusActive {
			t.Errorf("the listing is %+v, %v", l, err)
		}
		open, err := s.Listings.OpenHolds(ctx, []string{listings[1].ID})
		must(t, err)
		if holds := open[listings[1].ID]; len(holds) != 1 || holds[0] != (models.Hold{ListingID: listings[1].ID, Reason: models.HoldSameSerial, Subject: listings[0].ID, At: 5}) {
			t.Errorf("held are %+v", holds)
		}
		must(t, s.Listings.SetHeldWords(ctx, olga.ID, &models.HeldWords{Words: []string{"western union"}}))
		if l, err := s.Listings.Advance(ctx, listings[0].ID, models.Move{Step: models.Reserve, Seller: anna.ID}); err != nil || l.Status != models.StatusReserved {
			t.Errorf("reserved %+v, %v", l, err)
		}
		if l, err := s.Listings.Advance(ctx, listings[0].ID, models.Move{Step: models.Relist, Seller: anna.ID}); err != nil || l.Status != models.StatusRemoved {
			t.Errorf("relisted %+v, %v", l, err)
		}
	})
}

// TestMigrationsAreLogged tests that the log says which migration is applied, and how many there
// are, and of an empty database only that it is one.
func TestMigrationsAreLogged(t *testing.T) {
	storetest.EachEmpty(t, func(t *testing.T, url string) {
		var out bytes.Buffer
		s, err := store.OpenWith(t.Context(), url, store.Options{Log: slog.New(slog.NewTextHandler(&out, nil))})
		must(t, err)
		defer s.Close()
		must(t, s.MigrateTo(t.Context(), released))
		if log := out.String(); strings.Count(log, "\n") != 1 || !strings.Contains(log, "empty database") {
			t.Errorf("of an empty database: %q", log)
		}
		out.Reset()
		must(t, s.Migrate(t.Context()))
		must(t, s.Migrate(t.Context()))
		for i, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
			if !regexp.MustCompile(fmt.Sprintf(`level=INFO msg="apply migration" schema=\d+ number=%d of=%d$`, i+1, strings.Count(out.String(), "\n"))).MatchString(line) {
				t.Errorf("%d: %s", i, line)
			}
		}
		if out.Len() == 0 {
			t.Error("nothing")
		}
	})
}
