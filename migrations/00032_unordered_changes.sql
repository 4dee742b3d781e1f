-- +goose Up

-- Changes on PostgreSQL that are committed, and whose position in the change log is about
-- to be decided (see models/change_order.go). With SQLite the table stays empty.
CREATE TABLE unordered_changes (
    id        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind      TEXT NOT NULL,
    subject   TEXT NOT NULL,
    event     TEXT NOT NULL,
    member_id TEXT NOT NULL,
    version   BIGINT NOT NULL,
    at        BIGINT NOT NULL
);
