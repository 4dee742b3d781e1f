package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

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
		return &problem.Error{Kind: problem.TooMany, Code: l.code, Message: problem.Textf("Your account is new, and you've %s within a day.", l.done),
			Hint: problem.Textf("Try again tomorrow. The limit ends a week after you joined."), Wait: wait}
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
