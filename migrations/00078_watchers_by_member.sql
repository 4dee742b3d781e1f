-- +goose Up

-- Watchers of a listing are notified of a price drop in batches, in order of member id.
CREATE INDEX watches_listing_member ON watches (listing_id, member_id);
DROP INDEX watches_listing;
