package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

const conversationColumns = `id, listing_id, buyer_id, seller_id, updated_at, buyer_read_at, seller_read_at, hidden`

// SendMessage sends a message about a public listing to its seller, and starts
// a conversation if there is none. Sellers answer with Reply.
func (s *Trades) SendMessage(ctx context.Context, listingID, buyerID, text string) (*models.Conversation, *models.Message, error) {
	if !models.Storable(listingID) {
		return nil, nil, listingNotFound(listingID)
	}
	var c *models.Conversation
	var m *models.Message
	err := s.update(ctx, func(t *tx) error {
		l, err := listingByID(ctx, t, listingID)
		switch {
		case err != nil:
			return err
		case l == nil || !l.Status.Public():
			return listingNotFound(listingID)
		case l.SellerID == buyerID:
			return &problem.Error{Kind: problem.Forbidden, Code: "own_listing", Message: problem.Textf("This is your own listing."),
				Hint: problem.Textf("Reply in an existing conversation.").And(problem.Programf("GET /api/conversations lists yours."))}
		}
		if c, err = conversation(ctx, t, l, buyerID); err != nil {
			return err
		}
		m, err = addMessage(ctx, t, c, buyerID, text)
		return err
	})
	return c, m, err
}

// conversation returns the conversation of a buyer about a listing, creating it
// if needed.
func conversation(ctx context.Context, t *tx, l *models.Listing, buyerID string) (*models.Conversation, error) {
	_, err := t.ExecContext(ctx, `INSERT INTO conversations (`+conversationColumns+`) VALUES ($1, $2, $3, $4, 0, 0, 0, FALSE) ON CONFLICT DO NOTHING`,
		t.db.newID(), l.ID, buyerID, l.SellerID)
	if err != nil {
		return nil, err
	}
	var c models.Conversation
	return &c, t.GetContext(ctx, &c, `SELECT `+conversationColumns+` FROM conversations WHERE listing_id = $1 AND buyer_id = $2`, l.ID, buyerID)
}

// MessageTrader sends a message about an offer to its other side, and starts a
// conversation about the listing if there is none. A seller can write first once: see
// not_answered.
func (s *Trades) MessageTrader(ctx context.Context, offerID, senderID, text string) (c *models.Conversation, err error) {
	_, err = s.changeOffer(ctx, offerID, senderID, func(t *tx, o *models.Offer, l *models.Listing) error {
		if c, err = conversation(ctx, t, l, o.BuyerID); err != nil {
			return err
		}
		_, err = addMessage(ctx, t, c, senderID, text)
		return err
	})
	return c, err
}

// Reply sends a message in a conversation the sender takes part in, and marks
// the earlier messages as read by the sender.
func (s *Trades) Reply(ctx context.Context, conversationID, senderID, text string) (*models.Conversation, *models.Message, error) {
	var c *models.Conversation
	var m *models.Message
	err := s.update(ctx, func(t *tx) (err error) {
		if c, err = conversationOf(ctx, t, conversationID, senderID); err != nil {
			return err
		}
		m, err = addMessage(ctx, t, c, senderID, text)
		return err
	})
	return c, m, err
}

// conversationOf returns a conversation that a member takes part in, or a
// NotFound error.
func conversationOf(ctx context.Context, db sqlx.QueryerContext, id, memberID string) (*models.Conversation, error) {
	var c models.Conversation
	err := sql.ErrNoRows
	if models.Storable(id) {
		err = sqlx.GetContext(ctx, db, &c, `SELECT `+conversationColumns+` FROM conversations WHERE id = $1 AND (buyer_id = $2 OR seller_id = $2 AND NOT hidden)`, id, memberID)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return nil, &problem.Error{Kind: problem.NotFound, Code: "conversation_not_found", Message: problem.Programf("You have no conversation with the id %q.", id),
			Hint: problem.Programf("List yours with GET /api/conversations.")}
	}
	return &c, err
}

func newMessage(t *tx, senderID, text string) *models.Message {
	return &models.Message{ID: t.db.newID(), SenderID: senderID, Text: strings.TrimSpace(text), At: t.db.now()}
}

