package handlers

import (
	"context"
	"net/http"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views"
)

// trustOperations are what members and operators do about who and what to trust.
func (s *Server) trustOperations() []Operation {
	return []Operation{s.rateTrade(), s.reportListing(), s.listReports(), s.closeReport(), s.hideListing(), s.restoreListing(),
		s.suspendMember(), s.reinstateMember(), s.listAudit()}
}

// How many reports and audit entries a page shows.
const (
	reportsShown = 50
	auditShown   = 100
	recentShown  = 10
)

type ratingInput struct {
	ID    string `json:"id" in:"path" jsonschema:"UUID of the offer" example:"019aa7d2-7c00-7000-8000-000000000000"`
	Stars int    `json:"stars" jsonschema:"1 (bad) to 5 (very good)" min:"1" max:"5" example:"5"`
	Text  string `json:"text,omitempty" jsonschema:"what went well or wrong, plain text" maxlength:"1000" example:"As described, and packed with care."`
}

func (s *Server) rateTrade() Operation {
	return Op[ratingInput, *views.Rating]{
		Name: "rate_trade", Method: http.MethodPost, Path: "/api/offers/{id}/rating", Page: "/account/offers/{id}/rating", Form: "/account/offers/{id}",
		Access: Members, Scope: models.OffersWrite, Creates: true, Done: "Your rating stands on their page.",
		Tag: "Trust", Title: "Rate a trade",
		Summary: "Rates the other side of a completed offer.",
		Description: "Each side of a completed offer rates the other once, with stars and a few words. The rating is public on the other's seller page and stands as it was given. " +
			"Find completed offers with list_offers.",
		Errors: []string{"offer_not_found", "wrong_status", "rated_already"},
		Sample: func() *views.Rating {
			return views.NewRating(&s.site, &models.Rating{OfferID: "019aa7d2-7c00-7000-8000-000000000000", Stars: 5, Text: "As described, and packed with care.", At: 1_795_251_600_000},
				&models.Member{Handle: "ada-o", Name: "Ada Ortega"}, &models.Member{Handle: "kleine-blende", Name: "Kleine Blende"})
		},
		Do: func(ctx context.Context, in *ratingInput) (*views.Rating, error) {
			r, err := s.store.Rate(ctx, strings.ToLower(in.ID), memberID(ctx), in.Stars, in.Text)
			if err != nil {
				return nil, err
			}
			rated, err := s.store.MemberByID(ctx, r.RatedID)
			if err != nil {
				return nil, err
			}
			return views.NewRating(&s.site, r, &callerOf(ctx).Member, rated), nil
		},
	}.Operation()
}

