package languages

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

var words = flag.Bool("words", false, "check the terms, patterns and spelling of texts, with hunspell and Debian's dictionaries")

// passage is a text that readers or programs get, with where it is from.
type passage struct {
	where, text string
	language    *Language
	people      bool // it is for people, not for programs
}

// passages returns the texts of pages, emails, errors, guides, tools and the API. It skips
// the test without the flag.
func passages(t *testing.T) (all []passage) {
	t.Helper()
	if !*words {
		t.Skip("make lint runs it, with the flag -words")
	}
	add := func(where, text string, l *Language, people bool) {
		all = append(all, passage{where, text, l, people})
	}
	catalogue, err := os.ReadFile("de.po")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range parsePO(string(catalogue))[1:] {
		add("English text", prose(e.one), English, true)
		if e.many != "" {
			add("English text", e.many, English, true)
		}
		for _, form := range German.translations(e.text) {
			add("German of “"+e.one+"”", form, German, true)
		}
	}
	for _, pattern := range []string{"../pages/*.md", "../guides/*.md", "../skills/*/*.md", "../pages/de/*.md", "../guides/de/*.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no files: %v", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			l := English
			if strings.Contains(file, "/de/") {
				l = German
			}
			add(strings.TrimPrefix(file, "../"), prose(string(text)), l, !strings.Contains(file, "/skills/"))
		}
	}
	for _, document := range []string{"openapi.json", "openapi-admin.json"} {
		for _, text := range descriptions(t, "../../handlers/testdata/"+document) {
			add(document, text, English, false)
		}
	}
	tools, err := parser.ParseFile(token.NewFileSet(), "../../handlers/tools.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(tools, func(n ast.Node) bool {
		if e, ok := n.(ast.Expr); ok {
			if text, ok := constant(e); ok && strings.Contains(text, " ") {
				add("handlers/tools.go", text, English, false)
			}
		}
		return true
	})
	return all
}

// descriptions returns the descriptions and summaries of an OpenAPI document, each once.
func descriptions(t *testing.T, file string) []string {
	t.Helper()
	body, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var document any
	if err := json.Unmarshal(body, &document); err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for key, value := range v {
				if text, ok := value.(string); ok && (key == "description" || key == "summary") {
					found[prose(text)] = true
				}
				walk(value)
			}
		case []any:
			for _, value := range v {
				walk(value)
			}
		}
	}
	walk(document)
	return slices.Sorted(maps.Keys(found))
}

// notProse matches code, templates, addresses and tags.
var notProse = regexp.MustCompile("(?s)```.*?```|`[^`\n]*`|\\{\\{.*?\\}\\}|\\]\\([^)]*\\)|<[^>\n]*>|https?://\\S+|\\S+@\\S+|^---\n|\\n(?:date|name): [^\n]*")

// prose returns Markdown without what isn't prose.
func prose(markdown string) string { return notProse.ReplaceAllString(markdown, " ") }

// term is a word that texts don't use, with the term to use.
type term struct {
	word, use string
	people    bool     // programs may get it
	allowed   []string // parts of the texts, or of their places, that may have it
}

// terms reads the words not to use from the glossary.
func terms(t *testing.T) map[*Language][]term {
	t.Helper()
	file, err := os.ReadFile("../../docs/glossary.md")
	if err != nil {
		t.Fatal(err)
	}
	glossary, allowed, _ := strings.Cut(string(file), "\n## Allowed\n")
	exceptions := map[string][]string{}
	for _, row := range tableRows(allowed) {
		for word := range strings.SplitSeq(row[0], ", ") {
			exceptions[word] = append(exceptions[word], strings.Split(row[1], ", ")...)
		}
	}
	found := map[*Language][]term{}
	for _, row := range tableRows(glossary) {
		for i, l := range All {
			for word := range strings.SplitSeq(row[2+i], ", ") {
				if plain := strings.Trim(word, "*"); plain != "" {
					found[l] = append(found[l], term{strings.ToLower(plain), row[i], plain != word, exceptions[plain]})
				}
			}
		}
	}
	return found
}

// tableRows returns the cells of the rows of Markdown tables, without their heads.
func tableRows(markdown string) (rows [][]string) {
	lines := strings.Split(markdown, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "| ") && (i+1 == len(lines) || !strings.HasPrefix(lines[i+1], "|---")) {
			cells := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|"), "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			rows = append(rows, cells)
		}
	}
	return rows
}

// misused returns what a passage has that the glossary doesn't use.
func misused(p *passage, all map[*Language][]term) (found []string) {
	text := strings.ToLower(p.text)
	for _, term := range all[p.language] {
		if term.people && !p.people || !hasWord(text, term.word) {
			continue
		}
		rest := p.text
		for _, part := range term.allowed {
			rest = strings.ReplaceAll(rest, part, "")
			if strings.Contains(p.where, part) {
				rest = ""
			}
		}
		if hasWord(strings.ToLower(rest), term.word) {
			found = append(found, fmt.Sprintf("%q; use: %s", term.word, term.use))
		}
	}
	return found
}

// hasWord reports whether a text has a word, or words, between others.
func hasWord(text, word string) bool {
	for before, rest, found := strings.Cut(text, word); found; before, rest, found = strings.Cut(rest, word) {
		last, _ := utf8.DecodeLastRuneInString(before)
		first, _ := utf8.DecodeRuneInString(rest)
		if !unicode.IsLetter(last) && !unicode.IsLetter(first) {
			return true
		}
	}
	return false
}

