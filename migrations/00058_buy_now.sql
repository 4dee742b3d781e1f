-- +goose Up

-- Whether buyers can buy a listing at its price: 'off', 'confirm' if the seller confirms each purchase,
-- or 'instant'. '' is off, too.
ALTER TABLE listings ADD COLUMN buy_now TEXT NOT NULL DEFAULT '';

-- A purchase (bought) reserves its listing while it is pending. method is the delivery that the buyer asks
-- for, '' if they say nothing of it, and postage what it costs in minor units, -1 if nobody knows.
ALTER TABLE offers ADD COLUMN bought BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE offers ADD COLUMN method TEXT NOT NULL DEFAULT '';
ALTER TABLE offers ADD COLUMN postage BIGINT NOT NULL DEFAULT -1;

-- Purchases that wait for their seller.
CREATE UNIQUE INDEX offers_bought ON offers (listing_id) WHERE status = 'pending' AND bought;

-- Addresses that buyers give with open offers. Accepting one moves its address to handover_addresses;
-- any other end deletes it.
CREATE TABLE offer_addresses (
    offer_id TEXT PRIMARY KEY REFERENCES offers (id) ON DELETE CASCADE,
    buyer_id TEXT NOT NULL REFERENCES members (id),
    address  TEXT NOT NULL
);

CREATE INDEX offer_addresses_buyer ON offer_addresses (buyer_id);

-- What members don't want to write in each trade: the address that they are sent items to, and how they
-- are paid.
CREATE TABLE trade_settings (
    member_id      TEXT PRIMARY KEY REFERENCES members (id),
    address        TEXT NOT NULL,
    account_holder TEXT NOT NULL,
    iban           TEXT NOT NULL,
    payment_link   TEXT NOT NULL,
    cash           BOOLEAN NOT NULL
);

-- How the seller of a trade is paid, as their settings were when it was agreed.
ALTER TABLE handovers ADD COLUMN account_holder TEXT NOT NULL DEFAULT '';
ALTER TABLE handovers ADD COLUMN iban TEXT NOT NULL DEFAULT '';
ALTER TABLE handovers ADD COLUMN cash BOOLEAN NOT NULL DEFAULT FALSE;
