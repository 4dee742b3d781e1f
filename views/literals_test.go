package views

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// untranslated lists the templates that are still in English. Remove one when its texts
// pass through t and tn; a text added to another must pass through them.
var untranslated = []string{
	"account.templ",
	"agreements.templ",
	"blocks.templ",
	"card.templ",
	"changes.templ",
	"compare.templ",
	"connections.templ",
	"conversations.templ",
	"developers.templ",
	"errors.templ",
	"export.templ",
	"fits.templ",
	"gear.templ",
	"guides.templ",
	"handover.templ",
	"health.templ",
	"home.templ",
	"identify_gear.templ",
	"import.templ",
	"journal.templ",
	"kit.templ",
	"layout.templ",
	"listing.templ",
	"listing_batch.templ",
	"listing_form.templ",
	"listing_gallery.templ",
	"listing_market.templ",
	"listing_photos.templ",
	"listings.templ",
	"moderation.templ",
	"my_listings.templ",
	"oauth.templ",
	"offers.templ",
	"passkeys.templ",
	"portfolio.templ",
	"price_guide.templ",
	"prices.templ",
	"primitives.templ",
	"ratings.templ",
	"reports.templ",
	"sales.templ",
	"saved_searches.templ",
	"sellers.templ",
	"selling.templ",
	"sign_in.templ",
	"sign_up.templ",
	"suggestions.templ",
	"tokens.templ",
	"ui.templ",
	"valuation.templ",
	"waiting.templ",
	"watchlist.templ",
}

// readable matches a text that a reader reads.
var readable = regexp.MustCompile(`\pL{2}`)

// readAttributes are the attributes whose values readers read or hear.
var readAttributes = []string{"alt", "aria-label", "aria-description", "placeholder", "title"}

func TestTemplatesHaveNoUntranslatedText(t *testing.T) {
	files, err := filepath.Glob("*_templ.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no templates: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(file, "_templ.go") + ".templ"
		found := literalsOf(t, file)
		if exempt := slices.Contains(untranslated, name); exempt && len(found) == 0 {
			t.Errorf("%s has no untranslated text left: remove it from the list", name)
		} else if !exempt {
			for _, text := range found {
				t.Errorf("%s: %q does not pass through t", name, text)
			}
		}
	}
	for _, name := range untranslated {
		if !slices.Contains(files, strings.TrimSuffix(name, ".templ")+"_templ.go") {
			t.Errorf("%s is not a template", name)
		}
	}
}

// literalsOf returns the literal texts of a generated template.
func literalsOf(t *testing.T, file string) (found []string) {
	t.Helper()
	parsed, err := parser.ParseFile(gotoken.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range parsed.Decls {
		var document strings.Builder // the template without its expressions
		ast.Inspect(d, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) != 3 {
				return true
			}
			if fun, ok := call.Fun.(*ast.SelectorExpr); !ok || fun.Sel.Name != "WriteString" {
				return true
			}
			if literal, ok := call.Args[2].(*ast.BasicLit); ok {
				text, err := strconv.Unquote(literal.Value)
				if err != nil {
					t.Fatal(err)
				}
				document.WriteString(text)
			}
			return true
		})
		found = append(found, textsOf(document.String())...)
	}
	return found
}

// textsOf returns the texts of HTML that readers read.
func textsOf(document string) (texts []string) {
	tokens := html.NewTokenizer(strings.NewReader(document))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return texts
		case html.TextToken:
			if text := strings.TrimSpace(tokens.Token().Data); readable.MatchString(text) {
				texts = append(texts, text)
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			for _, a := range tokens.Token().Attr {
				if slices.Contains(readAttributes, a.Key) && readable.MatchString(a.Val) {
					texts = append(texts, a.Val)
				}
			}
		}
	}
}
