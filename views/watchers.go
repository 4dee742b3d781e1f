package views

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/models"
)

// Watchers is the page where a seller reads how many people watch a listing, and writes
// to them.
type Watchers struct {
	Listing  Topic  `json:"listing" jsonschema:"your listing"`
	Count    int    `json:"watchers" jsonschema:"number of members who watch it" min:"0"`
	New      int    `json:"new_watchers" jsonschema:"number of them since your last message" min:"0"`
	LastText string `json:"last_text,omitempty" jsonschema:"your last message to watchers; absent if there is none"`
	LastAt   string `json:"last_sent_at,omitempty" format:"date-time" jsonschema:"when you sent it"`
	Links    []Link `json:"links"`
	active   bool
	site     *Site
}

// NewWatchers returns the page of a listing's watchers.
func NewWatchers(site *Site, l *models.Listing, w *models.Watchers) *Watchers {
	return &Watchers{Listing: newTopic(site, l), Count: w.Count, New: w.New, LastText: w.LastText, LastAt: w.LastAt.RFC3339(), active: l.Status == models.StatusActive,
		Links: []Link{{listingPath(l.ID), "The listing"}, {myListingsPath, "Your listings"}, {messagesPath, "Messages"}}, site: site}
}

// watchersPath returns the path of the page of a listing's watchers.
func watchersPath(listing string) string { return myListingsPath + "/" + listing + "/watchers" }

// Head implements Page.
func (p *Watchers) Head(ctx context.Context) Head {
	return Head{Title: p.heading(), Description: "Message the people who watch your listing.", Path: watchersPath(p.Listing.ID), NoIndex: true,
		Crumbs: []Link{accountCrumb, {myListingsPath, "Your listings"}}}
}

// watchingText says how many people watch something: "3 people watch this".
func watchingText(n int) string {
	switch n {
	case 0:
		return "Nobody watches this yet"
	case 1:
		return "1 person watches this"
	}
	return numberText(n) + " people watch this"
}

func (p *Watchers) heading() string { return watchingText(p.Count) }

// mayWrite reports whether a message would be sent.
func (p *Watchers) mayWrite() bool { return p.active && p.New > 0 }

// lead says what the seller can do.
func (p *Watchers) lead() string {
	switch {
	case !p.active:
		return "You can write to them while the listing is for sale."
	case p.Count == 0:
		return "Good photos and a fair price help."
	case p.New == 0:
		return "You can write again once somebody new watches it."
	}
	return "Tell them it’s still available, or that the price has dropped."
}

// watchersHelp says who gets a message to watchers.
const watchersHelp = "Everyone who watches it gets your message once, unless they’ve turned these messages off, written to you or made an offer. You’ll only see who they are if they answer."

// Markdown implements Page.
func (p *Watchers) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, p.heading(), p.site.notice())
	m.text(p.lead())
	m.raw("\n- Listing: ", m.topic(&p.Listing), "\n")
	if p.LastText != "" {
		m.raw("\nYour last message, on ", momentText(p.LastAt), ":\n\n")
		m.quote(p.LastText)
	}
	m.links(p.Links)
	return m.done(w)
}
