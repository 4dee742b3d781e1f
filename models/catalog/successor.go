package catalog

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A generation of gear is a Roman number, with or without "Mark", or a digit after letters with a
// hyphen: "EOS R6 Mark II", "Z 6II", "X-T3".
var (
	romanGeneration = regexp.MustCompile(`(?: Mark| Mk)?([ \d])(VIII|VII|VI|V|IV|III|II)\b`)
	digitGeneration = regexp.MustCompile(`^(.*-[A-Z][a-z]*)([1-9])$`)
	romanNumbers    = []string{"", "", "II", "III", "IV", "V", "VI", "VII", "VIII"}
)

// generation returns the name of a series of models and the number of the model in it.
func generation(model string) (series string, n int) {
	if at := romanGeneration.FindStringSubmatchIndex(model); at != nil {
		return model[:at[0]] + strings.TrimSpace(model[at[2]:at[3]]) + model[at[1]:], slices.Index(romanNumbers, model[at[4]:at[5]])
	}
	if m := digitGeneration.FindStringSubmatch(model); m != nil {
		n, _ = strconv.Atoi(m[2])
		return m[1] + "#", n
	}
	return model, 1
}

// successors returns the slug of the successor of gear, by its slug: the next generation of the same
// series, kind and mount, that came out later.
func successors(of []*Gear) map[string]string {
	type member struct {
		*Gear
		n int
	}
	series := map[string][]member{}
	for _, g := range of {
		name, n := generation(g.Model)
		key := strings.Join([]string{g.Brand, string(g.Category), g.Mount, name}, "\x00")
		series[key] = append(series[key], member{g, n})
	}
	next := map[string]string{}
	for _, list := range series {
		slices.SortFunc(list, func(a, b member) int { return cmp.Or(cmp.Compare(a.n, b.n), cmp.Compare(a.Slug(), b.Slug())) })
		for i := range list[1:] {
			if a, b := list[i], list[i+1]; a.Year > 0 && a.Year < b.Year && b.n == a.n+1 {
				next[a.Slug()] = b.Slug()
			}
		}
	}
	return next
}