type reportInput struct {
	ID     string `json:"id" in:"path" jsonschema:"UUID of the listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
	Reason string `json:"reason" jsonschema:"what is wrong with it" enum:"counterfeit,stolen,misleading,prohibited,spam,offensive,other" example:"misleading"`
	Text   string `json:"text,omitempty" jsonschema:"what the operator should know, plain text" maxlength:"2000" example:"The photographs are those of another shop."`
}

func (s *Server) reportListing() Operation {
	return Op[reportInput, *views.Report]{
		Name: "report_listing", Method: http.MethodPost, Path: "/api/listings/{id}/report", Page: "/listings/{id}/report", Form: "/listings/{id}",
		Access: Members, Scope: models.MessagesWrite, Creates: true, Done: "Thank you. An operator will look at it.",
		Tag: "Trust", Title: "Report a listing",
		Summary:     "Reports a listing to the operators.",
		Description: "Says that something is wrong with a listing: one of the fixed reasons, and a few words. The seller does not learn who reported. Each member reports a listing once.",
		Errors:      []string{"listing_not_found", "reported_already", "too_many_today"},
		Sample: func() *views.Report {
			return views.NewReport(&s.site, sampleReport(), nil, nil, nil)
		},
		Do: func(ctx context.Context, in *reportInput) (*views.Report, error) {
			r := &models.Report{ListingID: strings.ToLower(in.ID), ReporterID: memberID(ctx), Reason: in.Reason, Text: in.Text}
			if err := s.store.AddReport(ctx, r); err != nil {
				return nil, err
			}
			return views.NewReport(&s.site, r, nil, nil, nil), nil
		},
	}.Operation()
}

func sampleReport() *models.Report {
	return &models.Report{ID: "019aa7d2-7c00-7000-8000-000000000001", ListingID: "019aa7d2-7c00-7000-8000-000000000000", Reason: "misleading",
		Text: "The photographs are those of another shop.", At: 1_795_251_600_000}
}

func (s *Server) listReports() Operation {
	return Op[struct{}, *views.Reports]{
		Name: "list_reports", Path: "/api/reports", Page: "/account/moderation",
		Access: Operators, Scope: models.AccountRead,
		Tag: "Trust", Title: "Moderation queue",
		Summary:     "The reports that wait for an operator, the oldest first.",
		Description: "Answers with the reports nobody has dealt with: the listing, its seller, the reason, who reported; and with what operators did last. hide_listing, suspend_member and close_report deal with them.",
		Sample: func() *views.Reports {
			l, seller, reporter := sampleJudged()
			return views.NewReports(&s.site, []*views.Report{views.NewReport(&s.site, sampleReport(), l, seller, reporter)}, 1, nil)
		},
		Do: s.readReports,
	}.Operation()
}

// sampleJudged are a listing that is reported, its seller, and who reports it.
func sampleJudged() (l *models.Listing, seller, reporter *models.Member) {
	return &models.Listing{ID: "019aa7d2-7c00-7000-8000-000000000000", Title: "Leica M6 Classic 0.72", Price: 249900, Status: models.StatusActive},
		&models.Member{Handle: "kleine-blende", Name: "Kleine Blende"}, &models.Member{Handle: "ada-o", Name: "Ada Ortega"}
}

func (s *Server) readReports(ctx context.Context, _ *struct{}) (*views.Reports, error) {
	open, err := s.store.OpenReports(ctx, reportsShown)
	if err != nil {
		return nil, err
	}
	waiting, err := s.store.CountReports(ctx)
	if err != nil {
		return nil, err
	}
	var listingIDs, memberIDs []string
	for i := range open {
		listingIDs, memberIDs = append(listingIDs, open[i].ListingID), append(memberIDs, open[i].ReporterID)
	}
	listings, err := s.store.AllListingsByID(ctx, listingIDs)
	if err != nil {
		return nil, err
	}
	for _, l := range listings {
		memberIDs = append(memberIDs, l.SellerID)
	}
	members, err := s.store.MembersByID(ctx, memberIDs)
	if err != nil {
		return nil, err
	}
	reports := make([]*views.Report, len(open))
	for i := range open {
		l := listings[open[i].ListingID]
		reports[i] = views.NewReport(&s.site, &open[i], l, members[l.SellerID], members[open[i].ReporterID])
	}
	trail, err := s.readTrail(ctx, recentShown)
	if err != nil {
		return nil, err
	}
	return views.NewReports(&s.site, reports, waiting, trail), nil
}

func (s *Server) listAudit() Operation {
	return Op[struct{}, *views.Audit]{
		Name: "list_audit", Path: "/api/audit", Page: "/account/moderation/audit",
		Access: Operators, Scope: models.AccountRead,
		Tag: "Trust", Title: "Audit trail",
		Summary:     "What operators did, the newest first.",
		Description: "Answers with the last hundred judgements: who did what to which listing or member, when, and why. Nothing is ever taken out of the trail.",
		Sample:      func() *views.Audit { return views.NewAudit(&s.site, []*views.AuditEntry{s.sampleAudit()}) },
		Do: func(ctx context.Context, _ *struct{}) (*views.Audit, error) {
			trail, err := s.readTrail(ctx, auditShown)
			if err != nil {
				return nil, err
			}
			return views.NewAudit(&s.site, trail), nil
		},
	}.Operation()
}

func (s *Server) sampleAudit() *views.AuditEntry {
	l, _, operator := sampleJudged()
	return views.NewAuditEntry(&s.site, &models.AuditEntry{ID: "019aa7d2-7c00-7000-8000-000000000002", Action: models.RemoveListing, Subject: l.ID,
		Note: "The photographs are those of another shop.", At: 1_795_251_600_000}, operator, l, nil, false)
}

// readTrail is what operators did last, with the names of what they did it to.
func (s *Server) readTrail(ctx context.Context, n int) ([]*views.AuditEntry, error) {
	trail, err := s.store.Audit(ctx, n)
	if err != nil {
		return nil, err
	}
	return s.auditEntries(ctx, trail)
}

// auditEntries adds to entries of the trail the names of whom and what they are about.
func (s *Server) auditEntries(ctx context.Context, trail []models.AuditEntry) ([]*views.AuditEntry, error) {
	ids := make([]string, 0, 2*len(trail))
	for i := range trail {
		ids = append(ids, trail[i].OperatorID, trail[i].Subject)
	}
	members, err := s.store.MembersByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	accounts, err := s.store.AccountsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	listings, err := s.store.AllListingsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	entries := make([]*views.AuditEntry, len(trail))
	for i := range trail {
		e := &trail[i]
		account := accounts[e.Subject]
		entries[i] = views.NewAuditEntry(&s.site, e, members[e.OperatorID], listings[e.Subject], members[e.Subject], account != nil && account.Suspended())
	}
	return entries, nil
}

func (s *Server) auditEntry(ctx context.Context, e *models.AuditEntry) (*views.AuditEntry, error) {
	entries, err := s.auditEntries(ctx, []models.AuditEntry{*e})
	if err != nil {
		return nil, err
	}
	return entries[0], nil
}

// judgeListingInput and judgeMemberInput are what an operator decides.
type judgeListingInput struct {
	ID   string `json:"id" in:"path" jsonschema:"UUID of the listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
	Note string `json:"note,omitempty" jsonschema:"why, for the audit trail" maxlength:"2000" example:"The photographs are those of another shop."`
}

