// Package account renders accounts, signing in and up, tokens, and members as sellers.
package account

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	tradeviews "github.com/secondlight/secondlight/views/trade"
	"github.com/secondlight/secondlight/views/ui"
)

// Me is a member's own account as programs read it: their profile, the counts of their
// listings and links to their pages.
type Me struct {
	Handle string `json:"handle" jsonschema:"your handle, as in the URL of your page"`
	Name   string `json:"name" untrusted:"true"`
	ui.Ref
	Email     string               `json:"email" jsonschema:"email address you sign in with; never shown to others"`
	Region    models.Region        `json:"region"`
	Since     string               `json:"member_since"`
	Role      string               `json:"role" jsonschema:"operators moderate the site" enum:"member,operator"`
	Suspended bool                 `json:"suspended" jsonschema:"true when an operator has suspended your account: it can read but not change anything"`
	Unread    int                  `json:"unread" jsonschema:"number of unread messages"`
	Waiting   []tradeviews.Waiting `json:"waiting" jsonschema:"offers that wait for you, the next one due first"`
	Listings  ListingCounts        `json:"listings" jsonschema:"number of your listings by status"`
	Scopes    []models.Scope       `json:"scopes" jsonschema:"scopes of this token or session"`
	Links     []ui.Link            `json:"links"`
	site      *ui.Site
}

// ListingCounts holds the numbers of a member's listings by status.
type ListingCounts struct {
	Draft    int `json:"draft" jsonschema:"not published yet"`
	Active   int `json:"active" jsonschema:"for sale"`
	Reserved int `json:"reserved" jsonschema:"reserved for a buyer"`
	Sold     int `json:"sold" jsonschema:"sold here"`
	Ended    int `json:"ended" jsonschema:"ended without a sale"`
	Expired  int `json:"expired" jsonschema:"expired"`
}

// AccountLinks lists the pages of a member's account in the order they are shown.
var AccountLinks = []ui.Link{
	{Href: "/sell", Label: "Sell something"}, {Href: "/account/listings", Label: "Your listings"}, {Href: "/account/offers", Label: "Offers"}, {Href: "/account/messages", Label: "Messages"},
	{Href: "/account/watchlist", Label: "Watchlist"}, {Href: "/account/searches", Label: "Saved searches"}, {Href: ui.ConnectPath, Label: "Connect a chat app"}, {Href: ui.ConnectionsPath, Label: "Connected apps"}, {Href: "/account/tokens", Label: "Tokens for programs"},
	{Href: "/account/settings", Label: "Settings"}, {Href: "/account/passkeys", Label: "Passkeys"}, {Href: "/account/export", Label: "Your data"},
}

// NewMe returns a member's account page. own lists the account pages to link to.
func NewMe(site *ui.Site, id *models.Identity, counts map[models.Status]int, waiting tradeviews.WaitingParts, own []ui.Link) *Me {
	return &Me{
		Handle: id.Member.Handle, Name: id.Member.Name, Ref: ui.NewRef(ui.SellerPath(id.Member.Handle)), Email: id.Account.Email, Region: id.Member.Region,
		Since: models.MonthOf(id.Member.JoinedAt).String(), Role: string(id.Account.Role), Suspended: id.Account.Suspended(), Unread: waiting.Unread, Waiting: tradeviews.NewWaiting(waiting.Offers),
		Listings: ListingCounts{counts[models.StatusDraft], counts[models.StatusActive], counts[models.StatusReserved],
			counts[models.StatusSold], counts[models.StatusEnded], counts[models.StatusExpired]},
		Scopes: ui.List(id.Scopes), Links: append(ui.List(own), ui.Link{Href: ui.SellerPath(id.Member.Handle), Label: "View your public profile"}), site: site,
	}
}

// suspendedText is shown to members whose account is suspended.
var suspendedText = languages.Mark("Your account is suspended. You can still view everything and delete your account, but you can't make changes.")

// Head implements Page.
func (p *Me) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Your account"), Description: ui.T(ctx, "Your data on %s.", p.site.Name()), Path: "/api/me", NoIndex: true}
}

// Names of roles, for the catalogues.
var _ = [...]string{languages.Mark("member"), languages.Mark("operator")}

// facts returns the facts of the account for display. quote marks what the member
// wrote: AsWritten or untrusted.
func (p *Me) facts(ctx context.Context, quote func(string) string) []ui.Fact {
	return []ui.Fact{
		{Name: "Name", Value: quote(p.Name)}, {Name: "Username", Value: p.Handle, Href: ui.SellerPath(p.Handle)}, {Name: "Email address", Value: p.Email},
		{Name: "Region", Value: ui.RegionIn(ctx, p.Region)}, {Name: "Member since", Value: ui.MonthIn(ctx, p.Since)},
		{Name: "Role", Value: ui.T(ctx, p.Role)}, {Name: "Allowed here", Value: models.Scopes(p.Scopes).String()},
	}
}

