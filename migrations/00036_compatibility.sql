-- The oldest release that runs on this schema, by the version of its newest migration.
-- A migration that removes or renames what an earlier release uses updates it.

-- +goose Up
INSERT INTO settings (name, value) VALUES ('compatible_since', '36') ON CONFLICT (name) DO NOTHING;
