package store

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// MaxListings is the maximum number of open listings, including drafts, of a
// member.
const MaxListings = 1000

// CreateListing creates a draft that is complete enough to publish. Its
// external id is its own id, so that an exported file can be imported again.
func (s *Listings) CreateListing(ctx context.Context, l *models.Listing) error {
	l.Status, l.ID = models.StatusDraft, s.newID()
	l.ExternalID = l.ID
	s.stamp(l)
	if err := l.Check(true); err != nil {
		return err
	}
	return s.update(ctx, func(t *tx) error {
		if err := checkListingLimit(ctx, t, l.SellerID, 1); err != nil {
			return err
		}
		return insertListings(ctx, t, []*models.Listing{l})
	})
}

// StartDraft creates an empty draft under an id that NewID made when its form was shown,
// so that a form sent twice is one draft. It does nothing if the seller has the listing
// already. For the id of another member's listing it returns the error of EditListing, and
// for one that NewID can't have made a NotFound error, listing_not_found.
func (s *Listings) StartDraft(ctx context.Context, id, seller string, region models.Region) error {
	if !models.Storable(id) {
		return listingNotFound(id)
	}
	return s.update(ctx, func(t *tx) error {
		known, err := listingByID(ctx, t, id)
		if err == nil && known != nil {
			_, err = ownListing(ctx, t, id, seller)
		}
		if err != nil || known != nil {
			return err
		}
		if at, ok := models.TimeOfID(id); !ok || at > s.now()+maxClockDifference {
			return listingNotFound(id)
		}
		if err := checkListingLimit(ctx, t, seller, 1); err != nil {
			return err
		}
		l := &models.Listing{ID: id, ExternalID: id, SellerID: seller, Region: region, Status: models.StatusDraft}
		s.stamp(l)
		return insertListings(ctx, t, []*models.Listing{l})
	})
}

// maxClockDifference is how far the clocks of two servers may be apart, in milliseconds.
const maxClockDifference = 60_000

// checkListingLimit returns a Conflict error if more listings would exceed
// MaxListings.
func checkListingLimit(ctx context.Context, t *tx, seller string, more int) error {
	var open int
	err := t.GetContext(ctx, &open, `SELECT COUNT(*) FROM listings WHERE seller_id = $1 AND status IN ('draft', 'active', 'reserved')`, seller)
	if err != nil || more == 0 || open+more <= MaxListings {
		return err
	}
	return &problem.Error{Kind: problem.Conflict, Code: "too_many_listings",
		Message: problem.Textf("You have %d open listings. The limit is %d.", open, MaxListings), Hint: problem.Textf("End or discard listings you no longer need.")}
}

// Advance takes a step of a listing's state machine. If several callers take a
// step at once, one succeeds and the others get wrong_status. Members who don't
// own the listing get not_yours, or listing_not_found if it is not public. Sell
// records a sale.
func (s *Listings) Advance(ctx context.Context, id string, move models.Move) (*models.Listing, error) {
	if !models.Storable(id) {
		return nil, listingNotFound(id)
	}
	if move.At == 0 {
		move.At = s.now()
	}
	var l *models.Listing
	err := s.update(ctx, func(t *tx) (err error) {
		if l, err = lockOwnListing(ctx, t, id, move.Seller); err != nil {
			return err
		}
		return advance(ctx, t, l, move)
	})
	return l, err
}

// ownListing returns a listing in any state if the seller owns it, or if seller
// is "".
func ownListing(ctx context.Context, t *tx, id, seller string) (*models.Listing, error) {
	l, err := listingByID(ctx, t, id)
	switch {
	case err != nil:
		return nil, err
	case l == nil || l.SellerID != seller && seller != "" && !l.Status.Public():
		return nil, listingNotFound(id)
	case l.SellerID != seller && seller != "":
		return nil, &problem.Error{Kind: problem.Forbidden, Code: "not_yours", Message: problem.Textf("This listing belongs to another member."),
			Hint: problem.Textf("You can only change your own listings.").And(problem.Programf("GET /api/me/listings lists them."))}
	}
	return l, nil
}

// lockOwnListing is ownListing, and locks the listing until the end of the transaction.
func lockOwnListing(ctx context.Context, t *tx, id, seller string) (*models.Listing, error) {
	if err := lockListingRow(ctx, t, id); err != nil {
		return nil, err
	}
	return ownListing(ctx, t, id, seller)
}

