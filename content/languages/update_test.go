package languages

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/secondlight/secondlight/models/fuzzy"
)

var update = flag.Bool("update", false, "write the catalogues: move translations to texts that were changed, add new texts, and delete unused ones")

// minSimilarity is the similarity from which a new text is taken for a changed one, as by
// gettext's msgmerge.
const minSimilarity = 0.6

// poEntry is an entry of a catalogue.
type poEntry struct {
	text
	comments     []string // lines, without the marks of unconfirmed translations
	source       []string // the lines of the text
	translations []string // the lines of the translations
	previous     *text    // the text that was translated, if nobody has confirmed that it fits
}

// parsePO returns the entries of a catalogue, the header first.
func parsePO(catalogue string) (entries []poEntry) {
	for block := range strings.SplitSeq(strings.TrimSpace(catalogue), "\n\n") {
		var e poEntry
		keyword := ""
		for line := range strings.Lines(block) {
			line = strings.TrimSuffix(line, "\n")
			switch {
			case line == "#, fuzzy":
				e.previous = cmp.Or(e.previous, &text{})
			case strings.HasPrefix(line, "#| "):
				e.previous = cmp.Or(e.previous, &text{})
				e.previous.parse(line[len("#| "):], &keyword)
			case strings.HasPrefix(line, "#"):
				e.comments = append(e.comments, line)
			case strings.HasPrefix(line, "msgstr"):
				keyword = "msgstr"
				e.translations = append(e.translations, line)
			case keyword == "msgstr":
				e.translations = append(e.translations, line)
			default:
				e.parse(line, &keyword)
				e.source = append(e.source, line)
			}
		}
		entries = append(entries, e)
	}
	return entries
}

// parse reads a line of an entry: a keyword with a quoted string, or a string that
// continues that of the keyword before.
func (x *text) parse(line string, keyword *string) {
	quoted := line
	if !strings.HasPrefix(line, `"`) {
		*keyword, quoted, _ = strings.Cut(line, " ")
	}
	value, err := strconv.Unquote(quoted)
	if err != nil {
		panic(fmt.Sprintf("%s: %v", line, err))
	}
	switch *keyword {
	case "msgctxt":
		x.meaning += value
	case "msgid":
		x.one += value
	case "msgid_plural":
		x.many += value
	}
}

// String returns the lines of the entry.
func (e poEntry) String() string {
	lines := slices.Clone(e.comments)
	if e.previous != nil {
		lines = append(lines, "#, fuzzy")
		if e.previous.one != "" {
			for _, line := range e.previous.source() {
				lines = append(lines, "#| "+line)
			}
		}
	}
	return strings.Join(slices.Concat(lines, e.source, e.translations), "\n") + "\n"
}

