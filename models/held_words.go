package models

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// HeldWords are the words and phrases that hold a listing for a moderator.
type HeldWords struct {
	Version int64    // increases with every change; 0 if none were ever set
	Words   []string // as operators wrote them, without duplicates
}

// Limits of the words that hold a listing.
const (
	MaxHeldWords = 500
	MaxHeldWord  = 80 // characters
)

// Check normalises the words and returns an Invalid error if there are too many, or if
// one is too long or has no letter or digit.
func (h *HeldWords) Check() error {
	var c SiteCheck
	var words []string
	known := map[string]bool{}
	for _, word := range h.Words {
		if word = strings.Join(strings.Fields(word), " "); word == "" {
			continue
		}
		key := phrase(word)
		c.Require(Storable(word) && utf8.RuneCountInString(word) <= MaxHeldWord, "words", "Use at most %d characters for a word or phrase.", MaxHeldWord)
		c.Require(key != "", "words", "Use at least one letter or digit in each word or phrase.")
		if !known[key] {
			words = append(words, word)
		}
		known[key] = true
	}
	c.Require(len(words) <= MaxHeldWords, "words", "List at most %d words and phrases.", MaxHeldWords)
	h.Words = words
	return InvalidFields(c.Fields)
}

// In returns those that the title, the description or a text about the item of a listing
// contains as whole words, in any case and with or without accents.
func (h *HeldWords) In(l *Listing) (found []string) {
	if len(h.Words) == 0 {
		return nil
	}
	var texts []string
	for _, text := range append([]string{l.Title, l.Text}, l.Texts()...) {
		texts = append(texts, phrase(text))
	}
	for _, word := range h.Words {
		key := phrase(word)
		if slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, key) }) {
			found = append(found, word)
		}
	}
	return found
}

// phrase returns the normalised words of a text, each between spaces, "" for none. It
// ignores characters that nobody sees, such as soft hyphens.
func phrase(text string) string {
	words := Words(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, text))
	if len(words) == 0 {
		return ""
	}
	return " " + strings.Join(words, " ") + " "
}
