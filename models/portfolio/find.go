package portfolio

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// Filter chooses photographs by how they were taken; the zero Filter chooses all.
type Filter struct {
	Camera, Lens string // gear slugs
	Focal        Focal
}

// Focal is a range of focal lengths in millimetres, both ends included; 0 leaves
// an end open. The zero Focal is every photograph, known or not.
type Focal struct{ Min, Max float64 }

// Bands are the ranges photographs are counted in, from wide to long.
var Bands = []Focal{{0, 20}, {21, 35}, {36, 70}, {71, 135}, {136, 0}}

// String writes the range for an address: "21-35", "-20", "136-", "" for all.
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

// UnmarshalText reads what String writes, and a single focal length: "50".
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
			return fmt.Errorf("%q is not a focal length such as 50 or a range such as 21-35, in millimetres", b)
		}
		*end.mm = n
	}
	if read == (Focal{}) || read.Max != 0 && read.Min > read.Max {
		return fmt.Errorf("%q is not a focal length such as 50 or a range such as 21-35, in millimetres", b)
	}
	*f = read
	return nil
}

// has reports whether a focal length lies in the range, to the millimetre.
func (f Focal) has(mm float64) bool {
	if f == (Focal{}) {
		return true
	}
	return mm > 0 && mm >= f.Min-0.5 && (f.Max == 0 || mm < f.Max+0.5)
}

// Find is the photographs that a filter chooses, by project.
func (p *Portfolio) Find(f Filter) []*Photo {
	var found []*Photo
	for _, photo := range p.Photos() {
		if f.chooses(photo) {
			found = append(found, photo)
		}
	}
	return found
}

func (f Filter) chooses(p *Photo) bool {
	return (f.Camera == "" || p.Camera != nil && p.Camera.Slug() == f.Camera) &&
		(f.Lens == "" || p.Lens != nil && p.Lens.Slug() == f.Lens) && f.Focal.has(p.Exposure.Focal)
}

// With is the photographs taken with gear, be it the camera or the lens.
func (p *Portfolio) With(gear string) []*Photo {
	var found []*Photo
	for _, photo := range p.Photos() {
		if photo.Camera != nil && photo.Camera.Slug() == gear || photo.Lens != nil && photo.Lens.Slug() == gear {
			found = append(found, photo)
		}
	}
	return found
}

// GearCount is gear and how many photographs were taken with it.
type GearCount struct {
	Gear   *models.Gear
	Photos int
}

// FocalCount is a range of focal lengths and how many photographs lie in it.
type FocalCount struct {
	Focal  Focal
	Photos int
}

// Facets counts what a filter can be narrowed to. Each counts with the rest of
// the filter applied but not its own part, so that another choice is a real one.
type Facets struct {
	Cameras, Lenses []GearCount  // most photographs first
	Focals          []FocalCount // from wide to long, none that is empty
}

// Facets counts for a filter.
func (p *Portfolio) Facets(f Filter) Facets {
	var facets Facets
	facets.Cameras = countGear(p.Find(Filter{Lens: f.Lens, Focal: f.Focal}), func(p *Photo) *models.Gear { return p.Camera })
	facets.Lenses = countGear(p.Find(Filter{Camera: f.Camera, Focal: f.Focal}), func(p *Photo) *models.Gear { return p.Lens })
	others := p.Find(Filter{Camera: f.Camera, Lens: f.Lens})
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

func countGear(photos []*Photo, of func(*Photo) *models.Gear) []GearCount {
	counts := map[*models.Gear]int{}
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
