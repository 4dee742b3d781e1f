package admin

import (
	"context"
	"net/http"
	"strings"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	views "github.com/secondlight/secondlight/views/admin"
	"github.com/secondlight/secondlight/views/ui"
)

// moderationOps holds the moderation operations on listings and members.
type moderationOps struct{ Deps }

// Numbers of reports and audit log entries that a page shows by default.
const (
	reportsShown = 24
	auditShown   = 50
	recentShown  = 10
)

const AdminAuditPage = "/admin/audit"

type listAuditInput struct {
	Member string `json:"member,omitempty" jsonschema:"handle: only what this member did, or what was done about them" example:"kleine-blende"`
	Type   string `json:"type,omitempty" jsonschema:"only this action, as in the entries" maxlength:"40" example:"hide_listing"`
	Limit  int    `json:"limit,omitempty" jsonschema:"entries per page, 1 to 100" min:"1" max:"100" default:"50"`
	Cursor string `json:"cursor,omitempty" jsonschema:"next_cursor of the previous page"`
}

func (s moderationOps) listAudit() web.Operation {
	return web.Op[listAuditInput, *views.Audit]{
		Name: "list_audit", Path: "/api/audit", Page: AdminAuditPage,
		Access: web.Operators, Scope: string(models.Moderation),
		Tag: "Trust", Title: "Audit log",
		Summary:     "Lists what operators, moderators and editors did, newest first.",
		Description: "Returns entries of the audit log: who acted, the action, the listing, member or sale, the time and the reason, all or those about a member or of an action. Entries are never deleted.",
		Errors:      []string{"invalid_cursor", "invalid_parameter", "member_not_found"},
		Sample: func() *views.Audit {
			return views.NewAudit(s.Site, []*views.AuditEntry{s.sampleAudit()}, views.AuditQuery{}, ui.Next{})
		},
		Do: s.readAudit,
	}.Operation()
}

func (s moderationOps) readAudit(ctx context.Context, in *listAuditInput) (*views.Audit, error) {
	at, id, err := input.ReadCursor(in.Cursor)
	if err != nil {
		return nil, err
	}
	query := views.AuditQuery{Member: input.ReadHandle(in.Member), Action: in.Type}
	filter, err := s.auditFilter(ctx, query)
	if err != nil {
		return nil, err
	}
	log, err := s.Moderation.Audit(ctx, filter, store.AuditKey{At: at, ID: id}, in.Limit+1)
	if err != nil {
		return nil, err
	}
	log, next := input.CutPage(log, in.Limit, func(r models.AuditEntry) (models.Time, string) { return r.At, r.ID })
	entries, err := s.auditEntries(ctx, log)
	if err != nil {
		return nil, err
	}
	return views.NewAudit(s.Site, entries, query, ui.NewNext(next, in.Limit, auditShown)), nil
}

// auditFilter returns the filter of the store for a query.
func (s moderationOps) auditFilter(ctx context.Context, query views.AuditQuery) (f store.AuditFilter, err error) {
	if query.Action != "" {
		var ok bool
		if f.Action, ok = views.ParseAuditAction(query.Action); !ok {
			return f, web.InvalidField("type", problem.Textf("There's no such action in the audit log."), problem.Textf("Use one of %s.", problem.Codes(views.AuditActions())))
		}
	}
	if query.Member != "" {
		m, err := s.Accounts.Member(ctx, query.Member)
		if err != nil {
			return f, err
		}
		f.MemberID = m.ID
	}
	return f, nil
}

