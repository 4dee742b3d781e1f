package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

const offerColumns = `id, listing_id, buyer_id, seller_id, status, amount, rounds, created_at, updated_at, expires_at, currency, bought, method, postage`

// MakeOffer makes an offer on an active listing of another member. A buyer may
// have one open offer per listing.
func (s *Trades) MakeOffer(ctx context.Context, listingID, buyerID string, amount models.Cents, message string, ask models.DeliveryRequest) (*models.Offer, error) {
	if err := errors.Join(checkProposal(amount, message), ask.Check()); err != nil {
		return nil, err
	}
	return s.place(ctx, listingID, buyerID, message, ask, func(_ *tx, o *models.Offer, l *models.Listing) error {
		o.Amount = amount
		return checkAsking(amount, l)
	})
}

// Buy buys an active listing of another member at its price: it is reserved, and its
// seller confirms the purchase by accepting the offer unless they have allowed instant
// sale. It takes the place of an offer that the buyer made before. If price is not 0, the
// listing must still have it. The delivery is shipping if ask names none and the seller
// ships.
func (s *Trades) Buy(ctx context.Context, listingID, buyerID string, price models.Cents, ask models.DeliveryRequest) (*models.Offer, error) {
	if err := ask.Check(); err != nil {
		return nil, err
	}
	return s.place(ctx, listingID, buyerID, "", ask, func(t *tx, o *models.Offer, l *models.Listing) error {
		switch {
		case !l.BuyNow.Allowed():
			return &problem.Error{Kind: problem.Conflict, Code: "no_buy_now", Message: problem.Textf("The seller doesn't offer “Buy now” for this listing."), Hint: problem.Textf("Make an offer instead.").And(problem.Programf("POST /api/listings/%s/offers", l.ID))}
		case price != 0 && price != l.Price:
			return errListingChanged
		}
		o.Bought, o.Amount = true, l.Price
		if o.Method == "" {
			o.Method = models.Shipping
		}
		return withdrawEarlier(ctx, t, o)
	})
}

// withdrawEarlier withdraws the open offers of a buyer on the listing of a purchase.
func withdrawEarlier(ctx context.Context, t *tx, o *models.Offer) error {
	_, err := endOffers(ctx, t, models.OfferWithdrawn, o.CreatedAt, `status IN ('pending', 'countered') AND listing_id = $3 AND buyer_id = $4`, o.ListingID, o.BuyerID)
	return err
}

// place makes an offer with a price that set sets, and stores it.
func (s *Trades) place(ctx context.Context, listingID, buyerID, message string, ask models.DeliveryRequest, set func(*tx, *models.Offer, *models.Listing) error) (o *models.Offer, err error) {
	if !models.Storable(listingID) {
		return nil, listingNotFound(listingID)
	}
	err = s.update(ctx, func(t *tx) error {
		l, err := lockListing(ctx, t, listingID)
		if err != nil {
			return err
		}
		switch {
		case l == nil || !l.Status.Public():
			return listingNotFound(listingID)
		case l.SellerID == buyerID:
			return &problem.Error{Kind: problem.Forbidden, Code: "own_listing", Message: problem.Textf("This is your own listing."), Hint: problem.Programf("To change its price, use PATCH /api/listings/%s.", listingID)}
		case l.Status != models.StatusActive:
			return notForSale(l)
		}
		now := s.now()
		o = &models.Offer{ID: s.newID(), ListingID: l.ID, BuyerID: buyerID, SellerID: l.SellerID, Status: models.OfferPending, Method: ask.Method, Postage: models.UnknownPostage,
			Currency: l.Currency, Proposals: 1, CreatedAt: now, UpdatedAt: now, ExpiresAt: now.Add(models.OfferLifetime)}
		if err := checkNotBlocked(ctx, t, l.SellerID, buyerID); err != nil {
			return err
		}
		if err := checkDailyLimit(ctx, t, dailyOffers, buyerID, now); err != nil {
			return err
		}
		if err := expireOffers(ctx, t, now, `listing_id = $3 AND buyer_id = $4`, l.ID, buyerID); err != nil {
			return err
		}
		if err := set(t, o, l); err != nil {
			return err
		}
		address, err := settleDelivery(ctx, t, o, l, ask)
		if err != nil {
			return err
		}
		if err := insertOffer(ctx, t, o); err != nil {
			return err
		}
		if err := addProposal(ctx, t, o, true, message); err != nil {
			return err
		}
		if address != "" {
			if _, err := t.ExecContext(ctx, `INSERT INTO offer_addresses (offer_id, buyer_id, address) VALUES ($1, $2, $3)`, o.ID, o.BuyerID, address); err != nil {
				return err
			}
		}
		return reserve(ctx, t, o, l)
	})
	return o, err
}

