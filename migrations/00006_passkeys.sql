-- +goose Up

-- Keys in the hands of members, as a second way in. The credential is what WebAuthn
-- needs to check one, as JSON; it holds nothing secret.
CREATE TABLE passkeys (
    id         TEXT PRIMARY KEY,
    key_id     TEXT NOT NULL UNIQUE,
    member_id  TEXT NOT NULL REFERENCES accounts (member_id) ON DELETE CASCADE,
    name       TEXT NOT NULL,
    credential TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    used_at    BIGINT NOT NULL
);

CREATE INDEX passkeys_member ON passkeys (member_id);

-- Guesses are forgotten by when they were.
CREATE INDEX guesses_next ON guesses (next_at);
