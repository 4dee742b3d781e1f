package views

import (
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/content"
)

// TextCard is something written, as lists show it.
type TextCard struct {
	Title       string   `json:"title"`
	URL         string   `json:"url"`
	Description string   `json:"description"`
	Date        string   `json:"date" jsonschema:"day it was first published, ISO 8601"`
	Updated     string   `json:"updated" jsonschema:"day it was last changed"`
	Minutes     int      `json:"minutes" jsonschema:"to read it"`
	Tags        []string `json:"tags" jsonschema:"subjects, as /journal?tag= takes them"`
	path        string
	html        string
}

func textCards(site *Site, path func(slug string) string, all []*content.Text) []TextCard {
	cards := make([]TextCard, len(all))
	for i, t := range all {
		cards[i] = TextCard{
			Title: t.Title, URL: site.URL(path(t.Slug)), Description: t.Description, Date: isoDay(t.Date), Updated: isoDay(t.Updated),
			Minutes: t.Minutes, Tags: list(t.Tags), path: path(t.Slug), html: t.HTML,
		}
	}
	return cards
}

// isoDay is a day as the wire writes it: "2026-11-20".
func isoDay(t time.Time) string { return t.Format(time.DateOnly) }

// textByline says when something was written and how long it takes to read:
// "20 Nov 2026, changed 21 Nov 2026. 4 min to read."
func textByline(date, updated string, minutes int) string {
	text := DayText(date)
	if updated != date {
		text += ", changed " + DayText(updated)
	}
	return text + ". " + numberText(minutes) + " min to read."
}

// textBody is a text, which package content has rendered safely.
func textBody(html string) templ.Component { return templ.Raw(html) }

// body writes a text that is Markdown already; its links into the site become
// absolute, so that they hold wherever the text is carried.
func (m *markdown) body(text string) {
	m.raw("\n", strings.ReplaceAll(text, "](/", "]("+m.site.BaseURL+"/"))
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