type judgeMemberInput struct {
	Handle string `json:"handle" in:"path" jsonschema:"handle of the member" example:"kleine-blende"`
	Note   string `json:"note,omitempty" jsonschema:"why, for the audit trail" maxlength:"2000" example:"Three listings that are not theirs."`
}

type closeReportInput struct {
	ID   string `json:"id" in:"path" jsonschema:"UUID of the report" example:"019aa7d2-7c00-7000-8000-000000000001"`
	Note string `json:"note,omitempty" jsonschema:"why, for the audit trail" maxlength:"2000" example:"Nothing is wrong with it."`
}

func (s *Server) hideListing() Operation {
	return s.judge(Op[judgeListingInput, *views.AuditEntry]{
		Name: "hide_listing", Path: "/api/listings/{id}/hide", Page: "/account/moderation/listings/{id}/hide", Done: "The listing is hidden.",
		Title: "Hide a listing", Summary: "Takes a listing off the site.",
		Description: "The listing leaves the search within two seconds, its address answers 404 on every face, and its open offers are declined. The reports on it are closed, and it is written into the audit trail. restore_listing brings it back.",
	}, models.RemoveListing)
}

func (s *Server) restoreListing() Operation {
	return s.judge(Op[judgeListingInput, *views.AuditEntry]{
		Name: "restore_listing", Path: "/api/listings/{id}/restore", Page: "/account/moderation/listings/{id}/restore", Done: "The listing is back.",
		Title: "Restore a listing", Summary: "Brings a hidden listing back as it was.",
		Description: "Takes back what hide_listing did; offers that were declined stay declined. It is written into the audit trail.",
	}, models.RestoreListing)
}

