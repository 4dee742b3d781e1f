-- +goose Up

-- Requests with an idempotency key, so that a retried write is done once. State is
-- 0 while one is in progress, 1 when its changes are committed, and 2 when its
-- response is stored. The key is stored as a hash, the response encrypted with it.
CREATE TABLE idempotency (
    member_id  TEXT NOT NULL REFERENCES accounts (member_id) ON DELETE CASCADE,
    operation  TEXT NOT NULL,
    key_hash   TEXT NOT NULL,
    request    TEXT NOT NULL,
    state      BIGINT NOT NULL,
    answer     TEXT NOT NULL,
    claimed_at BIGINT NOT NULL,
    PRIMARY KEY (member_id, operation, key_hash)
);

-- Expired keys.
CREATE INDEX idempotency_age ON idempotency (claimed_at);
