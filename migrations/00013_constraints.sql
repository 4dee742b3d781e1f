-- +goose Up

-- The values of each column, one constraint a column. NOT VALID: rows from before
-- this migration are not checked, so that it never fails on them. A constraint
-- begins with its column, because SQLite, which cannot add constraints to a table,
-- gets triggers in their place (models/sqlite.go). '' is for drafts.
ALTER TABLE listings ADD CONSTRAINT listings_status CHECK (status IN ('draft', 'active', 'reserved', 'sold', 'ended', 'expired', 'removed')) NOT VALID;
ALTER TABLE listings ADD CONSTRAINT listings_condition CHECK (condition IN ('', 'new', 'like_new', 'excellent', 'good', 'well_used', 'heavily_used', 'faulty')) NOT VALID;
ALTER TABLE listings ADD CONSTRAINT listings_functional CHECK (functional IN ('', 'fully_working', 'minor_fault', 'not_working', 'untested')) NOT VALID;
ALTER TABLE listings ADD CONSTRAINT listings_price CHECK (price BETWEEN 0 AND 1000000000) NOT VALID;
ALTER TABLE offers ADD CONSTRAINT offers_status CHECK (status IN ('pending', 'countered', 'accepted', 'declined', 'withdrawn', 'expired', 'completed', 'confirmed', 'disputed', 'voided')) NOT VALID;
ALTER TABLE offers ADD CONSTRAINT offers_amount CHECK (amount BETWEEN 1 AND 1000000000) NOT VALID;
ALTER TABLE sales ADD CONSTRAINT sales_condition CHECK (condition IN ('new', 'like_new', 'excellent', 'good', 'well_used', 'heavily_used', 'faulty')) NOT VALID;
ALTER TABLE sales ADD CONSTRAINT sales_price CHECK (price BETWEEN 0 AND 1000000000) NOT VALID;
ALTER TABLE sales ADD CONSTRAINT sales_status CHECK (status IN ('waiting', 'disputed', 'confirmed')) NOT VALID;
ALTER TABLE sales ADD CONSTRAINT sales_source CHECK (source IN ('import', 'shop', 'members', 'declared')) NOT VALID;

-- Offers on a listing, whatever their status.
CREATE INDEX offers_listing ON offers (listing_id);
-- Messages of a sender, counted against their limits.
CREATE INDEX messages_sender ON messages (sender_id, at);
-- Rows that are pruned by age.
CREATE INDEX changes_at ON changes (at);
CREATE INDEX sessions_expiry ON sessions (expires_at);
-- Listings in sitemaps, with all that those say.
CREATE INDEX listings_sitemap ON listings (id, updated_at) WHERE status IN ('active', 'reserved');
