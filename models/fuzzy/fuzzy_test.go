package fuzzy_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

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

// TestDistanceUpTo tests that a limit changes no distance up to it, and costs no memory.
func TestDistanceUpTo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.StringOfN(rapid.RuneFrom([]rune("abä")), 0, 90, -1).Draw(t, "a"), rapid.StringOfN(rapid.RuneFrom([]rune("abä")), 0, 90, -1).Draw(t, "b")
		limit := rapid.IntRange(0, 30).Draw(t, "limit")
		if got, want := fuzzy.Distance(a, b, limit), min(fuzzy.Distance(a, b, 90), limit+1); got != want {
			t.Errorf("Distance(%q, %q, %d) = %d, want %d", a, b, limit, got, want)
		}
	})
	if n := testing.AllocsPerRun(10, func() { fuzzy.Distance("ef-70-200mm-f2-8l-is-iii-usm", "ef-70-300mm-f4-5-6l-is-usm", 9) }); n > 0 {
		t.Errorf("Distance allocates %v times", n)
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
