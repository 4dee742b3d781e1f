-- +goose Up

-- Conversations of a buyer and a seller about a listing.
CREATE TABLE conversations (
    id             TEXT PRIMARY KEY,
    listing_id     TEXT NOT NULL REFERENCES listings (id) ON DELETE CASCADE,
    buyer_id       TEXT NOT NULL REFERENCES members (id),
    seller_id      TEXT NOT NULL REFERENCES members (id),
    updated_at     BIGINT NOT NULL,
    buyer_read_at  BIGINT NOT NULL,
    seller_read_at BIGINT NOT NULL,
    UNIQUE (listing_id, buyer_id)
);

CREATE INDEX conversations_buyer ON conversations (buyer_id, updated_at, id);
CREATE INDEX conversations_seller ON conversations (seller_id, updated_at, id);

CREATE TABLE messages (
    id              TEXT PRIMARY KEY,
    conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
    sender_id       TEXT NOT NULL REFERENCES members (id),
    text            TEXT NOT NULL,
    at              BIGINT NOT NULL
);

CREATE INDEX messages_conversation ON messages (conversation_id, at, id);

CREATE TABLE blocks (
    member_id  TEXT NOT NULL REFERENCES members (id),
    blocked_id TEXT NOT NULL REFERENCES members (id),
    PRIMARY KEY (member_id, blocked_id)
);

CREATE TABLE watches (
    member_id  TEXT NOT NULL REFERENCES members (id),
    listing_id TEXT NOT NULL REFERENCES listings (id) ON DELETE CASCADE,
    price      BIGINT NOT NULL,
    told_price BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (member_id, listing_id)
);

CREATE INDEX watches_listing ON watches (listing_id);

CREATE TABLE ratings (
    offer_id TEXT NOT NULL REFERENCES offers (id),
    rater_id TEXT NOT NULL REFERENCES members (id),
    rated_id TEXT NOT NULL REFERENCES members (id),
    stars    BIGINT NOT NULL CHECK (stars BETWEEN 1 AND 5),
    text     TEXT NOT NULL,
    at       BIGINT NOT NULL,
    PRIMARY KEY (offer_id, rater_id)
);

CREATE INDEX ratings_rated ON ratings (rated_id, at);

-- Reports by members, and the audit log of operators.
CREATE TABLE reports (
    id          TEXT PRIMARY KEY,
    listing_id  TEXT NOT NULL REFERENCES listings (id) ON DELETE CASCADE,
    reporter_id TEXT NOT NULL REFERENCES members (id),
    reason      TEXT NOT NULL,
    text        TEXT NOT NULL,
    at          BIGINT NOT NULL,
    closed_at   BIGINT NOT NULL,
    UNIQUE (listing_id, reporter_id)
);

CREATE INDEX reports_open ON reports (at) WHERE closed_at = 0;

CREATE TABLE audit (
    id          TEXT PRIMARY KEY,
    operator_id TEXT NOT NULL REFERENCES members (id),
    action      TEXT NOT NULL,
    subject     TEXT NOT NULL,
    note        TEXT NOT NULL,
    at          BIGINT NOT NULL
);
