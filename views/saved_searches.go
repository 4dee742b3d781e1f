package views

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
)

// SearchCard is a saved search as lists show it.
type SearchCard struct {
	ID    string `json:"id"`
	Name  string `json:"name" untrusted:"true"`
	Query string `json:"query" jsonschema:"query string of the search, for GET /api/listings/search; empty for all listings"`
	Text  string `json:"text" jsonschema:"description of the search" untrusted:"true"`
	Ref
	Results   Ref                   `json:"-"` // its current results
	Every     models.Frequency      `json:"every" jsonschema:"how often alerts are sent"`
	Email     bool                  `json:"email" jsonschema:"whether alerts are sent by email"`
	Webhook   string                `json:"webhook,omitempty" jsonschema:"URL that receives alerts as signed webhooks"`
	Events    []models.WebhookEvent `json:"webhook_events" jsonschema:"what the webhook is sent: new listings, changed price trends of the gear that the search names, or both"`
	CreatedAt string                `json:"created_at"`
	NextAt    string                `json:"next_at,omitempty" jsonschema:"when the next alert is due; absent for instant alerts"`
	words     *Vocabulary
	filters   Query // of Query
}

// SavedSearches is the page of a member's saved searches.
type SavedSearches struct {
	Searches []SearchCard `json:"searches" jsonschema:"newest first"`
	site     *Site
}

// SavedSearch is the page of one saved search.
type SavedSearch struct {
	SearchCard
	Atom          string `json:"atom" jsonschema:"secret URL of the Atom feed" format:"uri"`
	JSONFeed      string `json:"json_feed" jsonschema:"secret URL of the JSON Feed" format:"uri"`
	WebhookSecret string `json:"webhook_secret" jsonschema:"HMAC-SHA256 key of the webhook signatures"`
	Alerts        []Card `json:"alerts" jsonschema:"listings of past alerts, latest first"`
	version       int64
	site          *Site
}

// NewSearchCard returns a saved search as lists show it. q is its parsed query.
func NewSearchCard(words *Vocabulary, s *models.SavedSearch, q Query) SearchCard {
	c := SearchCard{ID: s.ID, Name: s.Name, Query: s.Query, Text: words.searchText(languages.English, q), Ref: newRef(searchesPath + "/" + s.ID), Results: newRef(searchPage(s.Query)), Every: s.Every, Email: s.Email,
		Webhook: s.Webhook, Events: s.WebhookEvents, CreatedAt: s.CreatedAt.RFC3339(), words: words, filters: q}
	if s.Every != models.Instant {
		c.NextAt = s.NextRunAt.RFC3339()
	}
	return c
}

// NewSavedSearches returns the page of a member's saved searches.
func NewSavedSearches(site *Site, cards []SearchCard) *SavedSearches {
	return &SavedSearches{Searches: list(cards), site: site}
}

// NewSavedSearch returns the page of a saved search. alerts are the listings of its
// last alerts.
func NewSavedSearch(site *Site, card SearchCard, s *models.SavedSearch, alerts []Card) *SavedSearch {
	feed := site.URL(FeedPath(s.FeedSecret()))
	return &SavedSearch{SearchCard: card, Atom: feed + AtomSuffix, JSONFeed: feed + JSONFeedSuffix, WebhookSecret: s.WebhookSecret, Alerts: list(alerts), version: s.Version(), site: site}
}

// FeedPath returns the path of a saved search's feed, without its suffix.
func FeedPath(secret string) string { return "/feeds/" + secret }

// textIn returns the description of the search in the reader's language.
func (c *SearchCard) textIn(ctx context.Context) string {
	return c.words.searchText(languages.Of(ctx), c.filters)
}

// SavedSearchFeed returns the feed of a saved search.
func SavedSearchFeed(site *Site, s *models.SavedSearch, text string, cards []Card) *Feed {
	f := &Feed{Title: s.Name + " – " + site.Name(), Text: text + ".", Path: searchPage(s.Query), Self: FeedPath(s.FeedSecret()), site: site}
	for i := range cards {
		f.Entries = append(f.Entries, cards[i].feedEntry(site))
	}
	return f
}

