package text

import (
	"context"
	"io"
	"slices"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/views/ui"
)

// Journal is the list of journal entries, newest first.
type Journal struct {
	Tag     string     `json:"tag,omitempty" jsonschema:"tag the list is filtered by"`
	Entries []TextCard `json:"entries" jsonschema:"entries, newest first"`
	Tags    []ui.Facet `json:"tags" jsonschema:"all tags of the journal"`
	Links   []ui.Link  `json:"links"`
	site    *ui.Site
}

// NewJournal returns the list of journal entries with a tag, or of all entries when
// tag is "".
func NewJournal(site *ui.Site, all []*content.Text, tag string) *Journal {
	p := &Journal{Tag: tag, Tags: journalTags(all, tag), site: site}
	shown := all
	if tag != "" {
		shown = slices.DeleteFunc(slices.Clone(all), func(t *content.Text) bool { return !slices.Contains(t.Tags, tag) })
	}
	p.Entries = textCards(site, entryPath, shown)
	if tag != "" {
		p.Links = append(p.Links, ui.Link{Href: "/journal", Label: "The whole journal"})
	}
	p.Links = append(p.Links, ui.Link{Href: "/guides", Label: "Guides"}, ui.Link{Href: "/about", Label: "About this site"})
	return p
}

// journalTags counts the entries by tag, sorted by tag.
func journalTags(all []*content.Text, chosen string) []ui.Facet {
	tags := []ui.Facet{}
	for _, t := range all {
		for _, tag := range t.Tags {
			if i := slices.IndexFunc(tags, func(f ui.Facet) bool { return f.Value == tag }); i >= 0 {
				tags[i].Count++
				continue
			}
			f := ui.Facet{Value: tag, Label: tag, Count: 1, Active: tag == chosen}.Leading(ui.JournalPath("", tag))
			if f.Active {
				f = f.Leading("/journal")
			}
			tags = append(tags, f)
		}
	}
	slices.SortFunc(tags, func(a, b ui.Facet) int {
		if a.Value < b.Value {
			return -1
		}
		return 1
	})
	return tags
}

// entryPath returns the path of a journal entry.
func entryPath(slug string) string { return ui.JournalPath(slug, "") }

func (p *Journal) title(ctx context.Context) string {
	if p.Tag != "" {
		return ui.T(ctx, "Journal") + ": " + p.Tag
	}
	return ui.T(ctx, "Journal")
}

// empty reports whether the journal has no entries at all.
func (p *Journal) empty() bool { return p.Tag == "" && len(p.Entries) == 0 }

// journalLead is the first paragraph of the page.
var journalLead = languages.Mark("Notes on photographs, and the cameras and lenses behind them.")

// Head implements Page.
func (p *Journal) Head(ctx context.Context) ui.Head {
	h := ui.Head{Title: p.title(ctx), Description: ui.T(ctx, journalLead), Path: ui.JournalPath("", p.Tag), NoIndex: len(p.Entries) == 0,
		Alternates: ui.FeedAlternates(ui.JournalPath("", p.Tag))}
	if p.Tag != "" {
		h.Crumbs = []ui.Link{{Href: "/journal", Label: ui.T(ctx, "Journal")}}
	}
	return h
}

// Markdown implements Page.
func (p *Journal) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, p.title(ctx), "").In(ctx)
	m.Paragraph(ui.T(ctx, journalLead))
	if p.empty() {
		m.Paragraph(ui.T(ctx, ui.EmptyJournal.Visitor))
	} else if len(p.Entries) == 0 {
		m.Paragraph(ui.T(ctx, "No entries with this tag."))
	} else {
		writeTextList(m, p.Entries)
	}
	m.Facets("By tag", ui.FacetGroup{Key: "tag", Label: "Tag", Facets: p.Tags, Param: "tag"})
	m.Links(p.Links)
	return m.Done(w)
}

// JournalEntry is the page of one journal entry.
type JournalEntry struct {
	Slug        string    `json:"slug"`
	Title       string    `json:"title"`
	Description string    `json:"description"`
	Author      string    `json:"author,omitempty" jsonschema:"name of the author"`
	Date        string    `json:"date" jsonschema:"day of publication, ISO 8601"`
	Updated     string    `json:"updated" jsonschema:"day of the last change, ISO 8601"`
	Minutes     int       `json:"minutes" jsonschema:"reading time in minutes"`
	Tags        []string  `json:"tags" jsonschema:"tags, as used in /journal?tag="`
	Body        string    `json:"body" jsonschema:"text as Markdown, without its heading"`
	Older       *ui.Link  `json:"older,omitempty" jsonschema:"the previous entry by date"`
	Newer       *ui.Link  `json:"newer,omitempty" jsonschema:"the next entry by date"`
	Links       []ui.Link `json:"links"`
	text        *content.Text
	site        *ui.Site
}

