-- +goose Up

-- The events that the webhook of a search is sent: a JSON list.
ALTER TABLE searches ADD COLUMN webhook_events TEXT NOT NULL DEFAULT '["listings.published"]';

-- Changes of price trends that webhooks are sent, one row per search and gear.
-- position is that of the newest change that waits to be sent, 0 if none does. Nothing
-- is sent before due_at. How far the change log was read is in settings.
CREATE TABLE trend_alerts (
    search_id TEXT NOT NULL REFERENCES searches (id) ON DELETE CASCADE,
    gear      TEXT NOT NULL,
    position  BIGINT NOT NULL,
    due_at    BIGINT NOT NULL,
    PRIMARY KEY (search_id, gear)
);

CREATE INDEX trend_alerts_due ON trend_alerts (due_at);
