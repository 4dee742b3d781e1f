package content

import (
	"bytes"
	"cmp"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// The sections of texts.
const (
	PagesSection   = "pages"
	GuidesSection  = "guides"
	JournalSection = "journal"
)

// Written is a text that the owner wrote in the browser, in one language.
type Written struct {
	Section, Slug, Language string
	Title, Description      string
	Tags                    []string
	Markdown                string
	Date, Updated           time.Time // of the first publication and of the last
}

// Text renders the text. Its Markdown is hostile: raw HTML is left out, links lead to paths
// of the site, to the web, to email or telephone, and pictures are those of the site.
func (w *Written) Text() *Text {
	rendered, _ := renderWritten(w.Markdown)
	updated := w.Updated
	if updated.Before(w.Date) {
		updated = w.Date
	}
	return &Text{Slug: w.Slug, Language: w.Language, Title: w.Title, Description: cmp.Or(w.Description, beginning(rendered)), Date: w.Date, Updated: updated, Tags: w.Tags,
		Markdown: strings.TrimSpace(w.Markdown) + "\n", HTML: scrollTables(rendered, w.Language), Minutes: minutes(w.Markdown)}
}

var (
	firstParagraph = regexp.MustCompile(`(?s)<p>(.*?)</p>`)
	tag            = regexp.MustCompile(`<[^>]*>`)
)

// maxBeginning is the length of the beginning of a text, in bytes.
const maxBeginning = 160

// beginning returns the beginning of the first paragraph of a text as plain text.
func beginning(rendered string) string {
	found := firstParagraph.FindStringSubmatch(rendered)
	if found == nil {
		return ""
	}
	plain := strings.Join(strings.Fields(html.UnescapeString(tag.ReplaceAllString(found[1], ""))), " ")
	if len(plain) <= maxBeginning {
		return plain
	}
	if cut := strings.LastIndexByte(plain[:maxBeginning], ' '); cut > 0 {
		return plain[:cut] + " …"
	}
	return strings.ToValidUTF8(plain[:maxBeginning], "") + "…"
}

// Preview is Text with headings without ids, for a page that has ids of its own.
func (w *Written) Preview() *Text {
	t := w.Text()
	t.HTML = headingID.ReplaceAllStringFunc(t.HTML, func(start string) string { return start[:len("<h1")] })
	return t
}

// Link is a link or a picture in Markdown.
type Link struct {
	Address string
	Picture bool
	Alt     string // of a picture
	Removed bool   // it isn't allowed, and only its text is shown
}

// Links returns the links and pictures of a text that the owner wrote, in order.
func Links(markdown string) []Link {
	_, links := renderWritten(markdown)
	return links
}

// Headings returns the ids of the headings of a text.
func (t *Text) Headings() (ids []string) {
	for _, start := range headingID.FindAllString(t.HTML, -1) {
		ids = append(ids, strings.TrimSuffix(start[strings.IndexByte(start, '"')+1:], `"`))
	}
	return ids
}

// writtenRenderer is renderer without front matter, and with safe addresses.
var writtenRenderer = goldmark.New(goldmark.WithExtensions(extensions...), goldmark.WithExtensions(safeAddresses{}), goldmark.WithParserOptions(parser.WithAutoHeadingID()))

// linksKey is where safeAddresses leaves the links of a text.
var linksKey = parser.NewContextKey()

func renderWritten(markdown string) (string, []Link) {
	ctx := parser.NewContext()
	var rendered bytes.Buffer
	if err := writtenRenderer.Convert([]byte(markdown), &rendered, parser.WithContext(ctx)); err != nil {
		return "", nil // bytes.Buffer doesn't fail
	}
	links, _ := ctx.Get(linksKey).([]Link)
	return rendered.String(), links
}

// safeAddresses is a Markdown extension that removes links and pictures with addresses
// that aren't allowed, and gives pictures of the site their size.
type safeAddresses struct{}

// Extend implements goldmark.Extender.
func (s safeAddresses) Extend(m goldmark.Markdown) {
	m.Parser().AddOptions(parser.WithASTTransformers(util.Prioritized(s, 400)))
}

// Transform implements parser.ASTTransformer.
func (safeAddresses) Transform(doc *ast.Document, reader text.Reader, ctx parser.Context) {
	source := reader.Source()
	var links []Link
	var removed []ast.Node
	// Walk returns only errors of the function, which has none.
	_ = ast.Walk(doc, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		var link Link
		switch n := node.(type) {
		case *ast.Link:
			link = Link{Address: string(n.Destination), Removed: !safeLink(string(n.Destination))}
		case *ast.AutoLink:
			address := string(n.URL(source))
			link = Link{Address: address, Removed: n.AutoLinkType != ast.AutoLinkEmail && !safeLink(address)}
		case *ast.Image:
			link = Link{Address: string(n.Destination), Picture: true, Alt: textOf(n, source), Removed: !sitePath(string(n.Destination))}
			setSize(n)
		default:
			return ast.WalkContinue, nil
		}
		links = append(links, link)
		if link.Removed {
			removed = append(removed, node)
		}
		return ast.WalkContinue, nil
	})
	for _, node := range removed {
		unwrap(node, source)
	}
	ctx.Set(linksKey, links)
}

