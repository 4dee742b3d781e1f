-- +goose Up

-- Who made a sale and how far it is confirmed. A sale enters the public trends when
-- its status is confirmed and it is not voided; models/trend.go has the other rules.
-- Sales booked by the first release came from imports, from completed offers, or
-- from sellers alone.
ALTER TABLE sales ADD COLUMN source TEXT NOT NULL DEFAULT 'import';
ALTER TABLE sales ADD COLUMN source_name TEXT NOT NULL DEFAULT '';
ALTER TABLE sales ADD COLUMN status TEXT NOT NULL DEFAULT 'confirmed';
ALTER TABLE sales ADD COLUMN offer_id TEXT REFERENCES offers (id);
ALTER TABLE sales ADD COLUMN seller_id TEXT REFERENCES members (id);
ALTER TABLE sales ADD COLUMN buyer_id TEXT REFERENCES members (id);
-- When a waiting sale is confirmed by silence.
ALTER TABLE sales ADD COLUMN confirm_at BIGINT NOT NULL DEFAULT 0;
-- The seller or the buyer was a member for less than models.NewcomerPeriod.
ALTER TABLE sales ADD COLUMN newcomer BOOLEAN NOT NULL DEFAULT FALSE;
-- An unusual price is held until an operator approves it.
ALTER TABLE sales ADD COLUMN held BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE sales ADD COLUMN approved_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE sales ADD COLUMN voided_at BIGINT NOT NULL DEFAULT 0;

UPDATE sales SET
    seller_id = (SELECT seller_id FROM listings WHERE listings.id = sales.listing_id),
    offer_id  = (SELECT id FROM offers WHERE offers.listing_id = sales.listing_id AND offers.status = 'completed'),
    buyer_id  = (SELECT buyer_id FROM offers WHERE offers.listing_id = sales.listing_id AND offers.status = 'completed')
WHERE listing_id IS NOT NULL;
UPDATE sales SET source = CASE WHEN offer_id IS NULL THEN 'declared' ELSE 'members' END WHERE listing_id IS NOT NULL;

CREATE INDEX sales_listing ON sales (listing_id) WHERE listing_id IS NOT NULL;
CREATE UNIQUE INDEX sales_offer ON sales (offer_id) WHERE offer_id IS NOT NULL;
-- A seller's sales, and the last of them.
CREATE INDEX sales_seller ON sales (seller_id, sold_at, id) WHERE seller_id IS NOT NULL;
CREATE INDEX sales_buyer ON sales (buyer_id) WHERE buyer_id IS NOT NULL;
-- Sales that wait for silence to confirm them, and those that wait for an operator.
CREATE INDEX sales_waiting ON sales (confirm_at) WHERE status = 'waiting';
CREATE INDEX sales_review ON sales (sold_at) WHERE held OR status = 'disputed';
