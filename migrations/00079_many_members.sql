-- +goose Up

-- What is looked for among very many: members with a role and suspended ones, searches that alert at
-- once or by webhook, conversations with something unread, deliveries that failed, and offers that expire.
CREATE INDEX accounts_role ON accounts (role, member_id);
CREATE INDEX accounts_suspended ON accounts (member_id) WHERE suspended_at <> 0;
CREATE INDEX searches_instant ON searches (id) WHERE every = 'instant';
CREATE INDEX searches_webhook ON searches (id) WHERE webhook <> '';
CREATE INDEX conversations_buyer_unread ON conversations (buyer_id) WHERE updated_at > buyer_read_at;
CREATE INDEX conversations_seller_unread ON conversations (seller_id) WHERE updated_at > seller_read_at;
CREATE INDEX deliveries_failed ON deliveries (id) WHERE failed_at > 0;
CREATE INDEX deliveries_error ON deliveries (id) WHERE error <> '';
CREATE INDEX offers_expiry ON offers (expires_at) WHERE status IN ('pending', 'countered') AND NOT bought;
