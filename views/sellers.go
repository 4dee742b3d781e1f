package views

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/english"
	"github.com/secondlight/secondlight/models/search"
)

// Seller is the page of one seller.
type Seller struct {
	SellerCard
	Bio           string       `json:"bio" untrusted:"true"`
	Response      Responses    `json:"response"`
	RecentRatings []RatingCard `json:"recent_ratings"`
	Listings      []Card       `json:"listings" jsonschema:"for sale now, newest first"`
	Sales         []Card       `json:"recently_sold"`
	NextCursor    string       `json:"next_cursor,omitempty" jsonschema:"cursor of more listings in the search for this seller, GET /api/listings/search?seller={handle}&sort=newest"`
	Links         []Link       `json:"links"`
	Demo          bool         `json:"demo,omitempty"`
	Notice        string       `json:"notice,omitempty"`
	site          *Site
}

// AuthoredRating is a rating with the member who gave it.
type AuthoredRating struct {
	models.Rating
	By *models.Member
}

// WithRatings sets the rating summary, the ratings and the response times, and
// returns the page.
func (p *Seller) WithRatings(summary models.RatingSummary, ratings []AuthoredRating, r models.ResponseStats) *Seller {
	p.rate(summary, r)
	p.Response = newResponses(r)
	for i := range ratings {
		g := &ratings[i]
		p.RecentRatings = append(p.RecentRatings, RatingCard{Stars: g.Stars, Text: g.Text, By: newPerson(p.site, g.By), RatedAt: g.At.RFC3339()})
	}
	return p
}

// NewSeller returns the page of a seller. listings are for sale, newest first; sales
// are the last ones sold; next is the cursor to continue with in the search for this
// seller, "" for none.
func NewSeller(site *Site, m *models.Member, forSale, sold int, listings, sales []Card, next string) *Seller {
	p := &Seller{
		SellerCard: NewSellerCard(site, m, forSale, sold), Bio: m.Bio, NextCursor: next,
		Listings: list(listings), Sales: list(sales),
		Demo: m.Demo, site: site, Response: newResponses(models.ResponseStats{}), RecentRatings: []RatingCard{},
	}
	if m.Demo {
		p.Notice = DemoNotice
	}
	p.Links = p.links(context.Background())
	return p
}

// links returns the links at the end of the page in the reader's language.
func (p *Seller) links(ctx context.Context) []Link {
	return []Link{{p.searchPath(), t(ctx, "Everything from %s", p.Handle)}, {searchPath, t(ctx, "Shop all")}}
}

// searchPath returns the path of the search for this seller.
func (p *Seller) searchPath() string {
	return pathOf(search.Filter{Seller: p.Handle})
}

// Head implements Page.
func (p *Seller) Head(ctx context.Context) Head {
	return Head{
		Title:       p.Name,
		Description: tn(ctx, p.ForSale, "%[2]s has %[1]s listing for sale.", "%[2]s has %[1]s listings for sale.", p.placeText(ctx)),
		Path:        sellerPath(p.Handle),
		Crumbs:      []Link{{searchPath, "For sale"}},
		Alternates:  feedAlternates(p.searchPath()),
	}
}

// Markdown implements Page.
func (p *Seller) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, untrustedName(p.Name, p.Handle), t(ctx, p.Notice)).in(ctx)
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
	m.section("Ratings")
	m.raw(english.Sentence(p.ratingText(ctx)), "\n")
	for i := range p.RecentRatings {
		r := &p.RecentRatings[i]
		m.raw("\n", starText(ctx, r.Stars), ", ", m.person(&r.By), ", ", dayIn(ctx, r.RatedAt), "\n")
		if r.Text != "" {
			m.raw("\n")
			m.quote(r.Text)
		}
	}
	m.cards("Recently sold", p.Sales)
	m.links(p.links(ctx))
	return m.done(w)
}

// Schema describes the seller's profile.
func (p *Seller) Schema() thing {
	if p.Demo {
		return nil
	}
	return newThing("ProfilePage", "url", p.site.URL(p.Page), "mainEntity",
		newThing("Person", "name", p.Name, "alternateName", p.Handle, "identifier", p.Handle, "description", p.Bio, "url", p.site.URL(p.Page)))
}
