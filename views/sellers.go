package views

import (
	"context"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/english"
	"github.com/secondlight/secondlight/models/search"
)

// SellerCard is a seller as a listing shows them.
type SellerCard struct {
	Handle string `json:"handle"`
	Name   string `json:"name" untrusted:"true"`
	Ref
	Region  models.Region `json:"region"`
	Since   string        `json:"member_since" jsonschema:"month, such as 2024-03"`
	ForSale int           `json:"for_sale"`
	Sold    int           `json:"sold" jsonschema:"number of listings sold here"`
	Stars   *float64      `json:"stars,omitempty" jsonschema:"average rating from 1 to 5, to one decimal; absent without ratings"`
	Ratings int           `json:"ratings" jsonschema:"number of ratings"`
	replies string        // how fast the seller usually replies, "" if unknown
}

// RatingCard is a rating on the page of the rated seller.
type RatingCard struct {
	Stars   int    `json:"stars" jsonschema:"1 (bad) to 5 (very good)"`
	Text    string `json:"text,omitempty" jsonschema:"plain text" untrusted:"true"`
	By      Person `json:"by" jsonschema:"member who gave the rating"`
	RatedAt string `json:"rated_at"`
}

// Responses holds how often and how fast a seller answers messages.
type Responses struct {
	Asked    int    `json:"asked" jsonschema:"how many conversations of the last 90 days, at most 200, are answered or more than a day old"`
	Answered int    `json:"answered"`
	Minutes  int    `json:"median_minutes,omitempty" jsonschema:"median minutes to the first answer; absent with fewer than 5 conversations, or when more than half are unanswered" min:"1"`
	Text     string `json:"text,omitempty" jsonschema:"description; absent without median_minutes"`
}

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

// NewSellerCard returns a seller as a listing shows them. forSale and sold count the
// seller's listings.
func NewSellerCard(site *Site, m *models.Member, forSale, sold int) SellerCard {
	return SellerCard{
		Handle: m.Handle, Name: m.Name, Ref: newRef(sellerPath(m.Handle)), Region: m.Region,
		Since: models.MonthOf(m.JoinedAt).String(), ForSale: forSale, Sold: sold,
	}
}

// rate sets the rating summary of the card.
func (c *SellerCard) rate(summary models.RatingSummary) {
	c.Stars, c.Ratings = nil, summary.Ratings
	if summary.Ratings > 0 {
		stars := float64(summary.Average()) / 10
		c.Stars = &stars
	}
}

// ratingText describes the rating summary: "4.5 of 5 stars from 12 ratings".
func (c *SellerCard) ratingText() string {
	if c.Stars == nil {
		if c.Sold == 0 {
			return "new seller, no ratings yet"
		}
		return "no ratings yet"
	}
	return strconv.FormatFloat(*c.Stars, 'f', -1, 64) + " of 5 stars from " + countText(c.Ratings, "rating", "ratings")
}

// ratingLine is ratingText as a line of its own.
func (c *SellerCard) ratingLine() string {
	return strings.TrimSuffix(english.Sentence(c.ratingText()), ".")
}

// sinceText returns where the seller is and since when they are a member: "Germany,
// member since Mar 2024".
func (c *SellerCard) sinceText() string {
	if c.Region == "" {
		return "Member since " + MonthText(c.Since)
	}
	return RegionName(c.Region) + ", member since " + MonthText(c.Since)
}

// placeText names the seller and where they are: "Anna Keller in Germany".
func (c *SellerCard) placeText() string {
	if c.Region == "" {
		return c.Name
	}
	return c.Name + " in " + RegionName(c.Region)
}

// tradeText counts the listings and sales of the seller, with their rating if they
// have one.
func (c *SellerCard) tradeText() string {
	text := numberText(c.ForSale) + " for sale"
	if c.Sold > 0 {
		text += ", " + numberText(c.Sold) + " sold here"
	}
	return text
}

// trustText tells in a few words what is known of the seller: "4.8 from 12 ratings · 48
// sold", or since when they are a member.
func (c *SellerCard) trustText() string {
	sold := ""
	if c.Sold > 0 {
		sold = numberText(c.Sold) + " sold"
	}
	switch {
	case c.Stars != nil:
		text := strconv.FormatFloat(*c.Stars, 'f', -1, 64) + " from " + countText(c.Ratings, "rating", "ratings")
		return strings.TrimSuffix(text+" · "+sold, " · ")
	case sold != "":
		return sold + " · member since " + MonthText(c.Since)
	}
	return "New seller, no ratings yet · member since " + MonthText(c.Since)
}