func addMessage(ctx context.Context, t *tx, c *models.Conversation, senderID, text string) (*models.Message, error) {
	m := newMessage(t, senderID, text)
	if err := m.Check(); err != nil {
		return nil, err
	}
	if err := checkMayMessage(ctx, t, c, m); err != nil {
		return nil, err
	}
	// The UPDATE locks the conversation, so that messages have distinct times.
	// Whoever answers or trades is no longer hidden.
	err := t.GetContext(ctx, &m.At, `UPDATE conversations SET updated_at = CASE WHEN updated_at >= $2 THEN updated_at + 1 ELSE $2 END, hidden = FALSE
		WHERE id = $1 RETURNING updated_at`, c.ID, m.At)
	if err != nil {
		return nil, err
	}
	c.UpdatedAt = m.At
	if err := markRead(ctx, t, c, senderID, m.At); err != nil {
		return nil, err
	}
	_, read := c.ReadAt(c.Other(senderID))
	var before struct{ Sent, Waiting int }
	err = t.GetContext(ctx, &before, `SELECT COUNT(*) AS sent, COUNT(CASE WHEN at > $3 THEN 1 END) AS waiting FROM messages
		WHERE conversation_id = $1 AND sender_id = $2`, c.ID, senderID, read)
	if err != nil {
		return nil, err
	}
	m.FirstUnread = before.Waiting == 0
	if before.Sent == 0 && senderID == c.SellerID {
		t.changed(models.MemberChanged, senderID) // their response time
	}
	t.happened(models.Entry{Change: models.Change{Kind: models.ConversationChanged, Subject: c.ID}, Event: models.MessageReceived, MemberID: c.Other(senderID)})
	_, err = t.ExecContext(ctx, `INSERT INTO messages (id, conversation_id, sender_id, text, at) VALUES ($1, $2, $3, $4, $5)`, m.ID, c.ID, m.SenderID, m.Text, m.At)
	if err != nil || !m.FirstUnread {
		return m, err
	}
	return m, notifyMessage(ctx, t, c, senderID)
}

// notifyMessage notifies the recipient of a new message. The notice does not
// include its text.
func notifyMessage(ctx context.Context, t *tx, c *models.Conversation, senderID string) error {
	name, err := memberName(ctx, t, senderID)
	if err != nil {
		return err
	}
	var title string
	err = t.GetContext(ctx, &title, `SELECT title FROM listings WHERE id = $1`, c.ListingID)
	addNotice(t, models.Notice{Kind: models.NoticeMessageReceived, To: c.Other(senderID), By: name, ID: c.ID, Title: title})
	return err
}

// checkMayMessage returns an error if the sender is blocked or exceeds a rate
// limit.
func checkMayMessage(ctx context.Context, t *tx, c *models.Conversation, m *models.Message) error {
	if err := checkNotBlocked(ctx, t, c.Other(m.SenderID), m.SenderID); err != nil {
		return err
	}
	if err := checkAnswered(ctx, t, c, m.SenderID); err != nil {
		return err
	}
	return checkMessageLimits(ctx, t, m)
}

// checkAnswered returns a Conflict error, not_answered, if a seller has written first and
// the buyer has neither written, made an offer since, nor agreed on a sale.
func checkAnswered(ctx context.Context, t *tx, c *models.Conversation, senderID string) error {
	if senderID != c.SellerID {
		return nil
	}
	var waiting bool
	err := t.GetContext(ctx, &waiting, `SELECT EXISTS (SELECT 1 FROM messages WHERE conversation_id = $1)
		AND NOT EXISTS (SELECT 1 FROM messages WHERE conversation_id = $1 AND sender_id = $2)
		AND NOT EXISTS (SELECT 1 FROM offers o WHERE o.listing_id = $3 AND o.buyer_id = $2
			AND (o.status IN ('accepted', 'completed', 'disputed') OR o.created_at > (SELECT MAX(at) FROM messages WHERE conversation_id = $1)))`, c.ID, c.BuyerID, c.ListingID)
	if err == nil && waiting {
		return &problem.Error{Kind: problem.Conflict, Code: "not_answered", Message: problem.Textf("You've already written to this member about this listing."),
			Hint: problem.Textf("You can send another message once they reply.")}
	}
	return err
}

