package lensfun

import (
	"cmp"
	"io"
	"io/fs"
	"math"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// mountKind is a lens mount: its common name, the category of its cameras, and the
// format, if the mount implies one.
type mountKind struct {
	name   string
	camera models.Category
	format string
	rank   int // order of the mounts of a lens
}

const (
	fullFrame = "Full frame"
	apsc      = "APS-C"
	mft       = "Micro Four Thirds"
)

// mounts by lensfun's names, including misspelt ones.
var mounts = func() map[string]mountKind {
	by := map[string]mountKind{}
	for i, m := range []struct {
		mountKind
		lensfun []string
	}{
		{mountKind{name: "Canon EF", camera: "dslr"}, []string{"Canon EF"}},
		{mountKind{name: "Canon EF-S", camera: "dslr"}, []string{"Canon EF-S"}},
		{mountKind{name: "Nikon F", camera: "dslr"}, []string{"Nikon F", "Nikon F AF", "Nikon F AI", "Nikon F AI-S", "Nikon AF F"}},
		{mountKind{name: "Sony A", camera: "dslr"}, []string{"Sony Alpha", "Minolta AF"}},
		{mountKind{name: "Pentax K", camera: "dslr"}, []string{"Pentax K", "Pentak K", "Pentax KA", "Pentax KAF", "Pentax KAF2", "Pentax KAF3", "Pentax KAF4"}},
		{mountKind{name: "Four Thirds", camera: "dslr", format: "Four Thirds"}, []string{"4/3 System"}},
		{mountKind{name: "Sigma SA", camera: "dslr"}, []string{"Sigma SA", "Sigma"}},
		{mountKind{name: "Sony E", camera: "mirrorless"}, []string{"Sony E"}},
		{mountKind{name: "Canon RF", camera: "mirrorless"}, []string{"Canon RF"}},
		{mountKind{name: "Canon EF-M", camera: "mirrorless", format: apsc}, []string{"Canon EF-M"}},
		{mountKind{name: "Nikon Z", camera: "mirrorless"}, []string{"Nikon Z"}},
		{mountKind{name: "Nikon 1", camera: "mirrorless", format: "1-inch"}, []string{"Nikon CX"}},
		{mountKind{name: "Fujifilm X", camera: "mirrorless", format: apsc}, []string{"Fujifilm X"}},
		{mountKind{name: mft, camera: "mirrorless", format: mft}, []string{"Micro 4/3 System"}},
		{mountKind{name: "Leica L", camera: "mirrorless"}, []string{"Leica L"}},
		{mountKind{name: "Samsung NX", camera: "mirrorless", format: apsc}, []string{"Samsung NX"}},
		{mountKind{name: "Samsung NX-M", camera: "mirrorless", format: "1-inch"}, []string{"Samsung NX mini"}},
		{mountKind{name: "Pentax Q", camera: "mirrorless"}, []string{"Pentax Q"}},
		{mountKind{name: "Leica M", camera: "rangefinder"}, []string{"Leica M"}},
		{mountKind{name: "Contax G", camera: "rangefinder"}, []string{"Contax G"}},
		{mountKind{name: "Leica R", camera: "film_slr"}, []string{"Leica R"}},
		{mountKind{name: "Canon FD", camera: "film_slr"}, []string{"Canon FD"}},
		{mountKind{name: "Canon FL", camera: "film_slr"}, []string{"Canon FL"}},
		{mountKind{name: "Minolta MD", camera: "film_slr"}, []string{"Minolta MD", "Minolta MC", "Minolta M"}},
		{mountKind{name: "Olympus OM", camera: "film_slr"}, []string{"Olympus OM"}},
		{mountKind{name: "Contax/Yashica", camera: "film_slr"}, []string{"Contax/Yashica"}},
		{mountKind{name: "M42", camera: "film_slr"}, []string{"M42"}},
		{mountKind{name: "M39", camera: "film_slr"}, []string{"M39/1", "M39"}},
		{mountKind{name: "DKL", camera: "film_slr"}, []string{"DKL"}},
		{mountKind{name: "T2", camera: "film_slr"}, []string{"T2"}},
		{mountKind{name: "Tamron Adaptall", camera: "film_slr"}, []string{"Tamron Adaptall"}},
		{mountKind{name: "C mount", camera: "other"}, []string{"C"}},
		{mountKind{name: "Fujifilm G", camera: "medium_format", format: "44x33 medium format"}, []string{"Fujifilm G"}},
		{mountKind{name: "Mamiya 645", camera: "medium_format", format: "6x4.5"}, []string{"Mamiya 645"}},
		{mountKind{name: "Hasselblad V", camera: "medium_format", format: "6x6"}, []string{"Hasselblad 500"}},
		{mountKind{name: "Hasselblad H", camera: "medium_format", format: "48x36 medium format"}, []string{"Hasselblad H"}},
		{mountKind{name: "Kiev 88", camera: "medium_format", format: "6x6"}, []string{"Kiev 88"}},
		{mountKind{name: "", camera: "medium_format", format: "6x6"}, []string{"Rollei 6x6"}}, // twin-lens reflex with fixed lenses
	} {
		m.rank = i
		for _, name := range m.lensfun {
			by[name] = m.mountKind
		}
	}
	return by
}()

// mountNamed returns the mount with a name in lensfun. An unknown mount keeps that name.
func mountNamed(name string) mountKind {
	if m, ok := mounts[name]; ok {
		return m
	}
	return mountKind{name: name, camera: "other", rank: len(mounts)}
}

// mountCalled returns the mount with a common name.
func mountCalled(display string) mountKind {
	for _, m := range mounts {
		if m.name == display {
			return m
		}
	}
	return mountKind{name: display, camera: "other", rank: len(mounts)}
}

// joinMounts joins the names of mounts without duplicates, most common first.
func joinMounts(names []string) string {
	names = slices.Clone(names)
	slices.SortStableFunc(names, func(a, b string) int { return mountCalled(a).rank - mountCalled(b).rank })
	return strings.Join(slices.Compact(names), catalog.MountSeparator)
}

// WriteMountsCSV writes which mounts of lenses lensfun calls compatible with which mounts
// of cameras as CSV for models.ReadCatalog, with the common names of the mounts.
func WriteMountsCSV(w io.Writer, fsys fs.FS) error {
	db, err := readDatabase(fsys)
	if err != nil {
		return err
	}
	return catalog.WriteMountPairs(w, db.mountPairs())
}

// mountPairs returns the compatible mounts, sorted. Lensfun's generic mount, which
// everything is compatible with, and variants of one mount are left out.
func (db *database) mountPairs() (pairs []catalog.MountPair) {
	for _, m := range db.Mounts {
		camera, known := mounts[m.Name.written()]
		for _, name := range m.Compat {
			lens, lensKnown := mounts[name]
			if known && lensKnown && camera.name != "" && lens.name != "" && camera.name != lens.name {
				pairs = append(pairs, catalog.MountPair{Camera: camera.name, Lens: lens.name})
			}
		}
	}
	slices.SortFunc(pairs, func(a, b catalog.MountPair) int {
		return cmp.Or(strings.Compare(a.Camera, b.Camera), strings.Compare(a.Lens, b.Lens))
	})
	return slices.Compact(pairs)
}

type cropFormat struct {
	crop   float64
	format string
}

// crops lists formats by crop factor: the diagonal of 24x36 mm divided by that of the
// sensor.
var crops = []cropFormat{
	{0.51, "6x6"}, {0.577, "6x4.5"}, {0.72, "48x36 medium format"}, {0.79, "44x33 medium format"},
	{1, fullFrame}, {1.28, "APS-H"}, {1.53, apsc}, {1.62, apsc}, {1.74, apsc}, {1.89, "1.5-inch"}, {2, "Four Thirds"}, {2.21, "Four Thirds"},
	{2.73, "1-inch"}, {3.93, "2/3-inch"}, {4.35, "1/1.6-inch"}, {4.64, "1/1.7-inch"}, {4.84, "1/1.8-inch"}, {5.4, "1/2-inch"},
	{5.6, "1/2.3-inch"}, {6.05, "1/2.5-inch"}, {6.5, "1/2.7-inch"}, {7.6, "1/3.2-inch"},
}

// formatOfCrop returns the format nearest to a crop factor, or "" if it is not positive.
func formatOfCrop(crop float64) string {
	if !(crop > 0) {
		return ""
	}
	best := crops[0]
	for _, c := range crops {
		if math.Abs(math.Log(crop/c.crop)) < math.Abs(math.Log(crop/best.crop)) {
			best = c
		}
	}
	return best.format
}

// larger reports whether format a is larger than b.
func larger(a, b string) bool {
	rank := func(format string) int {
		return slices.IndexFunc(crops, func(c cropFormat) bool { return c.format == format })
	}
	return rank(a) >= 0 && rank(b) >= 0 && rank(a) < rank(b)
}
