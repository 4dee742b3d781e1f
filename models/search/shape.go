package search

import (
	"bytes"
	"slices"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// shape holds what the index derives from the catalogue. It never changes.
type shape struct {
	every   []uint16 // all gear
	specs   []specs  // by gear
	sensors []catalog.Sensor
	groups  []group
	groupOf []uint16 // by gear
	brands  []string // slugs
	mounts  []string // names
	brandNo map[string]int
	mountNo map[string]int // by name and by slug

	// ofCategory, ofBrand and ofMount list the groups of each category, brand and mount.
	ofCategory, ofBrand, ofMount [][]uint16

	alike [inAll + 1][]uint8 // by flags: a slice with these flags for every group
}

// group is a range of consecutive gear with the same brand, category and mounts.
type group struct {
	from, to        int // gear numbers; to is exclusive
	brand, category int // indexes in shape.brands and models.Categories; brand is -1 for none
	mounts          []int
	mount           string // the mounts as in the catalogue
}

// shapeOf returns the shape of a catalogue.
func shapeOf(l *catalog.Lookup) *shape {
	s := &shape{groupOf: make([]uint16, l.Size()), brandNo: map[string]int{}, mountNo: map[string]int{}}
	for i := range l.Size() {
		g := l.At(i)
		s.every, s.specs = append(s.every, uint16(i)), append(s.specs, s.specsOf(g))
		s.brands = append(s.brands, g.BrandSlug)
		s.mounts = append(s.mounts, g.Mounts()...)
	}
	s.brands, s.mounts = numbered(s.brands, s.brandNo), numbered(s.mounts, s.mountNo)
	for i := range l.Size() {
		g := l.At(i)
		this := group{from: i, to: i + 1, brand: -1, category: slices.Index(models.Categories, g.Category), mount: g.Mount}
		if g.BrandSlug != "" {
			this.brand = s.brandNo[g.BrandSlug]
		}
		for _, m := range g.Mounts() {
			this.mounts = append(this.mounts, s.mountNo[m])
		}
		if n := len(s.groups); n > 0 && s.groups[n-1].sameKind(this) {
			s.groups[n-1].to = i + 1
		} else {
			s.groups = append(s.groups, this)
		}
		s.groupOf[i] = uint16(len(s.groups) - 1)
	}
	s.listGroups()
	for flags := range s.alike {
		s.alike[flags] = bytes.Repeat([]byte{uint8(flags)}, len(s.groups))
	}
	for n, m := range s.mounts { // a query may name a mount by its slug too
		s.mountNo[models.Slug(m)] = n
	}
	return s
}

// numbered sorts names, removes duplicates and empty names, and stores their indexes
// in numbers.
func numbered(names []string, numbers map[string]int) []string {
	slices.Sort(names)
	names = slices.DeleteFunc(slices.Compact(names), func(name string) bool { return name == "" })
	for i, name := range names {
		numbers[name] = i
	}
	return names
}

// sameKind reports whether two groups have the same brand, category and mounts.
func (g group) sameKind(h group) bool {
	return g.brand == h.brand && g.category == h.category && g.mount == h.mount
}

// listGroups fills ofCategory, ofBrand and ofMount.
func (sh *shape) listGroups() {
	sh.ofCategory = make([][]uint16, len(models.Categories))
	sh.ofBrand, sh.ofMount = make([][]uint16, len(sh.brands)), make([][]uint16, len(sh.mounts))
	for i, g := range sh.groups {
		this := uint16(i)
		sh.ofCategory[g.category] = append(sh.ofCategory[g.category], this)
		if g.brand >= 0 {
			sh.ofBrand[g.brand] = append(sh.ofBrand[g.brand], this)
		}
		for _, m := range g.mounts {
			sh.ofMount[m] = append(sh.ofMount[m], this)
		}
	}
}

// divide splits gear, which must be ascending, into complete groups, appended to whole, and
// the rest, appended to part.
func (sh *shape) divide(gear, whole, part []uint16) (_, _ []uint16) {
	for len(gear) > 0 {
		i := sh.groupOf[gear[0]]
		n := 1
		for n < len(gear) && sh.groupOf[gear[n]] == i {
			n++
		}
		if n == sh.groups[i].to-sh.groups[i].from {
			whole = append(whole, i)
		} else {
			part = append(part, gear[:n]...)
		}
		gear = gear[n:]
	}
	return whole, part
}

// inCategory, inBrand and inMount are bits set in a group's flags if it meets that
// restriction of the query.
const (
	inCategory = 1 << iota
	inBrand
	inMount
	inAll = inCategory | inBrand | inMount
)

// meetsAll returns 1 for the flags of a group that meets all three restrictions, else
// 0. It is branch-free because a branch is often mispredicted when listings are not
// ordered by gear.
func meetsAll(flags uint8) uint32 { return uint32(flags+1) / (inAll + 1) }

// flag sets the flags of every group for the restrictions of category, brand and
// mount.
func (sh *shape) flag(flags []uint8, q *Query) {
	free := uint8(inAll)
	if q.Category != "" {
		free &^= inCategory
	}
	if len(q.Brands) > 0 {
		free &^= inBrand
	}
	if q.Mount != "" {
		free &^= inMount
	}
	copy(flags, sh.alike[free])
	if q.Category != "" {
		for i, c := range models.Categories {
			if q.Category == models.Kind(c) || q.Category == models.Kind(c.Family()) {
				mark(flags, sh.ofCategory[i], inCategory)
			}
		}
	}
	for _, b := range q.Brands {
		if n, ok := sh.brandNo[b]; ok {
			mark(flags, sh.ofBrand[n], inBrand)
		}
	}
	if n, ok := sh.mountNumber(q.Mount); ok {
		mark(flags, sh.ofMount[n], inMount)
	}
}

// mark sets a flag of groups.
func mark(flags []uint8, groups []uint16, flag uint8) {
	for _, i := range groups {
		flags[i] |= flag
	}
}

// mountNumber returns the number of a mount, by its name or its slug.
func (sh *shape) mountNumber(mount string) (n int, ok bool) {
	if mount == "" {
		return 0, false
	}
	if n, ok = sh.mountNo[mount]; !ok {
		n, ok = sh.mountNo[models.Slug(mount)]
	}
	return n, ok
}

// specs holds the specifications of a gear, 0 for unknown ones: a compact copy of the
// catalogue's, so that a scan accesses adjacent memory.
type specs struct {
	focal, equivalent focalRange
	aperture          float32
	year              int16
	sensor            uint16 // index in shape.sensors
}

// focalRange is a range of focal lengths, equal for a prime.
type focalRange struct{ low, high float32 }

// SpecsOf returns the specifications of gear.
func (sh *shape) specsOf(g *catalog.Gear) specs {
	low, high := g.Equivalent()
	return specs{
		focal:      focalRange{float32(g.FocalMin), float32(g.FocalMax)},
		equivalent: focalRange{float32(low), float32(high)},
		aperture:   float32(g.Aperture), year: int16(g.Year), sensor: sh.sensorNumber(g.Sensor()),
	}
}

// sensorNumber returns the index of a sensor in sensors, and adds it if it is new.
func (sh *shape) sensorNumber(sensor catalog.Sensor) uint16 {
	n := slices.Index(sh.sensors, sensor)
	if n < 0 {
		n = len(sh.sensors)
		sh.sensors = append(sh.sensors, sensor)
	}
	return uint16(n)
}

// overlaps reports whether the range has a focal length from low to high, 0 for no
// bound.
func (r focalRange) overlaps(low, high catalog.Focal) bool {
	return low == 0 && high == 0 || r.high > 0 && r.high >= float32(low) && (high == 0 || r.low <= float32(high))
}

// admits reports whether gear meets a filter.
func (sh *shape) admits(f *GearFilter, gear uint16) bool {
	s := &sh.specs[gear]
	return s.focal.overlaps(f.FocalMin, f.FocalMax) &&
		s.equivalent.overlaps(f.EquivalentMin, f.EquivalentMax) &&
		(f.ApertureMax == 0 || s.aperture > 0 && s.aperture <= float32(f.ApertureMax)) &&
		int(s.year) >= f.ReleasedMin &&
		(f.Sensor == "" || f.Sensor.Covers(sh.sensors[s.sensor]))
}
