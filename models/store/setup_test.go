package store_test

import (
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestSetup tests that the link works once, for who has it, and never again.
func TestSetup(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		old, err := s.Accounts.BeginSetup(ctx)
		must(t, err)
		secret, err := s.Accounts.BeginSetup(ctx)
		must(t, err)
		for _, wrong := range []string{"", "x", old, secret + "x"} {
			wantError(t, s.Accounts.CheckSetup(ctx, wrong), problem.NotFound, "code_invalid")
		}
		must(t, s.Accounts.CheckSetup(ctx, secret))
		owner := models.Registration{Handle: "ada", Name: "Ada Ortega", Email: "ada@example.org", Password: "a few words in a row"}
		_, err = s.Accounts.SetUp(ctx, old, owner, &models.SiteSettings{}, false)
		wantError(t, err, problem.NotFound, "code_invalid")
		account, err := s.Accounts.SetUp(ctx, secret, owner, &models.SiteSettings{Name: "Foto Ecke", Currency: "CHF"}, true)
		must(t, err)
		if account.Role != models.RoleOperator {
			t.Errorf("the owner is %s", account.Role)
		}
		if set, version, err := s.Site.SiteSettings(ctx); err != nil || version != 1 || set.Name != "Foto Ecke" {
			t.Errorf("the settings are %+v, version %d, %v", set, version, err)
		}
		if wanted, err := s.DemoWanted(ctx); err != nil || !wanted {
			t.Errorf("demonstration data is not wanted, %v", err)
		}
		must(t, s.Site.FillDemo(ctx, &store.DemoData{Members: []models.Member{{ID: "demo-1", Handle: "ada", Name: "Another Ada"}}}, func(int) {}))
		if demo, err := s.Demo(ctx); err != nil || !demo {
			t.Errorf("there is no demonstration data, %v", err)
		}
		owner.Handle, owner.Email = "eve", "eve@example.org"
		_, err = s.Accounts.SetUp(ctx, secret, owner, &models.SiteSettings{}, false)
		wantError(t, err, problem.Gone, "set_up_already")
		_, err = s.Accounts.BeginSetup(ctx)
		wantError(t, err, problem.Gone, "set_up_already")
	})
}

// TestSiteProgress tests that the checklist's state is what happened.
func TestSiteProgress(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		progress := func() models.SiteProgress {
			p, err := s.Site.SiteProgress(ctx)
			must(t, err)
			return *p
		}
		if p := progress(); p != (models.SiteProgress{}) {
			t.Errorf("of an empty site: %+v", p)
		}
		must(t, s.Listings.InsertListings(ctx, []models.Listing{someListing(seller(t, s), 1)}))
		must(t, s.Site.RecordMail(ctx))
		must(t, s.Site.RecordBackup(ctx, 1))
		if p := progress(); p.MailAt == 0 || p.BackupAt == 0 {
			t.Errorf("after mail and a backup: %+v", p)
		}
		draft := someListing(account(t, s, "anna").ID, 2)
		draft.Status = models.StatusDraft
		must(t, s.Listings.InsertListings(ctx, []models.Listing{draft}))
		if progress().Listed {
			t.Error("listed by a seller without an account, or by a draft")
		}
		must(t, s.Listings.InsertListings(ctx, []models.Listing{someListing(account(t, s, "otto").ID, 3)}))
		if !progress().Listed {
			t.Error("not listed")
		}
		must(t, s.Site.Optimize(ctx))
	})
}

// TestUpkeep tests that what is recorded about backups and files is returned.
func TestUpkeep(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, open func() *store.Store) {
		s, ctx := open(), t.Context()
		if u, err := s.Site.Upkeep(ctx); err != nil || *u != (models.Upkeep{}) {
			t.Errorf("of a new site: %+v, %v", u, err)
		}
		must(t, s.Site.RecordBackup(ctx, 3))
		must(t, s.Site.RecordBackupCheck(ctx, 2))
		must(t, s.Site.RecordPhotos(ctx, 1))
		u, err := s.Site.Upkeep(ctx)
		if err != nil || u.BackupAt == 0 || u.CheckedAt == 0 || u.BackupBytes != 3 || u.CheckedBytes != 2 || u.Photos != 1 {
			t.Errorf("%+v, %v", u, err)
		}
		if n, err := s.Site.LogBytes(ctx); err != nil || n < 0 {
			t.Errorf("the write-ahead log has %d bytes, %v", n, err)
		}
	})
}
