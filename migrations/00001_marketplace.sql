-- +goose Up

CREATE TABLE members (
    id        TEXT PRIMARY KEY,
    handle    TEXT NOT NULL UNIQUE,
    name      TEXT NOT NULL,
    region    TEXT NOT NULL,
    bio       TEXT NOT NULL,
    joined_at BIGINT NOT NULL,
    demo      BOOLEAN NOT NULL
);

CREATE TABLE listings (
    id           TEXT PRIMARY KEY,
    external_id  TEXT,
    seller_id    TEXT NOT NULL REFERENCES members (id),
    gear         TEXT NOT NULL,
    category     TEXT NOT NULL,
    title        TEXT NOT NULL,
    text         TEXT NOT NULL,
    condition    TEXT NOT NULL,
    functional   TEXT NOT NULL,
    defects      TEXT NOT NULL,
    included     TEXT NOT NULL,
    shutter      BIGINT NOT NULL,
    serial       TEXT NOT NULL,
    price        BIGINT NOT NULL CHECK (price >= 0),
    region       TEXT NOT NULL,
    status       TEXT NOT NULL,
    demo         BOOLEAN NOT NULL,
    created_at   BIGINT NOT NULL,
    published_at BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL,
    closed_at    BIGINT NOT NULL,
    sold_price   BIGINT NOT NULL CHECK (sold_price >= 0)
);

-- External ids of imported listings; listings without one are not indexed.
CREATE UNIQUE INDEX listings_external ON listings (seller_id, external_id) WHERE external_id IS NOT NULL;
-- Listings of a seller, newest first.
CREATE INDEX listings_seller ON listings (seller_id, published_at, id);

CREATE TABLE listing_photos (
    listing_id TEXT NOT NULL REFERENCES listings (id) ON DELETE CASCADE,
    place      BIGINT NOT NULL,
    key        TEXT NOT NULL,
    alt        TEXT NOT NULL,
    width      BIGINT NOT NULL,
    height     BIGINT NOT NULL,
    PRIMARY KEY (listing_id, place)
);

-- Photos by key, to check whether one is public.
CREATE INDEX listing_photos_key ON listing_photos (key);

CREATE TABLE sales (
    id          TEXT PRIMARY KEY,
    external_id TEXT UNIQUE,
    gear        TEXT NOT NULL,
    condition   TEXT NOT NULL,
    price       BIGINT NOT NULL CHECK (price >= 0),
    sold_at     BIGINT NOT NULL,
    region      TEXT NOT NULL,
    listing_id  TEXT REFERENCES listings (id),
    demo        BOOLEAN NOT NULL
);

-- Covering index for computing trends.
CREATE INDEX sales_trend ON sales (gear, sold_at, condition, price);

-- Trends computed from sales by models.NewTrend, in three tables.
CREATE TABLE trends (
    gear        TEXT PRIMARY KEY,
    as_of       BIGINT NOT NULL,
    window_from BIGINT NOT NULL,
    all_time    BIGINT NOT NULL,
    change_30d  BIGINT,
    change_90d  BIGINT,
    change_12m  BIGINT
);

-- Condition '' means all conditions.
CREATE TABLE trend_summaries (
    gear         TEXT NOT NULL REFERENCES trends (gear) ON DELETE CASCADE,
    condition    TEXT NOT NULL,
    sales        BIGINT NOT NULL,
    average      BIGINT NOT NULL,
    median       BIGINT NOT NULL,
    low          BIGINT NOT NULL,
    high         BIGINT NOT NULL,
    p25          BIGINT NOT NULL,
    p75          BIGINT NOT NULL,
    last_sold_at BIGINT NOT NULL,
    PRIMARY KEY (gear, condition)
);

CREATE TABLE trend_months (
    gear         TEXT NOT NULL REFERENCES trends (gear) ON DELETE CASCADE,
    month_key    BIGINT NOT NULL,
    sales        BIGINT NOT NULL,
    average      BIGINT NOT NULL,
    median       BIGINT NOT NULL,
    low          BIGINT NOT NULL,
    high         BIGINT NOT NULL,
    p25          BIGINT NOT NULL,
    p75          BIGINT NOT NULL,
    last_sold_at BIGINT NOT NULL,
    PRIMARY KEY (gear, month_key)
);

-- The change log. Rows are added in the transaction of the change and pruned
-- after a day. On PostgreSQL transactions don't commit in the order of seq, so
-- readers follow tx. SQLite has one writer at a time, so readers follow seq and
-- tx is empty.
CREATE TABLE changes (
    seq     BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tx      XID8 DEFAULT pg_current_xact_id(),
    kind    TEXT NOT NULL,
    subject TEXT NOT NULL,
    at      BIGINT NOT NULL
);

CREATE INDEX changes_tx ON changes (tx) WHERE tx IS NOT NULL;

-- Settings of the site.
CREATE TABLE settings (
    name  TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
