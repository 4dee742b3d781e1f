-- +goose Up

-- Webhooks take turns by member and host. A delivery is claimed while a server sends
-- it, at most until next_at. Dropped counts the older deliveries of the search that
-- were dropped from a full queue. Deliveries queued by an earlier release have no
-- member and no host, and take turns as if they were those of one member.
ALTER TABLE deliveries ADD COLUMN member_id TEXT NOT NULL DEFAULT '';
ALTER TABLE deliveries ADD COLUMN search_id TEXT REFERENCES searches (id) ON DELETE CASCADE;
ALTER TABLE deliveries ADD COLUMN host TEXT NOT NULL DEFAULT '';
ALTER TABLE deliveries ADD COLUMN claimed BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE deliveries ADD COLUMN dropped BIGINT NOT NULL DEFAULT 0;

-- Due webhooks, those being sent, and the queue of a search.
CREATE INDEX deliveries_turns ON deliveries (next_at, member_id, host, id) WHERE kind = 'webhook';
CREATE INDEX deliveries_claimed ON deliveries (member_id, host, next_at) WHERE claimed;
CREATE INDEX deliveries_search ON deliveries (search_id, kind, id) WHERE search_id IS NOT NULL;

-- When a webhook of the member was last sent.
ALTER TABLE accounts ADD COLUMN webhook_at BIGINT NOT NULL DEFAULT 0;

-- Consecutive failures of a search's webhook, and when it is tried again.
ALTER TABLE searches ADD COLUMN webhook_failures BIGINT NOT NULL DEFAULT 0;
ALTER TABLE searches ADD COLUMN webhook_retry_at BIGINT NOT NULL DEFAULT 0;

-- Recent tests of webhooks.
CREATE TABLE webhook_tests (
    member_id TEXT NOT NULL REFERENCES accounts (member_id) ON DELETE CASCADE,
    at        BIGINT NOT NULL
);

CREATE INDEX webhook_tests_member ON webhook_tests (member_id, at);

-- Work that one server does at a time, and which one does it until when.
CREATE TABLE leases (
    name   TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    until  BIGINT NOT NULL
);

-- Size of a photo's files in all widths. That of earlier photos is an estimate.
ALTER TABLE listing_photos ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;
UPDATE listing_photos SET bytes = 300000 WHERE LENGTH(key) = 32;

-- Size of a stored response, and the address of the resource that the write created.
-- State 3 is that of a response that is no longer stored, such as those of an earlier
-- release, which were not compressed.
ALTER TABLE idempotency ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE idempotency ADD COLUMN location TEXT NOT NULL DEFAULT '';
UPDATE idempotency SET state = 3, answer = '' WHERE state = 2;

CREATE INDEX idempotency_bytes ON idempotency (member_id, claimed_at, operation, key_hash, bytes);
