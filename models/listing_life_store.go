package models

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/jmoiron/sqlx"
)

// MaxListings is how many open listings, drafts included, a member has at most.
const MaxListings = 1000

// CreateListing adds a draft of a member's, complete enough to be published. Its
// external id is its own, so that a file of exported listings is known again.
func (s *Store) CreateListing(ctx context.Context, l *Listing) error {
	l.Status, l.ID = StatusDraft, s.newID()
	l.ExternalID = l.ID
	s.stamp(l)
	if err := l.Check(true); err != nil {
		return err
	}
	return s.update(ctx, func(t *tx) error {
		if err := t.mayList(ctx, l.SellerID, 1); err != nil {
			return err
		}
		return t.insertListings(ctx, []*Listing{l})
	})
}

// mayList refuses more open listings than a member may have.
func (t *tx) mayList(ctx context.Context, seller string, more int) error {
	var open int
	err := t.GetContext(ctx, &open, `SELECT COUNT(*) FROM listings WHERE seller_id = $1 AND status IN ('draft', 'active', 'reserved')`, seller)
	if err != nil || more == 0 || open+more <= MaxListings {
		return err
	}
	return &Error{Kind: Conflict, Code: "too_many_listings",
		Message: fmt.Sprintf("You have %d open listings and may have %d at a time.", open, MaxListings), Hint: "End or discard what is not for sale any more."}
}

// Move is a step of a listing with what belongs to it.
type Move struct {
	Step   Step
	Seller string // id of the member who must own the listing; "" when the site itself moves it
	At     Time   // 0 is now
	Price  Cents  // Sell: what it went for
	Away   bool   // Sell: it was sold elsewhere, and counts in no trend
	Reason string // End: one of EndReasons, or ""
}

// Advance takes a listing one step on, as the state machine allows: of several
// who take it at once exactly one succeeds, the others are told wrong_status.
// Who does not own it is told not_yours, or listing_not_found when it is not
// public. A sale is recorded with Sell, and its trend rolled up.
func (s *Store) Advance(ctx context.Context, id string, move Move) (*Listing, error) {
	if !storable(id) {
		return nil, listingNotFound(id)
	}
	if move.At == 0 {
		move.At = s.now()
	}
	var l *Listing
	err := s.update(ctx, func(t *tx) (err error) {
		if l, err = t.ownListing(ctx, id, move.Seller); err != nil {
			return err
		}
		return t.advance(ctx, l, move)
	})
	return l, err
}

// ownListing is a listing in any status, for who may change it.
func (t *tx) ownListing(ctx context.Context, id, seller string) (*Listing, error) {
	l, err := listingByID(ctx, t, id)
	switch {
	case err != nil:
		return nil, err
	case l == nil || l.SellerID != seller && seller != "" && !l.Status.Public():
		return nil, listingNotFound(id)
	case l.SellerID != seller && seller != "":
		return nil, &Error{Kind: Forbidden, Code: "not_yours", Message: "The listing belongs to another member.",
			Hint: "Change your own listings; GET /api/me/listings has them."}
	}
	return l, nil
}

func listingByID(ctx context.Context, db sqlx.QueryerContext, id string) (*Listing, error) {
	found, err := selectListings(ctx, db, selectListing+`WHERE l.id = $1`, id)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found[0], addPhotos(ctx, db, found)
}

// OwnListing is a listing in any status, for its seller.
func (s *Store) OwnListing(ctx context.Context, id, seller string) (l *Listing, err error) {
	if !storable(id) {
		return nil, listingNotFound(id)
	}
	l, err = listingByID(ctx, s.read, id)
	if err == nil && (l == nil || l.SellerID != seller) {
		err = listingNotFound(id)
	}
	return l, err
}

// advance takes the step with a guarded update: the status is looked at again by
// the statement that changes it.
func (t *tx) advance(ctx context.Context, l *Listing, move Move) error {
	from := l.Status
	if !from.May(move.Step) {
		return wrongStatus(move.Step, l.ID, from)
	}
	if err := t.mayMove(ctx, l, move); err != nil {
		return err
	}
	if err := l.take(move); err != nil {
		return err
	}
	if l.Status == "" {
		_, err := t.ExecContext(ctx, `DELETE FROM listings WHERE id = $1 AND status = $2`, l.ID, from)
		return err
	}
	n, err := t.affected(ctx, `UPDATE listings SET version = version + 1, `+assignments(stateColumns, 3)+` WHERE id = $1 AND status = $2`,
		fieldsOf(l, stateColumns, []any{l.ID, from})...)
	if err != nil {
		return err
	}
	if n == 0 {
		now, err := listingByID(ctx, t, l.ID)
		if err != nil || now == nil {
			return errors.Join(err, listingNotFound(l.ID))
		}
		return wrongStatus(move.Step, l.ID, now.Status)
	}
	l.Version++
	t.changed(ListingChanged, l.ID)
	if move.Step == Expire {
		t.tell(Notice{Kind: ListingHasExpired, To: l.SellerID, ID: l.ID, Title: l.Title})
	}
	if !l.Status.open() {
		if err := t.closeOffers(ctx, l.ID, move.At); err != nil {
			return err
		}
	}
	return t.recordSale(ctx, l, move)
}

