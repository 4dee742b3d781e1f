package views

import (
	"fmt"
	"io"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// Pages of what a member keeps an eye on.
const (
	watchlistPath = "/account/watchlist"
	searchesPath  = "/account/searches"
)

// Watchlist is what a member watches.
type Watchlist struct {
	Watches []Watch `json:"watches" jsonschema:"the last put there first"`
	site    *Site
}

// Watch is a listing on a watchlist.
type Watch struct {
	Listing   Card          `json:"listing" jsonschema:"as it is now"`
	Then      models.Money  `json:"price_then" jsonschema:"asking price when it was put on the list"`
	Drop      *models.Money `json:"drop,omitempty" jsonschema:"how much cheaper it is since; absent when it is not"`
	WatchedAt string        `json:"watched_at" jsonschema:"when it was put on the list"`
	site      *Site
}

// NewWatch makes the line of a listing somebody watches.
func NewWatch(site *Site, listing Card, w *models.Watch, now models.Cents) Watch {
	watch := Watch{Listing: listing, Then: site.Currency.Money(w.Price), WatchedAt: w.CreatedAt.RFC3339(), site: site}
	if now < w.Price {
		drop := site.Currency.Money(w.Price - now)
		watch.Drop = &drop
	}
	return watch
}

// NewWatchlist makes the page of a watchlist.
func NewWatchlist(site *Site, watches []Watch) *Watchlist {
	return &Watchlist{Watches: list(watches), site: site}
}

// Head implements Page.
func (p *Watchlist) Head() Head {
	return Head{Title: "Watchlist", Description: "The listings you watch.", Path: watchlistPath, NoIndex: true, Crumbs: []Link{{"/account", "Your account"}}}
}

// Watch marks a listing's page as that of one its reader watches.
func (p *Listing) Watch() { p.watched = true }

// change is what became of the price, in words.
func (w *Watch) change() string {
	switch {
	case w.Drop != nil:
		return MoneyText(*w.Drop) + " less"
	case w.Then == w.Listing.Price:
		return "the same"
	}
	return "more than then"
}

func (w *Watch) removePath() string { return watchlistPath + "/" + w.Listing.ID + "/remove" }

// watchlistLead is what watching does, for people.
const watchlistLead = "You get mail when the price of something here falls by 3 % or more, once for each new low."

// Markdown implements Page.
func (p *Watchlist) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, "Watchlist", "")
	m.text(watchlistLead)
	if len(p.Watches) == 0 {
		m.text("You watch nothing yet.")
	} else {
		m.raw("\n")
		m.head("Listing", "Id", "Status", "Condition", "Region", "Seller", "Price now", "Price then", "Since then", "Watched since")
		for i := range p.Watches {
			c := &p.Watches[i]
			m.row(m.link(Link{c.Listing.path(), c.Listing.Title}), "`"+c.Listing.ID+"`", statusWord(c.Listing.Status),
				c.Listing.conditionText(), RegionName(c.Listing.Region), m.link(Link{sellerPath(c.Listing.Seller), c.Listing.Seller}),
				mdText(MoneyText(c.Listing.Price)), mdText(MoneyText(c.Then)), mdText(c.change()), DayText(c.WatchedAt))
		}
	}
	m.links([]Link{{searchesPath, "Your saved searches"}, {searchPath, "Everything for sale"}})
	return m.done(w)
}

// Head implements Page. A watch is shown on the watchlist.
func (w *Watch) Head() Head {
	return Head{Title: w.Listing.Title, Description: "A listing you watch.", Path: watchlistPath, NoIndex: true}
}

// Resource is where the API has the watch.
func (w *Watch) Resource() string { return "/api/watchlist/" + w.Listing.ID }

// Markdown implements Page.
func (w *Watch) Markdown(out io.Writer) error {
	m := newMarkdown(w.site, w.Listing.Title, "")
	m.text(watchlistLead)
	m.raw("\n")
	m.factRows(w.facts())
	m.links(w.links())
	return m.done(out)
}

func (w *Watch) links() []Link {
	return []Link{{w.Listing.path(), "The listing"}, {watchlistPath, "Your watchlist"}}
}

