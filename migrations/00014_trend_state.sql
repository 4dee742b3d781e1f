-- +goose Up

-- What was counted for a trend, and the state that lets a server add sales to it
-- without reading the others.
-- The number of roll-ups, and the last of them that did more than add later sales: a
-- server whose copy is at least as new as rebuilt only reads the sales since then.
ALTER TABLE trends ADD COLUMN revision BIGINT NOT NULL DEFAULT 0;
ALTER TABLE trends ADD COLUMN rebuilt BIGINT NOT NULL DEFAULT 0;
-- The method of computation, models.trendMethod; others are recomputed after migrating.
ALTER TABLE trends ADD COLUMN method BIGINT NOT NULL DEFAULT 1;
-- The counted sales of the window by source, as JSON, and the number not counted by reason.
ALTER TABLE trends ADD COLUMN sources TEXT NOT NULL DEFAULT '[]';
ALTER TABLE trends ADD COLUMN held BIGINT NOT NULL DEFAULT 0;
ALTER TABLE trends ADD COLUMN repeated BIGINT NOT NULL DEFAULT 0;
ALTER TABLE trends ADD COLUMN over_limit BIGINT NOT NULL DEFAULT 0;
ALTER TABLE trends ADD COLUMN newcomers BIGINT NOT NULL DEFAULT 0;

-- Sales of a gear in the order in which trends count them.
DROP INDEX sales_trend;
CREATE INDEX sales_gear ON sales (gear, sold_at, id);

-- The number of a seller's listings by status.
CREATE INDEX listings_status ON listings (seller_id, status);
