package models

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
)

// Color is a colour of sRGB.
type Color struct{ R, G, B uint8 }

var colorForm = regexp.MustCompile(`^#[0-9a-f]{6}$`)

// ParseColor parses a colour such as "#c02f0c".
func ParseColor(text string) (c Color, ok bool) {
	if !colorForm.MatchString(text) {
		return Color{}, false
	}
	n, _ := strconv.ParseUint(text[1:], 16, 32) // the form has only digits
	return Color{uint8(n >> 16), uint8(n >> 8), uint8(n)}, true
}

// String returns the colour as ParseColor takes it.
func (c Color) String() string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// Mix returns the colour with a share of another, from 0 to 1.
func (c Color) Mix(other Color, share float64) Color {
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a)*(1-share) + float64(b)*share)) }
	return Color{mix(c.R, other.R), mix(c.G, other.G), mix(c.B, other.B)}
}

// luminance returns the relative luminance of WCAG 2.2, from 0 to 1.
func (c Color) luminance() float64 {
	linear := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// Contrast returns the contrast ratio of WCAG 2.2 between two colours, from 1 to 21.
func Contrast(a, b Color) float64 {
	high, low := a.luminance(), b.luminance()
	if high < low {
		high, low = low, high
	}
	return (high + 0.05) / (low + 0.05)
}

// MinContrast is the contrast that WCAG 2.2 AA asks of text.
const MinContrast = 4.5

// Ground holds the colours of a light or dark page that the accent is read on, as in
// tailwind.config.js.
type Ground struct {
	Papers []Color // of the page, of boxes, and of stripes
	Text   Color   // on the accent
	toward Color   // where readable colours are
}

// The grounds of light and of dark pages.
var (
	LightGround = Ground{[]Color{{0xfb, 0xfa, 0xf7}, {0xff, 0xff, 0xff}, {0xef, 0xec, 0xe5}}, Color{0xff, 0xff, 0xff}, Color{}}
	DarkGround  = Ground{[]Color{{0x15, 0x11, 0x0f}, {0x1d, 0x18, 0x15}, {0x27, 0x20, 0x1c}}, Color{0x1a, 0x0d, 0x08}, Color{0xff, 0xff, 0xff}}
)

// Glow returns the accent as a ground.
func (g Ground) Glow(accent Color) Color { return g.Papers[0].Mix(accent, 0.09) }

// Contrast returns the lowest contrast of the accent with what it is read on, and of the
// text on it.
func (g Ground) Contrast(accent Color) float64 {
	lowest := Contrast(accent, g.Text)
	for _, paper := range g.Papers {
		lowest = min(lowest, Contrast(accent, paper))
	}
	return lowest
}

// Readable returns the accent, or the nearest darker or lighter colour of its hue with
// enough contrast.
func (g Ground) Readable(accent Color) Color {
	for share := 0.0; share < 1; share += 0.01 {
		if c := accent.Mix(g.toward, share); g.Contrast(c) >= MinContrast {
			return c
		}
	}
	return g.toward
}
