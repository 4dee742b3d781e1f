package models

import (
	"context"
	"time"
)

// Passkey is a key in the hands of a member, who may sign in with it.
type Passkey struct {
	ID         string // UUIDv7
	MemberID   string
	KeyID      string // of the credential, base64url
	Name       string // as the member calls it
	Credential string // what WebAuthn needs to check it, as JSON
	CreatedAt  Time
	UsedAt     Time // last use; 0 for never
}

// MaxPasskeys is how many passkeys a member may have.
const MaxPasskeys = 20

// ceremonyTime is how long somebody may take over a passkey.
const ceremonyTime = 10 * time.Minute

// BeginCeremony keeps what a ceremony of WebAuthn must remember until the browser
// answers, under a code for that browser. The member is "" for nobody.
func (s *AccountStore) BeginCeremony(ctx context.Context, memberID, data string) (code string, err error) {
	code = NewSecret()
	return code, s.addCode(ctx, code, codeCeremony(memberID), memberID, data, ceremonyTime)
}

// EndCeremony takes out what a ceremony remembers, once.
func (s *AccountStore) EndCeremony(ctx context.Context, code, memberID string) (data string, err error) {
	err = s.update(ctx, func(t *tx) error {
		var of string
		if data, of, err = t.useCode(ctx, code, codeCeremony(memberID)); err == nil && of != memberID {
			err = &Error{Kind: NotFound, Code: "code_invalid", Message: "Somebody else began this.", Hint: "Begin again."}
		}
		return err
	})
	return data, err
}

// codeCeremony is the purpose of a ceremony: to add a passkey, or to sign in.
func codeCeremony(memberID string) string {
	if memberID == "" {
		return "passkey_sign_in"
	}
	return "passkey_add"
}

// AddPasskey gives a member one more key.
func (s *AccountStore) AddPasskey(ctx context.Context, p *Passkey) error {
	if p.Name == "" || len(p.Name) > 4*MaxName || !storable(p.Name) {
		return invalidFields([]FieldError{{"name", "invalid_value", "Call the passkey something, in at most 60 characters."}})
	}
	p.ID, p.CreatedAt = s.newID(), s.now()
	return s.update(ctx, func(t *tx) error {
		n, err := t.affected(ctx, `INSERT INTO passkeys (id, key_id, member_id, name, credential, created_at, used_at)
			SELECT $1, $2, $3, $4, $5, $6, 0 WHERE (SELECT COUNT(*) FROM passkeys WHERE member_id = $3) < $7 ON CONFLICT DO NOTHING`,
			p.ID, p.KeyID, p.MemberID, p.Name, p.Credential, p.CreatedAt, MaxPasskeys)
		if err == nil && n == 0 {
			err = &Error{Kind: Conflict, Code: "too_many_passkeys", Message: "You have as many passkeys as a member may have, or this one already.",
				Hint: "Remove one you do not use at /account/passkeys."}
		}
		return err
	})
}

// Passkeys are a member's keys, the oldest first.
func (s *AccountStore) Passkeys(ctx context.Context, memberID string) ([]Passkey, error) {
	if !storable(memberID) {
		return nil, nil
	}
	var list []Passkey
	err := s.read.SelectContext(ctx, &list, `SELECT id, key_id, member_id, name, credential, created_at, used_at FROM passkeys
		WHERE member_id = $1 ORDER BY id`, memberID)
	return list, err
}

// UsePasskey notes that a key was used, and how its credential is now.
func (s *AccountStore) UsePasskey(ctx context.Context, id, credential string) error {
	return s.update(ctx, func(t *tx) error {
		_, err := t.ExecContext(ctx, `UPDATE passkeys SET credential = $2, used_at = $3 WHERE id = $1`, id, credential, s.now())
		return err
	})
}

// RemovePasskey takes a key from its member; NotFound passkey_not_found when it is
// not theirs.
func (s *AccountStore) RemovePasskey(ctx context.Context, memberID, id string) error {
	gone := &Error{Kind: NotFound, Code: "passkey_not_found", Message: "You have no such passkey.", Hint: "See yours at /account/passkeys."}
	if !storable(id) {
		return gone
	}
	return s.update(ctx, func(t *tx) error {
		n, err := t.affected(ctx, `DELETE FROM passkeys WHERE id = $1 AND member_id = $2`, id, memberID)
		if err == nil && n == 0 {
			err = gone
		}
		return err
	})
}
