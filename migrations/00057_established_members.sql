-- +goose Up

-- A sale is by a newcomer (newcomer) while neither its seller nor its buyer is established:
-- see models.EstablishedReach. by_buyer is true if only the buyer is, out_of_range if the price was far
-- from its estimate when the sale was confirmed. Sales of earlier releases keep what they have.
ALTER TABLE sales ADD COLUMN by_buyer BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE sales ADD COLUMN out_of_range BOOLEAN NOT NULL DEFAULT FALSE;
