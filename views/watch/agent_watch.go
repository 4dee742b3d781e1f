package watch

import (
	"context"
	"io"
	"slices"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// WatchBrief is a listing on a watchlist.
type WatchBrief struct {
	Listing string        `json:"listing" jsonschema:"id of the listing"`
	Title   string        `json:"title" untrusted:"true"`
	Status  models.Status `json:"status"`
	Price   ui.AmountText `json:"price" jsonschema:"asking price now"`
	Then    ui.AmountText `json:"price_then" jsonschema:"asking price when it was added"`
	Deal    *int          `json:"deal,omitempty" jsonschema:"percent from what it sells for in this condition"`
	Sales   int           `json:"deal_sample_size,omitempty" jsonschema:"sales of this gear behind it"`
}

func (w *Watch) brief() WatchBrief {
	b := WatchBrief{Listing: w.Listing.ID, Title: ui.Excerpt(w.Listing.Title, 80), Status: w.Listing.Status, Price: ui.NewAmountText(w.Listing.Price), Then: ui.NewAmountText(w.Then)}
	if w.Listing.Deal != nil {
		b.Deal, b.Sales = &w.Listing.Deal.Percent, w.Listing.Deal.Sales
	}
	return b
}

// line returns the watch on one line of text.
func (w *Watch) line() string {
	return "- " + ui.Commas(ui.MarkdownText(ui.Untrusted(ui.Excerpt(w.Listing.Title, 60))), w.Listing.PriceText(), "since then "+w.change(context.Background())) + ": " + w.Listing.ID + "\n"
}

// WatchResult is the result of watching a listing.
type WatchResult struct {
	WatchBrief
	Next []string `json:"next" jsonschema:"tools to call next"`
	page *Watch
}

// Result returns what watch_listing returns.
func (w *Watch) Result(*ui.NoOptions) *WatchResult {
	return &WatchResult{w.brief(), []string{"get_watchlist", "unwatch_listing"}, w}
}

// Text implements web.ToolResult.
func (r *WatchResult) Text(w io.Writer) error {
	m := ui.NewMarkdown(r.page.site, "Watched", "")
	m.Raw("\n", r.page.line())
	m.Paragraph(watchlistLead)
	m.ToolNames(r.Next)
	return m.Done(w)
}

// WatchlistResult is the result of reading a watchlist.
type WatchlistResult struct {
	Watches []WatchBrief `json:"watches" jsonschema:"last added first"`
	page    *Watchlist
}

// Result returns what the tools of a watchlist return.
func (p *Watchlist) Result(*ui.NoOptions) *WatchlistResult {
	return &WatchlistResult{ui.Each(p.Watches, (*Watch).brief), p}
}

// Text implements web.ToolResult.
func (r *WatchlistResult) Text(w io.Writer) error {
	m := ui.NewMarkdown(r.page.site, "Watchlist", "")
	if len(r.Watches) == 0 {
		m.Paragraph("You watch nothing yet. Next: watch_listing (listing).")
	}
	for i := range r.page.Watches {
		m.Raw(r.page.Watches[i].line())
	}
	return m.Done(w)
}

// SearchBrief is a saved search.
type SearchBrief struct {
	ID      string                `json:"id"`
	Name    string                `json:"name" untrusted:"true"`
	Query   string                `json:"query" jsonschema:"query string of the search"`
	Every   models.Frequency      `json:"every" jsonschema:"how often alerts are sent"`
	Email   bool                  `json:"email" jsonschema:"whether alerts are sent by email"`
	Webhook string                `json:"webhook,omitempty"`
	Events  []models.WebhookEvent `json:"webhook_events,omitempty" jsonschema:"what the webhook is sent; absent: new listings"`
}

func (c *SearchCard) brief() SearchBrief {
	brief := SearchBrief{ID: c.ID, Name: c.Name, Query: c.Query, Every: c.Every, Email: c.Email, Webhook: c.Webhook}
	if c.Webhook != "" && slices.Contains(c.Events, models.TrendsChanged) {
		brief.Events = c.Events
	}
	return brief
}

// line returns the saved search on one line of text.
func (c *SearchCard) line() string {
	return "- " + ui.MarkdownText(ui.Untrusted(c.Name)) + ": " + ui.Commas(ui.MarkdownText(ui.Untrusted(c.Text)), "alerts "+EveryText(c.Every)+" by "+ui.MarkdownText(c.channels(context.Background()))) + ": " + c.ID + "\n"
}

// SavedSearchResult is the result of reading or changing a saved search.
type SavedSearchResult struct {
	SearchBrief
	Alerts []ui.ListingBrief `json:"alerts,omitempty" jsonschema:"listings of past alerts, latest first"`
	Next   []string          `json:"next" jsonschema:"tools to call next"`
	page   *SavedSearch
}

// Result returns what get_search returns.
func (p *SavedSearch) Result(*ui.NoOptions) *SavedSearchResult {
	r := p.Change(nil)
	if len(p.Alerts) > 0 {
		r.Alerts = ui.Briefs(p.Alerts)
	}
	return r
}

// Change returns what the tools that change a saved search return.
func (p *SavedSearch) Change(*ui.NoOptions) *SavedSearchResult {
	return &SavedSearchResult{SearchBrief: p.brief(), Next: []string{"edit_search", "delete_search"}, page: p}
}

// Text implements web.ToolResult.
func (r *SavedSearchResult) Text(w io.Writer) error {
	m := ui.NewMarkdown(r.page.site, "Saved search", "")
	m.Raw("\n", r.page.line(), "\nNext: get_search (id, detail=full) for the secret addresses of its feeds and the key of its webhooks.\n")
	if len(r.Alerts) > 0 {
		m.Raw("\nPast alerts:\n")
		m.Lines(r.page.Alerts)
	}
	m.ToolNames(r.Next)
	return m.Done(w)
}

// SavedSearchesResult is the result of listing a member's saved searches.
type SavedSearchesResult struct {
	Searches []SearchBrief `json:"searches" jsonschema:"newest first"`
	page     *SavedSearches
}

// Result returns what the tools of the list of saved searches return.
func (p *SavedSearches) Result(*ui.NoOptions) *SavedSearchesResult {
	return &SavedSearchesResult{ui.Each(p.Searches, (*SearchCard).brief), p}
}

// Text implements web.ToolResult.
func (r *SavedSearchesResult) Text(w io.Writer) error {
	m := ui.NewMarkdown(r.page.site, "Saved searches", "")
	if len(r.Searches) == 0 {
		m.Paragraph("None yet. Next: save_search (query).")
	}
	for i := range r.page.Searches {
		m.Raw(r.page.Searches[i].line())
	}
	return m.Done(w)
}
