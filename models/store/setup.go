package store

import (
	"context"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// Setup codes.
const (
	codeSetup         = "setup"
	setupCodeLifetime = 24 * time.Hour
)

// BeginSetup returns the secret of a new one-time link to set up the site, and ends
// earlier ones. If the site is set up it returns a Gone error, set_up_already.
func (s *Accounts) BeginSetup(ctx context.Context) (secret string, err error) {
	secret = models.NewSecret()
	return secret, s.update(ctx, func(t *tx) error {
		if err := requireEmpty(ctx, t); err != nil {
			return err
		}
		if _, err := t.ExecContext(ctx, `DELETE FROM codes WHERE purpose = $1`, codeSetup); err != nil {
			return err
		}
		return addCode(ctx, t, secret, oneTimeCode{Purpose: codeSetup}, setupCodeLifetime)
	})
}

// CheckSetup returns a NotFound error, code_invalid, unless the link has this secret,
// and a Gone error, set_up_already, if the site is set up.
func (s *Accounts) CheckSetup(ctx context.Context, secret string) error {
	if err := requireEmpty(ctx, s.read); err != nil {
		return err
	}
	_, err := s.code(ctx, secret, codeSetup)
	return withSetupHint(err)
}

// SetUp makes the owner an operator and stores the settings, with the secret of the link,
// which ends, and whether the owner wants demonstration data. Callers have checked the
// settings.
func (s *Accounts) SetUp(ctx context.Context, secret string, owner models.Registration, settings *models.SiteSettings, demo bool) (*models.Account, error) {
	if err := s.CheckSetup(ctx, secret); err != nil {
		return nil, err // before the password is hashed, which takes long
	}
	if err := owner.Check(); err != nil {
		return nil, err
	}
	hash, err := models.HashPassword(ctx, owner.Password)
	if err != nil {
		return nil, err
	}
	var m *models.Member
	err = s.update(ctx, func(t *tx) (err error) {
		if err := requireEmpty(ctx, t); err != nil {
			return err
		}
		if _, err := useCode(ctx, t, secret, codeSetup); err != nil {
			return withSetupHint(err)
		}
		m, err = addAccount(ctx, t, pendingAccount{Handle: owner.Handle, Name: owner.Name, Region: owner.Region, Email: owner.Email, PasswordHash: hash, Language: owner.Language}, models.RoleOperator)
		if err != nil {
			return err
		}
		if err := setSite(ctx, t, 0, settings); err != nil {
			return err
		}
		if demo {
			if err := t.setSetting(ctx, demoSetting, "wanted"); err != nil {
				return err
			}
		}
		return audit(ctx, t, &models.AuditEntry{OperatorID: m.ID, Action: models.SetUpSite, Subject: siteSubject, At: t.db.now()})
	})
	if err != nil {
		return nil, err
	}
	return s.Account(ctx, m.ID)
}

// withSetupHint returns a code_invalid error with the way to a new link.
func withSetupHint(err error) error {
	var invalid *problem.Error
	if errors.As(err, &invalid) && invalid.Code == "code_invalid" {
		invalid.Hint = problem.Textf("Run the command secondlight setup for a new one.")
	}
	return err
}

// requireEmpty returns a Gone error, set_up_already, unless the database is empty.
func requireEmpty(ctx context.Context, q sqlx.QueryerContext) error {
	empty, err := isEmpty(ctx, q)
	if err != nil || empty {
		return err
	}
	return &problem.Error{Kind: problem.Gone, Code: "set_up_already", Message: problem.Textf("The site is set up."), Hint: problem.Textf("Sign in to change its settings.")}
}
