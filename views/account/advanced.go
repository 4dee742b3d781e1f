package account

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
	watchviews "github.com/secondlight/secondlight/views/watch"
)

// Advanced is the page of tokens, webhooks and files for programs that act for a member.
type Advanced struct {
	Searches []WebhookCard `json:"searches" jsonschema:"your saved searches, whose alerts a webhook can get"`
	Links    []ui.Link     `json:"links"`
	site     *ui.Site
}

// WebhookCard is a saved search with its webhook.
type WebhookCard struct {
	ID      string `json:"id" jsonschema:"id of the saved search"`
	Name    string `json:"name" untrusted:"true"`
	Webhook string `json:"webhook,omitempty" jsonschema:"URL that receives alerts as signed webhooks"`
}

// advancedLinks are the pages below Advanced, with their descriptions.
var advancedLinks = []struct {
	ui.Link
	Text string
}{
	{ui.Link{Href: ui.ConnectionsPath, Label: "Connected apps"}, languages.Mark("Apps with access to your account, and their permissions.")},
	{ui.Link{Href: ui.TokensPath, Label: "Tokens"}, languages.Mark("Keys for programs you write yourself.")},
	{ui.Link{Href: ui.AccountWebhookPath, Label: "Account webhook"}, languages.Mark("Send what happens in your account to your own server.")},
	{ui.Link{Href: "/data/manifest.json", Label: "Bulk data"}, languages.Mark("All listings and price histories as files.")},
	{ui.Link{Href: "/developers", Label: "API reference"}, languages.Mark("The full API reference.")},
}

// NewAdvanced returns the page Advanced.
func NewAdvanced(site *ui.Site, searches []watchviews.SearchCard) *Advanced {
	p := &Advanced{site: site}
	p.Searches = ui.Each(searches, func(c *watchviews.SearchCard) WebhookCard { return WebhookCard{c.ID, c.Name, c.Webhook} })
	for _, l := range advancedLinks {
		p.Links = append(p.Links, l.Link)
	}
	return p
}

// Head implements Page.
func (p *Advanced) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Advanced"), Description: ui.T(ctx, "For programs that act for you."), Path: ui.AdvancedPath, NoIndex: true, Crumbs: []ui.Link{ui.AccountCrumb}}
}

// webhookText says where the alerts of a search are sent. quote marks the address.
func (c *WebhookCard) webhookText(ctx context.Context, quote func(string) string) string {
	if c.Webhook == "" {
		return ui.T(ctx, "No webhook")
	}
	return quote(c.Webhook)
}

// Markdown implements Page.
func (p *Advanced) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Advanced"), "").In(ctx)
	m.Raw("\n")
	for _, l := range advancedLinks {
		m.Raw("- ", m.Link(l.Link), ": ", ui.MarkdownText(ui.T(ctx, l.Text)), "\n")
	}
	m.Section("Webhooks")
	for i := range p.Searches {
		c := &p.Searches[i]
		m.Raw("- ", m.Link(ui.Link{Href: ui.SearchWebhookPath(c.ID), Label: ui.Untrusted(c.Name)}), ": ", ui.MarkdownText(c.webhookText(ctx, ui.Untrusted)), "\n")
	}
	return m.Done(w)
}

// SearchWebhook is the page of the webhook of a saved search.
type SearchWebhook struct {
	ID            string                `json:"id" jsonschema:"id of the saved search"`
	Name          string                `json:"name" untrusted:"true"`
	Webhook       string                `json:"webhook,omitempty" jsonschema:"URL that receives alerts as signed webhooks"`
	Events        []models.WebhookEvent `json:"webhook_events" jsonschema:"what the webhook is sent"`
	WebhookSecret string                `json:"webhook_secret" jsonschema:"HMAC-SHA256 key of the webhook signatures"`
	Links         []ui.Link             `json:"links"`
	site          *ui.Site
}

// NewSearchWebhook returns the page of the webhook of a saved search.
func NewSearchWebhook(site *ui.Site, s *models.SavedSearch) *SearchWebhook {
	return &SearchWebhook{ID: s.ID, Name: s.Name, Webhook: s.Webhook, Events: s.WebhookEvents, WebhookSecret: s.WebhookSecret,
		Links: []ui.Link{{Href: ui.SearchesPath + "/" + s.ID, Label: "The saved search"}, {Href: ui.AdvancedPath, Label: "Advanced"}}, site: site}
}

// Head implements Page.
func (p *SearchWebhook) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Webhook: %s", p.Name), Description: ui.T(ctx, "Where your program receives alerts."), Path: ui.SearchWebhookPath(p.ID), NoIndex: true, Crumbs: ui.AdvancedCrumbs}
}

// Markdown implements Page.
func (p *SearchWebhook) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Webhook: %s", ui.Untrusted(p.Name)), "").In(ctx)
	m.Raw("\n")
	m.Head("Detail", "Value")
	m.Row(ui.T(ctx, "Webhook"), ui.MarkdownText(ui.Untrusted(p.Webhook)))
	m.Row(ui.T(ctx, "Secret"), "`"+p.WebhookSecret+"`")
	m.Links(p.Links)
	return m.Done(w)
}
