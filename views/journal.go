package views

import (
	"context"
	"io"
	"slices"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/content/languages"
)

// Journal is the list of journal entries, newest first.
type Journal struct {
	Tag     string     `json:"tag,omitempty" jsonschema:"tag the list is filtered by"`
	Entries []TextCard `json:"entries" jsonschema:"entries, newest first"`
	Tags    []Facet    `json:"tags" jsonschema:"all tags of the journal"`
	Links   []Link     `json:"links"`
	site    *Site
}

// NewJournal returns the list of journal entries with a tag, or of all entries when
// tag is "".
func NewJournal(site *Site, all []*content.Text, tag string) *Journal {
	p := &Journal{Tag: tag, Tags: journalTags(all, tag), site: site}
	shown := all
	if tag != "" {
		shown = slices.DeleteFunc(slices.Clone(all), func(t *content.Text) bool { return !slices.Contains(t.Tags, tag) })
	}
	p.Entries = textCards(site, entryPath, shown)
	if tag != "" {
		p.Links = append(p.Links, Link{"/journal", "The whole journal"})
	}
	p.Links = append(p.Links, Link{"/guides", "Guides"}, Link{"/about", "About this site"})
	return p
}

// journalTags counts the entries by tag, sorted by tag.
func journalTags(all []*content.Text, chosen string) []Facet {
	tags := []Facet{}
	for _, t := range all {
		for _, tag := range t.Tags {
			if i := slices.IndexFunc(tags, func(f Facet) bool { return f.Value == tag }); i >= 0 {
				tags[i].Count++
				continue
			}
			f := Facet{Value: tag, Label: tag, Count: 1, Active: tag == chosen}.leading(journalPath("", tag))
			if f.Active {
				f = f.leading("/journal")
			}
			tags = append(tags, f)
		}
	}
	slices.SortFunc(tags, func(a, b Facet) int {
		if a.Value < b.Value {
			return -1
		}
		return 1
	})
	return tags
}

// entryPath returns the path of a journal entry.
func entryPath(slug string) string { return journalPath(slug, "") }

func (p *Journal) title(ctx context.Context) string {
	if p.Tag != "" {
		return t(ctx, "Journal") + ": " + p.Tag
	}
	return t(ctx, "Journal")
}

// empty reports whether the journal has no entries at all.
func (p *Journal) empty() bool { return p.Tag == "" && len(p.Entries) == 0 }

// journalLead is the first paragraph of the page.
var journalLead = languages.Mark("Notes on pictures and on the cameras and lenses they are made with.")

// Head implements Page.
func (p *Journal) Head(ctx context.Context) Head {
	h := Head{Title: p.title(ctx), Description: t(ctx, journalLead), Path: journalPath("", p.Tag), NoIndex: len(p.Entries) == 0,
		Alternates: feedAlternates(journalPath("", p.Tag))}
	if p.Tag != "" {
		h.Crumbs = []Link{{"/journal", t(ctx, "Journal")}}
	}
	return h
}

// Markdown implements Page.
func (p *Journal) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, p.title(ctx), "").in(ctx)
	m.text(t(ctx, journalLead))
	if p.empty() {
		m.text(t(ctx, emptyJournal.Visitor))
	} else if len(p.Entries) == 0 {
		m.text(t(ctx, "Nothing has this tag."))
	} else {
		writeTextList(m, p.Entries)
	}
	m.facets("By tag", facetGroup{"tag", "Tag", p.Tags, "tag"})
	m.links(p.Links)
	return m.done(w)
}