func (p *Me) counts(ctx context.Context) []ui.Fact {
	n := &p.Listings
	return []ui.Fact{
		{Name: "Unread messages", Value: ui.NumberIn(ctx, p.Unread)}, {Name: "Drafts", Value: ui.NumberIn(ctx, n.Draft)}, {Name: "For sale", Value: ui.NumberIn(ctx, n.Active)},
		{Name: "Reserved", Value: ui.NumberIn(ctx, n.Reserved)}, {Name: "Sold", Value: ui.NumberIn(ctx, n.Sold)}, {Name: "Ended", Value: ui.NumberIn(ctx, n.Ended)}, {Name: "Expired", Value: ui.NumberIn(ctx, n.Expired)},
	}
}

func (p *Me) notice() string {
	if p.Suspended {
		return suspendedText
	}
	return ""
}

// Markdown implements Page.
func (p *Me) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Your account"), ui.T(ctx, p.notice())).In(ctx)
	tradeviews.WriteWaiting(m, p.Unread, p.Waiting)
	m.Raw("\n")
	m.Head("Detail", "Value")
	for _, f := range append(p.facts(ctx, ui.Untrusted), p.counts(ctx)...) {
		m.Row(ui.T(ctx, f.Name), ui.MarkdownText(f.Value))
	}
	m.Links(p.Links)
	return m.Done(w)
}

// Settings is the page where members edit their public profile and their sign-in
// details.
type Settings struct {
	Handle   string            `json:"handle" jsonschema:"your handle, as in the URL of your page"`
	Name     string            `json:"name" untrusted:"true"`
	Region   models.Region     `json:"region"`
	Postage  string            `json:"default_postage,omitempty" jsonschema:"what you charge for shipping, unless a listing says otherwise"`
	Kind     models.SellerKind `json:"seller_kind,omitempty" jsonschema:"who you sell as; absent if you haven't said" enum:"dealer,private"`
	Sellers  bool              `json:"seller_messages" jsonschema:"whether sellers of items you watch can message you"`
	Bio      string            `json:"bio" untrusted:"true"`
	Email    string            `json:"email" jsonschema:"email address you sign in with; never shown to others"`
	Sessions []OpenSession     `json:"sessions" jsonschema:"devices you are signed in with"`
	Address  string            `json:"delivery_address,omitempty" jsonschema:"where sellers send what you buy" untrusted:"true"`
	Holder   string            `json:"account_holder,omitempty" jsonschema:"of the account that buyers pay to" untrusted:"true"`
	IBAN     string            `json:"iban,omitempty" jsonschema:"account that buyers pay to"`
	Link     string            `json:"payment_link,omitempty" jsonschema:"your own payment page"`
	Cash     bool              `json:"cash,omitempty" jsonschema:"you take cash on collection"`
	Links    []ui.Link         `json:"links"`
	postage  models.Postage
	site     *ui.Site
}

// OpenSession describes a browser a member is signed in with.
type OpenSession struct {
	Client string `json:"client" jsonschema:"browser and operating system"`
	Since  string `json:"signed_in_at" jsonschema:"when the session began" format:"date-time"`
	Seen   string `json:"seen_at" jsonschema:"when the session was last used" format:"date-time"`
	Device string `json:"device" jsonschema:"names the device to sign_out_device" maxlength:"16"`
	agent  string // User-Agent
}

// devicesOf returns the sessions of a member, most recently used first, as lists show them: once a
// device, since its first one.
func devicesOf(sessions []models.OpenSession) []OpenSession {
	list := []OpenSession{}
	for i := range sessions {
		s := &sessions[i]
		d := OpenSession{browserName(languages.English, s.Client), s.CreatedAt.RFC3339(), s.SeenAt.RFC3339(), s.Device(), s.Client}
		if at := slices.IndexFunc(list, func(o OpenSession) bool { return o.Device == d.Device }); at >= 0 {
			list[at].Since = min(list[at].Since, d.Since)
			continue
		}
		list = append(list, d)
	}
	return list
}

// clientText returns the browser and the operating system in the reader's language.
func (s *OpenSession) clientText(ctx context.Context) string {
	return browserName(languages.Of(ctx), s.agent)
}

// WithProfile adds the member's default postage, who they sell as, and whether sellers of items they
// watch can message them.
func (p *Settings) WithProfile(member *models.Member, sellers bool) *Settings {
	p.Postage, p.postage, p.Kind, p.Sellers = member.Postage.Text(p.site.Currency()), member.Postage, member.SellerKind, sellers
	return p
}

