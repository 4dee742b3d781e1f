package content

import (
	"bytes"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// Nest makes a Markdown text part of a larger one: its headings move down by
// the given number of levels, at most to the sixth, and links to paths of the
// site become absolute under base, which has no slash at its end. Everything
// else stays as it was written, headings that are underlined too.
func Nest(markdown string, levels int, base string) string {
	source := []byte(markdown)
	var edits []edit
	tree := renderer.Parser().Parse(text.NewReader(source))
	// The walker never fails, so Walk does not.
	_ = ast.Walk(tree, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := node.(type) {
		case *ast.Heading:
			if written(n, source) {
				edits = append(edits, edit{n.Pos(), n.Pos() + n.Level, strings.Repeat("#", min(n.Level+levels, 6))})
			}
		case *ast.Link:
			edits = appendLink(edits, n, n.Destination, source, base)
		case *ast.Image:
			edits = appendLink(edits, n, n.Destination, source, base)
		case *ast.LinkReferenceDefinition:
			edits = appendAddress(edits, n.Pos(), n.Destination, source, base)
		}
		return ast.WalkContinue, nil
	})
	return apply(source, edits)
}

// edit replaces source[from:to].
type edit struct {
	from, to int
	with     string
}

// written reports whether a heading is written with #, not underlined.
func written(h *ast.Heading, source []byte) bool {
	rest := source[h.Pos():]
	marks := bytes.IndexFunc(rest, func(r rune) bool { return r != '#' })
	return marks == h.Level && strings.IndexByte(" \t\r\n", rest[marks]) >= 0 || marks < 0 && len(rest) == h.Level
}

// appendLink makes the address of a link absolute, which stands after its words.
func appendLink(edits []edit, n ast.Node, address, source []byte, base string) []edit {
	end := n.Pos()
	_ = ast.Walk(n, func(inside ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := inside.(*ast.Text); ok && entering {
			end = max(end, t.Segment.Stop)
		}
		return ast.WalkContinue, nil
	})
	open := strings.Index(string(source[end:]), "](")
	if next := strings.IndexByte(string(source[end:]), ']'); open < 0 || next != open {
		return edits // its address stands in a definition, which is nested by itself
	}
	return appendAddress(edits, end+open, address, source, base)
}

// appendAddress makes the address absolute that is written next after a place.
func appendAddress(edits []edit, after int, address, source []byte, base string) []edit {
	if len(address) == 0 || address[0] != '/' || strings.HasPrefix(string(address), "//") {
		return edits
	}
	if i := strings.Index(string(source[after:]), string(address)); i >= 0 {
		edits = append(edits, edit{after + i, after + i, base})
	}
	return edits
}

func apply(source []byte, edits []edit) string {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.from - b.from })
	var b strings.Builder
	at := 0
	for _, e := range edits {
		if e.from < at {
			continue
		}
		b.Write(source[at:e.from])
		b.WriteString(e.with)
		at = e.to
	}
	b.Write(source[at:])
	return b.String()
}