// checkMessageLimits returns a TooMany error if the sender has sent too many messages.
func checkMessageLimits(ctx context.Context, t *tx, m *models.Message) error {
	if err := checkDailyLimit(ctx, t, dailyMessages, m.SenderID, m.At); err != nil {
		return err
	}
	wait, err := retryAfter(ctx, t, dailyMessages.query, m.SenderID, models.MessagesPerHour, time.Hour, m.At)
	if err == nil && wait > 0 {
		return &problem.Error{Kind: problem.TooMany, Code: "too_many_messages", Message: problem.Textf("You've reached the limit of 60 messages an hour."), Hint: problem.Textf("Wait a while and try again."), Wait: wait}
	}
	return err
}

// ConversationKey is the sort key of a conversation in a member's list.
type ConversationKey struct {
	UpdatedAt models.Time
	ID        string
}

// maxCounted is the number up to which unread messages are counted, and maxWatchers that of
// watchers, who may be very many.
const (
	maxCounted  = 500
	maxWatchers = 10_000
)

// selectConversations selects $4 of a member's conversations after a key, from two indexes.
var selectConversations = fmt.Sprintf(`SELECT `+conversationColumns+`,
		(SELECT COUNT(*) FROM (SELECT 1 FROM messages m WHERE m.conversation_id = c.id AND m.sender_id <> $1
			AND m.at > CASE WHEN c.buyer_id = $1 THEN c.buyer_read_at ELSE c.seller_read_at END ORDER BY m.at LIMIT %d) AS counted) AS unread,
		COALESCE((SELECT m.text FROM messages m WHERE m.conversation_id = c.id ORDER BY m.at DESC, m.id DESC LIMIT 1), '') AS last_text
	FROM (SELECT * FROM (SELECT * FROM conversations WHERE buyer_id = $1 AND (updated_at, id) < ($2, $3) ORDER BY updated_at DESC, id DESC LIMIT $4) AS bought
		UNION ALL SELECT * FROM (SELECT * FROM conversations WHERE seller_id = $1 AND NOT hidden AND (updated_at, id) < ($2, $3) ORDER BY updated_at DESC, id DESC LIMIT $4) AS sold) AS c
	ORDER BY updated_at DESC, id DESC LIMIT $4`, maxCounted)

// Conversations returns up to limit conversations of a member after a key, most
// recently updated first, with their unread messages, counted up to maxCounted. The zero key starts at the newest.
func (s *Trades) Conversations(ctx context.Context, memberID string, after ConversationKey, limit int) ([]models.Conversation, error) {
	if after == (ConversationKey{}) {
		after.UpdatedAt = 1 << 62
	}
	var list []models.Conversation
	err := s.read.SelectContext(ctx, &list, selectConversations, memberID, after.UpdatedAt, after.ID, limit)
	return list, err
}

// CountUnread returns the number of a member's unread messages, counted up to maxCounted.
func (s *Trades) CountUnread(ctx context.Context, memberID string) (n int, err error) {
	err = s.read.GetContext(ctx, &n, countUnread, memberID)
	return n, err
}

// countUnread counts the unread messages of the member $1. Only the conversations that have been
// updated since they were read are looked at.
var countUnread = fmt.Sprintf(`SELECT COUNT(*) FROM (SELECT 1 FROM (
		SELECT id, buyer_read_at AS read_at FROM conversations WHERE buyer_id = $1 AND updated_at > buyer_read_at
		UNION ALL SELECT id, seller_read_at FROM conversations WHERE seller_id = $1 AND updated_at > seller_read_at) AS c
	JOIN messages m ON m.conversation_id = c.id AND m.at > c.read_at WHERE m.sender_id <> $1 LIMIT %d) AS counted`, maxCounted)

