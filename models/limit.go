package models

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// NewAccount is how long an account is new: until then what it does that reaches
// others is limited by the day, so that nobody floods the site from fresh accounts.
const NewAccount = 7 * 24 * time.Hour

// dailyLimit is how often a new account may do something within 24 hours.
type dailyLimit struct {
	most  int
	code  string
	what  string // in the middle of a sentence
	times string // selects when a member did it since an instant
}

// The limits of new accounts. Operators have none.
var (
	listingsADay = dailyLimit{50, "too_many_today", "published 50 listings", `SELECT published_at FROM listings WHERE seller_id = $1 AND published_at > $2 AND status <> 'draft'`}
	offersADay   = dailyLimit{60, "too_many_today", "made 60 offers", `SELECT created_at FROM offers WHERE buyer_id = $1 AND created_at > $2`}
	messagesADay = dailyLimit{50, "too_many_messages", "sent 50 messages", `SELECT at FROM messages WHERE sender_id = $1 AND at > $2`}
	reportsADay  = dailyLimit{20, "too_many_today", "reported 20 listings", `SELECT at FROM reports WHERE reporter_id = $1 AND at > $2`}
)

// withinLimit refuses what a new account did too often within a day.
func (t *tx) withinLimit(ctx context.Context, l dailyLimit, memberID string, now Time) error {
	var fresh bool
	err := t.GetContext(ctx, &fresh, `SELECT EXISTS (SELECT 1 FROM accounts WHERE member_id = $1 AND role = 'member' AND created_at > $2)`,
		memberID, now-Time(NewAccount.Milliseconds()))
	if err != nil || !fresh {
		return err
	}
	wait, err := t.until(ctx, l.times, memberID, l.most, 24*time.Hour, now)
	if err == nil && wait > 0 {
		return &Error{Kind: TooMany, Code: l.code, Message: fmt.Sprintf("Your account is new, and within a day you have %s.", l.what),
			Hint: "Go on tomorrow; a week after you joined the limit falls away.", Wait: wait}
	}
	return err
}

// until is in how many seconds a member has done something less than most times
// within a window of time; 0 when that is so now. times selects when it was done
// by $1 since $2.
func (t *tx) until(ctx context.Context, times, memberID string, most int, window time.Duration, now Time) (seconds int, err error) {
	since := now - Time(window.Milliseconds())
	var at Time // of what must have left the window
	err = t.GetContext(ctx, &at, times+` ORDER BY 1 DESC LIMIT 1 OFFSET $3`, memberID, since, most-1)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return int((at-since)/1000) + 1, err
}
