-- +goose Up

-- Clients that registered themselves (RFC 7591). Those that have a metadata document
-- are not stored. used_at is 0 until a member connects the client.
CREATE TABLE oauth_clients (
    id            TEXT PRIMARY KEY,
    name          TEXT NOT NULL,
    redirect_uris TEXT NOT NULL, -- JSON array
    created_at    BIGINT NOT NULL,
    used_at       BIGINT NOT NULL
);

CREATE INDEX oauth_clients_unused ON oauth_clients (created_at) WHERE used_at = 0;

-- What members allowed clients to do, with the hashes of the authorization code and of
-- the refresh token. A code that was exchanged stays, so that its reuse is noticed:
-- refresh_hash is '' before. A refresh token consists of an identifier, which never
-- changes, and a secret, which does.
CREATE TABLE oauth_grants (
    id              TEXT PRIMARY KEY,
    member_id       TEXT NOT NULL REFERENCES accounts (member_id) ON DELETE CASCADE,
    client_id       TEXT NOT NULL,
    client_name     TEXT NOT NULL,
    redirect_uri    TEXT NOT NULL,
    scopes          TEXT NOT NULL,
    resource        TEXT NOT NULL,
    challenge       TEXT NOT NULL,
    code_hash       TEXT NOT NULL UNIQUE,
    refresh_id_hash TEXT UNIQUE,
    refresh_hash    TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    used_at         BIGINT NOT NULL,
    expires_at      BIGINT NOT NULL -- that of the code before it is exchanged
);

CREATE INDEX oauth_grants_member ON oauth_grants (member_id);
CREATE INDEX oauth_grants_client ON oauth_grants (client_id);
CREATE INDEX oauth_grants_expiry ON oauth_grants (expires_at);

-- The grant that a token belongs to and ends with, and the resource it is for.
ALTER TABLE tokens ADD COLUMN grant_id TEXT REFERENCES oauth_grants (id) ON DELETE CASCADE;
ALTER TABLE tokens ADD COLUMN audience TEXT NOT NULL DEFAULT '';
CREATE INDEX tokens_grant ON tokens (grant_id) WHERE grant_id IS NOT NULL;
