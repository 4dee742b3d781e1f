package store

import (
	"context"
	"encoding/base64"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/problem"
)

// catalogKeySetting is the setting with the seed of the key that signs corrections.
const catalogKeySetting = "catalog_key"

// proposalPeriod is the time in which a member may make MaxProposals.
const proposalPeriod = 24 * time.Hour

// ProposeGear stores proposals for the owner, except those that the member or site has made
// before. The error is too_many_proposals once a member has made MaxProposals within a day.
func (s *Site) ProposeGear(ctx context.Context, proposals ...catalog.GearProposal) error {
	return s.update(ctx, func(t *tx) error {
		for i := range proposals {
			p := &proposals[i]
			p.ID, p.At = s.newID(), s.now()
			if p.MemberID != "" {
				if _, err := lockMember(ctx, t, p.MemberID); err != nil {
					return err
				}
				wait, err := retryAfter(ctx, t, `SELECT at FROM gear_proposals WHERE member_id = $1 AND at > $2`, p.MemberID, catalog.MaxProposals, proposalPeriod, p.At)
				if err != nil {
					return err
				}
				if wait > 0 {
					return &problem.Error{Kind: problem.TooMany, Code: "too_many_proposals", Message: problem.Textf("You've reached the limit of %d corrections in 24 hours.", catalog.MaxProposals),
						Hint: problem.Textf("Try again tomorrow."), Wait: wait}
				}
			}
			if _, err := t.ExecContext(ctx, `INSERT INTO gear_proposals (id, gear, document, source, member_id, site, status, at, decided_at)
				SELECT $1, $2, $3, $4, $5, $6, 'open', $7, 0 WHERE NOT EXISTS (SELECT 1 FROM gear_proposals WHERE gear = $2 AND document = $3 AND site = $6 AND COALESCE(member_id, '') = $8)`,
				p.ID, p.Gear, p.Document, p.Source, models.Nullable(p.MemberID), p.Site, p.At, p.MemberID); err != nil {
				return err
			}
		}
		return nil
	})
}

// OpenProposals returns proposals that await a decision, the oldest of each gear first.
func (s *Site) OpenProposals(ctx context.Context, limit int) (open []catalog.GearProposal, err error) {
	err = s.read.SelectContext(ctx, &open, `SELECT id, gear, document, source, COALESCE(member_id, '') AS member_id, site, at FROM gear_proposals
		WHERE status = 'open' ORDER BY gear, document, at LIMIT $1`, limit)
	return open, err
}

// Proposal returns an open proposal. The error is proposal_not_found if there is none.
func (s *Site) Proposal(ctx context.Context, id string) (*catalog.GearProposal, error) {
	var found []catalog.GearProposal
	if models.Storable(id) {
		if err := s.read.SelectContext(ctx, &found, `SELECT id, gear, document, source, COALESCE(member_id, '') AS member_id, site, at FROM gear_proposals WHERE id = $1 AND status = 'open'`, id); err != nil {
			return nil, err
		}
	}
	if len(found) == 0 {
		return nil, &problem.Error{Kind: problem.NotFound, Code: "proposal_not_found", Message: problem.Textf("There's no open proposal with this id."), Hint: problem.Programf("List them with GET /api/admin/catalog-proposals.")}
	}
	return &found[0], nil
}

// DecideProposal closes a proposal and those that agree with it. If rejected gear is not in the
// catalogue, as known says, listings of it are of gear that is not in the catalogue from then on.
func (s *Site) DecideProposal(ctx context.Context, p *catalog.GearProposal, accept, known bool) error {
	status := "rejected"
	if accept {
		status = "accepted"
	}
	return s.update(ctx, func(t *tx) error {
		if _, err := t.ExecContext(ctx, `UPDATE gear_proposals SET status = $3, decided_at = $4 WHERE gear = $1 AND document = $2 AND status = 'open'`, p.Gear, p.Document, status, s.now()); err != nil {
			return err
		}
		if accept || known {
			return nil
		}
		var ids []string
		if err := t.SelectContext(ctx, &ids, `UPDATE listings SET gear = '' WHERE gear = $1 RETURNING id`, p.Gear); err != nil {
			return err
		}
		for _, id := range ids {
			t.changed(models.ListingChanged, id)
		}
		return nil
	})
}

// ShareCorrections signs a file of corrections with the key of the site.
func (s *Site) ShareCorrections(ctx context.Context, address, file string) (catalog.Shared, error) {
	secret, err := s.secretSetting(ctx, catalogKeySetting)
	if err != nil {
		return catalog.Shared{}, err
	}
	seed, err := base64.RawURLEncoding.DecodeString(secret)
	if err != nil || len(seed) < 32 {
		seed = []byte(secret)
	}
	return catalog.Share(address, file, seed), nil
}
