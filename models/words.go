package models

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold normalises text for comparing names: lower case, without accents and
// trade marks, with compatibility characters decomposed ("Ⅲ" is "iii") and the
// Greek letters in camera names transliterated ("α7" is "a7", "µ" is "mju").
func Fold(s string) string {
	if ascii(s) {
		return strings.ToLower(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range norm.NFKD.String(tradeMarks.Replace(strings.ToValidUTF8(s, " "))) {
		if !unicode.Is(unicode.Mn, r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return plainLetters.Replace(b.String())
}

var (
	tradeMarks   = strings.NewReplacer("™", "", "®", "", "©", "")
	plainLetters = strings.NewReplacer("α", "a", "μ", "mju", "×", "x", "ß", "ss", "ø", "o", "ł", "l", "æ", "ae", "œ", "oe", "đ", "d")
)

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Words splits text into the normalised words by which names, keywords and
// titles are compared. A word is a run of letters and digits, but different
// spellings give the same words:
//
//   - generations are single words: "Mark II", "mk2", "mkii" and "II" are all "mk2",
//     also at the end of a model or a lens's feature ("5Diii" is "5d", "mk3"; "VR2" is "vr", "mk2")
//   - apertures are single words: "f/1.8", "f1.8", "F 1,8" and "1:1.8" are all "f1.8",
//     separate from a suffix ("f/2.8L" is "f2.8", "l")
//   - words of other scripts and some of other languages are those of names: "ニコン" is "nikon"
//   - "50 mm" is "50mm", "Alpha 7" is "a7", and "Hero3+" is "hero3plus"
func Words(s string) []string {
	raw := cutWords(Fold(s))
	words := make([]string, 0, len(raw)+2) // with two generations
	for i := 0; i < len(raw); i++ {
		w, next := raw[i], ""
		if i+1 < len(raw) {
			next = raw[i+1]
		}
		switch {
		case (w == "mark" || w == "mk") && generation(next) != "":
			words = append(words, generation(next))
			i++
		case w == "alpha" && next != "" && IsDigit(next[0]):
			raw[i+1] = "a" + next // processed next: "alpha 7iii"
		case next == "mm" && IsNumber(w):
			words = append(words, w+"mm")
			i++
		case w == "f" && IsNumber(next) && strings.Contains(next, "."):
			words = append(words, "f"+next)
			i++
		default:
			words = appendWord(words, w)
		}
	}
	return words
}

// sameWords maps words, also of other scripts, to those that names of gear have: the kind "word" of
// synonyms.csv.
var sameWords = sync.OnceValue(func() map[string]string {
	same := map[string]string{}
	for written, means := range Synonyms()["word"] {
		same[Fold(written)] = means[0]
	}
	return same
})

// lookalikes are Cyrillic letters that stand for Latin ones in model codes.
var lookalikes = strings.NewReplacer("а", "a", "в", "b", "е", "e", "к", "k", "м", "m", "н", "h", "о", "o", "р", "p", "с", "c", "т", "t", "х", "x")

// appendWord appends a word as names of gear have it, splitting off its generation.
func appendWord(words []string, w string) []string {
	if same, ok := sameWords()[w]; ok {
		return append(words, same)
	}
	if !ascii(w) && strings.ContainsAny(w, "0123456789") {
		w = lookalikes.Replace(w)
	}
	if len(w) > 5 && strings.HasPrefix(w, "alpha") && IsDigit(w[5]) {
		w = "a" + w[5:]
	}
	if g := SpelledGeneration(w); g != "" {
		return append(words, g)
	}
	if base, g := cutGeneration(w); g != "" {
		return append(words, base, g)
	}
	if base, g := joinedGeneration(w); g != "" {
		return append(words, base, g)
	}
	return append(words, w)
}

// lensFeatures are the features of lenses to which a generation is joined.
var lensFeatures = WordSet("gm vr is usm os vc stm")

// joinedGeneration splits a generation off a feature of a lens: "gm2", "vrii".
func joinedGeneration(w string) (base, g string) {
	for n := 1; n <= 3 && n < len(w) && len(w) <= 6; n++ {
		base, number := w[:len(w)-n], w[len(w)-n:]
		switch {
		case !lensFeatures[base]:
		case number == "2" || number == "3":
			return base, "mk" + number
		default:
			return base, SpelledGeneration(number)
		}
	}
	return "", ""
}

// cutWords splits folded text into runs of letters and digits, and parses
// numbers.
func cutWords(s string) []string {
	words := make([]string, 0, len(s)/4+1)
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if !isWordRune(r) {
			i += size
			continue
		}
		if n, end := aperture(s, i); end > i {
			words = append(words, "f"+n)
			i = end
			continue
		}
		if n, end := readNumber(s, i); end > i && strings.Contains(s[i:end], ".") || end > i && strings.Contains(s[i:end], ",") {
			end, n = joinUnit(s, end, n)
			words = append(words, n)
			i = end
			continue
		}
		end := i
		for end < len(s) {
			next, size := utf8.DecodeRuneInString(s[end:])
			if !isWordRune(next) || isEastAsian(next) != isEastAsian(r) {
				break
			}
			end += size
		}
		w := s[i:end]
		if isEastAsian(r) {
			words = appendRun(words, w)
			i = end
			continue
		}
		if endsInPlus(s, end) {
			w += "plus"
		}
		words = append(words, w)
		i = end
	}
	return words
}

// appendRun appends the words of a run of East Asian characters, between which there are no spaces: those of
// sameWords, and every two adjacent characters of the rest, so that words are found inside a run.
func appendRun(words []string, run string) []string {
	same, rest := sameWords(), 0
	if same[run] != "" {
		return append(words, run)
	}
	for i := 0; i < len(run); {
		end := knownRun(same, run[i:])
		if end == 0 {
			_, size := utf8.DecodeRuneInString(run[i:])
			i += size
			continue
		}
		words = append(appendPairs(words, run[rest:i]), run[i:i+end])
		i += end
		rest = i
	}
	return appendPairs(words, run[rest:])
}

// maxKnownRun is the length in bytes up to which a run is looked for in sameWords.
const maxKnownRun = 48

// knownRun returns the length of the longest word of several characters that a run begins with, 0 for none.
func knownRun(same map[string]string, run string) int {
	for end := min(len(run), maxKnownRun); end > 3; end-- {
		if same[run[:end]] != "" && utf8.RuneCountInString(run[:end]) > 1 {
			return end
		}
	}
	return 0
}

// appendPairs appends every two adjacent characters of a text, or the only one.
func appendPairs(words []string, text string) []string {
	runes := []rune(norm.NFC.String(text)) // syllables of Hangul
	if len(runes) == 1 {
		return append(words, string(runes))
	}
	for i := range max(len(runes)-1, 0) {
		words = append(words, string(runes[i:i+2]))
	}
	return words
}

// endsInPlus reports whether the word before index i ends in a plus: the Hero3+ is not the Hero3.
func endsInPlus(s string, i int) bool {
	return strings.HasPrefix(s[i:], "+") && (i+1 == len(s) || s[i+1] == ' ')
}

// aperture parses "f/1.8", "f1.8" or "1:1.8" at index i. "f2" may be a camera
// and is not an aperture.
func aperture(s string, i int) (n string, end int) {
	rest := s[i:]
	switch {
	case strings.HasPrefix(rest, "f/"):
		return numberAt(s, i+2)
	case strings.HasPrefix(rest, "1:"):
		return numberAt(s, i+2)
	case strings.HasPrefix(rest, "f"):
		n, end = numberAt(s, i+1)
		if strings.ContainsAny(s[i:max(end, i)], ".,") {
			return n, end
		}
	}
	return "", i
}

func numberAt(s string, i int) (n string, end int) {
	if n, end = readNumber(s, i); end == i {
		return "", 0
	}
	return n, end
}

// readNumber parses digits with at most one decimal mark at index i and normalises
// them: "1.8", and "2" for "2.0".
func readNumber(s string, i int) (n string, end int) {
	end = i
	for end < len(s) && IsDigit(s[end]) {
		end++
	}
	if end == i {
		return "", i
	}
	whole := s[i:end]
	if end+1 >= len(s) || s[end] != '.' && s[end] != ',' || !IsDigit(s[end+1]) {
		return whole, end
	}
	from := end + 1
	for end = from; end < len(s) && IsDigit(s[end]); end++ {
	}
	decimals := strings.TrimRight(s[from:end], "0")
	if decimals == "" {
		return whole, end
	}
	return whole + "." + decimals, end
}

// joinUnit appends "mm" to a decimal number that is followed by it.
func joinUnit(s string, end int, n string) (int, string) {
	if strings.HasPrefix(s[end:], "mm") && (end+2 == len(s) || !isWordRune(rune(s[end+2]))) {
		return end + 2, n + "mm"
	}
	return end, n
}

var romans = map[string]string{"i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6", "vii": "7", "viii": "8"}

// generation returns the word for a Roman or Arabic generation number, or "".
func generation(w string) string {
	if len(w) == 1 && w >= "1" && w <= "9" {
		return "mk" + w
	}
	if n := romans[w]; n != "" {
		return "mk" + n
	}
	return ""
}

// SpelledGeneration parses "mkii", "mark2" or a Roman number of at least two
// letters.
func SpelledGeneration(w string) string {
	for _, prefix := range []string{"mark", "mk"} {
		if rest, ok := strings.CutPrefix(w, prefix); ok {
			return generation(rest)
		}
	}
	if len(w) > 1 {
		if n := romans[w]; n != "" {
			return "mk" + n
		}
	}
	return ""
}

// cutGeneration splits a generation off the end of a model: "r6mk2", "5diii". A
// single letter does not count: the X100V is not the fifth X100.
func cutGeneration(w string) (base, g string) {
	digit := strings.IndexFunc(w, unicode.IsDigit)
	if digit < 0 {
		return w, ""
	}
	for i := max(digit+1, len(w)-len("markviii")); i < len(w)-1; i++ {
		if g := SpelledGeneration(w[i:]); g != "" {
			return w[:i], g
		}
	}
	return w, ""
}

// isEastAsian reports whether a character is of a script that is written without spaces before Latin
// letters: "Canon佳能".
func isEastAsian(r rune) bool { return r >= 0x2e80 || r >= 0x1100 && r < 0x1200 }

func IsNumber(w string) bool {
	for i := range len(w) {
		if !IsDigit(w[i]) && w[i] != '.' {
			return false
		}
	}
	return w != ""
}

func IsDigit(b byte) bool { return b >= '0' && b <= '9' }

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