func (w *Watch) facts() []fact {
	return []fact{{Name: "Status", Value: statusWord(w.Listing.Status)}, {Name: "Condition", Value: w.Listing.conditionText()},
		{Name: "Region", Value: RegionName(w.Listing.Region)}, {Name: "Seller", Value: w.Listing.Seller, Href: sellerPath(w.Listing.Seller)}, {Name: "Price now", Value: MoneyText(w.Listing.Price)}, {Name: "Price then", Value: MoneyText(w.Then)},
		{Name: "Since then", Value: w.change()}, {Name: "Watched since", Value: DayText(w.WatchedAt)}}
}

// SearchCard is a saved search as lists show it.
type SearchCard struct {
	ID        string           `json:"id"`
	Name      string           `json:"name"`
	Query     string           `json:"query" jsonschema:"parameters of the search, as they stand in its address; empty for everything"`
	Text      string           `json:"text" jsonschema:"the search in words"`
	URL       string           `json:"url" jsonschema:"page of what the search finds now"`
	Every     models.Frequency `json:"every" jsonschema:"how often alerts go out"`
	Email     bool             `json:"email" jsonschema:"whether alerts go out by mail"`
	Webhook   string           `json:"webhook,omitempty" jsonschema:"address alerts are posted to, signed"`
	CreatedAt string           `json:"created_at"`
	NextAt    string           `json:"next_at,omitempty" jsonschema:"when it is looked at next; absent when that is at once"`
}

// SavedSearches are those of a member.
type SavedSearches struct {
	Searches []SearchCard `json:"searches" jsonschema:"the newest first"`
	site     *Site
}

// SavedSearch is one search a member keeps.
type SavedSearch struct {
	SearchCard
	Atom          string `json:"atom" jsonschema:"secret address of its Atom feed"`
	JSONFeed      string `json:"json_feed" jsonschema:"secret address of its JSON Feed"`
	WebhookSecret string `json:"webhook_secret" jsonschema:"key of the HMAC-SHA256 that signs its webhooks"`
	Alerts        []Card `json:"alerts" jsonschema:"what you were told of, the last first"`
	version       int64
	site          *Site
}

// NewSearchCard makes a saved search as lists show it; the query is as it was understood.
func NewSearchCard(words *Vocabulary, s *models.SavedSearch, q Query) SearchCard {
	c := SearchCard{ID: s.ID, Name: s.Name, Query: s.Query, Text: words.SearchText(q), URL: words.site.URL(searchPage(s.Query)), Every: s.Every, Email: s.Email,
		Webhook: s.Webhook, CreatedAt: s.CreatedAt.RFC3339()}
	if s.Every != models.Instant {
		c.NextAt = s.DueAt.RFC3339()
	}
	return c
}

// NewSavedSearches makes the page of a member's saved searches.
func NewSavedSearches(site *Site, cards []SearchCard) *SavedSearches {
	return &SavedSearches{Searches: list(cards), site: site}
}

// NewSavedSearch makes the page of a saved search.
func NewSavedSearch(site *Site, card SearchCard, s *models.SavedSearch, alerts []Card) *SavedSearch {
	feed := site.URL(FeedPath(s.FeedSecret()))
	return &SavedSearch{SearchCard: card, Atom: feed + AtomSuffix, JSONFeed: feed + JSONFeedSuffix, WebhookSecret: s.WebhookSecret, Alerts: list(alerts), version: s.Version(), site: site}
}

// FeedPath is where the feed of a saved search is, without its suffix.
func FeedPath(secret string) string { return "/feeds/" + secret }

// SearchTitle is a search in a few words, such as “r6”.
func (v *Vocabulary) SearchTitle(q Query) string { return (&Listings{Query: q, words: v}).Title() }

// SearchText is a search with everything it asks for.
func (v *Vocabulary) SearchText(q Query) string {
	var parts []string
	for _, c := range q.chosen(v.names) {
		parts = append(parts, c.Name+": "+c.Label)
	}
	if len(parts) == 0 {
		return "Everything for sale"
	}
	return strings.Join(parts, ". ")
}

