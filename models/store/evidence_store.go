package store

import (
	"context"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// AddEvidence adds a statement of one of the two sides, with photos, to a dispute that
// an operator has not decided yet.
func (s *Trades) AddEvidence(ctx context.Context, offerID, by, text string, photos ...models.Photo) (*models.Offer, error) {
	var f models.FieldChecks
	f.Text("text", text, models.MaxDispute, true)
	if len(photos) > models.MaxEvidencePhotos {
		f.Refuse("photo", "Add at most %d photos at a time.", models.MaxEvidencePhotos)
	}
	if err := models.InvalidFields(f); err != nil {
		return nil, err
	}
	return s.changeOffer(ctx, offerID, by, func(t *tx, o *models.Offer, l *models.Listing) error {
		if err := addEvidence(ctx, t, o, o.PartyOf(by), strings.TrimSpace(text), photos); err != nil {
			return err
		}
		return notifyOther(ctx, t, models.NoticeEvidenceAdded, o, l.Title, by)
	})
}

func addEvidence(ctx context.Context, t *tx, o *models.Offer, who models.Party, text string, photos []models.Photo) error {
	if err := o.CheckEvidence(); err != nil {
		return err
	}
	var position []int
	err := t.SelectContext(ctx, &position, `INSERT INTO evidence (offer_id, position, by_buyer, text, at)
		SELECT CAST($1 AS TEXT), COALESCE(MAX(position), 0) + 1, CAST($2 AS BOOLEAN), CAST($3 AS TEXT), CAST($4 AS BIGINT) FROM evidence WHERE offer_id = $1
		HAVING COUNT(CASE WHEN by_buyer = $2 THEN 1 END) < $5 RETURNING position`, o.ID, who == models.Buyer, text, t.db.now(), models.MaxEvidence)
	if err != nil {
		return err
	}
	if len(position) == 0 {
		return &problem.Error{Kind: problem.Conflict, Code: "too_much_evidence", Message: problem.Textf("You've added %d statements, which is the limit.", models.MaxEvidence),
			Hint: problem.Textf("An operator will read them and decide.")}
	}
	return t.insert(ctx, `evidence_photos (offer_id, position, number, key, width, height, bytes)`, "", len(photos), func(i int) []any {
		return []any{o.ID, position[0], i, photos[i].Key, photos[i].Width, photos[i].Height, photos[i].Bytes}
	})
}

// MayAddEvidence returns the error that AddEvidence would return for the offer, except
// that it does not count statements. Photos are not processed for those who may not add
// them.
func (s *Trades) MayAddEvidence(ctx context.Context, offerID, by string) error {
	o, err := s.Offer(ctx, offerID, by)
	if err != nil {
		return err
	}
	return o.CheckEvidence()
}

// EvidenceOf returns the evidence of disputes by offer id, oldest first.
func (s *Trades) EvidenceOf(ctx context.Context, offerIDs []string) (map[string][]models.Evidence, error) {
	all := map[string][]models.Evidence{}
	for part := range chunks(slices.Compact(models.KeepStorable(offerIDs))) {
		var rows []struct {
			models.Evidence
			Position int
		}
		err := s.read.SelectContext(ctx, &rows, `SELECT offer_id, position, by_buyer, text, at FROM evidence WHERE offer_id IN (`+parameters(1, len(part))+`) ORDER BY offer_id, position`, toAny(part)...)
		if err != nil {
			return nil, err
		}
		photos, err := s.evidencePhotos(ctx, part)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			r.Photos = photos[statement{r.OfferID, r.Position}]
			all[r.OfferID] = append(all[r.OfferID], r.Evidence)
		}
	}
	return all, nil
}

// statement identifies a statement about a dispute.
type statement struct {
	OfferID  string
	Position int
}

// evidencePhotos returns the photos of the statements about disputes.
func (s *Trades) evidencePhotos(ctx context.Context, offerIDs []string) (map[statement][]models.Photo, error) {
	var rows []struct {
		statement
		models.Photo
	}
	err := s.read.SelectContext(ctx, &rows, `SELECT offer_id, position, key, width, height, bytes FROM evidence_photos
		WHERE offer_id IN (`+parameters(1, len(offerIDs))+`) ORDER BY offer_id, position, number`, toAny(offerIDs)...)
	photos := map[statement][]models.Photo{}
	for _, r := range rows {
		photos[r.statement] = append(photos[r.statement], r.Photo)
	}
	return photos, err
}
