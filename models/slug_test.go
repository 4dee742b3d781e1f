package models

import (
	"regexp"
	"strings"
	"testing"
)

func TestSlug(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"EOS R6":                        "eos-r6",
		"Alpha 7 III":                   "alpha-7-iii",
		"EF 50mm f/1.8 STM":             "ef-50mm-f1-8-stm",
		"Cine 35mm T/1.5":               "cine-35mm-t1-5",
		"EF 70-200mm f/2.8L IS II":      "ef-70-200mm-f2-8l-is-ii",
		"Helios-44M-4 58mm 1:2":         "helios-44m-4-58mm-1-2",
		"Hero3+ Black":                  "hero3-plus-black",
		"Voigtländer":                   "voigtlander",
		"DCS Pro SLR/c":                 "dcs-pro-slr-c",
		"*ist DL2":                      "ist-dl2",
		"µ-II":                          "u-ii",
		"  --Lumix   DMC_G80!! ":        "lumix-dmc-g80",
		"Zenit Зенит 122":               "zenit-122",
		"":                              "",
		"Зенит":                         "",
		"１２３ ﬁne ½":                     "123-fine-1-2",
		strings.Repeat("abcdefghi ", 9): "abcdefghi-abcdefghi-abcdefghi-abcdefghi-abcdefghi-abcdefghi-abcdefghi-abcdefghi",
		strings.Repeat("x", 200):        strings.Repeat("x", 80),
	} {
		if got := Slug(in); got != want {
			t.Errorf("Slug(%q) = %q, want %q", in, got, want)
		}
	}
}

var slugShape = regexp.MustCompile(`^([a-z0-9]+(-[a-z0-9]+)*)?$`)

func FuzzSlug(f *testing.F) {
	for _, s := range []string{"EF 50mm f/1.8 STM", "Voigtländer ULTRON", "Hero3+", "f/f/2", "İstanbul", "\xff\xfe", "t/1t/2", strings.Repeat("é-", 90)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		slug := Slug(s)
		if !slugShape.MatchString(slug) || len(slug) > MaxSlug {
			t.Errorf("Slug(%q) = %q is not a slug", s, slug)
		}
		if slug != "" && !IsSlug(slug) || slug == "" && IsSlug(slug) {
			t.Errorf("isSlug(%q) is wrong", slug)
		}
		if again := Slug(slug); again != slug {
			t.Errorf("Slug is not idempotent: %q, then %q", slug, again)
		}
	})
}