// reserve reserves the listing of a purchase, which is a sale at once if the seller allows
// it, and notifies the seller of an offer.
func reserve(ctx context.Context, t *tx, o *models.Offer, l *models.Listing) error {
	if !o.Bought {
		return notifyOther(ctx, t, models.NoticeOfferMade, o, l.Title, o.BuyerID)
	}
	if l.BuyNow == models.BuyInstant {
		o.Status, o.ExpiresAt = models.OfferAccepted, o.CreatedAt
		if err := storeOffer(ctx, t, o, models.OfferPending); err != nil {
			return err
		}
		if err := agree(ctx, t, o); err != nil {
			return err
		}
	}
	if err := advance(ctx, t, l, models.Move{Step: models.Reserve, At: o.CreatedAt}); err != nil {
		return err
	}
	return notifyOther(ctx, t, models.NoticeOfferBought, o, l.Title, o.BuyerID)
}

// settleDelivery sets the method and the postage of an offer, and returns the address that
// it is shipped to.
func settleDelivery(ctx context.Context, t *tx, o *models.Offer, l *models.Listing, ask models.DeliveryRequest) (address string, err error) {
	seller, err := memberBy(ctx, t, "id", o.SellerID)
	if err != nil {
		return "", err
	}
	rates := l.PostageOr(seller.Postage)
	switch {
	case o.Bought && ask.Method == "" && rates == models.PickupOnly:
		o.Method = models.Pickup
	case o.Method == models.Shipping && rates == models.PickupOnly:
		return "", models.InvalidField("delivery", "invalid_value", "This item is collection only.")
	}
	if o.Method == models.Pickup {
		o.Postage = 0
	}
	if o.Method != models.Shipping {
		return "", nil
	}
	buyer, err := memberBy(ctx, t, "id", o.BuyerID)
	if err != nil {
		return "", err
	}
	if cents, ok := rates.To(buyer.Region); ok {
		o.Postage = cents
	}
	saved, err := tradeSettingsOf(ctx, t, o.BuyerID)
	if err != nil {
		return "", err
	}
	if address = strings.TrimSpace(ask.Address); address == "" {
		address = saved.Address
	} else if ask.Save && address != saved.Address {
		saved.Address = address
		err = storeTradeSettings(ctx, t, o.BuyerID, saved)
	}
	if address == "" {
		return "", models.AddressMissing()
	}
	return address, err
}

func notForSale(l *models.Listing) *problem.Error {
	return &problem.Error{Kind: problem.Conflict, Code: "not_for_sale", Message: problem.Textf("The listing is %s and can't receive offers.", l.Status),
		Hint: problem.Programf("Find others with GET /api/listings/search?model=%s.", l.Gear)}
}

func checkProposal(amount models.Cents, message string) error {
	var fields []problem.FieldError
	if amount <= 0 || amount > models.MaxAmount {
		fields = append(fields, problem.FieldError{Field: "amount", Code: "invalid_value", Message: problem.Textf("The amount must be greater than zero, such as 450.00.")})
	}
	if !models.Storable(message) || utf8.RuneCountInString(message) > models.MaxOfferMessage {
		fields = append(fields, problem.FieldError{Field: "message", Code: "invalid_value", Message: problem.Textf("The message must be text of at most 1,000 characters.")})
	}
	return models.InvalidFields(fields)
}

