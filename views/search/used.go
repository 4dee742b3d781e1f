package search

import (
	"context"
	"slices"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/views/ui"
)

// Used is what a category page shows in addition to its search.
type Used struct {
	Lowest *models.Money // the lowest price, nil if nothing is for sale
	Within []UsedLink    // the category pages within this one
}

// UsedLink leads to a category page.
type UsedLink struct {
	Path, Label string
	Count       int // listings for sale
}

// usedTitle returns the title of the category page of a search in a language.
func (p *Listings) usedTitle(l *languages.Language) string {
	q := &p.Query
	if len(q.Brands) == 0 {
		return ui.UsedTitle(l, q.Category, q.Mount)
	}
	brand := p.words.names.BrandName(q.Brands[0])
	switch q.Category {
	case models.FamilyCamera:
		return l.Text("Used %s cameras", brand)
	case models.FamilyLens:
		return l.Text("Used %s lenses", brand)
	}
	return l.Text("Used %s gear", brand)
}

// usedText describes a category page: how much is for sale, and from which price on.
func (p *Listings) usedText(ctx context.Context) string {
	if p.used.Lowest == nil {
		return ui.T(ctx, "None of these is for sale right now.")
	}
	return ui.TN(ctx, p.Total, "%s listing", "%s listings") + " " + ui.T(ctx, "from %s, each compared with what the model sells for.", ui.MoneyIn(ctx, *p.used.Lowest))
}

// usedCrumbs returns the category page that this one is within.
func (p *Listings) usedCrumbs(ctx context.Context) []ui.Link {
	wider := search.Filter{}
	switch q := &p.Query; {
	case len(q.Brands) == 1 && q.Category != "":
		wider.Brands = q.Brands
	case q.Mount != "":
		wider.Category = q.Category
	default:
		wider.Category = models.Kind(models.Category(q.Category).Family())
	}
	if wider.Category == "" && wider.Brands == nil {
		return nil
	}
	at := Listings{words: p.words}
	at.Query.Filter = wider
	return []ui.Link{{Href: ui.UsedPath(&wider), Label: at.usedTitle(languages.Of(ctx))}}
}

// NewUsed returns what a category page shows in addition to a search, given its cheapest listing.
func (v *Vocabulary) NewUsed(f *search.Filter, found *search.Facets, cheapest ui.CardList) (*Used, error) {
	u := &Used{}
	cards, err := cheapest.Decode()
	if err != nil {
		return nil, err
	}
	if len(cards) > 0 {
		u.Lowest = &cards[0].Price
	}
	add := func(param string, counts []search.Count, narrow func(f *search.Filter, value string)) {
		for _, c := range counts[:min(len(counts), usedLinks)] {
			narrower := *f
			narrow(&narrower, c.Value)
			if path := ui.UsedPath(&narrower); path != "" && path != ui.UsedPath(f) {
				p := &search.Params[search.ParamIndex(param)]
				u.Within = append(u.Within, UsedLink{path, v.names.Value(languages.English, p, c.Value, ""), c.Count})
			}
		}
	}
	switch {
	case len(f.Brands) == 0 && f.Mount == "" && f.Category == models.FamilyLens:
		add("category", ofFamily(found.Category, models.FamilyLens), func(f *search.Filter, value string) { f.Category = models.Kind(value) })
		add("mount", found.Mount, func(f *search.Filter, value string) { f.Mount = value })
	case len(f.Brands) == 0 && f.Category == models.FamilyCamera:
		add("category", ofFamily(found.Category, models.FamilyCamera), func(f *search.Filter, value string) { f.Category = models.Kind(value) })
		add("brand", found.Brand, func(f *search.Filter, value string) { f.Brands = []string{value} })
	case len(f.Brands) == 1 && f.Category == "":
		families := map[string]int{}
		for _, c := range found.Category {
			families[models.Category(c.Value).Family()] += c.Count
		}
		for _, family := range []string{models.FamilyCamera, models.FamilyLens} {
			if n := families[family]; n > 0 {
				add("category", []search.Count{{Value: family, Count: n}}, func(f *search.Filter, value string) { f.Category = models.Kind(value) })
			}
		}
	}
	return u, nil
}

// ofFamily returns the counts of the categories of a family: those of a search for it count the
// others, too.
func ofFamily(counts []search.Count, family string) []search.Count {
	return slices.DeleteFunc(slices.Clone(counts), func(c search.Count) bool { return models.Category(c.Value).Family() != family })
}

// usedLinks is the number of links to category pages by one facet.
const usedLinks = 12
