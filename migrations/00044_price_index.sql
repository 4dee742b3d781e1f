-- +goose Up

-- The price index of the market, models.PriceIndex as JSON: '' for none. It is computed with
-- the fit, at market_at, 0 for never.
ALTER TABLE price_fits ADD COLUMN market TEXT NOT NULL DEFAULT '';
ALTER TABLE price_fits ADD COLUMN market_at BIGINT NOT NULL DEFAULT 0;

-- The expected change of a price in the 6 months after the fit, and the ends of its range of
-- 80 %, in basis points: -500 is 5 % down. All are NULL if nothing can be said.
ALTER TABLE price_estimates ADD COLUMN change BIGINT;
ALTER TABLE price_estimates ADD COLUMN change_low BIGINT;
ALTER TABLE price_estimates ADD COLUMN change_high BIGINT;