// moderateListingInput is a listing and the reason for an action on it.
type moderateListingInput struct {
	ID   string `json:"id" in:"path" jsonschema:"UUID of the listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
	Note string `json:"note,omitempty" jsonschema:"reason, for the audit log" maxlength:"2000" example:"The photographs are those of another shop."`
}

// moderateMemberInput is a member and the reason for an action on them.
type moderateMemberInput struct {
	Return string `json:"return_to,omitempty" jsonschema:"page that a form returns to" enum:"queue,members" default:"queue" example:"queue"`
	Handle string `json:"handle" in:"path" jsonschema:"handle of the member" example:"kleine-blende"`
	Note   string `json:"note,omitempty" jsonschema:"reason, for the audit log" maxlength:"2000" example:"Three listings that are not theirs."`
}

func (s moderationOps) hideListing() web.Operation {
	return s.moderateListing(web.Op[moderateListingInput, *views.AuditEntry]{
		Name: "hide_listing", Path: "/api/listings/{id}/hide", Page: "/account/moderation/listings/{id}/hide", Done: "The listing is hidden.", Destructive: true,
		Title: "Hide a listing", Summary: "Hides a listing from the site.",
		Description: "Removes the listing from searches within two seconds, makes its page return 404 in every format, declines its open offers and closes the reports on it. The action is recorded in the audit log. Undo it with restore_listing.",
	}, models.RemoveListing)
}

func (s moderationOps) restoreListing() web.Operation {
	return s.moderateListing(web.Op[moderateListingInput, *views.AuditEntry]{
		Name: "restore_listing", Path: "/api/listings/{id}/restore", Page: "/account/moderation/listings/{id}/restore", Done: "Listing restored.",
		Title: "Restore a listing", Summary: "Restores a hidden listing.",
		Description: "Reverses hide_listing; declined offers stay declined. The action is recorded in the audit log.",
	}, models.RestoreListing)
}

// moderateListing completes an operation that takes an action on a listing.
func (s moderationOps) moderateListing(op web.Op[moderateListingInput, *views.AuditEntry], action models.ModerationAction) web.Operation {
	op.Form, op.Errors = "/account/moderation", []string{"listing_not_found", "wrong_status"}
	return decision(s.Deps, op, func(ctx context.Context, in *moderateListingInput) (*models.AuditEntry, error) {
		return s.Moderation.Moderate(ctx, caller.ID(ctx), strings.ToLower(in.ID), action, in.Note)
	})
}

// suspendInput is a member to suspend.
type suspendInput struct {
	moderateMemberInput
	VoidSales bool `json:"void_sales,omitempty" jsonschema:"whether to void every sale they made or bought in, because of fraud" default:"false" example:"false"`
}

func (s moderationOps) suspendMember() web.Operation {
	return web.Op[suspendInput, *views.AuditEntry]{
		Name: "suspend_member", Method: http.MethodPost, Path: "/api/members/{handle}/suspend", Page: "/account/moderation/members/{handle}/suspend", Form: "/account/moderation",
		Access: web.Operators, Scope: string(models.Moderation), Destructive: true, Done: "Member suspended.",
		Tag: "Trust", Title: "Suspend a member", Summary: "Suspends a member: they can read and delete their account, but change nothing else.",
		Description: "Signs the member out everywhere and refuses their changes from then on. Hides their listings, declines the offers on them and withdraws the offers they made. " +
			"With void_sales, for fraud, their sales and purchases stop counting in price trends and ratings; that can't be undone. The actions are recorded in the audit log. Undo the suspension with reinstate_member.",
		Errors: []string{"member_not_found", "wrong_status"}, Sample: s.sampleAudit,
		Do: func(ctx context.Context, in *suspendInput) (*views.AuditEntry, error) {
			return s.moderateMember(ctx, &in.moderateMemberInput, func(operator, member string) (*models.AuditEntry, error) {
				if in.VoidSales {
					return s.Moderation.SuspendForFraud(ctx, operator, member, in.Note)
				}
				return s.Moderation.ModerateMember(ctx, operator, member, true, in.Note)
			})
		},
	}.Operation()
}

func (s moderationOps) reinstateMember() web.Operation {
	return web.Op[moderateMemberInput, *views.AuditEntry]{
		Name: "reinstate_member", Method: http.MethodPost, Path: "/api/members/{handle}/reinstate", Page: "/account/moderation/members/{handle}/reinstate", Form: "/account/moderation",
		Access: web.Operators, Scope: string(models.Moderation), Done: "Member reinstated.",
		Tag: "Trust", Title: "Reinstate a member", Summary: "Reinstates a suspended member.",
		Description: "Reverses suspend_member: listings hidden by the suspension are for sale again; offers stay closed and voided sales stay void. The action is recorded in the audit log.",
		Errors:      []string{"member_not_found", "wrong_status"}, Sample: s.sampleAudit,
		Do: func(ctx context.Context, in *moderateMemberInput) (*views.AuditEntry, error) {
			return s.moderateMember(ctx, in, func(operator, member string) (*models.AuditEntry, error) {
				return s.Moderation.ModerateMember(ctx, operator, member, false, in.Note)
			})
		},
	}.Operation()
}

// moderateMember applies an action of the caller to a member and returns its audit log
// entry.
func (s Deps) moderateMember(ctx context.Context, in *moderateMemberInput, apply func(operator, member string) (*models.AuditEntry, error)) (*views.AuditEntry, error) {
	m, err := s.Accounts.Member(ctx, strings.ToLower(in.Handle))
	if err != nil {
		return nil, err
	}
	e, err := apply(caller.ID(ctx), m.ID)
	if err != nil {
		return nil, err
	}
	page, err := s.auditEntry(ctx, e)
	if err == nil && in.Return == "members" {
		page.AtMembers()
	}
	return page, err
}
