package views

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/content/languages"
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
	text        *content.Text
}

// textCards returns texts as lists show them. path returns the path of a text by its
// slug.
func textCards(site *Site, path func(slug string) string, all []*content.Text) []TextCard {
	cards := make([]TextCard, len(all))
	for i, t := range all {
		cards[i] = TextCard{
			Title: t.Title, Ref: newRef(path(t.Slug)), Description: t.Description, Date: isoDay(t.Date), Updated: isoDay(t.Updated),
			Minutes: t.Minutes, Tags: list(t.Tags), path: path(t.Slug), text: t,
		}
	}
	return cards
}

// textIn returns the version of a text in the reader's language, or the English text.
func textIn(ctx context.Context, t *content.Text) *content.Text {
	return t.In(languages.Of(ctx).Code())
}

// textByline returns the dates and the reading time of a text: "20 Nov 2026, changed
// 21 Nov 2026. 4 min to read."
func textByline(ctx context.Context, text *content.Text) string {
	date, updated := dayIn(ctx, isoDay(text.Date)), dayIn(ctx, isoDay(text.Updated))
	if updated == date {
		return t(ctx, "%s. %s min to read.", date, numberIn(ctx, text.Minutes))
	}
	return t(ctx, "%s, changed %s. %s min to read.", date, updated, numberIn(ctx, text.Minutes))
}

// asOf returns the day of the last change of a page about the site.
func asOf(ctx context.Context, page *content.Text) string {
	return t(ctx, "As of %s.", dayIn(ctx, isoDay(page.Updated)))
}

// textBody returns a text, which package content has sanitised.
func textBody(html string) templ.Component { return templ.Raw(html) }

// TextList writes a list of texts.
func writeTextList(m *markdown, cards []TextCard) {
	m.raw("\n")
	for i := range cards {
		c := &cards[i]
		text := textIn(m.ctx, c.text)
		m.raw("- ", m.link(Link{c.path, text.Title}), ": ", mdText(text.Description), " ", textByline(m.ctx, text))
		for i, tag := range c.Tags {
			m.raw([]string{" " + t(m.ctx, "Tags:") + " ", ", "}[min(i, 1)], mdText(tag))
		}
		m.raw("\n")
	}
}

// article describes a guide or a journal entry.
func article(site *Site, page Page, published, updated string, tags []string) thing {
	head := page.Head(context.Background())
	return newThing("Article", "headline", head.Title, "description", head.Description, "datePublished", published+"T00:00:00Z",
		"dateModified", updated+"T00:00:00Z", "author", site.ownerThing(), "publisher", site.ownerThing(), "image", site.URL(previewPath(site, page)),
		"mainEntityOfPage", site.URL(head.Path), "keywords", strings.Join(tags, ", "), "inLanguage", "en")
}
