-- +goose Up

-- How the price estimates of a gear follow from its sales, by the fit of a day.
CREATE TABLE price_workings (
    gear    TEXT PRIMARY KEY,
    day     TEXT NOT NULL,
    working TEXT NOT NULL -- pricing.Working, as JSON
);
