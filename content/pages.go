package content

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"path"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
)

// PageSlugs lists the pages about the site, in the order in which they are listed.
var PageSlugs = []string{"about", "help", "buying", "fees", "shipping", "safety", "privacy", "terms", "imprint"}

// Pages holds the texts of the site in every language: the pages about it, the guides and
// the journal. They come with the program, and the owner's replace them. A page is
// also replaced by the owner's file of the same name, if there is one: in all languages by
// about.md, in German by de/about.md; what the owner wrote in the browser replaces both. The
// journal of the program is shown with demonstration data only. A Pages may be used by
// several goroutines.
type Pages struct {
	owner   fs.FS
	uses    atomic.Pointer[pageUse]
	log     *slog.Logger
	loading sync.Mutex // held by load
	current atomic.Pointer[pageSet]
	version atomic.Uint64
}

// pageUse is what pages are made with.
type pageUse struct {
	languages []string
	facts     Facts
	written   []Written
}

// pageSet holds the texts, and what they were made with: the owner's files are by name.
type pageSet struct {
	use       *pageUse
	texts     map[string]*Text // pages by slug
	originals map[string]*Text // pages without what the owner wrote in the browser
	guides    []*Text
	journal   []*Text
	files     map[string]string
	refused   map[string]string // why files of the owner are left out, by name
}

// OpenPages reads the pages in languages, which are BCP 47 tags. The owner's files for all
// languages are in the first of them. It logs those that it leaves out.
func OpenPages(owner fs.FS, languages []string, facts Facts, log *slog.Logger) *Pages {
	p := &Pages{owner: owner, log: log}
	p.current.Store(&pageSet{})
	p.Use(languages, facts, nil)
	return p
}

// Use makes the texts again if the languages, the facts or the texts that the owner wrote
// are others.
func (p *Pages) Use(languages []string, facts Facts, written []Written) {
	p.uses.Store(&pageUse{languages, facts.escaped(), written})
	p.load()
}

// Guides returns the guides, sorted by title.
func (p *Pages) Guides() []*Text { return p.current.Load().guides }

// Journal returns the entries of the journal, newest first.
func (p *Pages) Journal() []*Text { return p.current.Load().journal }

// GuideBySlug returns the guide with a slug, or nil.
func (p *Pages) GuideBySlug(slug string) *Text { return bySlug(p.Guides(), slug) }

// EntryBySlug returns the entry of the journal with a slug, or nil.
func (p *Pages) EntryBySlug(slug string) *Text { return bySlug(p.Journal(), slug) }

// Original returns a text as it is without what the owner wrote in the browser, and whether
// it is the owner's file. It returns nil if there is none in the language.
func (p *Pages) Original(section, slug, language string) (original *Text, file bool) {
	set := p.current.Load()
	switch section {
	case PagesSection:
		original = set.originals[slug]
	case GuidesSection:
		original = bySlug(Guides(), slug)
	case JournalSection:
		original = bySlug(p.demoJournal(), slug)
	}
	if original == nil {
		return nil, false
	}
	original = original.Versions()[language]
	return original, original != nil && section == PagesSection && (set.files[slug+".md"] != "" || set.files[path.Join(language, slug+".md")] != "")
}

// demoJournal returns the journal of the demonstration, if the site shows it.
func (p *Pages) demoJournal() []*Text {
	if !p.uses.Load().facts.Demo {
		return nil
	}
	return Journal()
}

// BySlug returns the page with a slug, or nil.
func (p *Pages) BySlug(slug string) *Text { return p.current.Load().texts[slug] }

// Refused returns why files of the owner can't be used, by name.
func (p *Pages) Refused() map[string]string { return p.current.Load().refused }

// Version returns a number that increases whenever a page changes.
func (p *Pages) Version() uint64 { return p.version.Load() }

// Reload reads the owner's files again if one has changed.
func (p *Pages) Reload(context.Context) error {
	p.load()
	return nil
}

