-- +goose Up

-- Reminders sent to sellers of expiring listings, with the expiry time.
CREATE TABLE reminders (
    listing_id TEXT PRIMARY KEY REFERENCES listings (id) ON DELETE CASCADE,
    expires_at BIGINT NOT NULL
);
