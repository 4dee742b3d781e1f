// Package lensfun converts the lens correction database of the lensfun project
// (https://lensfun.github.io, CC BY-SA 3.0) to a catalogue of cameras and lenses. The
// database uses the names that cameras write to files, and has a lens once for every
// sensor it was measured on, and a camera once for every name it was sold under. This
// package merges them and uses the names shoppers use.
package lensfun

import (
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// Read returns the gear in the *.xml files at the root of fsys, sorted by slug and
// without duplicates. It fails if there are no such files or one is not lensfun XML.
func Read(fsys fs.FS) ([]*catalog.Gear, error) {
	db, err := readDatabase(fsys)
	if err != nil {
		return nil, err
	}
	return db.gear(), nil
}

// WriteCSV writes the gear that Read returns as CSV for models.ReadCatalog.
func WriteCSV(w io.Writer, fsys fs.FS) error {
	gear, err := Read(fsys)
	if err != nil {
		return err
	}
	return catalog.WriteGear(w, gear)
}

// gear returns the database as a catalogue: cameras, lenses and the converters that
// lensfun has only as "lens with converter".
func (db *database) gear() []*catalog.Gear {
	declared := map[string]bool{}
	for _, m := range db.Mounts {
		declared[m.Name.written()] = true
	}
	s := gearSet{gear: map[string]*catalog.Gear{}, brands: map[string]string{}}
	fixed := db.fixedLenses(declared)
	for _, c := range db.Cameras {
		gear := c.gear(declared[c.Mount])
		for _, g := range gear {
			o := fixed[c.Mount]
			g.FocalMin, g.FocalMax, g.Aperture = o.min, o.max, o.aperture
		}
		s.add(gear...)
	}
	for _, l := range db.Lenses {
		s.add(l.gear(declared)...)
	}
	return s.sorted()
}

// gearSet is a set of gear by slug.
type gearSet struct {
	gear   map[string]*catalog.Gear
	brands map[string]string // spelling by slug
}

// add adds gear. Gear with the same slug is merged: it has the names and mounts of
// both. Gear without a slug is ignored.
func (s gearSet) add(gear ...*catalog.Gear) {
	for _, g := range gear {
		g.BrandSlug, g.ModelSlug = models.Slug(g.Brand), models.Slug(g.Model)
		if g.BrandSlug == "" || g.ModelSlug == "" {
			continue
		}
		if brand, known := s.brands[g.BrandSlug]; known {
			g.Brand = brand
		}
		s.brands[g.BrandSlug] = g.Brand
		if old, exists := s.gear[g.Slug()]; exists {
			merge(old, g)
		} else {
			s.gear[g.Slug()] = g
		}
	}
}

func merge(old, g *catalog.Gear) {
	old.Mount = joinMounts(append(old.Mounts(), g.Mounts()...))
	for _, name := range g.EXIF {
		if len(old.EXIF) == 0 || sameMaker(old.EXIF[0], name) { // a row of the CSV has one maker
			old.EXIF = append(old.EXIF, name)
		}
	}
	old.Aliases = append(old.Aliases, g.Aliases...)
	if old.FocalMin == 0 {
		old.FocalMin, old.FocalMax = g.FocalMin, g.FocalMax
	}
	if old.Aperture == 0 {
		old.Aperture = g.Aperture
	}
	if larger(g.Format, old.Format) && g.Category.Family() == models.FamilyLens {
		old.Format = g.Format
	}
}

func withoutBar(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(s, "|", " ")), " ")
}

func sameMaker(a, b catalog.EXIFName) bool {
	return catalog.EXIFName{Make: a.Make}.Key() == catalog.EXIFName{Make: b.Make}.Key()
}

func (s gearSet) sorted() []*catalog.Gear {
	s.dropSharedEXIF()
	gear := make([]*catalog.Gear, 0, len(s.gear))
	for _, g := range s.gear {
		g.Aliases = tidyAliases(g)
		g.Year = years()[g.Slug()]
		gear = append(gear, g)
	}
	slices.SortFunc(gear, func(a, b *catalog.Gear) int { return strings.Compare(a.Slug(), b.Slug()) })
	return gear
}

// dropSharedEXIF removes duplicate EXIF names, and those of several gears, which are
// ambiguous.
func (s gearSet) dropSharedEXIF() {
	owner := map[string]*catalog.Gear{}
	shared := map[string]bool{}
	for _, g := range s.gear {
		for _, name := range g.EXIF {
			if first, ok := owner[name.Key()]; ok && first != g {
				shared[name.Key()] = true
			}
			owner[name.Key()] = g
		}
	}
	for _, g := range s.gear {
		seen := map[string]bool{}
		g.EXIF = slices.DeleteFunc(g.EXIF, func(name catalog.EXIFName) bool {
			drop := seen[name.Key()] || shared[name.Key()] || name.Make == "" || name.Model == ""
			seen[name.Key()] = true
			return drop
		})
		slices.SortFunc(g.EXIF, func(a, b catalog.EXIFName) int { return strings.Compare(a.Model, b.Model) })
	}
}

// tidyAliases returns the aliases of g sorted, without duplicates, those with the slug
// of the model, and those that are too short or only digits ("R", "3800").
func tidyAliases(g *catalog.Gear) []string {
	seen := map[string]bool{g.ModelSlug: true}
	for i, alias := range g.Aliases {
		g.Aliases[i] = withoutBar(alias)
	}
	slices.Sort(g.Aliases)
	return slices.DeleteFunc(g.Aliases, func(alias string) bool {
		slug := models.Slug(alias)
		drop := seen[slug] || !distinctive.MatchString(slug)
		seen[slug] = true
		return drop
	})
}

var distinctive = regexp.MustCompile(`[a-z].|.[a-z]`)
