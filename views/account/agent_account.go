package account

import (
	"io"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/english"
	tradeviews "github.com/secondlight/secondlight/views/trade"
	"github.com/secondlight/secondlight/views/ui"
)

// Result returns what get_me returns.
func (p *Me) Result(*ui.NoOptions) *MeResult {
	return &MeResult{p.Handle, p.Region, p.Role, p.Suspended, p.Unread, p.Waiting, p.Listings, p.Scopes, p}
}

// SellerOptions are the options of the result of a seller.
type SellerOptions struct {
	Include []string `json:"include,omitempty" enum:"listings,sold,ratings" jsonschema:"listings for sale, recently sold, recent ratings"`
}

// SellerResult is the result of reading a seller.
type SellerResult struct {
	Handle   string            `json:"handle"`
	Name     string            `json:"name" untrusted:"true"`
	Bio      string            `json:"bio,omitempty" jsonschema:"its first 400 characters" untrusted:"true"`
	Region   models.Region     `json:"region"`
	Since    string            `json:"member_since"`
	Stars    *float64          `json:"stars,omitempty" jsonschema:"average rating from 1 to 5"`
	Ratings  int               `json:"ratings" jsonschema:"number of ratings"`
	Sold     int               `json:"sold" jsonschema:"number of listings sold"`
	ForSale  int               `json:"for_sale" jsonschema:"number of listings for sale: search_listings with seller finds them"`
	Minutes  int               `json:"answers_in_minutes,omitempty" jsonschema:"median; absent if unknown"`
	Listings []ui.ListingBrief `json:"listings,omitempty"`
	Sales    []ui.ListingBrief `json:"recently_sold,omitempty"`
	Recent   []RatingBrief     `json:"recent_ratings,omitempty"`
	page     *Seller
}

// RatingBrief is a rating of a seller.
type RatingBrief struct {
	Stars int    `json:"stars"`
	Text  string `json:"text,omitempty" untrusted:"true"`
}

// Result returns what get_seller returns.
func (p *Seller) Result(o *SellerOptions) *SellerResult {
	r := &SellerResult{Handle: p.Handle, Name: p.Name, Bio: ui.Excerpt(p.Bio, ui.MaxResultText), Region: p.Region, Since: p.Since, Stars: p.Stars, Ratings: p.Ratings, Sold: p.Sold, ForSale: p.ForSale, Minutes: p.Response.Minutes, page: p}
	for _, part := range o.Include {
		switch part {
		case "listings":
			r.Listings = ui.Briefs(p.Listings)
		case "sold":
			r.Sales = ui.Briefs(p.Sales)
		case "ratings":
			r.Recent = ui.Each(p.RecentRatings, func(rating *ui.RatingCard) RatingBrief { return RatingBrief{rating.Stars, rating.Text} })
		}
	}
	return r
}

// Text implements web.ToolResult.
func (r *SellerResult) Text(w io.Writer) error {
	p := r.page
	m := ui.NewMarkdown(p.site, ui.UntrustedName(p.Name, p.Handle), "")
	m.Raw(p.site.URL(p.Page), "\n")
	m.Demo(p.Demo)
	m.Raw("\n", p.SinceText(m.Context), ", ", p.RatingText(m.Context), ", ", ui.NumberText(p.Sold), " sold, ", ui.NumberText(p.ForSale), " for sale. ", english.Sentence(p.Response.Text), "\n")
	if p.Bio != "" {
		m.Raw("\n")
		m.Quote(ui.Excerpt(p.Bio, ui.MaxResultText))
	}
	if len(r.Listings) > 0 {
		m.Raw("\nFor sale:\n")
		m.Lines(p.Listings)
	}
	if len(r.Sales) > 0 {
		m.Raw("\nRecently sold:\n")
		m.Lines(p.Sales)
	}
	for _, rating := range r.Recent {
		m.Raw("- ", ui.NumberText(rating.Stars), " of 5: ", ui.MarkdownText(ui.Untrusted(rating.Text)), "\n")
	}
	m.ToolNames([]string{"search_listings (seller=" + p.Handle + ")"})
	return m.Done(w)
}

// MeResult is the result of reading the caller's account.
type MeResult struct {
	Handle    string               `json:"handle"`
	Region    models.Region        `json:"region"`
	Role      string               `json:"role" enum:"member,operator"`
	Suspended bool                 `json:"suspended,omitempty" jsonschema:"true when the account is read-only"`
	Unread    int                  `json:"unread" jsonschema:"number of unread messages"`
	Waiting   []tradeviews.Waiting `json:"waiting,omitempty" jsonschema:"offers that wait for the member"`
	Listings  ListingCounts        `json:"listings"`
	Scopes    []models.Scope       `json:"scopes" jsonschema:"what this token may do"`
	page      *Me
}

// Text implements web.ToolResult.
func (r *MeResult) Text(w io.Writer) error {
	p := r.page
	m := ui.NewMarkdown(p.site, "Your account", p.notice())
	m.Raw("\n", ui.MarkdownText(ui.UntrustedName(p.Name, p.Handle)), ", ", p.Handle, ", ", ui.MarkdownText(p.Email), ". ")
	for _, c := range p.counts(m.Context) {
		m.Raw(c.Name, ": ", c.Value, ". ")
	}
	m.Raw("\n")
	for _, w := range p.Waiting {
		m.Raw("- ", w.Text, ": offer ", w.Offer, ", ", ui.MarkdownText(ui.Untrusted(ui.Excerpt(w.Title, 60))), ", by ", w.DueAt, "\n")
	}
	return m.Done(w)
}
