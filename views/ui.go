package views

import "strings"

// leadSizes is the sizes attribute of a photo in a listing's gallery.
const leadSizes = "(min-width: 64rem) 44rem, 100vw"

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
