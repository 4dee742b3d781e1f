package content

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"go.yaml.in/yaml/v3"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models/plain"
)

// English is the language of texts that have versions in others.
const English = "en"

// Text is a page written in Markdown.
type Text struct {
	Slug        string // the file name: "condition-grades"
	Language    string // BCP 47 tag of the language that it is written in: "de"
	Title       string
	Description string           // one or two sentences, plain text
	Date        time.Time        // day of publication, UTC
	Updated     time.Time        // day of the last change; Date if it was never changed
	Tags        []string         // slugs, such as film; none for guides and pages
	Markdown    string           // the text without its heading
	HTML        string           // the rendered text, without raw HTML
	Minutes     int              // reading time at 220 words a minute, at least 1
	versions    map[string]*Text // in other languages, by language
}

// In returns the version of the text in a language, or the text if there is none.
func (t *Text) In(language string) *Text { return cmp.Or(t.versions[language], t) }

// headingID matches the start of a heading in HTML up to its id.
var headingID = regexp.MustCompile(`<h[1-6] id="[^"]*"`)

// AddVersion adds a version in another language. Its headings get the ids of those of t,
// if it has as many, so that links to a section lead to it in every language.
func (t *Text) AddVersion(v *Text) {
	ids := headingID.FindAllString(t.HTML, -1)
	if len(ids) == len(headingID.FindAllString(v.HTML, -1)) {
		v.HTML = headingID.ReplaceAllStringFunc(v.HTML, func(own string) string {
			id := ids[0]
			ids = ids[1:]
			return own[:len("<h1")] + id[len("<h1"):]
		})
	}
	if t.versions == nil {
		t.versions = map[string]*Text{}
	}
	t.versions[v.Language] = v
}

// Guides returns the guides of the program, sorted by title.
var Guides = sync.OnceValue(func() []*Text {
	all := mustReadTexts("guides")
	sortByTitle(all)
	return all
})

// Journal returns the entries of the journal of the demonstration, newest first.
var Journal = sync.OnceValue(func() []*Text {
	all := mustReadTexts("journal")
	sortByDate(all)
	return all
})

func sortByTitle(all []*Text) {
	slices.SortFunc(all, func(a, b *Text) int {
		return cmp.Or(strings.Compare(a.Title, b.Title), strings.Compare(a.Slug, b.Slug))
	})
}

// sortByDate sorts texts, the newest first.
func sortByDate(all []*Text) {
	slices.SortFunc(all, func(a, b *Text) int { return cmp.Or(b.Date.Compare(a.Date), strings.Compare(a.Slug, b.Slug)) })
}

func bySlug(all []*Text, slug string) *Text {
	for _, t := range all {
		if t.Slug == slug {
			return t
		}
	}
	return nil
}

func mustReadTexts(folder string) []*Text {
	all, err := readTexts(files, folder)
	if err != nil {
		panic(err) // the files are embedded, and a test reads them
	}
	return all
}

// readTexts reads the texts in a folder, with their versions in other languages, which are in
// folders of their own: guides/de.
func readTexts(fsys fs.FS, folder string) ([]*Text, error) {
	texts, err := readLanguage(fsys, folder, English)
	if err != nil {
		return nil, err
	}
	folders, err := fs.Glob(fsys, folder+"/??")
	for _, folder := range folders {
		versions, err := readLanguage(fsys, folder, path.Base(folder))
		if err != nil {
			return nil, err
		}
		for _, v := range versions {
			original := bySlug(texts, v.Slug)
			if original == nil {
				return nil, fmt.Errorf("%s/%s.md: there is no such text in English", folder, v.Slug)
			}
			original.AddVersion(v)
		}
	}
	return texts, err
}

// readLanguage reads the texts in a folder, which are in one language.
func readLanguage(fsys fs.FS, folder, language string) ([]*Text, error) {
	names, err := fs.Glob(fsys, folder+"/*.md")
	if err != nil {
		return nil, err
	}
	var all []*Text
	for _, name := range names {
		source, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		t, err := parseText(strings.TrimSuffix(path.Base(name), ".md"), language, source)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, t)
	}
	return all, nil
}

// extensions are tables, footnotes, highlighted code and figures. Code is highlighted with
// classes and cells are aligned by attributes, because the site's content security policy
// forbids inline styles.
var extensions = []goldmark.Extender{
	extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)), extension.Footnote, figures{},
	highlighting{},
}

// renderer renders CommonMark with extensions. It omits raw HTML and
// unsafe links.
var renderer = goldmark.New(
	goldmark.WithExtensions(extensions...),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
)

// scrollTables wraps the tables of a text in elements that scroll, by keyboard too, as code does. The
// renderer escapes all other text that looks like a tag.
func scrollTables(html, language string) string {
	label := "Table"
	if l := languages.Find(language); l != nil {
		label = l.Text(label)
	}
	return strings.NewReplacer(
		"<table>", `<div class="scroll" role="group" aria-label="`+label+`" tabindex="0"><table>`,
		"</table>", "</table></div>",
		"<pre><code", `<pre tabindex="0"><code`,
		`<pre class="chroma">`, `<pre class="chroma" tabindex="0">`).Replace(html)
}

// parseText parses a text in a language that begins with front matter: title, description
// and date are required, updated and tags optional.
func parseText(slug, language string, source []byte) (*Text, error) {
	matter, ok := strings.CutPrefix(plain.File(source), "---\n")
	if !ok {
		return nil, fmt.Errorf("must begin with front matter between lines of ---")
	}
	matter, body, closed := strings.Cut("\n"+matter, "\n---\n")
	var head struct {
		Title, Description string
		Date, Updated      time.Time
		Tags               []string
	}
	dec := yaml.NewDecoder(strings.NewReader(matter))
	dec.KnownFields(true)
	if err := dec.Decode(&head); closed && err != nil {
		return nil, fmt.Errorf("front matter: %w", err)
	}
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
	t, err := NewText(slug, language, head.Title, head.Description, body)
	if err == nil {
		t.Date, t.Updated, t.Tags = head.Date, head.Updated, head.Tags
	}
	return t, err
}

// NewText returns a text without days, made of Markdown in a language that the program comes with.
func NewText(slug, language, title, description, markdown string) (*Text, error) {
	var html bytes.Buffer
	if err := renderer.Convert([]byte(markdown), &html); err != nil {
		return nil, err
	}
	return &Text{Slug: slug, Language: language, Title: title, Description: description, Markdown: strings.TrimSpace(markdown) + "\n",
		HTML: scrollTables(html.String(), language), Minutes: minutes(markdown)}, nil
}

// sitePicture matches the address of a picture of the site in HTML.
var sitePicture = regexp.MustCompile(`<img src="(/[^"&#]+)`)

// Picture returns the path of the first picture of the text, without its size, "" for none.
func (t *Text) Picture() string {
	if found := sitePicture.FindStringSubmatch(t.HTML); found != nil {
		return found[1]
	}
	return ""
}

// minutes returns the reading time of a text.
func minutes(text string) int {
	const wordsPerMinute = 220
	return max(1, (len(strings.Fields(text))+wordsPerMinute/2)/wordsPerMinute)
}
