package models

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models/problem"
)

// Evidence is what one side of a disputed sale says about it. Both sides and the
// operators read it.
type Evidence struct {
	OfferID string
	ByBuyer bool
	Text    string // plain text, at most MaxDispute characters
	At      Time
}

// MaxEvidence is the maximum number of statements that each side may add to a dispute.
const MaxEvidence = 5

// AddEvidence adds a statement of one of the two sides to a dispute that an operator
// has not decided yet.
func (s *Store) AddEvidence(ctx context.Context, offerID, by, text string) (*Offer, error) {
	var f fieldChecks
	f.text("text", text, MaxDispute, true)
	if err := invalidFields(f); err != nil {
		return nil, err
	}
	return s.changeOffer(ctx, offerID, by, func(t *tx, o *Offer, l *Listing) error {
		if err := t.addEvidence(ctx, o, o.partyOf(by), text); err != nil {
			return err
		}
		return t.notifyOther(ctx, NoticeEvidenceAdded, o, l.Title, by)
	})
}

func (t *tx) addEvidence(ctx context.Context, o *Offer, who party, text string) error {
	if o.Status != OfferDisputed {
		return &problem.Error{Kind: problem.Conflict, Code: "wrong_status", Message: fmt.Sprintf("The offer is %s. Evidence is added to a sale with a reported problem.", o.Status),
			Hint: "Get its current state with GET /api/offers/" + o.ID + "."}
	}
	n, err := t.affected(ctx, `INSERT INTO evidence (offer_id, position, by_buyer, text, at)
		SELECT CAST($1 AS TEXT), COALESCE(MAX(position), 0) + 1, CAST($2 AS BOOLEAN), CAST($3 AS TEXT), CAST($4 AS BIGINT) FROM evidence WHERE offer_id = $1
		HAVING COUNT(CASE WHEN by_buyer = $2 THEN 1 END) < $5`, o.ID, who == buyer, strings.TrimSpace(text), t.db.now(), MaxEvidence)
	if err == nil && n == 0 {
		err = &problem.Error{Kind: problem.Conflict, Code: "too_much_evidence", Message: fmt.Sprintf("You've added %d statements, which is the limit.", MaxEvidence),
			Hint: "An operator will read them and decide."}
	}
	return err
}

// EvidenceOf returns the evidence of disputes by offer id, oldest first.
func (s *Store) EvidenceOf(ctx context.Context, offerIDs []string) (map[string][]Evidence, error) {
	all := map[string][]Evidence{}
	for part := range chunks(slices.Compact(keepStorable(offerIDs))) {
		var rows []Evidence
		err := s.read.SelectContext(ctx, &rows, `SELECT offer_id, by_buyer, text, at FROM evidence WHERE offer_id IN (`+parameters(1, len(part))+`) ORDER BY offer_id, position`, toAny(part)...)
		if err != nil {
			return nil, err
		}
		for _, e := range rows {
			all[e.OfferID] = append(all[e.OfferID], e)
		}
	}
	return all, nil
}
