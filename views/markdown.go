package views

import (
	"bytes"
	"io"
	"strings"
)

// markdown writes a page for a language model: plain CommonMark with tables.
// Text from people goes through its escaping methods and cannot become markup.
type markdown struct {
	bytes.Buffer
	site *Site
}

// newMarkdown starts a page with its heading and, when there is one, its notice.
func newMarkdown(site *Site, heading, notice string) *markdown {
	m := &markdown{site: site}
	m.raw("# ", mdText(heading), "\n")
	if notice != "" {
		m.raw("\n> ", notice, "\n")
	}
	return m
}

// raw writes parts as they are.
func (m *markdown) raw(parts ...string) {
	for _, p := range parts {
		m.WriteString(p)
	}
}

// section starts a section.
func (m *markdown) section(heading string) { m.raw("\n## ", mdText(heading), "\n\n") }

// text writes plain text as a paragraph.
func (m *markdown) text(s string) {
	if s != "" {
		m.raw("\n", mdText(s), "\n")
	}
}

// quote writes what a person wrote, paragraphs kept, as a quotation, so that a
// reader sees where it ends.
func (m *markdown) quote(s string) {
	for line := range strings.Lines(s) {
		m.raw("> ", mdText(line), "\n")
	}
}

// head starts a table.
func (m *markdown) head(columns ...string) {
	m.row(columns...)
	m.raw(strings.Repeat("| --- ", len(columns)), "|\n")
}

// row writes a row of a table; its cells are Markdown already.
func (m *markdown) row(cells ...string) {
	for _, cell := range cells {
		m.raw("| ", cell, " ")
	}
	m.raw("|\n")
}

// link writes a link to a page of this site, to its Markdown face where it has one.
func (m *markdown) link(l Link) string {
	return "[" + mdText(l.Label) + "](" + m.site.URL(MarkdownPath(l.Href)) + ")"
}

// links writes the places to go from here.
func (m *markdown) links(links []Link) {
	if len(links) == 0 {
		return
	}
	m.section("Next steps")
	for _, l := range links {
		m.raw("- ", m.link(l), "\n")
	}
}

// cards writes listings as a table, under a heading of their own.
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
		deal := ""
		if c.Deal != nil {
			deal = c.Deal.Text + "; typical " + MoneyText(c.Deal.Typical)
		}
		gear := "–"
		if c.Gear != "" {
			gear = m.link(Link{gearPath(c.Gear), c.GearName})
		}
		m.row(
			m.link(Link{c.path(), c.Title}), mdText(c.priceText()), deal, mdText(c.conditionText()), gear, mdText(c.kindText()),
			RegionName(c.Region), m.link(Link{sellerPath(c.Seller), c.Seller}), DayText(c.PublishedAt),
		)
	}
}

// done hands the page over.
func (m *markdown) done(w io.Writer) error {
	_, err := w.Write(m.Bytes())
	return err
}

// MarkdownPath is the address of a page's Markdown face: "/gear/canon.md?x=1"
// for "/gear/canon?x=1". A file, which has one face, and what the API answers
// keep their address.
func MarkdownPath(path string) string { return facePath(path, ".md") }

// facePath is the address of a page's face with a suffix. The front page's
// faces are called index.
func facePath(path, suffix string) string {
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

// cutBefore splits s before the first c, which stays with the second half.
func cutBefore(s string, c byte) (before, after string) {
	if i := strings.IndexByte(s, c); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

// mdText writes plain text on one line so that nothing in it is markup.
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

// opensBlock reports whether a line's first word would open a list, a rule or
// an underlined heading: "-", "+", "3.", "3)", "---", "===".
func opensBlock(word string) bool {
	rest := strings.TrimLeft(word, "0123456789")
	if rest == "" {
		return false
	}
	if rest != word {
		return rest == "." || rest == ")"
	}
	return rest == "+" || strings.Trim(rest, "-") == "" || strings.Trim(rest, "=") == ""
}

// escapeWord escapes what is markup wherever it stands; an ampersand, where it
// could begin an entity; an underscore, where it is not inside a name such as
// budget_max.
func escapeWord(b *strings.Builder, word string) {
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

func nameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}
