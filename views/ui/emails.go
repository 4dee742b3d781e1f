package ui

import (
	"context"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// Email is an email as text and as HTML, which state the same. Its texts are in the language of
// the reader, and what members wrote in them has no links.
type Email struct {
	Subject string
	Lead    []string // paragraphs before the items
	Items   []EmailItem
	Button  Link     // the page that it leads to, by its path
	Notes   []string // paragraphs after the button
	Links   []Link   // other pages, by their URLs
}

// EmailItem is what an email is about.
type EmailItem struct {
	Photo        string // URL, "" for none
	Title, Facts string
	Href         string // URL of its page, "" if the button leads there
}

// EmailItem returns a listing as emails show it.
func (c *Card) EmailItem(ctx context.Context, site *Site) EmailItem {
	l := languages.Of(ctx)
	facts := []string{c.PriceIn(l)}
	if c.Deal != nil {
		facts = append(facts, c.Deal.Long(ctx))
	}
	item := EmailItem{Title: WithoutLinks(ctx, c.Title), Facts: strings.Join(append(facts, c.ConditionIn(l), RegionIn(ctx, c.Region)), " · "), Href: site.URL(c.Page)}
	if c.Photo != nil {
		item.Photo = c.Photo.Src
	}
	return item
}

// Delivery returns the email to a member, ready to be queued.
func (e *Email) Delivery(ctx context.Context, site *Site, member string) models.Delivery {
	return models.Delivery{Kind: models.Mail, MemberID: member, Subject: e.Subject, Body: e.text(ctx, site), HTML: e.HTML(ctx, site)}
}

// text returns the email as text: the notice of demonstrations, what it says, and the site's name
// and URL.
func (e *Email) text(ctx context.Context, site *Site) string {
	var blocks []string
	if site.Demo() {
		blocks = append(blocks, T(ctx, DemoNotice))
	}
	blocks = append(blocks, e.Lead...)
	for _, item := range e.Items {
		blocks = append(blocks, strings.Trim(strings.Join([]string{item.Title, item.Facts, item.Href}, "\n"), "\n"))
	}
	blocks = append(blocks, e.Button.Label+": "+site.URL(e.Button.Href))
	blocks = append(blocks, e.Notes...)
	for _, l := range e.Links {
		blocks = append(blocks, l.Label+": "+l.Href)
	}
	return strings.Join(blocks, "\n\n") + "\n\n-- \n" + site.Name() + "\n" + site.BaseURL + "\n"
}

// HTML returns the email as HTML.
func (e *Email) HTML(ctx context.Context, site *Site) string {
	var b strings.Builder
	if err := emailDocument(site, e).Render(ctx, &b); err != nil {
		panic(err) // a Builder never fails
	}
	return b.String()
}

// emailStyle is the style sheet of emails, which mail programs that know none leave out.
const emailStyle = `
:root { color-scheme: light dark; }
body { margin: 0; padding: 24px 16px; background: #fbfaf7; color: #1a1613; font: 17px/1.5 "Source Sans 3", system-ui, sans-serif; overflow-wrap: anywhere; }
.sheet { max-width: 520px; margin: 0 auto; }
p { margin: 0 0 16px; white-space: pre-line; }
a { color: inherit; }
.item { margin: 0 0 24px; }
.item img { display: block; width: 100%; max-width: 100%; height: auto; margin-bottom: 12px; border-radius: 4px; background: #efece5; }
.item p { margin: 0; }
.item .title { font: 600 21px/1.3 Georgia, serif; }
.item .title a { text-decoration: none; }
.button { display: inline-block; padding: 12px 24px; border-radius: 4px; background: #1a1613; color: #fbfaf7; font-weight: 600; text-decoration: none; }
.few { color: #5f564d; font-size: 15px; }
@media (prefers-color-scheme: dark) {
  body { background: #15110f; color: #f2ebe2; }
  .item img { background: #27201c; }
  .button { background: #f2ebe2; color: #15110f; }
  .few { color: #b8aa9c; }
}
`