// everyText describes how often alerts are sent. It is translated when it is shown.
func everyText(f models.Frequency) string {
	switch f {
	case models.Daily:
		return languages.Mark("once a day")
	case models.Weekly:
		return languages.Mark("once a week")
	}
	return languages.Mark("at once")
}

// searchPage returns the path of the results of a stored query.
func searchPage(query string) string {
	if query == "" {
		return searchPath
	}
	return searchPath + "?" + query
}

// channels lists the channels alerts are sent by.
func (c *SearchCard) channels(ctx context.Context) string {
	var channels []string
	if c.Email {
		channels = append(channels, t(ctx, "email"))
	}
	if c.Webhook != "" {
		channels = append(channels, t(ctx, "webhook"))
	}
	return join(append(channels, t(ctx, "feed")))
}

// webhookEvents returns the events that a webhook can be sent. chosen are selected.
func webhookEvents(chosen []models.WebhookEvent) []Choice {
	choices := []Choice{
		{Value: string(models.ListingsPublished), Label: "New listings", Meaning: "that match the search"},
		{Value: string(models.TrendsChanged), Label: "Price trends", Meaning: "when they change, for the models that the search names"},
	}
	for i := range choices {
		choices[i].Chosen = slices.Contains(chosen, models.WebhookEvent(choices[i].Value))
	}
	return choices
}

// eventsText names the events that the webhook is sent.
func (c *SearchCard) eventsText(ctx context.Context) string {
	var names []string
	for _, choice := range webhookEvents(c.Events) {
		if choice.Chosen {
			names = append(names, t(ctx, choice.Label))
		}
	}
	return strings.Join(names, ", ")
}

// nextText returns when the next alert is due.
func (c *SearchCard) nextText(ctx context.Context) string {
	if c.NextAt == "" {
		return t(ctx, "at once")
	}
	return dayIn(ctx, c.NextAt)
}

// path returns the path of the saved search.
func (c *SearchCard) path() string { return searchesPath + "/" + c.ID }

// resultsPath returns the path of the current results.
func (c *SearchCard) resultsPath() string { return searchPage(c.Query) }

// Head implements Page.
func (p *SavedSearches) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Saved searches"), Description: t(ctx, "The searches you keep."), Path: searchesPath, NoIndex: true, Crumbs: []Link{{"/account", "Your account"}}}
}

// searchesLead is the first paragraph of the page.
var searchesLead = languages.Mark("Save a search and we'll alert you to each new listing that matches it, once, by email or in your feed reader.")

// Markdown implements Page.
func (p *SavedSearches) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, t(ctx, "Saved searches"), "").in(ctx)
	m.text(t(ctx, searchesLead))
	if len(p.Searches) == 0 {
		m.text(t(ctx, "No saved searches yet."))
	} else {
		m.raw("\n")
		m.head("Name", "Id", "Looks for", "Alerts", "Sent by", "Webhook", "Next alert", "Saved")
		for i := range p.Searches {
			c := &p.Searches[i]
			m.row(m.link(Link{c.path(), untrusted(c.Name)}), "`"+c.ID+"`", m.link(Link{c.resultsPath(), untrusted(c.textIn(ctx))}), t(ctx, everyText(c.Every)), mdText(c.channels(ctx)), mdText(c.Webhook), c.nextText(ctx), dayIn(ctx, c.CreatedAt))
		}
	}
	m.links([]Link{{searchPath, "Search, and save it there"}, {watchlistPath, "Your watchlist"}})
	return m.done(w)
}

// Head implements Page.
func (p *SavedSearch) Head(ctx context.Context) Head {
	return Head{Title: p.Name, Description: t(ctx, "A search you keep."), Path: p.path(), NoIndex: true, Crumbs: []Link{{"/account", "Your account"}, {searchesPath, "Saved searches"}}}
}

