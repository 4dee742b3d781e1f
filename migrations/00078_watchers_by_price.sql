-- +goose Up

-- The watchers of a listing who know a higher price are found, and notified in batches, in this order.
CREATE INDEX watches_listing_told ON watches (listing_id, told_price, member_id);
DROP INDEX IF EXISTS watches_listing;
