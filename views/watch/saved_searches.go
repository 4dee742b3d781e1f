package watch

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
	priceviews "github.com/secondlight/secondlight/views/price"
	searchviews "github.com/secondlight/secondlight/views/search"
	"github.com/secondlight/secondlight/views/ui"
)

// SearchCard is a saved search as lists show it.
type SearchCard struct {
	ID    string `json:"id"`
	Name  string `json:"name" untrusted:"true"`
	Query string `json:"query" jsonschema:"query string of the search, for GET /api/listings/search; empty for all listings"`
	Text  string `json:"text" jsonschema:"description of the search" untrusted:"true"`
	ui.Ref
	Results   ui.Ref                `json:"-"` // its current results
	Every     models.Frequency      `json:"every" jsonschema:"how often alerts are sent"`
	Email     bool                  `json:"email" jsonschema:"whether alerts are sent by email"`
	Webhook   string                `json:"webhook,omitempty" jsonschema:"URL that receives alerts as signed webhooks"`
	Events    []models.WebhookEvent `json:"webhook_events" jsonschema:"what the webhook is sent: new listings, changed price histories of the gear that the search names, or both"`
	CreatedAt string                `json:"created_at"`
	NextAt    string                `json:"next_at,omitempty" jsonschema:"when the next alert is due; absent for instant alerts"`
	words     *searchviews.Vocabulary
	filters   ui.Query // of Query
}

// SavedSearches is the page of a member's saved searches.
type SavedSearches struct {
	Searches []SearchCard `json:"searches" jsonschema:"newest first"`
	site     *ui.Site
}

// SavedSearch is the page of one saved search.
type SavedSearch struct {
	SearchCard
	Atom          string    `json:"atom" jsonschema:"secret URL of the Atom feed" format:"uri"`
	JSONFeed      string    `json:"json_feed" jsonschema:"secret URL of the JSON Feed" format:"uri"`
	WebhookSecret string    `json:"webhook_secret" jsonschema:"HMAC-SHA256 key of the webhook signatures"`
	Alerts        []ui.Card `json:"alerts" jsonschema:"listings of past alerts, latest first"`
	version       int64
	site          *ui.Site
}

// NewSearchCard returns a saved search as lists show it. q is its parsed query.
func NewSearchCard(words *searchviews.Vocabulary, s *models.SavedSearch, q ui.Query) SearchCard {
	c := SearchCard{ID: s.ID, Name: s.Name, Query: s.Query, Text: words.SearchText(languages.English, q), Ref: ui.NewRef(ui.SearchesPath + "/" + s.ID), Results: ui.NewRef(searchPage(s.Query)), Every: s.Every, Email: s.Email,
		Webhook: s.Webhook, Events: s.WebhookEvents, CreatedAt: s.CreatedAt.RFC3339(), words: words, filters: q}
	if s.Every != models.Instant {
		c.NextAt = s.NextRunAt.RFC3339()
	}
	return c
}

// NewSavedSearches returns the page of a member's saved searches.
func NewSavedSearches(site *ui.Site, cards []SearchCard) *SavedSearches {
	return &SavedSearches{Searches: ui.List(cards), site: site}
}

// NewSavedSearch returns the page of a saved search. alerts are the listings of its
// last alerts.
func NewSavedSearch(site *ui.Site, card SearchCard, s *models.SavedSearch, alerts []ui.Card) *SavedSearch {
	feed := site.URL(FeedPath(s.FeedSecret()))
	return &SavedSearch{SearchCard: card, Atom: feed + ui.AtomSuffix, JSONFeed: feed + ui.JSONFeedSuffix, WebhookSecret: s.WebhookSecret, Alerts: ui.List(alerts), version: s.Version(), site: site}
}

// FeedPath returns the path of a saved search's feed, without its suffix.
func FeedPath(secret string) string { return "/feeds/" + secret }

// textIn returns the description of the search in the reader's language.
func (c *SearchCard) textIn(ctx context.Context) string {
	return c.words.SearchText(languages.Of(ctx), c.filters)
}

// SavedSearchFeed returns the feed of a saved search.
func SavedSearchFeed(site *ui.Site, s *models.SavedSearch, text string, cards []ui.Card) *ui.Feed {
	return &ui.Feed{Title: s.Name + " – " + site.Name(), Text: text + ".", Path: searchPage(s.Query), Self: FeedPath(s.FeedSecret()), Entries: ui.FeedEntries(site, cards), Site: site}
}

// EveryText describes how often alerts are sent. It is translated when it is shown.
func EveryText(f models.Frequency) string {
	switch f {
	case models.Daily:
		return languages.Mark("once a day")
	case models.Weekly:
		return languages.Mark("once a week")
	}
	return languages.Mark("straight away")
}

