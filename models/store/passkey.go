package store

import (
	"context"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// MaxPasskeys is the maximum number of passkeys a member may have.
const MaxPasskeys = 20

// ceremonyTimeout is how long a WebAuthn ceremony may take.
const ceremonyTimeout = 10 * time.Minute

// BeginCeremony stores the session data of a WebAuthn ceremony and returns a
// code for the browser. The member is "" when signing in.
func (s *Accounts) BeginCeremony(ctx context.Context, memberID, data string) (code string, err error) {
	code = models.NewSecret()
	return code, s.addCode(ctx, code, oneTimeCode{Purpose: codeCeremony(memberID), MemberID: memberID, Payload: data}, ceremonyTimeout)
}

// EndCeremony deletes and returns the session data of a ceremony.
func (s *Accounts) EndCeremony(ctx context.Context, code, memberID string) (data string, err error) {
	err = s.update(ctx, func(t *tx) error {
		c, err := useCode(ctx, t, code, codeCeremony(memberID))
		if err != nil {
			return err
		}
		if c.MemberID != memberID {
			return &problem.Error{Kind: problem.NotFound, Code: "code_invalid", Message: problem.Textf("Another member started this."), Hint: problem.Textf("Start again.")}
		}
		data = c.Payload
		return nil
	})
	return data, err
}

// codeCeremony returns the code purpose of a ceremony: adding a passkey or
// signing in.
func codeCeremony(memberID string) string {
	if memberID == "" {
		return "passkey_sign_in"
	}
	return "passkey_add"
}

// AddPasskey adds a passkey to an account. It fails if the credentials of the
// account have ended since a was read.
func (s *Accounts) AddPasskey(ctx context.Context, a *models.Account, p *models.Passkey) error {
	if p.Name == "" || len(p.Name) > 4*models.MaxName || !models.Storable(p.Name) {
		return models.InvalidField("name", "invalid_value", "Enter a name of at most 60 characters for the passkey.")
	}
	p.ID, p.MemberID, p.CreatedAt = s.newID(), a.MemberID, s.now()
	return s.update(ctx, func(t *tx) error {
		if err := lockAccount(ctx, t, a); err != nil {
			return err
		}
		n, err := t.affected(ctx, `INSERT INTO passkeys (id, key_id, member_id, name, credential, created_at, used_at)
			SELECT $1, $2, $3, $4, $5, $6, 0 WHERE (SELECT COUNT(*) FROM passkeys WHERE member_id = $3) < $7 ON CONFLICT DO NOTHING`,
			p.ID, p.KeyID, p.MemberID, p.Name, p.Credential, p.CreatedAt, MaxPasskeys)
		if err == nil && n == 0 {
			err = &problem.Error{Kind: problem.Conflict, Code: "too_many_passkeys", Message: problem.Textf("This passkey is already registered, or you've reached the limit of 20 passkeys."),
				Hint: problem.Programf("Manage your passkeys at /account/passkeys.")}
		}
		return err
	})
}

// Passkeys returns a member's passkeys, oldest first.
func (s *Accounts) Passkeys(ctx context.Context, memberID string) ([]models.Passkey, error) {
	if !models.Storable(memberID) {
		return nil, nil
	}
	var list []models.Passkey
	err := s.read.SelectContext(ctx, &list, `SELECT id, key_id, member_id, name, credential, created_at, used_at, suspended FROM passkeys
		WHERE member_id = $1 ORDER BY id`, memberID)
	return list, err
}

// UsePasskey records that a passkey was used and stores its updated credential.
func (s *Accounts) UsePasskey(ctx context.Context, id, credential string) error {
	return s.update(ctx, func(t *tx) error {
		_, err := t.ExecContext(ctx, `UPDATE passkeys SET credential = $2, used_at = $3 WHERE id = $1`, id, credential, s.now())
		return err
	})
}

// KeepPasskey ends the suspension of a member's passkey. If the member has no such
// passkey it returns a NotFound error, passkey_not_found.
func (s *Accounts) KeepPasskey(ctx context.Context, memberID, id string) error {
	return s.onePasskey(ctx, `UPDATE passkeys SET suspended = FALSE WHERE id = $1 AND member_id = $2`, id, memberID)
}

// RemovePasskey removes a member's passkey. If the member has no such passkey
// it returns a NotFound error, passkey_not_found.
func (s *Accounts) RemovePasskey(ctx context.Context, memberID, id string) error {
	return s.onePasskey(ctx, `DELETE FROM passkeys WHERE id = $1 AND member_id = $2`, id, memberID)
}

// onePasskey executes a statement on the passkey with an id, $1, of a member, $2.
func (s *Accounts) onePasskey(ctx context.Context, statement, id, memberID string) error {
	if !models.Storable(id) {
		return errPasskeyNotFound
	}
	return s.update(ctx, func(t *tx) error {
		n, err := t.affected(ctx, statement, id, memberID)
		if err == nil && n == 0 {
			err = errPasskeyNotFound
		}
		return err
	})
}

var errPasskeyNotFound = &problem.Error{Kind: problem.NotFound, Code: "passkey_not_found", Message: problem.Textf("You don't have this passkey."),
	Hint: problem.Programf("Your passkeys are at /account/passkeys.")}

// HasSuspendedPasskeys reports whether a member has passkeys to keep or remove.
func (s *Accounts) HasSuspendedPasskeys(ctx context.Context, memberID string) (some bool, err error) {
	err = s.read.GetContext(ctx, &some, `SELECT EXISTS (SELECT 1 FROM passkeys WHERE member_id = $1 AND suspended)`, memberID)
	return some, err
}
