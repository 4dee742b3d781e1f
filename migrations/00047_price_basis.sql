-- +goose Up

-- What the last fit of price estimates has learned from all gear, pricing.Basis as JSON: '' for
-- none. With it the estimates of one gear are updated after a sale, last at updated_at, 0 for
-- never.
ALTER TABLE price_fits ADD COLUMN basis TEXT NOT NULL DEFAULT '';
ALTER TABLE price_fits ADD COLUMN updated_at BIGINT NOT NULL DEFAULT 0;
