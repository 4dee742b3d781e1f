package models

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/biter777/countries"
	"golang.org/x/text/language"
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
		return subdivisions()[r] || countries.SubdivisionCode(r).IsValid()
	}
	country, err := language.ParseRegion(string(r))
	return err == nil && country.IsCountry() && strings.ToUpper(string(r)) == string(r)
}

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
