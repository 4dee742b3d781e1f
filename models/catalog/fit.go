package catalog

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/secondlight/secondlight/models"
)

// Fit says how a lens goes on a camera.
type Fit struct {
	Mount   string // of the lens, which may be made in several
	Adapter string // name of the adapter; "" if the lens mounts natively
	Keeps   Keeps  // what the lens can do by the adapter; natively everything
	Manual  bool   // the adapter passes nothing on: focus and aperture are set by hand
	Crops   bool   // the lens covers less than the sensor: the picture is cropped
	Never   bool   // it doesn't fit, for the reason in Note
	Note    string // what works differently, or why it doesn't fit if that is known, a sentence; "" for nothing
}

// Keeps says what a lens can still do on an adapter.
type Keeps struct{ Autofocus, Aperture, Infinity bool }

// Damages reports whether the lens can damage the camera, which Note then says.
func (f *Fit) Damages() bool { return strings.HasPrefix(f.Note, damages) }

// damages begins a note on a lens that can damage a camera.
const damages = "Can damage"

// Fitting is gear that fits other gear.
type Fitting struct {
	Gear *Gear
	Fit
}

// MountPair is a lens mount that a camera mount accepts, natively or by an adapter.
type MountPair struct{ Camera, Lens string }

// mountFit says how lenses of one mount go on cameras of another. The zero value is that
// of mounts which nothing is known about.
type mountFit struct{ adapter, function, note string }

// Values of the column function in adapters.csv.
const (
	fitsFull   = "full"   // everything that the lens can do
	fitsFocus  = "focus"  // autofocus; the aperture is set on the lens
	fitsManual = "manual" // focus and aperture by hand
	fitsNone   = "none"   // not at all, not to infinity, or only with optics in the adapter
)

// exception says how some lenses go on a camera, or on cameras of a mount.
type exception struct {
	lens string         // mount or slug
	only *regexp.Regexp // models of the lenses; nil for all
	mountFit
}

// fits answers which lenses fit which cameras.
type fits struct {
	mounts     map[MountPair]mountFit
	exceptions map[string][]exception // by slug or mount of the camera

	sets sync.Map // slug → GearSet of a Lookup
}

var (
	mountColumns   = []string{"camera_mount", "lens_mount"}
	adapterColumns = []string{"lens", "only", "camera", "adapter", "function", "note"}
)

// addPair adds a row of mounts.csv.
func (f *fits) addPair(row []string) error {
	f.mounts[MountPair{row[0], row[1]}] = mountFit{function: fitsManual}
	return nil
}

// addRow adds a row of adapters.csv, which may have several lenses and cameras.
func (f *fits) addRow(row []string, known func(string) bool) error {
	how := mountFit{adapter: row[3], function: row[4], note: row[5]}
	if !slices.Contains([]string{fitsFull, fitsFocus, fitsManual, fitsNone}, how.function) {
		return fmt.Errorf("function %q is not full, focus, manual or none", how.function)
	}
	var only *regexp.Regexp
	if row[1] != "" {
		var err error
		if only, err = regexp.Compile(row[1]); err != nil {
			return err
		}
	}
	for _, lens := range models.List(row[0]) {
		for _, camera := range models.List(row[2]) {
			if !known(lens) || !known(camera) {
				return fmt.Errorf("%q or %q is no mount and no gear", lens, camera)
			}
			if only == nil && f.isMount(lens) && f.isMount(camera) {
				f.mounts[MountPair{camera, lens}] = how
			} else {
				f.exceptions[camera] = append(f.exceptions[camera], exception{lens, only, how})
			}
		}
	}
	return nil
}

// isMount reports whether gear of the catalogue has a mount.
func (f *fits) isMount(name string) bool { return f.mounts[MountPair{name, name}].function != "" }

// WriteMountPairs writes pairs in the format of mounts.csv.
func WriteMountPairs(w io.Writer, pairs []MountPair) error {
	out := csv.NewWriter(w)
	out.Write(mountColumns)
	for _, p := range pairs {
		out.Write([]string{p.Camera, p.Lens})
	}
	out.Flush()
	return out.Error()
}

