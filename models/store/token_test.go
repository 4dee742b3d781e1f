package store_test

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

func TestTokens(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		now := time.UnixMilli(int64(someTime))
		s, ctx := storetest.Open(t, url, func() time.Time { return now }), t.Context()
		jane, john := account(t, s, "jane"), account(t, s, "john")
		token := models.Token{Name: "importer", Scopes: models.Scopes{models.ListingsWrite, models.AccountRead}, ExpiresAt: someTime + 3_600_000}
		secret, err := s.Tokens.CreateToken(ctx, jane.ID, &token)
		must(t, err)
		id, err := s.Tokens.TokenIdentity(ctx, secret)
		must(t, err)
		if id == nil || id.Member.Handle != "jane" || id.Session || !id.Scopes.Has(models.ListingsWrite) || id.Scopes.Has(models.OffersWrite) {
			t.Fatalf("got %+v", id)
		}
		list, err := s.Tokens.Tokens(ctx, jane.ID)
		must(t, err)
		if len(list) != 1 || list[0].Name != "importer" || list[0].UsedAt != someTime || list[0].Scopes.String() != "listings:write account:read" {
			t.Errorf("got %+v", list)
		}
		for _, wrong := range []string{"", "sl_", secret + "x", secret[3:], "sl_\x00"} {
			if id, err := s.Tokens.TokenIdentity(ctx, wrong); id != nil || err != nil {
				t.Errorf("%q: %v, %v", wrong, id, err)
			}
		}
		wantError(t, s.Tokens.RevokeToken(ctx, john.ID, token.ID), problem.NotFound, "token_not_found")
		wantError(t, s.Tokens.RevokeToken(ctx, jane.ID, "\x00"), problem.NotFound, "token_not_found")
		now = now.Add(2 * time.Hour)
		if id, err := s.Tokens.TokenIdentity(ctx, secret); id != nil || err != nil {
			t.Errorf("an expired token is valid: %v, %v", id, err)
		}
		lasting := models.Token{Name: "bot", Scopes: models.RoleMember.Scopes()}
		secret, err = s.Tokens.CreateToken(ctx, jane.ID, &lasting)
		must(t, err)
		must(t, s.Tokens.RevokeToken(ctx, jane.ID, lasting.ID))
		if id, err := s.Tokens.TokenIdentity(ctx, secret); id != nil || err != nil {
			t.Errorf("a revoked token is valid: %v, %v", id, err)
		}
		for _, bad := range []models.Token{{Name: "", Scopes: models.RoleMember.Scopes()}, {Name: "x"}, {Name: "x", Scopes: models.Scopes{"root"}}, {Name: "x", Scopes: models.RoleMember.Scopes(), ExpiresAt: 1}} {
			_, err := s.Tokens.CreateToken(ctx, jane.ID, &bad)
			wantError(t, err, problem.Invalid, "invalid_parameter")
		}
		many := models.Token{Name: "many", Scopes: models.RoleMember.Scopes()}
		brief := models.Token{Name: "brief", Scopes: models.RoleMember.Scopes(), ExpiresAt: models.TimeOf(now) + 1000}
		_, err = s.Tokens.CreateToken(ctx, john.ID, &brief)
		must(t, err)
		for range store.MaxTokens - 1 {
			_, err := s.Tokens.CreateToken(ctx, john.ID, &many)
			must(t, err)
		}
		_, err = s.Tokens.CreateToken(ctx, john.ID, &many)
		wantError(t, err, problem.Conflict, "too_many_tokens")
		now = now.Add(time.Second) // an expired one makes room
		_, err = s.Tokens.CreateToken(ctx, john.ID, &many)
		must(t, err)
	})
}

// TestRevokingTokensOfTokens checks that a token ends with the one that created it,
// however many are between them.
func TestRevokingTokensOfTokens(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, ctx := storetest.Open(t, url, nil), t.Context()
		jane := account(t, s, "jane")
		valid := func(secret string) *models.Identity {
			t.Helper()
			id, err := s.Tokens.TokenIdentity(ctx, secret)
			must(t, err)
			return id
		}
		mint := func(with string) (id, secret string) {
			t.Helper()
			token := models.Token{Name: "token", Scopes: models.RoleMember.Scopes()}
			secret, err := s.Tokens.CreateTokenFor(ctx, valid(with), &token)
			must(t, err)
			return token.ID, secret
		}
		first := models.Token{Name: "first", Scopes: models.RoleMember.Scopes()}
		parent, err := s.Tokens.CreateToken(ctx, jane.ID, &first)
		must(t, err)
		other, err := s.Tokens.CreateToken(ctx, jane.ID, &models.Token{Name: "other", Scopes: models.RoleMember.Scopes()})
		must(t, err)
		_, child := mint(parent)
		middle, sibling := mint(parent)
		_, grandchild := mint(sibling)
		by := valid(sibling)

		must(t, s.Tokens.RevokeToken(ctx, jane.ID, middle))
		if valid(sibling) != nil || valid(grandchild) != nil || valid(parent) == nil || valid(child) == nil {
			t.Error("revoking a token must end what it created, and nothing else")
		}
		_, err = s.Tokens.CreateTokenFor(ctx, by, &models.Token{Name: "late", Scopes: models.RoleMember.Scopes()})
		wantError(t, err, problem.Unauthenticated, "unauthenticated")
		must(t, s.Tokens.RevokeToken(ctx, jane.ID, first.ID))
		if valid(parent) != nil || valid(child) != nil || valid(other) == nil {
			t.Error("revoking a token must end what it created, and nothing else")
		}
	})
}

