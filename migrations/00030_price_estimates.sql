-- +goose Up

-- The last fit of the model that prices are estimated with (models/pricing), and how
-- accurate it was: one row, written by a background job of one server.
CREATE TABLE price_fits (
    id          BIGINT PRIMARY KEY CHECK (id = 1),
    day         TEXT NOT NULL,   -- such as 2026-11-23; sales before it are in the fit
    made_at     BIGINT NOT NULL,
    method      BIGINT NOT NULL, -- pricing.Version
    sales       BIGINT NOT NULL, -- sales in the fit
    gear        BIGINT NOT NULL, -- gear with an estimate
    tuning      TEXT NOT NULL,   -- hyperparameters, as JSON
    accuracy_at BIGINT NOT NULL, -- when accuracy was computed, 0 for never
    accuracy    TEXT NOT NULL    -- pricing.Report, as JSON; '' for none
);

-- What gear is likely to sell for in a condition, by the fit of a day.
CREATE TABLE price_estimates (
    gear       TEXT NOT NULL,
    condition  TEXT NOT NULL CHECK (condition IN ('new', 'like_new', 'excellent', 'good', 'well_used', 'heavily_used', 'faulty')),
    day        TEXT NOT NULL,
    median     BIGINT NOT NULL,
    low        BIGINT NOT NULL, -- 8 of 10 sales are from low to high
    high       BIGINT NOT NULL,
    half_low   BIGINT NOT NULL, -- half of the sales are from half_low to half_high
    half_high  BIGINT NOT NULL,
    sales      BIGINT NOT NULL, -- of the gear, in all conditions
    same_grade BIGINT NOT NULL, -- of them in the condition
    borrowed   BIGINT NOT NULL, -- percent of the level that comes from similar gear
    PRIMARY KEY (gear, condition)
);
