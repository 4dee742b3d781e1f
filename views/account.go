package views

import (
	"fmt"
	"io"
	"strconv"
	"strings"

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

// OwnPages are the rooms of what is a member's own, in order.
var OwnPages = []Link{
	{"/sell", "Sell something"}, {"/account/listings", "Your listings"}, {"/account/offers", "Offers"}, {"/account/messages", "Messages"},
	{"/account/watchlist", "Watchlist"}, {"/account/searches", "Saved searches"}, {"/account/tokens", "Tokens for programs"},
	{"/account/settings", "Settings"}, {"/account/passkeys", "Passkeys"}, {"/account/export", "Everything held about you"},
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
	return append(facts, fact{Name: "Role", Value: p.Role}, fact{Name: "Allowed here", Value: models.Scopes(p.Scopes).String()})
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
		Links: []Link{{"/account", "Your account"}, {"/account/passkeys", "Passkeys"}, {"/account/export", "Everything held about you"}, {"/account/delete", "Delete your account"}}, site: site}
	for _, s := range sessions {
		p.Sessions = append(p.Sessions, OpenSession{browserName(s.Client), s.CreatedAt.RFC3339(), s.SeenAt.RFC3339()})
	}
	return p
}

// browserName is what a browser calls itself in a few words: "Firefox on Windows".
func browserName(client string) string {
	first := func(words ...[2]string) string {
		for _, w := range words {
			if strings.Contains(client, w[0]) {
				return w[1]
			}
		}
		return ""
	}
	browser := first([2]string{"Edg", "Edge"}, [2]string{"OPR/", "Opera"}, [2]string{"Firefox/", "Firefox"}, [2]string{"FxiOS", "Firefox"}, [2]string{"Chrom", "Chrome"},
		[2]string{"CriOS", "Chrome"}, [2]string{"Safari/", "Safari"})
	system := first([2]string{"iPhone", "an iPhone"}, [2]string{"iPad", "an iPad"}, [2]string{"Android", "Android"}, [2]string{"Windows", "Windows"},
		[2]string{"Mac OS X", "a Mac"}, [2]string{"CrOS", "ChromeOS"}, [2]string{"Linux", "Linux"})
	switch {
	case browser == "":
		return "A browser that does not say its name"
	case system == "":
		return browser
	}
	return browser + " on " + system
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
	return newEntry(site, "/account/delete", "Delete your account", deleteText, deleteForm(),
		Link{"/account/export", "Take everything that is held about you along first"}, Link{"/account/settings", "Settings"})
}

// Export is everything the site holds about a member.
type Export struct {
	Handle string        `json:"handle" jsonschema:"your name in addresses"`
	At     string        `json:"exported_at" jsonschema:"when this was so" format:"date-time"`
	Tables []ExportTable `json:"tables" jsonschema:"what is held, by kind"`
	Links  []Link        `json:"links"`
	site   *Site
}

// ExportTable is one kind of thing that is held.
type ExportTable struct {
	Name    string           `json:"name" jsonschema:"as programs call it"`
	Text    string           `json:"text" jsonschema:"what it is"`
	Rows    []map[string]any `json:"rows" jsonschema:"each thing by the names of its values"`
	columns []string
}

// NewExport makes the page of everything held about a member.
func NewExport(site *Site, id *models.Identity, at models.Time, tables []models.HeldTable) *Export {
	p := &Export{Handle: id.Member.Handle, At: at.RFC3339(), Tables: []ExportTable{},
		Links: []Link{{"/account", "Your account"}, {"/account/delete", "Delete your account"}}, site: site}
	for _, t := range tables {
		table := ExportTable{Name: t.Name, Text: t.Text, Rows: []map[string]any{}, columns: t.Columns}
		for _, values := range t.Rows {
			row := make(map[string]any, len(values))
			for i, v := range values {
				switch v := v.(type) {
				case models.Time:
					row[t.Columns[i]] = v.RFC3339()
				case models.Cents:
					row[t.Columns[i]] = site.Currency.Money(v)
				default:
					row[t.Columns[i]] = v
				}
			}
			table.Rows = append(table.Rows, row)
		}
		p.Tables = append(p.Tables, table)
	}
	return p
}

// cell is a value for people.
func (t *ExportTable) cell(row map[string]any, column string) string {
	if m, ok := row[column].(models.Money); ok {
		return MoneyText(m)
	}
	return fmt.Sprint(row[column])
}

func (p *Export) fileName() string { return p.Handle + ".json" }

