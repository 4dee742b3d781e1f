-- +goose Up

-- The price index of the market, models.PriceIndex as JSON: '' for none. It is computed with
-- the fit, at market_at, 0 for never.
ALTER TABLE price_fits ADD COLUMN market TEXT NOT NULL DEFAULT '';
ALTER TABLE price_fits ADD COLUMN market_at BIGINT NOT NULL DEFAULT 0;
