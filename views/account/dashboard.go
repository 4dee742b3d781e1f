package account

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	tradeviews "github.com/secondlight/secondlight/views/trade"
	"github.com/secondlight/secondlight/views/ui"
	watchviews "github.com/secondlight/secondlight/views/watch"
)

// Numbers of rows in the sections of the dashboard.
const (
	DashboardRows  = 5
	DashboardCards = 4
)

// Dashboard is the first page of a member's account: pending tasks, what they sell, buy
// and watch, and their settings.
type Dashboard struct {
	Handle    string                  `json:"handle"`
	Name      string                  `json:"name" untrusted:"true"`
	Email     string                  `json:"email"`
	Suspended bool                    `json:"suspended"`
	Unread    int                     `json:"unread"`
	Waiting   []tradeviews.Waiting    `json:"waiting"`
	Listings  []OwnListing            `json:"listings" jsonschema:"for sale, newest first"`
	Drafts    []OwnListing            `json:"drafts"`
	Sales     []tradeviews.OfferCard  `json:"sales" jsonschema:"under way"`
	Buying    []tradeviews.OfferCard  `json:"buying" jsonschema:"your offers, and purchases under way"`
	Watching  []ui.Card               `json:"watching"`
	Searches  []watchviews.SearchCard `json:"searches"`
	Links     []ui.Link               `json:"links"`
	operator  []ui.Link
	counts    map[models.Status]int
	site      *ui.Site
}

// OwnListing is a listing on its seller's dashboard.
type OwnListing struct {
	ui.Card
	Offers   int `json:"offers" jsonschema:"number of open offers" min:"0"`
	Watchers int `json:"watchers" jsonschema:"number of people who watch it" min:"0"`
}

// DashboardParts holds what the dashboard is made of. Each list has the rows to show.
type DashboardParts struct {
	Identity       *models.Identity
	Waiting        tradeviews.WaitingParts
	Counts         map[models.Status]int
	Active, Drafts []OwnListing
	Sales, Buying  []tradeviews.OfferCard
	Watching       []ui.Card
	Searches       []watchviews.SearchCard
	Operator       []ui.Link // pages for operators
}

// NewDashboard returns a member's dashboard.
func NewDashboard(site *ui.Site, parts *DashboardParts) *Dashboard {
	id := parts.Identity
	return &Dashboard{Handle: id.Member.Handle, Name: id.Member.Name, Email: id.Account.Email, Suspended: id.Account.Suspended(), Unread: parts.Waiting.Unread,
		Waiting: tradeviews.NewWaiting(parts.Waiting.Offers), Listings: ui.List(parts.Active), Drafts: ui.List(parts.Drafts), Sales: ui.List(parts.Sales), Buying: ui.List(parts.Buying),
		Watching: ui.List(parts.Watching), Searches: ui.List(parts.Searches),
		Links: []ui.Link{{Href: "/account/settings", Label: "Profile, email and password"}, {Href: "/account/passkeys", Label: "Passkeys"}, {Href: ui.MessagesPath, Label: "Messages"}, {Href: ui.MyKitPath, Label: "Your kit and its value"}, {Href: ui.ConnectPath, Label: "Connect a chat app"}, {Href: ui.BlocksPath, Label: "Blocked members"},
			{Href: "/account/export", Label: "Your data"}, {Href: ui.SellerPath(id.Member.Handle), Label: "Your public page"}},
		operator: parts.Operator, counts: parts.Counts, site: site}
}

// Head implements Page.
func (p *Dashboard) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Your account"), Description: ui.T(ctx, "Your buying, selling and watching on %s.", p.site.Name()), Path: "/account", NoIndex: true}
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
		return ui.T(ctx, "Your listings")
	}
	return ui.TN(ctx, n, "See your %s listing", "See all %s listings")
}

// interest says how much interest there is in a listing: "2 offers · 3 people watching".
func (l *OwnListing) interest(ctx context.Context) string {
	text := watchviews.WatchingText(ctx, l.Watchers)
	if l.Offers > 0 {
		text = ui.TN(ctx, l.Offers, "%s offer", "%s offers") + " · " + text
	}
	return text
}

// Markdown implements Page.
func (p *Dashboard) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Your account"), ui.T(ctx, p.notice())).In(ctx)
	m.Raw("\n")
	m.FactRows([]ui.Fact{{Name: "Name", Value: ui.Untrusted(p.Name), Href: ui.SellerPath(p.Handle)}, {Name: "Username", Value: p.Handle}, {Name: "Email", Value: p.Email}})
	tradeviews.WriteWaiting(m, p.Unread, p.Waiting)
	m.Section("Selling")
	writeOfferLines(m, p.Sales)
	for _, l := range append(p.Listings[:len(p.Listings):len(p.Listings)], p.Drafts...) {
		m.Raw("- ", m.Link(ui.Link{Href: l.Path(), Label: ui.Untrusted(l.Title)}), ": ", ui.MarkdownText(l.PriceIn(languages.Of(ctx))))
		if l.ForSale() {
			m.Raw(". ", ui.MarkdownText(l.interest(ctx)))
		}
		m.Raw("\n")
	}
	m.Section("Buying")
	writeOfferLines(m, p.Buying)
	m.Cards("Watching", p.Watching)
	if len(p.Searches) > 0 {
		m.Section("Saved searches")
	}
	for i := range p.Searches {
		s := &p.Searches[i]
		m.Raw("- ", m.Link(ui.Link{Href: s.Path(), Label: ui.Untrusted(s.Name)}), ": ", ui.T(ctx, watchviews.EveryText(s.Every)), "\n")
	}
	m.Links(append(p.Links[:len(p.Links):len(p.Links)], ui.Link{Href: ui.AdvancedPath, Label: "Advanced"}))
	return m.Done(w)
}

// writeOfferLines writes offers as a list.
func writeOfferLines(m *ui.Markdown, offers []tradeviews.OfferCard) {
	for i := range offers {
		o := &offers[i]
		m.Raw("- ", m.Link(ui.Link{Href: ui.OfferPath(o.ID), Label: ui.Untrusted(o.Title)}), ": ", ui.MoneyIn(m.Context, o.Amount), ". ", ui.MarkdownText(o.ShortState(m.Context, o.With.Handle)), "\n")
	}
}
