package models_test

import (
	"testing"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestSetup tests that the link works once, for who has it, and never again.
func TestSetup(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open func() *models.Store) {
		s, ctx := open(), t.Context()
		old, err := s.BeginSetup(ctx)
		must(t, err)
		secret, err := s.BeginSetup(ctx)
		must(t, err)
		for _, wrong := range []string{"", "x", old, secret + "x"} {
			wantError(t, s.CheckSetup(ctx, wrong), problem.NotFound, "code_invalid")
		}
		must(t, s.CheckSetup(ctx, secret))
		owner := models.Registration{Handle: "ada", Name: "Ada Ortega", Email: "ada@example.org", Password: "a few words in a row"}
		_, err = s.SetUp(ctx, old, owner, &models.SiteSettings{})
		wantError(t, err, problem.NotFound, "code_invalid")
		account, err := s.SetUp(ctx, secret, owner, &models.SiteSettings{Name: "Foto Ecke", Currency: "CHF"})
		must(t, err)
		if account.Role != models.RoleOperator {
			t.Errorf("the owner is %s", account.Role)
		}
		if set, version, err := s.SiteSettings(ctx); err != nil || version != 1 || set.Name != "Foto Ecke" {
			t.Errorf("the settings are %+v, version %d, %v", set, version, err)
		}
		owner.Handle, owner.Email = "eve", "eve@example.org"
		_, err = s.SetUp(ctx, secret, owner, &models.SiteSettings{})
		wantError(t, err, problem.Gone, "set_up_already")
		_, err = s.BeginSetup(ctx)
		wantError(t, err, problem.Gone, "set_up_already")
	})
}