// unwrap replaces a node by its text.
func unwrap(node ast.Node, source []byte) {
	if link, ok := node.(*ast.AutoLink); ok {
		node.Parent().ReplaceChild(node.Parent(), node, ast.NewString(link.Label(source)))
		return
	}
	for child := node.FirstChild(); child != nil; child = node.FirstChild() {
		node.Parent().InsertBefore(node.Parent(), node, child)
	}
	node.Parent().RemoveChild(node.Parent(), node)
}

// textOf returns the text in a node.
func textOf(node ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(node, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(t.Segment.Value(source))
		}
		return ast.WalkContinue, nil
	})
	return strings.TrimSpace(b.String())
}

// safeLink reports whether a text may link to an address.
func safeLink(address string) bool {
	u, err := url.Parse(address)
	if err != nil || strings.ContainsFunc(address, func(r rune) bool { return r <= ' ' || r == '\\' || r == 0x7f }) {
		return false
	}
	switch strings.ToLower(u.Scheme) {
	case "":
		return sitePath(address) || strings.HasPrefix(address, "#")
	case "http", "https":
		return u.Host != "" && u.User == nil
	case "mailto", "tel":
		return u.Opaque != ""
	}
	return false
}

// sitePath reports whether an address is a path of the site.
func sitePath(address string) bool {
	return strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "//") && !strings.ContainsAny(address, "\\\t\r\n")
}

// pictureSize matches the size in the address of a picture of the site: in its name, or in its
// fragment, as of /static/guides/lens.svg#960x540.
var pictureSize = regexp.MustCompile(`^/(?:(?:pictures/[0-9a-f]+|docs/samples/[a-z-]+|static/journal/[a-z-]+)-|static/guides/[a-z]+\.svg#)([1-9][0-9]{0,4})x([1-9][0-9]{0,4})(?:\.(?:jpg|webp))?$`)

// setSize gives a picture its size, so that the text stays where it is while it loads.
func setSize(img *ast.Image) {
	if size := pictureSize.FindSubmatch(img.Destination); size != nil {
		img.SetAttributeString("width", size[1])
		img.SetAttributeString("height", size[2])
		img.SetAttributeString("loading", []byte("lazy"))
		img.Destination, _, _ = bytes.Cut(img.Destination, []byte("#"))
	}
}

// PictureSize returns the width and height of a picture of the site, 0 if its address does
// not say them.
func PictureSize(address string) (width, height int) {
	if size := pictureSize.FindStringSubmatch(address); size != nil {
		width, _ = strconv.Atoi(size[1])
		height, _ = strconv.Atoi(size[2])
	}
	return width, height
}

// overlay returns texts with those that the owner wrote in a section. A text of the program
// keeps its versions in languages that the owner didn't write. languages are those of the
// site; new texts are in the first if they can be.
func overlay(all []*Text, section string, languages []string, written []Written) []*Text {
	texts := make([]*Text, len(all))
	for i, t := range all {
		texts[i] = t.copied()
	}
	own := map[string]map[string]*Text{} // by slug and language
	for i := range written {
		if w := &written[i]; w.Section == section {
			if own[w.Slug] == nil {
				own[w.Slug] = map[string]*Text{}
			}
			own[w.Slug][w.Language] = w.Text()
		}
	}
	for i, t := range texts {
		texts[i] = t.with(own[t.Slug]).mainIn(languages, own[t.Slug])
		delete(own, t.Slug)
	}
	for _, versions := range own {
		texts = append(texts, mainOf(versions, languages).with(versions))
	}
	return texts
}

// copied returns a copy of the text whose versions can be changed.
func (t *Text) copied() *Text {
	c := *t
	c.versions = map[string]*Text{}
	for language, v := range t.versions {
		version := *v
		c.versions[language] = &version
	}
	return &c
}

// with returns the text with versions that replace its own. The caller has copied it.
func (t *Text) with(versions map[string]*Text) *Text {
	if own := versions[t.Language]; own != nil && own != t {
		if t.Date.Before(own.Date) {
			own.Date = t.Date
		}
		own.versions, t = t.versions, own
		delete(t.versions, t.Language)
	}
	for language, v := range versions {
		if language == t.Language {
			continue
		}
		if old := t.versions[language]; old != nil && old.Date.Before(v.Date) {
			v.Date = old.Date
		}
		t.AddVersion(v)
	}
	return t
}

// mainIn returns the text, or the owner's version in the first of languages if it is in
// none of them.
func (t *Text) mainIn(languages []string, own map[string]*Text) *Text {
	v := own[languages[0]]
	if v == nil || v == t || slices.Contains(languages, t.Language) {
		return t
	}
	v.versions = t.versions
	delete(v.versions, v.Language)
	return v
}

// mainOf returns the version in the first of languages that there is, or any.
func mainOf(versions map[string]*Text, languages []string) *Text {
	for _, language := range languages {
		if v := versions[language]; v != nil {
			return v
		}
	}
	var first *Text
	for _, v := range versions {
		if first == nil || v.Language < first.Language {
			first = v
		}
	}
	return first
}

// Versions returns the versions of the text by language.
func (t *Text) Versions() map[string]*Text {
	all := map[string]*Text{t.Language: t}
	for language, v := range t.versions {
		all[language] = cmp.Or(v, all[language])
	}
	return all
}
