package store

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

const (
	// idempotencyLifetime is how long the response of a request with an
	// idempotency key is stored.
	idempotencyLifetime = 24 * time.Hour
	// claimTimeout is how long a request may run before its claim can be taken
	// over.
	claimTimeout = time.Minute
	// MaxIdempotencyKeys is the number of keys a member may use within
	// idempotencyLifetime.
	MaxIdempotencyKeys = 5000
	// MaxResponseStorage is the size of the stored responses of a member, compressed
	// and encoded, in bytes. The oldest are deleted: of them, only the address of the
	// created resource remains.
	MaxResponseStorage = 20_000_000
	// maxStoredResponse is the size of a single response that is stored.
	maxStoredResponse = MaxResponseStorage / 10
)

// The states of a claim, in order.
const (
	claimed   = iota
	done      // the changes are committed
	responded // the response is stored
	evicted   // the response is no longer stored
)

// Claim is the exclusive right to process a request with an idempotency key.
// Changes made under its context are committed together with the claim's state.
type Claim struct {
	memberID, operation, key, hash string
	at                             models.Time
}

type (
	claimKey      struct{}
	repeatableKey struct{}
)

// WithContext returns a context under which the request's changes belong to the
// claim.
func (c *Claim) WithContext(ctx context.Context) context.Context {
	return context.WithValue(ctx, claimKey{}, c)
}

// Repeatable returns a context for a request that commits several transactions
// and can be repeated after any of them, such as an import. Each transaction
// checks and extends the claim; the request is done once StoreResponse is
// called.
func Repeatable(ctx context.Context) context.Context {
	return context.WithValue(ctx, repeatableKey{}, true)
}

