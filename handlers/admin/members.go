package admin

import (
	"context"
	"net/http"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/mailer"
	"github.com/secondlight/secondlight/handlers/sample"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	accountviews "github.com/secondlight/secondlight/views/account"
	views "github.com/secondlight/secondlight/views/admin"
	"github.com/secondlight/secondlight/views/ui"
)

const (
	adminMembersPage = "/admin/members"
	membersShown     = 24 // by default
)

type listMembersInput struct {
	Keyword   string      `json:"keyword,omitempty" jsonschema:"part of a handle, a name or an email address" maxlength:"254" example:"blende"`
	Role      models.Role `json:"role,omitempty" jsonschema:"only members with this role" example:"moderator"`
	Suspended bool        `json:"suspended,omitempty" jsonschema:"only suspended members" default:"false" example:"false"`
	Limit     int         `json:"limit,omitempty" jsonschema:"members per page, 1 to 100" min:"1" max:"100" default:"24"`
	Cursor    string      `json:"cursor,omitempty" jsonschema:"next_cursor of the previous page"`
}

func (s adminOps) listMembers() web.Operation {
	return web.Op[listMembersInput, *views.AdminMembers]{
		Name: "list_members", Path: "/api/admin/members", Page: adminMembersPage,
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Members",
		Summary: "Lists members with their email addresses and roles.",
		Description: "Returns members in order of handle, all or those whose handle, name or email address contains a keyword, with role, standing, listings for sale and sales. " +
			"Email addresses are private: show them only to operators.",
		Errors: []string{"invalid_cursor"},
		Sample: func() *views.AdminMembers {
			return views.NewAdminMembers(s.Site, []views.AdminMember{*s.sampleMember()}, views.MemberQuery{}, ui.Next{})
		},
		Do: s.readMembers,
	}.Operation()
}

func (s adminOps) readMembers(ctx context.Context, in *listMembersInput) (*views.AdminMembers, error) {
	_, after, err := input.ReadCursor(in.Cursor)
	if err != nil {
		return nil, err
	}
	query := views.MemberQuery{Keyword: in.Keyword, Role: in.Role, Suspended: in.Suspended}
	rows, err := s.Accounts.MemberRows(ctx, store.MemberFilter{Text: in.Keyword, Role: in.Role, Suspended: in.Suspended, After: after}, in.Limit+1)
	if err != nil {
		return nil, err
	}
	rows, next := input.CutPage(rows, in.Limit, func(r models.MemberRow) (models.Time, string) { return 0, r.Handle })
	members, err := s.adminMembers(ctx, rows)
	if err != nil {
		return nil, err
	}
	return views.NewAdminMembers(s.Site, members, query, ui.NewNext(next, in.Limit, membersShown)), nil
}

// adminMembers returns members as operators see them.
func (s adminOps) adminMembers(ctx context.Context, rows []models.MemberRow) ([]views.AdminMember, error) {
	ids := make([]string, len(rows))
	for i := range rows {
		ids[i] = rows[i].ID
	}
	trades, err := s.Accounts.MemberTrades(ctx, ids)
	if err != nil {
		return nil, err
	}
	members := make([]views.AdminMember, len(rows))
	for i := range rows {
		members[i] = views.NewAdminMember(s.Site, &rows[i], trades[rows[i].ID])
	}
	return members, nil
}

// adminMember returns a member as operators see them.
func (s adminOps) adminMember(ctx context.Context, m *models.Member) (*views.AdminMember, error) {
	row := models.MemberRow{ID: m.ID, Handle: m.Handle, Name: m.Name, Region: m.Region, JoinedAt: m.JoinedAt, Demo: m.Demo}
	accounts, err := s.Accounts.AccountsByID(ctx, []string{m.ID})
	if err != nil {
		return nil, err
	}
	if a := accounts[m.ID]; a != nil {
		row.Email, row.Role, row.SuspendedAt = a.Email, a.Role, a.SuspendedAt
	}
	members, err := s.adminMembers(ctx, []models.MemberRow{row})
	if err != nil {
		return nil, err
	}
	return &members[0], nil
}

// sampleMember returns an example member.
func (s adminOps) sampleMember() *views.AdminMember {
	m := views.NewAdminMember(s.Site, &models.MemberRow{Handle: "kleine-blende", Name: "Kleine Blende", Email: "shop@kleine-blende.example", Role: models.RoleMember, JoinedAt: sample.Day},
		models.MemberTrade{ForSale: 12, Sold: 240})
	return &m
}

type setRoleInput struct {
	Handle string      `json:"handle" in:"path" jsonschema:"handle of the member" example:"kleine-blende"`
	Role   models.Role `json:"role" jsonschema:"moderators handle reports, hide listings and suspend members; editors change the portfolio and the site; operators do everything" example:"moderator"`
}

