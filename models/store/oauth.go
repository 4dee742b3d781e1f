package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// Prefixes of codes and refresh tokens, so that secret scanners recognise them.
const (
	codePrefix    = "slc_"
	refreshPrefix = "slr_"
)

// Limits of stored rows for each member.
const (
	MaxGrants       = 30 // beyond it the one that was not used for longest ends
	maxConsents     = 20 // consent pages that a member may have open
	maxAccessTokens = 5  // valid ones of a grant
)

// consentLifetime is how long a member has to decide.
const consentLifetime = 10 * time.Minute

// codeConsent is the purpose of the one-time codes in consent pages.
const codeConsent = "consent"

var errConsentInvalid = &problem.Error{Kind: problem.Forbidden, Code: "consent_invalid", Message: problem.Textf("This page has expired or has already been used."),
	Hint: problem.Textf("Go back to the app and connect it again.")}

// BeginConsent stores a request that awaits a member's consent, and returns a
// one-time code for the page that asks. It is valid only for the session with a secret.
func (s *Tokens) BeginConsent(ctx context.Context, by *models.Identity, session, request string) (code string, err error) {
	code = models.NewSecret()
	return code, s.update(ctx, func(t *tx) error {
		if err := lockAccount(ctx, t, &by.Account); err != nil {
			return err
		}
		_, err := t.ExecContext(ctx, `DELETE FROM codes WHERE member_id = $1 AND purpose = $2 AND hash NOT IN
			(SELECT hash FROM codes WHERE member_id = $1 AND purpose = $2 ORDER BY expires_at DESC, hash LIMIT $3)`, by.Member.ID, codeConsent, maxConsents-1)
		if err != nil {
			return err
		}
		return addCode(ctx, t, code, oneTimeCode{Purpose: codeConsent, MemberID: by.Member.ID, Payload: models.SecretHash(session) + " " + request}, consentLifetime)
	})
}

// EndConsent uses a code of BeginConsent and returns its request. If the code was used,
// is expired, or belongs to another member or session, it returns a Forbidden error,
// consent_invalid.
func (s *Tokens) EndConsent(ctx context.Context, by *models.Identity, session, code string) (request string, err error) {
	err = s.update(ctx, func(t *tx) error {
		c, err := useCode(ctx, t, code, codeConsent)
		var perr *problem.Error
		if errors.As(err, &perr) {
			return errConsentInvalid
		}
		if err != nil {
			return err
		}
		hash, text, _ := strings.Cut(c.Payload, " ")
		if c.MemberID != by.Member.ID || hash != models.SecretHash(session) {
			return errConsentInvalid // and the code stays valid for its owner
		}
		request = text
		return nil
	})
	return request, err
}

// CreateGrant creates a grant for a client, a redirect URI, scopes, a resource and a
// challenge, sets its other fields, and returns the authorization code, which is valid
// for a minute. It fails if the account was suspended or its credentials have ended
// since the request was authenticated.
func (s *Tokens) CreateGrant(ctx context.Context, by *models.Identity, g *models.Grant) (code string, err error) {
	now := s.now()
	g.ID, g.MemberID, g.CreatedAt, g.UsedAt, g.ExpiresAt = s.newID(), by.Member.ID, now, now, now.Add(models.OAuthCodeLifetime)
	code = codePrefix + models.NewSecret()
	return code, s.update(ctx, func(t *tx) error {
		if err := lockAccount(ctx, t, &by.Account); err != nil {
			return err
		}
		if err := checkNotSuspended(ctx, t, g.MemberID); err != nil {
			return err
		}
		if err := checkRole(ctx, t, g.MemberID, g.Scopes); err != nil {
			return err
		}
		if err := makeRoomForGrant(ctx, t, g.MemberID, now); err != nil {
			return err
		}
		if _, err := t.ExecContext(ctx, `UPDATE oauth_clients SET used_at = $2 WHERE id = $1`, g.ClientID, now); err != nil {
			return err
		}
		_, err := t.ExecContext(ctx, `INSERT INTO oauth_grants (id, member_id, client_id, client_name, redirect_uri, scopes, resource, challenge, code_hash, refresh_hash, created_at, used_at, expires_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, '', $10, $10, $11)`,
			g.ID, g.MemberID, g.ClientID, g.ClientName, g.RedirectURI, g.Scopes.String(), g.Resource, g.Challenge, models.SecretHash(code), now, g.ExpiresAt)
		return err
	})
}

