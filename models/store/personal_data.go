package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
)

// personalDataTables lists all personal data in the database except hashes of
// passwords, secrets, serial numbers and pictures. A test compares it with the schema.
var personalDataTables = []struct {
	name, text, columns, from string
}{
	{"members", "Your public profile", "id, handle, name, region, bio, postage, joined_at, seller_messages, seller_kind", "members t WHERE t.id = $1"},
	{"accounts", "Your account", "email, role, language, created_at, suspended_at", "accounts t WHERE t.member_id = $1"},
	{"passkeys", "Your passkeys", "id, name, created_at, used_at, suspended", "passkeys t WHERE t.member_id = $1"},
	{"sessions", "Your sessions", "client, created_at, seen_at, expires_at", "sessions t WHERE t.member_id = $1"},
	{"oauth_grants", "Apps you connected", "id, client_id, client_name, redirect_uri, scopes, resource, created_at, used_at, expires_at", "oauth_grants t WHERE t.member_id = $1"},
	{"tokens", "Your API tokens", "id, parent_id, grant_id, name, scopes, audience, created_at, expires_at, used_at", "tokens t WHERE t.member_id = $1"},
	{"codes", "Unused links we've emailed you", "purpose, email, expires_at", "codes t WHERE t.member_id = $1"},
	{"login_networks", "Networks you've signed in from", "seen_at", "login_networks t WHERE t.member_id = $1"},
	{"listings", "Your listings", "id, external_id, gear, category, title, text, " + itemColumnNames(everyField) + ", price, currency, region, postage, buy_now, status, " +
		"created_at, published_at, updated_at, closed_at, expires_at, sold_price, end_reason, removed_from", "listings t WHERE t.seller_id = $1"},
	{"listing_photos", "Photos of your listings", "listing_id, place, key, alt, width, height, bytes",
		"listing_photos t WHERE t.listing_id IN (SELECT id FROM listings WHERE seller_id = $1)"},
	{"listing_prices", "Previous prices of your listings", "listing_id, until, price, currency",
		"(SELECT p.*, l.currency FROM listing_prices p JOIN listings l ON l.id = p.listing_id) t WHERE t.listing_id IN (SELECT id FROM listings WHERE seller_id = $1)"},
	{"reminders", "Expiry reminders sent to you", "listing_id, expires_at",
		"reminders t WHERE t.listing_id IN (SELECT id FROM listings WHERE seller_id = $1)"},
	{"sales", "Your sales and purchases", "id, listing_id, gear, condition, price, paid, currency, rate_day, sold_at, region, source, status, offer_id, seller_id, seller_kind, buyer_id, confirm_at, voided_at",
		"sales t WHERE t.id IN (SELECT id FROM sales WHERE seller_id = $1 UNION SELECT id FROM sales WHERE buyer_id = $1 UNION SELECT s.id FROM listings l JOIN sales s ON s.listing_id = l.id WHERE l.seller_id = $1)"},
	{"offers", "Offers you made and received", "id, listing_id, buyer_id, seller_id, status, amount, currency, bought, method, postage, rounds, created_at, updated_at, expires_at",
		"offers t WHERE t.buyer_id = $1 OR t.seller_id = $1"},
	{"offer_rounds", "Prices proposed in these offers", "offer_id, round, by_buyer, amount, currency, message, at",
		"(SELECT r.*, o.currency FROM offer_rounds r JOIN offers o ON o.id = r.offer_id) t WHERE t.offer_id IN (SELECT id FROM offers WHERE buyer_id = $1 OR seller_id = $1)"},
	{"agreements", "What you agreed on in these offers", "offer_id, agreed_at, amount, gear, category, title, text, " + itemColumnNames(agreedField) + ", price, currency, region, postage",
		"agreements t WHERE t.offer_id IN (SELECT id FROM offers WHERE buyer_id = $1 OR seller_id = $1)"},
	{"agreement_photos", "Photos in these agreements", "offer_id, place, key, alt, width, height",
		"agreement_photos t WHERE t.offer_id IN (SELECT id FROM offers WHERE buyer_id = $1 OR seller_id = $1)"},
	{"offer_addresses", "Addresses you gave with open offers", "offer_id, address", "offer_addresses t WHERE t.buyer_id = $1"},
	{"trade_settings", "Your delivery address and payment details", "address, account_holder, iban, payment_link, cash", "trade_settings t WHERE t.member_id = $1"},
	{"handovers", "Delivery details for these sales", "offer_id, status, method, place, meet_at, by_buyer, payment, payment_link, account_holder, iban, cash, carrier, tracking, tracking_url, sent_at, received_at, updated_at",
		"handovers t WHERE t.offer_id IN (SELECT id FROM offers WHERE buyer_id = $1 OR seller_id = $1)"},
	{"handover_addresses", "Addresses you gave to sellers", "offer_id, address", "handover_addresses t WHERE t.buyer_id = $1"},
	{"disputes", "Problems reported with these sales", "offer_id, text, at",
		"disputes t WHERE t.offer_id IN (SELECT id FROM offers WHERE buyer_id = $1 OR seller_id = $1)"},
	{"evidence", "Statements about these problems", "offer_id, position, by_buyer, text, at",
		"evidence t WHERE t.offer_id IN (SELECT id FROM offers WHERE buyer_id = $1 OR seller_id = $1)"},
	{"evidence_photos", "Photos added to these problems", "offer_id, position, number, key, width, height, bytes",
		"evidence_photos t WHERE t.offer_id IN (SELECT id FROM offers WHERE buyer_id = $1 OR seller_id = $1)"},
	{"conversations", "Your conversations", "id, listing_id, buyer_id, seller_id, updated_at, buyer_read_at, seller_read_at",
		"conversations t WHERE t.buyer_id = $1 OR t.seller_id = $1 AND NOT t.hidden"},
	{"messages", "Messages in these conversations", "id, conversation_id, sender_id, text, at",
		"messages t WHERE t.conversation_id IN (SELECT id FROM conversations WHERE buyer_id = $1 OR seller_id = $1 AND NOT hidden)"},
	{"watcher_messages", "Messages to people watching your listings", "listing_id, text, at", "watcher_messages t WHERE t.seller_id = $1"},
	{"blocks", "Members you blocked", "blocked_id", "blocks t WHERE t.member_id = $1"},
	{"watches", "Your watchlist", "listing_id, price, told_price, currency, created_at", "(SELECT w.*, l.currency FROM watches w JOIN listings l ON l.id = w.listing_id) t WHERE t.member_id = $1"},
	{"gear_proposals", "Catalogue corrections you suggested", "id, gear, document, source, status, at, decided_at", "gear_proposals t WHERE t.member_id = $1"},
	{"searches", "Your saved searches", "id, name, query, every, email, webhook, webhook_events, created_at, looked_at, due_at", "searches t WHERE t.member_id = $1"},
	{"alerts", "Alerts from these searches", "search_id, listing_id, at", "alerts t WHERE t.search_id IN (SELECT id FROM searches WHERE member_id = $1)"},
	{"trend_alerts", "Price updates sent to your webhooks", "search_id, gear, position, due_at", "trend_alerts t WHERE t.search_id IN (SELECT id FROM searches WHERE member_id = $1)"},
	{"kit_items", "Your kit", "id, gear, name, condition, bought_on, paid_price, serial, insured, note, public, alert, told_price, created_at, updated_at", "kit_items t WHERE t.member_id = $1"},
	{"ratings", "Ratings you gave and received", "offer_id, rater_id, rated_id, stars, text, at", "ratings t WHERE t.rater_id = $1 OR t.rated_id = $1"},
	{"listing_serials", "Listings with a serial number we check", "listing_id", "listing_serials t WHERE t.listing_id IN (SELECT id FROM listings WHERE seller_id = $1)"},
	{"listing_holds", "Your listings held for checking", "listing_id, at, decided_at, decision",
		"listing_holds t WHERE t.listing_id IN (SELECT id FROM listings WHERE seller_id = $1)"},
	{"possession_checks", "Your verification photos", "listing_id, code, status, issued_at, expires_at, photo, show_photo, sent_at, decided_at, reason",
		"possession_checks t WHERE t.listing_id IN (SELECT id FROM listings WHERE seller_id = $1)"},
	{"photo_facts", "Metadata from your photos", "listing_id, key, camera, lens, software, generated",
		"photo_facts t WHERE t.listing_id IN (SELECT id FROM listings WHERE seller_id = $1)"},
	{"photo_notes", "Our notes on your photos", "listing_id, key, kind, detail, at, closed_at",
		"photo_notes t WHERE t.listing_id IN (SELECT id FROM listings WHERE seller_id = $1)"},
	{"stolen_reports", "Stolen gear you've reported", "id, status, gear, name, serial, stolen_on, place, police, photo, at, decided_at, erased", "stolen_reports t WHERE t.reporter_id = $1"},
	{"contact_messages", "Messages you sent to the owner of the site", "id, name, email, topic, about, text, status, created_at", "contact_messages t WHERE t.member_id = $1"},
	{"reports", "Reports you made", "id, listing_id, reason, text, at, closed_at", "reports t WHERE t.reporter_id = $1"},
	{"audit", "Your actions as an operator", "id, action, subject, note, at", "audit t WHERE t.operator_id = $1"},
	{"idempotency", "Your recent idempotency keys", "operation, location, claimed_at", "idempotency t WHERE t.member_id = $1"},
	{"account_webhooks", "The webhook of your account", "url, events, created_at", "account_webhooks t WHERE t.member_id = $1"},
	{"webhook_log", "What that webhook was sent", "id, event, body, attempts, created_at, sent_at, failed_at, error", "webhook_log t WHERE t.member_id = $1"},
	{"webhook_tests", "Your recent webhook tests", "at", "webhook_tests t WHERE t.member_id = $1"},
	{"deliveries", "Emails and webhooks queued for you", "id, kind, subject, body, created_at",
		"deliveries t WHERE t.member_id = $1 OR t.kind = 'mail' AND t.recipient IN (SELECT email FROM accounts WHERE member_id = $1)"},
}

