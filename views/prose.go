package views

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

// capitalized returns a word with its first letter in upper case.
func capitalized(word string) string {
	if word == "" {
		return ""
	}
	return strings.ToUpper(word[:1]) + word[1:]
}

// paragraphs splits plain text at its line breaks.
func paragraphs(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			all = append(all, line)
		}
	}
	return all
}

// join joins words with commas.
func join(words []string) string { return strings.Join(words, ", ") }

// excerpt returns the first n characters of text.
func excerpt(text string, n int) string {
	if runes := []rune(text); len(runes) > n {
		return strings.TrimSpace(string(runes[:n])) + "…"
	}
	return text
}

// oneLine joins the lines of a text with spaces.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// langOf returns the lang attribute of an element with a text, none if it is in the
// reader's language.
func langOf(ctx context.Context, t *content.Text) templ.Attributes {
	if t.Language == languages.Of(ctx).Code() {
		return nil
	}
	return templ.Attributes{"lang": t.Language}
}

// isoDay formats a day as ISO 8601: "2026-11-20".
func isoDay(t time.Time) string { return t.Format(time.DateOnly) }

// orDash escapes s, or returns a dash when it is empty.
func orDash(s string) string { return cmp.Or(mdText(s), "–") }

// decimal formats a number with as few decimals as it needs.
func decimal(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

func yearText(year int) string {
	if year == 0 {
		return "–"
	}
	return strconv.Itoa(year)
}

// withoutLinks returns text on one line without the links and addresses that mail
// clients make clickable. Other words with a full stop inside, which may be domains
// that are not known here, get a space after it.
func withoutLinks(ctx context.Context, s string) string {
	words := strings.Fields(visible(s))
	for i, word := range words {
		switch {
		case linkLike(word):
			words[i] = t(ctx, linkRemoved)
		case hasDomain(word, func(string) bool { return true }):
			words[i] = strings.ReplaceAll(word, ".", ". ")
		}
	}
	return strings.Join(words, " ")
}

// versionText returns the version of a stored listing, "" for one that is not stored yet.
func versionText(version int64) string {
	if version == 0 {
		return ""
	}
	return strconv.FormatInt(version, 10)
}