// Messages returns a conversation with its unread count, and up to limit of its
// messages before a time (0 for the latest), oldest first. It does not mark
// messages as read; see MarkRead.
func (s *Trades) Messages(ctx context.Context, conversationID, memberID string, before models.Time, limit int) (*models.Conversation, []models.Message, error) {
	c, err := conversationOf(ctx, s.read, conversationID, memberID)
	if err != nil {
		return nil, nil, err
	}
	_, readAt := c.ReadAt(memberID)
	err = s.read.GetContext(ctx, &c.Unread, `SELECT COUNT(*) FROM (SELECT 1 FROM messages WHERE conversation_id = $1 AND sender_id <> $2 AND at > $3 ORDER BY at LIMIT $4) AS counted`, c.ID, memberID, readAt, maxCounted)
	if err != nil {
		return nil, nil, err
	}
	if before == 0 {
		before = 1 << 62
	}
	var list []models.Message
	err = s.read.SelectContext(ctx, &list, `SELECT id, sender_id, text, at FROM (
			SELECT id, sender_id, text, at FROM messages WHERE conversation_id = $1 AND at < $2 ORDER BY at DESC, id DESC LIMIT $3
		) AS last ORDER BY at, id`, c.ID, before, limit)
	return c, list, err
}

// MarkRead marks all messages of a conversation as read by a participant. For
// other members it returns a NotFound error, conversation_not_found.
func (s *Trades) MarkRead(ctx context.Context, conversationID, memberID string) error {
	return s.update(ctx, func(t *tx) error {
		c, err := conversationOf(ctx, t, conversationID, memberID)
		if err != nil {
			return err
		}
		return markRead(ctx, t, c, memberID, c.UpdatedAt)
	})
}

// markRead marks the messages up to a time as read by a member.
func markRead(ctx context.Context, t *tx, c *models.Conversation, memberID string, at models.Time) error {
	column, _ := c.ReadAt(memberID)
	_, err := t.ExecContext(ctx, `UPDATE conversations SET `+column+` = $2 WHERE id = $1 AND `+column+` < $2`, c.ID, at)
	return err
}

// Block blocks or unblocks messages and offers from another member.
func (s *Trades) Block(ctx context.Context, memberID, otherID string, block bool) error {
	return s.update(ctx, func(t *tx) error {
		query := `DELETE FROM blocks WHERE member_id = $1 AND blocked_id = $2`
		if block {
			query = `INSERT INTO blocks (member_id, blocked_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`
		}
		_, err := t.ExecContext(ctx, query, memberID, otherID)
		return err
	})
}

// Conversation returns a conversation for one of its participants. For other
// members it returns a NotFound error, conversation_not_found. It does not mark
// messages as read.
func (s *Trades) Conversation(ctx context.Context, id, memberID string) (*models.Conversation, error) {
	return conversationOf(ctx, s.read, id, memberID)
}

