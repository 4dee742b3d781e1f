package views

import (
	"bytes"
	"context"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/secondlight/secondlight/content/languages"
)

// markdown builds the Markdown of a page: CommonMark with tables. Its methods escape
// text, except where they take Markdown. Text that members wrote is passed to them
// through untrusted, or written with quote and person.
type markdown struct {
	bytes.Buffer
	site *Site
	ctx  context.Context // has the reader's language
}

// newMarkdown begins a page with its heading and, unless it is "", its notice.
func newMarkdown(site *Site, heading, notice string) *markdown {
	m := &markdown{site: site, ctx: context.Background()}
	m.raw("# ", mdText(heading), "\n")
	if notice != "" {
		m.raw("\n> ", notice, "\n")
	}
	return m
}

// in returns m for readers of the language of ctx: it translates headings, the heads of
// tables and links.
func (m *markdown) in(ctx context.Context) *markdown {
	m.ctx = ctx
	return m
}

// raw writes parts without escaping.
func (m *markdown) raw(parts ...string) {
	for _, p := range parts {
		m.WriteString(p)
	}
}

// section begins a section.
func (m *markdown) section(heading string) {
	m.raw("\n## ", mdText(t(m.ctx, heading)), "\n\n")
}

// text writes plain text as a paragraph, nothing for "".
func (m *markdown) text(s string) {
	if s != "" {
		m.raw("\n", mdText(s), "\n")
	}
}

// quote writes text that somebody else wrote as a block quote between « and », line by
// line, nothing for "".
func (m *markdown) quote(s string) {
	if s = strings.TrimSpace(visible(s)); s == "" {
		return
	}
	for line := range strings.Lines("«" + s + "»") {
		m.raw("> ", mdText(line), "\n")
	}
}

// person returns a link to a member's page by their name, followed by their handle.
func (m *markdown) person(p *Person) string {
	return m.link(Link{sellerPath(p.Handle), untrustedName(p.Name, p.Handle)}) + " " + mdText(p.Handle)
}

// head begins a table.
func (m *markdown) head(columns ...string) {
	for _, column := range columns {
		m.raw("| ", t(m.ctx, column), " ")
	}
	m.raw("|\n")
	m.raw(strings.Repeat("| --- ", len(columns)), "|\n")
}

// row writes a row of a table. Cells are Markdown.
func (m *markdown) row(cells ...string) {
	for _, cell := range cells {
		m.raw("| ", cell, " ")
	}
	m.raw("|\n")
}

// link returns a link to the Markdown format of a page of this site.
func (m *markdown) link(l Link) string {
	return "[" + mdText(t(m.ctx, l.Label)) + "](" + m.site.URL(MarkdownPath(l.Href)) + ")"
}

// more says at the top of a page that there is another, since readers may cut off the
// end.
func (m *markdown) more(path string) {
	m.raw("\n", t(m.ctx, "This page is not all:"), " ", m.link(Link{path, languages.Mark("next page")}), ".\n")
}

// links writes the section of next steps, without those that are not pages: links in
// Markdown lead to Markdown.
func (m *markdown) links(links []Link) {
	links = slices.DeleteFunc(slices.Clone(links), func(l Link) bool { return strings.HasPrefix(l.Href, "/api/") })
	if len(links) == 0 {
		return
	}
	m.section("Next steps")
	for _, l := range links {
		m.raw("- ", m.link(l), "\n")
	}
}

// cards writes a section with a table of listings, nothing without cards.
func (m *markdown) cards(heading string, cards []Card) {
	if len(cards) == 0 {
		return
	}
	m.section(heading)
	m.cardTable(cards)
}

func (m *markdown) cardTable(cards []Card) {
	m.head("Listing", "Price", "Against typical", "Condition", "Gear", "Kind", "Region", "Seller", "Published")
	for i := range cards {
		c := &cards[i]
		price := c.priceIn(languages.Of(m.ctx))
		if c.EarlierPrice != nil && c.forSale() {
			price += " (" + t(m.ctx, "was") + " " + moneyIn(m.ctx, *c.EarlierPrice) + ")"
		}
		if c.Delivery != nil {
			price += "; " + c.Delivery.text(m.ctx)
		}
		deal := ""
		if c.Deal != nil {
			deal = c.Deal.long(m.ctx)
		}
		gear := "–"
		if c.Gear != "" {
			gear = m.link(Link{gearPath(c.Gear), c.GearName})
		}
		m.row(
			m.link(Link{c.path(), untrusted(c.Title)}), mdText(price), deal, mdText(c.conditionIn(languages.Of(m.ctx))), gear, mdText(c.kindText(m.ctx)),
			regionIn(m.ctx, c.Region), m.link(Link{sellerPath(c.Seller), c.Seller}), dayIn(m.ctx, c.PublishedAt),
		)
	}
}

// done writes the page to w. A page with text that somebody else wrote gets a note
// about it below its heading.
func (m *markdown) done(w io.Writer) error {
	page := m.Bytes()
	if bytes.Contains(page, []byte("«")) {
		heading := bytes.IndexByte(page, '\n') + 1
		page = slices.Concat(page[:heading], []byte("\n> "+untrustedNote+"\n"), page[heading:])
	}
	_, err := w.Write(page)
	return err
}

