package models

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"
)

const offerColumns = `id, listing_id, buyer_id, seller_id, status, amount, rounds, created_at, updated_at, expires_at`

// MakeOffer proposes a price on an active listing of another member. A buyer has
// one open offer on a listing at a time.
func (s *Store) MakeOffer(ctx context.Context, listingID, buyerID string, amount Cents, message string) (*Offer, error) {
	if err := checkRound(amount, message); err != nil {
		return nil, err
	}
	if !storable(listingID) {
		return nil, listingNotFound(listingID)
	}
	var o *Offer
	err := s.update(ctx, func(t *tx) error {
		l, err := t.lockListing(ctx, listingID)
		if err != nil {
			return err
		}
		switch {
		case l == nil || !l.Status.Public():
			return listingNotFound(listingID)
		case l.SellerID == buyerID:
			return &Error{Kind: Forbidden, Code: "own_listing", Message: "The listing is your own.", Hint: "Lower its price instead with PATCH /api/listings/" + listingID + "."}
		case l.Status != StatusActive:
			return notForSale(l)
		}
		if err := t.notBlocked(ctx, l.SellerID, buyerID); err != nil {
			return err
		}
		now := s.now()
		if err := t.withinLimit(ctx, offersADay, buyerID, now); err != nil {
			return err
		}
		o = &Offer{ID: s.newID(), ListingID: l.ID, BuyerID: buyerID, SellerID: l.SellerID, Status: OfferPending,
			Amount: amount, Rounds: 1, CreatedAt: now, UpdatedAt: now, ExpiresAt: now + Time(OfferTime.Milliseconds())}
		if err := t.expireOffers(ctx, now, `listing_id = $3 AND buyer_id = $4`, l.ID, buyerID); err != nil {
			return err
		}
		if err := t.insertOffer(ctx, o); err != nil {
			return err
		}
		if err := t.addRound(ctx, o, true, message); err != nil {
			return err
		}
		return t.tellOther(ctx, OfferWasMade, o, l.Title, buyerID)
	})
	return o, err
}

func notForSale(l *Listing) *Error {
	return &Error{Kind: Conflict, Code: "not_for_sale", Message: fmt.Sprintf("The listing is %s and takes no offers.", l.Status),
		Hint: "Look for another one with GET /api/listings/search?model=" + l.Gear + "."}
}

func checkRound(amount Cents, message string) error {
	var fields []FieldError
	if amount <= 0 || amount > MaxAmount {
		fields = append(fields, FieldError{"amount", "invalid_value", "The amount must be above nothing, such as 450.00."})
	}
	if !storable(message) || utf8.RuneCountInString(message) > MaxOfferMessage {
		fields = append(fields, FieldError{"message", "invalid_value", "The message is text of at most 1,000 characters."})
	}
	return invalidFields(fields)
}

// lockListing is a listing as it will stay until the transaction ends.
func (t *tx) lockListing(ctx context.Context, id string) (*Listing, error) {
	if _, err := t.ExecContext(ctx, `UPDATE listings SET version = version WHERE id = $1`, id); err != nil {
		return nil, err
	}
	return listingByID(ctx, t, id)
}

