package views

import (
	"io"

	"github.com/secondlight/secondlight/models"
)

// SellerCard is a seller as a listing shows one.
type SellerCard struct {
	Handle  string        `json:"handle"`
	Name    string        `json:"name"`
	URL     string        `json:"url"`
	Region  models.Region `json:"region"`
	Since   string        `json:"member_since" jsonschema:"month, such as 2024-03"`
	ForSale int           `json:"for_sale"`
	Sold    int           `json:"sold" jsonschema:"listings sold here"`
}

// Seller is the page of one seller.
type Seller struct {
	SellerCard
	Bio        string `json:"bio"`
	Listings   []Card `json:"listings" jsonschema:"for sale now, newest first"`
	Sales      []Card `json:"recently_sold"`
	NextCursor string `json:"next_cursor,omitempty"`
	Links      []Link `json:"links"`
	Demo       bool   `json:"demo,omitempty"`
	Notice     string `json:"notice,omitempty"`
	site       *Site
}

// NewSellerCard makes a seller as a listing shows one. forSale and sold count
// the seller's listings here.
func NewSellerCard(site *Site, m *models.Member, forSale, sold int) SellerCard {
	return SellerCard{
		Handle: m.Handle, Name: m.Name, URL: site.URL(sellerPath(m.Handle)), Region: m.Region,
		Since: models.MonthOf(m.JoinedAt).String(), ForSale: forSale, Sold: sold,
	}
}

// NewSeller makes the page of a seller: some of the listings for sale, newest
// first, the cursor to read on in a search of that seller, and what was sold last.
func NewSeller(site *Site, m *models.Member, forSale, sold int, listings, sales []Card, next string) *Seller {
	p := &Seller{
		SellerCard: NewSellerCard(site, m, forSale, sold), Bio: m.Bio, NextCursor: next,
		Listings: list(listings), Sales: list(sales),
		Demo: m.Demo, site: site,
	}
	if m.Demo {
		p.Notice = DemoNotice
	}
	p.Links = []Link{{p.searchPath(), "Search everything from " + m.Name}, {searchPath, "Everything for sale"}}
	return p
}

func (p *Seller) searchPath() string {
	q := Query{Seller: p.Handle}
	q.Sort = q.DefaultSort()
	return q.Path()
}

// Head implements Page.
func (p *Seller) Head() Head {
	return Head{
		Title:       p.Name,
		Description: p.Name + " in " + RegionName(p.Region) + " has " + countText(p.ForSale, "listing", "listings") + " for sale.",
		Path:        sellerPath(p.Handle),
		Crumbs:      []Link{{searchPath, "For sale"}},
		Alternates:  feedAlternates(p.searchPath()),
	}
}

// Markdown implements Page.
func (p *Seller) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, p.Name, p.Notice)
	m.raw("\n")
	m.seller(&p.SellerCard)
	if p.Bio != "" {
		m.section("About")
		m.quote(p.Bio)
	}
	m.cards("For sale", p.Listings)
	if p.NextCursor != "" {
		m.raw("\n", m.link(Link{withCursor(p.searchPath(), p.NextCursor), "More for sale"}), "\n")
	}
	m.cards("Recently sold", p.Sales)
	m.links(p.Links)
	return m.done(w)
}

func (m *markdown) seller(s *SellerCard) {
	m.head("Fact", "Value")
	m.row("Seller", m.link(Link{sellerPath(s.Handle), s.Name}))
	m.row("Handle", mdText(s.Handle))
	m.row("Region", RegionName(s.Region))
	m.row("Member since", MonthText(s.Since))
	m.row("For sale", numberText(s.ForSale))
	m.row("Sold here", numberText(s.Sold))
}