// Claim claims a request by its idempotency key. If the request was processed
// before, claim is nil and response is the stored response. The request
// argument is a hash of the request: it returns an error if the key was used
// for a different request, or if the first one is still in progress.
func (s *Tokens) Claim(ctx context.Context, memberID, operation, key, request string) (claim *Claim, response []byte, err error) {
	c := &Claim{memberID, operation, key, models.SecretHash(operation + "\n" + key), s.now()}
	err = s.update(ctx, func(t *tx) error {
		claim, response = nil, nil
		if _, err := t.ExecContext(ctx, `DELETE FROM idempotency WHERE claimed_at <= $1`, c.at.Add(-idempotencyLifetime)); err != nil {
			return err
		}
		n, err := t.affected(ctx, `INSERT INTO idempotency (member_id, operation, key_hash, request, state, answer, claimed_at)
			SELECT $1, $2, $3, $4, $5, '', $6 WHERE (SELECT COUNT(*) FROM idempotency WHERE member_id = $1) < $7
			ON CONFLICT (member_id, operation, key_hash) DO NOTHING`, memberID, operation, c.hash, request, claimed, c.at, MaxIdempotencyKeys)
		if n == 1 || err != nil {
			claim = c
			return err
		}
		claim, response, err = c.reclaim(ctx, t, request)
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	return claim, response, nil
}

// reclaim handles a key that was claimed before: it returns the stored
// response, takes over an abandoned claim, or returns an error.
func (c *Claim) reclaim(ctx context.Context, t *tx, request string) (*Claim, []byte, error) {
	var rows []struct {
		Request, Answer, Location string
		State                     int
		ClaimedAt                 models.Time
	}
	err := t.SelectContext(ctx, &rows, `SELECT request, answer, location, state, claimed_at FROM idempotency WHERE member_id = $1 AND operation = $2 AND key_hash = $3`,
		c.memberID, c.operation, c.hash)
	switch {
	case err != nil:
		return nil, nil, err
	case len(rows) == 0:
		wait, err := retryAfter(ctx, t, `SELECT claimed_at FROM idempotency WHERE member_id = $1 AND claimed_at > $2`, c.memberID, MaxIdempotencyKeys, idempotencyLifetime, c.at)
		if err != nil {
			return nil, nil, err
		}
		return nil, nil, &problem.Error{Kind: problem.TooMany, Code: "too_many_keys", Message: problem.Programf("You have used %d keys within a day.", MaxIdempotencyKeys),
			Hint: problem.Programf("Omit Idempotency-Key, or wait until the first keys are a day old."), Wait: wait}
	case rows[0].Request != request:
		return nil, nil, &problem.Error{Kind: problem.Invalid, Code: "idempotency_key_reused", Message: problem.Programf("This idempotency key was used for a different request."),
			Hint: problem.Programf("Use a new key for every write. Reuse a key only to retry the same write.")}
	case rows[0].State == responded:
		response, err := c.open(rows[0].Answer)
		return nil, response, err
	case rows[0].State == evicted:
		return nil, nil, errResponseLost(rows[0].Location)
	case rows[0].State == done && c.expired(rows[0].ClaimedAt):
		return nil, nil, errResponseLost("")
	case rows[0].State == done || !c.expired(rows[0].ClaimedAt):
		return nil, nil, &problem.Error{Kind: problem.Conflict, Code: "idempotency_in_progress", Message: problem.Programf("The first request with this key is still in progress."),
			Hint: problem.Programf("Wait a second and retry. The write is not done twice.")}
	}
	// The process that claimed it is dead, and changed nothing.
	n, err := t.affected(ctx, `UPDATE idempotency SET claimed_at = $4 WHERE member_id = $1 AND operation = $2 AND key_hash = $3 AND state = $5 AND claimed_at = $6`,
		c.memberID, c.operation, c.hash, c.at, claimed, rows[0].ClaimedAt)
	if err == nil && n == 0 {
		err = errClaimLost
	}
	return c, nil, err
}

// expired reports whether a claim made at a time has timed out. One from the
// future, from before the clock was set back, times out as well.
func (c *Claim) expired(claimedAt models.Time) bool {
	earlier, later := min(c.at, claimedAt), max(c.at, claimedAt)
	return later > earlier.Add(claimTimeout)
}

// errResponseLost returns the error for a write whose response is not stored. The
// location of the resource that it created may be empty.
func errResponseLost(location string) error {
	e := &problem.Error{Kind: problem.Conflict, Code: "idempotency_answer_lost", Message: problem.Programf("The write succeeded, but its response is no longer stored."),
		Hint: problem.Programf("Don't retry it. Read the current state instead.")}
	if location != "" {
		e.Hint = problem.Programf("Don't retry it. Read the result with GET %s.", location)
		e.Links = []problem.Link{{Href: location, Label: "The result"}}
	}
	return e
}

var errClaimLost = &problem.Error{Kind: problem.Conflict, Code: "idempotency_in_progress", Message: problem.Programf("Another request with this key is still in progress."),
	Hint: problem.Programf("Wait a second and retry. The write is not done twice.")}

// markClaim updates the claim in the context, if any, within the transaction.
// It returns an error if another request has taken over the claim. If committed
// is not nil, call it after the commit.
func markClaim(ctx context.Context, t *tx) (committed func(), err error) {
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

// StoreResponse stores the response of a processed request, compressed and encrypted,
// and the location of the resource that it created, if any. It deletes the oldest
// responses of the member beyond MaxResponseStorage. Of a response of more than a tenth
// of it, only the location is stored.
func (s *Tokens) StoreResponse(ctx context.Context, c *Claim, response []byte, location string) error {
	sealed, err := c.seal(response)
	if err != nil {
		return err
	}
	state := responded
	if len(sealed) > maxStoredResponse {
		state, sealed = evicted, ""
	}
	return s.update(ctx, func(t *tx) error {
		_, err := t.ExecContext(ctx, `UPDATE idempotency SET state = $5, answer = $6, bytes = $7, location = $8 WHERE member_id = $1 AND operation = $2 AND key_hash = $3 AND claimed_at = $4`,
			c.memberID, c.operation, c.hash, c.at, state, sealed, len(sealed), location)
		if err != nil {
			return err
		}
		_, err = t.ExecContext(ctx, `UPDATE idempotency SET state = $3, answer = '', bytes = 0 WHERE member_id = $1 AND (operation, key_hash) IN (
			SELECT operation, key_hash FROM (
				SELECT operation, key_hash, SUM(bytes) OVER (ORDER BY claimed_at DESC, operation, key_hash) AS total FROM idempotency WHERE member_id = $1 AND bytes > 0) newest
			WHERE total > $2)`, c.memberID, MaxResponseStorage, evicted)
		return err
	})
}

// Release deletes a claim whose request changed nothing, so that it can be
// retried.
func (s *Tokens) Release(ctx context.Context, c *Claim) error {
	return s.update(ctx, func(t *tx) error {
		_, err := t.ExecContext(ctx, `DELETE FROM idempotency WHERE member_id = $1 AND operation = $2 AND key_hash = $3 AND claimed_at = $4 AND state = $5`,
			c.memberID, c.operation, c.hash, c.at, claimed)
		return err
	})
}

// cipher returns the cipher for stored responses, which may contain messages
// and tokens. Its key is derived from the idempotency key, which is not stored.
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

func (c *Claim) seal(response []byte) (string, error) {
	aead, err := c.cipher()
	if err != nil {
		return "", err
	}
	var compressed bytes.Buffer
	w := gzip.NewWriter(&compressed)
	if _, err := w.Write(response); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	return base64.StdEncoding.EncodeToString(aead.Seal(nil, nil, compressed.Bytes(), nil)), nil
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
	compressed, err := aead.Open(nil, nil, raw, nil)
	if err != nil {
		return nil, errors.New("decrypt stored response: wrong key or corrupt data")
	}
	r, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