func listingByID(ctx context.Context, db sqlx.QueryerContext, id string) (*models.Listing, error) {
	listings, err := selectListings(ctx, db, selectListing+`WHERE l.id = $1`, id)
	if err != nil || len(listings) == 0 {
		return nil, err
	}
	return listings[0], addPhotos(ctx, db, listings)
}

// OwnListing returns a listing of a seller in any state.
func (s *Listings) OwnListing(ctx context.Context, id, seller string) (l *models.Listing, err error) {
	if !models.Storable(id) {
		return nil, listingNotFound(id)
	}
	l, err = listingByID(ctx, s.read, id)
	if err == nil && (l == nil || l.SellerID != seller) {
		err = listingNotFound(id)
	}
	return l, err
}

// advance takes the step with an UPDATE that is conditional on the status, so
// that concurrent steps conflict.
func advance(ctx context.Context, t *tx, l *models.Listing, move models.Move) error {
	from := l.Status
	if !from.Allows(move.Step) {
		return models.WrongStatus(move.Step, l.ID, from)
	}
	if err := checkMove(ctx, t, l, move); err != nil {
		return err
	}
	unpublished := l.PublishedAt == 0
	if err := l.Apply(move); err != nil {
		return err
	}
	held := false
	if move.Step == models.Publish || move.Step == models.Relist {
		var err error
		if held, err = screen(ctx, t, l, unpublished, move.At); err != nil {
			return err
		}
		if held {
			l.Status, l.RemovedFrom = models.StatusRemoved, models.StatusActive
		}
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
		return models.WrongStatus(move.Step, l.ID, now.Status)
	}
	l.Version++
	t.listingHappened(move.Event(from, held), l)
	if move.Step == models.Expire {
		addNotice(t, models.Notice{Kind: models.NoticeListingExpired, To: l.SellerID, ID: l.ID, Title: l.Title})
	}
	if !l.Status.Open() {
		if err := closeOffers(ctx, t, l.ID, move.At); err != nil {
			return err
		}
	}
	return recordSale(ctx, t, l, move)
}

// checkMove returns an error if the move is not allowed for reasons other than
// the status. A listing reserved by an accepted offer can only move with the
// offer.
func checkMove(ctx context.Context, t *tx, l *models.Listing, move models.Move) error {
	if move.Step == models.Publish || move.Step == models.Relist {
		if err := l.Check(true); err != nil {
			return err
		}
	}
	if move.Step == models.Publish && move.Seller != "" {
		return checkDailyLimit(ctx, t, dailyListings, move.Seller, move.At)
	}
	if l.Status != models.StatusReserved || move.Seller == "" {
		return nil
	}
	accepted, err := acceptedOffers(ctx, t, l.ID)
	if err != nil || accepted[l.ID] == "" {
		return err
	}
	return &problem.Error{Kind: problem.Conflict, Code: "offer_accepted", Message: problem.Textf("This listing is reserved for a buyer."),
		Hint: problem.Textf("Mark it as sold, or decline or withdraw first.").And(problem.Programf("See steps of GET /api/offers/%s.", accepted[l.ID]))}
}

// EditListing calls edit to change an open listing of a seller and stores the
// result. If version is not 0, the listing must still be at that version, or a
// listing_changed error is returned. While an offer on it is accepted, the error
// is offer_accepted. Only content fields and photos are stored.
// A published listing must remain valid for publication, and its previous price
// is stored.
func (s *Listings) EditListing(ctx context.Context, id, seller string, version int64, edit func(*models.Listing) error) (*models.Listing, error) {
	if !models.Storable(id) {
		return nil, listingNotFound(id)
	}
	var l *models.Listing
	err := s.update(ctx, func(t *tx) (err error) {
		if l, err = ownListing(ctx, t, id, seller); err != nil {
			return err
		}
		if version != 0 && version != l.Version {
			return errListingChanged
		}
		if !l.Status.Open() {
			return &problem.Error{Kind: problem.Conflict, Code: "wrong_status", Message: problem.Textf("The listing is %s and can't be edited.", l.Status),
				Hint: problem.Programf("Relist it first with POST /api/listings/%s/relist, or create a new one.", id)}
		}
		if err := checkNotAgreed(ctx, t, l); err != nil {
			return err
		}
		old := *l
		if err := edit(l); err != nil {
			return err
		}
		if err := l.Check(l.Status != models.StatusDraft); err != nil {
			return err
		}
		if sameContent(&old, l) {
			return nil
		}
		return recordEdit(ctx, t, &old, l, s.now())
	})
	return l, err
}

