package views

import (
	"slices"
	"strings"
	"sync"

	"github.com/biter777/countries"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"github.com/secondlight/secondlight/models"
)

// countryNames are the English names of every ISO 3166 country, by code.
var countryNames = sync.OnceValue(func() map[models.Region]string {
	names := map[models.Region]string{}
	namer := display.English.Regions()
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			code := string([]rune{a, b})
			region, err := language.ParseRegion(code)
			if err == nil && region.IsCountry() && region.String() == code {
				names[models.Region(code)] = namer.Name(region)
			}
		}
	}
	return names
})

// countriesToday are the countries there are today, by code: no former ones, no unions
// of them, and no codes that are kept for other uses.
func countriesToday() map[models.Region]string {
	names := map[models.Region]string{}
	for code, name := range countryNames() {
		region := language.MustParseRegion(string(code))
		if name != "" && region.Canonicalize() == region && countries.ByName(string(code)).Alpha2() == string(code) {
			names[code] = name
		}
	}
	return names
}

// regionChoices are the countries to choose from, by name, with none before them,
// and the region that is so now, which may be a part of a country.
func regionChoices(now models.Region, none string) []Choice {
	today := countriesToday()
	choices := make([]Choice, 0, len(today)+2)
	for code, name := range today {
		choices = append(choices, Choice{Value: string(code), Label: name})
	}
	slices.SortFunc(choices, func(a, b Choice) int { return strings.Compare(a.Label, b.Label) })
	if today[now] == "" && now.Valid() {
		choices = slices.Insert(choices, 0, Choice{Value: string(now), Label: RegionName(now)})
	}
	return slices.Insert(choices, 0, Choice{Label: none})
}

// RegionName is a region for people: "Germany", "California, United States".
// A code nobody knows is its own name.
func RegionName(r models.Region) string {
	country, ok := countryNames()[r.Country()]
	if !ok {
		return string(r)
	}
	if r == r.Country() {
		return country
	}
	if part := countries.SubdivisionCode(r); part.IsValid() {
		return part.String() + ", " + country
	}
	return string(r) + ", " + country
}
