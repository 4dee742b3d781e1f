package views

import "strings"

// leadSizes is the sizes attribute of a listing's first photo.
const leadSizes = "(min-width: 64rem) 44rem, 100vw"

// gallerySizes returns the sizes attribute of the nth of several photos of a
// listing: the first takes the whole width, the others a third each, a single second
// one two thirds.
func gallerySizes(n, of int) string {
	switch {
	case n == 0:
		return leadSizes
	case of == 2:
		return "(min-width: 64rem) 30rem, 64vw"
	}
	return "(min-width: 64rem) 14.5rem, 31vw"
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
