-- +goose Up

-- What the last fit of price estimates has learned to judge asking prices by,
-- pricing.ListingBasis as JSON: '' for nothing.
ALTER TABLE price_fits ADD COLUMN listings TEXT NOT NULL DEFAULT '';
