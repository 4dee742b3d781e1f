package models

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models/problem"
)

// tokenPrefix starts all tokens, so that secret scanners recognise them.
const tokenPrefix = "sl_"

// MaxTokens is the maximum number of active tokens a member may have.
const MaxTokens = 50

// CreateToken creates a token from a name, scopes and an optional expiry, sets
// its other fields, and returns its secret, which can't be retrieved later.
func (s *AccountStore) CreateToken(ctx context.Context, memberID string, t *Token) (secret string, err error) {
	t.Name = strings.TrimSpace(t.Name)
	if n := utf8.RuneCountInString(t.Name); n == 0 || n > 60 || !storable(t.Name) {
		return "", invalidField("name", "invalid_value", "Enter a name of 1 to 60 characters that says what the token is for.")
	}
	if _, err := ParseScopes(t.Scopes.String()); err != nil {
		return "", err
	}
	t.ID, t.MemberID, t.CreatedAt, secret = s.newID(), memberID, s.now(), tokenPrefix+NewSecret()
	if t.ExpiresAt != 0 && t.ExpiresAt <= t.CreatedAt {
		return "", invalidField("expires_at", "invalid_value", "The expiry must be in the future.")
	}
	err = s.update(ctx, func(tx *tx) error {
		n, err := tx.affected(ctx, `INSERT INTO tokens (id, hash, member_id, name, scopes, created_at, expires_at, used_at, revoked_at)
			SELECT $1, $2, $3, $4, $5, $6, $7, 0, 0
			WHERE (SELECT COUNT(*) FROM tokens WHERE member_id = $3 AND revoked_at = 0) < $8`,
			t.ID, secretHash(secret), t.MemberID, t.Name, t.Scopes.String(), t.CreatedAt, t.ExpiresAt, MaxTokens)
		if err == nil && n == 0 {
			return &problem.Error{Kind: problem.Conflict, Code: "too_many_tokens", Message: "You have 50 tokens, which is the limit.", Hint: "Revoke one that you no longer use."}
		}
		return err
	})
	return secret, err
}

// TokenIdentity returns the identity of a token, or nil if the secret is
// unknown, revoked or expired.
func (s *AccountStore) TokenIdentity(ctx context.Context, secret string) (*Identity, error) {
	if !strings.HasPrefix(secret, tokenPrefix) {
		return nil, nil
	}
	now := s.now()
	var id, memberID, scopes string
	var used Time
	err := s.read.QueryRowxContext(ctx, `SELECT id, member_id, scopes, used_at FROM tokens
		WHERE hash = $1 AND revoked_at = 0 AND (expires_at = 0 OR expires_at > $2)`, secretHash(secret), now).Scan(&id, &memberID, &scopes, &used)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if now-used > Time(lastUseInterval.Milliseconds()) {
		err := s.update(ctx, func(t *tx) error {
			_, err := t.ExecContext(ctx, `UPDATE tokens SET used_at = $2 WHERE id = $1`, id, now)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	who, err := s.identity(ctx, memberID)
	if who != nil {
		who.TokenID = id
		who.Scopes, err = ParseScopes(scopes)
	}
	return who, err
}

// Tokens returns a member's tokens that are not revoked, newest first.
func (s *AccountStore) Tokens(ctx context.Context, memberID string) ([]Token, error) {
	rows, err := s.read.QueryxContext(ctx, `SELECT id, member_id, name, scopes, created_at, expires_at, used_at, revoked_at FROM tokens
		WHERE member_id = $1 AND revoked_at = 0 ORDER BY id DESC`, memberID)
	if err != nil {
		return nil, err
	}
	var tokens []Token
	err = eachRow(rows, func(r *sqlx.Rows) error {
		var t Token
		var scopes string
		if err := r.Scan(&t.ID, &t.MemberID, &t.Name, &scopes, &t.CreatedAt, &t.ExpiresAt, &t.UsedAt, &t.RevokedAt); err != nil {
			return err
		}
		for _, scope := range strings.Fields(scopes) {
			t.Scopes = append(t.Scopes, Scope(scope))
		}
		tokens = append(tokens, t)
		return nil
	})
	return tokens, err
}

// RevokeToken revokes a token of a member. If the member has no such token it
// returns a NotFound error, token_not_found.
func (s *AccountStore) RevokeToken(ctx context.Context, memberID, id string) error {
	if !storable(id) {
		return errTokenNotFound
	}
	return s.update(ctx, func(t *tx) error {
		n, err := t.affected(ctx, `UPDATE tokens SET revoked_at = $3 WHERE id = $1 AND member_id = $2 AND revoked_at = 0`, id, memberID, s.now())
		if err == nil && n == 0 {
			err = errTokenNotFound
		}
		return err
	})
}

var errTokenNotFound = &problem.Error{Kind: problem.NotFound, Code: "token_not_found", Message: "You have no such token.",
	Hint: "List yours with GET /api/tokens."}
