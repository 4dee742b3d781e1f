package models

import (
	"net/url"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
)

// safeLink reports whether a link is an https address of a host with a safe name, without a
// password and in plain characters.
func safeLink(text string) bool {
	plain := func(r rune) bool { return r > ' ' && r < unicode.MaxASCII && !strings.ContainsRune("<>\"'`\\{}|^", r) }
	if len(text) > MaxLink || strings.ContainsFunc(text, func(r rune) bool { return !plain(r) }) {
		return false
	}
	u, err := url.Parse(text)
	return err == nil && u.Scheme == "https" && u.User == nil && u.Opaque == "" && safeHost(u.Hostname())
}

// privateDomains are the top-level domains of names in private networks.
var privateDomains = []string{"localhost", "local", "internal", "lan", "home", "corp", "arpa"}

// safeHost reports whether a host is a name of the public internet, not an address in any of
// the notations that browsers read (their last part begins with a digit), and has no letters
// of scripts that look like one another, such as a Cyrillic а among Latin ones.
func safeHost(host string) bool {
	ascii, err := idna.Lookup.ToASCII(strings.TrimSuffix(host, "."))
	if err != nil {
		return false
	}
	dot := strings.LastIndexByte(ascii, '.')
	top := ascii[dot+1:]
	if dot < 1 || strings.Contains(ascii, "..") || top == "" || top[0] < 'a' || slices.Contains(privateDomains, top) {
		return false
	}
	name, err := idna.Lookup.ToUnicode(ascii)
	latin := strings.ContainsFunc(name, func(r rune) bool { return unicode.Is(unicode.Latin, r) })
	return err == nil && !strings.ContainsFunc(name, func(r rune) bool { return latin && looksLatin(r) })
}

// distinctScripts are scripts whose letters don't look like Latin ones.
var distinctScripts = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Arabic, unicode.Hebrew, unicode.Thai, unicode.Devanagari}

// looksLatin reports whether a character may look like a letter of the Latin alphabets of
// today, which end before U+0250, and is none.
func looksLatin(r rune) bool {
	return r >= 0x250 && !unicode.In(r, distinctScripts...)
}