var errListingChanged = &problem.Error{Kind: problem.Changed, Code: "listing_changed", Message: problem.Textf("The listing has changed since you opened it."),
	Hint: problem.Programf("Get it again, and send your change with the new ETag in If-Match.")}

// errCurrencyFixed is returned for another currency of a published listing, whose offers,
// previous prices and alerts are in it.
var errCurrencyFixed = &problem.Error{Kind: problem.Conflict, Code: "currency_fixed", Message: problem.Textf("The currency of a published listing can't be changed."),
	Hint: problem.Textf("End this listing and create a new one in the other currency."), Fields: []problem.FieldError{{Field: "price", Code: "currency_fixed", Message: problem.Textf("must stay in the currency of the listing")}}}

func recordEdit(ctx context.Context, t *tx, old, l *models.Listing, at models.Time) error {
	if old.PublishedAt != 0 && old.Currency != l.Currency {
		return errCurrencyFixed
	}
	l.UpdatedAt = at
	l.Version++
	if err := updateContent(ctx, t, old, l); err != nil {
		return err
	}
	if old.Price != l.Price && old.PublishedAt != 0 {
		_, err := t.ExecContext(ctx, `INSERT INTO listing_prices (listing_id, until, price) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`, l.ID, at, old.Price)
		if err != nil {
			return err
		}
		if l.EarlierPrice == 0 || old.Price < l.EarlierPrice {
			l.EarlierPrice = old.Price
		}
	}
	t.listingHappened(editEvent(old, l), l)
	if photoBytes(l.Photos) > photoBytes(old.Photos) {
		if err := checkPhotoStorage(ctx, t, l.SellerID); err != nil {
			return err
		}
	}
	return screenEdit(ctx, t, old, l, at)
}

// screenEdit takes the badge from a listing that an edit has made another item, and
// screens a public listing whose item, texts or photos have changed.
func screenEdit(ctx context.Context, t *tx, old, l *models.Listing, at models.Time) error {
	same := models.SameItem(old, l)
	if !same {
		if err := updateSerial(ctx, t, l); err != nil {
			return err
		}
		if err := endPossession(ctx, t, l); err != nil {
			return err
		}
	}
	if !l.Status.Public() {
		return nil
	}
	held, err := screenChange(ctx, t, old, l, same, at)
	if err != nil || !held {
		return err
	}
	return advance(ctx, t, l, models.Move{Step: models.Remove, At: at})
}

// screenChange screens a public listing after an edit, as far as the edit changed it, and
// reports whether it has to be held. same is set if it is the same item.
func screenChange(ctx context.Context, t *tx, old, l *models.Listing, same bool, at models.Time) (held bool, err error) {
	if !same {
		return screen(ctx, t, l, false, at)
	}
	if !slices.Equal(old.Photos, l.Photos) {
		hash, err := serialHash(ctx, t, l.ID)
		if err != nil {
			return false, err
		}
		if err := notePhotos(ctx, t, l, hash, at); err != nil {
			return false, err
		}
	}
	if models.SameTexts(old, l) {
		return false, nil
	}
	return screenWords(ctx, t, l, at)
}

// editEvent returns the event of an edit, "" for a draft.
func editEvent(old, l *models.Listing) models.Event {
	switch {
	case !l.Status.Public():
		return ""
	case old.Price != l.Price:
		return models.ListingPriceChanged
	}
	return models.ListingUpdated
}

// MaxPastPrices is how many previous prices of a listing are shown: the seller may change it
// as often as they like.
const MaxPastPrices = 20

// PastPrices returns the last MaxPastPrices asking prices of a listing before the present one,
// oldest first.
func (s *Listings) PastPrices(ctx context.Context, id string) ([]models.PastPrice, error) {
	var past []models.PastPrice
	err := s.read.SelectContext(ctx, &past, `SELECT until, price FROM listing_prices WHERE listing_id = $1 ORDER BY until DESC LIMIT $2`, id, MaxPastPrices)
	slices.Reverse(past)
	return past, err
}

