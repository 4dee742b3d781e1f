-- +goose Up

-- Corrections of the catalogue that members, or the owners of other sites, propose: values and
-- the names of those that are proposed, as JSON. Proposals with the same gear and document agree.
-- member_id is NULL for those of other sites and of members who deleted their account; source
-- says where the value can be checked.
CREATE TABLE gear_proposals (
    id         TEXT PRIMARY KEY,
    gear       TEXT NOT NULL,
    document   TEXT NOT NULL,
    source     TEXT NOT NULL,
    member_id  TEXT REFERENCES members (id),
    site       TEXT NOT NULL,
    status     TEXT NOT NULL CHECK (status IN ('open', 'accepted', 'rejected')),
    at         BIGINT NOT NULL,
    decided_at BIGINT NOT NULL
);

CREATE INDEX gear_proposals_open ON gear_proposals (gear, at) WHERE status = 'open';
CREATE INDEX gear_proposals_member ON gear_proposals (member_id, at);
