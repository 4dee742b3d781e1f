package handlers

import (
	"context"
	"strings"

	"github.com/secondlight/secondlight/handlers/oauth"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views/ui"
)

// authenticator identifies callers by the API tokens and browser sessions of the store.
type authenticator struct {
	store *store.Store
	site  *ui.Site
}

// Token returns the identity of an API token. It implements web.Authenticator. A token
// that an OAuth client got for another site, from which the database was copied, is
// unknown.
func (a authenticator) Token(ctx context.Context, secret string) (*web.Identity, error) {
	id, err := a.store.Tokens.TokenIdentity(ctx, secret)
	if id != nil && id.Audience != "" && !oauth.HasResource(a.site, id.Audience) {
		id = nil
	}
	return webIdentity(id), err
}

// Session returns the identity of a browser session. It implements web.Authenticator.
func (a authenticator) Session(ctx context.Context, secret string) (*web.Identity, error) {
	id, err := a.store.Accounts.Session(ctx, secret)
	return webIdentity(id), err
}

// webIdentity converts a member's identity to that of package web; nil stays nil.
func webIdentity(id *models.Identity) *web.Identity {
	if id == nil {
		return nil
	}
	scopes := make([]string, len(id.Scopes))
	for i, scope := range id.Scopes {
		scopes[i] = string(scope)
	}
	return &web.Identity{
		ID: id.Member.ID, Handle: id.Member.Handle, TokenID: id.TokenID, Scopes: scopes, Session: id.Session,
		Staff: strings.Fields(id.Account.Role.StaffScopes().String()), Suspended: id.Account.Suspended(), Language: id.Account.Language, Member: id,
	}
}

// idempotencyStore stores the responses to writes with an idempotency key.
type idempotencyStore struct{ store *store.Store }

// Claim reserves a key, or returns the response stored for it. It implements web.IdempotencyStore.
func (s idempotencyStore) Claim(ctx context.Context, member, operation, key, fingerprint string) (web.Claim, []byte, error) {
	claim, response, err := s.store.Tokens.Claim(ctx, member, operation, key, fingerprint)
	if claim == nil {
		return nil, response, err
	}
	return idempotencyClaim{s.store, claim}, response, err
}

// idempotencyClaim is a reserved idempotency key. It implements web.Claim.
type idempotencyClaim struct {
	store *store.Store
	claim *store.Claim
}

// Context returns ctx carrying the claim.
func (c idempotencyClaim) Context(ctx context.Context) context.Context {
	return c.claim.WithContext(ctx)
}

// Complete stores the response for the key.
func (c idempotencyClaim) Complete(ctx context.Context, response []byte, location string) error {
	return c.store.Tokens.StoreResponse(ctx, c.claim, response, location)
}

// Release gives the key up, so that the request can be retried.
func (c idempotencyClaim) Release(ctx context.Context) error {
	return c.store.Tokens.Release(ctx, c.claim)
}
