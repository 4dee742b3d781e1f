package content

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"sort"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
)

//go:embed guides/*.md
var guides embed.FS

// Guide is a text that explains something about the site.
type Guide struct {
	Slug        string // the name of its file: "condition-grades"
	Title       string
	Description string // one sentence, plain text
	Markdown    string // the text without its heading
	HTML        string // the same rendered; HTML written in the text is left out
}

// Guides are all of them, by title.
var Guides = sync.OnceValue(func() []*Guide {
	all, err := readGuides(guides)
	if err != nil {
		panic(err) // the files are part of the program; a test reads them
	}
	return all
})

// GuideBySlug is the guide with a name, nil when there is none.
func GuideBySlug(slug string) *Guide {
	for _, g := range Guides() {
		if g.Slug == slug {
			return g
		}
	}
	return nil
}

func readGuides(fsys fs.FS) ([]*Guide, error) {
	names, err := fs.Glob(fsys, "guides/*.md")
	if err != nil {
		return nil, err
	}
	var all []*Guide
	for _, name := range names {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		g, err := parseGuide(strings.TrimSuffix(path.Base(name), ".md"), string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, g)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Title < all[j].Title })
	return all, nil
}

// renderer renders tables and footnotes beside what CommonMark has. It leaves
// out HTML, and links that are not safe to follow.
var renderer = goldmark.New(
	goldmark.WithExtensions(extension.Table, extension.Footnote),
	goldmark.WithParserOptions(parser.WithAutoHeadingID()),
)

// parseGuide reads a text that begins with its title and description between
// two lines of three dashes.
func parseGuide(slug, text string) (*Guide, error) {
	rest, ok := strings.CutPrefix(text, "---\n")
	head, body, closed := strings.Cut(rest, "\n---\n")
	if !ok || !closed {
		return nil, fmt.Errorf("does not begin with its title and description between lines of ---")
	}
	g := &Guide{Slug: slug, Markdown: strings.TrimSpace(body) + "\n"}
	for line := range strings.Lines(head) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		switch value = strings.TrimSpace(value); name {
		case "title":
			g.Title = value
		case "description":
			g.Description = value
		default:
			return nil, fmt.Errorf("does not know %q: there are title and description", name)
		}
	}
	if g.Title == "" || g.Description == "" {
		return nil, fmt.Errorf("has no title or no description")
	}
	var html bytes.Buffer
	if err := renderer.Convert([]byte(g.Markdown), &html); err != nil {
		return nil, err
	}
	g.HTML = html.String()
	return g, nil
}
