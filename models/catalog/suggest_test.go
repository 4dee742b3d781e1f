package catalog

import (
	"slices"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models"
)

// labels returns suggestions as text, such as "canon/eos-r6", "brand canon" and
// "category lens_macro".
func labels(found []Suggestion) (all []string) {
	for _, s := range found {
		switch {
		case s.Gear != nil && s.Alias != "":
			all = append(all, s.Gear.Slug()+" ("+s.Alias+")")
		case s.Gear != nil:
			all = append(all, s.Gear.Slug())
		case s.Brand != nil:
			all = append(all, "brand "+s.Brand.Slug)
		default:
			all = append(all, "category "+string(s.Kind))
		}
	}
	return all
}

func TestSuggest(t *testing.T) {
	t.Parallel()
	c := readCatalog(t)
	popularity := func(slug string) int {
		return map[string]int{"canon/eos-r6": 200, "canon/eos-r6-mark-ii": 150, "canon/ef-50mm-f1-8-ii": 90, "sony/alpha-7-iii": 100, "sony/alpha-7": 20,
			"leica/m6": 60, "fujifilm/x-t3": 30, "fujifilm/x100v": 70, "fujifilm/x10": 10, "canon/eos-r": 40}[slug]
	}
	for _, test := range []struct {
		typed string
		want  []string // the first suggestions
	}{
		{"", nil},
		{"  ", nil},
		{"can", []string{"brand canon", "canon/eos-r6", "canon/eos-r6-mark-ii"}},
		{"Canon", []string{"brand canon", "canon/eos-r6"}},
		{"canon eos r", []string{"canon/eos-r", "canon/eos-r6", "canon/eos-r6-mark-ii"}},
		{"cannon eos r6", []string{"canon/eos-r6", "canon/eos-r6-mark-ii"}}, // misspelt
		{"canon r6 ma", []string{"canon/eos-r6-mark-ii"}},
		{"canon r6 mark i", []string{"canon/eos-r6-mark-ii"}},
		{"r6 mk ii", []string{"canon/eos-r6-mark-ii"}},
		{"a7iii", []string{"sony/alpha-7-iii"}},
		{"alpha 7", []string{"sony/alpha-7", "sony/alpha-7-iii"}},
		{"xt3", []string{"fujifilm/x-t3"}},
		{"fuji x10", []string{"fujifilm/x10", "fujifilm/x100v"}},
		{"nifty fi", []string{"canon/ef-50mm-f1-8-ii (nifty fifty)"}},
		{"macr", []string{"category lens_macro"}},
		{"lens", []string{"category lens"}},
		{"leica m6", []string{"leica/m6"}},
		{"zqxv wubble", nil},
		{"<script>", nil},
	} {
		got := labels(c.Suggest(test.typed, 8, popularity))
		if len(got) < len(test.want) || !slices.Equal(got[:len(test.want)], test.want) || test.want == nil && len(got) > 0 {
			t.Errorf("%q suggests\n\t%s, want\n\t%s first", test.typed, strings.Join(got, ", "), strings.Join(test.want, ", "))
		}
	}
}

// TestSuggestIsBounded checks the number of suggestions, and that none is repeated.
func TestSuggestIsBounded(t *testing.T) {
	t.Parallel()
	c := readCatalog(t)
	none := func(string) int { return 0 }
	for _, g := range c.All()[:40] {
		for _, name := range append([]string{g.Name(), g.Model}, g.Aliases...) {
			for end := range name {
				got := labels(c.Suggest(name[:end], 3, none))
				if unique := slices.Compact(slices.Sorted(slices.Values(got))); len(got) > 3 || len(unique) != len(got) {
					t.Fatalf("%q suggests %q", name[:end], got)
				}
			}
			if slices.ContainsFunc(c.Suggest(name, 1000, none), func(s Suggestion) bool { return s.Gear == g }) || len(models.Words(name)) == 0 {
				continue
			}
			t.Errorf("%q does not suggest %s", name, g.Slug())
		}
	}
}

func BenchmarkSuggest(b *testing.B) {
	c := readCatalog(b)
	none := func(string) int { return 0 }
	for _, typed := range []string{"c", "canon", "canon eos r6", "nifty fi", "cannon eos"} {
		b.Run(strings.ReplaceAll(typed, " ", "_"), func(b *testing.B) {
			for b.Loop() {
				if len(c.Suggest(typed, 8, none)) == 0 {
					b.Fatal("no suggestion")
				}
			}
		})
	}
}