// AuthoredRating is a rating with the member who gave it.
type AuthoredRating struct {
	models.Rating
	By *models.Member
}

// WithRatings sets the rating summary, the ratings and the response times, and
// returns the page.
func (p *Seller) WithRatings(summary models.RatingSummary, ratings []AuthoredRating, r models.ResponseStats) *Seller {
	p.rate(summary)
	p.Response, p.replies = newResponses(r), repliesText(r)
	for i := range ratings {
		g := &ratings[i]
		p.RecentRatings = append(p.RecentRatings, RatingCard{Stars: g.Stars, Text: g.Text, By: newPerson(p.site, g.By), RatedAt: g.At.RFC3339()})
	}
	return p
}

func newResponses(r models.ResponseStats) Responses {
	v := Responses{Asked: r.Conversations, Answered: r.Answered}
	if r.Median > 0 {
		v.Minutes = max(1, int(r.Median.Round(time.Minute)/time.Minute))
	}
	v.Text = repliesText(r)
	return v
}

// repliesText says how fast a seller usually replies: "Usually replies within 2 hours".
// It returns "" if that is not known.
func repliesText(r models.ResponseStats) string {
	if r.Median <= 0 {
		return ""
	}
	minutes := max(1, int((r.Median+time.Minute-1)/time.Minute))
	switch {
	case minutes <= 60:
		return "Usually replies within an hour"
	case minutes <= 24*60:
		return "Usually replies within " + countText((minutes+59)/60, "hour", "hours")
	}
	return "Usually replies within " + countText((minutes+24*60-1)/(24*60), "day", "days")
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
	p.Links = []Link{{p.searchPath(), "Search everything from " + m.Handle}, {searchPath, "Shop all"}}
	return p
}

// searchPath returns the path of the search for this seller.
func (p *Seller) searchPath() string {
	return pathOf(search.Filter{Seller: p.Handle})
}

// Head implements Page.
func (p *Seller) Head(ctx context.Context) Head {
	return Head{
		Title:       p.Name,
		Description: p.placeText() + " has " + countText(p.ForSale, "listing", "listings") + " for sale.",
		Path:        sellerPath(p.Handle),
		Crumbs:      []Link{{searchPath, "For sale"}},
		Alternates:  feedAlternates(p.searchPath()),
	}
}

// Markdown implements Page.
func (p *Seller) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, untrustedName(p.Name, p.Handle), p.Notice)
	m.raw("\n")
	m.seller(&p.SellerCard)
	if p.Bio != "" {
		m.section("About")
		m.quote(p.Bio)
	}
	m.section("Ratings")
	m.raw(english.Sentence(p.ratingText()), "\n")
	for i := range p.RecentRatings {
		r := &p.RecentRatings[i]
		m.raw("\n", starText(r.Stars), ", ", m.person(&r.By), ", ", DayText(r.RatedAt), "\n")
		if r.Text != "" {
			m.raw("\n")
			m.quote(r.Text)
		}
	}
	m.cards("For sale", p.Listings)
	if p.NextCursor != "" {
		m.raw("\n", m.link(Link{withCursor(p.searchPath(), p.NextCursor), "More for sale"}), "\n")
	}
	m.cards("Recently sold", p.Sales)
	m.links(p.Links)
	return m.done(w)
}

// seller writes the facts of a seller.
func (m *markdown) seller(s *SellerCard) {
	m.head("Fact", "Value")
	m.row("Seller", m.link(Link{sellerPath(s.Handle), untrustedName(s.Name, s.Handle)}))
	m.row("Handle", mdText(s.Handle))
	if s.Region != "" {
		m.row("Region", RegionName(s.Region))
	}
	m.row("Member since", MonthText(s.Since))
	m.row("For sale", numberText(s.ForSale))
	m.row("Sold here", numberText(s.Sold))
	m.row("Rating", s.ratingText())
	if s.replies != "" {
		m.row("Replies", s.replies)
	}
}
