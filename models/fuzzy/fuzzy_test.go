package fuzzy_test

import (
	"slices"
	"testing"

	"github.com/secondlight/secondlight/models/fuzzy"
)

func TestDistance(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"canon", "canon", 0}, {"canon", "cannon", 1}, {"cnaon", "canon", 1}, {"nikon", "canon", 3}, {"straße", "strasse", 2}, {"", "abc", 3}} {
		if got := fuzzy.Distance(test.a, test.b, 9); got != test.want {
			t.Errorf("Distance(%q, %q) = %d, want %d", test.a, test.b, got, test.want)
		}
		if got := fuzzy.Distance(test.b, test.a, 1); got != min(test.want, 2) {
			t.Errorf("Distance(%q, %q) up to 1 = %d", test.b, test.a, got)
		}
	}
}

func TestNearest(t *testing.T) {
	words := []string{"leica", "canon", "nikon", "niko"}
	weight := func(w string) int { return map[string]int{"canon": 1, "nikon": 1, "niko": 5}[w] }
	for word, want := range map[string]string{"cannon": "canon", "nikonn": "nikon", "nik": "niko", "leicaa": "", "sony": ""} {
		if got := fuzzy.Nearest(word, slices.Values(words), 1, weight); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestNearestName(t *testing.T) {
	names := []string{"keyword", "budget_min", "budget_max", "region"}
	for word, want := range map[string]string{"keywrod": "keyword", "max": "budget_max", "budgetmin": "budget_min", "Region": "region", "regions": "region", "zzz": "", "": ""} {
		if got := fuzzy.NearestName(word, names); got != want {
			t.Errorf("NearestName(%q) = %q, want %q", word, got, want)
		}
	}
}
