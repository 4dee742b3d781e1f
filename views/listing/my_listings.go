package listing

import (
	"context"
	"io"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/views/ui"
)

// MyListing is a listing as its seller sees it in a list.
type MyListing struct {
	ui.Card
	Version   int64        `json:"version"`
	ExpiresAt string       `json:"expires_at,omitempty"`
	Sale      *OwnSale     `json:"sale,omitempty" jsonschema:"last sale of the listing"`
	Attention []string     `json:"attention,omitempty"`
	Steps     []SellerStep `json:"steps"`

	offers        int // that wait for an answer
	expiresSoon   bool
	reservedSince string // instant, "" unless it is long ago
}

// NewMyListing returns a listing as its seller sees it in a list. offers counts the
// offers that wait for an answer; sale is the last sale, nil for none.
func NewMyListing(site *ui.Site, l *models.Listing, gear *catalog.Gear, seller string, offers int, sale *models.Sale, now models.Time) MyListing {
	c := MyListing{Card: ui.NewCard(site, l, gear, seller, nil), Sale: newOwnSale(site, sale), Version: l.Version, Steps: ui.List(stepsOf(l.ID, l.Status)), offers: offers}
	if l.Status == models.StatusActive {
		c.ExpiresAt = l.ExpiresAt.RFC3339()
	}
	const week = 7 * 24 * 60 * 60 * 1000
	c.expiresSoon = l.Status == models.StatusActive && l.ExpiresAt != 0 && l.ExpiresAt-now < week
	if l.Status == models.StatusReserved && now-l.UpdatedAt > week {
		c.reservedSince = l.UpdatedAt.RFC3339()
	}
	c.Attention = c.attention(context.Background())
	return c
}

// attention returns what the seller should know about the listing.
func (c *MyListing) attention(ctx context.Context) []string {
	var notes []string
	note := func(text string) { notes = append(notes, text) }
	if c.offers > 0 {
		note(ui.TN(ctx, c.offers, "%s offer to reply to.", "%s offers to reply to."))
	}
	switch {
	case c.Status == models.StatusDraft:
		note(ui.T(ctx, "Draft. Publish it to go live."))
	case c.expiresSoon:
		note(ui.T(ctx, "Ends on %s.", ui.WeekdayIn(ctx, c.ExpiresAt)))
	case c.reservedSince != "":
		note(ui.T(ctx, "Reserved since %s.", ui.DayIn(ctx, c.reservedSince)))
	case c.Status == models.StatusExpired:
		note(ui.T(ctx, "Expired. Relist it if you still have it."))
	}
	if c.Sale != nil && (c.Sale.State == "disputed" || c.Sale.State == "voided" && c.Status == models.StatusEnded) {
		note(ui.T(ctx, c.Sale.Text))
	}
	if c.Status.Open() && c.Photo == nil {
		note(ui.T(ctx, "No photos yet. Add some."))
	}
	return notes
}

// StatusCount counts a member's listings in a status.
type StatusCount struct {
	Status models.Status `json:"status"`
	Count  int           `json:"count"`
	ui.Ref
}

// MyListingsParts holds what the page of a member's own listings is made of.
type MyListingsParts struct {
	Counts   map[models.Status]int
	Order    []models.Status
	Status   models.Status // the status to show, "" for all
	Listings []MyListing   // sorted by Order
	Next     ui.Next
	Export   func(io.Writer) error
}

// MyListings is the page of a member's own listings.
type MyListings struct {
	Counts     []StatusCount `json:"counts"`
	Listings   []MyListing   `json:"listings" jsonschema:"yours, by status"`
	NextCursor string        `json:"next_cursor,omitempty"`
	Links      []ui.Link     `json:"links"`
	next       ui.Next
	only       models.Status
	export     func(io.Writer) error
	site       *ui.Site
}

// NewMyListings returns the page of a member's own listings.
func NewMyListings(site *ui.Site, parts MyListingsParts) *MyListings {
	p := &MyListings{Counts: []StatusCount{}, Listings: ui.List(parts.Listings), NextCursor: parts.Next.Cursor, next: parts.Next, only: parts.Status, export: parts.Export, site: site}
	for _, status := range parts.Order {
		if n := parts.Counts[status]; n > 0 {
			p.Counts = append(p.Counts, StatusCount{status, n, ui.NewRef(ui.MyListingsPath + "?status=" + string(status))})
		}
	}
	p.Links = []ui.Link{{Href: "/sell", Label: "Sell something"}, {Href: ui.AdvancedPath + "#import", Label: "Import or export (CSV)"}}
	if p.only != "" {
		p.Links = append(p.Links, ui.Link{Href: ui.MyListingsPath, Label: "All your listings"})
	}
	return p
}