// JournalEntry is the page of one journal entry.
type JournalEntry struct {
	Slug        string   `json:"slug"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	Author      string   `json:"author,omitempty" jsonschema:"name of the author"`
	Date        string   `json:"date" jsonschema:"day of publication, ISO 8601"`
	Updated     string   `json:"updated" jsonschema:"day of the last change, ISO 8601"`
	Minutes     int      `json:"minutes" jsonschema:"reading time in minutes"`
	Tags        []string `json:"tags" jsonschema:"tags, as used in /journal?tag="`
	Body        string   `json:"body" jsonschema:"text as Markdown, without its heading"`
	Older       *Link    `json:"older,omitempty" jsonschema:"the previous entry by date"`
	Newer       *Link    `json:"newer,omitempty" jsonschema:"the next entry by date"`
	Links       []Link   `json:"links"`
	text        *content.Text
	site        *Site
}

// NewJournalEntry returns the page of a journal entry. all is the whole journal,
// newest first.
func NewJournalEntry(site *Site, entry *content.Text, all []*content.Text) *JournalEntry {
	p := &JournalEntry{
		Slug: entry.Slug, Title: entry.Title, Description: entry.Description, Author: site.Owner(),
		Date: isoDay(entry.Date), Updated: isoDay(entry.Updated), Minutes: entry.Minutes, Tags: list(entry.Tags),
		Body: entry.Markdown, text: entry, site: site,
		Links: []Link{{"/journal", "The whole journal"}, {"/gear", "Price guide"}},
	}
	at := slices.Index(all, entry)
	if at > 0 {
		p.Newer = &Link{entryPath(all[at-1].Slug), all[at-1].Title}
	}
	if at >= 0 && at+1 < len(all) {
		p.Older = &Link{entryPath(all[at+1].Slug), all[at+1].Title}
	}
	return p
}

// Head implements Page.
func (p *JournalEntry) Head(ctx context.Context) Head {
	text := textIn(ctx, p.text)
	return Head{Title: text.Title, Description: text.Description, Path: entryPath(p.Slug), Crumbs: []Link{{"/journal", t(ctx, "Journal")}}}
}

// byline returns the author, the dates and the reading time.
func (p *JournalEntry) byline(ctx context.Context) string {
	text := textByline(ctx, textIn(ctx, p.text))
	if p.Author == "" {
		return text
	}
	return t(ctx, "By %s", p.Author) + ", " + text
}

// neighbours returns links to the entries before and after this one.
func (p *JournalEntry) neighbours(ctx context.Context) []Link {
	var links []Link
	if p.Newer != nil {
		links = append(links, Link{p.Newer.Href, t(ctx, "Newer: %s", p.Newer.Label)})
	}
	if p.Older != nil {
		links = append(links, Link{p.Older.Href, t(ctx, "Older: %s", p.Older.Label)})
	}
	return links
}

// Markdown implements Page.
func (p *JournalEntry) Markdown(ctx context.Context, w io.Writer) error {
	text := textIn(ctx, p.text)
	m := newMarkdown(p.site, text.Title, "").in(ctx)
	m.text(text.Description)
	m.text(p.byline(ctx))
	for i, tag := range p.Tags {
		m.raw([]string{"\n" + t(ctx, "Tags:") + " ", ", "}[min(i, 1)], m.link(Link{journalPath("", tag), tag}))
	}
	m.raw("\n")
	m.body(text.Markdown)
	m.links(append(slices.Clone(p.Links), p.neighbours(ctx)...))
	return m.done(w)
}

func (p *JournalEntry) Schema() thing { return article(p.site, p, p.Date, p.Updated, p.Tags) }

// feed returns the page's feed.
func (p *Journal) feed() (*Feed, error) {
	f := &Feed{Title: p.title(context.Background()) + " – " + p.site.Name(), Text: journalLead, Path: journalPath("", p.Tag), site: p.site}
	for i := range p.Entries {
		c := &p.Entries[i]
		f.Entries = append(f.Entries, FeedEntry{
			ID: p.site.URL(c.Page), URL: p.site.URL(c.Page), Title: c.Title, Summary: c.Description, HTML: p.site.absolute(c.text.HTML), Tags: c.Tags,
			Published: c.Date + "T00:00:00Z", Updated: c.Updated + "T00:00:00Z",
		})
	}
	return f, nil
}

// Atom writes the page's feed in Atom format.
func (p *Journal) Atom(w io.Writer) error { return writeFeed(p.feed, (*Feed).Atom, w) }

// JSONFeed writes the page's feed in JSON Feed format.
func (p *Journal) JSONFeed(w io.Writer) error { return writeFeed(p.feed, (*Feed).JSON, w) }