// Resource returns the path of the saved search in the API.
func (p *SavedSearch) Resource() string { return "/api/searches/" + p.ID }

// Version returns the version of the saved search that If-Match is compared with.
func (p *SavedSearch) Version() int64 { return p.version }

// facts returns the facts of the search for display. quote marks what the member
// wrote: asWritten or untrusted.
func (p *SavedSearch) facts(ctx context.Context, quote func(string) string) []fact {
	facts := []fact{{"Looks for", quote(p.textIn(ctx)), p.resultsPath()}, {"Alerts", t(ctx, everyText(p.Every)), ""}, {"Sent by", p.channels(ctx), ""}}
	if p.NextAt != "" {
		facts = append(facts, fact{"Next alert", dayIn(ctx, p.NextAt), ""})
	}
	return append(facts, fact{"Saved", dayIn(ctx, p.CreatedAt), ""})
}

// Markdown implements Page.
func (p *SavedSearch) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, untrusted(p.Name), "").in(ctx)
	m.raw("\n")
	m.head("Fact", "Value")
	m.row(t(ctx, "Id"), "`"+p.ID+"`")
	m.row(t(ctx, "Address"), p.site.URL(p.Page))
	for _, f := range p.facts(ctx, untrusted) {
		m.row(t(ctx, f.Name), mdText(f.Value))
	}
	m.row(t(ctx, "Atom feed"), "`"+p.Atom+"`")
	m.row("JSON Feed", "`"+p.JSONFeed+"`")
	if p.Webhook != "" {
		m.row(t(ctx, "Webhook"), mdText(p.Webhook))
		m.row(t(ctx, "Webhook is sent"), p.eventsText(ctx))
	}
	m.row(t(ctx, "Webhook secret"), "`"+p.WebhookSecret+"`")
	m.text(t(ctx, "The feeds' addresses and the webhook's secret are known to you alone: whoever has them reads your alerts."))
	m.cards("Recent alerts", p.Alerts)
	m.links([]Link{{p.resultsPath(), "What it finds now"}, {searchesPath, "Your saved searches"}})
	return m.done(w)
}

// SaveSearch is the page where a search is saved.
type SaveSearch struct {
	Query string `json:"query" jsonschema:"query string of the search to save"`
	Text  string `json:"text" jsonschema:"description of the search" untrusted:"true"`
	Name  string `json:"name" jsonschema:"suggested name"`

	words   *Vocabulary
	filters Query // of Query
	site    *Site
}

// NewSaveSearch returns the page where a search is saved.
func NewSaveSearch(words *Vocabulary, q Query) *SaveSearch {
	return &SaveSearch{Query: CanonicalQuery(q), Text: words.searchText(languages.English, q), Name: words.SearchTitle(languages.English, q), words: words, filters: q, site: words.site}
}

// Head implements Page.
func (p *SaveSearch) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Save a search"), Description: t(ctx, "Save a search and get alerts for new listings."), Path: searchesPath + "/new", NoIndex: true,
		Crumbs: []Link{{"/account", "Your account"}, {searchesPath, "Saved searches"}}}
}

// Markdown implements Page.
func (p *SaveSearch) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, t(ctx, "Save a search"), "").in(ctx)
	m.text(t(ctx, searchesLead))
	m.text(t(ctx, "Looks for") + ": " + untrusted(p.textIn(ctx)))
	if p.Query == "" {
		m.raw("\n", t(ctx, "Save it with `POST /api/searches`."), "\n")
	} else {
		m.raw("\n", t(ctx, "Save it with `POST /api/searches` and the query `%s`.", p.Query), "\n")
	}
	return m.done(w)
}

// frequencies returns how often alerts can be sent.
func frequencies() []Choice {
	return []Choice{
		{Value: string(models.Instant), Label: "At once", Meaning: "within seconds"},
		{Value: string(models.Daily), Label: "Once a day", Meaning: "everything new in one email"},
		{Value: string(models.Weekly), Label: "Once a week", Meaning: "everything new in one email"},
	}
}