// TestTerms finds the words that docs/glossary.md says not to use.
func TestTerms(t *testing.T) {
	all := terms(t)
	for _, fault := range []passage{{"a fault", "Its price trend", English, true}, {"a fault", "Zahl das Porto.", German, true}} {
		if len(misused(&fault, all)) == 0 {
			t.Errorf("%q is not found", fault.text)
		}
	}
	for _, p := range passages(t) {
		for _, found := range misused(&p, all) {
			t.Errorf("%s: %s\n\t%s", p.where, found, excerpt(p.text))
		}
	}
}

// excerpt returns the beginning of a text on one line.
func excerpt(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return text[:min(len(text), 160)]
}

// The patterns of texts that read translated.
var patterns = []struct {
	language *Language
	what     string
	pattern  *regexp.Regexp
}{
	{English, "a space before %", regexp.MustCompile(`\d[ \x{a0}]%|%[sd][ \x{a0}]%%`)},
	{German, "no space before %", regexp.MustCompile(`(\d|%s|%d|\])%%?($|[\s.,;:)])`)},
	{English, "“is to” for a purpose", regexp.MustCompile(`\b(is|are|was) to (be |[a-z]+\b)`)},
	{English, "a chain of relative clauses", regexp.MustCompile(`\b(of|by|for) (which|whom)\b`)},
}

// maxSentence is the most words of a sentence on a page.
const maxSentence = 28

// sentenceEnd matches the end of a sentence, a cell, a paragraph or an item of a list.
var sentenceEnd = regexp.MustCompile(`[.!?:;…]["”“)*]*(\s|$)|\n\n|\n#|\n[-*|]|\n\d+\. |\|`)

// unidiomatic returns the patterns that a passage has.
func unidiomatic(p *passage) (found []string) {
	for _, c := range patterns {
		if at := c.pattern.FindString(p.text); c.language == p.language && p.people && at != "" {
			found = append(found, fmt.Sprintf("%s: %q", c.what, at))
		}
	}
	if strings.HasPrefix(p.where, "pages/") {
		for _, sentence := range sentenceEnd.Split(p.text, -1) {
			if n := len(strings.Fields(sentence)); n > maxSentence {
				found = append(found, fmt.Sprintf("a sentence of %d words: %s", n, excerpt(sentence)))
			}
		}
	}
	return found
}

// TestPatterns finds sentences that read translated, and long ones on pages.
func TestPatterns(t *testing.T) {
	for _, fault := range []passage{
		{"a fault", "3 % more", English, true}, {"a fault", "3% mehr", German, true}, {"a fault", "a listing of which it is one", English, true},
		{"a fault", "The offer is to be accepted.", English, true}, {"pages/fault.md", strings.Repeat("word ", maxSentence+1), English, true},
	} {
		if len(unidiomatic(&fault)) == 0 {
			t.Errorf("%q is not found", fault.text)
		}
	}
	for _, p := range passages(t) {
		for _, found := range unidiomatic(&p) {
			t.Errorf("%s: %s\n\t%s", p.where, found, excerpt(p.text))
		}
	}
}

// notSpelt matches what is no word: verbs of formats, and words with digits, in capitals
// or with inner capitals.
var notSpelt = regexp.MustCompile(`%(\[\d\])?[.\d]*[a-zA-Z%]|\S*[\d_/#=]\S*|[\pL-]*\p{Ll}\p{Lu}[\pL-]*|[\pL-]*\p{Lu}{2,}[\pL-]*`)

// misspelt returns the words of texts that hunspell doesn't know with a dictionary, and the
// list of the product's own words doesn't have.
func misspelt(t *testing.T, dictionary, list, texts string) []string {
	t.Helper()
	check := exec.Command("hunspell", "-i", "utf-8", "-d", dictionary, "-l")
	check.Stdin = strings.NewReader(notSpelt.ReplaceAllString(strings.ReplaceAll(texts, "’", "'"), " "))
	output, err := check.Output()
	if err != nil {
		t.Fatalf("hunspell: %v", err)
	}
	own, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	unknown := map[string]bool{}
	for word := range strings.FieldsSeq(string(output)) {
		if word = strings.Trim(word, "-."); readable.MatchString(word) {
			unknown[word] = true
		}
	}
	for word := range strings.FieldsSeq(string(own)) {
		delete(unknown, word)
	}
	return slices.Sorted(maps.Keys(unknown))
}

func TestSpelling(t *testing.T) {
	all := passages(t)
	for dictionary, l := range map[string]*Language{"en_GB": English, "de_DE": German} {
		list := "testdata/words." + l.Code() + ".txt"
		if len(misspelt(t, dictionary, list, "Kameera")) == 0 {
			t.Errorf("%s: a fault is not found", dictionary)
		}
		var texts strings.Builder
		for _, p := range all {
			if p.language == l {
				texts.WriteString(prose(p.text) + "\n")
			}
		}
		for _, word := range misspelt(t, dictionary, list, texts.String()) {
			at := slices.IndexFunc(all, func(p passage) bool { return p.language == l && strings.Contains(p.text, word) })
			t.Errorf("%q is no word of %s or of %s: %s: %s", word, dictionary, list, all[max(at, 0)].where, excerpt(all[max(at, 0)].text))
		}
	}
}
