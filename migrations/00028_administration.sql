-- +goose Up

-- The last run of each background job, on whichever server. error is '' if it succeeded;
-- failed_at is when it failed last, 0 for never.
CREATE TABLE job_runs (
    job        TEXT PRIMARY KEY,
    started_at BIGINT NOT NULL,
    took       BIGINT NOT NULL, -- milliseconds
    error      TEXT NOT NULL,
    failed_at  BIGINT NOT NULL
);

-- The figures of the dashboard, and pages of the audit log.
CREATE INDEX sales_day ON sales (sold_at);
CREATE INDEX listings_published ON listings (published_at) WHERE published_at > 0;
CREATE INDEX accounts_created ON accounts (created_at);
CREATE INDEX audit_at ON audit (at, id);