func checkNotSuspended(ctx context.Context, t *tx, memberID string) error {
	var since models.Time
	err := t.GetContext(ctx, &since, `SELECT suspended_at FROM accounts WHERE member_id = $1`, memberID)
	if err == nil && since != 0 {
		err = &problem.Error{Kind: problem.Forbidden, Code: "account_suspended", Message: problem.Textf("We've suspended your account."), Hint: problem.Textf("Contact us.").And(problem.Programf("See /about for how."))}
	}
	return err
}

// makeRoomForGrant deletes the expired grants of a member, and those used least
// recently if there are too many.
func makeRoomForGrant(ctx context.Context, t *tx, memberID string, now models.Time) error {
	_, err := t.ExecContext(ctx, `DELETE FROM oauth_grants WHERE member_id = $1 AND (expires_at <= $2 OR id NOT IN
		(SELECT id FROM oauth_grants WHERE member_id = $1 AND expires_at > $2 ORDER BY used_at DESC, id DESC LIMIT $3))`, memberID, now, MaxGrants-1)
	return err
}

// ExchangeCode exchanges an authorization code for tokens. A code can be presented
// once: if it was used before, or anything in the request does not fit it, its grant
// ends. Errors that the client can fix are an *OAuthError.
func (s *Tokens) ExchangeCode(ctx context.Context, r *models.TokenRequest) (*models.GrantTokens, error) {
	return s.useGrant(ctx, "code_hash", models.SecretHash(r.Secret), func(t *tx, g *storedGrant) (tokens *models.GrantTokens, end bool, err error) {
		now := s.now()
		switch {
		case g.RefreshHash != "":
			return nil, true, invalidGrant("The code has already been used. Access has ended: ask the member again.")
		case g.ExpiresAt <= now:
			return nil, true, invalidGrant("The code has expired.")
		case g.ClientID != r.ClientID:
			return nil, true, invalidGrant("The code was issued to another client.")
		case r.RedirectURI != "" && r.RedirectURI != g.RedirectURI:
			return nil, true, invalidGrant("redirect_uri differs from that of the authorization request.")
		case !models.Verifies(r.Verifier, g.Challenge):
			return nil, true, invalidGrant("code_verifier does not match code_challenge.")
		case r.Resource != "" && r.Resource != g.Resource:
			return nil, true, &models.OAuthError{Code: "invalid_target", Description: "resource differs from that of the authorization request."}
		}
		g.ExpiresAt = now.Add(models.GrantLifetime)
		tokens, err = issueTokens(ctx, t, g, models.NewSecret(), g.Scopes)
		return tokens, false, err
	})
}

// RefreshTokens exchanges a refresh token for new tokens. Each refresh token can be
// used once: if an older one is presented, it was stolen from one of two parties, and
// the grant ends for both. Errors that the client can fix are an *OAuthError.
func (s *Tokens) RefreshTokens(ctx context.Context, r *models.TokenRequest) (*models.GrantTokens, error) {
	id, secret := splitRefreshToken(r.Secret)
	return s.useGrant(ctx, "refresh_id_hash", models.SecretHash(id), func(t *tx, g *storedGrant) (tokens *models.GrantTokens, end bool, err error) {
		switch {
		case g.RefreshHash != models.SecretHash(secret):
			return nil, true, invalidGrant("The refresh token has already been used. Access has ended: ask the member again.")
		case g.ExpiresAt <= s.now():
			return nil, true, invalidGrant("The refresh token has expired.")
		case g.ClientID != r.ClientID:
			return nil, false, invalidGrant("The refresh token was issued to another client.")
		case r.Resource != "" && r.Resource != g.Resource:
			return nil, false, &models.OAuthError{Code: "invalid_target", Description: "resource differs from that of the authorization request."}
		}
		scopes := g.Scopes
		if r.Scopes != nil {
			scopes = r.Scopes
		}
		for _, scope := range scopes {
			if !g.Scopes.Has(scope) {
				return nil, false, &models.OAuthError{Code: "invalid_scope", Description: "The member did not allow " + string(scope) + ". Ask them with a new authorization request."}
			}
		}
		tokens, err = issueTokens(ctx, t, g, id, scopes)
		return tokens, false, err
	})
}

// splitRefreshToken returns the identifier and the secret of a refresh token.
func splitRefreshToken(token string) (id, secret string) {
	id, secret, _ = strings.Cut(strings.TrimPrefix(token, refreshPrefix), ".")
	return id, secret
}

func invalidGrant(description string) error {
	return &models.OAuthError{Code: "invalid_grant", Description: description}
}

// storedGrant is a row of the table of grants.
type storedGrant struct {
	models.Grant
	RefreshHash string
}

