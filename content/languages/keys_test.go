package languages

import (
	"encoding/csv"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/search"
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
	"t": {one: 1}, "tn": {one: 2, many: 3}, "T": {one: 1}, "TN": {one: 2, many: 3},
	"Text": {one: -1}, "TextIn": {meaning: 0, one: 1}, "Plural": {one: 1, many: 2}, "Mark": {one: 0},
}

// isTranslated reports whether the texts of a file of views or handlers must be in the
// catalogues. Those for agents are in English.
func isTranslated(file string) bool { return !strings.HasPrefix(filepath.Base(file), "agent") }

// textsInCode returns the texts that the code translates, with where it does. Those whose
// value is false may be in the catalogues.
func textsInCode(t *testing.T) (found map[text]string, required map[text]bool) {
	t.Helper()
	found, required = map[text]string{}, map[text]bool{}
	for _, x := range textsOfModels() {
		found[x], required[x] = "models", true
	}
	for x, where := range errorTexts(t) {
		found[x], required[x] = where, true
	}
	set := token.NewFileSet()
	for _, name := range codeIn(t, ".", "../../views", "../../handlers") {
		file, err := parser.ParseFile(set, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if x, ok := translatedBy(call); ok {
					found[x], required[x] = set.Position(n.Pos()).String(), true
				}
			}
			for _, label := range fieldLabelsIn(n) {
				x := text{meaning: "field", one: label}
				found[x], required[x] = set.Position(n.Pos()).String(), true
			}
			for _, label := range labelsIn(n) {
				x := text{one: label}
				if required[x] = required[x] || isTranslated(name); found[x] == "" || isTranslated(name) {
					found[x] = set.Position(n.Pos()).String()
				}
			}
			return true
		})
	}
	return found, required
}

