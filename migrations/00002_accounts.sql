-- +goose Up

-- Private data of members. Secrets (passwords, sessions, tokens, codes) are
-- stored as hashes.
CREATE TABLE accounts (
    member_id    TEXT PRIMARY KEY REFERENCES members (id),
    email        TEXT NOT NULL UNIQUE,
    password     TEXT NOT NULL,
    role         TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    suspended_at BIGINT NOT NULL
);

CREATE TABLE sessions (
    hash       TEXT PRIMARY KEY,
    member_id  TEXT NOT NULL REFERENCES accounts (member_id) ON DELETE CASCADE,
    client     TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    seen_at    BIGINT NOT NULL,
    expires_at BIGINT NOT NULL
);

CREATE INDEX sessions_member ON sessions (member_id);

CREATE TABLE tokens (
    id         TEXT PRIMARY KEY,
    hash       TEXT NOT NULL UNIQUE,
    member_id  TEXT NOT NULL REFERENCES accounts (member_id) ON DELETE CASCADE,
    name       TEXT NOT NULL,
    scopes     TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at    BIGINT NOT NULL,
    revoked_at BIGINT NOT NULL
);

CREATE INDEX tokens_member ON tokens (member_id);

-- Emailed one-time codes with their purpose.
CREATE TABLE codes (
    hash       TEXT PRIMARY KEY,
    purpose    TEXT NOT NULL,
    member_id  TEXT REFERENCES accounts (member_id) ON DELETE CASCADE,
    payload    TEXT NOT NULL,
    expires_at BIGINT NOT NULL
);

CREATE INDEX codes_expiry ON codes (expires_at);

-- Failed login attempts by account and by address, and when the next is allowed.
CREATE TABLE guesses (
    subject  TEXT PRIMARY KEY,
    failures BIGINT NOT NULL,
    next_at  BIGINT NOT NULL
);
