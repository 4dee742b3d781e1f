package price

import (
	"fmt"
	"strings"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// Scale maps prices, in whole currency units, to percent of a drawing's width, so that the
// drawing stretches and its text does not.
type Scale struct{ Low, High float64 }

// NewScale returns the scale of prices. It ignores nil.
func NewScale(prices ...*models.Money) Scale {
	var s Scale
	for _, m := range prices {
		if m == nil {
			continue
		}
		units := ui.Units(m)
		if s.High == 0 {
			s = Scale{units, units}
		}
		s.Low, s.High = min(s.Low, units), max(s.High, units)
	}
	return s
}

// At returns the position of a price, from 1 to 99.
func (s Scale) At(m *models.Money) float64 {
	if s.Low == s.High {
		return 50
	}
	return 1 + 98*(ui.Units(m)-s.Low)/(s.High-s.Low)
}

// Line draws a horizontal line from one price to another.
func (s Scale) Line(b *strings.Builder, class string, from, to *models.Money, y int) {
	fmt.Fprintf(b, `<line class="%s" x1="%s%%" x2="%s%%" y1="%d" y2="%[4]d"/>`, class, Coordinate(s.At(from)), Coordinate(s.At(to)), y)
}

// Mark draws a vertical line at a price.
func (s Scale) Mark(b *strings.Builder, class string, at *models.Money, y1, y2 int) {
	x := Coordinate(s.At(at))
	fmt.Fprintf(b, `<line class="%s" x1="%s%%" x2="%[2]s%%" y1="%d" y2="%d"/>`, class, x, y1, y2)
}

// Ends writes the ends of a range: in one text if they are too close for two.
func (s Scale) Ends(b *strings.Builder, low, high *models.Money, y int, from, to string) {
	left, right := s.At(low), s.At(high)
	if right-left < 35 {
		scaleText(b, "", (left+right)/2, y, anchor((left+right)/2), from+" – "+to)
		return
	}
	scaleText(b, "", left, y, "start", from)
	scaleText(b, "", right, y, "end", to)
}

// Label writes a text at a price, kept inside the drawing at its ends.
func (s Scale) Label(b *strings.Builder, class string, at *models.Money, y int, text string) {
	scaleText(b, class, s.At(at), y, anchor(s.At(at)), text)
}

// scaleText writes a text at a position in percent.
func scaleText(b *strings.Builder, class string, x float64, y int, anchor, text string) {
	if class != "" {
		class = ` class="` + class + `"`
	}
	fmt.Fprintf(b, `<text%s x="%s%%" y="%d" text-anchor="%s">%s</text>`, class, Coordinate(x), y, anchor, templ.EscapeString(text))
}

// anchor returns which part of a text is at a position in percent, so that the text stays
// inside the drawing.
func anchor(x float64) string {
	switch {
	case x < 25:
		return "start"
	case x > 75:
		return "end"
	}
	return "middle"
}
