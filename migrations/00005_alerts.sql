-- +goose Up

-- Saved searches and their alert channels. The secret of a feed is stored as a
-- hash; that of a webhook is stored in plain text, because it signs deliveries.
CREATE TABLE searches (
    id             TEXT PRIMARY KEY,
    member_id      TEXT NOT NULL REFERENCES members (id),
    name           TEXT NOT NULL,
    query          TEXT NOT NULL,
    every          TEXT NOT NULL,
    email          BOOLEAN NOT NULL,
    webhook        TEXT NOT NULL,
    webhook_secret TEXT NOT NULL,
    feed_hash      TEXT NOT NULL UNIQUE,
    created_at     BIGINT NOT NULL,
    looked_at      BIGINT NOT NULL,
    due_at         BIGINT NOT NULL
);

CREATE INDEX searches_member ON searches (member_id);
CREATE INDEX searches_due ON searches (due_at);

-- Alerts that were sent for a search, one per listing.
CREATE TABLE alerts (
    search_id  TEXT NOT NULL REFERENCES searches (id) ON DELETE CASCADE,
    listing_id TEXT NOT NULL,
    at         BIGINT NOT NULL,
    PRIMARY KEY (search_id, listing_id)
);

CREATE INDEX alerts_recent ON alerts (search_id, at);

-- The queue of outgoing emails and webhook calls, retried with increasing delays.
CREATE TABLE deliveries (
    id         TEXT PRIMARY KEY,
    kind       TEXT NOT NULL,
    recipient  TEXT NOT NULL,
    subject    TEXT NOT NULL,
    body       TEXT NOT NULL,
    secret     TEXT NOT NULL,
    attempts   BIGINT NOT NULL,
    next_at    BIGINT NOT NULL,
    created_at BIGINT NOT NULL
);

CREATE INDEX deliveries_due ON deliveries (next_at);
