package ui

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"
	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/content/languages"
)

// Capitalized returns a word with its first letter in upper case.
func Capitalized(word string) string {
	if word == "" {
		return ""
	}
	return strings.ToUpper(word[:1]) + word[1:]
}

// Paragraphs splits plain text at its line breaks.
func Paragraphs(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			all = append(all, line)
		}
	}
	return all
}

// Join joins words with commas.
func Join(words []string) string { return strings.Join(words, ", ") }

// Excerpt returns the first n characters of text.
func Excerpt(text string, n int) string {
	if runes := []rune(text); len(runes) > n {
		return strings.TrimSpace(string(runes[:n])) + "…"
	}
	return text
}

// OneLine joins the lines of a text with spaces.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// LangOf returns the lang attribute of an element with a text, none if it is in the
// reader's language.
func LangOf(ctx context.Context, t *content.Text) templ.Attributes {
	if t.Language == languages.Of(ctx).Code() {
		return nil
	}
	return templ.Attributes{"lang": t.Language}
}

// IsoDay formats a day as ISO 8601: "2026-11-20".
func IsoDay(t time.Time) string { return t.Format(time.DateOnly) }

// OrDash escapes s, or returns a dash when it is empty.
func OrDash(s string) string { return cmp.Or(MarkdownText(s), "–") }

// Decimal formats a number with as few decimals as it needs.
func Decimal(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

func YearText(year int) string {
	if year == 0 {
		return "–"
	}
	return strconv.Itoa(year)
}

// WithoutLinks returns text on one line without the links and addresses that mail
// clients make clickable. Other words with a full stop inside, which may be domains
// that are not known here, get a space after it.
func WithoutLinks(ctx context.Context, s string) string {
	words := strings.Fields(Visible(s))
	for i, word := range words {
		switch {
		case linkLike(word):
			words[i] = T(ctx, linkRemoved)
		case hasDomain(word, func(string) bool { return true }):
			words[i] = strings.ReplaceAll(word, ".", ". ")
		}
	}
	return strings.Join(words, " ")
}

// VersionText returns the version of a stored listing, "" for one that is not stored yet.
func VersionText(version int64) string {
	if version == 0 {
		return ""
	}
	return strconv.FormatInt(version, 10)
}
