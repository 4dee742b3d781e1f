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

// gallerySizes is the room the nth photograph of a listing takes.
func gallerySizes(n int) string {
	if n == 0 {
		return leadSizes
	}
	return "(min-width: 64rem) 14rem, 46vw"
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