// TestTokensOfEarlierVersions checks what the migration that added scopes makes of
// tokens: they can do what they could before, except create tokens and moderate.
func TestTokensOfEarlierVersions(t *testing.T) {
	t.Parallel()
	storetest.EachEmpty(t, func(t *testing.T, url string) {
		ctx := t.Context()
		s, err := store.Open(ctx, url, nil)
		must(t, err)
		defer s.Close()
		must(t, s.MigrateTo(ctx, 10))
		hash := func(secret string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(secret))) }
		db := raw(t, url)
		for _, statement := range []string{
			`INSERT INTO members (id, handle, name, region, bio, joined_at, demo) VALUES ('m', 'jane', 'Jane', 'DE', '', 1, FALSE)`,
			`INSERT INTO accounts (member_id, email, password, role, created_at, suspended_at) VALUES ('m', 'jane@example.org', '', 'operator', 1, 0)`,
			`INSERT INTO tokens (id, hash, member_id, name, scopes, created_at, expires_at, used_at, revoked_at) VALUES
				('1', '` + hash("sl_seller") + `', 'm', 'seller', 'listings:write account:read', 1, 0, 0, 0),
				('2', '` + hash("sl_reader") + `', 'm', 'reader', 'account:read', 1, 0, 0, 0),
				('3', '` + hash("sl_revoked") + `', 'm', 'revoked', 'account:read', 1, 0, 0, 1)`,
		} {
			_, err := db.ExecContext(ctx, statement)
			must(t, err)
		}
		must(t, s.Migrate(ctx))
		for secret, want := range map[string]string{"sl_seller": "listings:write account:read watch:write", "sl_reader": "account:read"} {
			id, err := s.Tokens.TokenIdentity(ctx, secret)
			must(t, err)
			if id == nil || id.Scopes.String() != want {
				t.Errorf("%s is %+v, want scopes %s", secret, id, want)
			}
		}
		if id, err := s.Tokens.TokenIdentity(ctx, "sl_revoked"); id != nil || err != nil {
			t.Errorf("a revoked token is valid: %v", err)
		}
	})
}

// TestScopesFollowRoles tests, for every change of a role, that no token or connected app
// has ever a scope that the role of its member lacks, and that a change ends exactly those
// with a scope that one of the two roles lacks, also of tokens that earlier releases let
// members create.
func TestScopesFollowRoles(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, ctx := storetest.Open(t, url, nil), t.Context()
		olga, err := s.Accounts.CreateAccount(ctx, registration("olga"), models.RoleOperator)
		must(t, err)
		db := raw(t, url)
		for _, before := range models.Roles {
			for _, after := range models.Roles {
				m, err := s.Accounts.CreateAccount(ctx, registration(fmt.Sprintf("%s-%s", before, after)), before)
				must(t, err)
				by, err := s.Accounts.Session(ctx, session(t, s, m.ID, "192.0.2.1"))
				must(t, err)
				var want []string
				for _, scope := range models.AllScopes {
					scopes := models.Scopes{models.AccountRead, scope}
					app := &models.Grant{ClientID: "x", ClientName: "app " + string(scope), Scopes: scopes}
					token := &models.Token{Name: string(scope), Scopes: scopes}
					_, appErr := s.Tokens.CreateGrant(ctx, by, app)
					_, ownErr := s.Tokens.CreateTokenFor(ctx, by, token)
					_, consoleErr := s.Tokens.CreateToken(ctx, m.ID, &models.Token{Name: "console", Scopes: scopes})
					for _, err := range []error{appErr, ownErr, consoleErr} {
						if before.May(scope) {
							must(t, err)
						} else {
							wantError(t, err, problem.Invalid, "invalid_parameter")
						}
					}
					if !before.May(scope) {
						_, err := db.Exec(`INSERT INTO tokens (id, hash, member_id, name, scopes, created_at, expires_at, used_at) VALUES ($1, $1, $2, $3, $4, 1, 0, 0)`,
							m.ID+string(scope), m.ID, string(scope), scopes.String())
						must(t, err)
					}
					if before == after || before.May(scope) && after.May(scope) {
						continue
					}
					if want = append(want, string(scope)); before.May(scope) {
						want = append(want, app.ClientName, "console")
					}
				}
				ended, err := s.Moderation.SetRole(ctx, olga.ID, m.ID, after)
				must(t, err)
				slices.Sort(ended)
				slices.Sort(want)
				if !slices.Equal(ended, want) {
					t.Errorf("from %s to %s ends %q, want %q", before, after, ended, want)
				}
				var left int
				must(t, db.QueryRow(`SELECT (SELECT COUNT(*) FROM tokens WHERE member_id = $1) + (SELECT COUNT(*) FROM oauth_grants WHERE member_id = $1)`, m.ID).Scan(&left))
				if all := len(models.AllScopes) + 2*len(before.Scopes()); before != after && left != all-len(want) {
					t.Errorf("from %s to %s leaves %d credentials, want %d", before, after, left, all-len(want))
				}
			}
		}
		trail, err := s.Moderation.Audit(ctx, store.AuditFilter{Action: models.SetRole}, store.AuditKey{}, 1)
		must(t, err)
		if note := trail[0].Note; !strings.HasPrefix(note, "operator → editor; tokens ended: ") || !strings.Contains(note, "app admin") {
			t.Errorf("the audit log says %q", note)
		}
	})
}
