-- +goose Up

-- An email as HTML, '' for one that is text alone.
ALTER TABLE deliveries ADD COLUMN html TEXT NOT NULL DEFAULT '';