// searchPage returns the path of the results of a stored query.
func searchPage(query string) string {
	if query == "" {
		return ui.SearchPath
	}
	return ui.SearchPath + "?" + query
}

// channels lists the channels alerts are sent by.
func (c *SearchCard) channels(ctx context.Context) string {
	var channels []string
	if c.Email {
		channels = append(channels, ui.T(ctx, "email"))
	}
	if c.Webhook != "" {
		channels = append(channels, ui.T(ctx, "webhook"))
	}
	return ui.Join(append(channels, ui.T(ctx, "feed")))
}

// WebhookEvents returns the events that a webhook can be sent. chosen are selected.
func WebhookEvents(chosen []models.WebhookEvent) []ui.Choice {
	choices := []ui.Choice{
		{Value: string(models.ListingsPublished), Label: "New listings", Meaning: "that match the search"},
		{Value: string(models.TrendsChanged), Label: "Price histories", Meaning: "when they change, for models named in the search"},
	}
	for i := range choices {
		choices[i].Chosen = slices.Contains(chosen, models.WebhookEvent(choices[i].Value))
	}
	return choices
}

// eventsText names the events that the webhook is sent.
func (c *SearchCard) eventsText(ctx context.Context) string {
	var names []string
	for _, choice := range WebhookEvents(c.Events) {
		if choice.Chosen {
			names = append(names, ui.T(ctx, choice.Label))
		}
	}
	return strings.Join(names, ", ")
}

// nextText returns when the next alert is due.
func (c *SearchCard) nextText(ctx context.Context) string {
	if c.NextAt == "" {
		return ui.T(ctx, "straight away")
	}
	return ui.DayIn(ctx, c.NextAt)
}

// Path returns the path of the saved search.
func (c *SearchCard) Path() string { return ui.SearchesPath + "/" + c.ID }

// ResultsPath returns the path of the current results.
func (c *SearchCard) ResultsPath() string { return searchPage(c.Query) }

// Head implements Page.
func (p *SavedSearches) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Saved searches"), Description: ui.T(ctx, "Your saved searches."), Path: ui.SearchesPath, NoIndex: true, Crumbs: []ui.Link{{Href: "/account", Label: "Your account"}}}
}

// searchesLead is the first paragraph of the page.
var searchesLead = languages.Mark("Save a search and we'll tell you about each new match, by email or in your feed reader.")

// Markdown implements Page.
func (p *SavedSearches) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Saved searches"), "").In(ctx)
	m.Paragraph(ui.T(ctx, searchesLead))
	if len(p.Searches) == 0 {
		m.Paragraph(ui.T(ctx, "No saved searches yet."))
	} else {
		m.Raw("\n")
		m.Head("Name", "Id", "Filters", "Alerts", "Sent via", "Webhook", "Next alert", "Saved")
		for i := range p.Searches {
			c := &p.Searches[i]
			m.Row(m.Link(ui.Link{Href: c.Path(), Label: ui.Untrusted(c.Name)}), "`"+c.ID+"`", m.Link(ui.Link{Href: c.ResultsPath(), Label: ui.Untrusted(c.textIn(ctx))}), ui.T(ctx, EveryText(c.Every)), ui.MarkdownText(c.channels(ctx)), ui.MarkdownText(c.Webhook), c.nextText(ctx), ui.DayIn(ctx, c.CreatedAt))
		}
	}
	m.Links([]ui.Link{{Href: ui.SearchPath, Label: "Search first, then save it"}, {Href: ui.WatchlistPath, Label: "Your watchlist"}})
	return m.Done(w)
}

// Head implements Page.
func (p *SavedSearch) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: p.Name, Description: ui.T(ctx, "A saved search."), Path: p.Path(), NoIndex: true, Crumbs: []ui.Link{{Href: "/account", Label: "Your account"}, {Href: ui.SearchesPath, Label: "Saved searches"}}}
}

// Resource returns the path of the saved search in the API.
func (p *SavedSearch) Resource() string { return "/api/searches/" + p.ID }

// Version returns the version of the saved search that If-Match is compared with.
func (p *SavedSearch) Version() int64 { return p.version }

