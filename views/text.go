package views

import (
	"regexp"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/content"
)

// TextCard is a guide or a journal entry as lists show it.
type TextCard struct {
	Title string `json:"title"`
	Ref
	Description string   `json:"description"`
	Date        string   `json:"date" jsonschema:"day of publication, ISO 8601"`
	Updated     string   `json:"updated" jsonschema:"day of the last change, ISO 8601"`
	Minutes     int      `json:"minutes" jsonschema:"reading time in minutes"`
	Tags        []string `json:"tags" jsonschema:"tags, as used in /journal?tag="`
	path        string
	html        string
}

// textCards returns texts as lists show them. path returns the path of a text by its
// slug.
func textCards(site *Site, path func(slug string) string, all []*content.Text) []TextCard {
	cards := make([]TextCard, len(all))
	for i, t := range all {
		cards[i] = TextCard{
			Title: t.Title, Ref: newRef(path(t.Slug)), Description: t.Description, Date: isoDay(t.Date), Updated: isoDay(t.Updated),
			Minutes: t.Minutes, Tags: list(t.Tags), path: path(t.Slug), html: t.HTML,
		}
	}
	return cards
}

// isoDay formats a day as ISO 8601: "2026-11-20".
func isoDay(t time.Time) string { return t.Format(time.DateOnly) }

// textByline returns the dates and the reading time of a text: "20 Nov 2026, changed
// 21 Nov 2026. 4 min to read."
func textByline(date, updated string, minutes int) string {
	text := DayText(date)
	if updated != date {
		text += ", changed " + DayText(updated)
	}
	return text + ". " + numberText(minutes) + " min to read."
}

// textBody returns a text, which package content has sanitised.
func textBody(html string) templ.Component { return templ.Raw(html) }

// siteLink matches the address of a link to a page of the site in Markdown.
var siteLink = regexp.MustCompile(`\]\((/[^)\s]*)`)

// body writes a text that is Markdown. Links to the site become absolute, and lead to
// Markdown.
func (m *markdown) body(text string) {
	m.raw("\n", siteLink.ReplaceAllStringFunc(text, func(link string) string {
		return "](" + m.site.URL(MarkdownPath(strings.TrimPrefix(link, "](")))
	}))
}

// textList writes a list of texts.
func (m *markdown) textList(cards []TextCard) {
	m.raw("\n")
	for i := range cards {
		c := &cards[i]
		m.raw("- ", m.link(Link{c.path, c.Title}), ": ", mdText(c.Description), " ", textByline(c.Date, c.Updated, c.Minutes))
		for i, tag := range c.Tags {
			m.raw([]string{" Tags: ", ", "}[min(i, 1)], mdText(tag))
		}
		m.raw("\n")
	}
}