const grantColumns = `id, member_id, client_id, client_name, redirect_uri, scopes, resource, challenge, created_at, used_at, expires_at, refresh_hash`

// scanGrant scans a row of grantColumns.
func scanGrant(row interface{ Scan(...any) error }) (*storedGrant, error) {
	var g storedGrant
	var scopes string
	err := row.Scan(&g.ID, &g.MemberID, &g.ClientID, &g.ClientName, &g.RedirectURI, &scopes, &g.Resource, &g.Challenge, &g.CreatedAt, &g.UsedAt, &g.ExpiresAt, &g.RefreshHash)
	for _, scope := range strings.Fields(scopes) {
		g.Scopes = append(g.Scopes, models.Scope(scope))
	}
	return &g, err
}

// useGrant calls use with the locked grant whose column has a value. If use returns
// end, the grant ends, which is committed along with use's error.
func (s *Tokens) useGrant(ctx context.Context, column, hash string, use func(*tx, *storedGrant) (tokens *models.GrantTokens, end bool, err error)) (tokens *models.GrantTokens, err error) {
	var refused error
	err = s.update(ctx, func(t *tx) error {
		g, err := scanGrant(t.QueryRowxContext(ctx, `UPDATE oauth_grants SET used_at = used_at WHERE `+column+` = $1 RETURNING `+grantColumns, hash)) // locks the row
		if errors.Is(err, sql.ErrNoRows) {
			refused = invalidGrant("The code or refresh token is unknown, or access has ended.")
			return nil
		}
		if err != nil {
			return err
		}
		var end bool
		if tokens, end, refused = use(t, g); !end {
			return refused
		}
		_, err = t.ExecContext(ctx, `DELETE FROM oauth_grants WHERE id = $1`, g.ID) // deletes its tokens
		return err
	})
	if err == nil {
		err = refused
	}
	if err != nil {
		return nil, err
	}
	return tokens, nil
}

// issueTokens stores an access token of a locked grant, and a refresh token with the
// given identifier in place of the previous one.
func issueTokens(ctx context.Context, t *tx, g *storedGrant, refreshID string, scopes models.Scopes) (*models.GrantTokens, error) {
	now, secret := t.db.now(), models.NewSecret()
	expires := min(now.Add(models.AccessTokenLifetime), g.ExpiresAt)
	tokens := &models.GrantTokens{Access: tokenPrefix + models.NewSecret(), Refresh: refreshPrefix + refreshID + "." + secret,
		Scopes: scopes, Lifetime: time.Duration(expires-now) * time.Millisecond}
	_, err := t.ExecContext(ctx, `UPDATE oauth_grants SET refresh_id_hash = $2, refresh_hash = $3, used_at = $4, expires_at = $5 WHERE id = $1`,
		g.ID, models.SecretHash(refreshID), models.SecretHash(secret), now, g.ExpiresAt)
	if err != nil {
		return nil, err
	}
	_, err = t.ExecContext(ctx, `DELETE FROM tokens WHERE grant_id = $1 AND (expires_at <= $2 OR id NOT IN
		(SELECT id FROM tokens WHERE grant_id = $1 ORDER BY created_at DESC, id DESC LIMIT $3))`, g.ID, now, maxAccessTokens-1)
	if err != nil {
		return nil, err
	}
	_, err = t.ExecContext(ctx, `INSERT INTO tokens (id, hash, member_id, name, scopes, created_at, expires_at, used_at, grant_id, audience)
		VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8, $9)`,
		t.db.newID(), models.SecretHash(tokens.Access), g.MemberID, g.ClientName, scopes.String(), now, expires, g.ID, g.Resource)
	return tokens, err
}

// RevokeGranted revokes a token that a client got (RFC 7009): with a refresh token,
// used or not, it ends the grant; with an access token only that one. It does nothing
// if the token is unknown. If it was issued to another client it returns an
// *OAuthError.
func (s *Tokens) RevokeGranted(ctx context.Context, clientID, token string) error {
	query, hash := `SELECT g.client_id FROM oauth_grants g JOIN tokens t ON t.grant_id = g.id WHERE t.hash = $1`, models.SecretHash(token)
	revoke := `DELETE FROM tokens WHERE hash = $1 AND grant_id IS NOT NULL`
	if strings.HasPrefix(token, refreshPrefix) {
		id, _ := splitRefreshToken(token)
		query, revoke, hash = `SELECT client_id FROM oauth_grants WHERE refresh_id_hash = $1`, `DELETE FROM oauth_grants WHERE refresh_id_hash = $1`, models.SecretHash(id)
	}
	return s.update(ctx, func(t *tx) error {
		var owner string
		err := t.GetContext(ctx, &owner, query, hash)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return nil
		case err != nil:
			return err
		case owner != clientID:
			return &models.OAuthError{Code: "invalid_client", Description: "The token was issued to another client."}
		}
		_, err = t.ExecContext(ctx, revoke, hash)
		return err
	})
}

