package admin

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// MemberStatus says whether a member can use their account.
type MemberStatus string

// The statuses of members.
const (
	MemberActive    MemberStatus = "active"
	MemberSuspended MemberStatus = "suspended"
	MemberNoAccount MemberStatus = "no_account" // imported, or deleted
)

// MemberStatuses lists the statuses of members.
var MemberStatuses = []MemberStatus{MemberActive, MemberSuspended, MemberNoAccount}

// MemberQuery selects members by all fields that are set.
type MemberQuery struct {
	Keyword   string
	Role      models.Role
	Suspended bool
}

// AdminMembers is a list of members for operators.
type AdminMembers struct {
	Members    []AdminMember `json:"members" jsonschema:"in order of handle"`
	NextCursor string        `json:"next_cursor,omitempty"`
	Links      []ui.Link     `json:"links"`
	query      MemberQuery
	next       string
	site       *ui.Site
}

// AdminMember is a member as operators see them.
type AdminMember struct {
	Handle      string       `json:"handle" jsonschema:"handle of the member"`
	Name        string       `json:"name" untrusted:"true"`
	Email       string       `json:"email,omitempty" jsonschema:"email address; absent without an account" untrusted:"true"`
	Role        models.Role  `json:"role,omitempty" jsonschema:"what they may do beside trading; absent without an account"`
	Status      MemberStatus `json:"status" jsonschema:"whether they can use their account"`
	JoinedAt    string       `json:"joined_at" jsonschema:"when they joined"`
	SuspendedAt string       `json:"suspended_at,omitempty" jsonschema:"when they were suspended"`
	ForSale     int          `json:"for_sale" jsonschema:"number of their listings for sale" min:"0"`
	Sold        int          `json:"sold" jsonschema:"number of their sales" min:"0"`
	EndedTokens []string     `json:"ended_tokens,omitempty" jsonschema:"names of their tokens and connected apps that the change of role ended" untrusted:"true"`
	site        *ui.Site
}

// NewAdminMember returns a member for operators.
func NewAdminMember(site *ui.Site, m *models.MemberRow, trade models.MemberTrade) AdminMember {
	p := AdminMember{Handle: m.Handle, Name: m.Name, Email: m.Email, Role: m.Role, Status: MemberActive, JoinedAt: m.JoinedAt.RFC3339(),
		ForSale: trade.ForSale, Sold: trade.Sold, site: site}
	switch {
	case m.Role == "":
		p.Status = MemberNoAccount
	case m.SuspendedAt != 0:
		p.Status, p.SuspendedAt = MemberSuspended, m.SuspendedAt.RFC3339()
	}
	return p
}

// NewAdminMembers returns a list of members.
func NewAdminMembers(site *ui.Site, members []AdminMember, query MemberQuery, next ui.Next) *AdminMembers {
	p := &AdminMembers{Members: ui.List(members), NextCursor: next.Cursor, query: query, site: site}
	if p.next = next.Path(query.path()); p.next != "" {
		p.Links = append(p.Links, ui.Link{Href: p.next, Label: "More members"})
	}
	if query != (MemberQuery{}) {
		p.Links = append(p.Links, ui.Link{Href: ui.MembersPath, Label: "All members"})
	}
	p.Links = append(p.Links, ui.Link{Href: ui.AdminPath, Label: "Dashboard"}, ui.Link{Href: ui.AuditPath, Label: "Audit log"})
	return p
}

// path returns the path of the page of the selected members.
func (q MemberQuery) path() string {
	path := ui.WithParams(ui.MembersPath, "keyword", q.Keyword, "role", string(q.Role))
	if q.Suspended {
		path = ui.WithParam(path, "suspended", "true")
	}
	return path
}

