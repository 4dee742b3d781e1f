-- +goose Up

-- Passkeys of members. The credential is the data WebAuthn needs to verify one, as
-- JSON; it contains no secret.
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

-- Login attempts are deleted by time.
CREATE INDEX guesses_next ON guesses (next_at);
