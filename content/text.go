package content

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	chroma "github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/yuin/goldmark"
	highlighting "github.com/yuin/goldmark-highlighting/v2"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"go.abhg.dev/goldmark/frontmatter"
	"go.yaml.in/yaml/v3"
)

// texts holds the guides and the journal.
//
//go:embed guides/*.md journal/*.md
var texts embed.FS

// Text is a page written in Markdown.
type Text struct {
	Slug        string // the file name: "condition-grades"
	Title       string
	Description string    // one or two sentences, plain text
	Date        time.Time // day of publication, UTC
	Updated     time.Time // day of the last change; Date if it was never changed
	Tags        []string  // slugs, such as film; none for guides
	Markdown    string    // the text without its heading
	HTML        string    // the rendered text, without raw HTML
	Minutes     int       // reading time at 220 words a minute, at least 1
}

// Guides returns the guides, sorted by title.
var Guides = sync.OnceValue(func() []*Text {
	all := mustReadTexts("guides/*.md")
	slices.SortFunc(all, func(a, b *Text) int { return strings.Compare(a.Title, b.Title) })
	return all
})

// GuideBySlug returns the guide with a slug, or nil.
func GuideBySlug(slug string) *Text { return bySlug(Guides(), slug) }

// Journal returns the entries of the journal, newest first.
var Journal = sync.OnceValue(func() []*Text {
	all := mustReadTexts("journal/*.md")
	slices.SortFunc(all, func(a, b *Text) int {
		if c := b.Date.Compare(a.Date); c != 0 {
			return c
		}
		return strings.Compare(a.Slug, b.Slug)
	})
	return all
})

// JournalBySlug returns the entry of the journal with a slug, or nil.
func JournalBySlug(slug string) *Text { return bySlug(Journal(), slug) }

func bySlug(all []*Text, slug string) *Text {
	for _, t := range all {
		if t.Slug == slug {
			return t
		}
	}
	return nil
}

func mustReadTexts(pattern string) []*Text {
	all, err := readTexts(texts, pattern)
	if err != nil {
		panic(err) // the files are embedded, and a test reads them
	}
	return all
}

func readTexts(fsys fs.FS, pattern string) ([]*Text, error) {
	names, err := fs.Glob(fsys, pattern)
	if err != nil {
		return nil, err
	}
	var all []*Text
	for _, name := range names {
		source, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		t, err := parseText(strings.TrimSuffix(path.Base(name), ".md"), source)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, t)
	}
	return all, nil
}

// strictYAML parses YAML front matter in which unknown fields are errors.
var strictYAML = frontmatter.Format{Name: "YAML", Delim: '-', Unmarshal: func(source []byte, into any) error {
	dec := yaml.NewDecoder(bytes.NewReader(source))
	dec.KnownFields(true)
	return dec.Decode(into)
}}

// renderer renders CommonMark with tables, footnotes, highlighted code and figures. It
// omits raw HTML and unsafe links. Code is highlighted with classes, because the
// site's content security policy forbids inline styles.
var renderer = goldmark.New(
	goldmark.WithExtensions(
		&frontmatter.Extender{Formats: []frontmatter.Format{strictYAML}},
		extension.Table, extension.Footnote, figures{},
		highlighting.NewHighlighting(highlighting.WithFormatOptions(chroma.WithClasses(true))),
	),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
)

// scrollTables wraps tables in an element that scrolls, by keyboard too. The renderer
// escapes all other text that looks like a tag.
var scrollTables = strings.NewReplacer(
	"<table>", `<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>`,
	"</table>", "</table></div>")

// parseText parses a text that begins with front matter: title, description and date
// are required, updated and tags optional.
func parseText(slug string, source []byte) (*Text, error) {
	ctx := parser.NewContext()
	var html bytes.Buffer
	if err := renderer.Convert(source, &html, parser.WithContext(ctx)); err != nil {
		return nil, err
	}
	matter := frontmatter.Get(ctx)
	if matter == nil {
		return nil, fmt.Errorf("must begin with front matter between lines of ---")
	}
	var head struct {
		Title, Description string
		Date, Updated      time.Time
		Tags               []string
	}
	if err := matter.Decode(&head); err != nil {
		return nil, fmt.Errorf("front matter: %w", err)
	}
	_, body, closed := strings.Cut(string(source), "\n---\n")
	switch {
	case !closed:
		return nil, fmt.Errorf("front matter must end with a line of ---")
	case head.Title == "" || head.Description == "" || head.Date.IsZero():
		return nil, fmt.Errorf("front matter must have a title, a description and a date")
	case head.Updated.IsZero():
		head.Updated = head.Date
	case head.Updated.Before(head.Date):
		return nil, fmt.Errorf("updated is before date")
	}
	return &Text{
		Slug: slug, Title: head.Title, Description: head.Description, Date: head.Date, Updated: head.Updated, Tags: head.Tags,
		Markdown: strings.TrimSpace(body) + "\n", HTML: scrollTables.Replace(html.String()), Minutes: minutes(body),
	}, nil
}

// minutes returns the reading time of a text.
func minutes(text string) int {
	const wordsPerMinute = 220
	return max(1, (len(strings.Fields(text))+wordsPerMinute/2)/wordsPerMinute)
}
