package handlers

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views"
)

// tokenOperations are what members do about their tokens.
func (s *Server) tokenOperations() []Operation {
	return []Operation{s.listTokens(), s.getToken(), s.createToken(), s.revokeToken()}
}

func (s *Server) listTokens() Operation {
	return Op[struct{}, *views.Tokens]{
		Name:    "list_tokens",
		Path:    "/api/tokens",
		Page:    "/account/tokens",
		Tag:     "Account",
		Access:  Members,
		Scope:   models.AccountRead,
		Title:   "List tokens",
		Summary: "Your tokens, the newest first.",
		Description: "Answers with every token of yours that was not revoked: what it is for, its scopes, when it expires and when it was last used. " +
			"A token's secret is never told again. To make one use create_token, to end one use revoke_token.",
		Sample: func() *views.Tokens { return views.NewTokens(&s.site, sampleTokens(), s.clock()) },
		Do: func(ctx context.Context, _ *struct{}) (*views.Tokens, error) {
			return s.tokensOf(ctx)
		},
	}.Operation()
}

func (s *Server) tokensOf(ctx context.Context) (*views.Tokens, error) {
	tokens, err := s.store.Tokens(ctx, memberID(ctx))
	if err != nil {
		return nil, err
	}
	return views.NewTokens(&s.site, tokens, s.clock()), nil
}

type tokenInput struct {
	ID string `json:"id" in:"path" jsonschema:"id of the token, as list_tokens gives it" example:"019aa7d2-7c00-7000-8000-00000000000a"`
}

func (s *Server) getToken() Operation {
	return Op[tokenInput, *views.Token]{
		Name:        "get_token",
		Path:        "/api/tokens/{id}",
		Page:        "/account/tokens/{id}",
		Tag:         "Account",
		Access:      Members,
		Scope:       models.AccountRead,
		Title:       "Get a token",
		Summary:     "One of your tokens, without its secret.",
		Description: "Answers with what a token is for, its scopes, when it expires and when it was last used. list_tokens has them all.",
		Errors:      []string{"token_not_found"},
		Sample:      func() *views.Token { return views.NewToken(&s.site, &sampleTokens()[0], "") },
		Do: func(ctx context.Context, in *tokenInput) (*views.Token, error) {
			t, err := s.ownToken(ctx, in.ID)
			if err != nil {
				return nil, err
			}
			return views.NewToken(&s.site, t, ""), nil
		},
	}.Operation()
}

// ownToken is one of the caller's tokens.
func (s *Server) ownToken(ctx context.Context, id string) (*models.Token, error) {
	tokens, err := s.store.Tokens(ctx, memberID(ctx))
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(tokens, func(t models.Token) bool { return t.ID == id })
	if i < 0 {
		return nil, &models.Error{Kind: models.NotFound, Code: "token_not_found", Message: fmt.Sprintf("You have no token with the id %q.", id),
			Hint: "List yours with GET /api/tokens."}
	}
	return &tokens[i], nil
}

type newTokenInput struct {
	Name      string         `json:"name" jsonschema:"what the token is for, at most 60 characters" example:"Price watcher"`
	Scopes    []models.Scope `json:"scopes" jsonschema:"what it may do; a token may give only scopes it has itself" example:"listings:write,offers:write"`
	ExpiresAt expiry         `json:"expires_at,omitempty" jsonschema:"last day it is good, such as 2027-06-30, or an instant in RFC 3339; left out, it is good until it is revoked, or as long as the token that makes it" example:"2027-06-30"`
}

// expiry is when something ends: a day, to its end in UTC, or an instant.
type expiry models.Time

// UnmarshalText implements encoding.TextUnmarshaler.
func (e *expiry) UnmarshalText(text []byte) error {
	at, err := time.Parse(time.RFC3339, string(text))
	if err != nil {
		if at, err = time.Parse(time.DateOnly, string(text)); err != nil {
			return fmt.Errorf("%q is neither a day such as 2027-06-30 nor an instant such as 2027-06-30T12:00:00Z", text)
		}
		at = at.AddDate(0, 0, 1)
	}
	if at.Year() < 1970 || at.Year() > 9999 {
		return fmt.Errorf("the year of %q is out of reach", text)
	}
	*e = expiry(models.TimeOf(at))
	return nil
}

