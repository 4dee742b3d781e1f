package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// tokenPrefix starts all tokens, so that secret scanners recognise them.
const tokenPrefix = "sl_"

// MaxTokens is the maximum number of tokens a member may create.
const MaxTokens = 20

// CreateToken creates a token for a member from a name, scopes and an optional
// expiry, sets its other fields, and returns its secret, which can't be retrieved
// later. It returns an Invalid error if the member's role lacks one of the scopes.
func (s *Tokens) CreateToken(ctx context.Context, memberID string, t *models.Token) (secret string, err error) {
	account, err := s.accounts.Account(ctx, memberID)
	if err != nil {
		return "", err
	}
	return s.createToken(ctx, account, t)
}

// CreateTokenFor creates a token as CreateToken does, at the request of a member.
// A token that is created with another ends with it. It fails if the credentials
// of the account have ended since the request was authenticated.
func (s *Tokens) CreateTokenFor(ctx context.Context, by *models.Identity, t *models.Token) (secret string, err error) {
	t.ParentID = by.TokenID
	return s.createToken(ctx, &by.Account, t)
}

func (s *Tokens) createToken(ctx context.Context, a *models.Account, t *models.Token) (secret string, err error) {
	t.ID, t.MemberID, t.CreatedAt, secret = s.newID(), a.MemberID, s.now(), tokenPrefix+models.NewSecret()
	if err := t.Check(); err != nil {
		return "", err
	}
	return secret, s.update(ctx, func(tx *tx) error {
		if err := lockAccount(ctx, tx, a); err != nil {
			return err
		}
		if err := checkRole(ctx, tx, t.MemberID, t.Scopes); err != nil {
			return err
		}
		if err := checkParent(ctx, tx, t); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM tokens WHERE member_id = $1 AND expires_at BETWEEN 1 AND $2`, t.MemberID, t.CreatedAt); err != nil {
			return err
		}
		n, err := tx.affected(ctx, `INSERT INTO tokens (id, hash, member_id, parent_id, name, scopes, created_at, expires_at, used_at)
			SELECT $1, $2, $3, $4, $5, $6, $7, $8, 0 WHERE (SELECT COUNT(*) FROM tokens WHERE member_id = $3 AND grant_id IS NULL) < $9`,
			t.ID, models.SecretHash(secret), t.MemberID, models.Nullable(t.ParentID), t.Name, t.Scopes.String(), t.CreatedAt, t.ExpiresAt, MaxTokens)
		if err == nil && n == 0 {
			return &problem.Error{Kind: problem.Conflict, Code: "too_many_tokens", Message: problem.Programf("You have %d tokens, which is the limit.", MaxTokens),
				Hint: problem.Textf("Revoke one that you no longer use.")}
		}
		return err
	})
}

// checkRole returns an Invalid error unless the role of a member, whose account is locked,
// has all of scopes.
func checkRole(ctx context.Context, t *tx, memberID string, scopes models.Scopes) error {
	var role models.Role
	if err := t.GetContext(ctx, &role, `SELECT role FROM accounts WHERE member_id = $1`, memberID); err != nil {
		return err
	}
	return role.CheckScopes(scopes)
}

// checkParent returns errCredentialsEnded if the token that creates a token was
// revoked since it was authenticated.
func checkParent(ctx context.Context, t *tx, token *models.Token) error {
	if token.ParentID == "" {
		return nil
	}
	n, err := t.affected(ctx, `UPDATE tokens SET name = name WHERE id = $1`, token.ParentID) // locks the row
	if err == nil && n == 0 {
		err = errCredentialsEnded
	}
	return err
}

// TokenIdentity returns the identity of a token, or nil if the secret is
// unknown, revoked or expired.
func (s *Tokens) TokenIdentity(ctx context.Context, secret string) (*models.Identity, error) {
	if !strings.HasPrefix(secret, tokenPrefix) {
		return nil, nil
	}
	now := s.now()
	var id, memberID, scopes, audience string
	var used models.Time
	err := s.read.QueryRowxContext(ctx, `SELECT id, member_id, scopes, audience, used_at FROM tokens
		WHERE hash = $1 AND (expires_at = 0 OR expires_at > $2)`, models.SecretHash(secret), now).Scan(&id, &memberID, &scopes, &audience, &used)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if now > used.Add(lastUseInterval) {
		s.accounts.recordUse(ctx, `UPDATE tokens SET used_at = $2 WHERE id = $1`, id, now)
	}
	who, err := s.accounts.identity(ctx, memberID)
	if who != nil {
		who.TokenID, who.Audience = id, audience
		who.Scopes, err = models.ParseScopes(scopes)
	}
	return who, err
}

// Tokens returns the tokens that a member created, newest first, without those of
// OAuth clients.
func (s *Tokens) Tokens(ctx context.Context, memberID string) ([]models.Token, error) {
	rows, err := s.read.QueryxContext(ctx, `SELECT id, member_id, COALESCE(parent_id, ''), name, scopes, created_at, expires_at, used_at FROM tokens
		WHERE member_id = $1 AND grant_id IS NULL ORDER BY id DESC`, memberID)
	if err != nil {
		return nil, err
	}
	var tokens []models.Token
	err = eachRow(rows, func(r *sqlx.Rows) error {
		var t models.Token
		var scopes string
		if err := r.Scan(&t.ID, &t.MemberID, &t.ParentID, &t.Name, &scopes, &t.CreatedAt, &t.ExpiresAt, &t.UsedAt); err != nil {
			return err
		}
		for _, scope := range strings.Fields(scopes) {
			t.Scopes = append(t.Scopes, models.Scope(scope))
		}
		tokens = append(tokens, t)
		return nil
	})
	return tokens, err
}

// RevokeToken revokes a token of a member, and the tokens that were created with
// it. If the member has no such token it returns a NotFound error,
// token_not_found.
func (s *Tokens) RevokeToken(ctx context.Context, memberID, id string) error {
	if !models.Storable(id) {
		return errTokenNotFound
	}
	return s.update(ctx, func(t *tx) error {
		n, err := t.affected(ctx, `DELETE FROM tokens WHERE id = $1 AND member_id = $2 AND grant_id IS NULL`, id, memberID) // deletes what refers to it
		if err == nil && n == 0 {
			err = errTokenNotFound
		}
		return err
	})
}

var errTokenNotFound = &problem.Error{Kind: problem.NotFound, Code: "token_not_found", Message: problem.Programf("You have no such token."),
	Hint: problem.Programf("List yours with GET /api/tokens.")}
