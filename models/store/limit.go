package store

import (
	"context"
	"database/sql"
	"errors"
	"net/netip"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// LimitEmail counts an email requested by a visitor, by client, network and
// recipient, and returns a TooMany error if there were too many. The result does
// not depend on whether the address has an account.
func (s *Accounts) LimitEmail(ctx context.Context, email, client string) error {
	email, ok := models.ParseEmail(email)
	if !ok {
		return nil // no email will be sent
	}
	err := s.countAttempts(ctx, []attemptLimit{{"mailer:" + client, 30}, {"mailer-network:" + networkOf(client), 300}, {"mail:" + models.SecretHash(email), 4}})
	var limited *problem.Error
	if errors.As(err, &limited) {
		return &problem.Error{Kind: limited.Kind, Code: limited.Code, Message: problem.Textf("Too many emails were requested."), Hint: problem.Textf("Wait %s and try again.", secondsText(limited.Wait)), Wait: limited.Wait, Cause: err}
	}
	return err
}

// login is an attempt to sign in, or to confirm an operation with the password.
type login struct {
	email    string // as entered, normalised
	memberID string // "" if the address has no account
	client   string // network address
}

// tryPassword reports whether a password has a hash. It counts the attempt as
// failed before it compares, so that concurrent attempts can't exceed the limits,
// and takes it back if the password is right.
//
// The client is limited first, so that one that is blocked can't use up the
// attempts of others. Then its attempts on the account are limited. Attempts on
// the account by all clients together are limited too, against guessing from many
// addresses, but not from networks its member has signed in from, so that nobody
// can lock them out there.
func (s *Accounts) tryPassword(ctx context.Context, by login, password, hash string) (ok bool, err error) {
	leave, err := models.QueuePassword() // before anything is written: being refused must cost little
	if err != nil {
		return false, err
	}
	defer leave()
	onAccount := attemptLimit{"login:" + models.SecretHash(by.email) + ":" + by.client, 5}
	limits := []attemptLimit{{"address:" + by.client, 30}, onAccount}
	if err := s.countAttempts(ctx, limits); err != nil {
		return false, err
	}
	known, err := s.knownNetwork(ctx, by.memberID, by.client)
	if err != nil {
		return false, err
	}
	if !known {
		byAll := attemptLimit{accountSubject(by.email), 100}
		if err := s.countAttempts(ctx, []attemptLimit{byAll}); err != nil {
			return false, err
		}
		limits = append(limits, byAll)
	}
	if ok, err = passwordMatches(ctx, s.database, limits, password, hash); err != nil || !ok {
		return false, err
	}
	return true, s.update(ctx, func(t *tx) error {
		if err := takeBackAttempts(ctx, t, limits); err != nil {
			return err
		}
		return clearAttempts(ctx, t, onAccount.subject)
	})
}

// passwordMatches reports whether a password has a hash. It takes back the attempts if ctx ends before.
func passwordMatches(ctx context.Context, db *database, limits []attemptLimit, password, hash string) (bool, error) {
	ok, err := models.PasswordMatches(ctx, password, hash)
	if err == nil {
		return ok, nil
	}
	back := db.update(context.WithoutCancel(ctx), func(t *tx) error { return takeBackAttempts(ctx, t, limits) })
	return false, errors.Join(err, back)
}

// attemptLimit limits the failed attempts of a subject, such as a client or an
// account.
type attemptLimit struct {
	subject string
	maxFree int // number of attempts before delays start
}

// Times of failed attempts, in milliseconds. One is forgotten every attemptDecay,
// and all of them after attemptLifetime.
const (
	maxLoginWait    models.Time = 900_000 // maximum delay between two attempts
	attemptDecay    models.Time = 600_000
	attemptLifetime models.Time = 86_400_000
)

// failedAttempts are the failed attempts of a subject.
type failedAttempts struct {
	Failures int
	NextAt   models.Time // when the next attempt is allowed
}

// delay returns the delay after the last attempt: none after the free ones, then
// one second, doubled by each attempt.
func (a failedAttempts) delay(maxFree int) models.Time {
	switch extra := a.Failures - maxFree; {
	case extra <= 0:
		return 0
	case extra > 10:
		return maxLoginWait
	default:
		return 1000 << (extra - 1)
	}
}

// wait returns the time until the next attempt is allowed. It is 0 if that time
// is further away than the delay, because then the clock was set back.
func (a failedAttempts) wait(maxFree int, now models.Time) models.Time {
	wait := a.NextAt - now
	if wait < 0 || wait > a.delay(maxFree) {
		return 0
	}
	return wait
}

// add returns the attempts with one more at now.
func (a failedAttempts) add(maxFree int, now models.Time) failedAttempts {
	if since := now - a.NextAt; since > attemptLifetime {
		a.Failures = 0
	} else if since > 0 {
		a.Failures = max(0, a.Failures-int(since/attemptDecay))
	}
	a.Failures = min(a.Failures+1, maxFree+11)
	a.NextAt = now + a.delay(maxFree)
	return a
}

// countAttempts counts an attempt of each subject until one is limited.
func (s *Accounts) countAttempts(ctx context.Context, limits []attemptLimit) error {
	for _, l := range limits {
		if err := s.countAttempt(ctx, l); err != nil {
			return err
		}
	}
	return nil
}

// countAttempt counts an attempt. During a delay it returns a TooMany error and
// counts nothing.
func (s *Accounts) countAttempt(ctx context.Context, l attemptLimit) error {
	now := s.now()
	var a failedAttempts
	err := s.read.GetContext(ctx, &a, `SELECT failures, next_at FROM guesses WHERE subject = $1`, l.subject)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	wait := a.wait(l.maxFree, now)
	if wait == 0 {
		err = s.update(ctx, func(t *tx) (err error) {
			wait, err = countAttempt(ctx, t, l, now)
			return err
		})
		if err != nil {
			return err
		}
	}
	if wait == 0 {
		return nil
	}
	seconds := int(wait+999) / 1000
	return &problem.Error{Kind: problem.TooMany, Code: "too_many_guesses", Message: problem.Textf("Too many failed attempts."),
		Hint: problem.Textf("Wait %s and try again, or reset your password.", secondsText(seconds)), Wait: seconds}
}

func secondsText(seconds int) problem.Text {
	if seconds == 1 {
		return problem.Textf("1 second")
	}
	return problem.Textf("%d seconds", seconds)
}

// countAttempt counts an attempt, or returns how long the client has to wait.
func countAttempt(ctx context.Context, t *tx, l attemptLimit, now models.Time) (wait models.Time, err error) {
	var a failedAttempts
	err = t.GetContext(ctx, &a, `INSERT INTO guesses (subject, failures, next_at) VALUES ($1, 0, 0)
		ON CONFLICT (subject) DO UPDATE SET failures = guesses.failures RETURNING failures, next_at`, l.subject) // locks the row
	if err != nil {
		return 0, err
	}
	if wait := a.wait(l.maxFree, now); wait > 0 {
		return wait, nil
	}
	a = a.add(l.maxFree, now)
	_, err = t.ExecContext(ctx, `UPDATE guesses SET failures = $2, next_at = $3 WHERE subject = $1`, l.subject, a.Failures, a.NextAt)
	return 0, err
}

// takeBackAttempts takes back one attempt of each subject. It is only one, so
// that a member can't reset the limit of a client by signing in to their own
// account.
func takeBackAttempts(ctx context.Context, t *tx, limits []attemptLimit) error {
	for _, l := range limits {
		if _, err := t.ExecContext(ctx, `UPDATE guesses SET failures = failures - 1, next_at = $2 WHERE subject = $1 AND failures > 0`, l.subject, t.db.now()); err != nil {
			return err
		}
	}
	return nil
}

// clearAttempts deletes the attempts of a subject.
func clearAttempts(ctx context.Context, t *tx, subject string) error {
	_, err := t.ExecContext(ctx, `DELETE FROM guesses WHERE subject = $1`, subject)
	return err
}

// accountSubject returns the subject of the attempts on an account by all clients.
func accountSubject(email string) string { return "account:" + models.SecretHash(email) }

// maxLoginNetworks is the maximum number of networks stored for a member.
const maxLoginNetworks = 20

// knownNetwork reports whether a member has signed in from the network of a
// client.
func (s *Accounts) knownNetwork(ctx context.Context, memberID, client string) (known bool, err error) {
	err = s.read.GetContext(ctx, &known, `SELECT EXISTS (SELECT 1 FROM login_networks WHERE member_id = $1 AND hash = $2)`,
		memberID, networkHash(memberID, client))
	return known, err
}

// addNetwork records that a member signed in from the network of a client.
func addNetwork(ctx context.Context, t *tx, memberID, client string) error {
	_, err := t.ExecContext(ctx, `INSERT INTO login_networks (member_id, hash, seen_at) VALUES ($1, $2, $3)
		ON CONFLICT (member_id, hash) DO UPDATE SET seen_at = excluded.seen_at`, memberID, networkHash(memberID, client), t.db.now())
	if err != nil {
		return err
	}
	_, err = t.ExecContext(ctx, `DELETE FROM login_networks WHERE member_id = $1 AND hash NOT IN
		(SELECT hash FROM login_networks WHERE member_id = $1 ORDER BY seen_at DESC, hash LIMIT $2)`, memberID, maxLoginNetworks)
	return err
}

// networkHash returns the hash under which the network of a client is stored for
// a member.
func networkHash(memberID, client string) string {
	return models.SecretHash(memberID + " " + networkOf(client))
}

// networkOf returns the network of a client: a /24 of IPv4 and a /48 of IPv6
// addresses, because providers give a subscriber changing addresses of the same
// network. Other clients are their own network.
func networkOf(client string) string {
	addr, err := netip.ParseAddr(client)
	if err != nil {
		return client
	}
	bits := 24
	if addr = addr.Unmap(); addr.Is6() {
		bits = 48
	}
	network, _ := addr.WithZone("").Prefix(bits) // fails only for more bits than the address has
	return network.String()
}

// NewAccountPeriod is how long daily limits apply to a new account, as a
// measure against spam.
const NewAccountPeriod = 7 * 24 * time.Hour

// dailyLimit limits an action of new accounts within 24 hours.
type dailyLimit struct {
	max   int
	code  string
	done  string // what the member did, for the error message
	query string // selects the times at which member $1 did it after $2
}

// The limits of new accounts. Operators are exempt.
var (
	dailyListings = dailyLimit{50, "too_many_today", "published 50 listings", `SELECT published_at FROM listings WHERE seller_id = $1 AND published_at > $2 AND status <> 'draft'`}
	dailyOffers   = dailyLimit{60, "too_many_today", "made 60 offers", `SELECT created_at FROM offers WHERE buyer_id = $1 AND created_at > $2`}
	dailyMessages = dailyLimit{50, "too_many_messages", "sent 50 messages", `SELECT at FROM messages WHERE sender_id = $1 AND at > $2 AND NOT to_watchers
		UNION ALL SELECT at FROM watcher_messages WHERE seller_id = $1 AND at > $2`}
	dailyReports = dailyLimit{20, "too_many_today", "reported 20 listings", `SELECT at FROM reports WHERE reporter_id = $1 AND at > $2`}
)

// checkDailyLimit returns a TooMany error if a new account has reached a daily
// limit.
func checkDailyLimit(ctx context.Context, t *tx, l dailyLimit, memberID string, now models.Time) error {
	var fresh bool
	err := t.GetContext(ctx, &fresh, `SELECT EXISTS (SELECT 1 FROM accounts WHERE member_id = $1 AND role = 'member' AND created_at > $2)`,
		memberID, now.Add(-NewAccountPeriod))
	if err != nil || !fresh {
		return err
	}
	wait, err := retryAfter(ctx, t, l.query, memberID, l.max, 24*time.Hour, now)
	if err == nil && wait > 0 {
		return &problem.Error{Kind: problem.TooMany, Code: l.code, Message: problem.Textf("New accounts are limited, and you've %s in the last 24 hours.", l.done),
			Hint: problem.Textf("Try again tomorrow. The limit is lifted a week after you join."), Wait: wait}
	}
	return err
}

// retryAfter returns the number of seconds until a member has done something
// fewer than max times within a window, or 0 if that is the case now. The query
// selects the times at which member $1 did it after $2. Times more than a window in
// the future, from before the clock was set back, do not count.
func retryAfter(ctx context.Context, t *tx, query, memberID string, max int, window time.Duration, now models.Time) (seconds int, err error) {
	since := now.Add(-window)
	var at models.Time // when the oldest one that counts was done
	err = t.GetContext(ctx, &at, `WITH done (at) AS (`+query+`) SELECT at FROM done WHERE at <= $4 ORDER BY at DESC LIMIT 1 OFFSET $3`, memberID, since, max-1, now.Add(window))
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return int((at-since)/1000) + 1, err
}
