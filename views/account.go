package views

import (
	"io"
	"strconv"

	"github.com/secondlight/secondlight/models"
)

// Me is a member's own page: who they are here, and the ways to what is theirs.
type Me struct {
	Handle    string         `json:"handle" jsonschema:"your name in addresses"`
	Name      string         `json:"name"`
	URL       string         `json:"url" jsonschema:"your page as others see it"`
	Email     string         `json:"email" jsonschema:"e-mail address you sign in with; nobody else sees it"`
	Region    models.Region  `json:"region"`
	Since     string         `json:"member_since"`
	Role      string         `json:"role" jsonschema:"operators keep the site" enum:"member,operator"`
	Suspended bool           `json:"suspended" jsonschema:"true when the operator has taken the right to change anything away"`
	Unread    int            `json:"unread" jsonschema:"messages that wait for you"`
	Listings  ListingCounts  `json:"listings" jsonschema:"how many of your listings are in each status"`
	Scopes    []models.Scope `json:"scopes" jsonschema:"what this token or browser may do"`
	Links     []Link         `json:"links"`
	site      *Site
}

// ListingCounts are a member's listings by status.
type ListingCounts struct {
	Draft    int `json:"draft" jsonschema:"not published yet"`
	Active   int `json:"active" jsonschema:"for sale"`
	Reserved int `json:"reserved" jsonschema:"promised to somebody"`
	Sold     int `json:"sold" jsonschema:"sold here"`
	Ended    int `json:"ended" jsonschema:"taken back"`
	Expired  int `json:"expired" jsonschema:"not for sale any more, because their time is over"`
}

// NewMe makes a member's own page. Own are the pages of what is theirs.
func NewMe(site *Site, id *models.Identity, counts map[models.Status]int, unread int, own []Link) *Me {
	return &Me{
		Handle: id.Member.Handle, Name: id.Member.Name, URL: site.URL(sellerPath(id.Member.Handle)), Email: id.Account.Email, Region: id.Member.Region,
		Since: models.MonthOf(id.Member.JoinedAt).String(), Role: string(id.Account.Role), Suspended: id.Account.Suspended(), Unread: unread,
		Listings: ListingCounts{counts[models.StatusDraft], counts[models.StatusActive], counts[models.StatusReserved],
			counts[models.StatusSold], counts[models.StatusEnded], counts[models.StatusExpired]},
		Scopes: list(id.Scopes), Links: append(list(own), Link{sellerPath(id.Member.Handle), "Your page as others see it"}), site: site,
	}
}

const suspendedText = "Your account is suspended: you can read everything and leave, and change nothing."

// Head implements Page.
func (p *Me) Head() Head {
	return Head{Title: "Your account", Description: "What is yours on " + p.site.Name + ".", Path: "/account", NoIndex: true}
}

func (p *Me) facts() []fact {
	facts := []fact{
		{Name: "Name", Value: p.Name}, {Name: "Handle", Value: p.Handle, Href: sellerPath(p.Handle)}, {Name: "E-mail address", Value: p.Email},
		{Name: "Region", Value: RegionName(p.Region)}, {Name: "Member since", Value: MonthText(p.Since)},
	}
	if p.Role != string(models.RoleMember) {
		facts = append(facts, fact{Name: "Role", Value: p.Role})
	}
	return facts
}

func (p *Me) counts() []fact {
	facts := []fact{{Name: "Unread messages", Value: strconv.Itoa(p.Unread)}}
	for _, c := range []struct {
		name  string
		count int
	}{{"Drafts", p.Listings.Draft}, {"For sale", p.Listings.Active}, {"Reserved", p.Listings.Reserved}, {"Sold", p.Listings.Sold},
		{"Ended", p.Listings.Ended}, {"Expired", p.Listings.Expired}} {
		facts = append(facts, fact{Name: c.name, Value: numberText(c.count)})
	}
	return facts
}

func (p *Me) notice() string {
	if p.Suspended {
		return suspendedText
	}
	return ""
}

// Markdown implements Page.
func (p *Me) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, "Your account", p.notice())
	m.raw("\n")
	m.head("Fact", "Value")
	for _, f := range append(p.facts(), p.counts()...) {
		m.row(f.Name, mdText(f.Value))
	}
	m.row("This token may", mdText(models.Scopes(p.Scopes).String()))
	m.links(p.Links)
	return m.done(w)
}

// Settings is the page where members change what others see of them, and how
// they sign in.
type Settings struct {
	Handle   string        `json:"handle" jsonschema:"your name in addresses"`
	Name     string        `json:"name"`
	Region   models.Region `json:"region"`
	Bio      string        `json:"bio"`
	Email    string        `json:"email" jsonschema:"e-mail address you sign in with; nobody else sees it"`
	Sessions []OpenSession `json:"sessions" jsonschema:"browsers you are signed in with"`
	Links    []Link        `json:"links"`
	site     *Site
}

// OpenSession is a browser a member is signed in with.
type OpenSession struct {
	Client string `json:"client" jsonschema:"what the browser calls itself"`
	Since  string `json:"signed_in_at" jsonschema:"when you signed in" format:"date-time"`
	Seen   string `json:"seen_at" jsonschema:"when it was used last" format:"date-time"`
}

// NewSettings makes the page of a member's settings.
func NewSettings(site *Site, id *models.Identity, sessions []models.OpenSession) *Settings {
	p := &Settings{Handle: id.Member.Handle, Name: id.Member.Name, Region: id.Member.Region, Bio: id.Member.Bio, Email: id.Account.Email, Sessions: []OpenSession{},
		Links: []Link{{"/account", "Your account"}, {"/account/delete", "Delete your account"}}, site: site}
	for _, s := range sessions {
		p.Sessions = append(p.Sessions, OpenSession{browserName(s.Client), s.CreatedAt.RFC3339(), s.SeenAt.RFC3339()})
	}
	return p
}

func browserName(client string) string {
	if client == "" {
		return "A browser that does not say its name"
	}
	return client
}

// Head implements Page.
func (p *Settings) Head() Head {
	return Head{Title: "Settings", Description: "What others see of you, and how you sign in.", Path: "/account/settings", NoIndex: true, Crumbs: accountCrumbs}
}

var accountCrumbs = []Link{{"/account", "Your account"}}

// Markdown implements Page.
func (p *Settings) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, "Settings", "")
	m.raw("\n")
	m.head("Fact", "Value")
	m.row("Handle", mdText(p.Handle))
	m.row("Name", mdText(p.Name))
	m.row("Region", RegionName(p.Region))
	m.row("E-mail address", mdText(p.Email))
	if p.Bio != "" {
		m.section("About you")
		m.quote(p.Bio)
	}
	if len(p.Sessions) > 0 {
		m.section("Signed in")
		m.head("Browser", "Since", "Last used")
		for _, s := range p.Sessions {
			m.row(mdText(s.Client), DayText(s.Since), DayText(s.Seen))
		}
	}
	m.links(p.Links)
	return m.done(w)
}

const deleteText = "Your account, your name, your tokens and saved searches go, and your listings are ended. Sales stay in the price trends, and messages with those you wrote to, without your name. Nothing brings the account back."

// NewDeleteAccount asks for the password before everything goes, and offers the
// export first.
func NewDeleteAccount(site *Site) *Entry {
	return newEntry(site, "/account/delete", "Delete your account", deleteText, deleteForm(), Link{"/account/settings", "Settings"})
}