// facts returns the facts of the search for display. quote marks what the member
// wrote: AsWritten or untrusted.
func (p *SavedSearch) facts(ctx context.Context, quote func(string) string) []ui.Fact {
	facts := []ui.Fact{{Name: "Filters", Value: quote(p.textIn(ctx)), Href: p.ResultsPath()}, {Name: "Alerts", Value: ui.T(ctx, EveryText(p.Every))}, {Name: "Sent via", Value: p.channels(ctx)}}
	if p.NextAt != "" {
		facts = append(facts, ui.Fact{Name: "Next alert", Value: ui.DayIn(ctx, p.NextAt)})
	}
	return append(facts, ui.Fact{Name: "Saved", Value: ui.DayIn(ctx, p.CreatedAt)})
}

// Markdown implements Page.
func (p *SavedSearch) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.Untrusted(p.Name), "").In(ctx)
	m.Raw("\n")
	m.Head("Detail", "Value")
	m.Row(ui.T(ctx, "Id"), "`"+p.ID+"`")
	m.Row(ui.T(ctx, "Address"), p.site.URL(p.Page))
	for _, f := range p.facts(ctx, ui.Untrusted) {
		m.Row(ui.T(ctx, f.Name), ui.MarkdownText(f.Value))
	}
	m.Row(ui.T(ctx, "Atom feed"), "`"+p.Atom+"`")
	m.Row("JSON Feed", "`"+p.JSONFeed+"`")
	if p.Webhook != "" {
		m.Row(ui.T(ctx, "Webhook"), ui.MarkdownText(p.Webhook))
		m.Row(ui.T(ctx, "Events to send"), p.eventsText(ctx))
	}
	m.Row(ui.T(ctx, "Webhook secret"), "`"+p.WebhookSecret+"`")
	m.Paragraph(ui.T(ctx, "Keep your feed links and webhook secret private. Anyone who has them can read your alerts."))
	m.Cards("Recent alerts", p.Alerts)
	m.Links([]ui.Link{{Href: p.ResultsPath(), Label: "Current matches"}, {Href: ui.SearchesPath, Label: "Your saved searches"}})
	return m.Done(w)
}

// SaveSearch is the page where a search is saved.
type SaveSearch struct {
	Query string `json:"query" jsonschema:"query string of the search to save"`
	Text  string `json:"text" jsonschema:"description of the search" untrusted:"true"`
	Name  string `json:"name" jsonschema:"suggested name"`

	words   *searchviews.Vocabulary
	filters ui.Query // of Query
	site    *ui.Site
}

// NewSaveSearch returns the page where a search is saved.
func NewSaveSearch(words *searchviews.Vocabulary, q ui.Query) *SaveSearch {
	return &SaveSearch{Query: ui.CanonicalQuery(q), Text: words.SearchText(languages.English, q), Name: words.SearchTitle(languages.English, q), words: words, filters: q, site: words.Site}
}

// Head implements Page.
func (p *SaveSearch) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Save a search"), Description: ui.T(ctx, "Save a search and get alerts for new listings."), Path: ui.SearchesPath + "/new", NoIndex: true,
		Crumbs: []ui.Link{{Href: "/account", Label: "Your account"}, {Href: ui.SearchesPath, Label: "Saved searches"}}}
}

// Markdown implements Page.
func (p *SaveSearch) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Save a search"), "").In(ctx)
	m.Paragraph(ui.T(ctx, searchesLead))
	m.Paragraph(ui.T(ctx, "Filters") + ": " + ui.Untrusted(p.textIn(ctx)))
	if p.Query == "" {
		m.Raw("\n", ui.T(ctx, "Save it with `POST /api/searches`."), "\n")
	} else {
		m.Raw("\n", ui.T(ctx, "Save it with `POST /api/searches` and the query `%s`.", p.Query), "\n")
	}
	return m.Done(w)
}

// frequencies returns how often alerts can be sent.
func frequencies() []ui.Choice {
	return []ui.Choice{
		{Value: string(models.Instant), Label: "Straight away", Meaning: "within seconds"},
		{Value: string(models.Daily), Label: "Once a day", Meaning: "everything new in one email"},
		{Value: string(models.Weekly), Label: "Once a week", Meaning: "everything new in one email"},
	}
}

// Unsubscribe is the page that stops the alert emails of a saved search.
type Unsubscribe struct {
	Name    string `json:"name" untrusted:"true"`
	Stopped bool   `json:"stopped"`
	path    string
	site    *ui.Site
}

// UnsubscribePath returns the path in alert emails that stops them.
func UnsubscribePath(s *models.SavedSearch) string {
	return "/unsubscribe/" + s.ID + "/" + s.UnsubscribeKey()
}

// NewUnsubscribe returns the page that stops alert emails.
func NewUnsubscribe(site *ui.Site, s *models.SavedSearch) *Unsubscribe {
	return &Unsubscribe{Name: s.Name, Stopped: !s.Email, path: UnsubscribePath(s), site: site}
}

