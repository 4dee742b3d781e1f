package views

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
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
	Links      []Link        `json:"links"`
	query      MemberQuery
	next       string
	site       *Site
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
	site        *Site
}

// NewAdminMember returns a member for operators.
func NewAdminMember(site *Site, m *models.MemberRow, trade models.MemberTrade) AdminMember {
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
func NewAdminMembers(site *Site, members []AdminMember, query MemberQuery, next Next) *AdminMembers {
	p := &AdminMembers{Members: list(members), NextCursor: next.Cursor, query: query, site: site}
	if p.next = next.path(query.path()); p.next != "" {
		p.Links = append(p.Links, Link{p.next, "More members"})
	}
	if query != (MemberQuery{}) {
		p.Links = append(p.Links, Link{membersPath, "All members"})
	}
	p.Links = append(p.Links, Link{adminPath, "Dashboard"}, Link{auditPath, "Audit trail"})
	return p
}

// path returns the path of the page of the selected members.
func (q MemberQuery) path() string {
	path := withParams(membersPath, "keyword", q.Keyword, "role", string(q.Role))
	if q.Suspended {
		path = withParam(path, "suspended", "true")
	}
	return path
}

// roleLabels names the roles.
var roleLabels = map[models.Role]Choice{
	models.RoleMember:    {Label: languages.Mark("Member"), Meaning: languages.Mark("Buys and sells.")},
	models.RoleModerator: {Label: languages.Mark("Moderator"), Meaning: languages.Mark("Handles reports, and hides listings and members.")},
	models.RoleEditor:    {Label: languages.Mark("Editor"), Meaning: languages.Mark("Edits the portfolio, texts and looks.")},
	models.RoleOperator:  {Label: languages.Mark("Operator"), Meaning: languages.Mark("Does everything.")},
}

// roleChoices returns the roles to choose from.
func roleChoices() (choices []Choice) {
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
		return t(ctx, "Suspended since %s", dayIn(ctx, m.SuspendedAt))
	case MemberNoAccount:
		return t(ctx, "No account")
	}
	return languages.Of(ctx).TextIn("status of a member", "Active")
}

// roleText names the role, "–" without an account.
func (m *AdminMember) roleText(ctx context.Context) string {
	if m.Role == "" {
		return "–"
	}
	return t(ctx, roleLabels[m.Role].Label)
}

// path returns the path of a form about the member.
func (m *AdminMember) path(action string) string { return membersPath + "/" + m.Handle + "/" + action }

// mayBeSuspended reports whether the member can be suspended or reinstated.
func (m *AdminMember) mayBeSuspended() bool { return m.Role == models.RoleMember }

// Head implements Page.
func (p *AdminMembers) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Members"), Description: t(ctx, "Find members, suspend them, and give them roles."), Path: p.query.path(), NoIndex: true, Crumbs: accountCrumbs}
}

// After implements web.PagedPage.
func (p *AdminMembers) After() string { return p.NextCursor }

// Markdown implements Page.
func (p *AdminMembers) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, t(ctx, "Members"), t(ctx, p.site.notice())).in(ctx)
	if len(p.Members) == 0 {
		m.text(t(ctx, "No members match."))
	} else {
		m.raw("\n")
		writeMemberTable(m, p.Members)
	}
	m.links(p.Links)
	return m.done(w)
}

// writeMemberTable writes a table of members.
func writeMemberTable(m *markdown, members []AdminMember) {
	m.head("Member", "Email", "Role", "Status", "Joined", "For sale", "Sold")
	for i := range members {
		member := &members[i]
		email := "–"
		if member.Email != "" {
			email = mdText(untrusted(member.Email))
		}
		m.row(m.person(&Person{Handle: member.Handle, Name: member.Name}), email, member.roleText(m.ctx), string(member.Status)+" "+dayIn(m.ctx, member.SuspendedAt),
			dayIn(m.ctx, member.JoinedAt), numberIn(m.ctx, member.ForSale), numberIn(m.ctx, member.Sold))
	}
}

// Head implements Page. The page is that of members, with this one.
func (m *AdminMember) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Members"), Description: t(ctx, "Find members, suspend them, and give them roles."), Path: MemberQuery{Keyword: m.Handle}.path(), NoIndex: true, Crumbs: accountCrumbs}
}

// Markdown implements Page.
func (m *AdminMember) Markdown(ctx context.Context, w io.Writer) error {
	md := newMarkdown(m.site, t(ctx, "Members"), t(ctx, m.site.notice())).in(ctx)
	md.raw("\n")
	writeMemberTable(md, []AdminMember{*m})
	return md.done(w)
}

// suspension returns the end of the path of the form that suspends or reinstates the
// member.
func (m *AdminMember) suspension() string {
	if m.Status == MemberSuspended {
		return "/reinstate"
	}
	return "/suspend"
}
