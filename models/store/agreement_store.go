package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jmoiron/sqlx"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// addAgreement copies the listing of an accepted offer. The caller holds the
// lock on the listing.
func addAgreement(ctx context.Context, t *tx, o *models.Offer) error {
	names := columnNames("", agreedColumns)
	_, err := t.ExecContext(ctx, `INSERT INTO agreements (offer_id, agreed_at, amount, `+names+`)
		SELECT CAST($1 AS TEXT), CAST($2 AS BIGINT), CAST($3 AS BIGINT), `+names+` FROM listings WHERE id = $4`, o.ID, o.UpdatedAt, o.Amount, o.ListingID)
	if err != nil {
		return err
	}
	_, err = t.ExecContext(ctx, `INSERT INTO agreement_photos (offer_id, place, key, alt, width, height)
		SELECT CAST($1 AS TEXT), place, key, alt, width, height FROM listing_photos WHERE listing_id = $2`, o.ID, o.ListingID)
	return err
}

// dropAgreement deletes the agreement of an offer that leads to no sale.
func dropAgreement(ctx context.Context, t *tx, offerID string) error {
	_, err := t.ExecContext(ctx, `DELETE FROM agreements WHERE offer_id = $1`, offerID)
	return err
}

// Agreement returns the agreement of an offer, or nil if the offer was not
// accepted or was withdrawn afterwards. Callers must check that the member may
// see the offer.
func (s *Trades) Agreement(ctx context.Context, offerID string) (*models.Agreement, error) {
	return agreementOf(ctx, s.read, offerID)
}

func agreementOf(ctx context.Context, db sqlx.QueryerContext, offerID string) (*models.Agreement, error) {
	a := &models.Agreement{OfferID: offerID}
	row := db.QueryRowxContext(ctx, `SELECT agreed_at, amount, `+columnNames("", agreedColumns)+` FROM agreements WHERE offer_id = $1`, offerID)
	err := row.Scan(fieldsOf(&a.Listing, agreedColumns, []any{&a.AgreedAt, &a.Amount})...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	err = sqlx.SelectContext(ctx, db, &a.Listing.Photos, `SELECT key, alt, width, height FROM agreement_photos WHERE offer_id = $1 ORDER BY place`, offerID)
	return a, err
}

// acceptedOffers returns the id of the accepted offer on each of the listings
// that has one, by listing id.
func acceptedOffers(ctx context.Context, t *tx, listingIDs ...string) (map[string]string, error) {
	accepted := map[string]string{}
	for part := range chunks(listingIDs) {
		rows, err := t.QueryxContext(ctx, `SELECT listing_id, id FROM offers WHERE status = 'accepted' AND listing_id IN (`+parameters(1, len(part))+`)`, toAny(part)...)
		if err != nil {
			return nil, err
		}
		err = eachRow(rows, func(r *sqlx.Rows) error {
			var listing, offer string
			err := r.Scan(&listing, &offer)
			accepted[listing] = offer
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return accepted, nil
}

// checkNotAgreed returns a Conflict error if an offer on the listing is
// accepted: what was agreed is not edited.
func checkNotAgreed(ctx context.Context, t *tx, l *models.Listing) error {
	if l.Status != models.StatusReserved {
		return nil
	}
	accepted, err := acceptedOffers(ctx, t, l.ID)
	if err == nil && accepted[l.ID] != "" {
		err = errAgreed(accepted[l.ID])
	}
	return err
}

// errAgreed returns the error for an edit of a listing whose offer is accepted.
func errAgreed(offerID string) *problem.Error {
	return &problem.Error{Kind: problem.Conflict, Code: "offer_accepted", Message: problem.Textf("You've accepted an offer on this listing, so it can't be edited."),
		Hint: problem.Textf("Release the buyer first, which puts it back on sale.").And(problem.Programf("Withdraw from the offer with POST /api/offers/%s/withdraw.", offerID))}
}
