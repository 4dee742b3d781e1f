package ui

import (
	"context"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// countryNames returns the names of every ISO 3166 country by code, in each language.
var countryNames = sync.OnceValue(func() map[*languages.Language]map[models.Region]string {
	all := map[*languages.Language]map[models.Region]string{}
	for _, l := range languages.All {
		names, namer := map[models.Region]string{}, display.Regions(l.Tag())
		for a := 'A'; a <= 'Z'; a++ {
			for b := 'A'; b <= 'Z'; b++ {
				code := string([]rune{a, b})
				region, err := language.ParseRegion(code)
				if err == nil && region.IsCountry() && region.String() == code {
					names[models.Region(code)] = namer.Name(region)
				}
			}
		}
		names["SZ"], names["MK"] = "Eswatini", "North Macedonia"
		if l == languages.German { // as people say them
			names["US"], names["GB"], names["MK"] = "USA", "Großbritannien", "Nordmazedonien"
		}
		all[l] = names
	}
	return all
})

// noCountries are codes of parts and unions of countries, and of former ones.
var noCountries = strings.Fields("AC CP CQ CS DG EA EZ FQ IC NT PC SU TA UN")

// countriesToday returns the names of the current countries by code in a language, without
// former ones, unions and reserved codes.
func countriesToday(l *languages.Language) map[models.Region]string {
	names := map[models.Region]string{}
	for code, name := range countryNames()[l] {
		region := language.MustParseRegion(string(code))
		if name != "" && region.Canonicalize() == region && !slices.Contains(noCountries, string(code)) {
			names[code] = name
		}
	}
	return names
}

// RegionName returns the English name of a region: "Germany", "California, United
// States". It returns an unknown code unchanged.
func RegionName(r models.Region) string { return regionName(languages.English, r) }

// RegionsIn returns the names of regions in the reader's language.
func RegionsIn(ctx context.Context, regions []models.Region) string {
	names := make([]string, len(regions))
	for i, r := range regions {
		names[i] = RegionIn(ctx, r)
	}
	return Commas(names...)
}

// regionName returns the name of a region in a language. Subdivisions have their local
// names.
func regionName(l *languages.Language, r models.Region) string {
	if r == models.RegionEU {
		return l.Text("European Union")
	}
	country := countryNames()[l][r.Country()]
	if country == "" {
		return string(r)
	}
	if r == r.Country() {
		return country
	}
	if part := r.SubdivisionName(); part != "" {
		return part + ", " + country
	}
	return string(r) + ", " + country
}
