package account

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/english"
	"github.com/secondlight/secondlight/models/search"
	tradeviews "github.com/secondlight/secondlight/views/trade"
	"github.com/secondlight/secondlight/views/ui"
)

// Seller is the page of one seller.
type Seller struct {
	ui.SellerCard
	Bio           string          `json:"bio" untrusted:"true"`
	Response      ui.Responses    `json:"response"`
	RecentRatings []ui.RatingCard `json:"recent_ratings"`
	Listings      []ui.Card       `json:"listings" jsonschema:"for sale now, newest first"`
	Sales         []ui.Card       `json:"recently_sold"`
	NextCursor    string          `json:"next_cursor,omitempty" jsonschema:"cursor of more listings in the search for this seller, GET /api/listings/search?seller={handle}&sort=newest"`
	Links         []ui.Link       `json:"links"`
	Demo          bool            `json:"demo,omitempty"`
	Notice        string          `json:"notice,omitempty"`
	site          *ui.Site
}

// AuthoredRating is a rating with the member who gave it.
type AuthoredRating struct {
	models.Rating
	By *models.Member
}

// WithRatings sets the rating summary, the ratings and the response times, and
// returns the page.
func (p *Seller) WithRatings(summary models.RatingSummary, ratings []AuthoredRating, r models.ResponseStats) *Seller {
	p.Rate(summary, r)
	p.Response = ui.NewResponses(r)
	for i := range ratings {
		g := &ratings[i]
		p.RecentRatings = append(p.RecentRatings, ui.RatingCard{Stars: g.Stars, Text: g.Text, By: ui.NewPerson(p.site, g.By), RatedAt: g.At.RFC3339()})
	}
	return p
}

// NewSeller returns the page of a seller. listings are for sale, newest first; sales
// are the last ones sold; next is the cursor to continue with in the search for this
// seller, "" for none.
func NewSeller(site *ui.Site, m *models.Member, forSale, sold int, listings, sales []ui.Card, next string) *Seller {
	p := &Seller{
		SellerCard: ui.NewSellerCard(site, m, forSale, sold), Bio: m.Bio, NextCursor: next,
		Listings: ui.List(listings), Sales: ui.List(sales),
		Demo: m.Demo, site: site, Response: ui.NewResponses(models.ResponseStats{}), RecentRatings: []ui.RatingCard{},
	}
	if m.Demo {
		p.Notice = ui.DemoNotice
	}
	p.Links = p.links(context.Background())
	return p
}

// links returns the links at the end of the page in the reader's language.
func (p *Seller) links(ctx context.Context) []ui.Link {
	return []ui.Link{{Href: p.searchPath(), Label: ui.T(ctx, "All listings from %s", p.Handle)}, {Href: ui.SearchPath, Label: ui.T(ctx, "Shop all")}}
}

// SearchPath returns the path of the search for this seller.
func (p *Seller) searchPath() string {
	return ui.PathOf(search.Filter{Seller: p.Handle})
}

// Head implements Page.
func (p *Seller) Head(ctx context.Context) ui.Head {
	return ui.Head{
		Title:       p.Name,
		Description: ui.TN(ctx, p.ForSale, "%[1]s listing by %[2]s.", "%[1]s listings by %[2]s.", p.PlaceText(ctx)),
		Path:        ui.SellerPath(p.Handle),
		Crumbs:      []ui.Link{{Href: ui.SearchPath, Label: "For sale"}},
		Alternates:  ui.FeedAlternates(p.searchPath()),
	}
}

// Markdown implements Page.
func (p *Seller) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.UntrustedName(p.Name, p.Handle), ui.T(ctx, p.Notice)).In(ctx)
	m.Raw("\n")
	m.Seller(&p.SellerCard)
	if p.Bio != "" {
		m.Section("About")
		m.Quote(p.Bio)
	}
	m.Cards("For sale", p.Listings)
	if p.NextCursor != "" {
		m.Raw("\n", m.Link(ui.Link{Href: ui.WithCursor(p.searchPath(), p.NextCursor), Label: "More for sale"}), "\n")
	}
	m.Section("Ratings")
	m.Raw(english.Sentence(p.RatingText(ctx)), "\n")
	for i := range p.RecentRatings {
		r := &p.RecentRatings[i]
		m.Raw("\n", tradeviews.StarText(ctx, r.Stars), ", ", m.Person(&r.By), ", ", ui.DayIn(ctx, r.RatedAt), "\n")
		if r.Text != "" {
			m.Raw("\n")
			m.Quote(r.Text)
		}
	}
	m.Cards("Recently sold", p.Sales)
	m.Links(p.links(ctx))
	return m.Done(w)
}

// Schema describes the seller's profile.
func (p *Seller) Schema() ui.Thing {
	if p.Demo {
		return nil
	}
	return ui.NewThing("ProfilePage", "url", p.site.URL(p.Page), "mainEntity",
		ui.NewThing("Person", "name", p.Name, "alternateName", p.Handle, "identifier", p.Handle, "description", p.Bio, "url", p.site.URL(p.Page)))
}
