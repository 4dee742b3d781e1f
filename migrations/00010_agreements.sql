-- +goose Up

-- Agreements: the listing as it was when an offer on it was accepted. A content
-- column of listings that buyers rely on is here too.
CREATE TABLE agreements (
    offer_id   TEXT PRIMARY KEY REFERENCES offers (id) ON DELETE CASCADE,
    agreed_at  BIGINT NOT NULL,
    amount     BIGINT NOT NULL CHECK (amount > 0),
    gear       TEXT NOT NULL,
    category   TEXT NOT NULL,
    title      TEXT NOT NULL,
    text       TEXT NOT NULL,
    condition  TEXT NOT NULL,
    functional TEXT NOT NULL,
    defects    TEXT NOT NULL,
    included   TEXT NOT NULL,
    shutter    BIGINT NOT NULL,
    price      BIGINT NOT NULL,
    region     TEXT NOT NULL
);

CREATE TABLE agreement_photos (
    offer_id TEXT NOT NULL REFERENCES agreements (offer_id) ON DELETE CASCADE,
    place    BIGINT NOT NULL,
    key      TEXT NOT NULL,
    alt      TEXT NOT NULL,
    width    BIGINT NOT NULL,
    height   BIGINT NOT NULL,
    PRIMARY KEY (offer_id, place)
);

-- Photos by key, to check whether one is in use.
CREATE INDEX agreement_photos_key ON agreement_photos (key);

-- Problems that buyers reported with completed sales.
CREATE TABLE disputes (
    offer_id TEXT PRIMARY KEY REFERENCES offers (id) ON DELETE CASCADE,
    text     TEXT NOT NULL,
    at       BIGINT NOT NULL
);

-- A completed sale now awaits the buyer's confirmation. Those completed before are
-- confirmed, as their sales are. A voided sale permits another one of the listing.
UPDATE offers SET status = 'confirmed' WHERE status = 'completed';
DROP INDEX offers_accepted;
CREATE UNIQUE INDEX offers_accepted ON offers (listing_id) WHERE status IN ('accepted', 'completed', 'disputed', 'confirmed');

-- Offers that are accepted now.
INSERT INTO agreements (offer_id, agreed_at, amount, gear, category, title, text, condition, functional, defects, included, shutter, price, region)
    SELECT o.id, o.updated_at, o.amount, l.gear, l.category, l.title, l.text, l.condition, l.functional, l.defects, l.included, l.shutter, l.price, l.region
    FROM offers o JOIN listings l ON l.id = o.listing_id WHERE o.status = 'accepted';
INSERT INTO agreement_photos (offer_id, place, key, alt, width, height)
    SELECT o.id, p.place, p.key, p.alt, p.width, p.height
    FROM offers o JOIN listing_photos p ON p.listing_id = o.listing_id WHERE o.status = 'accepted';

-- Every sold listing has a sale. Until now those elsewhere, and of gear that is not
-- in the catalogue, had none.
INSERT INTO sales (id, gear, condition, price, sold_at, region, listing_id, demo, source, offer_id, seller_id, buyer_id)
    SELECT o.id, l.gear, l.condition, o.amount, l.closed_at, l.region, l.id, l.demo, 'members', o.id, o.seller_id, o.buyer_id
    FROM offers o JOIN listings l ON l.id = o.listing_id
    WHERE o.status = 'confirmed' AND NOT EXISTS (SELECT 1 FROM sales WHERE sales.listing_id = l.id);
INSERT INTO sales (id, gear, condition, price, sold_at, region, listing_id, demo, source, seller_id)
    SELECT l.id, l.gear, l.condition, l.sold_price, l.closed_at, l.region, l.id, l.demo, 'declared', l.seller_id
    FROM listings l
    WHERE 'sold' IN (l.status, l.removed_from) AND NOT EXISTS (SELECT 1 FROM sales WHERE sales.listing_id = l.id);
