package languages

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// text is an English text in the code, as a catalogue names it.
type text struct{ meaning, one, many string }

// String returns the entry of a catalogue without a translation.
func (x text) String() string {
	var b strings.Builder
	if x.meaning != "" {
		fmt.Fprintf(&b, "msgctxt %q\n", x.meaning)
	}
	fmt.Fprintf(&b, "msgid %q\n", x.one)
	if x.many != "" {
		fmt.Fprintf(&b, "msgid_plural %q\nmsgstr[0] \"\"\nmsgstr[1]", x.many)
	} else {
		b.WriteString("msgstr")
	}
	return b.String() + " \"\"\n"
}

// translators maps functions that translate to the indexes of the arguments that are
// the text, and its plural or meaning.
var translators = map[string]struct{ one, many, meaning int }{
	"t": {one: 1}, "tn": {one: 2, many: 3},
	"Text": {one: -1}, "TextIn": {meaning: 0, one: 1}, "Plural": {one: 1, many: 2}, "Mark": {one: 0},
}

// unconverted lists files whose confirmations (Done) need not be in the catalogues yet:
// those of pages that are still in English. Remove a file when its page is translated.
var unconverted = []string{
	"account.go", "blocks.go", "connections.go", "conversations.go", "handover.go", "import.go", "listing_edit.go", "listing_photos.go", "listing_steps.go",
	"moderation.go", "my_listings.go", "offers.go", "ratings.go", "reports.go", "sales.go", "saved_searches.go", "tokens.go", "valuations.go", "watchlist.go",
}

// textsInCode returns the texts that the code translates, with where it does.
func textsInCode(t *testing.T) map[text]string {
	t.Helper()
	found := map[text]string{}
	for month := range 12 {
		name := [...]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}[month]
		found[text{meaning: "month", one: name}], found[text{meaning: "month of a day", one: name}] = "format.go", "format.go"
	}
	var files []string
	for _, folder := range []string{".", "../../views", "../../handlers", "../../handlers/web", "../../models"} {
		in, err := filepath.Glob(folder + "/*.go")
		if err != nil || len(in) == 0 {
			t.Fatalf("no files in %s: %v", folder, err)
		}
		files = append(files, in...)
	}
	set := token.NewFileSet()
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if x, ok := translatedBy(n); ok {
					found[x] = set.Position(n.Pos()).String()
				}
			case *ast.KeyValueExpr: // the confirmation of an operation
				if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Done" && !slices.Contains(unconverted, filepath.Base(name)) {
					if done, ok := constant(n.Value); ok {
						found[text{one: done}] = set.Position(n.Pos()).String()
					}
				}
			}
			return true
		})
	}
	return found
}

// translatedBy returns the text that a call translates, if it is a constant.
func translatedBy(call *ast.CallExpr) (x text, ok bool) {
	name, method := "", false
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		name = fun.Name
	case *ast.SelectorExpr:
		name, method = fun.Sel.Name, true
	}
	by, known := translators[name]
	if !known || method != (name[0] < 'a') {
		return x, false
	}
	if by.one < 0 { // a method of a language, or the function with a context
		for _, arg := range call.Args[:min(2, len(call.Args))] {
			if x.one, ok = constant(arg); ok {
				return x, true
			}
		}
		return x, false
	}
	if len(call.Args) <= max(by.one, by.many) {
		return x, false
	}
	if x.one, ok = constant(call.Args[by.one]); !ok {
		return x, false
	}
	if by.many > 0 {
		x.many, ok = constant(call.Args[by.many])
	}
	if name == "TextIn" {
		x.meaning, ok = constant(call.Args[by.meaning])
	}
	return x, ok
}

// constant returns the value of a string constant without names.
func constant(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		s, err := strconv.Unquote(e.Value)
		return s, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		x, ok1 := constant(e.X)
		y, ok2 := constant(e.Y)
		return x + y, ok1 && ok2 && e.Op == token.ADD
	case *ast.ParenExpr:
		return constant(e.X)
	}
	return "", false
}

// translations returns the translations of a text in a catalogue, by plural form.
func (l *Language) translations(x text) []string {
	entry := l.texts[x.one]
	if x.meaning != "" {
		entry = l.meanings[x.meaning][x.one]
	}
	if entry == nil || entry.PluralID != x.many {
		return nil
	}
	forms := make([]string, len(entry.Trs))
	for i, form := range entry.Trs {
		forms[i] = form
	}
	return forms
}

func TestCataloguesAreComplete(t *testing.T) {
	used := textsInCode(t)
	for _, l := range All[1:] {
		for x, where := range used {
			forms := l.translations(x)
			if len(forms) == 0 || slices.Contains(forms, "") {
				t.Errorf("%s.po lacks a text of %s:\n%s", l.Code(), where, x)
			}
		}
		inUse := func(meaning, one string) bool {
			for x := range used {
				if x.meaning == meaning && x.one == one {
					return true
				}
			}
			return one == ""
		}
		for one := range l.texts {
			if !inUse("", one) {
				t.Errorf("%s.po has a text that is not in use: %q", l.Code(), one)
			}
		}
		for meaning, texts := range l.meanings {
			for one := range texts {
				if meaning != "" && !inUse(meaning, one) {
					t.Errorf("%s.po has a text that is not in use: %q (%s)", l.Code(), one, meaning)
				}
			}
		}
	}
}

var verb = regexp.MustCompile(`%(?:\[(\d)\])?[a-z]`)

// arguments returns the number of the argument of each verb of a format, in order.
func arguments(format string) []string {
	var all []string
	for i, m := range verb.FindAllStringSubmatch(strings.ReplaceAll(format, "%%", ""), -1) {
		n := m[1]
		if n == "" {
			n = strconv.Itoa(i + 1)
		}
		all = append(all, n+m[0][len(m[0])-1:])
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func TestTranslationsTakeTheSameArguments(t *testing.T) {
	for x := range textsInCode(t) {
		for _, l := range All[1:] {
			for _, form := range l.translations(x) {
				want := arguments(x.one)
				if x.many != "" {
					want = arguments(x.many)
				}
				if got := arguments(form); form != "" && !slices.Equal(got, want) {
					t.Errorf("%s.po: %q takes %v, but %q takes %v", l.Code(), form, got, x.one, want)
				}
			}
		}
	}
}