// ConversationOn returns the conversation of a buyer about a listing as one of the two
// sees it, or nil.
func (s *Trades) ConversationOn(ctx context.Context, listingID, buyerID, memberID string) (*models.Conversation, error) {
	var c models.Conversation
	err := s.read.GetContext(ctx, &c, `SELECT `+conversationColumns+` FROM conversations WHERE listing_id = $1 AND buyer_id = $2 AND (NOT hidden OR buyer_id = $3)`, listingID, buyerID, memberID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &c, err
}

// Blocked returns the ids of the members a member has blocked.
func (s *Trades) Blocked(ctx context.Context, memberID string) (ids []string, err error) {
	err = s.read.SelectContext(ctx, &ids, `SELECT blocked_id FROM blocks WHERE member_id = $1 ORDER BY blocked_id`, memberID)
	return ids, err
}

// MinResponses is the number of conversations needed to state a response time.
const MinResponses = 5

// ResponsePeriod is how far back the statistics of a seller's responses go.
const ResponsePeriod = 90 * 24 * time.Hour

// ResponseStats computes the statistics of a seller's conversations of ResponsePeriod,
// at most the last 200. Unanswered conversations count after a day, those that the seller
// began never.
func (s *Trades) ResponseStats(ctx context.Context, sellerID string) (stats models.ResponseStats, err error) {
	var rows []struct{ FirstAt, AnsweredAt models.Time }
	err = s.read.SelectContext(ctx, &rows, `SELECT asked_at AS first_at, answered_at FROM (SELECT
			COALESCE((SELECT m.at FROM messages m WHERE m.conversation_id = c.id AND m.sender_id <> c.seller_id ORDER BY m.at LIMIT 1), 0) AS asked_at,
			COALESCE((SELECT m.at FROM messages m WHERE m.conversation_id = c.id AND m.sender_id = c.seller_id ORDER BY m.at LIMIT 1), 0) AS answered_at
			FROM (SELECT id, seller_id FROM conversations WHERE seller_id = $1 ORDER BY updated_at DESC, id DESC LIMIT 200) c) AS asked
		WHERE asked_at > $2 AND (answered_at = 0 OR asked_at <= answered_at)`, sellerID, s.now().Add(-ResponsePeriod))
	if err != nil {
		return stats, err
	}
	var delays []time.Duration
	for _, row := range rows {
		switch {
		case row.AnsweredAt != 0:
			stats.Answered++
			delays = append(delays, row.AnsweredAt.Std().Sub(row.FirstAt.Std()))
		case row.FirstAt > s.now().Add(-24*time.Hour):
			continue
		}
		stats.Conversations++
	}
	slices.Sort(delays)
	if middle := (stats.Conversations - 1) / 2; stats.Conversations >= MinResponses && middle < len(delays) {
		stats.Median = delays[middle]
	}
	return stats, nil
}

// MaxWatchersWritten is the maximum number of members that a message to watchers is sent
// to.
const MaxWatchersWritten = 1000

// WatchersOf returns how many members watch a listing of a seller, counted up to maxWatchers.
func (s *Trades) WatchersOf(ctx context.Context, listingID, sellerID string) (*models.Watchers, error) {
	if _, err := s.listings.OwnListing(ctx, listingID, sellerID); err != nil {
		return nil, err
	}
	return watchersOf(ctx, s.read, listingID, sellerID)
}

func watchersOf(ctx context.Context, db sqlx.QueryerContext, listingID, sellerID string) (*models.Watchers, error) {
	var last []struct {
		Text string
		At   models.Time
	}
	if err := sqlx.SelectContext(ctx, db, &last, `SELECT text, at FROM watcher_messages WHERE listing_id = $1 ORDER BY at DESC LIMIT 1`, listingID); err != nil {
		return nil, err
	}
	var w models.Watchers
	if len(last) > 0 {
		w.LastText, w.LastAt = last[0].Text, last[0].At
	}
	row := db.QueryRowxContext(ctx, `SELECT
		(SELECT COUNT(*) FROM (SELECT 1 FROM watches WHERE listing_id = $1 AND member_id <> $2 LIMIT $4) AS counted),
		(SELECT COUNT(*) FROM (SELECT 1 FROM watches WHERE listing_id = $1 AND member_id <> $2 AND created_at > $3 LIMIT $4) AS counted)`, listingID, sellerID, w.LastAt, maxWatchers)
	return &w, row.Scan(&w.Count, &w.New)
}

// CountWatchers returns how many members watch listings, counted up to maxWatchers, by listing id. Listings that
// nobody watches are omitted.
func (s *Trades) CountWatchers(ctx context.Context, listingIDs []string) (map[string]int, error) {
	counts := map[string]int{}
	for part := range chunks(listingIDs) {
		var rows []struct {
			ListingID string
			N         int
		}
		err := s.read.SelectContext(ctx, &rows, `SELECT listing_id, n FROM (SELECT l.id AS listing_id,
				(SELECT COUNT(*) FROM (SELECT 1 FROM watches w WHERE w.listing_id = l.id AND w.member_id <> l.seller_id LIMIT `+strconv.Itoa(maxWatchers)+`) AS counted) AS n
			FROM listings l WHERE l.id IN (`+parameters(1, len(part))+`)) AS watched WHERE n > 0`, toAny(part)...)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			counts[r.ListingID] = r.N
		}
	}
	return counts, nil
}

