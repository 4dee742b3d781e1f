// Package fuzzy compares words that may be misspelt.
package fuzzy

import (
	"iter"
	"strings"
)

// Distance returns how many letters must be changed, dropped, added, or swapped
// with their neighbour to make b of a (optimal string alignment). It returns
// max+1 as soon as the distance is known to be greater than max.
func Distance(a, b string, max int) int {
	s, t := []rune(a), []rune(b)
	if len(s)-len(t) > max || len(t)-len(s) > max {
		return max + 1
	}
	before, above, row := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(s); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(t); j++ {
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
		before, above, row = above, row, before
	}
	return min(above[len(t)], max+1)
}

// Nearest returns the candidate at most max away from word: the nearest, then the
// one with the greatest weight, then the first by alphabet. Candidates without a
// weight above 0 are skipped. It returns "" when there is none.
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

// maxName is how long a word may be to be compared with names, in bytes.
const maxName = 64

// NearestName returns the name, such as that of a parameter, that somebody most
// likely meant by word, "" when none is near. A name counts as near also by one of
// its parts: "min" is near "budget_min".
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

// nameDistance is the distance to a name, or to one of its parts, which counts as
// one letter more. The beginning of word may be the name.
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
