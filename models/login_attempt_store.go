package models

import (
	"context"
	"errors"
	"fmt"

	"github.com/secondlight/secondlight/models/problem"
)

// LimitEmail counts an email requested by a visitor, by recipient and by
// client, and returns a TooMany error if there were too many. The result does
// not depend on whether the address has an account.
func (s *AccountStore) LimitEmail(ctx context.Context, email, client string) error {
	email, ok := ParseEmail(email)
	if !ok {
		return nil // no email will be sent
	}
	for _, a := range []loginAttempt{{"mail:" + secretHash(email), 4}, {"mailer:" + client, 30}} {
		var limited *problem.Error
		if err := s.countAttempt(ctx, a); errors.As(err, &limited) {
			return &problem.Error{Kind: limited.Kind, Code: limited.Code, Message: "Too many emails were requested.", Hint: limited.Hint, Wait: limited.Wait, Cause: err}
		} else if err != nil {
			return err
		}
	}
	return nil
}

// loginAttempt identifies what login attempts are counted by, such as an
// account or a client.
type loginAttempt struct {
	subject string
	maxFree int // number of attempts before delays start
}

// maxLoginWait is the maximum delay between two attempts, in milliseconds.
const maxLoginWait = 900_000

// Lifetimes of failed attempts, in milliseconds: one is forgotten every
// attemptDecay, and all of them after attemptLifetime.
const (
	attemptDecay    = 600_000
	attemptLifetime = 86_400_000
)

// countAttempt counts an attempt as failed before it is checked, so that
// concurrent attempts can't exceed the limit. After the free attempts the delay
// doubles each time, starting at one second. It returns a TooMany error during
// the delay.
func (s *AccountStore) countAttempt(ctx context.Context, a loginAttempt) error {
	const failures = `(CASE WHEN ($3 - guesses.next_at) / $5 >= guesses.failures THEN 0 ELSE guesses.failures - ($3 - guesses.next_at) / $5 END)`
	now := s.now()
	var wait int64
	err := s.update(ctx, func(t *tx) error {
		wait = 0
		if _, err := t.ExecContext(ctx, `DELETE FROM guesses WHERE next_at < $1`, now-attemptLifetime); err != nil {
			return err
		}
		n, err := t.affected(ctx, `INSERT INTO guesses (subject, failures, next_at) VALUES ($1, 1, $3)
			ON CONFLICT (subject) DO UPDATE SET failures = `+failures+` + 1,
				next_at = CASE WHEN `+failures+` < $2 THEN $3 WHEN `+failures+` - $2 > 9 THEN $4 ELSE CAST($3 AS BIGINT) + 1000 * (1 << CAST(`+failures+` - $2 AS INTEGER)) END
			WHERE guesses.next_at <= $3`, a.subject, a.maxFree, now, now+maxLoginWait, attemptDecay)
		if err != nil || n > 0 {
			return err
		}
		var next Time
		err = t.GetContext(ctx, &next, `SELECT next_at FROM guesses WHERE subject = $1`, a.subject)
		wait = max(1, int64(next-now+999)/1000)
		return err
	})
	if err != nil || wait == 0 {
		return err
	}
	seconds := "seconds"
	if wait == 1 {
		seconds = "second"
	}
	return &problem.Error{Kind: problem.TooMany, Code: "too_many_guesses", Message: "Too many failed attempts.",
		Hint: fmt.Sprintf("Wait %d %s and try again.", wait, seconds), Wait: int(wait)}
}

// clearAttempts deletes the failed attempts of the account that signed in. For
// the other subjects, such as a network address, it takes back only this
// attempt, so that a member can't reset the limit by signing in to their own
// account.
func (s *AccountStore) clearAttempts(ctx context.Context, succeeded loginAttempt, others ...loginAttempt) error {
	now := s.now()
	return s.update(ctx, func(t *tx) error {
		if _, err := t.ExecContext(ctx, `DELETE FROM guesses WHERE subject = $1`, succeeded.subject); err != nil {
			return err
		}
		for _, a := range others {
			if _, err := t.ExecContext(ctx, `UPDATE guesses SET failures = failures - 1, next_at = $2 WHERE subject = $1 AND failures > 0`, a.subject, now); err != nil {
				return err
			}
		}
		return nil
	})
}
