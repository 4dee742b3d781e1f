-- +goose Up

ALTER TABLE listings ADD COLUMN version BIGINT NOT NULL DEFAULT 1;
ALTER TABLE listings ADD COLUMN expires_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE listings ADD COLUMN end_reason TEXT NOT NULL DEFAULT '';
ALTER TABLE listings ADD COLUMN removed_from TEXT NOT NULL DEFAULT '';

-- Listings that are due to expire.
CREATE INDEX listings_expiry ON listings (expires_at) WHERE status = 'active' AND expires_at > 0;

-- Previous asking prices of listings.
CREATE TABLE listing_prices (
    listing_id TEXT NOT NULL REFERENCES listings (id) ON DELETE CASCADE,
    until      BIGINT NOT NULL,
    price      BIGINT NOT NULL,
    PRIMARY KEY (listing_id, until)
);

CREATE TABLE offers (
    id         TEXT PRIMARY KEY,
    listing_id TEXT NOT NULL REFERENCES listings (id),
    buyer_id   TEXT NOT NULL REFERENCES members (id),
    seller_id  TEXT NOT NULL REFERENCES members (id),
    status     TEXT NOT NULL,
    amount     BIGINT NOT NULL CHECK (amount > 0),
    rounds     BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);

-- At most one open offer per buyer and listing, and one accepted offer per listing.
CREATE UNIQUE INDEX offers_open ON offers (listing_id, buyer_id) WHERE status IN ('pending', 'countered', 'accepted');
CREATE UNIQUE INDEX offers_accepted ON offers (listing_id) WHERE status IN ('accepted', 'completed');
CREATE INDEX offers_buyer ON offers (buyer_id, updated_at, id);
CREATE INDEX offers_seller ON offers (seller_id, updated_at, id);

-- The proposals of an offer, in order.
CREATE TABLE offer_rounds (
    offer_id TEXT NOT NULL REFERENCES offers (id) ON DELETE CASCADE,
    round    BIGINT NOT NULL,
    by_buyer BOOLEAN NOT NULL,
    amount   BIGINT NOT NULL,
    message  TEXT NOT NULL,
    at       BIGINT NOT NULL,
    PRIMARY KEY (offer_id, round)
);
