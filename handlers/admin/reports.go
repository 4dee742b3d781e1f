package admin

import (
	"context"
	"net/http"
	"strings"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/sample"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
	views "github.com/secondlight/secondlight/views/admin"
	"github.com/secondlight/secondlight/views/ui"
)

// reportOps holds the operations on reports of listings.
type reportOps struct{ Deps }

type reportInput struct {
	ID     string `json:"id" in:"path" jsonschema:"UUID of the listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
	Reason string `json:"reason" jsonschema:"reason for the report" enum:"counterfeit,stolen,misleading,prohibited,spam,offensive,other" example:"misleading"`
	Text   string `json:"text,omitempty" jsonschema:"details for the moderators, plain text" maxlength:"2000" example:"The photographs are those of another shop."`
}

func (s reportOps) reportListing() web.Operation {
	return web.Op[reportInput, *views.Report]{
		Name: "report_listing", Method: http.MethodPost, Path: "/api/listings/{id}/report", Page: "/listings/{id}/report", Form: "/listings/{id}",
		Access: web.Members, Scope: string(models.MessagesWrite), Creates: true, Done: "Thanks. We'll look into it.",
		Tag: "Trust", Title: "Report a listing",
		Summary:     "Reports a listing to the moderators.",
		Description: "Reports a problem with a listing: one of the listed reasons, and optional details. The seller doesn't see who reported it. You can report a listing once.",
		Errors:      []string{"listing_not_found", "reported_already", "too_many_today"},
		Sample: func() *views.Report {
			return views.NewReport(s.Site, sampleReport(), nil, nil, nil)
		},
		Do: func(ctx context.Context, in *reportInput) (*views.Report, error) {
			r := &models.Report{ListingID: strings.ToLower(in.ID), ReporterID: caller.ID(ctx), Reason: in.Reason, Text: in.Text}
			if err := s.Moderation.AddReport(ctx, r); err != nil {
				return nil, err
			}
			return views.NewReport(s.Site, r, nil, nil, nil), nil
		},
	}.Operation()
}

// sampleReport returns an example report.
func sampleReport() *models.Report {
	return &models.Report{ID: "019aa7d2-7c00-7000-8000-000000000001", ListingID: "019aa7d2-7c00-7000-8000-000000000000", Reason: "misleading",
		Text: "The photographs are those of another shop.", At: 1_795_251_600_000}
}

type listReportsInput struct {
	Keyword string `json:"keyword,omitempty" jsonschema:"only reports with this in the title of the listing or in their text" maxlength:"100" example:"leica"`
	Seller  string `json:"seller,omitempty" jsonschema:"handle: only reports of the listings of this member" example:"kleine-blende"`
	Reason  string `json:"reason,omitempty" jsonschema:"only reports for this reason" enum:"counterfeit,stolen,misleading,prohibited,spam,offensive,other" example:"spam"`
	Limit   int    `json:"limit,omitempty" jsonschema:"reports per page, 1 to 100" min:"1" max:"100" default:"24"`
	Cursor  string `json:"cursor,omitempty" jsonschema:"next_cursor of the previous page"`
}

func (s reportOps) listReports() web.Operation {
	return web.Op[listReportsInput, *views.Reports]{
		Name: "list_reports", Path: "/api/reports", Page: "/account/moderation",
		Access: web.Operators, Scope: string(models.Moderation),
		Tag: "Trust", Title: "Moderation queue",
		Summary:     "Lists open reports, oldest first.",
		Description: "Returns open reports with the listing, its seller, the reason and the reporter, and the latest moderation actions. Resolve reports with hide_listing, suspend_member or close_report.",
		Errors:      []string{"invalid_cursor", "member_not_found"},
		Sample: func() *views.Reports {
			l, seller, reporter := sample.Reported()
			return views.NewReports(s.Site, []*views.Report{views.NewReport(s.Site, sampleReport(), l, seller, reporter)}, 1, 0, 0, nil, views.ReportQuery{}, ui.Next{})
		},
		Do: s.readReports,
	}.Operation()
}

func (s reportOps) readReports(ctx context.Context, in *listReportsInput) (*views.Reports, error) {
	at, id, err := input.ReadCursor(in.Cursor)
	if err != nil {
		return nil, err
	}
	query := views.ReportQuery{Keyword: strings.TrimSpace(in.Keyword), Seller: input.ReadHandle(in.Seller), Reason: in.Reason}
	filter := store.ReportFilter{Text: query.Keyword, Reason: query.Reason}
	if query.Seller != "" {
		seller, err := s.Accounts.Member(ctx, query.Seller)
		if err != nil {
			return nil, err
		}
		filter.SellerID = seller.ID
	}
	open, err := s.Moderation.OpenReports(ctx, filter, store.ReportKey{At: at, ID: id}, in.Limit+1)
	if err != nil {
		return nil, err
	}
	open, next := input.CutPage(open, in.Limit, func(r models.Report) (models.Time, string) { return r.At, r.ID })
	waiting, err := s.Moderation.CountReports(ctx)
	if err != nil {
		return nil, err
	}
	var listingIDs, memberIDs []string
	for i := range open {
		listingIDs, memberIDs = append(listingIDs, open[i].ListingID), append(memberIDs, open[i].ReporterID)
	}
	listings, err := s.Listings.AllListingsByID(ctx, listingIDs)
	if err != nil {
		return nil, err
	}
	for _, l := range listings {
		memberIDs = append(memberIDs, l.SellerID)
	}
	members, err := s.Accounts.MembersByID(ctx, memberIDs)
	if err != nil {
		return nil, err
	}
	reports := make([]*views.Report, len(open))
	for i := range open {
		l := listings[open[i].ListingID]
		reports[i] = views.NewReport(s.Site, &open[i], l, members[l.SellerID], members[open[i].ReporterID])
	}
	entries, err := s.readAuditLog(ctx, recentShown)
	if err != nil {
		return nil, err
	}
	sales, err := s.Trades.CountSalesToReview(ctx)
	if err != nil {
		return nil, err
	}
	checks, err := s.Moderation.CountChecks(ctx)
	if err != nil {
		return nil, err
	}
	return views.NewReports(s.Site, reports, waiting, sales, checks.Total(), entries, query, ui.NewNext(next, in.Limit, reportsShown)), nil
}

type closeReportInput struct {
	ID   string `json:"id" in:"path" jsonschema:"UUID of the report" example:"019aa7d2-7c00-7000-8000-000000000001"`
	Note string `json:"note,omitempty" jsonschema:"reason, for the audit log" maxlength:"2000" example:"Nothing is wrong with it."`
}

func (s reportOps) closeReport() web.Operation {
	return decision(s.Deps, web.Op[closeReportInput, *views.AuditEntry]{
		Name: "close_report", Path: "/api/reports/{id}/close", Page: "/account/moderation/reports/{id}/close", Form: "/account/moderation",
		Done: "Reports on this listing closed.", Destructive: true,
		Title:       "Close a report",
		Summary:     "Closes all reports on the listing of a report, without action.",
		Description: "Use it for unfounded or resolved reports: it closes every open report on the same listing. The action is recorded in the audit log.",
		Errors:      []string{"report_not_found"},
	}, func(ctx context.Context, in *closeReportInput) (*models.AuditEntry, error) {
		r, err := s.Moderation.Report(ctx, strings.ToLower(in.ID))
		if err != nil {
			return nil, err
		}
		return s.Moderation.Moderate(ctx, caller.ID(ctx), r.ListingID, models.DismissReports, in.Note)
	})
}

type moderateReportsInput struct {
	Reports []string `json:"reports" jsonschema:"UUIDs of up to 100 reports" required:"true" example:"019aa7d2-7c00-7000-8000-000000000001"`
	Action  string   `json:"action" jsonschema:"close_report: close the reports; hide_listing: hide their listings; suspend_member: suspend the sellers" enum:"close_report,hide_listing,suspend_member" example:"hide_listing"`
	Note    string   `json:"note,omitempty" jsonschema:"reason, for the audit log" maxlength:"2000" example:"Spam."`
}

func (s reportOps) moderateReports() web.Operation {
	return web.Op[moderateReportsInput, *views.ModeratedReports]{
		Name: "moderate_reports", NoTool: true, Method: http.MethodPost, Path: "/api/reports/moderate", Page: "/account/moderation/reports/moderate", Form: "/account/moderation",
		Access: web.Operators, Scope: string(models.Moderation), Done: "Reports closed.", Destructive: true,
		Tag: "Trust", Title: "Resolve many reports",
		Summary:     "Closes up to 100 reports, hides their listings or suspends their sellers, all or nothing.",
		Description: "Takes the action of close_report, hide_listing or suspend_member once for each listing or seller, and closes every report on them. If one report doesn't exist, nothing is changed. Each action is recorded in the audit log.",
		Errors:      []string{"report_not_found", "wrong_status"},
		Sample: func() *views.ModeratedReports {
			return views.NewModeratedReports(s.Site, []*views.AuditEntry{s.sampleAudit()})
		},
		Do: func(ctx context.Context, in *moderateReportsInput) (*views.ModeratedReports, error) {
			action, _ := views.ParseAuditAction(in.Action)
			ids := make([]string, len(in.Reports))
			for i, id := range in.Reports {
				ids[i] = strings.ToLower(id)
			}
			done, err := s.Moderation.ModerateReports(ctx, caller.ID(ctx), ids, action, in.Note)
			if err != nil {
				return nil, err
			}
			entries, err := s.auditEntries(ctx, done)
			if err != nil {
				return nil, err
			}
			return views.NewModeratedReports(s.Site, entries), nil
		},
	}.Operation()
}
