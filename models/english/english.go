// Package english implements the rules of English needed for messages.
package english

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sentence returns s as a sentence: it capitalises the first letter, unless the
// first word is an identifier such as next_cursor, and adds a full stop if
// there is no final punctuation.
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