func (s *Server) createToken() Operation {
	return Op[newTokenInput, *views.Token]{
		Name:    "create_token",
		Method:  http.MethodPost,
		Path:    "/api/tokens",
		Page:    "/account/tokens",
		Tag:     "Account",
		Access:  Members,
		Scope:   models.AccountRead,
		Creates: true,
		Done:    "The token is made. Copy it now.",
		Title:   "Make a token",
		Summary: "Makes a token with which a program may act for you.",
		Description: "Answers with the token itself in the field token, this once: keep it where the program finds it, and send it as Authorization: Bearer sl_…. " +
			"Give it the fewest scopes that do. A token can make others only with scopes it has itself, and that end no later than it does.",
		Errors: []string{"too_many_tokens"},
		Sample: func() *views.Token {
			return views.NewToken(&s.site, &sampleTokens()[0], "sl_EXAMPLE-example-EXAMPLE-example-EXAMPLE-exam")
		},
		Do: s.makeToken,
	}.Operation()
}

func (s *Server) makeToken(ctx context.Context, in *newTokenInput) (*views.Token, error) {
	t := &models.Token{Name: in.Name, Scopes: in.Scopes, ExpiresAt: models.Time(in.ExpiresAt)}
	if by := callerOf(ctx); by.TokenID != "" {
		if err := s.within(ctx, by, t); err != nil {
			return nil, err
		}
	}
	secret, err := s.store.CreateToken(ctx, memberID(ctx), t)
	if err != nil {
		return nil, err
	}
	return views.NewToken(&s.site, t, secret), nil
}

// within holds a token that another makes to what that one may itself. What is
// not said of its end is the end of the other.
func (s *Server) within(ctx context.Context, by *caller, t *models.Token) error {
	if err := holds(by, t.Scopes); err != nil {
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
		const message = "A token cannot make one that outlives it."
		return &models.Error{Kind: models.Invalid, Code: "invalid_parameter", Message: message,
			Hint:   "Give an expires_at not after " + own.ExpiresAt.RFC3339() + ", or make the token at /account/tokens.",
			Fields: []models.FieldError{{Field: "expires_at", Code: "invalid_value", Message: message}}}
	}
	return nil
}

// holds reports whether a token may deal with another that has some scopes: only
// when it could do as much itself.
func holds(by *caller, scopes models.Scopes) error {
	var more []string
	for _, scope := range scopes {
		if !by.Scopes.Has(scope) {
			more = append(more, string(scope))
		}
	}
	if len(more) == 0 {
		return nil
	}
	return &models.Error{Kind: models.Forbidden, Code: "insufficient_scope",
		Message: fmt.Sprintf("The token has the scopes %q, and not %s.", by.Scopes, strings.Join(more, ", ")),
		Hint:    "Leave out the scopes the token has not, or do it at /account/tokens."}
}

func (s *Server) revokeToken() Operation {
	return Op[tokenInput, *views.Tokens]{
		Name:        "revoke_token",
		Method:      http.MethodDelete,
		Path:        "/api/tokens/{id}",
		Page:        "/account/tokens/{id}/revoke",
		Form:        "/account/tokens",
		Tag:         "Account",
		Access:      Members,
		Scope:       models.AccountRead,
		Destructive: true,
		Done:        "The token is revoked.",
		Title:       "Revoke a token",
		Summary:     "Ends one of your tokens for good.",
		Description: "From now on the token is refused, and nothing brings it back. Answers with the tokens that are left. A token can revoke itself, and those that may do no more than it.",
		Errors:      []string{"token_not_found"},
		Sample:      func() *views.Tokens { return views.NewTokens(&s.site, sampleTokens()[:1], s.clock()) },
		Do: func(ctx context.Context, in *tokenInput) (*views.Tokens, error) {
			t, err := s.ownToken(ctx, in.ID)
			if err != nil {
				return nil, err
			}
			if by := callerOf(ctx); by.TokenID != "" && by.TokenID != t.ID {
				if err := holds(by, t.Scopes); err != nil {
					return nil, err
				}
			}
			if err := s.store.RevokeToken(ctx, memberID(ctx), t.ID); err != nil {
				return nil, err
			}
			return s.tokensOf(ctx)
		},
	}.Operation()
}

// sampleTokens are invented ones.
func sampleTokens() []models.Token {
	day := func(month time.Month, n int) models.Time {
		return models.TimeOf(time.Date(2026, month, n, 9, 0, 0, 0, time.UTC))
	}
	return []models.Token{
		{ID: "019aa7d2-7c00-7000-8000-00000000000a", Name: "Price watcher", Scopes: models.Scopes{models.ListingsWrite, models.OffersWrite},
			CreatedAt: day(11, 21), ExpiresAt: day(12, 31)},
		{ID: "0199d2a4-5c00-7000-8000-00000000000b", Name: "Studio stock list", Scopes: models.AllScopes, CreatedAt: day(10, 11), UsedAt: day(11, 20)},
	}
}
