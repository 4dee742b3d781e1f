// Package docs embeds the documents that every site publishes at /docs, and the sample files
// that tutorials use.
package docs

import (
	"archive/zip"
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/content/packed"
)

// files has the published files of this folder.
var files = packed.Folder("docs")

// Source is where the repository shows its files, for links from documents to what isn't published.
const Source = "https://github.com/secondlight/secondlight/blob/main/"

// Folders have the published documents, in the order in which /docs lists them.
var Folders = []string{"start", "how-to/own", "how-to/run", "how-to/use", "reference", "explain"}

// Document is a published document, with its translations.
type Document struct {
	*content.Text
	File   string // path below docs: "how-to/run/backup.md"
	Folder string // of Folders
}

// Path returns the path of the document on a site.
func (d *Document) Path() string { return "/docs/" + d.Slug }

// Mentions reports whether each word of a text is in the document, in any of its languages.
func (d *Document) Mentions(text string) bool {
	var all strings.Builder
	for _, t := range d.Versions() {
		all.WriteString(strings.ToLower(t.Title + " " + t.Description + " " + t.Markdown))
	}
	return !slices.ContainsFunc(strings.Fields(strings.ToLower(text)), func(word string) bool { return !strings.Contains(all.String(), word) })
}

// All returns the published documents by folder, those of a folder in the order of the index.
var All = sync.OnceValue(func() []*Document {
	all, err := read()
	if err != nil {
		panic(err) // the files are embedded, and a test reads them
	}
	return all
})

// BySlug returns the document with a slug, or nil.
func BySlug(slug string) *Document {
	for _, d := range All() {
		if d.Slug == slug {
			return d
		}
	}
	return nil
}

// Samples returns the files to download that documents use, by name.
func Samples() map[string][]byte {
	samples := map[string][]byte{"photographs.zip": photographs()}
	for _, pattern := range []string{"samples/*", "*.py"} {
		names, err := fs.Glob(files, pattern)
		if err != nil {
			panic(err) // the pattern is wrong
		}
		for _, name := range names {
			samples[path.Base(name)] = mustRead(files, name)
		}
	}
	return samples
}

// photographs returns an archive of the photographs of a demonstration project.
func photographs() []byte {
	names, err := fs.Glob(content.Portfolio(), "portfolio/far-from-home/*.jpg")
	if err != nil {
		panic(err) // the pattern is wrong
	}
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	for _, name := range names {
		w, err := archive.CreateHeader(&zip.FileHeader{Name: "photographs/" + path.Base(name)}) // stored: JPEG is compressed
		if err == nil {
			_, err = w.Write(mustRead(content.Portfolio(), name))
		}
		if err != nil {
			panic(err) // a buffer doesn't fail
		}
	}
	if err := archive.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func mustRead(fsys fs.FS, name string) []byte {
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		panic(err) // the file is embedded
	}
	return text
}

// read reads all documents. Those at the top of docs explain prices.
func read() (all []*Document, err error) {
	for _, folder := range Folders {
		names, err := fs.Glob(files, folder+"/*.md")
		if err != nil {
			return nil, err
		}
		if folder == "explain" {
			names = append([]string{"prices.md", "price-method.md"}, names...)
		}
		for _, name := range names {
			d, err := readDocument(name, folder)
			if err != nil {
				return nil, fmt.Errorf("docs/%s: %w", name, err)
			}
			all = append(all, d)
		}
	}
	slices.SortStableFunc(all, func(a, b *Document) int {
		return cmp.Or(cmp.Compare(slices.Index(Folders, a.Folder), slices.Index(Folders, b.Folder)), cmp.Compare(slices.Index(order, a.Slug), slices.Index(order, b.Slug)))
	})
	return all, nil
}

// order has the slugs of all documents; within a folder they are listed in this order.
var order = []string{"try", "first-shop", "first-portfolio", "first-program", "first-agent", "import", "look", "galleries", "pages", "currencies", "moderate",
	"size", "install", "containers", "backup", "restore", "point-in-time", "upgrade", "troubleshoot", "monitor", "members", "database",
	"several-servers", "object-storage", "delete-data", "move", "secrets", "api", "changes", "alerts", "agents",
	"settings", "commands", "csv-columns", "portfolio-files", "theme-files", "listing-states", "offer-states", "mcp-tools", "prices", "price-method", "trust"}

func readDocument(name, folder string) (*Document, error) {
	text, err := readText(name, name, content.English)
	if err != nil {
		return nil, err
	}
	d := &Document{Text: text, File: name, Folder: folder}
	german := "de/" + path.Base(name)
	if _, err := fs.Stat(files, german); err == nil {
		version, err := readText(german, name, "de")
		if err != nil {
			return nil, err
		}
		text.AddVersion(version)
	}
	return d, nil
}

var (
	// beginning matches a document: its title, a paragraph that describes it, and the rest.
	beginning = regexp.MustCompile(`(?s)^# ([^\n]+)\n\n(.+?)\n\n(.*)$`)
	comment   = regexp.MustCompile(`(?s)<!--.*?-->\n*`)
	markup    = regexp.MustCompile("[`*]|\\[([^]]*)\\]\\([^)]*\\)")
	link      = regexp.MustCompile(`\]\(([^)\s:#]+)(#[^)\s]*)?\)`)
	code      = regexp.MustCompile("(?ms)^```.*?^```$")
)

// readText reads a document whose links are relative to the folder of a file.
func readText(name, file, language string) (*content.Text, error) {
	source, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, err
	}
	m := beginning.FindStringSubmatch(comment.ReplaceAllString(string(source), ""))
	if m == nil {
		return nil, fmt.Errorf("must begin with a title and a paragraph")
	}
	description := strings.Join(strings.Fields(markup.ReplaceAllString(m[2], "$1")), " ")
	return content.NewText(strings.TrimSuffix(path.Base(name), ".md"), language, m[1], description, relink(m[3], path.Dir(file)))
}

// relink makes the links of a document in a folder of docs lead to the site, or to the
// repository if the site doesn't have the file.
func relink(markdown, folder string) string {
	replace := func(text string) string {
		return link.ReplaceAllStringFunc(text, func(match string) string {
			m := link.FindStringSubmatch(match)
			target := path.Join("docs", folder, m[1])
			switch {
			case strings.HasPrefix(m[1], "/"):
				return match
			case target == "docs/README.md":
				return "](/docs" + m[2] + ")"
			case published(strings.TrimPrefix(target, "docs/")):
				return "](/docs/" + strings.TrimSuffix(path.Base(target), ".md") + m[2] + ")"
			}
			return "](" + Source + target + m[2] + ")"
		})
	}
	var b strings.Builder
	end := 0
	for _, block := range code.FindAllStringIndex(markdown, -1) {
		b.WriteString(replace(markdown[end:block[0]]) + markdown[block[0]:block[1]])
		end = block[1]
	}
	return b.String() + replace(markdown[end:])
}

func published(name string) bool {
	_, err := fs.Stat(files, name)
	return err == nil && strings.HasSuffix(name, ".md")
}
