package ui

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/english"
)

// SellerCard is a seller as a listing shows them.
type SellerCard struct {
	Handle string `json:"handle"`
	Name   string `json:"name" untrusted:"true"`
	Ref
	Region    models.Region        `json:"region"`
	Since     string               `json:"member_since" jsonschema:"month, such as 2024-03"`
	ForSale   int                  `json:"for_sale"`
	Sold      int                  `json:"sold" jsonschema:"number of listings sold here"`
	Stars     *float64             `json:"stars,omitempty" jsonschema:"average rating from 1 to 5, to one decimal; absent without ratings"`
	Ratings   int                  `json:"ratings" jsonschema:"number of ratings"`
	responses models.ResponseStats // how fast the seller replies
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

// NewSellerCard returns a seller as a listing shows them. ForSale and sold count the
// seller's listings.
func NewSellerCard(site *Site, m *models.Member, forSale, sold int) SellerCard {
	return SellerCard{
		Handle: m.Handle, Name: m.Name, Ref: NewRef(SellerPath(m.Handle)), Region: m.Region,
		Since: models.MonthOf(m.JoinedAt).String(), ForSale: forSale, Sold: sold,
	}
}

// Rate sets the rating summary of the card.
func (c *SellerCard) Rate(summary models.RatingSummary, responses models.ResponseStats) {
	c.Stars, c.Ratings, c.responses = nil, summary.Ratings, responses
	if summary.Ratings > 0 {
		stars := float64(summary.Average()) / 10
		c.Stars = &stars
	}
}

// RatingText describes the rating summary: "4.5 of 5 stars from 12 ratings".
func (c *SellerCard) RatingText(ctx context.Context) string {
	if c.Stars == nil {
		if c.Sold == 0 {
			return T(ctx, "new seller, no ratings yet")
		}
		return T(ctx, "no ratings yet")
	}
	return TN(ctx, c.Ratings, "%[2]s of 5 stars from %[1]s rating", "%[2]s of 5 stars from %[1]s ratings", c.starsText(ctx))
}

// ratingLine is RatingText as a line of its own.
func (c *SellerCard) ratingLine(ctx context.Context) string {
	return strings.TrimSuffix(english.Sentence(c.RatingText(ctx)), ".")
}

// SinceText returns where the seller is and since when they are a member: "Germany,
// member since Mar 2024".
func (c *SellerCard) SinceText(ctx context.Context) string {
	if c.Region == "" {
		return T(ctx, "Member since %s", MonthIn(ctx, c.Since))
	}
	return T(ctx, "%s, member since %s", RegionIn(ctx, c.Region), MonthIn(ctx, c.Since))
}

// PlaceText names the seller and where they are: "Anna Keller, Germany".
func (c *SellerCard) PlaceText(ctx context.Context) string {
	if c.Region == "" {
		return c.Name
	}
	return c.Name + ", " + RegionIn(ctx, c.Region)
}

// tradeText counts the listings of the seller, and the sales if there are any: "4 for
// sale, 12 sold here".
func (c *SellerCard) tradeText(ctx context.Context) string {
	text := TN(ctx, c.ForSale, "%s for sale", "%s for sale")
	if c.Sold > 0 {
		text += ", " + TN(ctx, c.Sold, "%s sale here", "%s sales here")
	}
	return text
}

// TrustText tells in a few words what is known of the seller: "4.8 from 12 ratings · 48
// sold", or since when they are a member.
func (c *SellerCard) TrustText(ctx context.Context) string {
	sold := ""
	if c.Sold > 0 {
		sold = T(ctx, "%s sold", NumberIn(ctx, c.Sold))
	}
	switch {
	case c.Stars != nil:
		text := TN(ctx, c.Ratings, "%[2]s (%[1]s rating)", "%[2]s (%[1]s ratings)", c.starsText(ctx))
		return strings.TrimSuffix(text+" · "+sold, " · ")
	case sold != "":
		return T(ctx, "%s · member since %s", sold, MonthIn(ctx, c.Since))
	}
	return T(ctx, "New seller · joined %s", MonthIn(ctx, c.Since))
}

// starsText returns the average rating in the reader's language: "4.8".
func (c *SellerCard) starsText(ctx context.Context) string {
	return languages.Of(ctx).Decimal(strconv.FormatFloat(*c.Stars, 'f', -1, 64))
}

func NewResponses(r models.ResponseStats) Responses {
	v := Responses{Asked: r.Conversations, Answered: r.Answered}
	if r.Median > 0 {
		v.Minutes = max(1, int(r.Median.Round(time.Minute)/time.Minute))
	}
	v.Text = repliesText(context.Background(), r)
	return v
}

// repliesText says how fast a seller usually replies: "Usually replies within 2 hours".
// It returns "" if that is not known.
func repliesText(ctx context.Context, r models.ResponseStats) string {
	if r.Median <= 0 {
		return ""
	}
	minutes := max(1, int((r.Median+time.Minute-1)/time.Minute))
	switch {
	case minutes <= 60:
		return T(ctx, "Usually replies within an hour")
	case minutes <= 24*60:
		return TN(ctx, (minutes+59)/60, "Usually replies within %s hour", "Usually replies within %s hours")
	}
	return TN(ctx, (minutes+24*60-1)/(24*60), "Usually replies within %s day", "Usually replies within %s days")
}

// Seller writes the facts of a seller.
func (m *Markdown) Seller(s *SellerCard) {
	m.Head("Detail", "Value")
	ctx := m.Context
	m.Row(T(ctx, "Seller"), m.Link(Link{SellerPath(s.Handle), UntrustedName(s.Name, s.Handle)}))
	m.Row(T(ctx, "Username"), MarkdownText(s.Handle))
	if s.Region != "" {
		m.Row(T(ctx, "Region"), RegionIn(ctx, s.Region))
	}
	m.Row(T(ctx, "Member since"), MonthIn(ctx, s.Since))
	m.Row(T(ctx, "For sale"), NumberIn(ctx, s.ForSale))
	m.Row(T(ctx, "Sold here"), NumberIn(ctx, s.Sold))
	m.Row(T(ctx, "Rating"), s.RatingText(ctx))
	if replies := repliesText(ctx, s.responses); replies != "" {
		m.Row(T(ctx, "Replies"), replies)
	}
}
