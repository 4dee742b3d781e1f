package models

import (
	"cmp"
	_ "embed"
	"encoding/csv"
	"iter"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/secondlight/secondlight/models/fuzzy"
	"github.com/secondlight/secondlight/models/problem"
)

// This file reads the names that people write for brands, mounts, grades,
// categories and regions: "Fuji X", "MFT", "mint", "film slr", "UK". Gear is
// read by Catalog.FindGear.

// synonymsCSV lists other names of values. The column kind says what is named,
// means is the value, or several possible values, the likeliest first, and written
// are its other names. Lists are separated by "|".
//
//go:embed synonyms.csv
var synonymsCSV string

// Synonyms returns the rows of synonyms.csv by kind, as means by written.
var Synonyms = sync.OnceValue(func() map[string]map[string][]string {
	rows, err := csv.NewReader(strings.NewReader(synonymsCSV)).ReadAll()
	if err != nil {
		panic("synonyms.csv: " + err.Error())
	}
	byKind := map[string]map[string][]string{}
	for _, row := range rows[1:] {
		if byKind[row[0]] == nil {
			byKind[row[0]] = map[string][]string{}
		}
		for _, written := range List(row[2]) {
			byKind[row[0]][written] = List(row[1])
		}
	}
	return byKind
})

// Names reads the names of one kind of value. It is immutable and safe for
// concurrent use.
type Names struct {
	kind   string
	known  problem.Text        // hint: the valid names
	Values []string            // in order of rank
	byKey  map[string][]string // means by key of what is written
	words  map[string]bool     // words without meaning: "mount" in "E mount"
}

// NewNames returns the Names of values, the likeliest to be meant first. Labels
// are their display names. Words without meaning are separated by spaces.
func NewNames(kind string, known problem.Text, values []string, label func(string) string, fillers string) *Names {
	n := &Names{kind: kind, known: known, Values: values, byKey: map[string][]string{}, words: WordSet(fillers)}
	for written, means := range Synonyms()[kind] {
		means = slices.DeleteFunc(slices.Clone(means), func(v string) bool { return !slices.Contains(values, v) })
		if len(means) > 0 {
			n.byKey[n.Key(written)] = means
		}
	}
	for _, v := range values {
		n.byKey[n.Key(v)] = []string{v}
		n.byKey[n.Key(label(v))] = []string{v}
	}
	return n
}

// MaxCandidates limits the candidates of an unresolved name.
const MaxCandidates = 5

// MaxNameText is the length in bytes from which a text is not compared with
// names.
const MaxNameText = 100

// Resolve returns the value that a name means. The error is a
// *problem.Unresolved.
func (n *Names) Resolve(text string) (string, error) {
	if slices.Contains(n.Values, text) {
		return text, nil
	}
	unresolved := &problem.Unresolved{Kind: n.kind, Text: text, Known: n.known}
	if len(text) > MaxNameText {
		return "", unresolved
	}
	key := n.Key(text)
	switch means := n.byKey[key]; {
	case len(means) == 1:
		return means[0], nil
	case len(means) > 1:
		unresolved.Several, unresolved.Candidates = true, means
	default:
		unresolved.Candidates = n.similar(text, key)
	}
	return "", unresolved
}

// Find returns the only value that a name means, spelt in full.
func (n *Names) Find(text string) (value string, ok bool) {
	if len(text) > MaxNameText {
		return "", false
	}
	if means := n.byKey[n.Key(text)]; len(means) == 1 {
		return means[0], true
	}
	return "", false
}

// similar returns the values that contain all words of a text or, if there are
// none, those with a name that differs by a typo.
func (n *Names) similar(text, key string) (values []string) {
	words := n.content(text)
	for _, v := range n.Values {
		if has := nameWords(v); len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(has, w) }) {
			values = append(values, v)
		}
	}
	if len(values) == 0 && len(key) >= 4 {
		best := Tolerance(key) + 1
		for written, means := range n.byKey {
			d := fuzzy.Distance(key, written, best)
			if d >= best && !(d == best && d <= Tolerance(key)) || d >= len(written)-1 {
				continue
			}
			if d < best {
				best, values = d, nil
			}
			for _, v := range means {
				if !slices.Contains(values, v) {
					values = append(values, v)
				}
			}
		}
		slices.SortFunc(values, func(a, b string) int { return slices.Index(n.Values, a) - slices.Index(n.Values, b) })
	}
	return values[:min(len(values), MaxCandidates)]
}

// Key returns what a name is looked up by: its words with meaning, as one word.
func (n *Names) Key(text string) string {
	key := strings.Join(n.content(text), "")
	for w := range n.words { // "Emount"
		if rest, ok := strings.CutSuffix(key, w); ok && rest != "" && len(w) > 4 {
			key = rest
		}
	}
	return key
}

