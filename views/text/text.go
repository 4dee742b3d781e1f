// Package text renders texts: the journal, guides, pages about the site, and their editor.
package text

import (
	"context"
	"regexp"
	"strings"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/static"
	"github.com/secondlight/secondlight/views/ui"
)

// TextCard is a guide or a journal entry as lists show it.
type TextCard struct {
	Title string `json:"title"`
	ui.Ref
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
func textCards(site *ui.Site, path func(slug string) string, all []*content.Text) []TextCard {
	cards := make([]TextCard, len(all))
	for i, t := range all {
		cards[i] = TextCard{
			Title: t.Title, Ref: ui.NewRef(path(t.Slug)), Description: t.Description, Date: ui.IsoDay(t.Date), Updated: ui.IsoDay(t.Updated),
			Minutes: t.Minutes, Tags: ui.List(t.Tags), path: path(t.Slug), text: t,
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
	date, updated := ui.DayIn(ctx, ui.IsoDay(text.Date)), ui.DayIn(ctx, ui.IsoDay(text.Updated))
	if updated == date {
		return ui.T(ctx, "%s. %s min read.", date, ui.NumberIn(ctx, text.Minutes))
	}
	return ui.T(ctx, "%s, updated %s. %s min read.", date, updated, ui.NumberIn(ctx, text.Minutes))
}

// asOf returns the day of the last change of a page about the site.
func asOf(ctx context.Context, page *content.Text) string {
	return ui.T(ctx, "As of %s.", ui.DayIn(ctx, ui.IsoDay(page.Updated)))
}

// textBody returns a text, which package content has sanitised.
func textBody(html string) templ.Component {
	return templ.Raw(staticFile.ReplaceAllStringFunc(html, hashedPath))
}

// staticFile matches the path of a static file as texts name it.
var staticFile = regexp.MustCompile(`/static/[a-z0-9/_-]+\.[a-z0-9]+`)

// hashedPath returns a path with the hash of the static file's content, other paths as they are.
func hashedPath(path string) string {
	if file, ok := static.ByName(strings.TrimPrefix(path, "/static/")); ok {
		return file.Path
	}
	return path
}

// TextList writes a list of texts.
func writeTextList(m *ui.Markdown, cards []TextCard) {
	m.Raw("\n")
	for i := range cards {
		c := &cards[i]
		text := textIn(m.Context, c.text)
		m.Raw("- ", m.Link(ui.Link{Href: c.path, Label: text.Title}), ": ", ui.MarkdownText(text.Description), " ", textByline(m.Context, text))
		for i, tag := range c.Tags {
			m.Raw([]string{" " + ui.T(m.Context, "Tags:") + " ", ", "}[min(i, 1)], ui.MarkdownText(tag))
		}
		m.Raw("\n")
	}
}

// article describes a guide or a journal entry.
func article(site *ui.Site, page ui.Page, published, updated string, tags []string) ui.Thing {
	head := page.Head(context.Background())
	return ui.NewThing("Article", "headline", head.Title, "description", head.Description, "datePublished", published+"T00:00:00Z",
		"dateModified", updated+"T00:00:00Z", "author", site.OwnerThing(), "publisher", site.OwnerThing(), "image", site.URL(ui.PreviewPathOf(context.Background(), site, page)),
		"mainEntityOfPage", site.URL(head.Path), "keywords", strings.Join(tags, ", "), "inLanguage", "en")
}
