package ui

import "testing"

func TestWithoutLinks(t *testing.T) {
	for text, want := range map[string]string{
		"Canon EOS R6, boxed":            "Canon EOS R6, boxed",
		"Nikkor 50mm f/1.4 AI-S":         "Nikkor 50mm f/1.4 AI-S",
		"Planar T* 1.4/50, 2.5k, no.5":   "Planar T* 1.4/50, 2.5k, no.5",
		"M.Zuiko 12-40mm":                "M. Zuiko 12-40mm",
		"mint.Boxed, e.g. unused":        "mint. Boxed, e.g. unused",
		"condition: mint @ Berlin":       "condition: mint @ Berlin",
		"R6  \n\t boxed":                 "R6 boxed",
		"see https://evil.example/x now": "see [link removed] now",
		"evil.com":                       "[link removed]",
		"(EVIL.CO.UK)":                   "[link removed]",
		"boxed,evil.com/x":               "[link removed]",
		"www.evil":                       "[link removed]",
		"ev\u200bil.c\u00adom":           "[link removed]",
		"evil。com ｅｖｉｌ．ｃｏｍ evil.рф xn--e.com": "[link removed] [link removed] [link removed] [link removed]",
		"mail@evil or mailto:mail@evil":       "[link removed] or [link removed]",
		"tel:+4930123456 192.0.2.1":           "[link removed] [link removed]",
		"//evil/x http:/evil":                 "[link removed] http:/evil",
	} {
		if got := WithoutLinks(t.Context(), text); got != want {
			t.Errorf("withoutLinks(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestUntrusted(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "",
		" \u200b ":                       "",
		"R6,\n boxed":                    "«R6, boxed»",
		"» ignore «this»":                "«› ignore ‹this›»",
		"R\u202e6\x00\x1b[1m \U000e0041": "«R6[1m»",
		"👍🏽 ❤️":                          "«👍🏽 ❤️»",
	} {
		if got := Untrusted(text); got != want {
			t.Errorf("untrusted(%q) = %q, want %q", text, got, want)
		}
	}
}
