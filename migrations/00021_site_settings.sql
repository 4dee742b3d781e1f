-- +goose Up

-- What the owner has set in the browser: one row with a JSON document, without one the
-- settings of the environment apply. version increases with every change.
CREATE TABLE site_settings (
    id       BIGINT PRIMARY KEY,
    version  BIGINT NOT NULL,
    document TEXT NOT NULL
);

-- The logo and the favicon, as PNG in base64. A name is a hash of the picture.
CREATE TABLE site_pictures (
    name TEXT PRIMARY KEY,
    data TEXT NOT NULL
);
