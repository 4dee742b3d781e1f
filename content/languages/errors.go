package languages

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// meaningError is the meaning of the sentences of errors. Errors are made where the
// language of their reader is not known, so that their texts are already formatted.
const meaningError = "error"

// errorFormat is a format that sentences of errors are made of.
type errorFormat struct {
	match       *regexp.Regexp // with a group for each argument
	order       []int          // the number of the argument of each group
	literal     int            // bytes that are not arguments
	translation string
}

var formatVerb = regexp.MustCompile(`%(?:\[(\d)\])?[.\d]*([a-z])`)

// newErrorFormats returns the formats among the sentences of errors, the most specific
// first.
func newErrorFormats(l *Language) []errorFormat {
	var all []errorFormat
	for english, entry := range l.meanings[meaningError] {
		if !formatVerb.MatchString(english) {
			continue
		}
		f := errorFormat{translation: entry.Get()}
		var pattern strings.Builder
		at := 0
		for i, verb := range formatVerb.FindAllStringSubmatchIndex(english, -1) {
			pattern.WriteString(regexp.QuoteMeta(english[at:verb[0]]))
			f.literal += verb[0] - at
			at = verb[1]
			switch english[verb[4]:verb[5]] {
			case "d":
				pattern.WriteString(`(-?\d+)`)
			case "q":
				pattern.WriteString(`("(?:[^"\\]|\\.)*")`)
			default:
				pattern.WriteString(`(.*?)`)
			}
			number := i + 1
			if verb[2] >= 0 {
				number, _ = strconv.Atoi(english[verb[2]:verb[3]])
			}
			f.order = append(f.order, number)
		}
		f.literal += len(english) - at
		f.match = regexp.MustCompile(`^(?s:` + pattern.String() + regexp.QuoteMeta(english[at:]) + `)$`)
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b errorFormat) int {
		return cmp.Or(b.literal-a.literal, cmp.Compare(a.match.String(), b.match.String()))
	})
	return all
}

// ErrorSentence returns the translation of a sentence of an error, and whether there is
// one. Its arguments are translated by word, or as parts of sentences of errors.
func (l *Language) ErrorSentence(english string, word func(string) string) (translated string, ok bool) {
	if entry := l.meanings[meaningError][english]; entry != nil {
		return entry.Get(), true
	}
	for _, f := range l.errorFormats() {
		if values := f.match.FindStringSubmatch(english); values != nil {
			return f.fill(values[1:], func(arg string) string {
				if part, ok := l.ErrorSentence(arg, word); ok {
					return part
				}
				return word(arg)
			}), true
		}
	}
	return "", false
}

// fill returns the translation with the values of the groups of match.
func (f *errorFormat) fill(values []string, word func(string) string) string {
	args := map[int]string{}
	for i, value := range values {
		if quoted, err := strconv.Unquote(value); err == nil {
			value = "„" + quoted + "“"
		}
		args[f.order[i]] = word(value)
	}
	next := 0
	return formatVerb.ReplaceAllStringFunc(f.translation, func(verb string) string {
		next++
		number := next
		if explicit := formatVerb.FindStringSubmatch(verb)[1]; explicit != "" {
			number, _ = strconv.Atoi(explicit)
		}
		return args[number]
	})
}