// Head implements Page.
func (p *MyListings) Head(ctx context.Context) ui.Head {
	h := ui.Head{Title: ui.T(ctx, "Your listings"), Description: ui.T(ctx, "Your active, sold and ended listings."), Path: ui.MyListingsPath, NoIndex: true, Crumbs: []ui.Link{{Href: "/account", Label: ui.T(ctx, "Your account")}},
		Alternates: []ui.Alternate{{Href: ui.MyListingsPath + ".csv", Type: "text/csv"}}}
	if p.only != "" {
		h.Path += "?status=" + string(p.only)
	}
	return h
}

// After implements web.PagedPage.
func (p *MyListings) After() string { return p.NextCursor }

// more returns the path of the next page, "" if there is none.
func (p *MyListings) more() string {
	return p.next.Path(ui.MyListingsPath + "?status=" + string(p.only))
}

// CSV writes all listings of the member, not only those on the page.
func (p *MyListings) CSV(w io.Writer) error {
	if p.export == nil {
		return nil
	}
	return p.export(w)
}

// Markdown implements Page.
func (p *MyListings) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Your listings"), "").In(ctx)
	if len(p.Counts) == 0 {
		m.Paragraph(ui.T(ctx, "No listings yet."))
	} else {
		m.Raw("\n")
		m.Head("Status", "Listings")
		for _, c := range p.Counts {
			m.Row(m.Link(ui.Link{Href: c.Page, Label: ui.StatusIn(ctx, c.Status)}), ui.NumberIn(ctx, c.Count))
		}
		m.Section("Listings")
		m.Head("Listing", "Id", "Status", "Version", "Price", "Condition", "Region", "Listed", "Listing ends", "Needs attention", "Next steps")
		for i := range p.Listings {
			c := &p.Listings[i]
			m.Row(m.Link(ui.Link{Href: c.Path(), Label: ui.Untrusted(c.TitleIn(ctx))}), c.ID, ui.StatusIn(ctx, c.Status), strconv.FormatInt(c.Version, 10), c.AskingIn(languages.Of(ctx)),
				c.StateText(ctx), ui.RegionIn(ctx, c.Region), ui.DayIn(ctx, c.PublishedAt), ui.DayIn(ctx, c.ExpiresAt),
				ui.MarkdownText(strings.TrimSpace(strings.Join(c.attention(ctx), " ")+" "+c.saleText(ctx))), ui.MarkdownText(c.stepText()))
		}
	}
	if next := p.more(); next != "" {
		m.Raw("\n", m.Link(ui.Link{Href: next, Label: "Show more"}), "\n")
	}
	m.Links(p.Links)
	return m.Done(w)
}

// stepText joins the names of the next operations.
func (c *MyListing) stepText() string {
	return ui.Join(stepTools(c.Steps))
}

// needingAttention returns the listings that need attention.
func (p *MyListings) needingAttention() []MyListing {
	var all []MyListing
	for _, c := range p.Listings {
		if len(c.Attention) > 0 {
			all = append(all, c)
		}
	}
	return all
}

// inStatus returns the listings of the page in a status.
func (p *MyListings) inStatus(status models.Status) []MyListing {
	var all []MyListing
	for _, c := range p.Listings {
		if c.Status == status {
			all = append(all, c)
		}
	}
	return all
}

// saleText describes the sale: "Sold for €450. Waiting for the buyer…".
func (c *MyListing) saleText(ctx context.Context) string {
	if c.Sale == nil {
		return ""
	}
	return ui.T(ctx, "Sold for %s", ui.MoneyIn(ctx, c.Sale.Price)) + ". " + ui.T(ctx, c.Sale.Text)
}

// statusHeadings maps the statuses of listings to the headings of their sections.
var statusHeadings = map[models.Status]string{
	models.StatusDraft:    languages.Mark("Drafts"),
	models.StatusActive:   languages.Mark("For sale now"),
	models.StatusReserved: languages.Mark("Reserved"),
	models.StatusSold:     languages.Mark("Sold"),
	models.StatusEnded:    languages.Mark("Ended"),
	models.StatusExpired:  languages.Mark("Expired"),
	models.StatusRemoved:  languages.Mark("Removed by us"),
}

// editLabel returns the label of the link to the form.
func (c *MyListing) editLabel() string {
	if c.Status.Open() {
		return languages.Mark("Edit")
	}
	return languages.Mark("Edit listing")
}