// PersonalData returns all data stored about a member.
func (s *Accounts) PersonalData(ctx context.Context, memberID string) ([]models.PersonalDataTable, error) {
	tables := make([]models.PersonalDataTable, len(personalDataTables))
	for i, source := range personalDataTables {
		t := &tables[i]
		t.Name, t.Text, t.Columns = source.name, source.text, strings.Split(source.columns, ", ")
		order := " ORDER BY 1"
		if len(t.Columns) > 1 { // order the rows of one listing, offer or search
			order += ", 2"
		}
		rows, err := s.read.QueryxContext(ctx, `SELECT t.`+strings.Join(t.Columns, ", t.")+` FROM `+source.from+order, memberID)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", source.name, err)
		}
		err = eachRow(rows, func(r *sqlx.Rows) error {
			values, err := r.SliceScan()
			if err != nil {
				return err
			}
			for c := range values {
				values[c] = typedValue(t.Columns[c], values[c])
			}
			t.Rows = append(t.Rows, values)
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", source.name, err)
		}
	}
	return tables, nil
}

// typedValue converts a value of a column to its Go type.
func typedValue(column string, value any) any {
	switch v := value.(type) {
	case nil:
		return ""
	case []byte:
		return string(v)
	case int64:
		switch {
		case column == "at", column == "until", strings.HasSuffix(column, "_at"):
			return models.Time(v)
		case column == "amount", column == "paid", strings.HasSuffix(column, "price"):
			return models.Cents(v)
		case column == "by_buyer", column == "email", column == "suspended", column == "show_photo", column == "generated", column == "erased", column == "insured", column == "public", column == "alert", column == "bought", column == "cash": // SQLite has no boolean type
			return v != 0
		}
	}
	return value
}
