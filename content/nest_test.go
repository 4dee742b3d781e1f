package content

import (
	"fmt"
	"strings"
	"testing"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

func TestNest(t *testing.T) {
	const base = "https://shop.example"
	for name, c := range map[string]struct{ from, to string }{
		"headings":               {"# A\n\ntext\n\n## B ##\n", "### A\n\ntext\n\n#### B ##\n"},
		"headings stop at six":   {"##### A\n", "###### A\n"},
		"underlined heading":     {"#A\n===\n", "#A\n===\n"},
		"heading in a quotation": {"> ## A\n", "> #### A\n"},
		"not a heading in code":  {"```sh\n# A\n[a](/b)\n```\n\n    # A\n", "```sh\n# A\n[a](/b)\n```\n\n    # A\n"},
		"link":                   {"[a *b*](/c.md \"t\")\n", "[a *b*](https://shop.example/c.md \"t\")\n"},
		"picture":                {"![](/a.png)\n", "![](https://shop.example/a.png)\n"},
		"link around a picture":  {"[![x](/a.png)](/b)\n", "[![x](https://shop.example/a.png)](https://shop.example/b)\n"},
		"link in a table":        {"| a |\n|---|\n| [b](/c) |\n", "| a |\n|---|\n| [b](https://shop.example/c) |\n"},
		"link by definition":     {"[a][b] [b]\n\n[b]: /c\n", "[a][b] [b]\n\n[b]: https://shop.example/c\n"},
		"other links":            {"[a](https://b.example/) [c](#d) [e](//f.example)\n", "[a](https://b.example/) [c](#d) [e](//f.example)\n"},
		"code that looks like a": {"`[a](/b)` text\n", "`[a](/b)` text\n"},
	} {
		if got := Nest(c.from, 2, base); got != c.to {
			t.Errorf("%s: %q is %q, want %q", name, c.from, got, c.to)
		}
	}
}

// FuzzNest checks that Nest keeps every heading and lowers ATX headings by two levels.
func FuzzNest(f *testing.F) {
	f.Add("# A *b* #\n\nSetext\nmore\n===\n\n> ## q [x *y* ](/p \"t\") `a`\n")
	f.Add("- ### l\n  [k][r] ![im](/i.png)\n\n[r]: /ref\n\n| a |\n|---|\n| [c](/d.md) |\n")
	f.Add("[\\](/a](/b)\n==")
	f.Fuzz(func(t *testing.T, markdown string) {
		nested := Nest(markdown, 2, "https://shop.example")
		if before, after := levelsOf(markdown, 2), levelsOf(nested, 0); before != after {
			t.Errorf("%q nests as %q: headings %s, want %s", markdown, nested, after, before)
		}
	})
}

// levelsOf returns the levels of a text's headings, ATX headings lowered.
func levelsOf(markdown string, by int) string {
	var levels []string
	tree := renderer.Parser().Parse(text.NewReader([]byte(markdown)))
	_ = ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if h, ok := n.(*ast.Heading); ok && entering {
			if isATX(h, []byte(markdown)) {
				levels = append(levels, fmt.Sprint(min(h.Level+by, 6)))
			} else {
				levels = append(levels, "=")
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(levels, " ")
}