// of returns the best way to put a lens on a camera.
func (f *fits) of(camera, lens *Gear) (Fit, bool) {
	if camera.Category.Family() != models.FamilyCamera || lens.Category.Family() != models.FamilyLens {
		return Fit{}, false
	}
	var best Fit
	var why string // it doesn't fit
	found := false
	accepted := camera.Mounts()
	for _, mount := range lens.Mounts() {
		for _, of := range accepted {
			how := f.between(camera, lens, MountPair{of, mount})
			if how.function == "" || how.function == fitsNone {
				why = cmp.Or(why, how.note)
				continue
			}
			fit := Fit{Mount: mount, Adapter: how.adapter, Manual: how.function == fitsManual, Note: how.note}
			if how.adapter != "" || fit.Manual {
				fit.Keeps = Keeps{Autofocus: !fit.Manual && (how.function == fitsFocus || !manualFocus[mount]), Aperture: how.function == fitsFull, Infinity: true}
			}
			if fit.Manual && fit.Adapter == "" {
				fit.Adapter = mount + " to " + of + " adapter"
			}
			if !found || fit.rank() < best.rank() {
				best, found = fit, true
			}
		}
	}
	best.Crops = found && !lens.covers(camera)
	if best.Crops && camera.onFilm() {
		found, why = false, smallCircle
	}
	if !found {
		return Fit{Never: true, Note: why}, false
	}
	return best, true
}

// smallCircle says why a lens doesn't fit a camera of its mount that takes film.
const smallCircle = "Made for a smaller sensor: its image doesn't cover the film."

// manualFocus has the mounts whose lenses are all focused by hand.
var manualFocus = func() map[string]bool {
	set := map[string]bool{}
	for _, mount := range models.List("M42|M39|T2|DKL|Exakta|Praktica B|Rollei QBM|Tamron Adaptall|Canon FD|Canon FL|Minolta MD|Konica AR|Olympus OM|Contax/Yashica|Leica M|Leica R|" +
		"Contarex|Contax rangefinder|Nikon S|Pentacon Six|Kiev 88|Hasselblad V|XPan|Mamiya RB67|Mamiya RZ67|ARRI PL|C mount") {
		set[mount] = true
	}
	return set
}()

// between returns how a lens of one mount goes on a camera of another: what is said of
// the camera takes precedence over what is said of its mount.
func (f *fits) between(camera, lens *Gear, pair MountPair) mountFit {
	how := f.mounts[pair]
	for _, name := range [...]string{pair.Camera, camera.Slug()} {
		for _, e := range f.exceptions[name] {
			if (e.lens == pair.Lens || e.lens == lens.Slug()) && (e.only == nil || e.only.MatchString(lens.Model)) {
				how = e.mountFit
			}
		}
	}
	return how
}

// rank orders ways to put a lens on a camera, the best first.
func (f *Fit) rank() int {
	switch {
	case f.Never:
		return 3
	case f.Manual:
		return 2
	case f.Adapter != "":
		return 1
	}
	return 0
}

// coverMargin is how much larger than the format a lens is made for a sensor may be.
// Makers' APS-C and Super 35 sensors differ by less.
const coverMargin = 1.15

// covers reports whether the image circle of a lens covers the sensor or film of a
// camera; also if one is unknown. Instant cameras with a lens mount have optics that
// enlarge the picture.
func (g *Gear) covers(camera *Gear) bool {
	lens, sensor := g.CropFactor(), camera.CropFactor()
	return lens == 0 || sensor == 0 || camera.Category == "instant" || lens <= sensor*coverMargin
}

// onFilm reports whether a camera takes film, which it can't crop.
func (g *Gear) onFilm() bool { return filmFormat.MatchString(g.Format) }

// filmFormat matches the formats of film: "35mm film", "6x4.5", "4x5".
var filmFormat = regexp.MustCompile(`film$|^35mm|^\d+x[\d.]+$`)
