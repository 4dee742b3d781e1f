package store

import (
	"context"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// MaxWatchersWritten is the maximum number of members that a message to watchers is sent
// to.
const MaxWatchersWritten = 1000

// WatchersOf returns how many members watch a listing of a seller.
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
	row := db.QueryRowxContext(ctx, `SELECT COUNT(*), COUNT(CASE WHEN created_at > $3 THEN 1 END) FROM watches WHERE listing_id = $1 AND member_id <> $2`, listingID, sellerID, w.LastAt)
	return &w, row.Scan(&w.Count, &w.New)
}

// CountWatchers returns how many members watch listings, by listing id. Listings that
// nobody watches are omitted.
func (s *Trades) CountWatchers(ctx context.Context, listingIDs []string) (map[string]int, error) {
	counts := map[string]int{}
	for part := range chunks(listingIDs) {
		var rows []struct {
			ListingID string
			N         int
		}
		err := s.read.SelectContext(ctx, &rows, `SELECT w.listing_id, COUNT(*) AS n FROM watches w JOIN listings l ON l.id = w.listing_id
			WHERE w.listing_id IN (`+parameters(1, len(part))+`) AND w.member_id <> l.seller_id GROUP BY w.listing_id`, toAny(part)...)
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

var errNoNewWatchers = &problem.Error{Kind: problem.Conflict, Code: "no_new_watchers", Message: problem.Textf("There's nobody new to write to: nobody has started watching this listing since your last message."),
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