// codeIn returns the files of Go in folders and below, without tests.
func codeIn(t *testing.T, folders ...string) (files []string) {
	t.Helper()
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// textsOfModels returns the texts of the domain, which views translate.
func textsOfModels() (all []text) {
	add := func(texts ...string) {
		for _, one := range texts {
			if one != "" {
				all = append(all, text{one: one})
			}
		}
	}
	for _, c := range models.Categories {
		add(c.Label())
	}
	for _, c := range models.Conditions {
		add(c.Label(), c.Meaning())
	}
	for _, f := range models.Functionals {
		add(f.Label())
		all = append(all, text{meaning: "after the grade", one: strings.ToLower(f.Label())})
	}
	for _, d := range models.Defects {
		add(d.Label())
	}
	for _, s := range catalog.Sensors {
		add(s.Label())
	}
	for _, f := range models.ItemFields {
		add(f.Label, f.None, f.Form.Label, f.Form.Help)
		all = append(all, text{meaning: "field", one: f.FieldLabel()})
	}
	for i := range search.Params {
		add(search.Params[i].Label)
		if c := search.Params[i].Control; c != nil {
			add(c.Group, c.Label, c.Unit)
			for _, o := range c.Options {
				add(o.Label)
			}
		}
	}
	add("demo data only", "no demo data")
	add(notesOfAdapters()...)
	for _, status := range []string{"for sale", "reserved", "sold", "ended", "expired", "draft", "removed"} {
		all = append(all, text{meaning: "status", one: status})
	}
	add("buyer", "seller")
	all = append(all, text{meaning: "time zone", one: "CET"}, text{meaning: "time zone", one: "CEST"})
	for _, status := range models.OfferStatuses {
		if status != models.OfferVoided { // is "cancelled"
			all = append(all, text{meaning: "status of an offer", one: string(status)})
		}
	}
	for _, state := range []string{"declared", "waiting", "disputed", "held", "confirmed", "voided"} {
		all = append(all, text{meaning: "state of a sale", one: state})
	}
	for _, source := range []models.SaleSource{models.SaleImported, models.SaleByShop, models.SaleByMembers, models.SaleDeclared} {
		all = append(all, text{meaning: "source of a sale", one: string(source)})
	}
	for _, status := range []models.PossessionStatus{models.PossessionOpen, models.PossessionWaiting, models.PossessionVerified, models.PossessionRejected} {
		all = append(all, text{meaning: "status of a photo", one: string(status)})
	}
	add("high", "medium", "low", "rising", "falling", "steady") // of a trend
	add(namesOfPersonalData()...)
	for month := time.January; month <= time.December; month++ {
		name := month.String()[:3]
		all = append(all, text{meaning: "month", one: name}, text{meaning: "month of a day", one: name})
	}
	for day := time.Sunday; day <= time.Saturday; day++ {
		all = append(all, text{meaning: "weekday", one: day.String()[:3]})
	}
	return all
}

// namesOfPersonalData returns what the export calls the tables of personal data.
func namesOfPersonalData() (names []string) {
	file, err := parser.ParseFile(token.NewFileSet(), "../../models/store/personal_data.go", nil, 0)
	if err != nil {
		panic(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if row, ok := n.(*ast.CompositeLit); ok && row.Type == nil && len(row.Elts) == 4 {
			if name, ok := constant(row.Elts[1]); ok {
				names = append(names, name)
			}
		}
		return true
	})
	return names
}

// notesOfAdapters returns the notes in the catalogue's list of adapters.
func notesOfAdapters() (notes []string) {
	file, err := os.Open("../catalog/adapters.csv")
	if err != nil {
		panic(err)
	}
	defer file.Close()
	rows := csv.NewReader(file)
	rows.Comment = '#'
	all, err := rows.ReadAll()
	if err != nil {
		panic(err)
	}
	for _, row := range all[1:] {
		notes = append(notes, row[len(row)-1])
	}
	return notes
}

// labelled maps types of views, whose values are translated when they are shown, to the
// fields that hold texts, and the index of the first if fields have no names. All names
// begin in upper case, exported or not.
var labelled = map[string]struct {
	fields []string
	index  int
}{
	"Choice":     {[]string{"Label", "Meaning"}, -1},
	"Input":      {[]string{"Label", "Help", "Placeholder"}, -1},
	"Link":       {[]string{"Label"}, 1},
	"Named":      {[]string{"Label"}, 1},
	"Spec":       {[]string{"Name"}, 0},
	"FacetGroup": {[]string{"Label"}, 1},
	"Fact":       {[]string{"Name"}, 0},
}

// labellers maps functions of views, which translate them, to the indexes of labels among
// their arguments. Their names begin in lower case, exported or not.
var labellers = map[string][]int{
	"buttonForm":       {1},
	"cardSection":      {1},
	"cards":            {0},
	"confirmForm":      {3},
	"counts":           {0},
	"facets":           {0},
	"head":             {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
	"newAccountEmail":  {0, 1},
	"newFormPage":      {2, 3},
	"newPasswordInput": {1},
	"noteField":        {1},
	"photoSection":     {1},
	"reviewForm":       {2, 4, 6},
	"section":          {0},
	"sectionHead":      {0},
	"statsHead":        {0},
	"statsRow":         {0},
	"tiles":            {0},
	"writePhotoTable":  {1},
	"writeStatsHead":   {1},
	"writeStatsRow":    {1},
}

// nameOf returns the last name of an expression such as views.NewForm, or "".
func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// withFirst returns a name whose first letter is changed.
func withFirst(change func(string) string, name string) string {
	if name == "" {
		return ""
	}
	return change(name[:1]) + name[1:]
}

// labelsIn returns the constant labels in a node.
func labelsIn(n ast.Node) (labels []string) {
	add := func(e ast.Expr) {
		if label, ok := constant(e); ok && readable.MatchString(label) {
			labels = append(labels, label)
		}
	}
	switch n := n.(type) {
	case *ast.CallExpr:
		for _, at := range labellers[withFirst(strings.ToLower, nameOf(n.Fun))] {
			if at < len(n.Args) {
				add(n.Args[at])
			}
		}
	case *ast.CompositeLit:
		for _, e := range n.Elts {
			if pair, ok := e.(*ast.KeyValueExpr); ok {
				e = pair.Value
			}
			if literal, ok := e.(*ast.CompositeLit); ok && literal.Type == nil {
				labels = append(labels, labelsIn(&ast.CompositeLit{Type: elementOf(n.Type), Elts: literal.Elts})...)
			}
		}
		of, known := labelled[withFirst(strings.ToUpper, nameOf(n.Type))]
		for i, e := range n.Elts {
			if pair, ok := e.(*ast.KeyValueExpr); ok {
				if key, ok := pair.Key.(*ast.Ident); known && ok && slices.Contains(of.fields, withFirst(strings.ToUpper, key.Name)) {
					add(pair.Value)
				}
			} else if known && i == of.index {
				add(e)
			}
		}
	case *ast.KeyValueExpr: // the confirmation of an operation
		if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Done" {
			add(n.Value)
		}
	}
	return labels
}

// elementOf returns the type of the elements of a list or map, or nil.
func elementOf(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.ArrayType:
		return e.Elt
	case *ast.MapType:
		return e.Value
	}
	return nil
}

