package views

import (
	"context"
	"io"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// MyListing is a listing as its seller sees it in a list.
type MyListing struct {
	Card
	Version   int64        `json:"version"`
	ExpiresAt string       `json:"expires_at,omitempty"`
	Sale      *OwnSale     `json:"sale,omitempty" jsonschema:"last sale of the listing"`
	Attention []string     `json:"attention,omitempty"`
	Steps     []SellerStep `json:"steps"`
}

// NewMyListing returns a listing as its seller sees it in a list. offers counts the
// offers that wait for an answer; sale is the last sale, nil for none.
func NewMyListing(site *Site, l *models.Listing, gear *models.Gear, seller string, offers int, sale *models.Sale, now models.Time) MyListing {
	c := MyListing{Card: NewCard(site, l, gear, seller, nil), Sale: newOwnSale(site, sale), Version: l.Version, Steps: list(stepsOf(l.ID, l.Status))}
	note := func(text string) { c.Attention = append(c.Attention, text) }
	if l.Status == models.StatusActive {
		c.ExpiresAt = l.ExpiresAt.RFC3339()
	}
	if offers > 0 {
		note(countText(offers, "offer waits", "offers wait") + " for your answer.")
	}
	const week = 7 * 24 * 60 * 60 * 1000
	switch {
	case l.Status == models.StatusDraft:
		note("Is a draft: nobody sees it until you publish it.")
	case l.Status == models.StatusActive && l.ExpiresAt != 0 && l.ExpiresAt-now < week:
		note("Expires on " + DayText(c.ExpiresAt) + ".")
	case l.Status == models.StatusReserved && now-l.UpdatedAt > week:
		note("Is reserved since " + DayText(l.UpdatedAt.RFC3339()) + ".")
	case l.Status == models.StatusExpired:
		note("Has expired: put it back on sale if you still have it.")
	}
	if c.Sale != nil && (c.Sale.State == "disputed" || c.Sale.State == "voided" && l.Status == models.StatusEnded) {
		note(c.Sale.Text)
	}
	if l.Status.Open() && len(l.Photos) == 0 {
		note("Has no photograph.")
	}
	return c
}

// StatusCount counts a member's listings in a status.
type StatusCount struct {
	Status models.Status `json:"status"`
	Count  int           `json:"count"`
	Ref
}

// MyListingsParts holds what the page of a member's own listings is made of.
type MyListingsParts struct {
	Counts   map[models.Status]int
	Order    []models.Status
	Status   models.Status // the status to show, "" for all
	Listings []MyListing   // sorted by Order
	Next     Next
	Export   func(io.Writer) error
}

// MyListings is the page of a member's own listings.
type MyListings struct {
	Counts     []StatusCount `json:"counts"`
	Listings   []MyListing   `json:"listings" jsonschema:"yours, by status"`
	NextCursor string        `json:"next_cursor,omitempty"`
	Links      []Link        `json:"links"`
	next       Next
	only       models.Status
	export     func(io.Writer) error
	site       *Site
}

// myListingsPath is the path of the page of a member's own listings.
const myListingsPath = "/account/listings"

// NewMyListings returns the page of a member's own listings.
func NewMyListings(site *Site, parts MyListingsParts) *MyListings {
	p := &MyListings{Counts: []StatusCount{}, Listings: list(parts.Listings), NextCursor: parts.Next.Cursor, next: parts.Next, only: parts.Status, export: parts.Export, site: site}
	for _, status := range parts.Order {
		if n := parts.Counts[status]; n > 0 {
			p.Counts = append(p.Counts, StatusCount{status, n, newRef(myListingsPath + "?status=" + string(status))})
		}
	}
	p.Links = []Link{{"/sell", "Sell something"}, {advancedPath + "#import", "Import and export as CSV"}}
	if p.only != "" {
		p.Links = append(p.Links, Link{myListingsPath, "All your listings"})
	}
	return p
}

// Head implements Page.
func (p *MyListings) Head(ctx context.Context) Head {
	h := Head{Title: "Your listings", Description: "What you sell and have sold.", Path: myListingsPath, NoIndex: true, Crumbs: []Link{{"/account", "Your account"}},
		Alternates: []Alternate{{myListingsPath + ".csv", "text/csv"}}}
	if p.only != "" {
		h.Path += "?status=" + string(p.only)
	}
	return h
}

// After implements web.PagedPage.
func (p *MyListings) After() string { return p.NextCursor }

// more returns the path of the next page, "" if there is none.
func (p *MyListings) more() string {
	return p.next.path(myListingsPath + "?status=" + string(p.only))
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
	m := newMarkdown(p.site, "Your listings", "")
	if len(p.Counts) == 0 {
		m.text("You have none yet.")
	} else {
		m.raw("\n")
		m.head("Status", "Listings")
		for _, c := range p.Counts {
			m.row(m.link(Link{c.Page, string(c.Status)}), numberText(c.Count))
		}
		m.section("Listings")
		m.head("Listing", "Id", "Status", "Version", "Price", "Condition", "Region", "Published", "For sale until", "Needs attention", "Next steps")
		for i := range p.Listings {
			c := &p.Listings[i]
			m.row(m.link(Link{c.path(), untrusted(c.Title)}), c.ID, string(c.Status), strconv.FormatInt(c.Version, 10), MoneyText(c.Price), c.conditionText(), RegionName(c.Region), DayText(c.PublishedAt), DayText(c.ExpiresAt), mdText(strings.TrimSpace(strings.Join(c.Attention, " ")+" "+c.saleText())), mdText(c.stepText()))
		}
	}
	if next := p.more(); next != "" {
		m.raw("\n", m.link(Link{next, "More of them"}), "\n")
	}
	m.links(p.Links)
	return m.done(w)
}

// stepText joins the names of the next operations.
func (c *MyListing) stepText() string {
	names := make([]string, len(c.Steps))
	for i, s := range c.Steps {
		names[i] = s.Name
	}
	return join(names)
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
func (c *MyListing) saleText() string {
	if c.Sale == nil {
		return ""
	}
	return "Sold for " + MoneyText(c.Sale.Price) + ". " + c.Sale.Text
}

// statusHeadings maps the statuses of listings to the headings of their sections.
var statusHeadings = map[models.Status]string{
	models.StatusDraft: "Drafts", models.StatusActive: "For sale", models.StatusReserved: "Reserved", models.StatusSold: "Sold",
	models.StatusEnded: "Ended", models.StatusExpired: "Expired", models.StatusRemoved: "Removed by the operator",
}

// editLabel returns the label of the link to the form.
func (c *MyListing) editLabel() string {
	if c.Status.Open() {
		return "Edit"
	}
	return "Work on it"
}
