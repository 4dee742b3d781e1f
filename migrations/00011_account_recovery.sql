-- +goose Up

-- Incremented when the credentials of an account end, so that a request that was
-- authenticated before can't add new ones.
ALTER TABLE accounts ADD COLUMN generation BIGINT NOT NULL DEFAULT 0;

-- Suspended passkeys can't be used to sign in until their member keeps them.
ALTER TABLE passkeys ADD COLUMN suspended BOOLEAN NOT NULL DEFAULT FALSE;

-- The address that a code confirms or restores.
ALTER TABLE codes ADD COLUMN email TEXT NOT NULL DEFAULT '';
UPDATE codes SET email = payload WHERE purpose = 'email';
CREATE INDEX codes_member ON codes (member_id) WHERE member_id IS NOT NULL;
CREATE INDEX codes_email ON codes (email) WHERE email <> '';

-- Networks from which a member has signed in, as hashes.
CREATE TABLE login_networks (
    member_id TEXT NOT NULL REFERENCES accounts (member_id) ON DELETE CASCADE,
    hash      TEXT NOT NULL,
    seen_at   BIGINT NOT NULL,
    PRIMARY KEY (member_id, hash)
);

CREATE INDEX login_networks_age ON login_networks (seen_at);

-- A token ends with the token that created it. Revoked tokens are deleted.
DELETE FROM tokens WHERE revoked_at <> 0;
ALTER TABLE tokens DROP COLUMN revoked_at;
ALTER TABLE tokens ADD COLUMN parent_id TEXT REFERENCES tokens (id) ON DELETE CASCADE;
CREATE INDEX tokens_parent ON tokens (parent_id) WHERE parent_id IS NOT NULL;

-- Watching has a scope of its own, which listings:write included before.
UPDATE tokens SET scopes = scopes || ' watch:write' WHERE ' ' || scopes || ' ' LIKE '% listings:write %';
