-- +goose Up

-- Writes that a member named with a key, so that one sent twice is done once.
-- State is 0 while one is under way, 1 when what it changed is kept, and 2 when
-- its answer is too. The key is kept as a hash, the answer sealed with the key.
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

-- What is over.
CREATE INDEX idempotency_age ON idempotency (claimed_at);
