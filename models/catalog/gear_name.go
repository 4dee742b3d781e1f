package catalog

import (
	"cmp"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
)

// findGear is Catalog.FindGear. Without suggest, an unknown name has no candidates that only
// look similar, which are dear to find.
func (c *catalog) findGear(brand, text string, popularity Popularity, suggest bool) (*Gear, error) {
	slug := text
	if brand != "" {
		slug = models.Slug(brand) + "/" + models.Slug(text)
	}
	if g := cmp.Or(c.bySlug[slug], c.renamed[slug]); g != nil {
		return g, nil
	}
	n, err := c.readGearName(brand, text)
	if err != nil {
		return nil, err
	}
	unresolved := &problem.Unresolved{Kind: "gear", Text: strings.TrimSpace(brand + " " + text)}
	if n.text == "" {
		return nil, unresolved
	}
	if g := c.bySlug[n.slug]; g != nil {
		return g, nil
	}
	named, matching := n.exact(false), n.matching()
	found := c.resolver().Resolve(strings.TrimSpace(n.brand + " " + n.text))
	switch read := found.Confident() && (brand == "" || len(n.ofBrand([]*Gear{found.Gear})) > 0); {
	case read && (len(named) == 0 || slices.Contains(named, found.Gear)):
		return found.Gear, nil
	case read:
		named = append(named, found.Gear)
	case len(named) == 0:
		named = n.exact(true)
	}
	switch {
	case len(named) == 1:
		return named[0], nil
	case len(named) == 0 && len(matching) == 1:
		return matching[0], nil
	}
	unresolved.Several = len(named)+len(matching) > 1
	add := func(gear []*Gear) {
		popular := make(map[*Gear]int, len(gear))
		for _, g := range gear {
			popular[g] = popularity(g.Slug())
		}
		slices.SortStableFunc(gear, func(a, b *Gear) int {
			return cmp.Or(cmp.Compare(popular[b], popular[a]), cmp.Compare(len(a.Model), len(b.Model)), cmp.Compare(b.Year, a.Year), bySlug(a, b))
		})
		for _, g := range gear {
			if slug := g.Slug(); len(unresolved.Candidates) < models.MaxCandidates && !slices.Contains(unresolved.Candidates, slug) {
				unresolved.Candidates, unresolved.Names = append(unresolved.Candidates, slug), append(unresolved.Names, g.Name())
			}
		}
	}
	add(named)
	add(matching)
	if len(unresolved.Candidates) == 0 {
		add(n.similar(found.Gear, suggest))
	}
	return nil, unresolved
}

// gearName is a name of gear, as read.
type gearName struct {
	catalog *catalog
	slug    string     // as a slug; the full slug if it has a brand
	brand   string     // slug of the brand, "" if the name has none
	words   [][]string // readings: with and without its brand
	text    string
}

// readGearName splits the brand off a name. It returns an error if the brand is given
// apart and unknown.
func (c *catalog) readGearName(brand, text string) (*gearName, error) {
	n := &gearName{catalog: c, text: strings.TrimSpace(text)}
	if len(n.text) > models.MaxTitle*2 {
		n.text = strings.ToValidUTF8(n.text[:models.MaxTitle*2], "")
	}
	if brand = strings.TrimSpace(brand); brand != "" {
		slug, err := c.brandNames().Resolve(brand)
		if err != nil {
			return nil, err
		}
		n.brand = slug
	}
	model := n.text
	if before, after, ok := strings.Cut(n.text, "/"); ok {
		if slug, err := c.brandNames().Resolve(before); err == nil {
			n.brand, model = slug, after
		}
	}
	words, _ := KeywordWords(model)
	n.words = append(n.words, words)
	for end := min(3, len(words)-1); end > 0; end-- {
		slug, err := c.brandNames().Resolve(strings.Join(words[:end], " "))
		if err == nil && (n.brand == "" || sameBrand(n.brand, slug)) {
			n.brand = slug
			n.words = append(n.words, words[end:])
			break
		}
	}
	n.slug = models.Slug(model)
	if n.brand != "" {
		for _, reading := range []string{n.slug, strings.TrimPrefix(n.slug, n.brand+"-")} {
			if c.bySlug[n.brand+"/"+reading] != nil {
				n.slug = n.brand + "/" + reading
				break
			}
		}
	}
	return n, nil
}

// sameBrand reports whether two brands are of one maker, who sells gear under both names.
func sameBrand(a, b string) bool { return canonicalBrand(a) == canonicalBrand(b) }

