package store

import (
	"github.com/secondlight/secondlight/models"
)

import "context"

// waitingOffers selects the offers that wait for the member $1 at the time $2. The
// lists of statuses match two partial indexes.
const waitingOffers = `SELECT * FROM (
	SELECT o.id AS offer_id, o.listing_id, CASE o.status WHEN 'countered' THEN 'reply' WHEN 'completed' THEN 'confirm' ELSE
			CASE WHEN h.status = 'open' THEN 'arrange' WHEN h.status = 'proposed' AND NOT h.by_buyer THEN 'agree' ELSE '' END END AS kind,
		CASE o.status WHEN 'accepted' THEN h.due_at ELSE o.expires_at END AS due_at
	FROM offers o LEFT JOIN handovers h ON h.offer_id = o.id WHERE o.buyer_id = $1 AND o.status IN ('countered', 'accepted', 'completed')
	UNION ALL
	SELECT o.id, o.listing_id, CASE WHEN o.status = 'pending' THEN 'reply' WHEN h.status = 'open' THEN 'arrange' WHEN h.status = 'proposed' AND h.by_buyer THEN 'agree'
			WHEN h.status = 'agreed' AND h.method = 'shipping' THEN 'send' WHEN h.status = 'agreed' THEN 'hand_over' ELSE '' END,
		CASE o.status WHEN 'accepted' THEN h.due_at ELSE o.expires_at END
	FROM offers o LEFT JOIN handovers h ON h.offer_id = o.id WHERE o.seller_id = $1 AND o.status IN ('pending', 'accepted')
	) AS w WHERE w.kind <> '' AND (w.kind <> 'reply' OR w.due_at > $2)`

// CountWaiting counts the pending tasks of a member, with one query, because every page
// shows the number.
func (s *Trades) CountWaiting(ctx context.Context, memberID string) (c models.WaitingCounts, err error) {
	var rows []struct {
		Kind models.WaitingKind
		N    int
	}
	err = s.read.SelectContext(ctx, &rows, `SELECT kind, COUNT(*) AS n FROM (`+waitingOffers+`) AS o GROUP BY kind
		UNION ALL SELECT 'unread', (`+countUnread+`)`, memberID, s.now())
	for _, r := range rows {
		switch r.Kind {
		case models.WaitingReply:
			c.Replies += r.N
		case models.WaitingArrange, models.WaitingAgree:
			c.Arrange += r.N
		case models.WaitingSend, models.WaitingHandOver:
			c.Send += r.N
		case models.WaitingConfirm:
			c.Confirm += r.N
		default:
			c.Unread += r.N
		}
	}
	return c, err
}

// WaitingFor returns up to limit offers that wait for a member, the next one due
// first.
func (s *Trades) WaitingFor(ctx context.Context, memberID string, limit int) (waiting []models.Waiting, err error) {
	err = s.read.SelectContext(ctx, &waiting, `SELECT o.offer_id, o.kind, o.due_at, l.title FROM (`+waitingOffers+`) AS o JOIN listings l ON l.id = o.listing_id
		ORDER BY o.due_at, o.offer_id LIMIT $3`, memberID, s.now(), limit)
	return waiting, err
}
