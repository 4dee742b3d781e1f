// Package fuzzy compares words that may be misspelt.
package fuzzy

import (
	"iter"
	"strings"
	"unicode/utf8"
)

// Distance returns the edit distance of a and b (optimal string alignment): the
// number of insertions, deletions, substitutions and transpositions of adjacent
// characters. If it is greater than max, Distance returns max+1; its work grows with max,
// not with the longer text.
func Distance(a, b string, max int) int {
	if n := utf8.RuneCountInString(a) - utf8.RuneCountInString(b); n > max || -n > max {
		return max + 1
	}
	var letters [2][runesOnStack]rune
	var cells [3 * (runesOnStack + 1)]int
	s, t, space := appendRunes(letters[0][:0], a), appendRunes(letters[1][:0], b), cells[:]
	width := len(t) + 1
	if 3*width > len(space) {
		space = make([]int, 3*width)
	}
	before, above, row := space[:width], space[width:2*width], space[2*width:3*width]
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(s); i++ {
		first, last := i-max, min(i+max, len(t)) // cells beyond are greater than max
		if first < 1 {
			first, row[0] = 1, i
		} else {
			row[first-1] = max + 1
		}
		least := row[first-1]
		for j := first; j <= last; j++ {
			change := above[j-1]
			if s[i-1] != t[j-1] {
				change++
			}
			row[j] = min(change, above[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > max {
			return max + 1
		}
		if last < len(t) {
			row[last+1] = max + 1
		}
		before, above, row = above, row, before
	}
	return min(above[len(t)], max+1)
}

// runesOnStack is the number of characters of a text for which Distance allocates nothing.
const runesOnStack = 64

func appendRunes(to []rune, s string) []rune {
	for _, r := range s {
		to = append(to, r)
	}
	return to
}

// Nearest returns the candidate closest to word, at a distance of at most max;
// ties are broken by greater weight, then alphabetically. Candidates with a
// weight of 0 or less are skipped. It returns "" if there is none.
func Nearest(word string, candidates iter.Seq[string], max int, weight func(string) int) string {
	best, bestDistance, bestWeight := "", max+1, 0
	for c := range candidates {
		d := Distance(word, c, min(bestDistance, max))
		if d > bestDistance || d > max {
			continue
		}
		if w := weight(c); w > 0 && (d < bestDistance || w > bestWeight || w == bestWeight && c < best) {
			best, bestDistance, bestWeight = c, d, w
		}
	}
	return best
}

// maxName is the maximum length of a word for NearestName, in bytes.
const maxName = 64

// NearestName returns the name, such as that of a parameter, that word is most
// likely a misspelling of, or "" if none is similar. It also compares the parts
// of names: "min" is similar to "budget_min".
func NearestName(word string, names []string) string {
	word = strings.ToLower(word)
	if len(word) > maxName {
		return ""
	}
	best, limit := "", max(len(word)/2, 2)+1
	for _, name := range names {
		if d := nameDistance(word, name, limit); d < limit && d < len(word) {
			best, limit = name, d
		}
	}
	return best
}

// nameDistance returns the distance to a name, or one more than the distance to
// one of its parts. If word starts with the name the distance is at most 1.
func nameDistance(word, name string, limit int) int {
	d := Distance(word, name, limit)
	if strings.HasPrefix(word, name) {
		d = min(d, 1)
	}
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return r == '_' || r == '-' }) {
		d = min(d, Distance(word, part, limit)+1)
	}
	return d
}
