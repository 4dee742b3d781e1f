-- +goose Up

-- The watchers of a listing are told of a lower price in parts, in order of their ids.
CREATE INDEX watches_listing_member ON watches (listing_id, member_id);
DROP INDEX watches_listing;