// SearchQuery is a search as it is kept: its parameters in their order.
func SearchQuery(q Query) string {
	q.Sort, q.Limit = q.search().DefaultSort(), 0
	q.canonicalize()
	_, query, _ := strings.Cut(q.Path(), "?")
	return query
}

// SavedSearchFeed is the feed of a saved search.
func SavedSearchFeed(site *Site, s *models.SavedSearch, text string, cards []Card) *Feed {
	f := &Feed{Title: s.Name + " – " + site.Name, Text: text + ".", Path: searchPage(s.Query), Self: FeedPath(s.FeedSecret()), site: site}
	for i := range cards {
		f.Entries = append(f.Entries, cards[i].feedEntry())
	}
	return f
}

// everyText is how often, in words.
func everyText(f models.Frequency) string {
	switch f {
	case models.Daily:
		return "once a day"
	case models.Weekly:
		return "once a week"
	}
	return "at once"
}

// searchPage is the page of a kept search.
func searchPage(query string) string {
	if query == "" {
		return searchPath
	}
	return searchPath + "?" + query
}

// channels are the ways alerts go out, in words.
func (c *SearchCard) channels() string {
	ways := []string{"feed"}
	if c.Webhook != "" {
		ways = append([]string{"webhook " + c.Webhook}, ways...)
	}
	if c.Email {
		ways = append([]string{"mail"}, ways...)
	}
	return strings.Join(ways, ", ")
}

// nextText is when the search is looked at next.
func (c *SearchCard) nextText() string {
	if c.NextAt == "" {
		return "at once"
	}
	return DayText(c.NextAt)
}

func (c *SearchCard) path() string { return searchesPath + "/" + c.ID }

// found is the page of what the search finds now.
func (c *SearchCard) found() string { return searchPage(c.Query) }

// Head implements Page.
func (p *SavedSearches) Head() Head {
	return Head{Title: "Saved searches", Description: "The searches you keep.", Path: searchesPath, NoIndex: true, Crumbs: []Link{{"/account", "Your account"}}}
}

const searchesLead = "You are told of listings that are published after you save a search, each once: by mail, by a feed with a secret address, or by a signed webhook."

// Markdown implements Page.
func (p *SavedSearches) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, "Saved searches", "")
	m.text(searchesLead)
	if len(p.Searches) == 0 {
		m.text("You keep none.")
	} else {
		m.raw("\n")
		m.head("Search", "Id", "Looks for", "Alerts", "By", "Next look", "Saved")
		for i := range p.Searches {
			c := &p.Searches[i]
			m.row(m.link(Link{c.path(), c.Name}), "`"+c.ID+"`", m.link(Link{c.found(), c.Text}), everyText(c.Every), mdText(c.channels()), c.nextText(), DayText(c.CreatedAt))
		}
	}
	m.links([]Link{{searchPath, "Search, and save it there"}, {watchlistPath, "Your watchlist"}})
	return m.done(w)
}

// Head implements Page.
func (p *SavedSearch) Head() Head {
	return Head{Title: p.Name, Description: "A search you keep.", Path: p.path(), NoIndex: true, Crumbs: []Link{{"/account", "Your account"}, {searchesPath, "Saved searches"}}}
}

// Resource is where the API has the search.
func (p *SavedSearch) Resource() string { return "/api/searches/" + p.ID }

// Version stands for what may be changed of the search.
func (p *SavedSearch) Version() int64 { return p.version }

func (p *SavedSearch) facts() []fact {
	facts := []fact{{Name: "Looks for", Value: p.Text, Href: p.found()}, {Name: "Alerts", Value: everyText(p.Every)}, {Name: "By", Value: p.channels()}}
	if p.NextAt != "" {
		facts = append(facts, fact{Name: "Next look", Value: DayText(p.NextAt)})
	}
	return append(facts, fact{Name: "Saved", Value: DayText(p.CreatedAt)})
}

