package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// Lifetimes of emailed codes. ResetLifetime is that of a code for ResetPassword.
const (
	signUpCodeLifetime = 24 * time.Hour
	ResetLifetime      = time.Hour
	undoCodeLifetime   = 72 * time.Hour
)

// Purposes of emailed codes.
const (
	codeSignUp = "sign_up"
	codeReset  = "reset"
	codeEmail  = "email"
	codeUndo   = "undo"
	codeNone   = "none" // never valid: stored only so that both cases take the same time
)

// oneTimeCode describes a one-time code without its secret.
type oneTimeCode struct {
	Purpose   string
	MemberID  string // "" for none
	Email     string // address that the code confirms or restores, or ""
	Payload   string
	ExpiresAt models.Time
}

func (s *Accounts) addCode(ctx context.Context, secret string, c oneTimeCode, lifetime time.Duration) error {
	return s.update(ctx, func(t *tx) error { return addCode(ctx, t, secret, c, lifetime) })
}

// addCode stores a code for its lifetime, and deletes expired ones.
func addCode(ctx context.Context, t *tx, secret string, c oneTimeCode, lifetime time.Duration) error {
	now := t.db.now()
	if _, err := t.ExecContext(ctx, `DELETE FROM codes WHERE expires_at < $1`, now); err != nil {
		return err
	}
	_, err := t.ExecContext(ctx, `INSERT INTO codes (hash, purpose, member_id, email, payload, expires_at) VALUES ($1, $2, $3, $4, $5, $6)`,
		models.SecretHash(secret), c.Purpose, models.Nullable(c.MemberID), c.Email, c.Payload, now.Add(lifetime))
	return err
}

const codeColumns = `purpose, COALESCE(member_id, '') AS member_id, email, payload, expires_at`

// code returns a valid code and leaves it valid.
func (s *Accounts) code(ctx context.Context, secret, purpose string) (*oneTimeCode, error) {
	return scanCode(s.read.QueryRowxContext(ctx, `SELECT `+codeColumns+` FROM codes WHERE hash = $1 AND purpose = $2 AND expires_at > $3`,
		models.SecretHash(secret), purpose, s.now()))
}

// useCode deletes and returns a valid code. Of several concurrent callers one
// succeeds.
func useCode(ctx context.Context, t *tx, secret, purpose string) (*oneTimeCode, error) {
	return scanCode(t.QueryRowxContext(ctx, `DELETE FROM codes WHERE hash = $1 AND purpose = $2 AND expires_at > $3 RETURNING `+codeColumns,
		models.SecretHash(secret), purpose, t.db.now()))
}

// scanCode scans a row of codeColumns. Without one it returns a NotFound error,
// code_invalid.
func scanCode(row *sqlx.Row) (*oneTimeCode, error) {
	var c oneTimeCode
	err := row.StructScan(&c)
	if errors.Is(err, sql.ErrNoRows) {
		err = &problem.Error{Kind: problem.NotFound, Code: "code_invalid", Message: problem.Textf("This link has expired or has already been used."),
			Hint: problem.Textf("Request a new link.")}
	}
	return &c, err
}