// NewJournalEntry returns the page of a journal entry. all is the whole journal,
// newest first.
func NewJournalEntry(site *ui.Site, entry *content.Text, all []*content.Text) *JournalEntry {
	p := &JournalEntry{
		Slug: entry.Slug, Title: entry.Title, Description: entry.Description, Author: site.Owner(),
		Date: ui.IsoDay(entry.Date), Updated: ui.IsoDay(entry.Updated), Minutes: entry.Minutes, Tags: ui.List(entry.Tags),
		Body: entry.Markdown, text: entry, site: site,
		Links: []ui.Link{{Href: "/journal", Label: "The whole journal"}, {Href: "/gear", Label: "Price guide"}},
	}
	at := slices.Index(all, entry)
	if at > 0 {
		p.Newer = &ui.Link{Href: entryPath(all[at-1].Slug), Label: all[at-1].Title}
	}
	if at >= 0 && at+1 < len(all) {
		p.Older = &ui.Link{Href: entryPath(all[at+1].Slug), Label: all[at+1].Title}
	}
	return p
}

// Head implements Page.
func (p *JournalEntry) Head(ctx context.Context) ui.Head {
	text := textIn(ctx, p.text)
	return ui.Head{Title: text.Title, Description: text.Description, Path: entryPath(p.Slug), Crumbs: []ui.Link{{Href: "/journal", Label: ui.T(ctx, "Journal")}}}
}

// byline returns the author, the dates and the reading time.
func (p *JournalEntry) byline(ctx context.Context) string {
	text := textByline(ctx, textIn(ctx, p.text))
	if p.Author == "" {
		return text
	}
	return ui.T(ctx, "By %s", p.Author) + ", " + text
}

// neighbours returns links to the entries before and after this one.
func (p *JournalEntry) neighbours(ctx context.Context) []ui.Link {
	var links []ui.Link
	if p.Newer != nil {
		links = append(links, ui.Link{Href: p.Newer.Href, Label: ui.T(ctx, "Next entry: %s", p.Newer.Label)})
	}
	if p.Older != nil {
		links = append(links, ui.Link{Href: p.Older.Href, Label: ui.T(ctx, "Older: %s", p.Older.Label)})
	}
	return links
}

// Markdown implements Page.
func (p *JournalEntry) Markdown(ctx context.Context, w io.Writer) error {
	text := textIn(ctx, p.text)
	m := ui.NewMarkdown(p.site, text.Title, "").In(ctx)
	m.Paragraph(text.Description)
	m.Paragraph(p.byline(ctx))
	for i, tag := range p.Tags {
		m.Raw([]string{"\n" + ui.T(ctx, "Tags:") + " ", ", "}[min(i, 1)], m.Link(ui.Link{Href: ui.JournalPath("", tag), Label: tag}))
	}
	m.Raw("\n")
	m.Body(text.Markdown)
	m.Links(append(slices.Clone(p.Links), p.neighbours(ctx)...))
	return m.Done(w)
}

func (p *JournalEntry) Schema() ui.Thing { return article(p.site, p, p.Date, p.Updated, p.Tags) }

// feed returns the page's feed.
func (p *Journal) feed() (*ui.Feed, error) {
	f := &ui.Feed{Title: p.title(context.Background()) + " – " + p.site.Name(), Text: journalLead, Path: ui.JournalPath("", p.Tag), Site: p.site}
	for i := range p.Entries {
		c := &p.Entries[i]
		f.Entries = append(f.Entries, ui.FeedEntry{
			ID: p.site.URL(c.Page), URL: p.site.URL(c.Page), Title: c.Title, Summary: c.Description, HTML: p.site.Absolute(c.text.HTML), Tags: c.Tags,
			Published: c.Date + "T00:00:00Z", Updated: c.Updated + "T00:00:00Z",
		})
	}
	return f, nil
}

// Atom writes the page's feed in Atom format.
func (p *Journal) Atom(w io.Writer) error { return ui.WriteFeed(p.feed, (*ui.Feed).Atom, w) }

// JSONFeed writes the page's feed in JSON Feed format.
func (p *Journal) JSONFeed(w io.Writer) error { return ui.WriteFeed(p.feed, (*ui.Feed).JSON, w) }