// Markdown implements Page.
func (p *SavedSearch) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, p.Name, "")
	m.raw("\n")
	m.head("Fact", "Value")
	m.row("Id", "`"+p.ID+"`")
	for _, f := range p.facts() {
		m.row(f.Name, mdText(f.Value))
	}
	m.row("Atom feed", "`"+p.Atom+"`")
	m.row("JSON Feed", "`"+p.JSONFeed+"`")
	if p.Webhook != "" {
		m.row("Webhook", mdText(p.Webhook))
	}
	m.row("Webhook secret", "`"+p.WebhookSecret+"`")
	m.text("The feeds' addresses and the webhook's secret are known to you alone: whoever has them reads your alerts.")
	m.cards("What you were told of", p.Alerts)
	m.links([]Link{{p.found(), "What it finds now"}, {searchesPath, "Your saved searches"}})
	return m.done(w)
}

// NewSearch is the page on which a search is saved.
type NewSearch struct {
	Query string `json:"query" jsonschema:"parameters of the search to be saved"`
	Text  string `json:"text" jsonschema:"the search in words"`
	Name  string `json:"name" jsonschema:"what it may be called"`
	site  *Site
}

// NewNewSearch makes the page on which a search is saved.
func NewNewSearch(words *Vocabulary, q Query) *NewSearch {
	return &NewSearch{Query: SearchQuery(q), Text: words.SearchText(q), Name: strings.Trim(words.SearchTitle(q), "“”"), site: words.site}
}

// Head implements Page.
func (p *NewSearch) Head() Head {
	return Head{Title: "Save a search", Description: "Save a search, and be told of what is published.", Path: searchesPath + "/new", NoIndex: true,
		Crumbs: []Link{{"/account", "Your account"}, {searchesPath, "Saved searches"}}}
}

// Markdown implements Page.
func (p *NewSearch) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, "Save a search", "")
	m.text(searchesLead)
	m.text("Looks for: " + p.Text)
	if p.Query == "" {
		m.raw("\nSave it with `POST /api/searches`.\n")
	} else {
		m.raw("\nSave it with `POST /api/searches` and the query `", p.Query, "`.\n")
	}
	return m.done(w)
}

// savePath is the page on which this search is saved.
func (p *Listings) savePath() string {
	query := SearchQuery(p.Query)
	if query == "" {
		return searchesPath + "/new"
	}
	var space [512]byte
	return searchesPath + "/new?query=" + string(appendEscaped(space[:0], query))
}

func frequencies() []Choice {
	return []Choice{
		{Value: string(models.Instant), Label: "At once", Meaning: "within seconds"},
		{Value: string(models.Daily), Label: "Once a day", Meaning: "everything new in one mail"},
		{Value: string(models.Weekly), Label: "Once a week", Meaning: "everything new in one mail"},
	}
}

// StopMail is the page that ends the mail of a saved search.
type StopMail struct {
	Name    string `json:"name"`
	Stopped bool   `json:"stopped"`
	path    string
	site    *Site
}

// StopPath is where the mail of a saved search is ended from a mail.
func StopPath(s *models.SavedSearch) string { return "/unsubscribe/" + s.ID + "/" + s.StopKey() }

// NewStopMail makes the page that ends mail.
func NewStopMail(site *Site, s *models.SavedSearch) *StopMail {
	return &StopMail{Name: s.Name, Stopped: !s.Email, path: StopPath(s), site: site}
}

// Head implements Page.
func (p *StopMail) Head() Head {
	return Head{Title: "Alerts by mail", Description: "End the mail of a saved search.", Path: p.path, NoIndex: true}
}

// Markdown implements Page.
func (p *StopMail) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, "Alerts by mail", "")
	m.text(p.sentence())
	return m.done(w)
}

func (p *StopMail) sentence() string {
	if p.Stopped {
		return fmt.Sprintf("No more mail comes for the saved search “%s”.", p.Name)
	}
	return fmt.Sprintf("End the mail of the saved search “%s”? The search stays saved.", p.Name)
}

// shownName is the name the form begins with: none while nothing is looked for.
func (p *NewSearch) shownName() string {
	if p.Query == "" {
		return ""
	}
	return p.Name
}
