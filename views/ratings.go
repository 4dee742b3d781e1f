package views

import (
	"context"
	"io"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// Rating is the page of a rating that a member gave after a completed sale.
type Rating struct {
	Offer   string `json:"offer" jsonschema:"UUID of the completed offer"`
	Stars   int    `json:"stars" jsonschema:"1 (bad) to 5 (very good)"`
	Text    string `json:"text,omitempty" jsonschema:"plain text" untrusted:"true"`
	By      Person `json:"by" jsonschema:"member who gave the rating"`
	Member  Person `json:"member" jsonschema:"rated member"`
	RatedAt string `json:"rated_at"`
	site    *Site
}

// NewRating returns the page of a rating.
func NewRating(site *Site, r *models.Rating, by, rated *models.Member) *Rating {
	return &Rating{Offer: r.OfferID, Stars: r.Stars, Text: r.Text, By: newPerson(site, by), Member: newPerson(site, rated), RatedAt: r.At.RFC3339(), site: site}
}

// Head implements Page.
func (p *Rating) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Your rating of %s", p.Member.Name), Description: t(ctx, "What you say of %s.", p.Member.Name), Path: "/account/offers/" + p.Offer, NoIndex: true, Crumbs: []Link{accountCrumb}}
}

// Resource returns the path of the rated member in the API.
func (p *Rating) Resource() string { return "/api/sellers/" + p.Member.Handle }

// starText formats a number of stars: "★★★★☆ 4 of 5".
func starText(ctx context.Context, n int) string {
	return strings.Repeat("★", n) + strings.Repeat("☆", 5-n) + " " + t(ctx, "%d of 5", n)
}

// starChoices lists the values of a rating.
var starChoices = []Choice{
	{Value: "5", Label: "★★★★★ Very good", Meaning: "I would trade with them again at once"},
	{Value: "4", Label: "★★★★☆ Good", Meaning: "Small things could have been better"},
	{Value: "3", Label: "★★★☆☆ All right", Meaning: "It worked out, not without trouble"},
	{Value: "2", Label: "★★☆☆☆ Poor", Meaning: "Not as agreed in something that matters"},
	{Value: "1", Label: "★☆☆☆☆ Bad", Meaning: "Others should know of it"},
}

// Markdown implements Page.
func (p *Rating) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, t(ctx, "Your rating of %s", untrusted(p.Member.Name)), t(ctx, p.site.notice())).in(ctx)
	m.raw("\n", t(ctx, "%s of %s, %s, offer %s", m.person(&p.By), m.person(&p.Member), dayIn(ctx, p.RatedAt), p.Offer), ": ", starText(ctx, p.Stars), "\n\n")
	m.quote(p.Text)
	return m.done(w)
}
