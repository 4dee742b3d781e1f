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

// The guides, the journal and the page about the site.
//
//go:embed guides/*.md journal/*.md about.md
var texts embed.FS

// Text is a page that somebody wrote.
type Text struct {
	Slug        string // the name of its file: "condition-grades"
	Title       string
	Description string    // one or two sentences, plain text
	Date        time.Time // the day it was first published, UTC
	Updated     time.Time // the day it was last changed; Date when it never was
	Tags        []string  // slugs, such as film; none for guides
	Markdown    string    // the text without its heading
	HTML        string    // the same rendered; HTML written in the text is left out
	Minutes     int       // to read it, at 220 words a minute, at least 1
}

// Guides are the texts that explain something about the site, by title.
var Guides = sync.OnceValue(func() []*Text {
	all := mustReadTexts("guides/*.md")
	slices.SortFunc(all, func(a, b *Text) int { return strings.Compare(a.Title, b.Title) })
	return all
})

// GuideBySlug is the guide with a name, nil when there is none.
func GuideBySlug(slug string) *Text { return bySlug(Guides(), slug) }

// Journal is everything the owner wrote, the newest first.
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

// JournalBySlug is the piece of the journal with a name, nil when there is none.
func JournalBySlug(slug string) *Text { return bySlug(Journal(), slug) }

// About is the page about the site.
var About = sync.OnceValue(func() *Text { return mustReadTexts("about.md")[0] })

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
		panic(err) // the files are part of the program; a test reads them
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

// strictYAML is front matter in which a field nobody reads is a mistake.
var strictYAML = frontmatter.Format{Name: "YAML", Delim: '-', Unmarshal: func(source []byte, into any) error {
	dec := yaml.NewDecoder(bytes.NewReader(source))
	dec.KnownFields(true)
	return dec.Decode(into)
}}

// renderer renders tables, footnotes, highlighted code and figures beside what
// CommonMark has. It leaves out HTML, and links that are not safe to follow.
// Code is coloured by classes, because the site's content policy forbids styles
// in the page.
var renderer = goldmark.New(
	goldmark.WithExtensions(
		&frontmatter.Extender{Formats: []frontmatter.Format{strictYAML}},
		extension.Table, extension.Footnote, figures{},
		highlighting.NewHighlighting(highlighting.WithFormatOptions(chroma.WithClasses(true))),
	),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
)

// scrollTables lets a table that is wider than the screen scroll by itself, by
// keyboard too. Nothing else in a text can be a tag: the renderer escapes it.
var scrollTables = strings.NewReplacer(
	"<table>", `<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>`,
	"</table>", "</table></div>")

// parseText reads a text that begins with its front matter: title, description
// and date, and perhaps updated and tags.
func parseText(slug string, source []byte) (*Text, error) {
	ctx := parser.NewContext()
	var html bytes.Buffer
	if err := renderer.Convert(source, &html, parser.WithContext(ctx)); err != nil {
		return nil, err
	}
	matter := frontmatter.Get(ctx)
	if matter == nil {
		return nil, fmt.Errorf("does not begin with front matter between lines of ---")
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
		return nil, fmt.Errorf("its front matter does not end with a line of ---")
	case head.Title == "" || head.Description == "" || head.Date.IsZero():
		return nil, fmt.Errorf("has no title, no description or no date")
	case head.Updated.IsZero():
		head.Updated = head.Date
	case head.Updated.Before(head.Date):
		return nil, fmt.Errorf("was updated before its date")
	}
	return &Text{
		Slug: slug, Title: head.Title, Description: head.Description, Date: head.Date, Updated: head.Updated, Tags: head.Tags,
		Markdown: strings.TrimSpace(body) + "\n", HTML: scrollTables.Replace(html.String()), Minutes: minutes(body),
	}, nil
}

// minutes is how long a text takes to read.
func minutes(text string) int {
	const wordsPerMinute = 220
	return max(1, (len(strings.Fields(text))+wordsPerMinute/2)/wordsPerMinute)
}
