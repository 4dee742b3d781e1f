package portfolio

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/problem"
)

// Filter selects photographs by what they show and how they were taken. The zero Filter
// selects all.
type Filter struct {
	Subject, Tag string // their slugs
	Camera, Lens string // gear slugs
	Focal        Focal
}

// Focal is an inclusive range of focal lengths in millimetres; 0 leaves an end open.
// The zero Focal matches every photograph, even one whose focal length is unknown.
type Focal struct{ Min, Max float64 }

// Bands lists the focal length ranges of the facets, from wide to long.
var Bands = []Focal{{0, 20}, {21, 35}, {36, 70}, {71, 135}, {136, 0}}

// String formats the range as a query parameter: "21-35", "-20", "136-", or "" for
// the zero Focal.
func (f Focal) String() string {
	if f == (Focal{}) {
		return ""
	}
	end := func(mm float64) string {
		if mm == 0 {
			return ""
		}
		return strconv.FormatFloat(mm, 'f', -1, 64)
	}
	return end(f.Min) + "-" + end(f.Max)
}

// UnmarshalText parses the format of String, or a single focal length such as "50".
func (f *Focal) UnmarshalText(b []byte) error {
	low, high, isRange := strings.Cut(string(b), "-")
	if !isRange {
		high = low
	}
	var read Focal
	for _, end := range []struct {
		text string
		mm   *float64
	}{{low, &read.Min}, {high, &read.Max}} {
		if end.text == "" {
			continue
		}
		n, err := strconv.ParseFloat(end.text, 64)
		if err != nil || !(n > 0 && n <= 10_000) {
			return problem.Errorf("%q isn't a focal length such as 50 or a range such as 21-35, in millimetres.", b)
		}
		*end.mm = n
	}
	if read == (Focal{}) || read.Max != 0 && read.Min > read.Max {
		return problem.Errorf("%q isn't a focal length such as 50 or a range such as 21-35, in millimetres.", b)
	}
	*f = read
	return nil
}

// has reports whether mm, rounded to a millimetre, lies in the range.
func (f Focal) has(mm float64) bool {
	if f == (Focal{}) {
		return true
	}
	return mm > 0 && mm >= f.Min-0.5 && (f.Max == 0 || mm < f.Max+0.5)
}

// Find returns the photographs that match f, by project.
func (p *Portfolio) Find(f Filter) []*Photo {
	var found []*Photo
	for _, photo := range p.Photos() {
		if f.matches(photo) {
			found = append(found, photo)
		}
	}
	return found
}

func (f Filter) matches(p *Photo) bool {
	return (f.Subject == "" || p.subject == f.Subject) &&
		(f.Tag == "" || slices.Contains(p.tags, f.Tag)) &&
		(f.Camera == "" || p.Camera != nil && p.Camera.Slug() == f.Camera) &&
		(f.Lens == "" || p.Lens != nil && p.Lens.Slug() == f.Lens) && f.Focal.has(p.Exposure.Focal)
}

// With returns the photographs taken with a camera or lens, given its slug.
func (p *Portfolio) With(gear string) []*Photo {
	var found []*Photo
	for _, photo := range p.Photos() {
		if photo.Camera != nil && photo.Camera.Slug() == gear || photo.Lens != nil && photo.Lens.Slug() == gear {
			found = append(found, photo)
		}
	}
	return found
}

// GearCount is the number of photographs taken with some gear.
type GearCount struct {
	Gear   *catalog.Gear
	Photos int
}

// NameCount is the number of photographs with a subject or tag.
type NameCount struct {
	Slug, Name string
	Photos     int
}

// FocalCount is the number of photographs in a range of focal lengths.
type FocalCount struct {
	Focal  Focal
	Photos int
}

// Facets holds the facet counts for a filter. Each facet applies the rest of the
// filter but not its own part, so that it also counts the alternatives.
type Facets struct {
	Subjects, Tags  []NameCount  // most photographs first
	Cameras, Lenses []GearCount  // most photographs first
	Focals          []FocalCount // from wide to long, without empty ranges
}

// Facets returns the facet counts for f.
func (p *Portfolio) Facets(f Filter) Facets {
	var facets Facets
	without := func(part func(*Filter)) []*Photo {
		others := f
		part(&others)
		return p.Find(others)
	}
	facets.Subjects = countNames(without(func(f *Filter) { f.Subject = "" }), func(p *Photo) (names, slugs []string) { return []string{p.Subject}, []string{p.subject} })
	facets.Tags = countNames(without(func(f *Filter) { f.Tag = "" }), func(p *Photo) (names, slugs []string) { return p.Tags, p.tags })
	facets.Cameras = countGear(without(func(f *Filter) { f.Camera = "" }), func(p *Photo) *catalog.Gear { return p.Camera })
	facets.Lenses = countGear(without(func(f *Filter) { f.Lens = "" }), func(p *Photo) *catalog.Gear { return p.Lens })
	others := without(func(f *Filter) { f.Focal = Focal{} })
	for _, band := range Bands {
		n := 0
		for _, photo := range others {
			if band.has(photo.Exposure.Focal) {
				n++
			}
		}
		if n > 0 {
			facets.Focals = append(facets.Focals, FocalCount{band, n})
		}
	}
	return facets
}

// countNames counts photographs by subject or tag. Names with the same slug count as
// one, under the first.
func countNames(photos []*Photo, of func(*Photo) (names, slugs []string)) []NameCount {
	var all []NameCount
	at := map[string]int{}
	for _, p := range photos {
		names, slugs := of(p)
		for n, slug := range slugs {
			if slug == "" {
				continue
			}
			i, known := at[slug]
			if !known {
				i, at[slug] = len(all), len(all)
				all = append(all, NameCount{Slug: slug, Name: names[n]})
			}
			all[i].Photos++
		}
	}
	slices.SortStableFunc(all, func(a, b NameCount) int {
		return cmp.Or(cmp.Compare(b.Photos, a.Photos), cmp.Compare(a.Slug, b.Slug))
	})
	return all
}

func countGear(photos []*Photo, of func(*Photo) *catalog.Gear) []GearCount {
	counts := map[*catalog.Gear]int{}
	for _, p := range photos {
		if g := of(p); g != nil {
			counts[g]++
		}
	}
	var all []GearCount
	for g, n := range counts {
		all = append(all, GearCount{g, n})
	}
	slices.SortFunc(all, func(a, b GearCount) int {
		return cmp.Or(cmp.Compare(b.Photos, a.Photos), cmp.Compare(a.Gear.Slug(), b.Gear.Slug()))
	})
	return all
}
