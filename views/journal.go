package views

import (
	"io"
	"slices"

	"github.com/secondlight/secondlight/content"
)

// Journal lists what the owner wrote, the newest first.
type Journal struct {
	Tag     string     `json:"tag,omitempty" jsonschema:"the tag the list is narrowed to"`
	Entries []TextCard `json:"entries" jsonschema:"the pieces, newest first"`
	Tags    []Facet    `json:"tags" jsonschema:"every tag of the journal"`
	Links   []Link     `json:"links"`
	site    *Site
}

// NewJournal makes the list of a journal, narrowed to a tag unless that is "".
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

// journalTags counts the tags of a journal, by name.
func journalTags(all []*content.Text, chosen string) []Facet {
	tags := []Facet{}
	for _, t := range all {
		for _, tag := range t.Tags {
			if i := slices.IndexFunc(tags, func(f Facet) bool { return f.Value == tag }); i >= 0 {
				tags[i].Count++
				continue
			}
			f := Facet{Value: tag, Label: tag, Count: 1, Href: journalPath("", tag), Active: tag == chosen}
			if f.Active {
				f.Href = "/journal"
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

// entryPath is the address of a piece of the journal.
func entryPath(slug string) string { return journalPath(slug, "") }

// journalPath is the address of a piece of the journal, or of everything with a tag.
func journalPath(slug, tag string) string {
	switch {
	case slug != "":
		return "/journal/" + slug
	case tag != "":
		return "/journal?tag=" + string(appendEscaped(nil, tag))
	}
	return "/journal"
}

func (p *Journal) title() string {
	if p.Tag != "" {
		return "Journal: " + p.Tag
	}
	return "Journal"
}

const journalLead = "Notes on pictures and on the cameras and lenses they are made with."

// Head implements Page.
func (p *Journal) Head() Head {
	h := Head{Title: p.title(), Description: journalLead, Path: journalPath("", p.Tag), NoIndex: len(p.Entries) == 0,
		Alternates: feedAlternates(journalPath("", p.Tag))}
	if p.Tag != "" {
		h.Crumbs = []Link{{"/journal", "Journal"}}
	}
	return h
}

// Markdown implements Page.
func (p *Journal) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, p.title(), "")
	m.text(journalLead)
	if len(p.Entries) == 0 {
		m.text("Nothing has this tag.")
	} else {
		m.textList(p.Entries)
	}
	m.facets("By tag", facetGroup{"tag", "Tag", p.Tags})
	m.links(p.Links)
	return m.done(w)
}

// JournalEntry is a piece of the journal.
type JournalEntry struct {
	Slug        string   `json:"slug"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	Author      string   `json:"author,omitempty" jsonschema:"name of who wrote it"`
	Date        string   `json:"date" jsonschema:"day it was first published, ISO 8601"`
	Updated     string   `json:"updated" jsonschema:"day it was last changed"`
	Minutes     int      `json:"minutes" jsonschema:"to read it"`
	Tags        []string `json:"tags" jsonschema:"subjects, as /journal?tag= takes them"`
	Body        string   `json:"body" jsonschema:"the text in Markdown, without its heading"`
	Older       *Link    `json:"older,omitempty" jsonschema:"the piece before it in time"`
	Newer       *Link    `json:"newer,omitempty" jsonschema:"the piece after it in time"`
	Links       []Link   `json:"links"`
	html        string
	site        *Site
}

// NewJournalEntry makes the page of a piece of the journal; all is the whole
// journal, the newest first.
func NewJournalEntry(site *Site, entry *content.Text, all []*content.Text) *JournalEntry {
	p := &JournalEntry{
		Slug: entry.Slug, Title: entry.Title, Description: entry.Description, Author: site.Owner,
		Date: isoDay(entry.Date), Updated: isoDay(entry.Updated), Minutes: entry.Minutes, Tags: list(entry.Tags),
		Body: entry.Markdown, html: entry.HTML, site: site,
		Links: []Link{{"/journal", "The whole journal"}, {"/gear", "What gear sells for"}},
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
func (p *JournalEntry) Head() Head {
	return Head{Title: p.Title, Description: p.Description, Path: entryPath(p.Slug), Crumbs: []Link{{"/journal", "Journal"}}}
}

// byline says who wrote it, when, and how long it takes to read.
func (p *JournalEntry) byline() string {
	text := textByline(p.Date, p.Updated, p.Minutes)
	if p.Author != "" {
		text = "By " + p.Author + ", " + text
	}
	return text
}

// Markdown implements Page.
func (p *JournalEntry) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, p.Title, "")
	m.text(p.Description)
	m.text(p.byline())
	for i, tag := range p.Tags {
		m.raw([]string{"\nTags: ", ", "}[min(i, 1)], m.link(Link{journalPath("", tag), tag}))
	}
	m.raw("\n")
	m.body(p.Body)
	links := p.Links
	if p.Newer != nil {
		links = append(links, Link{p.Newer.Href, "Newer: " + p.Newer.Label})
	}
	if p.Older != nil {
		links = append(links, Link{p.Older.Href, "Older: " + p.Older.Label})
	}
	m.links(links)
	return m.done(w)
}
