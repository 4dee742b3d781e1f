-- +goose Up

-- The change log is published. Transactions add their rows one at a time (see
-- models/postgres.go), so that the order of seq is that of the commits and readers need
-- nothing else. Rows are kept for 30 days.
--
-- event is what happened; '' if only the server's copies of the data depend on it.
-- member_id is the seller of a listing, or the recipient of a private event.
-- version is that of the listing.
ALTER TABLE changes ADD COLUMN event TEXT NOT NULL DEFAULT '';
ALTER TABLE changes ADD COLUMN member_id TEXT NOT NULL DEFAULT '';
ALTER TABLE changes ADD COLUMN version BIGINT NOT NULL DEFAULT 0;

-- Positions were those of transactions.
DROP INDEX changes_tx;
ALTER TABLE changes DROP COLUMN tx;
DELETE FROM settings WHERE name = 'changes_pruned';
