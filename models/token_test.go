package models_test

import (
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/storetest"
)

func TestTokens(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		jane, john := account(t, s, "jane"), account(t, s, "john")
		token := models.Token{Name: "importer", Scopes: models.Scopes{models.ListingsWrite, models.AccountRead}, ExpiresAt: someTime + 3_600_000}
		secret, err := s.CreateToken(ctx, jane.ID, &token)
		must(t, err)
		id, err := s.TokenIdentity(ctx, secret)
		must(t, err)
		if id == nil || id.Member.Handle != "jane" || id.Session || !id.Scopes.Has(models.ListingsWrite) || id.Scopes.Has(models.OffersWrite) {
			t.Fatalf("got %+v", id)
		}
		list, err := s.Tokens(ctx, jane.ID)
		must(t, err)
		if len(list) != 1 || list[0].Name != "importer" || list[0].UsedAt != someTime || list[0].Scopes.String() != "listings:write account:read" {
			t.Errorf("got %+v", list)
		}
		for _, wrong := range []string{"", "sl_", secret + "x", secret[3:], "sl_\x00"} {
			if id, err := s.TokenIdentity(ctx, wrong); id != nil || err != nil {
				t.Errorf("%q: %v, %v", wrong, id, err)
			}
		}
		wantError(t, s.RevokeToken(ctx, john.ID, token.ID), problem.NotFound, "token_not_found")
		wantError(t, s.RevokeToken(ctx, jane.ID, "\x00"), problem.NotFound, "token_not_found")
		now = now.Add(2 * time.Hour)
		if id, err := s.TokenIdentity(ctx, secret); id != nil || err != nil {
			t.Errorf("an expired token is valid: %v, %v", id, err)
		}
		lasting := models.Token{Name: "bot", Scopes: models.AllScopes}
		secret, err = s.CreateToken(ctx, jane.ID, &lasting)
		must(t, err)
		must(t, s.RevokeToken(ctx, jane.ID, lasting.ID))
		if id, err := s.TokenIdentity(ctx, secret); id != nil || err != nil {
			t.Errorf("a revoked token is valid: %v, %v", id, err)
		}
		for _, bad := range []models.Token{{Name: "", Scopes: models.AllScopes}, {Name: "x"}, {Name: "x", Scopes: models.Scopes{"root"}}, {Name: "x", Scopes: models.AllScopes, ExpiresAt: 1}} {
			_, err := s.CreateToken(ctx, jane.ID, &bad)
			wantError(t, err, problem.Invalid, "invalid_parameter")
		}
		for i := range models.MaxTokens {
			_, err := s.CreateToken(ctx, john.ID, &models.Token{Name: "many", Scopes: models.AllScopes})
			if i == models.MaxTokens {
				wantError(t, err, problem.Conflict, "too_many_tokens")
			} else {
				must(t, err)
			}
		}
		_, err = s.CreateToken(ctx, john.ID, &models.Token{Name: "many", Scopes: models.AllScopes})
		wantError(t, err, problem.Conflict, "too_many_tokens")
	})
}
