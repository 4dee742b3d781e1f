package models

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