// Grants returns the grants of a member whose clients have got tokens, newest first.
func (s *Tokens) Grants(ctx context.Context, memberID string) ([]models.Grant, error) {
	rows, err := s.read.QueryxContext(ctx, `SELECT `+grantColumns+` FROM oauth_grants WHERE member_id = $1 AND refresh_hash <> '' AND expires_at > $2 ORDER BY id DESC`, memberID, s.now())
	if err != nil {
		return nil, err
	}
	var grants []models.Grant
	err = eachRow(rows, func(r *sqlx.Rows) error {
		g, err := scanGrant(r)
		grants = append(grants, g.Grant)
		return err
	})
	return grants, err
}

// EndGrant ends a grant of a member and its tokens. If the member has no such grant it
// returns a NotFound error, connection_not_found.
func (s *Tokens) EndGrant(ctx context.Context, memberID, id string) error {
	if !models.Storable(id) {
		return errGrantNotFound
	}
	return s.update(ctx, func(t *tx) error {
		n, err := t.affected(ctx, `DELETE FROM oauth_grants WHERE id = $1 AND member_id = $2`, id, memberID)
		if err == nil && n == 0 {
			err = errGrantNotFound
		}
		return err
	})
}

var errGrantNotFound = &problem.Error{Kind: problem.NotFound, Code: "connection_not_found", Message: problem.Textf("You haven't connected this app."),
	Hint: problem.Programf("List yours with GET /api/connections.")}

// Limits of the registered clients that no member has connected, and of those that one
// has. Beyond them the oldest, or those connected least recently, are deleted.
const (
	MaxUnusedClients = 10_000
	maxUsedClients   = 100_000
)

// Registered clients are deleted when no member has connected them for this long.
const (
	unusedClientLifetime = 7 * 24 * time.Hour       // never connected
	idleClientLifetime   = 2 * models.GrantLifetime // connected before
)

// RegisterClient stores a client and sets its id. Callers must have checked its name
// and redirect URIs.
func (s *Tokens) RegisterClient(ctx context.Context, c *models.OAuthClient) error {
	addresses, err := json.Marshal(c.RedirectURIs)
	if err != nil {
		return err
	}
	c.ID, c.CreatedAt = s.newID(), s.now()
	return s.update(ctx, func(t *tx) error {
		_, err := t.ExecContext(ctx, `DELETE FROM oauth_clients WHERE used_at = 0 AND created_at <=
			(SELECT created_at FROM oauth_clients WHERE used_at = 0 ORDER BY created_at DESC LIMIT 1 OFFSET $1)`, MaxUnusedClients-1)
		if err != nil {
			return err
		}
		_, err = t.ExecContext(ctx, `INSERT INTO oauth_clients (id, name, redirect_uris, created_at, used_at) VALUES ($1, $2, $3, $4, 0)`,
			c.ID, c.Name, string(addresses), c.CreatedAt)
		return err
	})
}

// Client returns a registered client, or nil if there is none with the id.
func (s *Tokens) Client(ctx context.Context, id string) (*models.OAuthClient, error) {
	if !models.Storable(id) {
		return nil, nil
	}
	c := &models.OAuthClient{ID: id}
	var addresses string
	err := s.read.QueryRowxContext(ctx, `SELECT name, redirect_uris, created_at FROM oauth_clients WHERE id = $1`, id).Scan(&c.Name, &addresses, &c.CreatedAt)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return c, json.Unmarshal([]byte(addresses), &c.RedirectURIs)
}

// deleteUnusedClients deletes registered clients that no member uses any longer.
func deleteUnusedClients(ctx context.Context, t *tx, now models.Time) error {
	_, err := t.ExecContext(ctx, `DELETE FROM oauth_clients WHERE used_at = 0 AND created_at < $1 OR used_at > 0 AND (used_at < $2 OR used_at <=
		(SELECT used_at FROM oauth_clients WHERE used_at > 0 ORDER BY used_at DESC LIMIT 1 OFFSET $3))`,
		now.Add(-unusedClientLifetime), now.Add(-idleClientLifetime), maxUsedClients)
	return err
}