// DueListings returns the ids of up to limit active listings that expire by the
// given time, earliest first.
func (s *Listings) DueListings(ctx context.Context, at models.Time, limit int) (ids []string, err error) {
	err = s.read.SelectContext(ctx, &ids, `SELECT id FROM listings
		WHERE status = 'active' AND expires_at > 0 AND expires_at <= $1 ORDER BY expires_at, id LIMIT $2`, at, limit)
	return ids, err
}

// screen checks a listing that is about to be public, or that is another item now. It
// stores what is odd about its photos, and why it has to be held, and reports whether it
// has to be. unpublished is set if it has never been public.
func screen(ctx context.Context, t *tx, l *models.Listing, unpublished bool, at models.Time) (held bool, err error) {
	hash, err := serialHash(ctx, t, l.ID)
	if err != nil {
		return false, err
	}
	if err := notePhotos(ctx, t, l, hash, at); err != nil {
		return false, err
	}
	holds, err := holdsFor(ctx, t, l, hash, at)
	if err != nil || len(holds) == 0 {
		return false, err
	}
	return true, addHolds(ctx, t, l, holds, unpublished)
}

// release restores a removed listing. Its holds, if it has any, are closed; one that has
// never been public is published now.
func (t *tx) release(ctx context.Context, l *models.Listing, at models.Time) error {
	n, unpublished, err := closeHolds(ctx, t, l.ID, "released", at)
	if err != nil {
		return err
	}
	if err := advance(ctx, t, l, models.Move{Step: models.Restore, At: at, First: unpublished}); err != nil || n == 0 {
		return err
	}
	addNotice(t, models.Notice{Kind: models.NoticeListingReleased, To: l.SellerID, ID: l.ID, Title: l.Title})
	return nil
}

func insertListings(ctx context.Context, t *tx, listings []*models.Listing) error {
	if err := allowBuying(ctx, t, listings); err != nil {
		return err
	}
	err := t.insert(ctx, listingsTable, "", len(listings), func(i int) []any {
		t.listingHappened(models.InsertedAs[listings[i].Status], listings[i])
		return fieldsOf(listings[i], listingColumns, nil)
	})
	if err != nil {
		return err
	}
	if err := insertSerials(ctx, t, listings); err != nil {
		return err
	}
	return insertPhotos(ctx, t, listings)
}

// allowBuying lets buyers buy the listings of the site's own shop, unless they say
// otherwise.
func allowBuying(ctx context.Context, t *tx, listings []*models.Listing) error {
	shop := map[string]bool{}
	for _, l := range listings {
		is, known := shop[l.SellerID]
		if !known && l.BuyNow == "" {
			source, err := sourceOf(ctx, t, l.SellerID)
			if err != nil {
				return err
			}
			is = source == models.SaleByShop
			shop[l.SellerID] = is
		}
		if is && l.BuyNow == "" {
			l.BuyNow = models.BuyConfirm
		}
	}
	return nil
}

// endPossession takes the badge and the proof of possession from a listing that is
// another item now.
func endPossession(ctx context.Context, t *tx, l *models.Listing) error {
	l.VerifiedAt = 0
	if _, err := t.ExecContext(ctx, `UPDATE listings SET verified_at = 0 WHERE id = $1`, l.ID); err != nil {
		return err
	}
	_, err := t.ExecContext(ctx, `DELETE FROM possession_checks WHERE listing_id = $1`, l.ID)
	return err
}

// follow changes the listing, the agreement and the sale after a step of their
// offer. reserved is set if the listing was reserved for the buyer before it.
func follow(ctx context.Context, t *tx, o *models.Offer, l *models.Listing, a Answer, reserved bool) error {
	now := o.UpdatedAt
	switch {
	case a.Step == models.Accept:
		if err := agree(ctx, t, o); err != nil || reserved {
			return err
		}
		return advance(ctx, t, l, models.Move{Step: models.Reserve, At: now})
	case a.Step == models.Complete:
		return advance(ctx, t, l, models.Move{Step: models.Sell, Price: o.Amount, Offer: o, At: now})
	case a.Step == models.Confirm:
		return confirmSale(ctx, t, o, now)
	case a.Step == models.Dispute:
		return disputeSale(ctx, t, o, strings.TrimSpace(a.Message), now)
	case a.Step == models.Withdraw, a.Step == models.Decline:
		if err := errors.Join(dropAgreement(ctx, t, o.ID), dropAddresses(ctx, t, o.ID)); err != nil || !reserved {
			return err
		}
		return advance(ctx, t, l, models.Move{Step: models.Relist, At: now})
	}
	return nil
}
