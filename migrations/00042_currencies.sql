-- +goose Up

-- Exchange rates by day, as the European Central Bank publishes them: units of a currency
-- for one euro, as decimal text, so that nothing is rounded.
CREATE TABLE exchange_rates (
    currency TEXT NOT NULL, -- ISO 4217
    day      TEXT NOT NULL, -- such as 2026-11-21
    rate     TEXT NOT NULL,
    PRIMARY KEY (currency, day)
);

-- The currency of the prices and the postage of a listing; '' is that of the site.
ALTER TABLE listings ADD COLUMN currency TEXT NOT NULL DEFAULT '';
ALTER TABLE offers ADD COLUMN currency TEXT NOT NULL DEFAULT '';
ALTER TABLE agreements ADD COLUMN currency TEXT NOT NULL DEFAULT '';

-- A sale in another currency than that of the site. Its price is what was paid, converted
-- once, at the rate of rate_day.
ALTER TABLE sales ADD COLUMN paid BIGINT NOT NULL DEFAULT 0;
ALTER TABLE sales ADD COLUMN currency TEXT NOT NULL DEFAULT '';
ALTER TABLE sales ADD COLUMN rate_day TEXT NOT NULL DEFAULT '';
