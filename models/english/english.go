// Package english has the few rules of English that messages need.
package english

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentence returns s with a capital at the beginning, unless its first word is a
// name with an underscore, such as next_cursor, and with a full stop at the end,
// unless it has its own ending.
func Sentence(s string) string {
	if s == "" {
		return s
	}
	if word, _, _ := strings.Cut(s, " "); !strings.Contains(word, "_") {
		first, size := utf8.DecodeRuneInString(s)
		s = string(unicode.ToUpper(first)) + s[size:]
	}
	if !strings.ContainsAny(s[len(s)-1:], ".?!") {
		s += "."
	}
	return s
}