// MessageWatchers sends a message of the seller of an active listing to the members who
// watch it. Each gets it once, in a conversation that is hidden from the seller until
// they answer. Those who have written to the seller or made an offer, block or are
// blocked, or get no such messages, are left out; the seller isn't told, so that nobody
// is found out.
func (s *Trades) MessageWatchers(ctx context.Context, listingID, sellerID, text string) (w *models.Watchers, err error) {
	if !models.Storable(listingID) {
		return nil, listingNotFound(listingID)
	}
	err = s.update(ctx, func(t *tx) error {
		l, err := lockListing(ctx, t, listingID)
		switch {
		case err != nil:
			return err
		case l == nil || l.SellerID != sellerID:
			return listingNotFound(listingID)
		case l.Status != models.StatusActive:
			return notForSale(l)
		}
		m := newMessage(t, sellerID, text)
		if err := m.Check(); err != nil {
			return err
		}
		if err := checkMessageLimits(ctx, t, m); err != nil {
			return err
		}
		if w, err = watchersOf(ctx, t, l.ID, sellerID); err != nil {
			return err
		}
		if w.New == 0 {
			return errNoNewWatchers
		}
		w.New, w.LastText, w.LastAt = 0, m.Text, m.At
		return messageWatchers(ctx, t, l, m)
	})
	return w, err
}

var errNoNewWatchers = &problem.Error{Kind: problem.Conflict, Code: "no_new_watchers", Message: problem.Textf("There's no one new to message: no one has started watching since your last one."),
	Hint: problem.Textf("Wait until more people watch it.")}

// messageWatchers sends a message to the watchers of a listing who get it.
func messageWatchers(ctx context.Context, t *tx, l *models.Listing, m *models.Message) error {
	if _, err := t.ExecContext(ctx, `INSERT INTO watcher_messages (listing_id, seller_id, text, at) VALUES ($1, $2, $3, $4)`, l.ID, l.SellerID, m.Text, m.At); err != nil {
		return err
	}
	var to []string
	err := t.SelectContext(ctx, &to, `SELECT w.member_id FROM watches w JOIN members m ON m.id = w.member_id
		WHERE w.listing_id = $1 AND w.member_id <> $2 AND m.seller_messages
			AND NOT EXISTS (SELECT 1 FROM blocks b WHERE b.member_id = w.member_id AND b.blocked_id = $2 OR b.member_id = $2 AND b.blocked_id = w.member_id)
			AND NOT EXISTS (SELECT 1 FROM conversations c WHERE c.listing_id = $1 AND c.buyer_id = w.member_id)
			AND NOT EXISTS (SELECT 1 FROM offers o WHERE o.listing_id = $1 AND o.buyer_id = w.member_id)
		ORDER BY w.created_at, w.member_id LIMIT $3`, l.ID, l.SellerID, MaxWatchersWritten)
	if err != nil || len(to) == 0 {
		return err
	}
	name, err := memberName(ctx, t, l.SellerID)
	if err != nil {
		return err
	}
	conversations := make([]string, len(to))
	for i := range to {
		conversations[i] = t.db.newID()
		t.happened(models.Entry{Change: models.Change{Kind: models.ConversationChanged, Subject: conversations[i]}, Event: models.MessageReceived, MemberID: to[i]})
		addNotice(t, models.Notice{Kind: models.NoticeWatchersMessaged, To: to[i], By: name, ID: conversations[i], Title: l.Title})
	}
	err = t.insert(ctx, `conversations (`+conversationColumns+`)`, "", len(to), func(i int) []any {
		return []any{conversations[i], l.ID, to[i], l.SellerID, m.At, 0, m.At, true}
	})
	if err != nil {
		return err
	}
	return t.insert(ctx, `messages (id, conversation_id, sender_id, text, at, to_watchers)`, "", len(to), func(i int) []any {
		return []any{t.db.newID(), conversations[i], l.SellerID, m.Text, m.At, true}
	})
}

// SellerMessages reports whether sellers of listings that a member watches may write to
// them.
func (s *Trades) SellerMessages(ctx context.Context, memberID string) (allowed bool, err error) {
	err = s.read.GetContext(ctx, &allowed, `SELECT seller_messages FROM members WHERE id = $1`, memberID)
	return allowed, err
}

// SetSellerMessages sets whether sellers of listings that a member watches may write to
// them.
func (s *Trades) SetSellerMessages(ctx context.Context, memberID string, allowed bool) error {
	return s.update(ctx, func(t *tx) error {
		n, err := t.affected(ctx, `UPDATE members SET seller_messages = $2 WHERE id = $1`, memberID, allowed)
		if err == nil && n == 0 {
			return memberNotFound("id", memberID)
		}
		return err
	})
}
