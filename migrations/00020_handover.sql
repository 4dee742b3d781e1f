-- +goose Up

-- How the item of an accepted offer gets to the buyer. Place, payment and tracking are
-- erased 60 days after the end of the trade. remind_at is 0 if no reminder is due.
CREATE TABLE handovers (
    offer_id     TEXT PRIMARY KEY REFERENCES agreements (offer_id) ON DELETE CASCADE,
    status       TEXT NOT NULL CHECK (status IN ('open', 'proposed', 'agreed', 'sent', 'received')),
    method       TEXT NOT NULL CHECK (method IN ('', 'pickup', 'shipping')),
    place        TEXT NOT NULL,
    meet_at      TEXT NOT NULL, -- local time at the place
    by_buyer     BOOLEAN NOT NULL,
    proposal     BIGINT NOT NULL,
    payment      TEXT NOT NULL,
    payment_link TEXT NOT NULL,
    carrier      TEXT NOT NULL,
    tracking     TEXT NOT NULL,
    tracking_url TEXT NOT NULL,
    sent_at      BIGINT NOT NULL,
    received_at  BIGINT NOT NULL,
    updated_at   BIGINT NOT NULL,
    due_at       BIGINT NOT NULL,
    remind_at    BIGINT NOT NULL,
    revision     BIGINT NOT NULL,
    erased       BOOLEAN NOT NULL
);

CREATE INDEX handovers_reminder ON handovers (remind_at) WHERE remind_at > 0;
CREATE INDEX handovers_unerased ON handovers (offer_id) WHERE NOT erased;

-- Addresses of buyers, apart from all that is read together with an offer.
CREATE TABLE handover_addresses (
    offer_id TEXT PRIMARY KEY REFERENCES handovers (offer_id) ON DELETE CASCADE,
    buyer_id TEXT NOT NULL REFERENCES members (id),
    address  TEXT NOT NULL
);

CREATE INDEX handover_addresses_buyer ON handover_addresses (buyer_id);

-- What both sides say about a dispute.
CREATE TABLE evidence (
    offer_id TEXT NOT NULL REFERENCES disputes (offer_id) ON DELETE CASCADE,
    position BIGINT NOT NULL,
    by_buyer BOOLEAN NOT NULL,
    text     TEXT NOT NULL,
    at       BIGINT NOT NULL,
    PRIMARY KEY (offer_id, position)
);

-- Offers that may wait for their buyer or their seller.
CREATE INDEX offers_waiting_buyer ON offers (buyer_id) WHERE status IN ('countered', 'accepted', 'completed');
CREATE INDEX offers_waiting_seller ON offers (seller_id) WHERE status IN ('pending', 'accepted');

-- Offers that are accepted or completed now. Nobody is reminded of them.
INSERT INTO handovers (offer_id, status, method, place, meet_at, by_buyer, proposal, payment, payment_link, carrier, tracking, tracking_url, sent_at, received_at,
        updated_at, due_at, remind_at, revision, erased)
    SELECT o.id, CASE WHEN o.status = 'accepted' THEN 'open' ELSE 'received' END, '', '', '', FALSE, 0, '', '', '', '', '', 0, 0, o.updated_at, o.updated_at, 0, 1, FALSE
    FROM offers o JOIN agreements a ON a.offer_id = o.id WHERE o.status IN ('accepted', 'completed', 'disputed');

-- Postage as text, such as DE=690 EU=1490 in minor units, or pickup: the default of a seller, and that of a listing. '' is none.
ALTER TABLE members ADD COLUMN postage TEXT NOT NULL DEFAULT '';
ALTER TABLE listings ADD COLUMN postage TEXT NOT NULL DEFAULT '';
ALTER TABLE agreements ADD COLUMN postage TEXT NOT NULL DEFAULT '';
