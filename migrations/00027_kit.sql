-- +goose Up

-- The gear that members own. Only they see it, except for the public items of operators,
-- which are on the kit page.
CREATE TABLE kit_items (
    id         TEXT PRIMARY KEY,
    member_id  TEXT NOT NULL REFERENCES members (id),
    gear       TEXT NOT NULL, -- '' for an item that is not in the catalogue
    name       TEXT NOT NULL,
    condition  TEXT NOT NULL CHECK (condition IN ('', 'new', 'like_new', 'excellent', 'good', 'well_used', 'heavily_used', 'faulty')),
    bought_on  TEXT NOT NULL, -- day, such as 2024-05-17; '' if unknown
    paid_price BIGINT NOT NULL CHECK (paid_price BETWEEN 0 AND 1000000000), -- 0 if unknown
    serial     TEXT NOT NULL,
    insured    BOOLEAN NOT NULL,
    note       TEXT NOT NULL,
    public     BOOLEAN NOT NULL,
    alert      BOOLEAN NOT NULL,
    told_price BIGINT NOT NULL, -- the value that the member was last told; 0 for none
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    version    BIGINT NOT NULL
);

CREATE INDEX kit_items_member ON kit_items (member_id, id);
CREATE INDEX kit_items_public ON kit_items (member_id) WHERE public;
CREATE INDEX kit_items_alert ON kit_items (gear) WHERE alert;
