package admin

import (
	"context"
	"net/http"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	views "github.com/secondlight/secondlight/views/admin"
	"github.com/secondlight/secondlight/views/ui"
)

// proposalsShown is the number of open proposals that the page shows.
const proposalsShown = 200

func (s adminCatalogOps) listProposals() web.Operation {
	return web.Op[struct{}, *views.GearProposals]{
		Name: "list_gear_proposals", Path: "/api/admin/catalog-proposals", Page: ui.GearProposalsPath,
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Proposed corrections",
		Summary:     "Lists what members and other sites propose to correct in the catalogue.",
		Description: "Returns open proposals, those that agree as one, with the catalogue's value, the proposed one, where it can be checked, and how many members and which sites propose it. Conflicting ones stand side by side.",
		Sample:      s.sampleProposals,
		Do: func(ctx context.Context, _ *struct{}) (*views.GearProposals, error) {
			open, err := s.Records.OpenProposals(ctx, proposalsShown)
			if err != nil {
				return nil, err
			}
			return views.NewGearProposals(s.Site, s.Catalog, open), nil
		},
	}.Operation()
}

// sampleProposals returns an example response.
func (s adminCatalogOps) sampleProposals() *views.GearProposals {
	p, err := s.Catalog.Propose(s.Catalog.Gear("canon/eos-r6"), "year", "2021", s.Site.Currency())
	if err != nil {
		return views.NewGearProposals(s.Site, s.Catalog, nil)
	}
	p.ID, p.Source, p.At = "019aa7d2-7c00-7000-8000-000000000001", "https://global.canon/en/c-museum/", 1_795_251_600_000
	return views.NewGearProposals(s.Site, s.Catalog, []catalog.GearProposal{*p})
}

// decideProposalInput is a decision on a proposal.
type decideProposalInput struct {
	ID       string `json:"id" in:"path" jsonschema:"id of one of the proposals that agree" example:"019aa7d2-7c00-7000-8000-000000000001"`
	Decision string `json:"decision" jsonschema:"accept corrects the catalogue immediately" enum:"accept,reject" example:"accept"`
}

func (s adminCatalogOps) decideProposal() web.Operation {
	return web.Op[decideProposalInput, *views.GearProposals]{
		Name: "decide_gear_proposal", NoTool: true, Method: http.MethodPost, Path: "/api/admin/catalog-proposals/{id}", Page: ui.GearProposalsPath + "/{id}", Form: ui.GearProposalsPath,
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Decide on a proposed correction", Done: "Proposal decided.",
		Summary:     "Accepts or rejects a proposed correction.",
		Description: "Accepting corrects the catalogue immediately, on every server, as correct_gear and add_gear do. Rejecting changes nothing; listings of a model that is not in the catalogue then have none. Proposals that agree are decided with it.",
		Errors:      []string{"proposal_not_found", "invalid_parameter", "too_many_corrections"},
		Sample:      s.sampleProposals,
		Do: func(ctx context.Context, in *decideProposalInput) (*views.GearProposals, error) {
			p, err := s.Records.Proposal(ctx, in.ID)
			if err != nil {
				return nil, err
			}
			accept := in.Decision == "accept"
			if accept {
				correction, err := s.Catalog.Accepted(p, s.Site.Currency())
				if err != nil {
					return nil, err
				}
				if _, err := s.save(ctx, correction, nil); err != nil {
					return nil, err
				}
			}
			if err := s.Records.DecideProposal(ctx, p, accept, s.Catalog.Gear(p.Gear) != nil); err != nil {
				return nil, err
			}
			open, err := s.Records.OpenProposals(ctx, proposalsShown)
			return views.NewGearProposals(s.Site, s.Catalog, open), err
		},
	}.Operation()
}

// importProposalsInput is a file of another site.
type importProposalsInput struct {
	File web.Upload `json:"file" jsonschema:"signed file of corrections of another site, as export_catalog returns it in JSON, at most 2 MB"`
}

func (s adminCatalogOps) importProposals() web.Operation {
	return web.Op[importProposalsInput, *views.GearProposals]{
		Name: "import_gear_proposals", NoTool: true, Method: http.MethodPost, Path: "/api/admin/catalog-proposals", Page: ui.GearProposalsPath, Form: ui.GearProposalsPath,
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Import corrections of another site", Done: "Corrections imported. Review them below.",
		Summary:     "Adds the corrections of another site as proposals.",
		Description: "Reads a signed file of export_catalog, checks its signature, and adds what it says otherwise than the catalogue as proposals. Nothing changes until they are accepted.",
		Errors:      []string{"invalid_parameter"},
		Sample:      s.sampleProposals,
		Do: func(ctx context.Context, in *importProposalsInput) (*views.GearProposals, error) {
			text := in.File.Bytes
			if len(text) > catalog.MaxSharedFile {
				text = nil
			}
			proposals, err := s.Catalog.ReadShared(text)
			if err != nil {
				return nil, err
			}
			if err := s.Records.ProposeGear(ctx, proposals...); err != nil {
				return nil, err
			}
			open, err := s.Records.OpenProposals(ctx, proposalsShown)
			return views.NewGearProposals(s.Site, s.Catalog, open), err
		},
	}.Operation()
}
