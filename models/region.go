package models

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/language"

	"github.com/secondlight/secondlight/content/packed"
	"github.com/secondlight/secondlight/models/problem"
)

// Region is an ISO 3166 code: a country ("DE") or a subdivision ("US-CA"). A search
// may also name RegionEU.
type Region string

// RegionEU stands for the member states of the European Union. ISO 3166 reserves the
// code; no listing has it.
const RegionEU Region = "EU"

// euMembers holds the member states of the European Union.
var euMembers = func() map[Region]bool {
	set := map[Region]bool{}
	for code := range strings.FieldsSeq("AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK") {
		set[Region(code)] = true
	}
	return set
}()

// Country returns the region's country: "US" for "US-CA", "DE" for "DE".
func (r Region) Country() Region {
	if len(r) > 2 && r[2] == '-' {
		return r[:2]
	}
	return r
}

// Covers reports whether a search in r includes items in s: a region covers
// itself, a country its subdivisions, and RegionEU its member states.
func (r Region) Covers(s Region) bool {
	return r == s || r == s.Country() || r == RegionEU && euMembers[s.Country()]
}

// Searchable reports whether a search may be restricted to r.
func (r Region) Searchable() bool { return r == RegionEU || r.Valid() }

// Valid reports whether r is a country, or a subdivision listed in ISO 3166-2
// now or formerly, in upper case.
func (r Region) Valid() bool {
	if len(r) != 2 {
		return subdivisions()[r] || namedRegions().subdivisions[r] != ""
	}
	country, err := language.ParseRegion(string(r))
	return err == nil && country.IsCountry() && country.Canonicalize().String() == string(r)
}

// Set resolves a region as people write it: a code ("de", "DEU", "US-CA"), a
// country ("UK", "Deutschland"), a subdivision ("California", "California,
// USA"), or a place in a country ("Munich, Germany"). RegionEU resolves to itself:
// where it is no answer, Valid refuses it. The error is a *problem.Unresolved.
func (r *Region) Set(text string) error {
	found := regionsNamed(text)
	if len(found) == 1 {
		*r = found[0]
		return nil
	}
	several := len(found) > 1
	if !several {
		found = regionsLike(text)
	}
	return &problem.Unresolved{Kind: "region", Text: text, Several: several, Candidates: Strs(found[:min(len(found), MaxCandidates)]),
		Known: problem.Textf("Use an ISO 3166 code: a country, such as DE, or a subdivision, such as US-CA.")}
}

// FindRegion returns the only region that a text names as Set reads it, spelt in full.
func FindRegion(text string) (r Region, ok bool) {
	if found := regionsNamed(text); len(found) == 1 {
		return found[0], true
	}
	return "", false
}

// Correction returns what r leaves out of the text it was set from: the place of "Munich,
// Germany" and the subdivision of "DE-QQQ", which are not known, are their country. It is nil
// if there is nothing.
func (r Region) Correction(text string) problem.Text {
	text = strings.TrimSpace(text)
	at := strings.IndexAny(text, ",/-(")
	if r != r.Country() || at <= 0 || len(countriesNamed(text)) > 0 {
		return nil
	}
	place := strings.Trim(text[:at], " ")
	if countryWritten(place) == r {
		place = strings.Trim(text[at+1:], " )")
	}
	if place == "" || slices.Equal(regionsNamed(place), []Region{r}) {
		return nil
	}
	return problem.Programf("%q isn't a known part of %s, so this is all of %s.", place, string(r), string(r))
}

// maxRegionParts is the most parts between commas that a region has: "Lima, Ohio, USA".
const maxRegionParts = 3

// Split returns the regions of a list, whose commas may also be within one: "Munich, Germany,
// AT" has two.
func (Region) Split(list string) []string {
	var regions []string
	for parts := strings.Split(list, ","); len(parts) > 0; {
		n := partsOfRegion(parts[:min(len(parts), maxRegionParts)])
		regions, parts = append(regions, strings.Join(parts[:n], ",")), parts[n:]
	}
	return regions
}

// partsOfRegion returns how many of the parts between commas are the first region.
func partsOfRegion(parts []string) int {
	for n := 1; n < len(parts); n++ {
		codes := isCode(parts[n-1]) && isCode(parts[n])
		if isSubdivision(parts[n-1], parts[n]) && (n == 1 && !codes || n > 1 && countryWritten(parts[0]) == "") {
			return n + 1
		}
	}
	if len(parts) > 1 && len(regionsNamed(parts[0])) == 0 && !isCode(parts[0]) && len(regionsNamed(parts[1])) > 0 {
		return 2 // a place
	}
	return 1
}

// isCode reports whether a text is written as the code of a country.
func isCode(text string) bool { return len(strings.TrimSpace(text)) == 2 }

// countryWritten returns the country that a text has the code or the name of, or "".
func countryWritten(text string) Region {
	if code := Region(strings.ToUpper(strings.TrimSpace(text))); len(code) == 2 && code.Valid() {
		return code
	}
	return namedRegions().countries[NameKey(text)]
}

// isSubdivision reports whether a place is known in a country: "California, USA".
func isSubdivision(place, country string) bool {
	in := regionsNamed(country)
	found := placeIn(place, country)
	return len(in) == 1 && in[0] == in[0].Country() && len(found) == 1 && found[0] != in[0] && found[0].Country() == in[0]
}

