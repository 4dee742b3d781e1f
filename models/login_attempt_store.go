package models

import (
	"context"
	"errors"
	"fmt"
)

// AskMail counts a mail that somebody asks for, by the address it goes to and by
// who asks, and refuses when there were too many: nobody's mailbox is filled from
// here. It counts alike whether the address has an account or not.
func (s *AccountStore) AskMail(ctx context.Context, email, where string) error {
	email, ok := ParseEmail(email)
	if !ok {
		return nil // there will be no mail
	}
	for _, g := range []guess{{"mail:" + secretHash(email), 4}, {"mailer:" + where, 30}} {
		var wait *Error
		if err := s.beginGuess(ctx, g); errors.As(err, &wait) {
			return &Error{Kind: wait.Kind, Code: wait.Code, Message: "Too many mails were asked for.", Hint: wait.Hint, Wait: wait.Wait, Cause: err}
		} else if err != nil {
			return err
		}
	}
	return nil
}

// guess is a subject that guesses are counted by, and how many are free.
type guess struct {
	subject string
	free    int
}

// longestWait is how long a guesser waits at most between two guesses, ms.
const longestWait = 900_000

// forgiveAfter is the time after which one failed guess is forgotten, ms; within
// guessMemory all of them are.
const (
	forgiveAfter = 600_000
	guessMemory  = 86_400_000
)

// beginGuess counts a guess as failed before it is checked, so that many at once
// do not come past the count. Each one past the free ones doubles the wait for
// the next, from one second on.
func (s *AccountStore) beginGuess(ctx context.Context, g guess) error {
	const failures = `(CASE WHEN ($3 - guesses.next_at) / $5 >= guesses.failures THEN 0 ELSE guesses.failures - ($3 - guesses.next_at) / $5 END)`
	now := s.now()
	var wait int64
	err := s.update(ctx, func(t *tx) error {
		wait = 0
		if _, err := t.ExecContext(ctx, `DELETE FROM guesses WHERE next_at < $1`, now-guessMemory); err != nil {
			return err
		}
		n, err := t.affected(ctx, `INSERT INTO guesses (subject, failures, next_at) VALUES ($1, 1, $3)
			ON CONFLICT (subject) DO UPDATE SET failures = `+failures+` + 1,
				next_at = CASE WHEN `+failures+` < $2 THEN $3 WHEN `+failures+` - $2 > 9 THEN $4 ELSE CAST($3 AS BIGINT) + 1000 * (1 << CAST(`+failures+` - $2 AS INTEGER)) END
			WHERE guesses.next_at <= $3`, g.subject, g.free, now, now+longestWait, forgiveAfter)
		if err != nil || n > 0 {
			return err
		}
		var next Time
		err = t.GetContext(ctx, &next, `SELECT next_at FROM guesses WHERE subject = $1`, g.subject)
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
	return &Error{Kind: TooMany, Code: "too_many_guesses", Message: "Too many tries failed.",
		Hint: fmt.Sprintf("Wait %d %s and try again.", wait, seconds), Wait: int(wait)}
}

// endGuess forgets what was guessed wrong about an account whose password was
// right. The others, such as those of a network address, are only spared this one:
// nobody buys guesses at other accounts by signing in to their own.
func (s *AccountStore) endGuess(ctx context.Context, right guess, others ...guess) error {
	now := s.now()
	return s.update(ctx, func(t *tx) error {
		if _, err := t.ExecContext(ctx, `DELETE FROM guesses WHERE subject = $1`, right.subject); err != nil {
			return err
		}
		for _, g := range others {
			if _, err := t.ExecContext(ctx, `UPDATE guesses SET failures = failures - 1, next_at = $2 WHERE subject = $1 AND failures > 0`, g.subject, now); err != nil {
				return err
			}
		}
		return nil
	})
}