// Head implements Page.
func (p *Unsubscribe) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Email alerts"), Description: ui.T(ctx, "Turn off emails for a saved search."), Path: p.path, NoIndex: true}
}

// Markdown implements Page.
func (p *Unsubscribe) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Email alerts"), "").In(ctx)
	m.Paragraph(p.sentence(ctx, ui.Untrusted(p.Name)))
	return m.Done(w)
}

// sentence says what the page does, or that it is done. name is the quoted name of the
// search.
func (p *Unsubscribe) sentence(ctx context.Context, name string) string {
	if p.Stopped {
		return ui.T(ctx, "You won't get any more emails for “%s”.", name)
	}
	return ui.T(ctx, "Stop emails for “%s”? We'll keep the search.", name)
}

// textIn returns the description of the search in the reader's language.
func (p *SaveSearch) textIn(ctx context.Context) string {
	return p.words.SearchText(languages.Of(ctx), p.filters)
}

// shownName returns the suggested name in the reader's language, "" for a search without
// parameters.
func (p *SaveSearch) shownName(ctx context.Context) string {
	if p.Query == "" {
		return ""
	}
	return p.words.SearchTitle(languages.Of(ctx), p.filters)
}

// AlertWebhook returns the JSON body of the webhook about new listings of the
// search: cards of the newest, and their total number. Their paths are on the site with the
// URL in site. Without cards the event is a test.
func (p *SavedSearch) AlertWebhook(cards []ui.Card, total int) string {
	event := string(models.ListingsPublished)
	if len(cards) == 0 {
		event = string(models.WebhookTestEvent)
	}
	return webhookBody(NewMatches{event, p.site.BaseURL, p.webhookSearch(), total, ui.List(cards)})
}

// NewMatches is the body of a webhook about new listings of a search.
type NewMatches struct {
	Event    string        `json:"event" jsonschema:"what happened" enum:"listings.published,test"`
	Site     string        `json:"site" jsonschema:"base URL of the site, which paths are of" format:"uri"`
	Search   WebhookSearch `json:"search" jsonschema:"the saved search"`
	Total    int           `json:"total" jsonschema:"number of new listings"`
	Listings []ui.Card     `json:"listings" jsonschema:"the newest of them" maxitems:"400"`
}

// ChangedTrends is the body of a webhook about changed price trends.
type ChangedTrends struct {
	Event  models.WebhookEvent `json:"event" jsonschema:"what happened"`
	Site   string              `json:"site" jsonschema:"base URL of the site, which paths are of" format:"uri"`
	Search WebhookSearch       `json:"search" jsonschema:"the saved search"`
	Trends []ChangedTrend      `json:"trends" jsonschema:"the trends"`
}

// ChangedTrend is a price trend that changed, in a webhook.
type ChangedTrend struct {
	Gear    string            `json:"gear"`
	Name    string            `json:"gear_name"`
	Cursor  string            `json:"cursor" jsonschema:"of its newest change, in the change feed"`
	ui.Ref                    // of the whole trend
	Summary priceviews.Stats  `json:"summary" jsonschema:"what it sold for"`
	Change  priceviews.Change `json:"trend" jsonschema:"how its price changed"`
}

// NewChangedTrend returns a price trend that changed. t is nil without sales; cursor is
// that of the change.
func NewChangedTrend(site *ui.Site, g *catalog.Gear, t *prices.Trend, cursor string) ChangedTrend {
	if t == nil {
		t = &prices.Trend{Gear: g.Slug()}
	}
	return ChangedTrend{Gear: g.Slug(), Name: g.Name(), Cursor: cursor, Ref: ui.NewRef(ui.GearPath(g.Slug())),
		Summary: priceviews.NewStats(site, t.Summary), Change: priceviews.NewChange(t)}
}

// TrendWebhook returns the JSON body of the webhook about changed trends.
func (p *SavedSearch) TrendWebhook(trends []ChangedTrend) string {
	return webhookBody(ChangedTrends{models.TrendsChanged, p.site.BaseURL, p.webhookSearch(), trends})
}

// WebhookSearch is the saved search in a webhook.
type WebhookSearch struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Query string `json:"query" jsonschema:"parameters of the search"`
	ui.Ref
}

func (p *SavedSearch) webhookSearch() WebhookSearch {
	return WebhookSearch{p.ID, p.Name, p.Query, p.Results}
}

// webhookBody returns the JSON body of a webhook.
func webhookBody(v any) string {
	body, err := json.Marshal(v)
	if err != nil {
		panic("views: " + err.Error()) // strings and numbers only
	}
	return string(body)
}
