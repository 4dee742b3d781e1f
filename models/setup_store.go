package models

import (
	"context"
	"crypto/subtle"
	"time"

	"github.com/secondlight/secondlight/models/problem"
)

// Setup codes.
const (
	codeSetup         = "setup"
	setupCodeLifetime = 24 * time.Hour
)

// NeedsSetup reports whether nobody has set up the site: there are no members, listings
// or sales.
func (s *Store) NeedsSetup(ctx context.Context) (bool, error) { return s.IsEmpty(ctx) }

// BeginSetup returns the secret of a new one-time link to set up the site, and ends
// earlier ones. If the site is set up it returns a Gone error, set_up_already.
func (s *Store) BeginSetup(ctx context.Context) (secret string, err error) {
	secret = NewSecret()
	return secret, s.update(ctx, func(t *tx) error {
		if err := t.requireEmpty(ctx); err != nil {
			return err
		}
		if _, err := t.ExecContext(ctx, `DELETE FROM codes WHERE purpose = $1`, codeSetup); err != nil {
			return err
		}
		return t.addCode(ctx, secret, oneTimeCode{Purpose: codeSetup}, setupCodeLifetime)
	})
}

// CheckSetup returns a NotFound error, code_invalid, unless secret is that of the link,
// and a Gone error, set_up_already, if the site is set up.
func (s *Store) CheckSetup(ctx context.Context, secret string) error {
	return s.update(ctx, func(t *tx) error { return t.checkSetup(ctx, secret) })
}

// SetUp makes the owner an operator and stores the settings, with the secret of the link,
// which ends. Callers have checked the settings.
func (s *Store) SetUp(ctx context.Context, secret string, owner Registration, settings *SiteSettings) (*Account, error) {
	if err := owner.check(); err != nil {
		return nil, err
	}
	hash, err := HashPassword(owner.Password)
	if err != nil {
		return nil, err
	}
	var m *Member
	err = s.update(ctx, func(t *tx) (err error) {
		if err := t.checkSetup(ctx, secret); err != nil {
			return err
		}
		if _, err := t.useCode(ctx, secret, codeSetup); err != nil {
			return err
		}
		m, err = t.addAccount(ctx, pendingAccount{Handle: owner.Handle, Name: owner.Name, Region: owner.Region, Email: owner.Email, PasswordHash: hash, Language: owner.Language}, RoleOperator)
		if err != nil {
			return err
		}
		if err := t.setSite(ctx, 0, settings); err != nil {
			return err
		}
		return t.audit(ctx, &AuditEntry{OperatorID: m.ID, Action: SetUpSite, Subject: siteSubject, At: t.db.now()})
	})
	if err != nil {
		return nil, err
	}
	return s.Account(ctx, m.ID)
}

// checkSetup is CheckSetup.
func (t *tx) checkSetup(ctx context.Context, secret string) error {
	if err := t.requireEmpty(ctx); err != nil {
		return err
	}
	var hashes []string
	if err := t.SelectContext(ctx, &hashes, `SELECT hash FROM codes WHERE purpose = $1 AND expires_at > $2`, codeSetup, t.db.now()); err != nil {
		return err
	}
	given := []byte(secretHash(secret))
	for _, hash := range hashes {
		if subtle.ConstantTimeCompare([]byte(hash), given) == 1 {
			return nil
		}
	}
	return &problem.Error{Kind: problem.NotFound, Code: "code_invalid", Message: "This link has expired or has already been used.",
		Hint: "Run the command secondlight setup for a new one."}
}

// requireEmpty returns a Gone error, set_up_already, if there are members, listings or
// sales.
func (t *tx) requireEmpty(ctx context.Context) error {
	var some bool
	err := t.GetContext(ctx, &some, `SELECT EXISTS (SELECT 1 FROM members) OR EXISTS (SELECT 1 FROM listings) OR EXISTS (SELECT 1 FROM sales)`)
	if err != nil || !some {
		return err
	}
	return &problem.Error{Kind: problem.Gone, Code: "set_up_already", Message: "The site is set up.", Hint: "Sign in to change its settings."}
}
