// Package plain makes texts that people send readable for others.
package plain

import "strings"

// File returns the text of a file without the byte order mark and the carriage returns that
// editors on Windows write.
func File(text []byte) string {
	return strings.ReplaceAll(strings.TrimPrefix(string(text), "\ufeff"), "\r\n", "\n")
}

// Directions returns a text without the characters that override, embed or isolate the
// direction of text (U+202A to U+202E, U+2066 to U+2069), with which a part of a line reads
// backwards or reorders what stands beside it. The direction of text is that of its letters,
// and of the marks among them, which stay.
func Directions(text string) string {
	if strings.IndexByte(text, directions[0]) < 0 || !strings.ContainsAny(text, directions) { // all begin with the same byte
		return text
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(directions, r) {
			return -1
		}
		return r
	}, text)
}

const directions = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