// content returns the words of a text that have a meaning, or all if none has.
func (n *Names) content(text string) []string {
	words := nameWords(text)
	if with := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return n.words[w] }); len(with) > 0 {
		return with
	}
	return words
}

// nameWords returns the folded words of a name. Unlike Words it keeps a plus at
// the end of a word, and a minus after a single grade: "EX+", "LN-".
func nameWords(text string) []string {
	text = strings.TrimSpace(Fold(text))
	if len(text) <= 5 && strings.HasSuffix(text, "-") && len(text) > 1 {
		return []string{text}
	}
	return strings.FieldsFunc(text, func(r rune) bool { return !isWordRune(r) && r != '+' })
}

func Same(s string) string { return s }

// Strs converts a list of strings to type string.
func Strs[T ~string](values []T) []string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = string(v)
	}
	return list
}

var ConditionNames = sync.OnceValue(func() *Names {
	return NewNames("condition", problem.Programf("The grades are %s; /guides/condition-grades compares them with those of other shops.", Joined(Conditions)),
		Strs(Conditions), func(v string) string { return Condition(v).Label() }, "condition cond grade used in state zustand etat")
})

var FunctionalNames = sync.OnceValue(func() *Names {
	return NewNames("functional", problem.Textf("Use one of %s.", Joined(Functionals)), Strs(Functionals), func(v string) string { return Functional(v).Label() }, "")
})

// DefectNames names defects.
var DefectNames = sync.OnceValue(func() *Names {
	return NewNames("defect", problem.Textf("Use one of %s.", Joined(Defects)), Strs(Defects), func(v string) string { return Defect(v).Label() }, "")
})

var CategoryNames = sync.OnceValue(func() *Names {
	return NewNames("category", problem.Textf("The categories are %s.", Joined(Categories)), Strs(Categories), func(v string) string { return Category(v).Label() }, "category")
})

// KindNames names categories and families.
var KindNames = sync.OnceValue(func() *Names {
	values := append(Strs(Categories), FamilyCamera, FamilyLens)
	n := NewNames("category", problem.Textf("The categories are camera, lens, %s.", Joined(Categories)), values, func(v string) string {
		return cmp.Or(Category(v).Label(), v)
	}, "category")
	for written, means := range Synonyms()["kind"] {
		n.byKey[n.Key(written)] = means
	}
	return n
})

// Set resolves a grade as people write it; see Names.Resolve for the error.
func (c *Condition) Set(text string) error { return setName(c, ConditionNames(), text) }

// Set resolves a value as people write it; see Names.Resolve for the error.
func (f *Functional) Set(text string) error { return setName(f, FunctionalNames(), text) }

// Set resolves a defect as people write it; see Names.Resolve for the error.
func (d *Defect) Set(text string) error { return setName(d, DefectNames(), text) }

// Set resolves a category as people write it; see Names.Resolve for the error.
func (c *Category) Set(text string) error { return setName(c, CategoryNames(), text) }

// Set resolves a category or family as people write it; see Names.Resolve for
// the error.
func (k *Kind) Set(text string) error { return setName(k, KindNames(), text) }

func setName[T ~string](to *T, names *Names, text string) error {
	value, err := names.Resolve(text)
	if err == nil {
		*to = T(value)
	}
	return err
}

// Correctable reports whether spelling correction applies to a word: it has at
// least four characters and no digits, because a different number is a
// different model.
func Correctable(word string) bool {
	return utf8.RuneCountInString(word) >= 4 && strings.IndexFunc(word, unicode.IsDigit) < 0
}

// Tolerance returns the maximum edit distance for a word: 2 from seven letters
// on, else 1.
func Tolerance(word string) int {
	if utf8.RuneCountInString(word) >= 7 {
		return 2
	}
	return 1
}

// NearestWord returns the candidate closest to word within the maximum edit
// distance; ties are broken by greater weight, then alphabetically. It returns
// "" if there is none.
func NearestWord(word string, candidates iter.Seq[string], weight func(string) int) string {
	return fuzzy.Nearest(word, candidates, Tolerance(word), weight)
}

// Beginning returns the values with a name that begins with a text, in order of rank
// after those with that very name.
func (n *Names) Beginning(text string) (values []string) {
	key := n.Key(text)
	if key == "" {
		return nil
	}
	for written, means := range n.byKey {
		if strings.HasPrefix(written, key) {
			values = append(values, means...)
		}
	}
	rank := func(v string) int {
		if slices.Contains(n.byKey[key], v) {
			return -1
		}
		return slices.Index(n.Values, v)
	}
	slices.Sort(values)
	values = slices.Compact(values)
	slices.SortStableFunc(values, func(a, b string) int { return rank(a) - rank(b) })
	return values
}

// Named reports whether a text is a name in full.
func (n *Names) Named(text string) bool { return len(n.byKey[n.Key(text)]) > 0 }

func List(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ListSeparator)
}

func WordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// ListSeparator separates the values of a list column.
const ListSeparator = "|"