// checkAsking returns an error for a proposal above the asking price, which is a typing
// error: buyers don't pay more than is asked, and sellers who want more edit the listing.
func checkAsking(amount models.Cents, l *models.Listing) error {
	if amount <= l.Price {
		return nil
	}
	e := models.InvalidField("amount", "invalid_value", "Your offer can't be more than the asking price.").(*problem.Error)
	e.Hint = problem.Programf("Propose at most the asking price: see price in GET /api/listings/%s.", l.ID)
	return e
}

// lockListing locks a listing until the end of the transaction and returns it,
// or nil if there is none.
func lockListing(ctx context.Context, t *tx, id string) (*models.Listing, error) {
	if err := lockListingRow(ctx, t, id); err != nil {
		return nil, err
	}
	return listingByID(ctx, t, id)
}

// lockListingRow locks a listing, if there is one, until the end of the transaction.
func lockListingRow(ctx context.Context, t *tx, id string) error {
	_, err := t.ExecContext(ctx, `UPDATE listings SET version = version WHERE id = $1`, id)
	return err
}

func insertOffer(ctx context.Context, t *tx, o *models.Offer) error {
	var open int
	if err := t.GetContext(ctx, &open, `SELECT COUNT(*) FROM offers WHERE buyer_id = $1 AND status IN ('pending', 'countered', 'accepted')`, o.BuyerID); err != nil {
		return err
	}
	if open >= models.MaxOpenOffers {
		return &problem.Error{Kind: problem.Conflict, Code: "too_many_offers", Message: problem.Textf("You've reached the limit of 50 open offers."), Hint: problem.Textf("Withdraw one, or wait for replies.")}
	}
	n, err := t.affected(ctx, `INSERT INTO offers (`+offerColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) ON CONFLICT DO NOTHING`,
		o.ID, o.ListingID, o.BuyerID, o.SellerID, o.Status, o.Amount, o.Proposals, o.CreatedAt, o.UpdatedAt, o.ExpiresAt, o.Currency, o.Bought, o.Method, o.Postage)
	if err == nil && n == 0 {
		return &problem.Error{Kind: problem.Conflict, Code: "offer_exists", Message: problem.Textf("You already have an open offer on this listing."),
			Hint: problem.Textf("Wait for the reply, or withdraw it.").And(problem.Programf("GET /api/offers lists your offers."))}
	}
	return err
}

func addProposal(ctx context.Context, t *tx, o *models.Offer, byBuyer bool, message string) error {
	_, err := t.ExecContext(ctx, `INSERT INTO offer_rounds (offer_id, round, by_buyer, amount, message, at) VALUES ($1, $2, $3, $4, $5, $6)`,
		o.ID, o.Proposals, byBuyer, o.Amount, message, o.UpdatedAt)
	return err
}

// Answer is a step of an offer with its parameters.
type Answer struct {
	Step            models.OfferStep
	By              string       // id of the member who takes the step
	Amount          models.Cents // Counter
	Message         string       // Counter; Dispute: what is wrong
	models.Shipment              // Complete: of an item that is sent
}

// check returns an error if the parameters of the step are invalid.
func (a *Answer) check() error {
	switch a.Step {
	case models.Counter:
		return checkProposal(a.Amount, a.Message)
	case models.Dispute:
		if strings.TrimSpace(a.Message) == "" || !models.Storable(a.Message) || utf8.RuneCountInString(a.Message) > models.MaxDispute {
			return models.InvalidField("text", "invalid_value", "Describe the problem in at most 2,000 characters.")
		}
	case models.Complete:
		return a.Shipment.Check()
	}
	return nil
}

// AnswerOffer takes a step of an offer's state machine. In the same transaction,
// Accept reserves the listing and copies it to the agreement, Complete marks it
// as sold and records the sale, Confirm and Dispute change the sale, and
// withdrawing an accepted offer relists the listing. Of several concurrent
// callers one succeeds.
func (s *Trades) AnswerOffer(ctx context.Context, id string, a Answer) (*models.Offer, error) {
	if err := a.check(); err != nil {
		return nil, err
	}
	return s.changeOffer(ctx, id, a.By, func(t *tx, o *models.Offer, l *models.Listing) error { return answer(ctx, t, o, l, a, s.now()) })
}

// changeOffer calls do with an offer and its listing, both locked, in a transaction, and
// returns the offer. For members who are on neither side it returns a NotFound error,
// offer_not_found.
func (s *Trades) changeOffer(ctx context.Context, id, by string, do func(*tx, *models.Offer, *models.Listing) error) (o *models.Offer, err error) {
	if !models.Storable(id) {
		return nil, offerNotFound(id)
	}
	err = s.update(ctx, func(t *tx) error {
		var l *models.Listing
		if o, l, err = lockOffer(ctx, t, id); err != nil {
			return err
		}
		if o.PartyOf(by) == "" {
			return offerNotFound(id)
		}
		return do(t, o, l)
	})
	return o, err
}

func offerNotFound(id string) *problem.Error {
	return &problem.Error{Kind: problem.NotFound, Code: "offer_not_found", Message: problem.Programf("You have no offer with the id %q.", id),
		Hint: problem.Programf("List your offers with GET /api/offers.")}
}

// lockOffer locks an offer and its listing until the end of the transaction.
// The listing is locked first, as everywhere, to avoid deadlocks.
func lockOffer(ctx context.Context, t *tx, id string) (*models.Offer, *models.Listing, error) {
	o, err := offerByID(ctx, t, id)
	if err != nil {
		return nil, nil, err
	}
	if o == nil {
		return nil, nil, offerNotFound(id)
	}
	l, err := lockListing(ctx, t, o.ListingID)
	if err != nil {
		return nil, nil, err
	}
	o, err = offerByID(ctx, t, id)
	return o, l, err
}

func offerByID(ctx context.Context, db sqlx.QueryerContext, id string) (*models.Offer, error) {
	var o models.Offer
	err := sqlx.GetContext(ctx, db, &o, `SELECT `+offerColumns+` FROM offers WHERE id = $1`, id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &o, err
}

func answer(ctx context.Context, t *tx, o *models.Offer, l *models.Listing, a Answer, now models.Time) error {
	from := o.Status
	if err := o.CheckTime(a.Step, now); err != nil {
		return err
	}
	who := o.PartyOf(a.By)
	to, err := o.Next(a.Step, who)
	if err != nil {
		return err
	}
	if a.Step == models.Accept && l.Status != models.StatusActive && !o.Reserves() {
		return notForSale(l)
	}
	if a.Step == models.Counter {
		if err := checkAsking(a.Amount, l); err != nil {
			return err
		}
	}
	if !a.Step.DespiteBlock() {
		if err := checkNotBlocked(ctx, t, o.Other(a.By), a.By); err != nil {
			return err
		}
	}
	reserved := o.Reserves()
	o.Status, o.UpdatedAt = to, now
	switch a.Step {
	case models.Counter:
		if o.Proposals >= models.MaxProposals {
			return &problem.Error{Kind: problem.Conflict, Code: "too_many_rounds", Message: problem.Textf("Counter-offer limit reached."), Hint: problem.Programf("Accept or decline the last price, or send a message.")}
		}
		o.Amount, o.Proposals, o.ExpiresAt = a.Amount, o.Proposals+1, now.Add(models.OfferLifetime)
		if err := addProposal(ctx, t, o, who == models.Buyer, a.Message); err != nil {
			return err
		}
	case models.Complete:
		if err := completeHandover(ctx, t, o, l, a); err != nil {
			return err
		}
	}
	if err := storeOffer(ctx, t, o, from); err != nil {
		return err
	}
	if a.Step != models.Complete {
		if err := notifyOther(ctx, t, a.Step.Notice(), o, l.Title, a.By); err != nil {
			return err
		}
	}
	return follow(ctx, t, o, l, a, reserved)
}

// storeOffer writes an offer that has left the status from.
func storeOffer(ctx context.Context, t *tx, o *models.Offer, from models.OfferStatus) error {
	n, err := t.affected(ctx, `UPDATE offers SET status = $3, amount = $4, rounds = $5, updated_at = $6, expires_at = $7 WHERE id = $1 AND status = $2`,
		o.ID, from, o.Status, o.Amount, o.Proposals, o.UpdatedAt, o.ExpiresAt)
	if err != nil {
		return err
	}
	if n == 0 {
		return &problem.Error{Kind: problem.Conflict, Code: "wrong_status", Message: problem.Textf("The offer has changed since you opened it."), Hint: problem.Programf("Get its current state with GET /api/offers.")}
	}
	return nil
}

// closeOffers declines the open offers on a listing that is no longer available
// and notifies the buyers.
func closeOffers(ctx context.Context, t *tx, listingID string, now models.Time) error {
	closed, err := endOffers(ctx, t, models.OfferDeclined, now, `status IN ('pending', 'countered', 'accepted') AND listing_id = $3`, listingID)
	for i := range closed {
		o := &closed[i]
		addNotice(t, models.Notice{Kind: models.NoticeOfferClosed, To: o.BuyerID, ID: o.ID, Title: o.Title, Amount: o.Amount, Currency: o.Currency})
	}
	if err != nil || len(closed) == 0 {
		return err
	}
	_, err = t.ExecContext(ctx, `DELETE FROM agreements WHERE offer_id IN (SELECT id FROM offers WHERE listing_id = $1 AND status = 'declined')`, listingID)
	return err
}

// expireOffers expires the overdue offers that match a condition, apart from purchases,
// and notifies the member who made the last proposal.
func expireOffers(ctx context.Context, t *tx, now models.Time, where string, args ...any) error {
	expired, err := endOffers(ctx, t, models.OfferExpired, now, `status IN ('pending', 'countered') AND NOT bought AND expires_at <= $2 AND `+where, args...)
	for i := range expired {
		o := &expired[i]
		addNotice(t, models.Notice{Kind: models.NoticeOfferExpired, To: o.LastProposer(), ID: o.ID, Title: o.Title, Amount: o.Amount, Currency: o.Currency})
	}
	return err
}

// expirePurchase expires a purchase that its seller hasn't confirmed in time. The listing
// is for sale again. It does nothing to other offers.
func expirePurchase(ctx context.Context, t *tx, id string, now models.Time) error {
	o, l, err := lockOffer(ctx, t, id)
	if err != nil || o.Status != models.OfferPending || !o.Bought || o.ExpiresAt > now {
		return err
	}
	if _, err := endOffers(ctx, t, models.OfferExpired, now, `id = $3`, id); err != nil {
		return err
	}
	addNotice(t, models.Notice{Kind: models.NoticeOfferExpired, To: o.BuyerID, ID: o.ID, Title: l.Title, Amount: o.Amount, Currency: o.Currency})
	return advance(ctx, t, l, models.Move{Step: models.Relist, At: now})
}

// endedOffer is an offer that was closed or has expired, with the title of its
// listing.
type endedOffer struct {
	models.Offer
	Title string
}

// endOffers sets the final status of the offers that match a condition, and deletes their
// addresses. The parameters of the condition start at $3; $2 is the current time.
func endOffers(ctx context.Context, t *tx, status models.OfferStatus, now models.Time, where string, args ...any) (ended []endedOffer, err error) {
	err = t.SelectContext(ctx, &ended, `UPDATE offers SET status = $1, updated_at = $2 WHERE `+where+`
		RETURNING `+offerColumns+`, (SELECT title FROM listings WHERE listings.id = offers.listing_id) AS title`, append([]any{status, now}, args...)...)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(ended))
	for i := range ended {
		ids[i] = ended[i].ID
	}
	return ended, dropAddresses(ctx, t, ids...)
}

// dropAddresses deletes the addresses of offers that aren't open any more.
func dropAddresses(ctx context.Context, t *tx, offerIDs ...string) error {
	for part := range chunks(offerIDs) {
		if _, err := t.ExecContext(ctx, `DELETE FROM offer_addresses WHERE offer_id IN (`+parameters(1, len(part))+`)`, toAny(part)...); err != nil {
			return err
		}
	}
	return nil
}

// ExpireOffers expires all overdue offers.
func (s *Trades) ExpireOffers(ctx context.Context) error {
	if err := s.update(ctx, func(t *tx) error { return expireOffers(ctx, t, s.now(), `TRUE`) }); err != nil {
		return err
	}
	var bought []string
	errs := []error{s.read.SelectContext(ctx, &bought, `SELECT id FROM offers WHERE status = 'pending' AND bought AND expires_at <= $1 ORDER BY id`, s.now())}
	for _, id := range bought {
		errs = append(errs, s.update(ctx, func(t *tx) error { return expirePurchase(ctx, t, id, s.now()) }))
	}
	return errors.Join(errs...)
}

// selectCurrentOffers selects offers as of $1: overdue offers have the status
// expired even if ExpireOffers has not run yet.
const selectCurrentOffers = `SELECT id, listing_id, buyer_id, seller_id,
	CASE WHEN status IN ('pending', 'countered') AND expires_at <= $1 THEN 'expired' ELSE status END AS status,
	amount, rounds, created_at, updated_at, expires_at, currency, bought, method, postage FROM offers`

// Offer returns an offer for one of its two sides. For other members it returns
// a NotFound error, offer_not_found.
func (s *Trades) Offer(ctx context.Context, id, memberID string) (*models.Offer, error) {
	if !models.Storable(id) {
		return nil, offerNotFound(id)
	}
	var o models.Offer
	err := s.read.GetContext(ctx, &o, selectCurrentOffers+` WHERE id = $2`, s.now(), id)
	if errors.Is(err, sql.ErrNoRows) || err == nil && o.PartyOf(memberID) == "" {
		return nil, offerNotFound(id)
	}
	return &o, err
}

// OfferKey is the sort key of an offer in a member's list.
type OfferKey struct {
	UpdatedAt models.Time
	ID        string
}

// OfferFilter selects offers of a member. The zero value selects all.
type OfferFilter struct {
	Role      string // buyer or seller
	Status    models.OfferStatus
	UnderWay  bool // only those that are open, or sold and not confirmed yet
	ListingID string
}

// Offers returns up to limit offers a member made or received after a key, most
// recently updated first. The zero key starts at the newest.
func (s *Trades) Offers(ctx context.Context, memberID string, after OfferKey, limit int) ([]models.Offer, error) {
	return s.FilterOffers(ctx, memberID, OfferFilter{}, after, limit)
}

// FilterOffers returns the Offers selected by a filter.
func (s *Trades) FilterOffers(ctx context.Context, memberID string, f OfferFilter, after OfferKey, limit int) ([]models.Offer, error) {
	if !models.Storable(f.ListingID) {
		return nil, nil
	}
	if after == (OfferKey{}) {
		after.UpdatedAt = 1 << 62
	}
	var offers []models.Offer
	err := s.read.SelectContext(ctx, &offers, `SELECT * FROM (`+selectCurrentOffers+`
			WHERE (buyer_id = $2 AND $6 <> 'seller' OR seller_id = $2 AND $6 <> 'buyer') AND (updated_at, id) < ($3, $4) AND ($8 = '' OR listing_id = $8)) AS o
		WHERE ($7 = '' OR status = $7) AND (NOT CAST($9 AS BOOLEAN) OR status IN ('pending', 'countered', 'accepted', 'completed', 'disputed')) ORDER BY updated_at DESC, id DESC LIMIT $5`,
		s.now(), memberID, after.UpdatedAt, after.ID, limit, f.Role, f.Status, f.ListingID, f.UnderWay)
	return offers, err
}

// Proposals returns the proposals of an offer, oldest first.
func (s *Trades) Proposals(ctx context.Context, offerID string) ([]models.Proposal, error) {
	var proposals []models.Proposal
	err := s.read.SelectContext(ctx, &proposals, `SELECT by_buyer, amount, message, at FROM offer_rounds WHERE offer_id = $1 ORDER BY round`, offerID)
	return proposals, err
}

// checkNotBlocked returns a Forbidden error if ID has blocked otherID.
func checkNotBlocked(ctx context.Context, t *tx, memberID, otherID string) error {
	var blocked bool
	err := t.GetContext(ctx, &blocked, `SELECT EXISTS (SELECT 1 FROM blocks WHERE member_id = $1 AND blocked_id = $2)`, memberID, otherID)
	if err == nil && blocked {
		return &problem.Error{Kind: problem.Forbidden, Code: "blocked", Message: problem.Textf("This member has blocked you."), Hint: problem.Textf("Look for another listing.")}
	}
	return err
}
