package gear

import (
	"context"
	"net/http"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	views "github.com/secondlight/secondlight/views/gear"
	"github.com/secondlight/secondlight/views/ui"
)

// correctionInput selects the gear of a correction.
type correctionInput struct {
	Brand string `json:"brand" in:"path" jsonschema:"brand by slug or any common name" example:"canon"`
	Model string `json:"model" in:"path" jsonschema:"model by slug or any common name" example:"eos-r6"`
}

// proposeInput is a value that a reader proposes for gear.
type proposeInput struct {
	Brand  string `json:"brand" in:"path" jsonschema:"brand by slug or any common name" example:"canon"`
	Model  string `json:"model" in:"path" jsonschema:"model by slug or any common name" example:"eos-r6"`
	Field  string `json:"field" jsonschema:"what is wrong; aliases adds one more name" enum:"model,category,mount,format,focal_min,focal_max,aperture,year,launch_price,aliases" example:"year"`
	Value  string `json:"value" jsonschema:"the right value: mounts with commas, focal lengths in mm, an f-number, a year, a price with currency" maxlength:"200" example:"2020"`
	Source string `json:"source,omitempty" jsonschema:"where the owner can check it: an address, a manual" maxlength:"500" example:"https://global.canon/en/c-museum/"`
}

// correctionForm shows the form of proposeCorrection. Gear pages are the same for all readers, so
// it has a page of its own.
func (s gearOps) correctionForm() web.Operation {
	return web.Op[correctionInput, *ui.FormPage]{
		Name: "show_correction", Page: "/gear/{brand}/{model}/corrections", Access: web.SignedIn,
		Tag: "Gear", Title: "Report a mistake in the catalogue", Summary: "Shows the form that proposes another value for a field of gear.", Description: "Returns the form of propose_correction for gear.",
		Errors: []string{"gear_not_found"},
		Sample: func() *ui.FormPage { return views.NewCorrection(s.Site, s.Catalog.Gear("canon/eos-r6")) },
		Do: func(_ context.Context, in *correctionInput) (*ui.FormPage, error) {
			g, err := s.Catalog.FindGear(in.Brand, in.Model, s.Gear.Popularity)
			if err != nil {
				return nil, s.Gear.NotFound(in.Brand + "/" + in.Model)
			}
			return views.NewCorrection(s.Site, g), nil
		},
	}.Operation()
}

func (s gearOps) proposeCorrection() web.Operation {
	return web.Op[proposeInput, *views.Proposal]{
		Name: "propose_correction", Method: http.MethodPost, Path: "/api/gear/{brand}/{model}/corrections", Page: "/gear/{brand}/{model}/corrections", Form: "/gear/{brand}/{model}/corrections",
		Access: web.Members, Scope: string(models.MessagesWrite), Creates: true, Done: "Thanks. We'll check it.",
		Tag: "Gear", Title: "Report a mistake in the catalogue",
		Summary:     "Proposes another value for a field of gear.",
		Description: "Proposes one value of gear to the owner, who checks it: nothing changes until then. Proposals that agree are counted. A value that the catalogue has already is invalid.",
		Errors:      []string{"gear_not_found", "invalid_parameter", "too_many_proposals"},
		Sample: func() *views.Proposal {
			return views.NewProposal(s.Site, s.Catalog.Gear("canon/eos-r6"), "year", "2020")
		},
		Do: func(ctx context.Context, in *proposeInput) (*views.Proposal, error) {
			g, err := s.Catalog.FindGear(in.Brand, in.Model, s.Gear.Popularity)
			if err != nil {
				return nil, s.Gear.NotFound(in.Brand + "/" + in.Model)
			}
			p, err := s.Catalog.Propose(g, in.Field, in.Value, s.Site.Currency())
			if err != nil {
				return nil, err
			}
			p.MemberID, p.Source = caller.ID(ctx), in.Source
			if err := s.Records.ProposeGear(ctx, *p); err != nil {
				return nil, err
			}
			return views.NewProposal(s.Site, g, in.Field, in.Value), nil
		},
	}.Operation()
}
