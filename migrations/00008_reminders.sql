-- +goose Up

-- Sellers who were told that a listing expires, and when it was to.
CREATE TABLE reminders (
    listing_id TEXT PRIMARY KEY REFERENCES listings (id) ON DELETE CASCADE,
    expires_at BIGINT NOT NULL
);