// judge completes an operation on a listing.
func (s *Server) judge(op Op[judgeListingInput, *views.AuditEntry], j models.Judgement) Operation {
	op.Method, op.Form, op.Access, op.Scope, op.Tag = http.MethodPost, "/account/moderation", Operators, models.ListingsWrite, "Trust"
	op.Errors, op.Sample = []string{"listing_not_found", "wrong_status"}, s.sampleAudit
	op.Do = func(ctx context.Context, in *judgeListingInput) (*views.AuditEntry, error) {
		e, err := s.store.Judge(ctx, memberID(ctx), strings.ToLower(in.ID), j, in.Note)
		if err != nil {
			return nil, err
		}
		return s.auditEntry(ctx, e)
	}
	return op.Operation()
}

func (s *Server) closeReport() Operation {
	return Op[closeReportInput, *views.AuditEntry]{
		Name: "close_report", Method: http.MethodPost, Path: "/api/reports/{id}/close", Page: "/account/moderation/reports/{id}/close", Form: "/account/moderation",
		Access: Operators, Scope: models.ListingsWrite, Done: "The reports on this listing are closed.",
		Tag: "Trust", Title: "Close a report",
		Summary:     "Closes a report, and every other one on the same listing, without doing anything to the listing.",
		Description: "For reports that were wrong, or are dealt with. It is written into the audit trail.",
		Errors:      []string{"report_not_found"},
		Sample:      s.sampleAudit,
		Do: func(ctx context.Context, in *closeReportInput) (*views.AuditEntry, error) {
			r, err := s.store.Report(ctx, strings.ToLower(in.ID))
			if err != nil {
				return nil, err
			}
			e, err := s.store.Judge(ctx, memberID(ctx), r.ListingID, models.DismissReports, in.Note)
			if err != nil {
				return nil, err
			}
			return s.auditEntry(ctx, e)
		},
	}.Operation()
}

func (s *Server) suspendMember() Operation {
	return s.judgeMember(Op[judgeMemberInput, *views.AuditEntry]{
		Name: "suspend_member", Path: "/api/members/{handle}/suspend", Page: "/account/moderation/members/{handle}/suspend", Done: "The member is suspended.",
		Title: "Suspend a member", Summary: "Takes a member off the market: they may read and leave, and change nothing.",
		Description: "Signs the member out everywhere; from then on everything they try to change is refused. Their listings are hidden, which declines the offers on them, and the offers they made are withdrawn. It is written into the audit trail, and reinstate_member takes it back.",
	}, true)
}

func (s *Server) reinstateMember() Operation {
	return s.judgeMember(Op[judgeMemberInput, *views.AuditEntry]{
		Name: "reinstate_member", Path: "/api/members/{handle}/reinstate", Page: "/account/moderation/members/{handle}/reinstate", Done: "The member is back in good standing.",
		Title: "Reinstate a member", Summary: "Gives a suspended member their rights back.",
		Description: "Takes back what suspend_member did: what was hidden with the member is for sale again; offers are not. It is written into the audit trail.",
	}, false)
}

func (s *Server) judgeMember(op Op[judgeMemberInput, *views.AuditEntry], suspend bool) Operation {
	op.Method, op.Form, op.Access, op.Scope, op.Tag = http.MethodPost, "/account/moderation", Operators, models.ListingsWrite, "Trust"
	op.Errors, op.Sample = []string{"member_not_found", "wrong_status"}, s.sampleAudit
	op.Do = func(ctx context.Context, in *judgeMemberInput) (*views.AuditEntry, error) {
		m, err := s.store.Member(ctx, strings.ToLower(in.Handle))
		if err != nil {
			return nil, err
		}
		e, err := s.store.JudgeMember(ctx, memberID(ctx), m.ID, suspend, in.Note)
		if err != nil {
			return nil, err
		}
		return s.auditEntry(ctx, e)
	}
	return op.Operation()
}