// Unsubscribe is the page that stops the alert emails of a saved search.
type Unsubscribe struct {
	Name    string `json:"name" untrusted:"true"`
	Stopped bool   `json:"stopped"`
	path    string
	site    *Site
}

// UnsubscribePath returns the path in alert emails that stops them.
func UnsubscribePath(s *models.SavedSearch) string {
	return "/unsubscribe/" + s.ID + "/" + s.UnsubscribeKey()
}

// NewUnsubscribe returns the page that stops alert emails.
func NewUnsubscribe(site *Site, s *models.SavedSearch) *Unsubscribe {
	return &Unsubscribe{Name: s.Name, Stopped: !s.Email, path: UnsubscribePath(s), site: site}
}

// Head implements Page.
func (p *Unsubscribe) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Alerts by mail"), Description: t(ctx, "End the mail of a saved search."), Path: p.path, NoIndex: true}
}

// Markdown implements Page.
func (p *Unsubscribe) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, t(ctx, "Alerts by mail"), "").in(ctx)
	m.text(p.sentence(ctx, untrusted(p.Name)))
	return m.done(w)
}

// sentence says what the page does, or that it is done. name is the quoted name of the
// search.
func (p *Unsubscribe) sentence(ctx context.Context, name string) string {
	if p.Stopped {
		return t(ctx, "No more mail comes for the saved search %s.", name)
	}
	return t(ctx, "End the mail of the saved search %s? The search stays saved.", name)
}

// textIn returns the description of the search in the reader's language.
func (p *SaveSearch) textIn(ctx context.Context) string {
	return p.words.searchText(languages.Of(ctx), p.filters)
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
func (p *SavedSearch) AlertWebhook(cards []Card, total int) string {
	event := string(models.ListingsPublished)
	if len(cards) == 0 {
		event = "test"
	}
	return webhookBody(struct {
		Event    string        `json:"event"`
		Site     string        `json:"site"`
		Search   webhookSearch `json:"search"`
		Total    int           `json:"total"`
		Listings []Card        `json:"listings"`
	}{event, p.site.BaseURL, p.webhookSearch(), total, list(cards)})
}

// ChangedTrend is a price trend that changed, in a webhook.
type ChangedTrend struct {
	Gear    string `json:"gear"`
	Name    string `json:"gear_name"`
	Cursor  string `json:"cursor"` // of the newest change, in the change feed
	Ref            // of the whole trend
	Summary Stats  `json:"summary"`
	Change  Change `json:"trend"`
}

// NewChangedTrend returns a price trend that changed. t is nil without sales; cursor is
// that of the change.
func NewChangedTrend(site *Site, g *catalog.Gear, t *prices.Trend, cursor string) ChangedTrend {
	if t == nil {
		t = &prices.Trend{Gear: g.Slug()}
	}
	return ChangedTrend{Gear: g.Slug(), Name: g.Name(), Cursor: cursor, Ref: newRef(gearPath(g.Slug())),
		Summary: newStats(site, t.Summary), Change: newChange(t)}
}

// TrendWebhook returns the JSON body of the webhook about changed trends.
func (p *SavedSearch) TrendWebhook(trends []ChangedTrend) string {
	return webhookBody(struct {
		Event  models.WebhookEvent `json:"event"`
		Site   string              `json:"site"`
		Search webhookSearch       `json:"search"`
		Trends []ChangedTrend      `json:"trends"`
	}{models.TrendsChanged, p.site.BaseURL, p.webhookSearch(), trends})
}

// webhookSearch is the saved search in a webhook.
type webhookSearch struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Query string `json:"query"`
	Ref
}

func (p *SavedSearch) webhookSearch() webhookSearch {
	return webhookSearch{p.ID, p.Name, p.Query, p.Results}
}

// webhookBody returns the JSON body of a webhook.
func webhookBody(v any) string {
	body, err := json.Marshal(v)
	if err != nil {
		panic("views: " + err.Error()) // strings and numbers only
	}
	return string(body)
}
