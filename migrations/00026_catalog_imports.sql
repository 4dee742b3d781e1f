-- +goose Up

-- The owner's corrections of the catalogue, one for each gear that is added or corrected.
-- document has the values and which of them are corrected, as JSON; picture is that of
-- the values, '' without one.
CREATE TABLE gear_corrections (
    gear     TEXT PRIMARY KEY,
    document TEXT NOT NULL,
    picture  TEXT NOT NULL,
    at       BIGINT NOT NULL
);

-- Pictures of gear, as JPEG in base64. A name is a hash of the picture.
CREATE TABLE gear_pictures (
    name TEXT PRIMARY KEY,
    data TEXT NOT NULL
);

-- Imports that operators started, with what became of the rows. report is JSON. beat_at
-- is when the server that runs the import last said so.
CREATE TABLE imports (
    id          TEXT PRIMARY KEY,
    name        TEXT NOT NULL,
    source      TEXT NOT NULL,
    status      TEXT NOT NULL CHECK (status IN ('running', 'done', 'cancelled', 'failed')),
    bytes       BIGINT NOT NULL,
    bytes_read  BIGINT NOT NULL,
    report      TEXT NOT NULL,
    error       TEXT NOT NULL,
    started_at  BIGINT NOT NULL,
    beat_at     BIGINT NOT NULL,
    finished_at BIGINT NOT NULL
);

-- One import runs at a time.
CREATE UNIQUE INDEX imports_running ON imports (status) WHERE status = 'running';
