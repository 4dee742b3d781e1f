package catalog

import (
	"math"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// plainOptics writes focal lengths and f-numbers that are joined by a slash as the catalogue
// does, if a lens has them: "2/35" and "35/2" are "35mm f2". It removes the scale "1:1".
func (r *Resolver) plainOptics(text string) string {
	if !strings.ContainsAny(text, "/:") {
		return text
	}
	var b strings.Builder
	done := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case ':':
			if i > 0 && text[i-1] == '1' && strings.HasPrefix(text[i+1:], "1") && !isOpticsByte(byteAt(text, i-2)) && !isOpticsByte(byteAt(text, i+2)) && !isLetterByte(byteAt(text, i+2)) {
				b.WriteString(text[done : i-1])
				done = i + 2
			}
		case '/':
			from, to := i, i+1
			for from > done && isOpticsByte(text[from-1]) {
				from--
			}
			ratio := from
			if from > done+1 && text[from-1] == ':' && text[from-2] == '1' {
				ratio -= 2 // "1:2.8/50"
			}
			for to < len(text) && isOpticsByte(text[to]) {
				to++
			}
			for to > i && !models.IsDigit(text[to-1]) {
				to--
			}
			for from < i && !models.IsDigit(text[from]) {
				from++
			}
			if from == i || to <= i+1 {
				continue
			}
			mm, f, ok := r.readOptics(text[from:i], text[i+1:to])
			if !ok || ratio > 0 && isLetterByte(text[ratio-1]) && text[ratio-1] != 'f' || byteAt(text, to) == '/' {
				continue
			}
			to += len("mm") * btoi(strings.HasPrefix(text[to:], "mm"))
			b.WriteString(text[done:ratio])
			b.WriteString(mm + "mm f" + f + " ")
			done = to
			i = to - 1
		}
	}
	if done == 0 {
		return text
	}
	b.WriteString(text[done:])
	return b.String()
}

// readOptics parses a focal length and an f-number in either order, and returns them if a lens
// has both.
func (r *Resolver) readOptics(a, b string) (mm, f string, ok bool) {
	a, b = strings.ReplaceAll(a, ",", "."), strings.ReplaceAll(b, ",", ".")
	switch {
	case r.lenses.hasAperture(a, b):
		return a, b, true
	case r.lenses.hasAperture(b, a):
		return b, a, true
	}
	return "", "", false
}

// hasAperture reports whether a lens has a focal length, or range of them, and an aperture.
func (x *lensIndex) hasAperture(mm, number string) bool {
	low, high, zoom := strings.Cut(mm, "-")
	if !zoom {
		high = low
	}
	number, _, _ = strings.Cut(number, "-")
	n, err := strconv.ParseFloat(number, 64)
	from, err2 := strconv.ParseFloat(low, 64)
	to, err3 := strconv.ParseFloat(high, 64)
	if err != nil || err2 != nil || err3 != nil || from < 4 {
		return false
	}
	for _, e := range x.byFocal[focal{from, to}] {
		if math.Abs(e.gear.Aperture-n) < 0.06 {
			return true
		}
	}
	return false
}

func isOpticsByte(c byte) bool { return models.IsDigit(c) || c == '.' || c == ',' || c == '-' }

func isLetterByte(c byte) bool { return c >= 'a' && c <= 'z' || c >= 0x80 }

// byteAt returns the byte at an index, or 0 out of range.
func byteAt(s string, i int) byte {
	if i < 0 || i >= len(s) {
		return 0
	}
	return s[i]
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// spellStops writes the T-numbers of cine lenses as f-numbers: "T2.1" is "f2.1".
func spellStops(text string) string {
	for i := 0; i+3 < len(text); i++ {
		if (text[i] == 't' || text[i] == 'T') && models.IsDigit(text[i+1]) && text[i+2] == '.' && models.IsDigit(text[i+3]) && (i == 0 || text[i-1] == ' ') {
			text = text[:i] + "f" + text[i+1:]
		}
	}
	return text
}

// isTNumber reports whether a word is a T-number without decimals: "t2".
func isTNumber(w string) bool {
	return (len(w) == 2 || len(w) == 3) && w[0] == 't' && models.IsNumber(w[1:])
}