// source returns the lines of an entry that name the text.
func (x text) source() (lines []string) {
	for line := range strings.Lines(x.String()) {
		if !strings.HasPrefix(line, "msgstr") {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return lines
}

// change gives the translation of an entry to another text. It is unconfirmed unless the
// two texts read the same.
func (e *poEntry) change(to text) {
	translated := e.text
	if e.previous != nil && e.previous.one != "" {
		translated = *e.previous
	}
	unconfirmed := e.previous != nil && e.previous.one == ""
	e.text, e.source, e.previous = to, to.source(), nil
	if unconfirmed || !readsAs(translated, to) {
		e.previous = &translated
	}
}

// readsAs reports whether two texts differ in nothing that a translation shows: in case,
// in spaces, and in punctuation within a sentence.
func readsAs(a, b text) bool {
	kept := func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsSymbol(r) || strings.ContainsRune("%[].:;!?…", r) {
			return unicode.ToLower(r)
		}
		return -1
	}
	return strings.Map(kept, a.one) == strings.Map(kept, b.one) && strings.Map(kept, a.many) == strings.Map(kept, b.many)
}

// similarity returns how similar two texts are, from 0 to 1.
func similarity(a, b text) float64 {
	x, y := a.one+"\n"+a.many, b.one+"\n"+b.many
	length := max(len([]rune(x)), len([]rune(y)))
	return 1 - float64(fuzzy.Distance(x, y, length))/float64(length)
}

// updateCatalogue returns a catalogue with the texts that are required, in the order of the
// code, and those of its own that are in use. A required text that it lacks gets the
// translation of the most similar text that is no longer in use; see insertMissing for the
// others.
func updateCatalogue(catalogue string, required []text, inUse func(text) bool) string {
	entries := parsePO(catalogue)
	var missing []text
	for _, x := range required {
		if !slices.ContainsFunc(entries, func(e poEntry) bool { return e.text == x }) {
			missing = append(missing, x)
		}
	}
	type pair struct {
		entry      *poEntry
		text       text
		similarity float64
	}
	var pairs []pair
	for i := range entries {
		e := &entries[i]
		if e.one == "" || inUse(e.text) {
			continue
		}
		for _, x := range missing {
			if s := similarity(e.text, x); s >= minSimilarity && e.meaning == x.meaning && (e.many == "") == (x.many == "") {
				pairs = append(pairs, pair{e, x, s})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(b.similarity, a.similarity) })
	for _, p := range pairs {
		if i := slices.Index(missing, p.text); i >= 0 && !inUse(p.entry.text) {
			p.entry.change(p.text)
			missing = slices.Delete(missing, i, i+1)
		}
	}
	entries = slices.DeleteFunc(entries, func(e poEntry) bool { return e.one != "" && !inUse(e.text) })
	return join(insertMissing(entries, required, missing))
}

// insertMissing inserts entries of the missing texts, each after the entry of the text
// that is required before it. They have the translation of a text that reads the same, or
// none.
func insertMissing(entries []poEntry, required, missing []text) []poEntry {
	for i, x := range required {
		if !slices.Contains(missing, x) {
			continue
		}
		at := len(entries)
		if i > 0 {
			at = 1 + slices.IndexFunc(entries, func(e poEntry) bool { return e.text == required[i-1] })
		}
		_, empty, _ := strings.Cut(strings.TrimSpace(x.String()), "\nmsgstr")
		added := poEntry{text: x, source: x.source(), translations: []string{"msgstr" + empty}}
		if same := slices.IndexFunc(entries, func(e poEntry) bool { return e.meaning == x.meaning && readsAs(e.text, x) }); same >= 0 {
			added.translations, added.previous = entries[same].translations, entries[same].previous
		}
		entries = slices.Insert(entries, at, added)
	}
	return entries
}

// join returns a catalogue of entries.
func join(entries []poEntry) string {
	var b strings.Builder
	for i := range entries {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(entries[i].String())
	}
	return b.String()
}

// writeCatalogue updates the catalogue of a language for the texts in use, with where they
// are in the code.
func writeCatalogue(t *testing.T, l *Language, used map[text]string, required map[text]bool) {
	t.Helper()
	var ordered []text
	for x := range required {
		if required[x] {
			ordered = append(ordered, x)
		}
	}
	slices.SortFunc(ordered, func(a, b text) int {
		return cmp.Or(comparePositions(used[a], used[b]), strings.Compare(a.String(), b.String()))
	})
	name := l.Code() + ".po"
	catalogue, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	updated := updateCatalogue(string(catalogue), ordered, func(x text) bool { return used[x] != "" })
	if err := errors.Join(os.WriteFile(name, []byte(updated), 0o666), packCatalogue(name)); err != nil {
		t.Fatal(err)
	}
}

// comparePositions compares two positions in files, such as "views/home/home.go:12:3".
func comparePositions(a, b string) int {
	x, y := strings.Split(a, ":"), strings.Split(b, ":")
	numbers := func(s, t string) int { return cmp.Or(cmp.Compare(len(s), len(t)), cmp.Compare(s, t)) }
	return cmp.Or(cmp.Compare(x[0], y[0]), slices.CompareFunc(x[1:], y[1:], numbers))
}

// TestTranslationsAreConfirmed lists translations of texts that were changed since. They
// are shown until somebody who knows the language has compared them with the new text.
func TestTranslationsAreConfirmed(t *testing.T) {
	for _, l := range All[1:] {
		catalogue, err := os.ReadFile(l.Code() + ".po")
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range parsePO(string(catalogue)) {
			if e.previous != nil {
				t.Errorf("%s.po: a text was changed; correct the translation if it no longer fits, and delete the lines that begin with \"#, fuzzy\" and \"#|\":\n%s", l.Code(), e)
			}
		}
	}
}

// header begins the catalogues of tests.
const header = `# German texts.
msgid ""
msgstr ""
"Language: de\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"
`

func TestUpdateKeepsTranslations(t *testing.T) {
	const before = header + `
# A button.
msgid "Save the draft and go on"
msgstr "Entwurf speichern und weiter"

msgid "Deleted photos can't be restored"
msgstr "Gelöschte Fotos sind weg"

msgctxt "status"
msgid "sold"
msgstr "verkauft"

msgid "%d sale of this model"
msgid_plural "%d sales of this model"
msgstr[0] "%d Verkauf dieses Modells"
msgstr[1] "%d Verkäufe dieses Modells"
`
	texts := func(change func(*[4]text)) []text {
		all := [4]text{
			{one: "Save the draft and go on"},
			{one: "Deleted photos can't be restored"},
			{meaning: "status", one: "sold"},
			{one: "%d sale of this model", many: "%d sales of this model"},
		}
		change(&all)
		return slices.DeleteFunc(all[:], func(x text) bool { return x.one == "" })
	}
	replaced := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(before) }
	for _, c := range []struct {
		name     string
		required []text
		want     string
	}{
		{"nothing", texts(func(*[4]text) {}), before},
		{"a comma and case", texts(func(x *[4]text) { x[0].one = "Save the Draft, and go on" }),
			replaced("Save the draft and go on", "Save the Draft, and go on")},
		{"the end of a sentence", texts(func(x *[4]text) { x[1].one = "Deleted photos can't be restored." }),
			replaced(`msgid "Deleted photos can't be restored"`, "#, fuzzy\n#| msgid \"Deleted photos can't be restored\"\nmsgid \"Deleted photos can't be restored.\"")},
		{"a word", texts(func(x *[4]text) { x[0].one = "Save the draft and continue" }),
			replaced(`msgid "Save the draft and go on"`, "#, fuzzy\n#| msgid \"Save the draft and go on\"\nmsgid \"Save the draft and continue\"")},
		{"a word of a plural", texts(func(x *[4]text) { x[3].many = "%d sales of that model" }),
			replaced("msgid \"%d sale of this model\"\nmsgid_plural \"%d sales of this model\"", "#, fuzzy\n#| msgid \"%d sale of this model\"\n#| msgid_plural \"%d sales of this model\"\n"+
				"msgid \"%d sale of this model\"\nmsgid_plural \"%d sales of that model\"")},
		{"another meaning", texts(func(x *[4]text) { x[2].meaning = "verb" }),
			replaced("msgctxt \"status\"\nmsgid \"sold\"\nmsgstr \"verkauft\"", "msgctxt \"verb\"\nmsgid \"sold\"\nmsgstr \"\"")},
		{"a deleted text", texts(func(x *[4]text) { x[2] = text{} }),
			replaced("msgctxt \"status\"\nmsgid \"sold\"\nmsgstr \"verkauft\"\n\n", "")},
		{"a new text", append(texts(func(*[4]text) {}), text{one: "%d photo", many: "%d photos"}),
			before + "\nmsgid \"%d photo\"\nmsgid_plural \"%d photos\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n"},
		{"another text in its place", texts(func(x *[4]text) { x[1].one = "Your offers" }),
			replaced("msgid \"Deleted photos can't be restored\"\nmsgstr \"Gelöschte Fotos sind weg\"", "msgid \"Your offers\"\nmsgstr \"\"")},
		{"a text of which another reads the same", append(texts(func(*[4]text) {}), text{one: "Save the draft, and go on"}),
			before + "\nmsgid \"Save the draft, and go on\"\nmsgstr \"Entwurf speichern und weiter\"\n"},
		{"two similar texts", texts(func(x *[4]text) {
			x[0].one, x[1].one = "Deleted photos can't be restored now", "Save this draft and go on"
		}), replaced(`msgid "Save the draft and go on"`, "#, fuzzy\n#| msgid \"Save the draft and go on\"\nmsgid \"Save this draft and go on\"",
			`msgid "Deleted photos can't be restored"`, "#, fuzzy\n#| msgid \"Deleted photos can't be restored\"\nmsgid \"Deleted photos can't be restored now\"")},
	} {
		got := updateCatalogue(before, c.required, func(x text) bool { return slices.Contains(c.required, x) })
		if got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
		l := newLanguage(German.tag, []byte(got))
		for _, x := range c.required {
			if len(l.translations(x)) == 0 {
				t.Errorf("%s: the language has no %q", c.name, x.one)
			}
		}
	}
}

// TestUpdateRemembersWhatWasTranslated changes a text twice.
func TestUpdateRemembersWhatWasTranslated(t *testing.T) {
	catalogue := header + "\nmsgid \"Save this draft\"\nmsgstr \"Entwurf speichern\"\n"
	change := func(to string) {
		x := text{one: to}
		catalogue = updateCatalogue(catalogue, []text{x}, func(y text) bool { return x == y })
	}
	change("Save the draft")
	change("Save your draft")
	want := "\n#, fuzzy\n#| msgid \"Save this draft\"\nmsgid \"Save your draft\"\nmsgstr \"Entwurf speichern\"\n"
	if catalogue != header+want {
		t.Errorf("got\n%s\nwant\n%s", catalogue, header+want)
	}
	if got := newLanguage(German.tag, []byte(catalogue)).Text("Save your draft"); got != "Entwurf speichern" {
		t.Errorf("an unconfirmed translation is shown as %q", got)
	}
	change("Save this draft")
	if strings.Contains(catalogue, "fuzzy") {
		t.Errorf("the text that was translated is unconfirmed:\n%s", catalogue)
	}
}

// TestUpdateKeepsCatalogues updates the catalogues for the code as it is.
func TestUpdateKeepsCatalogues(t *testing.T) {
	for _, l := range All[1:] {
		catalogue, err := os.ReadFile(l.Code() + ".po")
		if err != nil {
			t.Fatal(err)
		}
		if got := updateCatalogue(string(catalogue), nil, func(text) bool { return true }); got != string(catalogue) {
			t.Errorf("%s.po is not as it would be written", l.Code())
		}
	}
}

// packCatalogue writes the compressed copy of a catalogue that the program embeds.
func packCatalogue(name string) error {
	catalogue, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	_, err = w.Write(catalogue)
	return errors.Join(err, w.Close(), os.WriteFile(name+".gz", b.Bytes(), 0o666))
}

// TestPackedCatalogues checks that the program embeds the catalogue as it is.
func TestPackedCatalogues(t *testing.T) {
	catalogue, err := os.ReadFile("de.po")
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		err = packCatalogue("de.po")
	} else if !bytes.Equal(unpack(german), catalogue) {
		t.Error("de.po.gz is older than de.po (write it with: go test ./content/languages -run Catalogues -update)")
	}
	if err != nil {
		t.Fatal(err)
	}
}
