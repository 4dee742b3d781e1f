package models

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/secondlight/secondlight/models/problem"
)

// Lifetimes of emailed codes.
const (
	signUpCodeLifetime = 24 * time.Hour
	resetCodeLifetime  = time.Hour
)

// Purposes of emailed codes.
const (
	codeSignUp = "sign_up"
	codeReset  = "reset"
	codeEmail  = "email"
	codeNone   = "none" // never valid: stored only so that both cases take the same time
)

func (s *AccountStore) addCode(ctx context.Context, code, purpose, memberID, payload string, valid time.Duration) error {
	now := s.now()
	return s.update(ctx, func(t *tx) error {
		if _, err := t.ExecContext(ctx, `DELETE FROM codes WHERE expires_at < $1`, now); err != nil {
			return err
		}
		_, err := t.ExecContext(ctx, `INSERT INTO codes (hash, purpose, member_id, payload, expires_at) VALUES ($1, $2, $3, $4, $5)`,
			secretHash(code), purpose, nullable(memberID), payload, now+Time(valid.Milliseconds()))
		return err
	})
}

// useCode deletes a valid code and returns its payload. Of several concurrent
// callers one succeeds.
func (t *tx) useCode(ctx context.Context, code, purpose string) (payload, memberID string, err error) {
	err = t.QueryRowxContext(ctx, `DELETE FROM codes WHERE hash = $1 AND purpose = $2 AND expires_at > $3 RETURNING payload, COALESCE(member_id, '')`,
		secretHash(code), purpose, t.db.now()).Scan(&payload, &memberID)
	if errors.Is(err, sql.ErrNoRows) {
		err = &problem.Error{Kind: problem.NotFound, Code: "code_invalid", Message: "This link has expired or has already been used.",
			Hint: "Request a new one."}
	}
	return payload, memberID, err
}
