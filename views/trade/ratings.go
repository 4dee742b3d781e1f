package trade

import (
	"context"
	"io"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// Rating is the page of a rating that a member gave after a completed sale.
type Rating struct {
	Offer   string    `json:"offer" jsonschema:"UUID of the completed offer"`
	Stars   int       `json:"stars" jsonschema:"1 (bad) to 5 (very good)"`
	Text    string    `json:"text,omitempty" jsonschema:"plain text" untrusted:"true"`
	By      ui.Person `json:"by" jsonschema:"member who gave the rating"`
	Member  ui.Person `json:"member" jsonschema:"rated member"`
	RatedAt string    `json:"rated_at"`
	site    *ui.Site
}

// NewRating returns the page of a rating.
func NewRating(site *ui.Site, r *models.Rating, by, rated *models.Member) *Rating {
	return &Rating{Offer: r.OfferID, Stars: r.Stars, Text: r.Text, By: ui.NewPerson(site, by), Member: ui.NewPerson(site, rated), RatedAt: r.At.RFC3339(), site: site}
}

// Head implements Page.
func (p *Rating) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Your review of %s", p.Member.Name), Description: ui.T(ctx, "Your review of %s.", p.Member.Name), Path: "/account/offers/" + p.Offer, NoIndex: true, Crumbs: []ui.Link{ui.AccountCrumb}}
}

// Resource returns the path of the rated member in the API.
func (p *Rating) Resource() string { return "/api/sellers/" + p.Member.Handle }

// StarText formats a number of stars: "★★★★☆ 4 of 5".
func StarText(ctx context.Context, n int) string {
	return strings.Repeat("★", n) + strings.Repeat("☆", 5-n) + " " + ui.T(ctx, "%d of 5", n)
}

// starChoices lists the values of a rating.
var starChoices = []ui.Choice{
	{Value: "5", Label: "★★★★★ Very good", Meaning: "Would deal with them again"},
	{Value: "4", Label: "★★★★☆ Good", Meaning: "Minor niggles"},
	{Value: "3", Label: "★★★☆☆ OK", Meaning: "Got there in the end, with some trouble"},
	{Value: "2", Label: "★★☆☆☆ Poor", Meaning: "Something important wasn't as agreed"},
	{Value: "1", Label: "★☆☆☆☆ Bad", Meaning: "Others should know"},
}

// Markdown implements Page.
func (p *Rating) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Your review of %s", ui.Untrusted(p.Member.Name)), ui.T(ctx, p.site.Notice())).In(ctx)
	m.Raw("\n", ui.T(ctx, "%s about %s, %s, offer %s", m.Person(&p.By), m.Person(&p.Member), ui.DayIn(ctx, p.RatedAt), p.Offer), ": ", StarText(ctx, p.Stars), "\n\n")
	m.Quote(p.Text)
	return m.Done(w)
}
