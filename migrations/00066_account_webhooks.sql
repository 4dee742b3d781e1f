-- +goose Up

-- The webhook of a member's account. The secret is stored in plain text, because it signs
-- deliveries; events is a JSON list.
CREATE TABLE account_webhooks (
    member_id  TEXT PRIMARY KEY REFERENCES accounts (member_id) ON DELETE CASCADE,
    url        TEXT NOT NULL,
    secret     TEXT NOT NULL,
    events     TEXT NOT NULL,
    created_at BIGINT NOT NULL
);

-- What such webhooks were sent in the last days, by the id of the delivery, so that it can be
-- sent again. Neither sent_at nor failed_at is set while it is queued.
CREATE TABLE webhook_log (
    id         TEXT PRIMARY KEY,
    member_id  TEXT NOT NULL REFERENCES accounts (member_id) ON DELETE CASCADE,
    event      TEXT NOT NULL,
    body       TEXT NOT NULL,
    attempts   BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    sent_at    BIGINT NOT NULL DEFAULT 0,
    failed_at  BIGINT NOT NULL DEFAULT 0,
    error      TEXT NOT NULL DEFAULT ''
);

CREATE INDEX webhook_log_member ON webhook_log (member_id, id);
CREATE INDEX webhook_log_created ON webhook_log (created_at);
