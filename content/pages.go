package content

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strings"
	"sync/atomic"
	"text/template"
)

//go:embed pages/*.md
var pages embed.FS

// PageSlugs lists the pages about the site, in the order in which they are listed.
var PageSlugs = []string{"about", "help", "buying", "fees", "shipping", "safety", "privacy", "terms", "imprint"}

// Facts are what pages about the site say of its owner. Pages are templates of package
// text/template, whose fields these are.
type Facts struct {
	Site    string // name of the site
	Owner   string // who runs it
	Address string // postal address of the owner, "" if unknown
	Email   string // public email address of the owner, "" if unknown
	URL     string // of the site, without a trailing slash

	Fees, Shipping string // notes of the owner, "" for none
}

// Pages holds the pages about the site. Each is embedded, and replaced by the owner's file
// of the same name, if there is one. A Pages may be used by several goroutines.
type Pages struct {
	owner   fs.FS
	facts   atomic.Pointer[Facts]
	log     *slog.Logger
	current atomic.Pointer[pageSet]
	version atomic.Uint64
}

// pageSet holds the pages by slug, with the owner's files they were made from.
type pageSet struct {
	texts map[string]*Text
	files map[string]string
}

// OpenPages reads the pages. The owner's files are {slug}.md in owner; it logs those
// that it leaves out.
func OpenPages(owner fs.FS, facts Facts, log *slog.Logger) *Pages {
	p := &Pages{owner: owner, log: log}
	p.current.Store(&pageSet{})
	p.Use(facts)
	return p
}

// Use makes the pages again with other facts.
func (p *Pages) Use(facts Facts) {
	escaped := facts.escaped()
	p.facts.Store(&escaped)
	p.load()
}

// BySlug returns the page with a slug, or nil.
func (p *Pages) BySlug(slug string) *Text { return p.current.Load().texts[slug] }

// Version returns a number that increases whenever a page changes.
func (p *Pages) Version() uint64 { return p.version.Load() }

// Reload reads the owner's files again if one has changed.
func (p *Pages) Reload(context.Context) error {
	for _, slug := range PageSlugs {
		if file, known := p.current.Load().files[slug]; file != p.file(slug) || !known {
			p.load()
			return nil
		}
	}
	return nil
}

// file returns the owner's file of a page, or "". A file that can't be read counts as
// missing.
func (p *Pages) file(slug string) string {
	source, err := fs.ReadFile(p.owner, slug+".md")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		p.log.Warn("read page", "file", slug+".md", "err", err)
	}
	return string(source)
}

// load reads all pages.
func (p *Pages) load() {
	set := &pageSet{map[string]*Text{}, map[string]string{}}
	for _, slug := range PageSlugs {
		set.files[slug] = p.file(slug)
		set.texts[slug] = p.page(slug, set.files[slug])
	}
	p.current.Store(set)
	p.version.Add(1)
}

// page returns a page made from the owner's file or, if that is empty or wrong, from the
// embedded one.
func (p *Pages) page(slug, file string) *Text {
	if file != "" {
		text, err := fill(slug, file, *p.facts.Load())
		if err == nil {
			return text
		}
		p.log.Warn("skip page", "file", slug+".md", "err", err)
	}
	text, err := fill(slug, embeddedPage(slug), *p.facts.Load())
	if err != nil {
		panic(fmt.Sprintf("page %s: %v", slug, err)) // the file is embedded, and a test reads it
	}
	return text
}

// EmbeddedPage returns an embedded page without the facts of a site, for its title and
// description.
func EmbeddedPage(slug string) *Text {
	text, err := parseText(slug, []byte(embeddedPage(slug)))
	if err != nil {
		panic(fmt.Sprintf("page %s: %v", slug, err)) // the file is embedded, and a test reads it
	}
	return text
}

func embeddedPage(slug string) string {
	source, err := pages.ReadFile("pages/" + slug + ".md")
	if err != nil {
		panic(err) // a test reads every page
	}
	return string(source)
}

// fill returns the text that a template makes of facts.
func fill(slug, source string, facts Facts) (*Text, error) {
	tmpl, err := template.New(slug).Parse(source)
	if err != nil {
		return nil, err
	}
	var filled bytes.Buffer
	if err := tmpl.Execute(&filled, facts); err != nil {
		return nil, err
	}
	return parseText(slug, filled.Bytes())
}

// escaped returns the facts as Markdown. The email address and the URL have no characters
// that mean anything in Markdown where templates use them, between < and >.
func (f Facts) escaped() Facts {
	f.Site, f.Owner, f.Address = escape(f.Site), escape(f.Owner), escape(f.Address)
	f.Fees, f.Shipping = escape(f.Fees), escape(f.Shipping)
	return f
}

// markup escapes the characters that Markdown and HTML give a meaning in a line.
var markup = strings.NewReplacer("\\", "\\\\", "*", "\\*", "_", "\\_", "`", "\\`", "[", "\\[", "]", "\\]", "<", "\\<", ">", "\\>", "&", "\\&",
	"#", "\\#", "|", "\\|", "~", "\\~", "\n", " ")

func escape(text string) string { return markup.Replace(text) }
