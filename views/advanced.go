package views

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// Advanced is the page of what programs that act for a member use.
type Advanced struct {
	Searches []WebhookCard `json:"searches" jsonschema:"your saved searches, whose alerts a webhook can get"`
	Links    []Link        `json:"links"`
	site     *Site
}

// WebhookCard is a saved search with its webhook.
type WebhookCard struct {
	ID      string `json:"id" jsonschema:"id of the saved search"`
	Name    string `json:"name" untrusted:"true"`
	Webhook string `json:"webhook,omitempty" jsonschema:"URL that receives alerts as signed webhooks"`
}

// advancedLinks are the pages of what programs use, with what they are for.
var advancedLinks = []struct {
	Link
	Text string
}{
	{Link{connectionsPath, "Connected apps"}, languages.Mark("Apps that can act for you, and what you’ve allowed them.")},
	{Link{tokensPath, "Tokens"}, languages.Mark("Keys for programs that you write yourself.")},
	{Link{"/data/manifest.json", "Bulk data"}, languages.Mark("All listings and price trends as files.")},
	{Link{"/developers", "API reference"}, languages.Mark("Everything a program can do here.")},
}

// NewAdvanced returns the page of what programs use.
func NewAdvanced(site *Site, searches []SearchCard) *Advanced {
	p := &Advanced{Searches: make([]WebhookCard, len(searches)), site: site}
	for i, c := range searches {
		p.Searches[i] = WebhookCard{c.ID, c.Name, c.Webhook}
	}
	for _, l := range advancedLinks {
		p.Links = append(p.Links, l.Link)
	}
	return p
}

// Head implements Page.
func (p *Advanced) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Advanced"), Description: t(ctx, "For programs that act for you."), Path: advancedPath, NoIndex: true, Crumbs: []Link{accountCrumb}}
}

// webhookText says where the alerts of a search are sent. quote marks the address.
func (c *WebhookCard) webhookText(ctx context.Context, quote func(string) string) string {
	if c.Webhook == "" {
		return t(ctx, "No webhook")
	}
	return quote(c.Webhook)
}

// Markdown implements Page.
func (p *Advanced) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, t(ctx, "Advanced"), "").in(ctx)
	m.raw("\n")
	for _, l := range advancedLinks {
		m.raw("- ", m.link(l.Link), ": ", mdText(t(ctx, l.Text)), "\n")
	}
	m.section("Webhooks")
	for i := range p.Searches {
		c := &p.Searches[i]
		m.raw("- ", m.link(Link{searchWebhookPath(c.ID), untrusted(c.Name)}), ": ", mdText(c.webhookText(ctx, untrusted)), "\n")
	}
	return m.done(w)
}

// SearchWebhook is the page of the webhook of a saved search.
type SearchWebhook struct {
	ID            string                `json:"id" jsonschema:"id of the saved search"`
	Name          string                `json:"name" untrusted:"true"`
	Webhook       string                `json:"webhook,omitempty" jsonschema:"URL that receives alerts as signed webhooks"`
	Events        []models.WebhookEvent `json:"webhook_events" jsonschema:"what the webhook is sent"`
	WebhookSecret string                `json:"webhook_secret" jsonschema:"HMAC-SHA256 key of the webhook signatures"`
	Links         []Link                `json:"links"`
	site          *Site
}

// NewSearchWebhook returns the page of the webhook of a saved search.
func NewSearchWebhook(site *Site, s *models.SavedSearch) *SearchWebhook {
	return &SearchWebhook{ID: s.ID, Name: s.Name, Webhook: s.Webhook, Events: s.WebhookEvents, WebhookSecret: s.WebhookSecret,
		Links: []Link{{searchesPath + "/" + s.ID, "The saved search"}, {advancedPath, "Advanced"}}, site: site}
}

// Head implements Page.
func (p *SearchWebhook) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Webhook: %s", p.Name), Description: t(ctx, "Where a program gets the alerts of a saved search."), Path: searchWebhookPath(p.ID), NoIndex: true, Crumbs: advancedCrumbs}
}

// Markdown implements Page.
func (p *SearchWebhook) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, t(ctx, "Webhook: %s", untrusted(p.Name)), "").in(ctx)
	m.raw("\n")
	m.head("Fact", "Value")
	m.row(t(ctx, "Webhook"), mdText(untrusted(p.Webhook)))
	m.row(t(ctx, "Secret"), "`"+p.WebhookSecret+"`")
	m.links(p.Links)
	return m.done(w)
}
