package store

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// Rate adds the rating of one side of a completed offer by the other. Each side
// may rate once. Ratings count and are shown while the sale is confirmed.
func (s *Trades) Rate(ctx context.Context, offerID, raterID string, stars int, text string) (*models.Rating, error) {
	text = strings.TrimSpace(text)
	var fields []problem.FieldError
	if stars < 1 || stars > 5 {
		fields = append(fields, problem.FieldError{Field: "stars", Code: "invalid_value", Message: problem.Textf("Choose 1 to 5 stars.")})
	}
	if !models.Storable(text) || utf8.RuneCountInString(text) > 1000 {
		fields = append(fields, problem.FieldError{Field: "text", Code: "invalid_value", Message: problem.Textf("Use at most 1,000 characters of text.")})
	}
	if err := models.InvalidFields(fields); err != nil {
		return nil, err
	}
	o, err := s.Offer(ctx, offerID, raterID)
	if err != nil {
		return nil, err
	}
	if !o.Sold() {
		return nil, &problem.Error{Kind: problem.Conflict, Code: "wrong_status", Message: problem.Textf("The offer is %s. You can leave a review once the sale is complete.", o.Status),
			Hint: problem.Programf("The seller completes it with POST /api/offers/%s/complete.", o.ID)}
	}
	r := &models.Rating{OfferID: o.ID, RaterID: raterID, RatedID: o.SellerID, Stars: stars, Text: text, At: s.now()}
	if raterID == o.SellerID {
		r.RatedID = o.BuyerID
	}
	err = s.update(ctx, func(t *tx) error {
		n, err := t.affected(ctx, `INSERT INTO ratings (offer_id, rater_id, rated_id, stars, text, at) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
			r.OfferID, r.RaterID, r.RatedID, r.Stars, r.Text, r.At)
		if err == nil && n == 0 {
			return &problem.Error{Kind: problem.Conflict, Code: "rated_already", Message: problem.Textf("You've already rated this sale."), Hint: problem.Textf("Ratings can't be changed.")}
		}
		t.sellerUpdated(r.RatedID)
		return err
	})
	return r, err
}

// ratingSums are the columns of a RatingSummary.
const ratingSums = `COUNT(*) AS ratings, CAST(COALESCE(SUM(r.stars), 0) AS BIGINT) AS stars`

// ofConfirmedSale joins ratings, aliased as r, with their confirmed sales.
const ofConfirmedSale = ` FROM ratings r JOIN offers o ON o.id = r.offer_id AND o.status = 'confirmed' `

// Ratings returns the last ratings of a member, newest first.
func (s *Trades) Ratings(ctx context.Context, ratedID string, limit int) ([]models.Rating, error) {
	var list []models.Rating
	err := s.read.SelectContext(ctx, &list, `SELECT r.offer_id, r.rater_id, r.rated_id, r.stars, r.text, r.at`+ofConfirmedSale+`
		WHERE r.rated_id = $1 ORDER BY r.at DESC, r.offer_id DESC LIMIT $2`, ratedID, limit)
	return list, err
}

// Seller is a member with what their pages and those of their listings say of them.
type Seller struct {
	models.Member
	models.RatingSummary
	Sold int // number of listings whose sale is confirmed
}

// Seller returns a member as a seller, in one query: every listing that is shown has one.
func (s *Trades) Seller(ctx context.Context, id string) (*Seller, error) {
	var seller Seller
	err := s.read.GetContext(ctx, &seller, `SELECT `+memberColumns+`, (SELECT COUNT(*)`+soldListings+`WHERE s.seller_id = $1 AND `+soldPublicly+`) AS sold, r.ratings, r.stars
		FROM members CROSS JOIN (SELECT `+ratingSums+ofConfirmedSale+`WHERE r.rated_id = $1) r WHERE id = $1`, id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, memberNotFound("id", id)
	}
	return &seller, err
}

// RatingOf returns the rating that a member gave for an offer, or nil.
func (s *Trades) RatingOf(ctx context.Context, offerID, raterID string) (*models.Rating, error) {
	var r models.Rating
	err := s.read.GetContext(ctx, &r, `SELECT offer_id, rater_id, rated_id, stars, text, at FROM ratings WHERE offer_id = $1 AND rater_id = $2`, offerID, raterID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &r, err
}
