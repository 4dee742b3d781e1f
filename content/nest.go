package content

import (
	"bytes"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// Nest prepares a Markdown text for inclusion in a larger one. It lowers headings by
// the given number of levels, at most to the sixth, and makes links to paths of the
// site absolute by adding base, which has no trailing slash. Nothing else changes;
// setext headings keep their level.
func Nest(markdown string, levels int, base string) string {
	source := []byte(markdown)
	var edits []edit
	tree := renderer.Parser().Parse(text.NewReader(source))
	// Walk returns only errors of the function, which has none.
	_ = ast.Walk(tree, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := node.(type) {
		case *ast.Heading:
			if isATX(n, source) {
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

// isATX reports whether a heading is written with #, and not underlined.
func isATX(h *ast.Heading, source []byte) bool {
	rest := source[h.Pos():]
	marks := bytes.IndexFunc(rest, func(r rune) bool { return r != '#' })
	return marks == h.Level && strings.IndexByte(" \t\r\n", rest[marks]) >= 0 || marks < 0 && len(rest) == h.Level
}

// appendLink appends an edit that makes the destination of an inline link absolute.
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
		return edits // a reference; its definition is edited separately
	}
	return appendAddress(edits, end+open, address, source, base)
}

// appendAddress appends an edit that makes the first occurrence of address after the
// offset after absolute.
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