// ofBrand returns the gear of the name's brand or, if there is none, of brands sold
// under its name.
func (n *gearName) ofBrand(gear []*Gear) []*Gear {
	if n.brand == "" {
		return gear
	}
	var own, others []*Gear
	for _, g := range gear {
		switch {
		case g.BrandSlug == n.brand:
			own = append(own, g)
		case sameBrand(n.brand, g.BrandSlug):
			others = append(others, g)
		}
	}
	if len(own) > 0 {
		return own
	}
	return others
}

// readings calls read with each reading of the name, or of the name without fillers, until it
// returns gear.
func (n *gearName) readings(short bool, read func(words []string) []*Gear) []*Gear {
	for _, words := range n.words {
		if short {
			all := len(words)
			if words = slices.DeleteFunc(slices.Clone(words), changesNothing); len(words) == 0 || len(words) == all {
				continue
			}
		}
		if gear := n.ofBrand(read(words)); len(gear) > 0 {
			return gear
		}
	}
	return nil
}

// exact returns the gear whose full name it is, with all words or without fillers.
func (n *gearName) exact(short bool) []*Gear {
	l := n.catalog.lookup()
	return n.readings(short, func(words []string) (gear []*Gear) {
		for _, i := range l.names[strings.Join(words, "")] {
			if g := l.gear[i]; g.ModelSlug != "" {
				gear = append(gear, g)
			}
		}
		return gear
	})
}

// matching returns the gear that has all words of the name, or all but fillers.
func (n *gearName) matching() (gear []*Gear) {
	l := n.catalog.lookup()
	for _, short := range [...]bool{false, true} {
		gear = n.readings(short, func(words []string) []*Gear {
			if len(words) == 0 {
				return nil
			}
			return l.catalogued(l.Match(words))
		})
		if len(gear) > 0 {
			break
		}
	}
	return gear
}

// catalogued returns the gear of a set, without the numbers for items outside the
// catalogue.
func (l *Lookup) catalogued(set GearSet) (gear []*Gear) {
	for i := range set.All() {
		if g := l.gear[i]; g.ModelSlug != "" {
			gear = append(gear, g)
		}
	}
	return gear
}

// similar returns gear with a similar name: that as which it is read, uncertainly, if any, else
// misspelt, with a word too many, or with almost the same letters if suggest is set. It returns no
// gear of another brand.
func (n *gearName) similar(read *Gear, suggest bool) []*Gear {
	l := n.catalog.lookup()
	if read != nil && len(n.ofBrand([]*Gear{read})) > 0 {
		return []*Gear{read}
	}
	words := n.words[len(n.words)-1]
	if fixed := l.correctAll(words); fixed != nil {
		if gear := n.ofBrand(l.catalogued(l.Match(fixed))); len(gear) > 0 {
			return gear
		}
	}
	var gear []*Gear
	for i := range words {
		fewer := slices.Delete(slices.Clone(words), i, i+1)
		if slices.ContainsFunc(fewer, hasModelNumber) {
			gear = append(gear, n.ofBrand(l.catalogued(l.Match(fewer)))...)
		}
	}
	if len(gear) > 0 || !suggest {
		return gear
	}
	return n.catalog.nearest(n.brand, models.Slug(strings.Join(words, " ")))
}

// Thresholds of nearest: without a brand only a misspelling is near.
const (
	nearInBrand = 0.5
	nearAnyhow  = 0.75
)

// nearest returns the gear of a brand, or of any if brand is "", whose name is most
// similar to a model slug.
func (c *catalog) nearest(brand, model string) (gear []*Gear) {
	best, query, names := nearAnyhow, newName(nil, model), c.names()
	if brand != "" {
		best = nearInBrand
	}
	for i, common := range names.commonWords(query) {
		known := &names.all[i]
		if brand != "" && !sameBrand(brand, known.gear.BrandSlug) {
			continue
		}
		switch s := query.similarity(known, common, best); {
		case s > best:
			best, gear = s, []*Gear{known.gear}
		case s == best && !slices.Contains(gear, known.gear):
			gear = append(gear, known.gear)
		}
	}
	return gear
}

// FindGear returns the gear that a name means: "canon/eos-r6", "Fuji X-T3", "a7iii",
// "nifty fifty". Brand is the brand if it is given apart, by any name, else "". The
// error is a *problem.Unresolved with slugs as candidates, the most popular first
// among those that fit equally well.
//
// A name means gear if it is its full name, with or without the brand and the product
// line, if it names it as a title does, or if the gear is the only one that has all its words.
func (c *Catalog) FindGear(brand, text string, popularity Popularity) (*Gear, error) {
	return c.now().findGear(brand, text, popularity, true)
}

// FindListed is FindGear for a name of a list, without a brand apart. Candidates that only
// look similar to an unknown name are found if suggest is set.
func (c *Catalog) FindListed(text string, popularity Popularity, suggest bool) (*Gear, error) {
	return c.now().findGear("", text, popularity, suggest)
}
