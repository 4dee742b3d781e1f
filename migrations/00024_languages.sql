-- +goose Up

-- The language a member reads, a BCP 47 tag; '' if they have not chosen one.
ALTER TABLE accounts ADD COLUMN language TEXT NOT NULL DEFAULT '';
