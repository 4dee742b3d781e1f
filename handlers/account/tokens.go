package account

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/mailer"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	views "github.com/secondlight/secondlight/views/account"
)

// tokenOps holds the operations on API tokens.
type tokenOps struct{ Deps }

func (s tokenOps) listTokens() web.Operation {
	return web.Op[struct{}, *views.Tokens]{
		Name:    "list_tokens",
		Path:    "/api/tokens",
		Page:    "/account/tokens",
		Tag:     "Account",
		Access:  web.Members,
		Scope:   string(models.TokensWrite),
		Title:   "List tokens",
		Summary: "Lists your API tokens, newest first.",
		Description: "Returns every token: its name, scopes, expiry date and last use. " +
			"A token's secret is returned only once, by create_token. Use revoke_token to revoke a token.",
		Sample: func() *views.Tokens {
			return views.NewTokens(s.Site, sampleTokens(), models.RoleMember.Scopes(), s.Clock())
		},
		Do: func(ctx context.Context, _ *struct{}) (*views.Tokens, error) {
			return s.tokensOf(ctx)
		},
	}.Operation()
}

// tokensOf returns the caller's tokens.
func (s tokenOps) tokensOf(ctx context.Context) (*views.Tokens, error) {
	tokens, err := s.Tokens.Tokens(ctx, caller.ID(ctx))
	if err != nil {
		return nil, err
	}
	return views.NewTokens(s.Site, tokens, caller.Identity(ctx).Account.Role.Scopes(), s.Clock()), nil
}

type tokenInput struct {
	ID string `json:"id" in:"path" jsonschema:"id of the token, from list_tokens" example:"019aa7d2-7c00-7000-8000-00000000000a"`
}

func (s tokenOps) getToken() web.Operation {
	return web.Op[tokenInput, *views.Token]{
		Name:        "get_token",
		Path:        "/api/tokens/{id}",
		Page:        "/account/tokens/{id}",
		Tag:         "Account",
		Access:      web.Members,
		Scope:       string(models.TokensWrite),
		Title:       "Get a token",
		Summary:     "Returns one of your tokens, without its secret.",
		Description: "Returns a token's name, scopes, expiry date and last use. Use list_tokens for all of them.",
		Errors:      []string{"token_not_found"},
		Sample:      func() *views.Token { return views.NewToken(s.Site, &sampleTokens()[0], "") },
		Do: func(ctx context.Context, in *tokenInput) (*views.Token, error) {
			t, err := s.ownToken(ctx, in.ID)
			if err != nil {
				return nil, err
			}
			return views.NewToken(s.Site, t, ""), nil
		},
	}.Operation()
}

// ownToken returns the caller's token with an id, or token_not_found.
func (s tokenOps) ownToken(ctx context.Context, id string) (*models.Token, error) {
	tokens, err := s.Tokens.Tokens(ctx, caller.ID(ctx))
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(tokens, func(t models.Token) bool { return t.ID == id })
	if i < 0 {
		return nil, &problem.Error{Kind: problem.NotFound, Code: "token_not_found", Message: problem.Programf("You have no token with the id %q.", id),
			Hint: problem.Programf("List your tokens with GET /api/tokens.")}
	}
	return &tokens[i], nil
}

type newTokenInput struct {
	Name      string         `json:"name" jsonschema:"name of the token, at most 60 characters" example:"Price watcher"`
	Scopes    []models.Scope `json:"scopes" jsonschema:"scopes of the token, which your role must have; a token can grant only scopes it has itself" example:"listings:write,offers:write"`
	ExpiresAt expiry         `json:"expires_at,omitempty" jsonschema:"expiry: the last valid day, such as 2027-06-30, or an RFC 3339 timestamp; default: no expiry, or that of the token that creates it" example:"2027-06-30"`
}

// expiry is when a token expires: the end of a day in UTC, or a timestamp.
type expiry models.Time

// UnmarshalText implements encoding.TextUnmarshaler.
func (e *expiry) UnmarshalText(text []byte) error {
	at, err := time.Parse(time.RFC3339, string(text))
	if err != nil {
		if at, err = time.Parse(time.DateOnly, string(text)); err != nil {
			return problem.Errorf("%q is neither a date such as 2027-06-30 nor a timestamp such as 2027-06-30T12:00:00Z.", text)
		}
		at = at.AddDate(0, 0, 1)
	}
	if at.Year() < 1970 || at.Year() > 9999 {
		return problem.Errorf("The year of %q must be between 1970 and 9999.", text)
	}
	*e = expiry(models.TimeOf(at))
	return nil
}

func (s tokenOps) createToken() web.Operation {
	return web.Op[newTokenInput, *views.Token]{
		Name:    "create_token",
		Method:  http.MethodPost,
		Path:    "/api/tokens",
		Page:    "/account/tokens",
		Tag:     "Account",
		Access:  web.Members,
		Scope:   string(models.TokensWrite),
		Creates: true,
		Done:    "Token created. Copy it now.",
		Title:   "Create a token",
		Summary: "Creates an API token for a program that acts for you.",
		Description: "Returns the secret in the field token. It is shown only once: store it safely and send it as Authorization: Bearer sl_…. " +
			"Grant only the scopes you need. A token can create other tokens only with scopes it has itself, and that expire no later than it does; they end when it is revoked. At most 20 tokens.",
		Errors: []string{"too_many_tokens"},
		Sample: func() *views.Token {
			return views.NewToken(s.Site, &sampleTokens()[0], "sl_EXAMPLE-example-EXAMPLE-example-EXAMPLE-exam")
		},
		Do: s.makeToken,
	}.Operation()
}

