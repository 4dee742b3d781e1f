package catalog

import (
	"cmp"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// Suggestion is what somebody may mean who is still typing: gear, a brand, or a
// category. One of its fields is set, except that Alias belongs to Gear.
type Suggestion struct {
	Gear  *Gear
	Alias string // the name of the gear that was typed, if its model doesn't say why it matches: "nifty fifty"
	Brand *Brand
	Kind  models.Kind
}

// Limits of the suggestions that precede the most popular gear.
const (
	suggestedExact  = 3
	suggestedBrands = 3
	suggestedKinds  = 3
)

// suggestions is Catalog.Suggest.
func (c *catalog) suggestions(text string, limit int, popularity Popularity) []Suggestion {
	words, _ := KeywordWords(text)
	found := c.suggest(words, limit, popularity)
	if len(found) == 0 {
		if short := withShortMark(text); short != text {
			words, _ = KeywordWords(short)
			found = c.suggest(words, limit, popularity)
		}
	}
	if len(found) == 0 {
		found = c.suggest(c.lookup().correctAll(words), limit, popularity)
	}
	return found
}

// partialMark matches a generation at the end of a text that is not complete: "Mark" or
// "mk i" in "5D Mark" and "5D mk i".
var partialMark = regexp.MustCompile(`(?i)\s(ma|mar|mark|mk)(\s+[iv]?)?$`)

// withShortMark replaces an incomplete generation by the beginning of its word.
func withShortMark(text string) string { return partialMark.ReplaceAllString(text, " mk") }

// suggest returns the suggestions for words of which the last may be incomplete.
func (c *catalog) suggest(words []string, limit int, popularity Popularity) []Suggestion {
	if len(words) == 0 {
		return nil
	}
	typed := strings.Join(words, " ")
	gear, exact := c.suggestedGear(words, popularity)
	exact = min(exact, suggestedExact)
	var all []Suggestion
	addGear := func(gear []*Gear) {
		for _, g := range gear {
			all = append(all, Suggestion{Gear: g, Alias: g.aliasTyped(words)})
		}
	}
	addGear(gear[:exact])
	all = append(all, c.suggestedBrands(typed, popularity)...)
	if kinds := suggestedCategories(typed); models.KindNames().Named(typed) {
		all = append(kinds, all...)
	} else {
		all = append(all, kinds...)
	}
	all = first(all, limit)
	addGear(first(gear[exact:], limit-len(all)))
	return all
}

// suggestedCategories returns the categories whose name begins with a text.
func suggestedCategories(text string) (kinds []Suggestion) {
	for _, kind := range first(models.KindNames().Beginning(text), suggestedKinds) {
		kinds = append(kinds, Suggestion{Kind: models.Kind(kind)})
	}
	return kinds
}

// suggestedBrands returns the most popular brands whose name begins with a text.
func (c *catalog) suggestedBrands(text string, popularity Popularity) (all []Suggestion) {
	brands := c.brandNames().Beginning(text)
	popular := map[string]int{}
	for _, slug := range brands {
		for _, g := range c.byBrand[slug].Gear {
			popular[slug] += popularity(g.Slug())
		}
	}
	slices.SortStableFunc(brands, func(a, b string) int { return popular[b] - popular[a] })
	for _, slug := range first(brands, suggestedBrands) {
		all = append(all, Suggestion{Brand: c.byBrand[slug]})
	}
	return all
}

// How many times as popular gear counts that has the very name, or a name that begins
// with the text, compared with gear that only has its words.
const (
	exactWeight     = 64
	beginningWeight = 8
)

// suggestedGear returns the gear that has all words, of which the last may be
// incomplete. The first exact have that very name.
func (c *catalog) suggestedGear(words []string, popularity Popularity) (gear []*Gear, exact int) {
	l := c.lookup()
	named, beginning := l.NewSet(), l.NewSet()
	if name := strings.Join(c.withoutBrand(words), ""); name != "" {
		named.addAll(l.names[name])
		addPrefixed(beginning, l.sortedNames, l.names, name)
	}
	type ranked struct {
		gear   *Gear
		number int
		exact  bool
		weight int
	}
	var list []ranked
	for i := range l.matchTyped(words).All() {
		g := l.gear[i]
		if g.ModelSlug == "" {
			continue
		}
		r := ranked{g, i, named.Has(i), popularity(g.Slug()) + 1}
		switch {
		case r.exact:
			r.weight *= exactWeight
		case beginning.Has(i):
			r.weight *= beginningWeight
		}
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(len(a.gear.Model), len(b.gear.Model)), cmp.Compare(b.gear.Year, a.gear.Year), cmp.Compare(a.number, b.number))
	})
	for i, r := range list {
		if r.exact && exact == i {
			exact++
		}
		gear = append(gear, r.gear)
	}
	return gear, exact
}

// withoutBrand returns the words of a name after those of its brand, if it begins with
// one.
func (c *catalog) withoutBrand(words []string) []string {
	for end := min(2, len(words)); end > 0; end-- {
		if _, err := c.brandNames().Resolve(strings.Join(words[:end], " ")); err == nil {
			return words[end:]
		}
	}
	return words
}

// aliasTyped returns the alias that has all words, of which the last may be
// incomplete, or "" if the brand and the model have them.
func (g *Gear) aliasTyped(words []string) string {
	if typedIn(words, g.Brand+" "+g.Model) {
		return ""
	}
	for _, alias := range g.Aliases {
		if typedIn(words, g.Brand+" "+alias) {
			return alias
		}
	}
	return ""
}

// typedIn reports whether a name has all words, of which the last may be incomplete.
func typedIn(words []string, name string) bool {
	has := models.Words(name)
	for i, w := range words {
		if last := i == len(words)-1; !slices.ContainsFunc(has, func(h string) bool { return h == w || last && strings.HasPrefix(h, w) }) {
			return false
		}
	}
	return true
}

// matchTyped is like Match, but the last word may be the beginning of a term.
func (l *Lookup) matchTyped(words []string) GearSet {
	n := len(words)
	reach := l.reach(words[:n-1])
	typed := l.NewSet()
	for k := 1; k <= min(MaxRun, n); k++ {
		run := l.NewSet()
		addPrefixed(run, l.sortedTerms, l.terms, strings.Join(words[n-k:], ""))
		run.And(reach[n-k])
		typed.Or(run)
	}
	return typed
}

// addPrefixed adds the gear of all keys with a prefix to set, given the keys of byKey,
// sorted.
func addPrefixed(set GearSet, keys []string, byKey map[string][]uint16, prefix string) {
	for _, key := range keys[sort.SearchStrings(keys, prefix):] {
		if !strings.HasPrefix(key, prefix) {
			return
		}
		set.addAll(byKey[key])
	}
}

// first returns the first n of a list, or all if there are fewer.
func first[T any](all []T, n int) []T { return all[:min(len(all), max(n, 0))] }

// Suggest returns up to limit suggestions for a text whose last word may be
// incomplete: a category or gear with that very name, then brands and categories whose
// names begin with the text, then gear that has all its words, the most popular first.
// A text that matches nothing is corrected if it is misspelt.
func (c *Catalog) Suggest(text string, limit int, popularity Popularity) []Suggestion {
	return c.now().suggestions(text, limit, popularity)
}