// roleLabels names the roles.
var roleLabels = map[models.Role]ui.Choice{
	models.RoleMember:    {Label: languages.Mark("Member"), Meaning: languages.Mark("Can buy and sell.")},
	models.RoleModerator: {Label: languages.Mark("Moderator"), Meaning: languages.Mark("Can handle reports, hide listings and suspend members.")},
	models.RoleEditor:    {Label: languages.Mark("Editor"), Meaning: languages.Mark("Can edit the portfolio, pages and appearance.")},
	models.RoleOperator:  {Label: languages.Mark("Operator"), Meaning: languages.Mark("Can do everything.")},
}

// roleChoices returns the roles to choose from.
func roleChoices() (choices []ui.Choice) {
	for _, role := range models.Roles {
		c := roleLabels[role]
		c.Value = string(role)
		choices = append(choices, c)
	}
	return choices
}

// statusText says whether the member can use their account, and since when not.
func (m *AdminMember) statusText(ctx context.Context) string {
	switch m.Status {
	case MemberSuspended:
		return ui.T(ctx, "Suspended since %s", ui.DayIn(ctx, m.SuspendedAt))
	case MemberNoAccount:
		return ui.T(ctx, "No account")
	}
	return languages.Of(ctx).TextIn("status of a member", "Active")
}

// roleText names the role, "–" without an account.
func (m *AdminMember) roleText(ctx context.Context) string {
	if m.Role == "" {
		return "–"
	}
	return ui.T(ctx, roleLabels[m.Role].Label)
}

// path returns the path of a form about the member.
func (m *AdminMember) path(action string) string {
	return ui.MembersPath + "/" + m.Handle + "/" + action
}

// mayBeSuspended reports whether the member can be suspended or reinstated.
func (m *AdminMember) mayBeSuspended() bool { return m.Role == models.RoleMember }

// Head implements Page.
func (p *AdminMembers) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Members"), Description: ui.T(ctx, "Find and suspend members, and set their roles."), Path: p.query.path(), NoIndex: true, Crumbs: ui.AccountCrumbs}
}

// After implements web.PagedPage.
func (p *AdminMembers) After() string { return p.NextCursor }

// Markdown implements Page.
func (p *AdminMembers) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Members"), ui.T(ctx, p.site.Notice())).In(ctx)
	if len(p.Members) == 0 {
		m.Paragraph(ui.T(ctx, "No members match."))
	} else {
		m.Raw("\n")
		writeMemberTable(m, p.Members)
	}
	m.Links(p.Links)
	return m.Done(w)
}

// writeMemberTable writes a table of members.
func writeMemberTable(m *ui.Markdown, members []AdminMember) {
	m.Head("Member", "Email", "Role", "Status", "Joined", "For sale", "Sold")
	for i := range members {
		member := &members[i]
		email := "–"
		if member.Email != "" {
			email = ui.MarkdownText(ui.Untrusted(member.Email))
		}
		m.Row(m.Person(&ui.Person{Handle: member.Handle, Name: member.Name}), email, member.roleText(m.Context), string(member.Status)+" "+ui.DayIn(m.Context, member.SuspendedAt),
			ui.DayIn(m.Context, member.JoinedAt), ui.NumberIn(m.Context, member.ForSale), ui.NumberIn(m.Context, member.Sold))
	}
}

// Head implements Page. The page is that of members, with this one.
func (m *AdminMember) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Members"), Description: ui.T(ctx, "Find and suspend members, and set their roles."), Path: MemberQuery{Keyword: m.Handle}.path(), NoIndex: true, Crumbs: ui.AccountCrumbs}
}

// Markdown implements Page.
func (m *AdminMember) Markdown(ctx context.Context, w io.Writer) error {
	md := ui.NewMarkdown(m.site, ui.T(ctx, "Members"), ui.T(ctx, m.site.Notice())).In(ctx)
	md.Raw("\n")
	writeMemberTable(md, []AdminMember{*m})
	return md.Done(w)
}

// suspension returns the end of the path of the form that suspends or reinstates the
// member.
func (m *AdminMember) suspension() string {
	if m.Status == MemberSuspended {
		return "/reinstate"
	}
	return "/suspend"
}
