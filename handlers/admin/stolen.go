package admin

import (
	"context"
	"net/http"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/photo"
	"github.com/secondlight/secondlight/handlers/sample"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	views "github.com/secondlight/secondlight/views/admin"
)

// stolenOps holds the operations of members on reports of stolen serial numbers.
type stolenOps struct{ Deps }

func (s stolenOps) listStolenReports() web.Operation {
	return web.Op[struct{}, *views.StolenReports]{
		Name: "list_stolen_reports", Path: "/api/stolen-reports", Page: "/stolen", NoTool: true,
		Access: web.Members, Scope: string(models.AccountRead), Tag: "Trust",
		Title:       "Reports of stolen gear",
		Summary:     "Lists the stolen serial numbers you reported.",
		Description: "Returns your own reports with what became of them, newest first. Nobody can look up whether a serial number is reported.",
		Sample: func() *views.StolenReports {
			return views.NewStolenReports(s.Site, []*views.StolenReport{s.sampleStolen()})
		},
		Do: func(ctx context.Context, _ *struct{}) (*views.StolenReports, error) {
			mine, err := s.Listings.StolenReportsOf(ctx, caller.ID(ctx))
			if err != nil {
				return nil, err
			}
			reports := make([]*views.StolenReport, len(mine))
			for i := range mine {
				reports[i] = views.NewStolenReport(s.Site, &mine[i], nil)
			}
			return views.NewStolenReports(s.Site, reports), nil
		},
	}.Operation()
}

type stolenInput struct {
	Gear     string     `json:"gear" jsonschema:"brand and model of the stolen item" maxlength:"200" example:"Canon EOS R6"`
	Serial   string     `json:"serial" jsonschema:"serial number" maxlength:"60" example:"012345678"`
	StolenOn models.Day `json:"stolen_on" jsonschema:"day, such as 2026-11-14" maxlength:"10" example:"2026-11-14"`
	Place    string     `json:"place" jsonschema:"where; the town is enough" maxlength:"300" example:"Berlin"`
	Police   string     `json:"police_report" jsonschema:"number of the police report" maxlength:"100" example:"261114-1030-123456"`
	Photo    web.Upload `json:"photo" jsonschema:"photo of the police report or the invoice, JPEG, PNG, WebP, HEIC or AVIF; only you and the operators can see it"`
}

func (s stolenOps) reportStolen() web.Operation {
	return web.Op[stolenInput, *views.StolenReport]{
		Name: "report_stolen", Method: http.MethodPost, Path: "/api/stolen-reports", Page: "/stolen", NoTool: true,
		Access: web.Members, Scope: string(models.MessagesWrite), Creates: true, Tag: "Trust",
		Done:    "Thanks. We'll check your report.",
		Title:   "Report stolen gear",
		Summary: "Reports the serial number of a stolen item, with proof.",
		Description: "Sends the serial number with the number of the police report and a photo of a document to the operators. Once they accept it, listings with the serial number are held until they have checked them. " +
			"You can report 5 items within 30 days. The details are deleted 60 days after the decision.",
		Errors: []string{"too_many_stolen_reports", "unavailable"},
		Sample: s.sampleStolen,
		Do: func(ctx context.Context, in *stolenInput) (*views.StolenReport, error) {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), photo.UploadTime)
			defer cancel()
			r := &models.StolenReport{ReporterID: caller.ID(ctx), Name: input.OneLine(in.Gear), Serial: in.Serial, StolenOn: in.StolenOn, Place: in.Place, Police: in.Police}
			if gear, _ := s.Catalog.FindGear("", r.Name, s.Gear.Popularity); gear != nil {
				r.Gear, r.Name = gear.Slug(), gear.Name()
			}
			_, err := s.Uploads.SavePrivate(ctx, in.Photo, func(photo models.Photo) error {
				r.Photo = photo.Key
				return s.Listings.ReportStolen(ctx, r)
			})
			if err != nil {
				return nil, err
			}
			return views.NewStolenReport(s.Site, r, nil), nil
		},
	}.Operation()
}

// sampleStolen returns an example report of a stolen serial number.
func (s stolenOps) sampleStolen() *views.StolenReport {
	return views.NewStolenReport(s.Site, &models.StolenReport{ID: "019aa7d2-7c00-7000-8000-000000000004", Status: models.StolenOpen, Gear: "canon/eos-r6", Name: "Canon EOS R6",
		Serial: "012345678", StolenOn: "2026-11-14", Place: "Berlin", Police: "261114-1030-123456", At: sample.Day}, nil)
}
