package models

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"time"
)

const (
	// keptFor is how long the answer of a write that was named with a key is told again.
	keptFor = 24 * time.Hour
	// claimedFor is how long a write may be under way before its process counts as dead.
	claimedFor = time.Minute
	// MaxKeys is how many keys a member may use within keptFor.
	MaxKeys = 5000
)

// A claim goes through these states, and never back.
const (
	claimed  = iota
	done     // what the write changed is committed
	answered // and its answer is kept
)

// Claim is the right to do a write that was named with a key. Every change made
// under its context is committed together with the word that it was, or not at all.
type Claim struct {
	memberID, operation, key, hash string
	at                             Time
}

type (
	claimKey      struct{}
	repeatableKey struct{}
)

// Under is a context in which the write is done.
func (c *Claim) Under(ctx context.Context) context.Context {
	return context.WithValue(ctx, claimKey{}, c)
}

// Repeatable returns a context for a write of several transactions that may be
// repeated after some of them, such as an import. Its transactions check that the
// claim is still held and prolong it; the write counts as done with Answered.
func Repeatable(ctx context.Context) context.Context {
	return context.WithValue(ctx, repeatableKey{}, true)
}

// Claim claims a write for whoever asks first. When it was done already, claim is
// nil, and answer is what was kept of it. The request is a hash of what is asked:
// the same key for something else is refused, and so is a write under way.
func (s *AccountStore) Claim(ctx context.Context, memberID, operation, key, request string) (claim *Claim, answer []byte, err error) {
	c := &Claim{memberID, operation, key, secretHash(operation + "\n" + key), s.now()}
	err = s.update(ctx, func(t *tx) error {
		claim, answer = nil, nil
		if _, err := t.ExecContext(ctx, `DELETE FROM idempotency WHERE claimed_at <= $1`, c.at-Time(keptFor.Milliseconds())); err != nil {
			return err
		}
		n, err := t.affected(ctx, `INSERT INTO idempotency (member_id, operation, key_hash, request, state, answer, claimed_at)
			SELECT $1, $2, $3, $4, $5, '', $6 WHERE (SELECT COUNT(*) FROM idempotency WHERE member_id = $1) < $7
			ON CONFLICT (member_id, operation, key_hash) DO NOTHING`, memberID, operation, c.hash, request, claimed, c.at, MaxKeys)
		if n == 1 || err != nil {
			claim = c
			return err
		}
		claim, answer, err = c.again(ctx, t, request)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	return claim, answer, nil
}

// again looks at a write that was claimed before.
func (c *Claim) again(ctx context.Context, t *tx, request string) (*Claim, []byte, error) {
	var rows []struct {
		Request, Answer string
		State           int
		ClaimedAt       Time
	}
	err := t.SelectContext(ctx, &rows, `SELECT request, answer, state, claimed_at FROM idempotency WHERE member_id = $1 AND operation = $2 AND key_hash = $3`,
		c.memberID, c.operation, c.hash)
	switch {
	case err != nil:
		return nil, nil, err
	case len(rows) == 0:
		wait, err := t.until(ctx, `SELECT claimed_at FROM idempotency WHERE member_id = $1 AND claimed_at > $2`, c.memberID, MaxKeys, keptFor, c.at)
		if err != nil {
			return nil, nil, err
		}
		return nil, nil, &Error{Kind: TooMany, Code: "too_many_keys", Message: fmt.Sprintf("You have used %d keys within a day.", MaxKeys),
			Hint: "Leave Idempotency-Key out, or go on when the first of them are a day old.", Wait: wait}
	case rows[0].Request != request:
		return nil, nil, &Error{Kind: Invalid, Code: "idempotency_key_reused", Message: "The key was used for another request.",
			Hint: "Make a new key for each write; send the same one only to send the same write again."}
	case rows[0].State == answered:
		answer, err := c.open(rows[0].Answer)
		return nil, answer, err
	case rows[0].State == done && c.at-rows[0].ClaimedAt > Time(claimedFor.Milliseconds()):
		return nil, nil, &Error{Kind: Conflict, Code: "idempotency_answer_lost", Message: "The write was done, and its answer was lost.",
			Hint: "Do not send it again: read what there is now."}
	case rows[0].State == done || c.at-rows[0].ClaimedAt <= Time(claimedFor.Milliseconds()):
		return nil, nil, &Error{Kind: Conflict, Code: "idempotency_in_progress", Message: "The first request with this key is under way.",
			Hint: "Wait a second and send the same again; it is not done twice."}
	}
	// Whoever claimed it is dead, and changed nothing.
	n, err := t.affected(ctx, `UPDATE idempotency SET claimed_at = $4 WHERE member_id = $1 AND operation = $2 AND key_hash = $3 AND state = $5 AND claimed_at = $6`,
		c.memberID, c.operation, c.hash, c.at, claimed, rows[0].ClaimedAt)
	if err == nil && n == 0 {
		err = errClaimLost
	}
	return c, nil, err
}

var errClaimLost = &Error{Kind: Conflict, Code: "idempotency_in_progress", Message: "Another request with this key is under way.",
	Hint: "Wait a second and send the same again; it is not done twice."}

// mark notes in a transaction that it is the one of a claim. A claim that was
// taken over by another request commits nothing any more. The returned function,
// if not nil, is to be called after the commit.
func (t *tx) mark(ctx context.Context) (committed func(), err error) {
	c, ok := ctx.Value(claimKey{}).(*Claim)
	if !ok {
		return nil, nil
	}
	next, at := done, c.at
	if ctx.Value(repeatableKey{}) != nil {
		next, at = claimed, max(c.at, t.db.now())
	}
	n, err := t.affected(ctx, `UPDATE idempotency SET state = $5, claimed_at = $6 WHERE member_id = $1 AND operation = $2 AND key_hash = $3 AND claimed_at = $4`,
		c.memberID, c.operation, c.hash, c.at, next, at)
	if err == nil && n == 0 {
		err = errClaimLost
	}
	return func() { c.at = at }, err
}

// Answered keeps the answer of a write that is done.
func (s *AccountStore) Answered(ctx context.Context, c *Claim, answer []byte) error {
	sealed, err := c.seal(answer)
	if err != nil {
		return err
	}
	return s.update(ctx, func(t *tx) error {
		_, err := t.ExecContext(ctx, `UPDATE idempotency SET state = $5, answer = $6 WHERE member_id = $1 AND operation = $2 AND key_hash = $3 AND claimed_at = $4`,
			c.memberID, c.operation, c.hash, c.at, answered, sealed)
		return err
	})
}

// Release gives a claim back whose write changed nothing, so that it may be tried again.
func (s *AccountStore) Release(ctx context.Context, c *Claim) error {
	return s.update(ctx, func(t *tx) error {
		_, err := t.ExecContext(ctx, `DELETE FROM idempotency WHERE member_id = $1 AND operation = $2 AND key_hash = $3 AND claimed_at = $4 AND state = $5`,
			c.memberID, c.operation, c.hash, c.at, claimed)
		return err
	})
}

// cipher seals answers, which hold what members write each other, and tokens,
// with the key that only the one who made it has.
func (c *Claim) cipher() (cipher.AEAD, error) {
	secret, err := hkdf.Key(sha256.New, []byte(c.key), []byte(c.memberID), "answer of "+c.operation, 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(secret)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

func (c *Claim) seal(answer []byte) (string, error) {
	aead, err := c.cipher()
	if err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(aead.Seal(nil, nil, answer, nil)), nil
}

func (c *Claim) open(sealed string) ([]byte, error) {
	raw, err := base64.StdEncoding.DecodeString(sealed)
	if err != nil {
		return nil, err
	}
	aead, err := c.cipher()
	if err != nil {
		return nil, err
	}
	answer, err := aead.Open(nil, nil, raw, nil)
	if err != nil {
		return nil, errors.New("a kept answer cannot be opened")
	}
	return answer, nil
}
