-- +goose Up

-- Who sells: 'dealer', 'private', or '' if it is not known. A sale keeps what its seller was when it was recorded.
ALTER TABLE members ADD COLUMN seller_kind TEXT NOT NULL DEFAULT '';
ALTER TABLE sales ADD COLUMN seller_kind TEXT NOT NULL DEFAULT '';
