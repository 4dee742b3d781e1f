-- +goose Up

-- The texts that the owner writes in the browser, one row for each language of a text.
CREATE TABLE texts (
    section    TEXT NOT NULL,   -- pages, guides or journal
    slug       TEXT NOT NULL,
    language   TEXT NOT NULL,   -- BCP 47 tag
    version    BIGINT NOT NULL, -- increases with every change
    latest     BIGINT NOT NULL, -- the revision that is edited
    public     BIGINT NOT NULL, -- the revision that visitors read, 0 for none
    publish_at BIGINT NOT NULL, -- when the latest revision becomes public, 0 for never
    first_at   BIGINT NOT NULL, -- when the first revision became public, 0 for not yet
    PRIMARY KEY (section, slug, language)
);

-- What was saved, for good. A number is the version of the text that it was saved with.
CREATE TABLE text_revisions (
    section     TEXT NOT NULL,
    slug        TEXT NOT NULL,
    language    TEXT NOT NULL,
    number      BIGINT NOT NULL,
    title       TEXT NOT NULL,
    description TEXT NOT NULL,
    tags        TEXT NOT NULL,   -- separated by spaces
    markdown    TEXT NOT NULL,
    at          BIGINT NOT NULL,
    PRIMARY KEY (section, slug, language, number),
    FOREIGN KEY (section, slug, language) REFERENCES texts (section, slug, language) ON DELETE CASCADE ON UPDATE CASCADE
);

-- Addresses that texts had before, which lead to those they have now.
CREATE TABLE text_moves (
    section  TEXT NOT NULL,
    old_slug TEXT NOT NULL,
    slug     TEXT NOT NULL,
    PRIMARY KEY (section, old_slug)
);

-- Pictures in texts, as JPEG in base64. A name is a hash of the picture with its size.
CREATE TABLE text_pictures (
    name TEXT PRIMARY KEY,
    alt  TEXT NOT NULL,
    at   BIGINT NOT NULL,
    data TEXT NOT NULL
);
