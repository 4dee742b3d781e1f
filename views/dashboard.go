package views

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// Numbers of rows in the sections of the dashboard.
const (
	DashboardRows  = 5
	DashboardCards = 4
)

// Dashboard is the first page of a member's account: what waits, what they sell, buy and
// watch, and their settings.
type Dashboard struct {
	Handle    string       `json:"handle"`
	Name      string       `json:"name" untrusted:"true"`
	Email     string       `json:"email"`
	Suspended bool         `json:"suspended"`
	Unread    int          `json:"unread"`
	Waiting   []Waiting    `json:"waiting"`
	Listings  []OwnListing `json:"listings" jsonschema:"for sale, newest first"`
	Drafts    []OwnListing `json:"drafts"`
	Sales     []OfferCard  `json:"sales" jsonschema:"under way"`
	Buying    []OfferCard  `json:"buying" jsonschema:"your offers, and purchases under way"`
	Watching  []Card       `json:"watching"`
	Searches  []SearchCard `json:"searches"`
	Links     []Link       `json:"links"`
	operator  []Link
	counts    map[models.Status]int
	site      *Site
}

// OwnListing is a listing on its seller's dashboard.
type OwnListing struct {
	Card
	Offers   int `json:"offers" jsonschema:"number of open offers" min:"0"`
	Watchers int `json:"watchers" jsonschema:"number of people who watch it" min:"0"`
}

// DashboardParts holds what the dashboard is made of. Each list has the rows to show.
type DashboardParts struct {
	Identity       *models.Identity
	Waiting        WaitingParts
	Counts         map[models.Status]int
	Active, Drafts []OwnListing
	Sales, Buying  []OfferCard
	Watching       []Card
	Searches       []SearchCard
	Operator       []Link // pages for operators
}

// NewDashboard returns a member's dashboard.
func NewDashboard(site *Site, parts *DashboardParts) *Dashboard {
	id := parts.Identity
	return &Dashboard{Handle: id.Member.Handle, Name: id.Member.Name, Email: id.Account.Email, Suspended: id.Account.Suspended(), Unread: parts.Waiting.Unread,
		Waiting: newWaiting(parts.Waiting.Offers), Listings: list(parts.Active), Drafts: list(parts.Drafts), Sales: list(parts.Sales), Buying: list(parts.Buying),
		Watching: list(parts.Watching), Searches: list(parts.Searches),
		Links: []Link{{"/account/settings", "Profile, email and password"}, {"/account/passkeys", "Passkeys"}, {messagesPath, "Messages"}, {myKitPath, "Your kit and its value"}, {blocksPath, "Blocked members"},
			{"/account/export", "Your data"}, {sellerPath(id.Member.Handle), "Your public page"}},
		operator: parts.Operator, counts: parts.Counts, site: site}
}

// Head implements Page.
func (p *Dashboard) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Your account"), Description: t(ctx, "What you sell, buy and watch on %s.", p.site.Name()), Path: "/account", NoIndex: true}
}

func (p *Dashboard) notice() string {
	if p.Suspended {
		return suspendedText
	}
	return ""
}

// allListings labels the link to all listings: "All 12 listings".
func (p *Dashboard) allListings(ctx context.Context) string {
	n := 0
	for _, count := range p.counts {
		n += count
	}
	if n == 0 {
		return t(ctx, "Your listings")
	}
	return tn(ctx, n, "Your %s listing", "All %s listings")
}

// interest says how much interest there is in a listing: "2 offers · 3 people watch this".
func (l *OwnListing) interest(ctx context.Context) string {
	text := watchingText(ctx, l.Watchers)
	if l.Offers > 0 {
		text = tn(ctx, l.Offers, "%s offer", "%s offers") + " · " + text
	}
	return text
}

// Markdown implements Page.
func (p *Dashboard) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, t(ctx, "Your account"), t(ctx, p.notice())).in(ctx)
	m.raw("\n")
	m.factRows([]fact{{"Name", untrusted(p.Name), sellerPath(p.Handle)}, {"Handle", p.Handle, ""}, {"Email", p.Email, ""}})
	writeWaiting(m, p.Unread, p.Waiting)
	m.section("Selling")
	writeOfferLines(m, p.Sales)
	for _, l := range append(p.Listings[:len(p.Listings):len(p.Listings)], p.Drafts...) {
		m.raw("- ", m.link(Link{l.path(), untrusted(l.Title)}), ": ", mdText(l.priceIn(languages.Of(ctx))))
		if l.forSale() {
			m.raw(". ", mdText(l.interest(ctx)))
		}
		m.raw("\n")
	}
	m.section("Buying")
	writeOfferLines(m, p.Buying)
	m.cards("Watching", p.Watching)
	if len(p.Searches) > 0 {
		m.section("Saved searches")
	}
	for i := range p.Searches {
		s := &p.Searches[i]
		m.raw("- ", m.link(Link{s.path(), untrusted(s.Name)}), ": ", t(ctx, everyText(s.Every)), "\n")
	}
	m.links(append(p.Links[:len(p.Links):len(p.Links)], Link{advancedPath, "Advanced"}))
	return m.done(w)
}

// writeOfferLines writes offers as a list.
func writeOfferLines(m *markdown, offers []OfferCard) {
	for i := range offers {
		o := &offers[i]
		m.raw("- ", m.link(Link{offerPath(o.ID), untrusted(o.Title)}), ": ", moneyIn(m.ctx, o.Amount), ". ", mdText(o.shortState(m.ctx, o.With.Handle)), "\n")
	}
}
