//go:build linux

package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/secondlight/secondlight/models"
)

// busy is how many entries the audit log, and the conversations, the messages of one of them and
// the notices of the busy member have. With fewer accounts it is that number.
const busy = 200_000

// fill adds accounts and what they have written, unless an earlier run has, and watchers until
// there are as many as wanted.
func (s *site) fill(ctx context.Context) error {
	var filled bool
	var watchers int
	err := s.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM members WHERE handle = 'person-1'), (SELECT COUNT(*) FROM watches WHERE listing_id = $1)`, s.listing).Scan(&filled, &watchers)
	if err != nil {
		return err
	}
	statements := slices.Concat(prepareFill, fillMembers, fillWatchers, finishFill)
	switch {
	case watchers >= s.watchers:
		return nil
	case filled:
		statements = slices.Concat(prepareFill, fillWatchers, finishFill)
	}
	began, now := time.Now(), models.TimeOf(time.Now())
	conversation := `md5('conversation1')::uuid::text`
	replace := strings.NewReplacer(
		":accounts", fmt.Sprint(s.accounts), ":step", fmt.Sprint(max(1, s.accounts/s.watchers)), ":busy", fmt.Sprint(min(busy, s.accounts)), ":now", fmt.Sprint(int64(now)),
		":listing", "'"+s.listing+"'", ":seller", "'"+s.seller.id+"'", ":operator", "'"+s.operator.id+"'", ":conversation", conversation)
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	for _, statement := range statements {
		if _, err := conn.ExecContext(ctx, replace.Replace(statement)); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	fmt.Printf("filled in %s\n", time.Since(began).Round(time.Second))
	return nil
}

// member is SQL for the id of the nth member.
const member = `md5('member' || n)::uuid::text`

var (
	prepareFill = []string{`SET session_replication_role = replica`, `SET synchronous_commit = off`}
	finishFill  = []string{`VACUUM ANALYZE`, `RESET session_replication_role`, `RESET synchronous_commit`}
)

// fillWatchers adds those who watch the listing.
var fillWatchers = []string{
	`INSERT INTO watches (member_id, listing_id, price, told_price, created_at)
		SELECT ` + member + `, id, price, price, :now - n * 1000::bigint FROM generate_series(:step, :accounts, :step) n, listings WHERE id = :listing ON CONFLICT DO NOTHING`,
}

// fillMembers adds the members. Half have a saved search, of which one in 50,000 is instant, and up
// to 200,000 write to the seller.
var fillMembers = []string{
	`INSERT INTO members (id, handle, name, region, bio, joined_at, demo)
		SELECT ` + member + `, 'person-' || n, 'Person ' || n, 'DE', '', :now - n * 30000::bigint, FALSE FROM generate_series(1, :accounts) n`,
	`INSERT INTO accounts (member_id, email, password, role, created_at, suspended_at, language)
		SELECT ` + member + `, 'person' || n || '@example.org', '', 'member', :now - n * 30000::bigint, 0, CASE WHEN n % 3 = 0 THEN 'de' ELSE '' END FROM generate_series(1, :accounts) n`,
	`INSERT INTO watches (member_id, listing_id, price, told_price, created_at)
		SELECT :seller, id, price, price, published_at FROM listings WHERE status = 'active' AND id <> :listing LIMIT 500`,
	`INSERT INTO searches (id, member_id, name, query, every, email, webhook, webhook_secret, feed_hash, created_at, looked_at, due_at)
		SELECT md5('search' || n)::uuid::text, ` + member + `, 'Leica M6', 'keyword=leica+m6', CASE WHEN n % 50000 = 0 THEN 'instant' WHEN n % 4 = 0 THEN 'weekly' ELSE 'daily' END,
			TRUE, '', 'secret', md5('feed' || n), :now, :now, CASE WHEN n % 50000 = 0 THEN 0 ELSE :now + 86400000 + n END FROM generate_series(2, :accounts, 2) n`,
	`INSERT INTO searches (id, member_id, name, query, every, email, webhook, webhook_secret, feed_hash, created_at, looked_at, due_at)
		SELECT md5('own' || n)::uuid::text, :seller, 'Search ' || n, 'keyword=leica+m6', 'daily', TRUE, '', 'secret', md5('own' || n), :now, :now, :now + 86400000 FROM generate_series(1, 100) n`,
	`INSERT INTO audit (id, operator_id, action, subject, note, at)
		SELECT md5('audit' || n)::uuid::text, :operator, 'remove', ` + member + `, 'Not for sale here.', :now - n * 1000::bigint FROM generate_series(1, :busy) n`,
	`INSERT INTO conversations (id, listing_id, buyer_id, seller_id, updated_at, buyer_read_at, seller_read_at)
		SELECT md5('conversation' || n)::uuid::text, :listing, ` + member + `, :seller, :now - n * 100000::bigint, 0, CASE WHEN n % 2 = 0 THEN :now ELSE 0 END FROM generate_series(1, :busy) n`,
	`INSERT INTO messages (id, conversation_id, sender_id, text, at)
		SELECT md5('first' || n)::uuid::text, md5('conversation' || n)::uuid::text, ` + member + `, 'Is it still available?', :now - n * 100000::bigint FROM generate_series(1, :busy) n`,
	`INSERT INTO messages (id, conversation_id, sender_id, text, at)
		SELECT md5('message' || n)::uuid::text, :conversation, CASE WHEN n % 2 = 0 THEN :seller ELSE md5('member1')::uuid::text END, 'Yes, it is.', :now - n * 200000::bigint FROM generate_series(1, :busy) n`,
	`INSERT INTO changes (kind, subject, event, member_id, version, at)
		SELECT 'offer', md5('offer' || n)::uuid::text, 'offer_made', :seller, 0, :now FROM generate_series(1, :busy) n`,
	`INSERT INTO changes (kind, subject, event, member_id, version, at)
		SELECT 'member', ` + member + `, 'seller_updated', '', 0, :now FROM generate_series(1, :busy) n`,
	`INSERT INTO contact_messages (id, name, email, topic, about, text, status, created_at)
		SELECT md5('contact' || n)::uuid::text, 'Person ' || n, 'person' || n || '@example.org', 'other', '', 'Where is my order?', CASE WHEN n % 1000 = 0 THEN 'open' ELSE 'done' END, :now - n * 100000::bigint FROM generate_series(1, :busy) n`,
	`INSERT INTO account_webhooks (member_id, url, secret, events, created_at)
		SELECT ` + member + `, 'https://example.org/hook', 'secret', '["price.dropped"]', :now FROM generate_series(1000, :accounts, 1000) n`,
}