func (s adminOps) setRole() web.Operation {
	return web.Op[setRoleInput, *views.AdminMember]{
		Name: "set_role", Method: http.MethodPut, Path: "/api/admin/members/{handle}/role", Page: adminMembersPage + "/{handle}/role", Form: adminMembersPage,
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Set a role", Destructive: true, Done: "Role changed. It takes effect immediately. The audit log names tokens that have ended.",
		Summary: "Gives a member a role, or takes it away.",
		Description: "Sets what a member may do beside trading; member takes all roles away. It applies to their next request. " +
			"Their tokens and connected apps with a scope that the role before or the new one lacks end; the result and the audit log name them. " +
			"The last operator stays one, and suspended members have to be reinstated first.",
		Errors: []string{"member_not_found", "wrong_status", "last_operator"},
		Sample: s.sampleMember,
		Do: func(ctx context.Context, in *setRoleInput) (*views.AdminMember, error) {
			m, err := s.Accounts.Member(ctx, input.ReadHandle(in.Handle))
			if err != nil {
				return nil, err
			}
			ended, err := s.Moderation.SetRole(ctx, caller.ID(ctx), m.ID, in.Role)
			if err != nil {
				return nil, err
			}
			page, err := s.adminMember(ctx, m)
			if err == nil {
				page.EndedTokens = ended
			}
			return page, err
		},
	}.Operation()
}

type memberInput struct {
	Handle string `json:"handle" in:"path" jsonschema:"handle of the member" example:"kleine-blende"`
}

func (s adminOps) sendPasswordReset() web.Operation {
	return web.Op[memberInput, *views.AdminMember]{
		Name: "send_password_reset", Method: http.MethodPost, Path: "/api/admin/members/{handle}/reset", Page: adminMembersPage + "/{handle}/reset", Form: adminMembersPage,
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Send a password reset", Done: "Password reset link sent. It expires in one hour.",
		Summary:     "Emails a member a link to set a new password.",
		Description: "Sends a link to the member's address, which works once within an hour. Until they use it nothing changes; then all their sessions and tokens end. The audit log records it.",
		Errors:      []string{"member_not_found", "wrong_status"},
		Sample:      s.sampleMember,
		Do: func(ctx context.Context, in *memberInput) (*views.AdminMember, error) {
			m, err := s.Accounts.Member(ctx, input.ReadHandle(in.Handle))
			if err != nil {
				return nil, err
			}
			if err := s.mailReset(ctx, m); err != nil {
				return nil, err
			}
			return s.adminMember(ctx, m)
		},
	}.Operation()
}

func (s adminOps) exportMember() web.Operation {
	return web.Op[memberInput, *accountviews.Export]{
		Name: "export_member", Path: "/api/admin/members/{handle}/export", Page: adminMembersPage + "/{handle}/export",
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Export a member's data", Live: true, NoTool: true,
		Summary:     "Exports all personal data stored about a member.",
		Description: "Returns every stored row about the member, grouped by table: what they can download themselves, to answer a request of theirs. Don't share it with anyone else. The audit log records it.",
		Errors:      []string{"member_not_found"},
		Sample: func() *accountviews.Export {
			return accountviews.NewMemberExport(s.Site, "kleine-blende", sample.Day, nil)
		},
		Do: func(ctx context.Context, in *memberInput) (*accountviews.Export, error) {
			m, err := s.Accounts.Member(ctx, input.ReadHandle(in.Handle))
			if err != nil {
				return nil, err
			}
			tables, err := s.Accounts.PersonalData(ctx, m.ID)
			if err != nil {
				return nil, err
			}
			_, err = s.Moderation.Record(ctx, caller.ID(ctx), models.ExportMember, m.ID, "")
			return accountviews.NewMemberExport(s.Site, m.Handle, models.TimeOf(s.Clock()), tables), err
		},
	}.Operation()
}

type replaceEmailInput struct {
	Handle string `json:"handle" in:"path" jsonschema:"handle of the member" example:"kleine-blende"`
	Email  string `json:"email" jsonschema:"the new address" maxlength:"254" example:"jane@example.org"`
}

func (s adminOps) replaceEmail() web.Operation {
	return web.Op[replaceEmailInput, *views.AdminMember]{
		Name: "replace_email", Method: http.MethodPut, Path: "/api/admin/members/{handle}/email", Page: adminMembersPage + "/{handle}/email", Form: adminMembersPage,
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Change a member's email address", Destructive: true,
		Done:    "Address changed. We've emailed a link to both addresses.",
		Summary: "Changes the email address of a member who has lost theirs.",
		Description: "Make sure first that it is the member who asks. It signs them out everywhere, ends their tokens and suspends their passkeys. " +
			"The new address gets a link to set a new password, and the old one a link to undo the change within 72 hours. The audit log records it.",
		Errors: []string{"member_not_found", "wrong_status", "invalid_parameter", "email_taken", "too_many_changes"},
		Sample: s.sampleMember,
		Do: func(ctx context.Context, in *replaceEmailInput) (*views.AdminMember, error) {
			return s.change(ctx, in.Handle, models.ReplaceEmail, "", func(m *models.Member, account *models.Account) error {
				return s.Mailer.ReplaceEmail(ctx, s.Accounts, account, m.Handle, in.Email)
			})
		},
	}.Operation()
}