// mayMove refuses what would break a promise: a reserved listing of which an
// offer was accepted moves with its offer.
func (t *tx) mayMove(ctx context.Context, l *Listing, move Move) error {
	if move.Step == Publish || move.Step == Relist {
		if err := l.Check(true); err != nil {
			return err
		}
	}
	if move.Step == Publish && move.Seller != "" {
		return t.withinLimit(ctx, listingsADay, move.Seller, move.At)
	}
	if l.Status != StatusReserved || move.Seller == "" {
		return nil
	}
	var offer string
	err := t.GetContext(ctx, &offer, `SELECT id FROM offers WHERE listing_id = $1 AND status = 'accepted'`, l.ID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return &Error{Kind: Conflict, Code: "offer_accepted", Message: "You accepted an offer on this listing.",
		Hint: "Complete it with POST /api/offers/" + offer + "/complete, or take it back with …/withdraw."}
}

// take changes the listing as a move says.
func (l *Listing) take(move Move) error {
	from := l.Status
	l.Status, l.UpdatedAt = life[move.Step].to, move.At
	switch move.Step {
	case Publish, Relist:
		if l.PublishedAt == 0 {
			l.PublishedAt = move.At
		}
		l.ClosedAt, l.EndReason, l.ExpiresAt = 0, "", move.At+Time(ListingTime.Milliseconds())
	case Sell:
		if move.Price <= 0 || move.Price > MaxAmount {
			return invalidFields([]FieldError{{"price", "missing_parameter", "Say what it was sold for; the price goes into the trend without your name."}})
		}
		l.ClosedAt, l.SoldPrice = move.At, move.Price
	case End:
		if move.Reason != "" && !slices.Contains(EndReasons, move.Reason) {
			return invalidFields([]FieldError{{"reason", "invalid_value", "The reason is one of " + joined(EndReasons) + "."}})
		}
		l.ClosedAt, l.EndReason = move.At, move.Reason
	case Expire:
		l.ClosedAt = move.At
	case Remove:
		l.removedFrom = from
	case Restore:
		l.Status = l.removedFrom
	}
	return nil
}

// recordSale makes a sale of a listing that was sold here.
func (t *tx) recordSale(ctx context.Context, l *Listing, move Move) error {
	if move.Step != Sell || move.Away || l.Gear == "" {
		return nil
	}
	_, err := t.addSales(ctx, []Sale{{ID: NewID(move.At.Std()), Gear: l.Gear, Condition: l.Condition, Price: move.Price,
		SoldAt: move.At, Region: l.Region, ListingID: l.ID, Demo: l.Demo}})
	return err
}

// EditListing changes an open listing of a seller. With a version other than 0
// it must be at that version still, else it is listing_changed. The edit gets
// the listing as it is; only what an import may change, and photos, are kept. A
// published listing stays one that may be published, and its old price is
// remembered.
func (s *Store) EditListing(ctx context.Context, id, seller string, version int64, edit func(*Listing) error) (*Listing, error) {
	if !storable(id) {
		return nil, listingNotFound(id)
	}
	var l *Listing
	err := s.update(ctx, func(t *tx) (err error) {
		if l, err = t.ownListing(ctx, id, seller); err != nil {
			return err
		}
		if version != 0 && version != l.Version {
			return errListingChanged
		}
		if !l.Status.open() {
			return &Error{Kind: Conflict, Code: "wrong_status", Message: "The listing is " + string(l.Status) + " and is not changed any more.",
				Hint: "Relist it first with POST /api/listings/" + id + "/relist, or make a new one."}
		}
		old := *l
		if err := edit(l); err != nil {
			return err
		}
		if err := l.Check(l.Status != StatusDraft); err != nil {
			return err
		}
		if sameContent(&old, l) {
			return nil
		}
		return t.edited(ctx, &old, l, s.now())
	})
	return l, err
}

var errListingChanged = &Error{Kind: Changed, Code: "listing_changed", Message: "The listing was changed meanwhile.",
	Hint: "Read it again, and send your change with the new ETag in If-Match."}

func (t *tx) edited(ctx context.Context, old, l *Listing, at Time) error {
	n, err := t.affected(ctx, `UPDATE listings SET version = version + 1 WHERE id = $1 AND version = $2 AND status = $3`, l.ID, old.Version, old.Status)
	if err != nil {
		return err
	}
	if n == 0 {
		return errListingChanged
	}
	if old.Price != l.Price && old.PublishedAt != 0 {
		_, err := t.ExecContext(ctx, `INSERT INTO listing_prices (listing_id, until, price) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, l.ID, at, old.Price)
		if err != nil {
			return err
		}
	}
	l.UpdatedAt = at
	l.Version++
	return t.updateContent(ctx, l)
}

// PastPrice is an asking price a listing had, and until when.
type PastPrice struct {
	Until Time
	Price Cents
}

// PastPrices are the asking prices a listing had before the present one, the oldest first.
func (s *Store) PastPrices(ctx context.Context, id string) ([]PastPrice, error) {
	var past []PastPrice
	err := s.read.SelectContext(ctx, &past, `SELECT until, price FROM listing_prices WHERE listing_id = $1 ORDER BY until`, id)
	return past, err
}

// DueListings are the ids of active listings whose time is over at an instant,
// the earliest first, at most limit.
func (s *Store) DueListings(ctx context.Context, at Time, limit int) (ids []string, err error) {
	err = s.read.SelectContext(ctx, &ids, `SELECT id FROM listings
		WHERE status = 'active' AND expires_at > 0 AND expires_at <= $1 ORDER BY expires_at, id LIMIT $2`, at, limit)
	return ids, err
}