// files returns the owner's files by name, and why others can't be read, which count as missing.
func (p *Pages) files() (files, refused map[string]string) {
	files, refused = map[string]string{}, map[string]string{}
	for _, slug := range PageSlugs {
		for _, folder := range append([]string{"."}, p.uses.Load().languages...) {
			name := path.Join(folder, slug+".md")
			source, err := fs.ReadFile(p.owner, name)
			if err == nil {
				files[name] = string(source)
			} else if !errors.Is(err, fs.ErrNotExist) {
				p.log.Warn("read page", "file", name, "err", err)
				refused[name] = "it can't be read"
			}
		}
	}
	return files, refused
}

// load makes all texts if what they are made with has changed, one call at a time, so that
// the last call has the last word.
func (p *Pages) load() {
	p.loading.Lock()
	defer p.loading.Unlock()
	use, last := p.uses.Load(), p.current.Load()
	files, refused := p.files()
	if reflect.DeepEqual(last.use, use) && maps.Equal(last.files, files) {
		return
	}
	set := &pageSet{use: use, texts: map[string]*Text{}, originals: map[string]*Text{}, files: files, refused: refused}
	var originals []*Text
	for _, slug := range PageSlugs {
		set.originals[slug] = p.page(slug, set)
		originals = append(originals, set.originals[slug])
	}
	for _, page := range overlay(originals, PagesSection, use.languages, use.written) {
		set.texts[page.Slug] = page
	}
	set.guides = overlay(Guides(), GuidesSection, use.languages, use.written)
	sortByTitle(set.guides)
	set.journal = overlay(p.demoJournal(), JournalSection, use.languages, use.written)
	sortByDate(set.journal)
	p.current.Store(set)
	p.version.Add(1)
}

// page returns a page with its versions. Those that are embedded are left out if the owner
// replaces the page in all languages.
func (p *Pages) page(slug string, set *pageSet) *Text {
	page := p.owners(slug, p.uses.Load().languages[0], slug+".md", set)
	replaced := page != nil
	if !replaced {
		page = p.embedded(slug, English)
	}
	for _, language := range p.uses.Load().languages {
		version := p.owners(slug, language, path.Join(language, slug+".md"), set)
		if version == nil && !replaced {
			version = p.embedded(slug, language)
		}
		if version != nil {
			page.AddVersion(version)
		}
	}
	return page
}

// owners returns a page made from the owner's file with a name, or nil if that is missing,
// empty or wrong.
func (p *Pages) owners(slug, language, name string, set *pageSet) *Text {
	if set.files[name] == "" {
		return nil
	}
	text, err := fill(slug, language, set.files[name], p.uses.Load().facts)
	if err != nil {
		p.log.Warn("skip page", "file", name, "err", err)
		set.refused[name] = err.Error()
		return nil
	}
	return text
}

// embedded returns an embedded page, or nil if there is none in the language.
func (p *Pages) embedded(slug, language string) *Text {
	source := embeddedPage(slug, language)
	if source == "" {
		return nil
	}
	text, err := fill(slug, language, source, p.uses.Load().facts)
	if err != nil {
		panic(fmt.Sprintf("page %s in %s: %v", slug, language, err)) // the file is embedded, and a test reads it
	}
	return text
}

// EmbeddedPage returns an embedded page in English without the facts of a site, for its title and
// description.
func EmbeddedPage(slug string) *Text {
	text, err := parseText(slug, English, []byte(embeddedPage(slug, English)))
	if err != nil {
		panic(fmt.Sprintf("page %s: %v", slug, err)) // the file is embedded, and a test reads it
	}
	return text
}

// embeddedPage returns the template of a page, or "" if there is none in the language.
func embeddedPage(slug, language string) string {
	if language == English {
		language = "."
	}
	source, err := fs.ReadFile(files, path.Join("pages", language, slug+".md"))
	if err != nil {
		return ""
	}
	return string(source)
}

// fill returns the text that a template in a language makes of facts.
func fill(slug, language, source string, facts Facts) (*Text, error) {
	filled, err := expand(slug, source, facts)
	if err != nil {
		return nil, err
	}
	return parseText(slug, language, []byte(filled))
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
