package models

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Rate lets a side of a completed offer rate the other, once.
func (s *Store) Rate(ctx context.Context, offerID, raterID string, stars int, text string) (*Rating, error) {
	text = strings.TrimSpace(text)
	var fields []FieldError
	if stars < 1 || stars > 5 {
		fields = append(fields, FieldError{"stars", "invalid_value", "A rating has 1 to 5 stars."})
	}
	if !storable(text) || utf8.RuneCountInString(text) > 1000 {
		fields = append(fields, FieldError{"text", "invalid_value", "What you say is text of at most 1,000 characters."})
	}
	if err := invalidFields(fields); err != nil {
		return nil, err
	}
	o, err := s.Offer(ctx, offerID, raterID)
	if err != nil {
		return nil, err
	}
	if o.Status != OfferCompleted {
		return nil, &Error{Kind: Conflict, Code: "wrong_status", Message: fmt.Sprintf("The offer is %s; ratings come after the sale.", o.Status),
			Hint: "Complete it first with POST /api/offers/" + o.ID + "/complete."}
	}
	r := &Rating{OfferID: o.ID, RaterID: raterID, RatedID: o.SellerID, Stars: stars, Text: text, At: s.now()}
	if raterID == o.SellerID {
		r.RatedID = o.BuyerID
	}
	err = s.update(ctx, func(t *tx) error {
		n, err := t.affected(ctx, `INSERT INTO ratings (offer_id, rater_id, rated_id, stars, text, at) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
			r.OfferID, r.RaterID, r.RatedID, r.Stars, r.Text, r.At)
		if err == nil && n == 0 {
			return &Error{Kind: Conflict, Code: "rated_already", Message: "You have rated this sale.", Hint: "A rating stays as it is."}
		}
		t.changed(MemberChanged, r.RatedID)
		return err
	})
	return r, err
}

// Ratings are the last ratings a member got, newest first.
func (s *Store) Ratings(ctx context.Context, ratedID string, limit int) ([]Rating, error) {
	var list []Rating
	err := s.read.SelectContext(ctx, &list, `SELECT offer_id, rater_id, rated_id, stars, text, at FROM ratings
		WHERE rated_id = $1 ORDER BY at DESC, offer_id DESC LIMIT $2`, ratedID, limit)
	return list, err
}

// Standing is how a member is rated.
func (s *Store) Standing(ctx context.Context, memberID string) (st Standing, err error) {
	err = s.read.GetContext(ctx, &st, `SELECT COUNT(*) AS ratings, CAST(COALESCE(SUM(stars), 0) AS BIGINT) AS stars FROM ratings WHERE rated_id = $1`, memberID)
	return st, err
}

// RatingOf is the rating a side of an offer gave, nil when it gave none.
func (s *Store) RatingOf(ctx context.Context, offerID, raterID string) (*Rating, error) {
	var r Rating
	err := s.read.GetContext(ctx, &r, `SELECT offer_id, rater_id, rated_id, stars, text, at FROM ratings WHERE offer_id = $1 AND rater_id = $2`, offerID, raterID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &r, err
}
