-- +goose Up

-- What gear is likely to sell for in the coming months, []models.Forecast as JSON: '' for
-- nothing.
ALTER TABLE price_estimates ADD COLUMN forecast TEXT NOT NULL DEFAULT '';
