-- +goose Up

-- When an operator confirmed by a photograph that the seller has the item; 0 if none has.
ALTER TABLE listings ADD COLUMN verified_at BIGINT NOT NULL DEFAULT 0;

-- Keyed hashes of the serial numbers of listings. The key is in settings.
CREATE TABLE listing_serials (
    listing_id TEXT PRIMARY KEY REFERENCES listings (id) ON DELETE CASCADE,
    hash       TEXT NOT NULL
);

CREATE INDEX listing_serials_hash ON listing_serials (hash);

-- Why listings are held for an operator. subject is the other listing or the report of a
-- theft, never shown to the seller. decided_at is 0 while the hold is open. unpublished
-- is set if the listing had never been public.
CREATE TABLE listing_holds (
    listing_id  TEXT NOT NULL REFERENCES listings (id) ON DELETE CASCADE,
    reason      TEXT NOT NULL CHECK (reason IN ('same_serial', 'sold', 'stolen')),
    subject     TEXT NOT NULL,
    unpublished BOOLEAN NOT NULL,
    at          BIGINT NOT NULL,
    decided_at  BIGINT NOT NULL,
    decision    TEXT NOT NULL CHECK (decision IN ('', 'released', 'removed')),
    PRIMARY KEY (listing_id, reason, subject)
);

CREATE INDEX listing_holds_open ON listing_holds (at) WHERE decided_at = 0;

-- Serial numbers that members report as stolen. Everything but the hash is erased some
-- time after the decision. reporter_id is NULL once the account is deleted.
CREATE TABLE stolen_reports (
    id          TEXT PRIMARY KEY,
    reporter_id TEXT REFERENCES members (id),
    status      TEXT NOT NULL CHECK (status IN ('open', 'accepted', 'rejected')),
    gear        TEXT NOT NULL,
    name        TEXT NOT NULL,
    serial      TEXT NOT NULL,
    hash        TEXT NOT NULL,
    stolen_on   TEXT NOT NULL,
    place       TEXT NOT NULL,
    police      TEXT NOT NULL,
    photo       TEXT NOT NULL,
    at          BIGINT NOT NULL,
    decided_at  BIGINT NOT NULL,
    erased      BOOLEAN NOT NULL
);

CREATE INDEX stolen_reports_hash ON stolen_reports (hash) WHERE status = 'accepted';
CREATE INDEX stolen_reports_open ON stolen_reports (at) WHERE status = 'open';
CREATE INDEX stolen_reports_reporter ON stolen_reports (reporter_id, at);
CREATE INDEX stolen_reports_photo ON stolen_reports (photo);

-- The code that a seller puts beside the item of a listing, and the photograph of both,
-- which only the seller and the operators see.
CREATE TABLE possession_checks (
    listing_id TEXT PRIMARY KEY REFERENCES listings (id) ON DELETE CASCADE,
    code       TEXT NOT NULL,
    status     TEXT NOT NULL CHECK (status IN ('open', 'waiting', 'verified', 'rejected')),
    issued_at  BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    photo      TEXT NOT NULL,
    width      BIGINT NOT NULL,
    height     BIGINT NOT NULL,
    bytes      BIGINT NOT NULL,
    show_photo BOOLEAN NOT NULL,
    sent_at    BIGINT NOT NULL,
    decided_at BIGINT NOT NULL,
    reason     TEXT NOT NULL
);

CREATE INDEX possession_checks_waiting ON possession_checks (sent_at) WHERE status = 'waiting';
CREATE INDEX possession_checks_photo ON possession_checks (photo);

-- What the files of photographs said when they were uploaded. Serial numbers are stored
-- as hashes. The four bands are those of a perceptual hash, NULL if the picture has too
-- little structure for one.
CREATE TABLE photo_facts (
    listing_id  TEXT NOT NULL REFERENCES listings (id) ON DELETE CASCADE,
    key         TEXT NOT NULL,
    camera      TEXT NOT NULL,
    lens        TEXT NOT NULL,
    camera_hash TEXT NOT NULL,
    lens_hash   TEXT NOT NULL,
    software    TEXT NOT NULL,
    generated   BOOLEAN NOT NULL,
    band0       BIGINT,
    band1       BIGINT,
    band2       BIGINT,
    band3       BIGINT,
    PRIMARY KEY (listing_id, key)
);

CREATE INDEX photo_facts_key ON photo_facts (key);
CREATE INDEX photo_facts_band0 ON photo_facts (band0);
CREATE INDEX photo_facts_band1 ON photo_facts (band1);
CREATE INDEX photo_facts_band2 ON photo_facts (band2);
CREATE INDEX photo_facts_band3 ON photo_facts (band3);

-- Notes for operators on photographs of public listings. subject is another listing, or
-- ''. closed_at is 0 while the note is open.
CREATE TABLE photo_notes (
    listing_id TEXT NOT NULL REFERENCES listings (id) ON DELETE CASCADE,
    key        TEXT NOT NULL,
    kind       TEXT NOT NULL CHECK (kind IN ('same_model', 'same_serial', 'other_serial', 'edited', 'generated', 'reused')),
    detail     TEXT NOT NULL,
    subject    TEXT NOT NULL,
    at         BIGINT NOT NULL,
    closed_at  BIGINT NOT NULL,
    PRIMARY KEY (listing_id, key, kind)
);

CREATE INDEX photo_notes_open ON photo_notes (at) WHERE closed_at = 0;