// MarkdownPath returns the path of a page's Markdown format: "/gear/canon.md?x=1"
// for "/gear/canon?x=1". Paths of files and of the API are returned unchanged.
func MarkdownPath(path string) string { return formatPath(path, ".md") }

// formatPath returns the path of a page in the format of a suffix. The home page
// becomes /index.
func formatPath(path, suffix string) string {
	path, fragment := cutBefore(path, '#')
	path, query := cutBefore(path, '?')
	last := path[strings.LastIndexByte(path, '/')+1:]
	switch {
	case strings.HasPrefix(path, "/api/"), strings.HasPrefix(path, "/.well-known/"), strings.ContainsRune(last, '.'), !strings.HasPrefix(path, "/"):
		suffix = ""
	case path == "/":
		path = "/index"
	}
	return path + suffix + query + fragment
}

// cutBefore splits s before the first c. after begins with c, and is "" when s has
// none.
func cutBefore(s string, c byte) (before, after string) {
	if i := strings.IndexByte(s, c); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

// mdText escapes plain text for Markdown and puts it on one line.
func mdText(s string) string {
	var b strings.Builder
	b.Grow(len(s) + 8)
	for i, word := range strings.Fields(s) {
		if i > 0 {
			b.WriteByte(' ')
		} else if opensBlock(word) {
			digits := len(word) - len(strings.TrimLeft(word, "0123456789"))
			b.WriteString(word[:digits])
			b.WriteByte('\\')
			word = word[digits:]
		}
		escapeWord(&b, word)
	}
	return b.String()
}

// opensBlock reports whether the first word of a line would begin a list, a rule, a
// heading or a table: "-", "+", "3.", "3)", "---", "===", ":-:".
func opensBlock(word string) bool {
	rest := strings.TrimLeft(word, "0123456789")
	if rest == "" {
		return false
	}
	if rest != word {
		return rest == "." || rest == ")"
	}
	return rest == "+" || strings.Trim(rest, "-:") == "" || strings.Trim(rest, "=") == ""
}

// escapeWord escapes the characters that are markup anywhere, an ampersand that
// could begin an entity, and an underscore that is not inside a name such as
// budget_max. It writes parts that parsers might link by themselves, such as URLs, as
// code.
func escapeWord(b *strings.Builder, word string) {
	if !linkLike(word) {
		escape(b, word)
		return
	}
	for word != "" {
		part, rest := word, ""
		if end := strings.IndexAny(word, "\\`|<>[](){}'\"«»,;!"); end > 0 {
			part, rest = word[:end], word[end:]
		} else if end == 0 {
			_, size := utf8.DecodeRuneInString(word)
			part, rest = word[:size], word[size:]
		}
		word = rest
		if linkLike(part) {
			b.WriteString("`" + part + "`")
		} else {
			escape(b, part)
		}
	}
}

func escape(b *strings.Builder, word string) {
	for i := range len(word) {
		switch c := word[i]; {
		case c == 0:
			continue
		case strings.IndexByte("\\`*[]<>|#~", c) >= 0, c == '&' && i+1 < len(word), c == '_' && !(i > 0 && i+1 < len(word) && nameByte(word[i-1]) && nameByte(word[i+1])):
			b.WriteByte('\\')
		}
		b.WriteByte(word[i])
	}
}

// nameByte reports whether c is a letter or a digit.
func nameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// topic formats a topic for a table cell.
func (m *markdown) topic(topic *Topic) string {
	if topic.Page == "" {
		return mdText(untrusted(t(m.ctx, topic.Title))) + " (" + t(m.ctx, "not public any more") + ")"
	}
	return m.link(Link{topic.Page, untrusted(topic.Title)}) + ", " + moneyIn(m.ctx, *topic.Price)
}

func (m *markdown) factRows(rows []fact) {
	m.head("Fact", "Value")
	for _, f := range rows {
		switch {
		case f.Value == "":
		case f.Href != "":
			m.row(t(m.ctx, f.Name), m.link(Link{f.Href, f.Value}))
		default:
			m.row(t(m.ctx, f.Name), mdText(f.Value))
		}
	}
}

func (m *markdown) specs(specs []Spec) {
	if len(specs) == 0 {
		return
	}
	m.section("Specifications")
	m.head("Fact", "Value")
	for _, s := range specs {
		m.row(mdText(t(m.ctx, s.Name)), mdText(t(m.ctx, s.Value)))
	}
}

func (m *markdown) photos(photos []Photo) {
	if len(photos) == 0 {
		return
	}
	m.section("Photographs")
	for i := range photos {
		m.raw("- ![", mdText(untrusted(photos[i].Alt)), "](", photos[i].Src, ")\n")
	}
}

// body writes a text that is Markdown. Links to the site become absolute, and lead to
// Markdown.
func (m *markdown) body(text string) {
	m.raw("\n", siteLink.ReplaceAllStringFunc(text, func(link string) string {
		return "](" + m.site.URL(MarkdownPath(strings.TrimPrefix(link, "](")))
	}))
}

// fenced writes text between fences that it can't close.
func (m *markdown) fenced(s string) {
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	m.raw(fence, "markdown\n", s, "\n", fence, "\n")
}

// siteLink matches the address of a link to a page of the site in Markdown.
var siteLink = regexp.MustCompile(`\]\((/[^)\s]*)`)
