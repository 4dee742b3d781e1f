package ui

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

// Markdown builds the Markdown of a page: CommonMark with tables. Its methods escape
// text, except where they take Markdown. Text that members wrote is passed to them
// through untrusted, or written with quote and person.
type Markdown struct {
	bytes.Buffer
	Site    *Site
	Context context.Context // has the reader's language
}

// NewMarkdown begins a page with its heading and, unless it is "", its notice.
func NewMarkdown(site *Site, heading, notice string) *Markdown {
	m := &Markdown{Site: site, Context: context.Background()}
	m.Raw("# ", MarkdownText(heading), "\n")
	if notice != "" {
		m.Raw("\n> ", notice, "\n")
	}
	return m
}

// In returns m for readers of the language of ctx: it translates headings, the heads of
// tables and links.
func (m *Markdown) In(ctx context.Context) *Markdown {
	m.Context = ctx
	return m
}

// Raw writes parts without escaping.
func (m *Markdown) Raw(parts ...string) {
	for _, p := range parts {
		m.WriteString(p)
	}
}

// Section begins a section.
func (m *Markdown) Section(heading string) {
	m.Raw("\n## ", MarkdownText(T(m.Context, heading)), "\n\n")
}

// Paragraph writes plain text as a paragraph, nothing for "".
func (m *Markdown) Paragraph(s string) {
	if s != "" {
		m.Raw("\n", MarkdownText(s), "\n")
	}
}

// Quote writes text that somebody else wrote as a block quote between « and », line by
// line, nothing for "".
func (m *Markdown) Quote(s string) {
	if s = strings.TrimSpace(Visible(s)); s == "" {
		return
	}
	for line := range strings.Lines("«" + s + "»") {
		m.Raw("> ", MarkdownText(line), "\n")
	}
}

// Person returns a link to a member's page by their name, followed by their handle.
func (m *Markdown) Person(p *Person) string {
	return m.Link(Link{SellerPath(p.Handle), UntrustedName(p.Name, p.Handle)}) + " " + MarkdownText(p.Handle)
}

// Head begins a table.
func (m *Markdown) Head(columns ...string) {
	for _, column := range columns {
		m.Raw("| ", T(m.Context, column), " ")
	}
	m.Raw("|\n")
	m.Raw(strings.Repeat("| --- ", len(columns)), "|\n")
}

// Row writes a row of a table. Cells are Markdown.
func (m *Markdown) Row(cells ...string) {
	for _, cell := range cells {
		m.Raw("| ", cell, " ")
	}
	m.Raw("|\n")
}

// Link returns a link to the Markdown format of a page of this site.
func (m *Markdown) Link(l Link) string {
	return "[" + MarkdownText(T(m.Context, l.Label)) + "](" + m.Site.URL(MarkdownPath(l.Href)) + ")"
}

// More says at the top of a page that there is another, since readers may cut off the
// end.
func (m *Markdown) More(path string) {
	m.Raw("\n", T(m.Context, "More results:"), " ", m.Link(Link{path, languages.Mark("next page")}), ".\n")
}

// Links writes the section of next steps, without those that are not pages: links in
// Markdown lead to Markdown.
func (m *Markdown) Links(links []Link) {
	links = slices.DeleteFunc(slices.Clone(links), func(l Link) bool { return strings.HasPrefix(l.Href, "/api/") })
	if len(links) == 0 {
		return
	}
	m.Section("Next steps")
	for _, l := range links {
		m.Raw("- ", m.Link(l), "\n")
	}
}

// Cards writes a section with a table of listings, nothing without cards.
func (m *Markdown) Cards(heading string, cards []Card) {
	if len(cards) == 0 {
		return
	}
	m.Section(heading)
	m.CardTable(cards)
}

func (m *Markdown) CardTable(cards []Card) {
	m.Head("Listing", "Price", "Compared with market", "Condition", "Model", "Category", "Region", "Seller", "Listed")
	for i := range cards {
		c := &cards[i]
		price := c.PriceIn(languages.Of(m.Context))
		if c.EarlierPrice != nil && c.ForSale() {
			price += " (" + T(m.Context, "was") + " " + MoneyIn(m.Context, *c.EarlierPrice) + ")"
		}
		if c.Delivery != nil {
			price += "; " + c.Delivery.TextIn(m.Context)
		}
		deal := ""
		if c.Deal != nil {
			deal = c.Deal.Long(m.Context)
		}
		gear := "–"
		if c.Gear != "" {
			gear = m.Link(Link{GearPath(c.Gear), c.GearName})
		}
		m.Row(
			m.Link(Link{c.Path(), Untrusted(c.Title)}), MarkdownText(price), deal, MarkdownText(c.StateText(m.Context)), gear, MarkdownText(c.KindText(m.Context)),
			RegionIn(m.Context, c.Region), m.Link(Link{SellerPath(c.Seller), c.Seller}), DayIn(m.Context, c.PublishedAt),
		)
	}
}

// Done writes the page to w. A page with text that somebody else wrote gets a note
// about it below its heading.
func (m *Markdown) Done(w io.Writer) error {
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

// MarkdownText escapes plain text for Markdown and puts it on one line.
func MarkdownText(s string) string {
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

// Topic formats a topic for a table cell.
func (m *Markdown) Topic(topic *Topic) string {
	if topic.Page == "" {
		return MarkdownText(Untrusted(T(m.Context, topic.Title))) + " (" + T(m.Context, "no longer public") + ")"
	}
	return m.Link(Link{topic.Page, Untrusted(topic.Title)}) + ", " + MoneyIn(m.Context, *topic.Price)
}

func (m *Markdown) FactRows(rows []Fact) {
	m.Head("Detail", "Value")
	for _, f := range rows {
		switch {
		case f.Value == "":
		case f.Href != "":
			m.Row(T(m.Context, f.Name), m.Link(Link{f.Href, f.Value}))
		default:
			m.Row(T(m.Context, f.Name), MarkdownText(f.Value))
		}
	}
}

func (m *Markdown) Specs(specs []Spec) {
	if len(specs) == 0 {
		return
	}
	m.Section("Specifications")
	m.Head("Detail", "Value")
	for _, s := range specs {
		m.Row(MarkdownText(T(m.Context, s.Name)), MarkdownText(s.ValueIn(m.Context)))
	}
}

func (m *Markdown) Photos(photos []Photo) {
	if len(photos) == 0 {
		return
	}
	m.Section("Photographs")
	for i := range photos {
		m.Raw("- ![", MarkdownText(Untrusted(photos[i].Alt)), "](", photos[i].Src, ")\n")
	}
}

// Body writes a text that is Markdown. Links to the site become absolute, and lead to
// Markdown.
func (m *Markdown) Body(text string) {
	m.Raw("\n", siteLink.ReplaceAllStringFunc(text, func(link string) string {
		return "](" + m.Site.URL(MarkdownPath(strings.TrimPrefix(link, "](")))
	}))
}

// Fenced writes text between fences that it can't close.
func (m *Markdown) Fenced(s string) {
	fence := "```"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	m.Raw(fence, "markdown\n", s, "\n", fence, "\n")
}

// siteLink matches the address of a link to a page of the site in Markdown.
var siteLink = regexp.MustCompile(`\]\((/[^)\s]*)`)
