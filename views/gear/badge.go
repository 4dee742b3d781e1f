package gear

import (
	"context"
	"fmt"
	"io"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/views/ui"
)

// Badge is a picture of what gear sells for, for pages of other sites.
type Badge struct {
	ui.Ref
	Gear  string `json:"gear" jsonschema:"catalogue slug"`
	Name  string `json:"gear_name"`
	Text  string `json:"text" jsonschema:"what it sells for" maxlength:"200"`
	Image string `json:"image" jsonschema:"address of the picture, SVG" format:"uri"`
	Embed string `json:"embed" jsonschema:"HTML that shows the picture with a link to the price history" maxlength:"1000"`
	Frame string `json:"frame" jsonschema:"HTML that shows a card with asking prices in a frame" maxlength:"1000"`

	estimate *prices.Estimate // nil if nothing can be said
	site     *ui.Site
}

// Size of a badge in pixels.
const (
	BadgeWidth  = 360
	BadgeHeight = 64
)

// CardHeight is the height of a card in pixels. It is as wide as its frame.
const CardHeight = 150

// CardPath returns the path of the card of gear.
func CardPath(slug string) string { return ui.GearPath(slug) + "/card" }

// BadgePath returns the path of the badge of gear.
func BadgePath(slug string) string { return ui.GearPath(slug) + "/badge" }

// NewBadge returns the badge of gear. The estimate is nil if nothing can be said.
func NewBadge(site *ui.Site, g *catalog.Gear, e *prices.Estimate) *Badge {
	p := &Badge{Ref: ui.NewRef(BadgePath(g.Slug())), Gear: g.Slug(), Name: g.Name(), Image: site.URL(BadgePath(g.Slug()) + ".svg"), site: site}
	if e != nil {
		p.estimate = e.Stated(site.Currency())
	}
	p.Text = p.text(context.Background())
	p.Embed = fmt.Sprintf(`<a href="%s"><img src="%s" width="%d" height="%d" alt="%s"></a>`, site.URL(ui.GearPath(p.Gear)), p.Image, BadgeWidth, BadgeHeight, templ.EscapeString(p.Name+". "+p.Text))
	p.Frame = fmt.Sprintf(`<iframe src="%s" width="100%%" height="%d" title="%s" loading="lazy" style="border:0;max-width:28rem"></iframe>`, site.URL(CardPath(p.Gear)), CardHeight, templ.EscapeString(p.Name))
	return p
}

// text says what the gear sells for.
func (p *Badge) text(ctx context.Context) string {
	e := p.estimate
	if e == nil {
		return ui.T(ctx, "Not enough sales to state a price.")
	}
	low, high := ui.MoneyIn(ctx, p.site.Currency().Money(e.Low)), ui.MoneyIn(ctx, p.site.Currency().Money(e.High))
	return ui.T(ctx, "Used: %s to %s (%s)", low, high, ui.TN(ctx, e.Sales, "%s sale", "%s sales"))
}

// cardStyle is the style sheet of a card.
const cardStyle = `:root{color-scheme:light dark}body{margin:0;font:15px/1.45 system-ui,sans-serif}a{display:block;box-sizing:border-box;min-height:100vh;padding:.9rem 1rem;border:1px solid #8886;border-radius:8px;color:inherit;text-decoration:none}` +
	`a:hover strong{text-decoration:underline}strong{font-size:1.1rem}p{margin:.2rem 0}small{opacity:.75}`

// Card returns the document that other sites show in a frame: what the gear sells for, and how
// many there are for sale with the lowest asking price.
func (p *Badge) Card(count int, lowest models.Cents) templ.Component {
	return priceCard(p, count, lowest)
}

// Head implements Page.
func (p *Badge) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "%s: price badge", p.Name), Description: p.Text, Path: BadgePath(p.Gear), NoIndex: true, Alternates: []ui.Alternate{{Href: BadgePath(p.Gear) + ".svg", Type: "image/svg+xml"}},
		Crumbs: []ui.Link{{Href: ui.GearPath(p.Gear), Label: p.Name}}}
}

// Markdown implements Page.
func (p *Badge) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "%s: price badge", p.Name), "").In(ctx)
	m.Demo(p.site.Demo())
	m.Paragraph(p.Text)
	m.Raw("\n```html\n", p.Embed, "\n```\n")
	m.Paragraph(ui.T(ctx, "Or frame a card that shows asking prices, too:"))
	m.Raw("\n```html\n", p.Frame, "\n```\n")
	return m.Done(w)
}

// SVG implements web.SVGPage.
func (p *Badge) SVG(_ context.Context, w io.Writer) error {
	name := p.site.Name()
	if p.site.Demo() {
		name += " (demo data)"
	}
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img" aria-labelledby="t"><title id="t">%[3]s. %[4]s</title><rect x=".5" y=".5" width="%[5]d" height="%[6]d" rx="6" fill="#fff" stroke="#bbb"/><g font-family="system-ui,sans-serif" fill="#111"><text x="12" y="22" font-size="13" font-weight="600">%[3]s</text><text x="12" y="40" font-size="13">%[4]s</text><text x="12" y="56" font-size="10" fill="#666">%[7]s</text></g></svg>`+"\n",
		BadgeWidth, BadgeHeight, templ.EscapeString(ui.Excerpt(p.Name, 44)), templ.EscapeString(p.Text), BadgeWidth-1, BadgeHeight-1, templ.EscapeString(ui.Excerpt(name, 50)))
	return err
}

// OEmbed is the answer to a consumer of oEmbed (https://oembed.com).
type OEmbed struct {
	Type         string `json:"type"`
	Version      string `json:"version"`
	Title        string `json:"title"`
	ProviderName string `json:"provider_name"`
	ProviderURL  string `json:"provider_url"`
	CacheAge     int    `json:"cache_age"` // seconds
	HTML         string `json:"html"`
	Width        int    `json:"width"`
	Height       int    `json:"height"`
}

// OEmbed returns what consumers of oEmbed show for the page of the gear.
func (p *Badge) OEmbed() OEmbed {
	return OEmbed{Type: "rich", Version: "1.0", Title: p.Name, ProviderName: p.site.Name(), ProviderURL: p.site.BaseURL, CacheAge: 86400, HTML: p.Embed, Width: BadgeWidth, Height: BadgeHeight}
}