// fieldLabelsIn returns the values of the variable fieldLabels.
func fieldLabelsIn(n ast.Node) (labels []string) {
	spec, ok := n.(*ast.ValueSpec)
	if !ok || !strings.EqualFold(spec.Names[0].Name, "fieldLabels") {
		return nil
	}
	for _, e := range spec.Values[0].(*ast.CompositeLit).Elts {
		label, _ := constant(e.(*ast.KeyValueExpr).Value)
		labels = append(labels, label)
	}
	return labels
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
	if !known || method != (name[0] < 'a') && name != "T" && name != "TN" {
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
	used, required := textsInCode(t)
	for _, l := range All[1:] {
		if *update {
			writeCatalogue(t, l, used, required)
			continue // l has the catalogue that the test was compiled with
		}
		for x, where := range used {
			if !required[x] {
				continue
			}
			forms := l.translations(x)
			if len(forms) == 0 || slices.Contains(forms, "") {
				t.Errorf("%s.po lacks a text of %s (-update adds it):\n%s", l.Code(), where, x)
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

// entry matches the meaning, if any, and the English text of an entry of a catalogue.
var entry = regexp.MustCompile(`(?m)^(?:msgctxt ".*"\n)?msgid ".+"$`)

func TestCataloguesHaveEachTextOnce(t *testing.T) {
	files, err := filepath.Glob("*.po")
	if err != nil || len(files) == 0 {
		t.Fatalf("no catalogues: %v", err)
	}
	for _, file := range files {
		catalogue, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, e := range entry.FindAllString(string(catalogue), -1) {
			if seen[e] {
				t.Errorf("%s has a text twice:\n%s", file, e)
			}
			seen[e] = true
		}
	}
}

var verb = regexp.MustCompile(`%(?:\[(\d)\])?[.\d]*[a-z]`)

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
	used, _ := textsInCode(t)
	for x := range used {
		for _, l := range All[1:] {
			for i, form := range l.translations(x) {
				want := arguments(x.one)
				if x.many != "" {
					want = arguments(x.many)
				}
				// The translation of an error, and a singular, may leave arguments out.
				if got := arguments(form); x.meaning == meaningError || x.many != "" && i == 0 {
					got = slices.DeleteFunc(got, func(arg string) bool { return slices.Contains(want, arg) })
					if len(got) > 0 {
						t.Errorf("%s.po: %q takes %v, which %q does not", l.Code(), form, got, x.one)
					}
				} else if form != "" && !slices.Equal(got, want) {
					t.Errorf("%s.po: %q takes %v, but %q takes %v", l.Code(), form, got, x.one, want)
				}
			}
		}
	}
}

// readable matches a text that a reader reads.
var readable = regexp.MustCompile(`\pL{2}`)

// readAttributes are the attributes whose values readers read or hear.
var readAttributes = []string{"alt", "aria-label", "aria-description", "placeholder", "title"}

func TestTemplatesHaveNoUntranslatedText(t *testing.T) {
	for _, file := range codeIn(t, "../../views") {
		if strings.HasSuffix(file, "_templ.go") && isTranslated(file) {
			for _, text := range literalsOf(t, file) {
				t.Errorf("%s: %q does not pass through t", file, text)
			}
		}
	}
}

// literalsOf returns the literal texts of a generated template.
func literalsOf(t *testing.T, file string) (found []string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
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
