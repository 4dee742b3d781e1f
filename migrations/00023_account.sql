-- +goose Up

-- Photos that go with what was said about a dispute.
CREATE TABLE evidence_photos (
    offer_id TEXT NOT NULL,
    position BIGINT NOT NULL, -- of the statement
    number   BIGINT NOT NULL, -- of the photo, from 0
    key      TEXT NOT NULL,
    width    BIGINT NOT NULL,
    height   BIGINT NOT NULL,
    bytes    BIGINT NOT NULL,
    PRIMARY KEY (offer_id, position, number),
    FOREIGN KEY (offer_id, position) REFERENCES evidence (offer_id, position) ON DELETE CASCADE
);

CREATE INDEX evidence_photos_key ON evidence_photos (key);

-- What sellers wrote to all who watch a listing.
CREATE TABLE watcher_messages (
    listing_id TEXT NOT NULL REFERENCES listings (id) ON DELETE CASCADE,
    seller_id  TEXT NOT NULL REFERENCES members (id),
    text       TEXT NOT NULL,
    at         BIGINT NOT NULL
);

CREATE INDEX watcher_messages_listing ON watcher_messages (listing_id, at);
CREATE INDEX watcher_messages_seller ON watcher_messages (seller_id, at);

-- A hidden conversation began with a message to all who watch a listing, and is hidden
-- from the seller until the buyer answers.
ALTER TABLE conversations ADD COLUMN hidden BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE messages ADD COLUMN to_watchers BOOLEAN NOT NULL DEFAULT FALSE;

-- Whether sellers of watched listings may write to the member.
ALTER TABLE members ADD COLUMN seller_messages BOOLEAN NOT NULL DEFAULT TRUE;
