package models

import (
	"regexp"

	"golang.org/x/text/language"
)

// Region is an ISO 3166 code: a country ("DE") or a subdivision ("US-CA").
type Region string

// Country is the region's country: "US" for "US-CA", "DE" for "DE".
func (r Region) Country() Region {
	if len(r) > 2 && r[2] == '-' {
		return r[:2]
	}
	return r
}

// Covers reports whether a search in r finds an item in s: a region covers
// itself, and a country covers its subdivisions.
func (r Region) Covers(s Region) bool { return r == s || r == s.Country() }

var regionForm = regexp.MustCompile(`^[A-Z]{2}(-[A-Z0-9]{1,3})?$`)

// Valid reports whether the country exists and a subdivision is written as ISO
// 3166-2 writes one; whether that subdivision exists is not checked.
func (r Region) Valid() bool {
	if !regionForm.MatchString(string(r)) {
		return false
	}
	country, err := language.ParseRegion(string(r.Country()))
	return err == nil && country.IsCountry()
}
