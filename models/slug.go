package models

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// MaxSlug is the maximum length of a slug, in bytes.
const MaxSlug = 80

var (
	fNumber    = regexp.MustCompile(`\b([fFtT])/(\d)`)
	slugSpells = strings.NewReplacer("+", " plus ", "ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "ł", "l", "đ", "d", "ı", "i", "×", "x", "µ", "u", "μ", "u")
)

// Slug returns a URL-safe form of a name: lower-case ASCII letters and digits
// in words joined by single hyphens, with accents removed, "f/1.8" as "f1-8"
// and "+" as "plus", truncated to MaxSlug bytes between words. It returns "" if
// s has no letter or digit it can represent. Slug(Slug(s)) == Slug(s).
func Slug(s string) string {
	if IsSlug(s) {
		return s
	}
	if strings.IndexByte(s, '/') >= 0 {
		s = fNumber.ReplaceAllString(s, "$1$2")
	}
	s = slugSpells.Replace(strings.ToLower(s))
	words := strings.FieldsFunc(dropMarks(s), func(r rune) bool {
		return !('a' <= r && r <= 'z' || '0' <= r && r <= '9')
	})
	slug := strings.Join(words, "-")
	if len(slug) <= MaxSlug {
		return slug
	}
	if cut := strings.LastIndexByte(slug[:MaxSlug+1], '-'); cut > 0 {
		return slug[:cut]
	}
	return slug[:MaxSlug]
}

// IsSlug reports whether s is a valid slug.
func IsSlug(s string) bool {
	if s == "" || len(s) > MaxSlug || s[0] == '-' || s[len(s)-1] == '-' || strings.Contains(s, "--") {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-') {
			return false
		}
	}
	return true
}

// dropMarks removes accents.
func dropMarks(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFKD.String(s))
}
