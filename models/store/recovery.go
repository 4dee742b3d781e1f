package store

import (
	"context"
	"fmt"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// AccountChange is a change of a member's password or email address. The member must be
// notified of it.
type AccountChange struct {
	Account  *models.Account // after the change
	OldEmail string          // address before the change
	Undo     string          // code for UndoChange, valid for 72 hours
}

// BeginPasswordReset returns a code to send to the address for ResetPassword.
// The code is empty if the address has no account; callers must then respond as
// usual. Both cases take the same time.
func (s *Accounts) BeginPasswordReset(ctx context.Context, email string) (code string, err error) {
	email, ok := models.ParseEmail(email)
	if !ok {
		return "", errNotEmail
	}
	account, err := s.accountBy(ctx, "email", email)
	if err != nil {
		return "", err
	}
	code = models.NewSecret()
	if account == nil {
		return "", s.addCode(ctx, code, oneTimeCode{Purpose: codeNone}, ResetLifetime)
	}
	return code, s.update(ctx, func(t *tx) error {
		if err := lockAccount(ctx, t, account); err != nil {
			return err
		}
		return addCode(ctx, t, code, oneTimeCode{Purpose: codeReset, MemberID: account.MemberID}, ResetLifetime)
	})
}

var errNotEmail = models.InvalidField("email", "invalid_value", "Enter an email address such as name@example.org.")

// ResetPassword sets a new password using an emailed code. It ends all sessions,
// tokens and codes of the member, suspends their passkeys, and clears the failed
// login attempts on the account.
func (s *Accounts) ResetPassword(ctx context.Context, code, password string) (*AccountChange, error) {
	account, err := s.accountOfCode(ctx, code, codeReset)
	if err != nil {
		return nil, err
	}
	hash, err := newPassword(ctx, password, account.Email)
	if err != nil {
		return nil, err
	}
	return s.changeAccount(ctx, account, func(t *tx, a *models.Account) error {
		if _, err := useCode(ctx, t, code, codeReset); err != nil {
			return err
		}
		if err := setPassword(ctx, t, a, hash); err != nil {
			return err
		}
		if err := endSupersededUndo(ctx, t, a); err != nil {
			return err
		}
		if err := clearAttempts(ctx, t, accountSubject(a.Email)); err != nil {
			return err
		}
		return recoverAccount(ctx, t, a, "")
	})
}

// ChangePassword replaces a member's password after verifying the old one. It ends
// all their sessions, tokens and codes. The attempts of a client are limited as in
// SignIn.
func (s *Accounts) ChangePassword(ctx context.Context, account *models.Account, old, password, client string) (*AccountChange, error) {
	if err := s.CheckPassword(ctx, account, "old_password", old, client); err != nil {
		return nil, err
	}
	hash, err := newPassword(ctx, password, account.Email)
	if err != nil {
		return nil, err
	}
	return s.changeAccount(ctx, account, func(t *tx, a *models.Account) error {
		if err := limitChanges(ctx, t, a.MemberID); err != nil {
			return err
		}
		if err := setPassword(ctx, t, a, hash); err != nil {
			return err
		}
		return endCredentials(ctx, t, a, "")
	})
}

// BeginEmailChange returns a code to send to the new address for ConfirmEmail.
// The code is empty if the address already has an account; callers must then
// respond as usual. It ends the tokens and codes of the member, and their sessions
// except the one with the given secret.
func (s *Accounts) BeginEmailChange(ctx context.Context, account *models.Account, email, session string) (code string, err error) {
	email, ok := models.ParseEmail(email)
	if !ok {
		return "", errNotEmail
	}
	other, err := s.accountBy(ctx, "email", email)
	if err != nil {
		return "", err
	}
	code = models.NewSecret()
	c := oneTimeCode{Purpose: codeEmail, MemberID: account.MemberID, Email: email}
	if other != nil {
		c.Purpose = codeNone
	}
	err = s.update(ctx, func(t *tx) error {
		a := *account
		if err := lockAccount(ctx, t, &a); err != nil {
			return err
		}
		if err := limitChanges(ctx, t, a.MemberID); err != nil {
			return err
		}
		if err := endCredentials(ctx, t, &a, session); err != nil {
			return err
		}
		return addCode(ctx, t, code, c, signUpCodeLifetime)
	})
	if err != nil || other != nil {
		return "", err
	}
	return code, nil
}

// ConfirmEmail changes the email address of an account using an emailed code and
// the member's password, whose attempts are limited as in SignIn. It ends the
// tokens and codes of the member, and their sessions except the one with the given
// secret, and suspends their passkeys.
func (s *Accounts) ConfirmEmail(ctx context.Context, code, password, client, session string) (*AccountChange, error) {
	account, err := s.accountOfCode(ctx, code, codeEmail)
	if err != nil {
		return nil, err
	}
	if err := s.CheckPassword(ctx, account, "password", password, client); err != nil {
		return nil, err
	}
	return s.changeAccount(ctx, account, func(t *tx, a *models.Account) error {
		c, err := useCode(ctx, t, code, codeEmail)
		if err != nil {
			return err
		}
		if err := limitChanges(ctx, t, a.MemberID); err != nil {
			return err
		}
		if err := setEmail(ctx, t, a, c.Email); err != nil {
			return err
		}
		return recoverAccount(ctx, t, a, session)
	})
}

// ReplaceEmail changes the email address of a member who can no longer read theirs, for an operator.
// It returns a code to send to the new address for ResetPassword, and ends and suspends what
// ConfirmEmail does.
func (s *Accounts) ReplaceEmail(ctx context.Context, account *models.Account, email string) (change *AccountChange, reset string, err error) {
	email, ok := models.ParseEmail(email)
	if !ok {
		return nil, "", errNotEmail
	}
	reset = models.NewSecret()
	change, err = s.changeAccount(ctx, account, func(t *tx, a *models.Account) error {
		if err := limitChanges(ctx, t, a.MemberID); err != nil {
			return err
		}
		if err := setEmail(ctx, t, a, email); err != nil {
			return err
		}
		if err := recoverAccount(ctx, t, a, ""); err != nil {
			return err
		}
		return addCode(ctx, t, reset, oneTimeCode{Purpose: codeReset, MemberID: a.MemberID}, ResetLifetime)
	})
	return change, reset, err
}

// UndoChange restores the email address before a change, using the code of the
// change. It ends all sessions, tokens and codes of the member, suspends their
// passkeys, and unsets the password, because whoever made the change knew it or
// chose it. It returns the restored address and a code to send there for
// ResetPassword.
func (s *Accounts) UndoChange(ctx context.Context, code string) (email, reset string, err error) {
	account, err := s.accountOfCode(ctx, code, codeUndo)
	if err != nil {
		return "", "", err
	}
	reset = models.NewSecret()
	err = s.update(ctx, func(t *tx) error {
		a := *account
		if err := lockAccount(ctx, t, &a); err != nil {
			return err
		}
		c, err := useCode(ctx, t, code, codeUndo)
		if err != nil {
			return err
		}
		email = c.Email
		if err := setEmail(ctx, t, &a, email); err != nil {
			return err
		}
		if err := setPassword(ctx, t, &a, ""); err != nil {
			return err
		}
		if err := endUndoSince(ctx, t, a.MemberID, c.ExpiresAt); err != nil {
			return err
		}
		if err := recoverAccount(ctx, t, &a, ""); err != nil {
			return err
		}
		return addCode(ctx, t, reset, oneTimeCode{Purpose: codeReset, MemberID: a.MemberID}, ResetLifetime)
	})
	return email, reset, err
}

// accountOfCode returns the account that a valid code belongs to.
func (s *Accounts) accountOfCode(ctx context.Context, code, purpose string) (*models.Account, error) {
	c, err := s.code(ctx, code, purpose)
	if err != nil {
		return nil, err
	}
	return s.Account(ctx, c.MemberID)
}

// newPassword validates a new password and returns its hash.
func newPassword(ctx context.Context, password, email string) (hash string, err error) {
	if bad := models.CheckPassword(password, "", email); bad != nil {
		return "", models.InvalidFields([]problem.FieldError{*bad})
	}
	return models.HashPassword(ctx, password)
}

// changeAccount changes a locked account in a transaction, and adds the code that
// undoes the change.
func (s *Accounts) changeAccount(ctx context.Context, account *models.Account, change func(*tx, *models.Account) error) (*AccountChange, error) {
	done := &AccountChange{OldEmail: account.Email, Undo: models.NewSecret()}
	err := s.update(ctx, func(t *tx) error {
		a := *account
		done.Account = &a
		if err := lockAccount(ctx, t, &a); err != nil {
			return err
		}
		if err := change(t, &a); err != nil {
			return err
		}
		return addCode(ctx, t, done.Undo, oneTimeCode{Purpose: codeUndo, MemberID: a.MemberID, Email: account.Email}, undoCodeLifetime)
	})
	return done, err
}

// lockAccount locks the row of an account until the end of the transaction. It
// returns errCredentialsEnded if the credentials of the account have ended since a
// was read.
func lockAccount(ctx context.Context, t *tx, a *models.Account) error {
	n, err := t.affected(ctx, `UPDATE accounts SET generation = generation WHERE member_id = $1 AND generation = $2`, a.MemberID, a.Generation)
	if err == nil && n == 0 {
		err = errCredentialsEnded
	}
	return err
}

var errCredentialsEnded = &problem.Error{Kind: problem.Unauthenticated, Code: "unauthenticated", Message: problem.Textf("You've been signed out because the account was changed."),
	Hint: problem.Textf("Sign in again.")}

func setPassword(ctx context.Context, t *tx, a *models.Account, hash string) error {
	a.Password = hash
	_, err := t.ExecContext(ctx, `UPDATE accounts SET password = $2 WHERE member_id = $1`, a.MemberID, hash)
	return err
}

// setEmail changes the address of an account. If another account has it, setEmail
// returns a Conflict error, email_taken.
func setEmail(ctx context.Context, t *tx, a *models.Account, email string) error {
	a.Email = email
	n, err := t.affected(ctx, `UPDATE accounts SET email = $2
		WHERE member_id = $1 AND NOT EXISTS (SELECT 1 FROM accounts WHERE email = $2 AND member_id <> $1)`, a.MemberID, email)
	if err == nil && n == 0 {
		err = errEmailTaken
	}
	return err
}

// recoverAccount ends the credentials of an account, suspends its passkeys, and
// forgets the networks its member has signed in from.
func recoverAccount(ctx context.Context, t *tx, a *models.Account, session string) error {
	if _, err := t.ExecContext(ctx, `UPDATE passkeys SET suspended = TRUE WHERE member_id = $1`, a.MemberID); err != nil {
		return err
	}
	if _, err := t.ExecContext(ctx, `DELETE FROM login_networks WHERE member_id = $1`, a.MemberID); err != nil {
		return err
	}
	return endCredentials(ctx, t, a, session)
}

// endCredentials ends the sessions of an account, except the one with the given
// secret, its grants, its tokens and its codes, except those that undo changes: they must
// survive what an intruder does next.
func endCredentials(ctx context.Context, t *tx, a *models.Account, session string) error {
	a.Generation++
	if _, err := t.ExecContext(ctx, `UPDATE accounts SET generation = $2 WHERE member_id = $1`, a.MemberID, a.Generation); err != nil {
		return err
	}
	if _, err := t.ExecContext(ctx, `DELETE FROM sessions WHERE member_id = $1 AND hash <> $2`, a.MemberID, models.SecretHash(session)); err != nil {
		return err
	}
	if err := endGrants(ctx, t, a.MemberID); err != nil {
		return err
	}
	if _, err := t.ExecContext(ctx, `DELETE FROM tokens WHERE member_id = $1`, a.MemberID); err != nil {
		return err
	}
	_, err := t.ExecContext(ctx, `DELETE FROM codes WHERE member_id = $1 AND purpose <> 'undo'`, a.MemberID)
	return err
}

// endSupersededUndo ends the undo codes of an account that are no older than the
// first one that restores its current address. Whoever reads mail at that address
// was there before the addresses that those codes restore. Older codes remain: they
// are for the member whose address an intruder replaced.
func endSupersededUndo(ctx context.Context, t *tx, a *models.Account) error {
	var since models.Time
	err := t.GetContext(ctx, &since, `SELECT COALESCE(MIN(expires_at), 0) FROM codes WHERE member_id = $1 AND purpose = 'undo' AND email = $2`, a.MemberID, a.Email)
	if err != nil || since == 0 {
		return err
	}
	return endUndoSince(ctx, t, a.MemberID, since)
}

// endUndoSince ends the undo codes of a member that expire at a time or later.
func endUndoSince(ctx context.Context, t *tx, memberID string, expiresAt models.Time) error {
	_, err := t.ExecContext(ctx, `DELETE FROM codes WHERE member_id = $1 AND purpose = 'undo' AND expires_at >= $2`, memberID, expiresAt)
	return err
}

// maxChanges is the maximum number of changes of an account that can be undone.
const maxChanges = 10

// limitChanges returns a TooMany error if a member has changed the password or the
// email address too often.
func limitChanges(ctx context.Context, t *tx, memberID string) error {
	begun := fmt.Sprintf("expires_at - %d", undoCodeLifetime.Milliseconds())
	wait, err := retryAfter(ctx, t, `SELECT `+begun+` FROM codes WHERE member_id = $1 AND purpose = 'undo' AND `+begun+` > $2`,
		memberID, maxChanges, undoCodeLifetime, t.db.now())
	if err == nil && wait > 0 {
		return &problem.Error{Kind: problem.TooMany, Code: "too_many_changes", Message: problem.Textf("You've changed your password or email address too many times."),
			Hint: problem.Textf("Try again in a few days, or reset your password."), Wait: wait}
	}
	return err
}