func (t *tx) insertOffer(ctx context.Context, o *Offer) error {
	var open int
	if err := t.GetContext(ctx, &open, `SELECT COUNT(*) FROM offers WHERE buyer_id = $1 AND status IN ('pending', 'countered', 'accepted')`, o.BuyerID); err != nil {
		return err
	}
	if open >= MaxOpenOffers {
		return &Error{Kind: Conflict, Code: "too_many_offers", Message: "You have 50 open offers.", Hint: "Withdraw one, or wait for answers."}
	}
	n, err := t.affected(ctx, `INSERT INTO offers (`+offerColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`,
		o.ID, o.ListingID, o.BuyerID, o.SellerID, o.Status, o.Amount, o.Rounds, o.CreatedAt, o.UpdatedAt, o.ExpiresAt)
	if err == nil && n == 0 {
		return &Error{Kind: Conflict, Code: "offer_exists", Message: "You have an open offer on this listing.",
			Hint: "Find it with GET /api/offers, and withdraw it or wait for the answer."}
	}
	return err
}

func (t *tx) addRound(ctx context.Context, o *Offer, byBuyer bool, message string) error {
	_, err := t.ExecContext(ctx, `INSERT INTO offer_rounds (offer_id, round, by_buyer, amount, message, at) VALUES ($1, $2, $3, $4, $5, $6)`,
		o.ID, o.Rounds, byBuyer, o.Amount, message, o.UpdatedAt)
	return err
}

// Answer is a step of an offer with what belongs to it.
type Answer struct {
	Step    OfferStep
	By      string // id of the member who takes it
	Amount  Cents  // Counter
	Message string // Counter
}

// AnswerOffer takes an offer one step on, as the state machine allows. Accepting
// reserves the listing, completing sells it and records the sale, withdrawing an
// accepted one puts the listing back: all in one transaction, with one winner.
func (s *Store) AnswerOffer(ctx context.Context, id string, a Answer) (*Offer, error) {
	if a.Step == Counter {
		if err := checkRound(a.Amount, a.Message); err != nil {
			return nil, err
		}
	}
	if !storable(id) {
		return nil, offerNotFound(id)
	}
	var o *Offer
	err := s.update(ctx, func(t *tx) (err error) {
		var l *Listing
		if o, l, err = t.lockOffer(ctx, id, a.By); err != nil {
			return err
		}
		return t.answer(ctx, o, l, a, s.now())
	})
	return o, err
}

func offerNotFound(id string) *Error {
	return &Error{Kind: NotFound, Code: "offer_not_found", Message: fmt.Sprintf("You have no offer with the id %q.", id),
		Hint: "List those you made and got with GET /api/offers."}
}

// lockOffer is an offer and its listing as they will stay until the transaction
// ends. The listing is locked first, as everywhere, so that no two wait for each
// other.
func (t *tx) lockOffer(ctx context.Context, id, memberID string) (*Offer, *Listing, error) {
	o, err := offerByID(ctx, t, id)
	if err != nil {
		return nil, nil, err
	}
	if o == nil || o.partyOf(memberID) == "" {
		return nil, nil, offerNotFound(id)
	}
	l, err := t.lockListing(ctx, o.ListingID)
	if err != nil {
		return nil, nil, err
	}
	o, err = offerByID(ctx, t, id)
	return o, l, err
}

func offerByID(ctx context.Context, db sqlx.QueryerContext, id string) (*Offer, error) {
	var o Offer
	err := sqlx.GetContext(ctx, db, &o, `SELECT `+offerColumns+` FROM offers WHERE id = $1`, id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &o, err
}

func (t *tx) answer(ctx context.Context, o *Offer, l *Listing, a Answer, now Time) error {
	from := o.Status
	if o.Waits() && o.ExpiresAt <= now {
		return &Error{Kind: Conflict, Code: "wrong_status", Message: "The offer has expired.", Hint: "Make a new one with POST /api/listings/" + o.ListingID + "/offers."}
	}
	who := o.partyOf(a.By)
	to, err := o.next(a.Step, who)
	if err != nil {
		return err
	}
	if a.Step == Accept && l.Status != StatusActive {
		return notForSale(l)
	}
	o.Status, o.UpdatedAt = to, now
	if a.Step == Counter {
		if o.Rounds >= MaxRounds {
			return &Error{Kind: Conflict, Code: "too_many_rounds", Message: "You have both named four prices.", Hint: "Accept the last one, decline, or write a message."}
		}
		o.Amount, o.Rounds, o.ExpiresAt = a.Amount, o.Rounds+1, now+Time(OfferTime.Milliseconds())
		if err := t.addRound(ctx, o, who == buyer, a.Message); err != nil {
			return err
		}
	}
	n, err := t.affected(ctx, `UPDATE offers SET status = $3, amount = $4, rounds = $5, updated_at = $6, expires_at = $7 WHERE id = $1 AND status = $2`,
		o.ID, from, o.Status, o.Amount, o.Rounds, o.UpdatedAt, o.ExpiresAt)
	if err != nil {
		return err
	}
	if n == 0 {
		return &Error{Kind: Conflict, Code: "wrong_status", Message: "The offer was answered meanwhile.", Hint: "Read it again with GET /api/offers."}
	}
	if err := t.tellOther(ctx, a.Step.notice(), o, l.Title, a.By); err != nil {
		return err
	}
	return t.moveListing(ctx, o, l, a.Step, from, now)
}

// moveListing takes the step of the listing that goes with a step of an offer.
func (t *tx) moveListing(ctx context.Context, o *Offer, l *Listing, step OfferStep, from OfferStatus, now Time) error {
	move := Move{At: now}
	switch {
	case step == Accept:
		move.Step = Reserve
	case step == Complete:
		move.Step, move.Price = Sell, o.Amount
	case step == Withdraw && from == OfferAccepted:
		move.Step = Relist
	default:
		return nil
	}
	return t.advance(ctx, l, move)
}

// closeOffers declines what is open on a listing that is gone, and tells the bidders.
func (t *tx) closeOffers(ctx context.Context, listingID string, now Time) error {
	closed, err := t.endOffers(ctx, OfferDeclined, now, `status IN ('pending', 'countered', 'accepted') AND listing_id = $3`, listingID)
	for i := range closed {
		o := &closed[i]
		t.tell(Notice{Kind: OfferWasClosed, To: o.BuyerID, ID: o.ID, Title: o.Title, Amount: o.Amount})
	}
	return err
}

// expireOffers ends the offers among some that nobody answered in time, and tells
// whoever named the last price.
func (t *tx) expireOffers(ctx context.Context, now Time, where string, args ...any) error {
	expired, err := t.endOffers(ctx, OfferExpired, now, `status IN ('pending', 'countered') AND expires_at <= $2 AND `+where, args...)
	for i := range expired {
		o := &expired[i]
		t.tell(Notice{Kind: OfferHasExpired, To: o.lastBidder(), ID: o.ID, Title: o.Title, Amount: o.Amount})
	}
	return err
}

// endedOffer is an offer that ended, and the title of what it was made on.
type endedOffer struct {
	Offer
	Title string
}

// endOffers gives some offers their last status. The condition's own values
// begin with $3; $2 is now.
func (t *tx) endOffers(ctx context.Context, status OfferStatus, now Time, where string, args ...any) (ended []endedOffer, err error) {
	err = t.SelectContext(ctx, &ended, `UPDATE offers SET status = $1, updated_at = $2 WHERE `+where+`
		RETURNING `+offerColumns+`, (SELECT title FROM listings WHERE listings.id = offers.listing_id) AS title`, append([]any{status, now}, args...)...)
	return ended, err
}

// ExpireOffers ends every offer that nobody answered in time.
func (s *Store) ExpireOffers(ctx context.Context) error {
	return s.update(ctx, func(t *tx) error { return t.expireOffers(ctx, s.now(), `TRUE`) })
}

// offersNow are offers as they are at the instant $1: those nobody answered in
// time have expired, whether or not they were ended yet.
const offersNow = `SELECT id, listing_id, buyer_id, seller_id,
	CASE WHEN status IN ('pending', 'countered') AND expires_at <= $1 THEN 'expired' ELSE status END AS status,
	amount, rounds, created_at, updated_at, expires_at FROM offers`

// Offer is an offer, for one of its two sides; NotFound offer_not_found for others.
func (s *Store) Offer(ctx context.Context, id, memberID string) (*Offer, error) {
	if !storable(id) {
		return nil, offerNotFound(id)
	}
	var o Offer
	err := s.read.GetContext(ctx, &o, offersNow+` WHERE id = $2`, s.now(), id)
	if errors.Is(err, sql.ErrNoRows) || err == nil && o.partyOf(memberID) == "" {
		return nil, offerNotFound(id)
	}
	return &o, err
}

// OfferKey is the place of an offer in a member's list.
type OfferKey struct {
	UpdatedAt Time
	ID        string
}

// OfferFilter is which of a member's offers to list; nothing set is all of them.
type OfferFilter struct {
	Role      string // of the member: buyer or seller
	Status    OfferStatus
	ListingID string
}

// Offers are those a member made or got, the last to change first: at most limit
// after a key, from the newest for the zero key.
func (s *Store) Offers(ctx context.Context, memberID string, after OfferKey, limit int) ([]Offer, error) {
	return s.OffersLike(ctx, memberID, OfferFilter{}, after, limit)
}

// OffersLike are the Offers that a filter lets through.
func (s *Store) OffersLike(ctx context.Context, memberID string, f OfferFilter, after OfferKey, limit int) ([]Offer, error) {
	if !storable(f.ListingID) {
		return nil, nil
	}
	if after == (OfferKey{}) {
		after.UpdatedAt = 1 << 62
	}
	var offers []Offer
	err := s.read.SelectContext(ctx, &offers, `SELECT * FROM (`+offersNow+`
			WHERE (buyer_id = $2 AND $6 <> 'seller' OR seller_id = $2 AND $6 <> 'buyer') AND (updated_at, id) < ($3, $4) AND ($8 = '' OR listing_id = $8)) AS o
		WHERE $7 = '' OR status = $7 ORDER BY updated_at DESC, id DESC LIMIT $5`,
		s.now(), memberID, after.UpdatedAt, after.ID, limit, f.Role, f.Status, f.ListingID)
	return offers, err
}

// Rounds are the proposals of an offer, in order.
func (s *Store) Rounds(ctx context.Context, offerID string) ([]Round, error) {
	var rounds []Round
	err := s.read.SelectContext(ctx, &rounds, `SELECT by_buyer, amount, message, at FROM offer_rounds WHERE offer_id = $1 ORDER BY round`, offerID)
	return rounds, err
}
