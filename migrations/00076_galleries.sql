-- +goose Up

-- Projects of the portfolio that are delivered to clients, by their folder: the address is
-- secret, the password an argon2id hash. ends_at is 0 for a gallery without an end.
CREATE TABLE galleries (
    project    TEXT PRIMARY KEY,
    address    TEXT NOT NULL UNIQUE,
    password   TEXT NOT NULL,
    ends_at    BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL
);

-- Browsers that entered the password, by the hash of the secret in their cookie.
CREATE TABLE gallery_visitors (
    hash       TEXT NOT NULL,
    project    TEXT NOT NULL REFERENCES galleries (project) ON DELETE CASCADE,
    name       TEXT NOT NULL,
    entered_at BIGINT NOT NULL,
    PRIMARY KEY (hash, project)
);

CREATE INDEX gallery_visitors_project ON gallery_visitors (project);

-- What visitors chose and wrote, by the name they entered and the file of the photograph.
CREATE TABLE gallery_marks (
    project   TEXT NOT NULL REFERENCES galleries (project) ON DELETE CASCADE,
    name      TEXT NOT NULL,
    file      TEXT NOT NULL,
    favourite BOOLEAN NOT NULL,
    comment   TEXT NOT NULL,
    at        BIGINT NOT NULL,
    PRIMARY KEY (project, name, file)
);
