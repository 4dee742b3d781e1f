package models

import (
	"context"
	"fmt"
	"time"
)

// NewAccount is how long an account is new: until then what it does that reaches
// others is limited by the day, so that nobody floods the site from fresh accounts.
const NewAccount = 7 * 24 * time.Hour

// dailyLimit is how often a new account may do something within 24 hours.
type dailyLimit struct {
	most     int
	code     string
	what     string // in the middle of a sentence
	sentence string // counts what a member did since an instant
}

// The limits of new accounts. Operators have none.
var (
	listingsADay = dailyLimit{50, "too_many_today", "published 50 listings", `SELECT COUNT(*) FROM listings WHERE seller_id = $1 AND published_at > $2 AND status <> 'draft'`}
	offersADay   = dailyLimit{60, "too_many_today", "made 60 offers", `SELECT COUNT(*) FROM offers WHERE buyer_id = $1 AND created_at > $2`}
	messagesADay = dailyLimit{50, "too_many_messages", "sent 50 messages", `SELECT COUNT(*) FROM messages WHERE sender_id = $1 AND at > $2`}
	reportsADay  = dailyLimit{20, "too_many_today", "reported 20 listings", `SELECT COUNT(*) FROM reports WHERE reporter_id = $1 AND at > $2`}
)

// withinLimit refuses what a new account did too often within a day.
func (t *tx) withinLimit(ctx context.Context, l dailyLimit, memberID string, now Time) error {
	var fresh bool
	err := t.GetContext(ctx, &fresh, `SELECT EXISTS (SELECT 1 FROM accounts WHERE member_id = $1 AND role = 'member' AND created_at > $2)`,
		memberID, now-Time(NewAccount.Milliseconds()))
	if err != nil || !fresh {
		return err
	}
	var done int
	err = t.GetContext(ctx, &done, l.sentence, memberID, now-Time((24*time.Hour).Milliseconds()))
	if err == nil && done >= l.most {
		return &Error{Kind: TooMany, Code: l.code, Message: fmt.Sprintf("Your account is new, and within a day you have %s.", l.what),
			Hint: "Go on tomorrow; a week after you joined the limit falls away."}
	}
	return err
}
