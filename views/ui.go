package views

import "strings"

// The room a card's photograph takes, as HTML's sizes writes it.
const cardSizes = "(min-width: 64rem) 15rem, (min-width: 40rem) 30vw, 46vw"

// The room a listing's first photograph takes.
const leadSizes = "(min-width: 64rem) 44rem, 100vw"

func (d *Deal) class() string {
	switch {
	case d.Percent < 0:
		return "deal under"
	case d.Percent > 0:
		return "deal over"
	}
	return "deal"
}

// gallerySizes is the room the nth of several photographs of a listing takes: the
// first the whole width, the others a third of it, or a second alone two thirds.
func gallerySizes(n, of int) string {
	switch {
	case n == 0:
		return leadSizes
	case of == 2:
		return "(min-width: 64rem) 30rem, 64vw"
	}
	return "(min-width: 64rem) 14.5rem, 31vw"
}

// paragraphs cuts plain text at its line breaks.
func paragraphs(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			all = append(all, line)
		}
	}
	return all
}

func join(words []string) string { return strings.Join(words, ", ") }