func (s tokenOps) makeToken(ctx context.Context, in *newTokenInput) (*views.Token, error) {
	t := &models.Token{Name: in.Name, Scopes: in.Scopes, ExpiresAt: models.Time(in.ExpiresAt)}
	by := caller.Identity(ctx)
	if by.TokenID != "" {
		if err := s.restrict(ctx, by, t); err != nil {
			return nil, err
		}
	}
	secret, err := s.Tokens.CreateTokenFor(ctx, by, t)
	if err != nil {
		return nil, err
	}
	if err := s.Mailer.Send(ctx, by.Account.Email, mailer.EmailTokenCreated, "", "/account/tokens"); err != nil {
		return nil, err
	}
	return views.NewToken(s.Site, t, secret), nil
}

// restrict checks that a token created with another has neither more scopes nor a later
// expiry than that one. Without an expiry it takes that of the other.
func (s tokenOps) restrict(ctx context.Context, by *models.Identity, t *models.Token) error {
	if err := checkScopes(by, t.Scopes); err != nil {
		return err
	}
	own, err := s.ownToken(ctx, by.TokenID)
	if err != nil {
		return err
	}
	switch {
	case own.ExpiresAt == 0:
	case t.ExpiresAt == 0:
		t.ExpiresAt = own.ExpiresAt
	case t.ExpiresAt > own.ExpiresAt:
		message := problem.Programf("A token can't create one that expires later than it does.")
		return &problem.Error{Kind: problem.Invalid, Code: "invalid_parameter", Message: message,
			Hint:   problem.Programf("Set expires_at to %s or earlier, or create the token at /account/tokens.", own.ExpiresAt.RFC3339()),
			Fields: []problem.FieldError{{Field: "expires_at", Code: "invalid_value", Message: message}}}
	}
	return nil
}

// checkScopes returns insufficient_scope unless the caller's token has all of scopes.
func checkScopes(by *models.Identity, scopes models.Scopes) error {
	var missing []string
	for _, scope := range scopes {
		if !by.Scopes.Has(scope) {
			missing = append(missing, string(scope))
		}
	}
	if len(missing) == 0 {
		return nil
	}
	return &problem.Error{Kind: problem.Forbidden, Code: "insufficient_scope",
		Message: problem.Programf("The token has the scopes %q, but not %s.", by.Scopes, strings.Join(missing, ", ")),
		Hint:    problem.Programf("Leave out the scopes the token doesn't have, or use /account/tokens.")}
}

func (s tokenOps) revokeToken() web.Operation {
	return web.Op[tokenInput, *views.Tokens]{
		Name:        "revoke_token",
		Method:      http.MethodDelete,
		Path:        "/api/tokens/{id}",
		Page:        "/account/tokens/{id}/revoke",
		Form:        "/account/tokens",
		Tag:         "Account",
		Access:      web.Members,
		Scope:       string(models.TokensWrite),
		Destructive: true,
		Done:        "Token revoked.",
		Title:       "Revoke a token",
		Summary:     "Permanently revokes one of your tokens.",
		Description: "Immediately revokes a token and the tokens created with it; this can't be undone. Returns the remaining tokens. A token can revoke itself and tokens whose scopes it has.",
		Errors:      []string{"token_not_found"},
		Sample: func() *views.Tokens {
			return views.NewTokens(s.Site, sampleTokens()[:1], models.RoleMember.Scopes(), s.Clock())
		},
		Do: func(ctx context.Context, in *tokenInput) (*views.Tokens, error) {
			t, err := s.ownToken(ctx, in.ID)
			if err != nil {
				return nil, err
			}
			if by := caller.Identity(ctx); by.TokenID != "" && by.TokenID != t.ID {
				if err := checkScopes(by, t.Scopes); err != nil {
					return nil, err
				}
			}
			if err := s.Tokens.RevokeToken(ctx, caller.ID(ctx), t.ID); err != nil {
				return nil, err
			}
			return s.tokensOf(ctx)
		},
	}.Operation()
}

// sampleTokens returns example tokens.
func sampleTokens() []models.Token {
	day := func(month time.Month, n int) models.Time {
		return models.TimeOf(time.Date(2026, month, n, 9, 0, 0, 0, time.UTC))
	}
	return []models.Token{
		{ID: "019aa7d2-7c00-7000-8000-00000000000a", Name: "Price watcher", Scopes: models.Scopes{models.ListingsWrite, models.OffersWrite},
			CreatedAt: day(11, 21), ExpiresAt: day(12, 31)},
		{ID: "0199d2a4-5c00-7000-8000-00000000000b", Name: "Studio stock list", Scopes: models.Scopes{models.ListingsWrite, models.OffersWrite, models.MessagesWrite, models.AccountRead}, CreatedAt: day(10, 11), UsedAt: day(11, 20)},
	}
}
