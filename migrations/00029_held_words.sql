-- +goose Up

-- Words and phrases that hold a listing for a moderator: one row, one of them a line.
-- version increases with every change.
CREATE TABLE held_words (
    id      BIGINT PRIMARY KEY,
    version BIGINT NOT NULL,
    words   TEXT NOT NULL
);

-- Listings are held for words too: subject is then the word.
CREATE TABLE listing_holds_with_words (
    listing_id  TEXT NOT NULL REFERENCES listings (id) ON DELETE CASCADE,
    reason      TEXT NOT NULL CHECK (reason IN ('same_serial', 'sold', 'stolen', 'word')),
    subject     TEXT NOT NULL,
    unpublished BOOLEAN NOT NULL,
    at          BIGINT NOT NULL,
    decided_at  BIGINT NOT NULL,
    decision    TEXT NOT NULL CHECK (decision IN ('', 'released', 'removed')),
    PRIMARY KEY (listing_id, reason, subject)
);

INSERT INTO listing_holds_with_words (listing_id, reason, subject, unpublished, at, decided_at, decision)
SELECT listing_id, reason, subject, unpublished, at, decided_at, decision FROM listing_holds;

DROP TABLE listing_holds;

ALTER TABLE listing_holds_with_words RENAME TO listing_holds;

CREATE INDEX listing_holds_open ON listing_holds (at) WHERE decided_at = 0;
