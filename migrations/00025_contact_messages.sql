-- +goose Up

-- Emails that were given up on stay in the table, so that an operator can send them
-- again: failed_at is 0 for those in the queue. error says why the last attempt failed, ''
-- before the first. Replies go to reply_to, if it is not ''.
ALTER TABLE deliveries ADD COLUMN failed_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE deliveries ADD COLUMN error TEXT NOT NULL DEFAULT '';
ALTER TABLE deliveries ADD COLUMN reply_to TEXT NOT NULL DEFAULT '';

-- What visitors and members wrote to the owner. stamp is that of the form, which can be
-- sent once, and NULL for messages of programs.
CREATE TABLE contact_messages (
    id         TEXT PRIMARY KEY,
    member_id  TEXT REFERENCES members (id),
    name       TEXT NOT NULL,
    email      TEXT NOT NULL,
    topic      TEXT NOT NULL,
    about      TEXT NOT NULL, -- path of the page it is about, or ''
    text       TEXT NOT NULL,
    status     TEXT NOT NULL, -- open, done, spam
    stamp      TEXT UNIQUE,
    created_at BIGINT NOT NULL
);

CREATE INDEX contact_messages_status ON contact_messages (status, id);
CREATE INDEX contact_messages_member ON contact_messages (member_id) WHERE member_id IS NOT NULL;