// Head implements Page.
func (p *Export) Head() Head {
	return Head{Title: "Everything held about you", Description: exportText, Path: "/account/export", NoIndex: true, Crumbs: accountCrumbs}
}

const exportText = "Everything the site holds about you. Passwords, tokens and the secrets of feeds are kept as hashes, which nobody can read, and are not in it."

// Markdown implements Page.
func (p *Export) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, "Everything held about you", "")
	m.text(exportText)
	m.text("As of " + p.At + ", for " + p.Handle + ".")
	for i := range p.Tables {
		t := &p.Tables[i]
		if len(t.Rows) == 0 {
			continue
		}
		m.section(t.Text)
		m.raw("`", t.Name, "`, ", countText(len(t.Rows), "row", "rows"), "\n\n")
		m.head(t.columns...)
		for _, row := range t.Rows {
			cells := make([]string, len(t.columns))
			for c, column := range t.columns {
				cells[c] = mdText(t.cell(row, column))
			}
			m.row(cells...)
		}
	}
	m.section("Of these nothing")
	for _, t := range p.Tables {
		if len(t.Rows) == 0 {
			m.raw("- ", t.Text, " `", t.Name, "`\n")
		}
	}
	m.links(p.Links)
	return m.done(w)
}

// Passkeys is the page of a member's passkeys.
type Passkeys struct {
	Text     string    `json:"text"`
	Possible bool      `json:"possible" jsonschema:"true where the site has a name that passkeys can be for"`
	Passkeys []Passkey `json:"passkeys" jsonschema:"your keys, the oldest first"`
	Links    []Link    `json:"links"`
	site     *Site
}

// Passkey is a key a member signs in with.
type Passkey struct {
	ID        string `json:"id"`
	Name      string `json:"name" jsonschema:"as you call it"`
	CreatedAt string `json:"created_at" jsonschema:"when it was added" format:"date-time"`
	UsedAt    string `json:"used_at,omitempty" jsonschema:"when it was used last; absent for never" format:"date-time"`
}

// NewPasskeys makes the page of a member's passkeys.
func NewPasskeys(site *Site, keys []models.Passkey, possible bool) *Passkeys {
	p := &Passkeys{Text: "A passkey lets you in with your fingerprint, your face or the code of your device, and cannot be guessed or phished. The password stays as the other way in.",
		Possible: possible, Passkeys: []Passkey{}, Links: []Link{{"/account/settings", "Settings"}}, site: site}
	if !possible {
		p.Text = "Passkeys are made for names, and this site is reached by a network address: there are none here."
	}
	for _, k := range keys {
		p.Passkeys = append(p.Passkeys, Passkey{k.ID, k.Name, k.CreatedAt.RFC3339(), k.UsedAt.RFC3339()})
	}
	return p
}

// Head implements Page.
func (p *Passkeys) Head() Head {
	return Head{Title: "Passkeys", Description: p.Text, Path: "/account/passkeys", NoIndex: true, Crumbs: accountCrumbs}
}

func (k *Passkey) line() string {
	line := "added " + DayText(k.CreatedAt)
	if k.UsedAt != "" {
		line += ", used " + DayText(k.UsedAt)
	}
	return line
}

// Markdown implements Page.
func (p *Passkeys) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, "Passkeys", "")
	m.text(p.Text)
	if len(p.Passkeys) > 0 {
		m.raw("\n")
		m.head("Passkey", "Id", "Since")
		for i := range p.Passkeys {
			k := &p.Passkeys[i]
			m.row(mdText(k.Name), k.ID, k.line())
		}
	}
	m.links(p.Links)
	return m.done(w)
}

// Ceremony is what a browser gives to an authenticator, and the code to answer with.
type Ceremony struct {
	Ceremony string `json:"ceremony" jsonschema:"code to answer with"`
	Options  any    `json:"options" jsonschema:"for the authenticator, as WebAuthn writes them"`
	site     *Site
}

// NewCeremony makes the beginning of a ceremony.
func NewCeremony(site *Site, code string, options any) *Ceremony {
	return &Ceremony{code, options, site}
}

const ceremonyText = "Your browser goes on with a passkey by itself. If it does not, sign in with the password."

// Head implements Page.
func (p *Ceremony) Head() Head {
	return Head{Title: "Passkey", Description: ceremonyText, Path: "/sign-in", NoIndex: true}
}

// Markdown implements Page.
func (p *Ceremony) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, "Passkey", "")
	m.text(ceremonyText)
	return m.done(w)
}
