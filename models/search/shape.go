package search

import (
	"bytes"
	"slices"

	"github.com/secondlight/secondlight/models"
)

// shape is what follows from the catalogue alone.
type shape struct {
	every   []uint16 // all gear
	groups  []group
	groupOf []uint16 // by gear
	brands  []string // slugs
	mounts  []string // names
	brandNo map[string]int
	mountNo map[string]int // by name and by slug

	// The groups of each category, brand and mount.
	ofCategory, ofBrand, ofMount [][]uint16

	alike [inAll + 1][]uint8 // by flags: those flags for every group
}

// group is the neighbouring gear with one brand, category and set of mounts.
type group struct {
	from, to        int // gear numbers, to is excluded
	brand, category int // brand is -1 for none
	mounts          []int
	mount           string // the mounts as the catalogue writes them
}

func shapeOf(l *models.Lookup) *shape {
	s := &shape{groupOf: make([]uint16, l.Size()), brandNo: map[string]int{}, mountNo: map[string]int{}}
	for i := range l.Size() {
		g := l.At(i)
		s.every = append(s.every, uint16(i))
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
	for n, m := range s.mounts { // a mount may be asked for by its slug too
		s.mountNo[models.Slug(m)] = n
	}
	return s
}

// numbered sorts names, each once and none empty, and notes their places.
func numbered(names []string, numbers map[string]int) []string {
	slices.Sort(names)
	names = slices.DeleteFunc(slices.Compact(names), func(name string) bool { return name == "" })
	for i, name := range names {
		numbers[name] = i
	}
	return names
}

func (g group) sameKind(h group) bool {
	return g.brand == h.brand && g.category == h.category && g.mount == h.mount
}

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

// The restrictions that are functions of the gear, as flags of a group that meets them.
const (
	inCategory = 1 << iota
	inBrand
	inMount
	inAll = inCategory | inBrand | inMount
)

// meetsAll is 1 for the flags of a group that meets them all, else 0. Among listings
// in another order than by gear it is as good as random which do: a branch would
// often be guessed wrong.
func meetsAll(flags uint8) uint32 { return uint32(flags+1) / (inAll + 1) }

// flag notes which groups meet the restrictions of category, brand and mount.
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
			if q.Category == string(c) || q.Category == c.Family() {
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

func mark(flags []uint8, groups []uint16, flag uint8) {
	for _, i := range groups {
		flags[i] |= flag
	}
}

// mountNumber finds a mount by its name or its slug.
func (sh *shape) mountNumber(mount string) (n int, ok bool) {
	if mount == "" {
		return 0, false
	}
	if n, ok = sh.mountNo[mount]; !ok {
		n, ok = sh.mountNo[models.Slug(mount)]
	}
	return n, ok
}