// regionsNamed returns the regions that a text may mean, the likeliest first.
func regionsNamed(text string) []Region {
	text = strings.TrimSpace(text)
	if len(text) > MaxNameText {
		return nil
	}
	if r := Region(strings.ToUpper(strings.ReplaceAll(text, "_", "-"))); r.Searchable() {
		return []Region{r}
	}
	if found := countriesNamed(text); len(found) > 0 {
		return found
	}
	if found := regionNames().subdivisions[NameKey(text)]; len(found) > 0 {
		return found
	}
	for _, mark := range []string{",", "/", "-", "("} {
		at := strings.LastIndex(text, mark)
		if at <= 0 {
			continue
		}
		place, in := text[:at], strings.Trim(text[at+1:], " )")
		if mark == "-" { // "US-California"
			place, in = in, place
		}
		if found := placeIn(place, in); len(found) > 0 {
			return found
		}
	}
	return nil
}

// regionsLike returns the regions with a name that differs by a typo.
func regionsLike(text string) []Region {
	key, byKey := NameKey(text), regionNames().synonyms
	if len(text) > MaxNameText || !Correctable(key) {
		return nil
	}
	return byKey[NearestWord(key, maps.Keys(byKey), func(string) int { return 1 })]
}

// placeIn returns the subdivision with a name or code in a country or, if there is
// none, the country. If the place is another country, it returns both.
func placeIn(place, country string) []Region {
	in := regionsNamed(country)
	if len(in) != 1 {
		return in
	}
	code := in[0].Country() + "-" + Region(strings.ToUpper(strings.TrimSpace(place)))
	if code.Valid() {
		return []Region{code}
	}
	for _, r := range append(regionNames().synonyms[NameKey(place)], regionNames().subdivisions[NameKey(place)]...) {
		if r.Country() == in[0].Country() && r != r.Country() {
			return []Region{r}
		}
	}
	if other := countryWritten(place); other != "" && other != in[0] && in[0] == in[0].Country() {
		return []Region{other, in[0]}
	}
	return in
}

// countriesNamed returns the regions in synonyms.csv with a name, or else the
// country with that ISO 3166 code of three letters or name.
func countriesNamed(text string) []Region {
	if found := regionNames().synonyms[NameKey(text)]; len(found) > 0 {
		return found
	}
	if country, err := language.ParseRegion(text); err == nil && len(text) == 3 && country.IsCountry() {
		return []Region{Region(country.String())}
	}
	written, _, _ := strings.Cut(text, "(")
	if country, ok := namedRegions().countries[NameKey(written)]; ok && len(text) > 3 {
		return []Region{country}
	}
	return nil
}

// regionNames holds regions by NameKey.
var regionNames = sync.OnceValue(func() (names struct{ synonyms, subdivisions map[string][]Region }) {
	names.synonyms, names.subdivisions = map[string][]Region{}, map[string][]Region{}
	for written, means := range Synonyms()["region"] {
		regions := make([]Region, len(means))
		for i, code := range means {
			regions[i] = Region(code)
		}
		if regions = slices.DeleteFunc(regions, func(r Region) bool { return !r.Searchable() }); len(regions) > 0 {
			names.synonyms[NameKey(written)] = regions
		}
	}
	named := namedRegions().subdivisions
	for _, code := range slices.Sorted(maps.Keys(named)) {
		if key := NameKey(named[code]); key != "" {
			names.subdivisions[key] = append(names.subdivisions[key], code)
		}
	}
	return names
})

// NameKey returns the letters and digits of a name, folded.
func NameKey(text string) string { return strings.Join(nameWords(text), "") }

// Scan implements sql.Scanner. A subdivision that does not exist is read as its
// country, and a country that does not exist as "", so that the number of
// different regions is bounded whatever the database holds.
func (r *Region) Scan(src any) error {
	text, err := scanText(src)
	if err != nil {
		return err
	}
	*r = Region(text)
	if *r != "" && !r.Valid() {
		*r = r.Country()
	}
	if country, err := language.ParseRegion(string(*r)); err == nil { // "UK"
		*r = Region(country.Canonicalize().String())
	}
	if *r != "" && !r.Valid() {
		*r = ""
	}
	return nil
}

//go:embed subdivisions.txt
var subdivisionList string

// subdivisions returns the set of subdivision codes of subdivisions.txt.
var subdivisions = sync.OnceValue(func() map[Region]bool {
	set := map[Region]bool{}
	for line := range strings.Lines(subdivisionList) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		codes := strings.Fields(line)
		for _, code := range codes[1:] {
			set[Region(codes[0]+"-"+code)] = true
		}
	}
	return set
})

// namedRegions returns the countries of region_names.txt by NameKey, and the local names of
// subdivisions.
var namedRegions = sync.OnceValue(func() (names struct {
	countries    map[string]Region
	subdivisions map[Region]string
}) {
	names.countries, names.subdivisions = map[string]Region{}, map[Region]string{}
	var country Region
	for line := range strings.Lines(packed.File("models/region_names.txt")) {
		code, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch line[0] {
		case '#':
		case '\t':
			names.subdivisions[country+"-"+Region(code)] = name
		default:
			country = Region(code)
			for written := range strings.FieldsSeq(name) {
				names.countries[NameKey(written)] = country
			}
		}
	}
	return names
})

// SubdivisionName returns the local name of a subdivision, or "" if it is unknown.
func (r Region) SubdivisionName() string { return namedRegions().subdivisions[r] }
