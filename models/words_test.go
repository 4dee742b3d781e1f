package models

import (
	"reflect"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                             "",
		" -- !":                        "",
		"Canon EOS R6 Mark II":         "canon eos r6 mk2",
		"r6 mk ii":                     "r6 mk2",
		"R6 MkII":                      "r6 mk2",
		"r6mk2":                        "r6 mk2",
		"r6markii":                     "r6 mk2",
		"r6 mark 2":                    "r6 mk2",
		"R6II":                         "r6 mk2",
		"r62":                          "r62",
		"5D3":                          "5d3",
		"5Diii":                        "5d mk3",
		"5D Mark IV":                   "5d mk4",
		"α7 III":                       "a7 mk3",
		"Alpha 7 III":                  "a7 mk3",
		"Alpha 7R IV":                  "a7r mk4",
		"alpha7iii":                    "a7 mk3",
		"a7iii":                        "a7 mk3",
		"Sony Alpha a7 III":            "sony alpha a7 mk3",
		"X-T3":                         "x t3",
		"xt3":                          "xt3",
		"X100V":                        "x100v",
		"RX100 VII":                    "rx100 mk7",
		"ILCE-7M3":                     "ilce 7m3",
		"Z 6II":                        "z 6 mk2",
		"EF 50mm f/1.8 STM":            "ef 50mm f1.8 stm",
		"EF 50 mm F1,8 STM":            "ef 50mm f1.8 stm",
		"50/1.8":                       "50 1.8",
		"1:1.4 50mm":                   "f1.4 50mm",
		"EF 70-200mm f/2.8L IS II USM": "ef 70 200mm f2.8 l is mk2 usm",
		"AF Nikkor 35mm f/2D":          "af nikkor 35mm f2 d",
		"35mm f/2.0":                   "35mm f2",
		"f 2.8":                        "f2.8",
		"Nikon F2":                     "nikon f2",
		"Nikon F 100":                  "nikon f 100",
		"18.5mm f/1.8":                 "18.5mm f1.8",
		"Canon EOS Kiss™ X7i":          "canon eos kiss x7i",
		"Kodak RETINA Ⅲc":              "kodak retina iiic",
		"Zeiss Ikon Contessa é":        "zeiss ikon contessa e",
		"µ[mju:]-II":                   "mju mju mk2",
		"DSC-RX100M3":                  "dsc rx100m3",
		"E-M1MarkII":                   "e m1 mk2",
		"mark":                         "mark",
		"Пентакон Six":                 "пентакон six",
		"Canon佳能AE-1 ボディ":              "canon canon ae 1 body",
		"Гелиос-44М-4":                 "helios 44m 4",
		"Hero3+ Silver, P45+":          "hero3plus silver p45plus",
		"X-T3+18-55":                   "x t3 18 55",
		"ＮＩＫＯＮ D８００":                   "nikon d800",
		"1.":                           "1",
		"1.2.3":                        "1.2 3",
		"f/":                           "f",
		"1:":                           "1",
	} {
		if got := strings.Join(Words(text), " "); got != want {
			t.Errorf("Words(%q) = %q, want %q", text, got, want)
		}
	}
}

// FuzzWords checks that the words of words are the same words.
func FuzzWords(f *testing.F) {
	for _, s := range []string{"Canon EF 70-200mm f/2.8L IS II USM", "alpha 7iii", "µ[mju:]-II", "1:1.8", "f/2.0.1", "mark mark ii", "İIͅ", "alpha alpha7"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		words := Words(s)
		for _, w := range words {
			if w == "" || strings.ContainsAny(w, " -/") {
				t.Fatalf("Words(%q) has the word %q", s, w)
			}
		}
		if len(words) > len(s)*4+1 {
			t.Fatalf("Words(%q) is %d words", s, len(words))
		}
		if again := Words(Fold(s)); !reflect.DeepEqual(again, words) {
			t.Fatalf("Words(%q) = %q, but of its folded form %q", s, words, again)
		}
	})
}