func (s adminOps) endSessions() web.Operation {
	return web.Op[memberInput, *views.AdminMember]{
		Name: "end_sessions", Method: http.MethodDelete, Path: "/api/admin/members/{handle}/sessions", Page: adminMembersPage + "/{handle}/sign-out", Form: adminMembersPage,
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Sign a member out", Destructive: true, Done: "Member signed out.",
		Summary:     "Ends all sessions of a member.",
		Description: "Signs a member out in all browsers. Their password, passkeys and tokens still work. The audit log records it.",
		Errors:      []string{"member_not_found", "wrong_status"},
		Sample:      s.sampleMember,
		Do: func(ctx context.Context, in *memberInput) (*views.AdminMember, error) {
			return s.change(ctx, in.Handle, models.EndSessions, "", func(m *models.Member, _ *models.Account) error {
				return s.Accounts.EndSessions(ctx, m.ID)
			})
		},
	}.Operation()
}

type deleteMemberInput struct {
	Handle string `json:"handle" in:"path" jsonschema:"handle of the member" example:"kleine-blende"`
	Note   string `json:"note" jsonschema:"why, for the audit log" minlength:"1" maxlength:"2000" example:"Asked in writing on 2 May."`
}

func (s adminOps) deleteMember() web.Operation {
	return web.Op[deleteMemberInput, *views.AdminMember]{
		Name: "delete_member", Method: http.MethodDelete, Path: "/api/admin/members/{handle}", Page: adminMembersPage + "/{handle}/delete", Form: adminMembersPage,
		Access: web.Operators, Scope: string(models.Admin), Tag: "Administration", Title: "Delete a member's account", Destructive: true, Done: "Account deleted.",
		Summary: "Permanently deletes the account of a member.",
		Description: "Does what members can do themselves: deletes the account, its name, tokens and active listings. Records that other members rely on, such as completed sales, stay without a name. " +
			"It can't be undone: export the data first if the member wants it. The audit log records it. Returns the former member.",
		Errors: []string{"member_not_found", "wrong_status", "last_operator", "invalid_parameter"},
		Sample: s.sampleMember,
		Do: func(ctx context.Context, in *deleteMemberInput) (*views.AdminMember, error) {
			return s.change(ctx, in.Handle, models.DeleteMember, in.Note, func(m *models.Member, account *models.Account) error {
				if err := s.Accounts.DeleteAccount(ctx, m.ID); err != nil {
					return err
				}
				return s.Mailer.Forget(account.Email)
			})
		},
	}.Operation()
}

// change calls do with a member and their account, records the action, and returns the member as
// they are then.
func (s adminOps) change(ctx context.Context, handle string, action models.ModerationAction, note string, do func(*models.Member, *models.Account) error) (*views.AdminMember, error) {
	m, err := s.Accounts.Member(ctx, input.ReadHandle(handle))
	if err != nil {
		return nil, err
	}
	account, err := s.accountOf(ctx, m)
	if err != nil {
		return nil, err
	}
	if err := do(m, account); err != nil {
		return nil, err
	}
	if _, err := s.Moderation.Record(ctx, caller.ID(ctx), action, m.ID, note); err != nil {
		return nil, err
	}
	if m, err = s.Accounts.MemberByID(ctx, m.ID); err != nil {
		return nil, err
	}
	return s.adminMember(ctx, m)
}

// accountOf returns the account of a member.
func (s adminOps) accountOf(ctx context.Context, m *models.Member) (*models.Account, error) {
	accounts, err := s.Accounts.AccountsByID(ctx, []string{m.ID})
	if err == nil && accounts[m.ID] == nil {
		err = &problem.Error{Kind: problem.Conflict, Code: "wrong_status", Message: problem.Textf("This member has no account."), Hint: problem.Textf("Imported and former members can't sign in.")}
	}
	return accounts[m.ID], err
}

// mailReset sends a member a link to set a new password, in their language.
func (s adminOps) mailReset(ctx context.Context, m *models.Member) error {
	account, err := s.accountOf(ctx, m)
	if err != nil {
		return err
	}
	code, err := s.Accounts.BeginPasswordReset(ctx, account.Email)
	if err != nil {
		return err
	}
	if _, err := s.Moderation.Record(ctx, caller.ID(ctx), models.SendReset, m.ID, ""); err != nil {
		return err
	}
	return s.Mailer.Send(s.Site.InLanguage(ctx, account.Language), account.Email, mailer.EmailOperatorReset, m.Handle, mailer.WithCode("/reset-password/new", code))
}