// sellerKinds are who members can sell as.
var sellerKinds = []ui.Choice{{Label: languages.Mark("Not given")}, {Value: string(models.PrivateSeller), Label: languages.Mark("A private seller")}, {Value: string(models.Dealer), Label: languages.Mark("A dealer")}}

// WithTrade adds the member's delivery address, and how buyers pay them.
func (p *Settings) WithTrade(t *models.TradeSettings) *Settings {
	p.Address, p.Holder, p.IBAN, p.Link, p.Cash = t.Address, t.AccountHolder, t.IBANText(), t.PaymentLink, t.Cash
	return p
}

// NewSettings returns a member's settings page.
func NewSettings(site *ui.Site, id *models.Identity, sessions []models.OpenSession) *Settings {
	return &Settings{Handle: id.Member.Handle, Name: id.Member.Name, Region: id.Member.Region, Bio: id.Member.Bio, Email: id.Account.Email, Sessions: devicesOf(sessions),
		Links: []ui.Link{{Href: "/account", Label: "Your account"}, {Href: "/account/passkeys", Label: "Passkeys"}, {Href: "/account/export", Label: "Your data"}, {Href: "/account/delete", Label: "Delete your account"}}, site: site}
}

// browserName returns a short name for a User-Agent in a language: "Firefox on Windows".
func browserName(l *languages.Language, client string) string {
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
	system := first([2]string{"iPhone", l.Text("an iPhone")}, [2]string{"iPad", l.Text("an iPad")}, [2]string{"Android", "Android"}, [2]string{"Windows", "Windows"},
		[2]string{"Mac OS X", l.Text("a Mac")}, [2]string{"CrOS", "ChromeOS"}, [2]string{"Linux", "Linux"})
	switch {
	case browser == "":
		return l.Text("Unknown browser")
	case system == "":
		return browser
	}
	return l.Text("%[1]s on %[2]s", browser, system)
}

// Head implements Page.
func (p *Settings) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Settings"), Description: ui.T(ctx, "Your public profile and sign-in details."), Path: "/account/settings", NoIndex: true, Crumbs: ui.AccountCrumbs}
}

// Markdown implements Page.
func (p *Settings) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Settings"), "").In(ctx)
	m.Raw("\n")
	m.Head("Detail", "Value")
	m.Row(ui.T(ctx, "Username"), ui.MarkdownText(p.Handle))
	m.Row(ui.T(ctx, "Name"), ui.MarkdownText(ui.Untrusted(p.Name)))
	m.Row(ui.T(ctx, "Region"), ui.RegionIn(ctx, p.Region))
	if p.Postage != "" {
		m.Row(ui.T(ctx, "Postage"), p.Postage)
	}
	if p.Kind != "" {
		at := slices.IndexFunc(sellerKinds, func(c ui.Choice) bool { return c.Value == string(p.Kind) })
		m.Row(ui.T(ctx, "You sell as"), ui.T(ctx, sellerKinds[at].Label))
	}
	m.Row(ui.T(ctx, "Email address"), ui.MarkdownText(p.Email))
	for _, f := range []ui.Fact{{Name: "Account holder", Value: ui.Untrusted(p.Holder)}, {Name: "IBAN", Value: p.IBAN}, {Name: "Payment page", Value: ui.Untrusted(p.Link)}} {
		if f.Value != "" {
			m.Row(ui.T(ctx, f.Name), ui.MarkdownText(f.Value))
		}
	}
	if p.Address != "" {
		m.Section("Delivery address")
		m.Quote(p.Address)
	}
	if p.Bio != "" {
		m.Section("About you")
		m.Quote(p.Bio)
	}
	if len(p.Sessions) > 0 {
		m.Section("Signed in")
		m.Head("Browser", "Since", "Last used")
		for i := range p.Sessions {
			s := &p.Sessions[i]
			m.Row(ui.MarkdownText(s.clientText(ctx)), ui.DayIn(ctx, s.Since), ui.DayIn(ctx, s.Seen))
		}
	}
	m.Links(p.Links)
	return m.Done(w)
}

// deleteText says what deleting an account removes.
var deleteText = languages.Mark("We'll delete your account, name, tokens and saved searches, and end your listings. Past sales stay in price history, and messages stay with the people you sent them to, without your name. This can't be undone.")

// NewDeleteAccount returns the page that asks for the password before an account is
// deleted.
func NewDeleteAccount(site *ui.Site) *ui.FormPage {
	return ui.NewFormPage(site, "/account/delete", "Delete your account", deleteText, deleteForm(),
		ui.Link{Href: "/account/export", Label: "Download your data first"}, ui.Link{Href: "/account/settings", Label: "Settings"})
}
