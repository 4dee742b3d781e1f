package drawing

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// Design holds everything a drawing depends on. It is encoded in the key of a
// photograph, so that the picture can be drawn from its name alone:
//
//	demo-mirrorless-1k-2-a1b2c3d4-front
//	demo-lens-zoom-24t70f28k-0-a1b2c3d4-glass
//
// Keys of earlier versions have no colour; the seeds choose it.
type Design struct {
	Category models.Category
	Shape    Shape   // of a camera
	Colour   Colour  // of the body
	From, To float64 // focal range of a lens, millimetres
	Aperture float64 // of a lens, f-number
	Wear     int     // 0 (unused) to 6
	Model    uint16  // seed for features of the model
	Copy     uint16  // seed for features of the item: background, light, scratches
	View     string  // one of those that Views returns
}

// The categories of cameras.
const (
	mirrorless   models.Category = "mirrorless"
	dslr         models.Category = "dslr"
	rangefinder  models.Category = "rangefinder"
	filmSLR      models.Category = "film_slr"
	mediumFormat models.Category = "medium_format"
	largeFormat  models.Category = "large_format"
	compact      models.Category = "compact"
	instant      models.Category = "instant"
	actionCam    models.Category = "action_cam"
)

// Shape is a variant of the cameras of a category. Lenses have none: their focal lengths and
// aperture give them their shape.
type Shape int

// The shapes of cameras in each category. Plain is the usual one in all of them.
const (
	Plain Shape = 0

	// Mirrorless cameras.
	RetroHump  Shape = 1
	FlatTopped Shape = 2
	Gripped    Shape = 4 // with a built-in vertical grip
	Angular    Shape = 5
	Pocketable Shape = 6
	CinemaBox  Shape = 7
	Sculptured Shape = 8 // also digital medium format

	// DSLRs and film SLRs.
	Prosumer    Shape = 1
	GrippedDSLR Shape = 2
	BlackSLR    Shape = 1
	PlasticSLR  Shape = 2
	ProSLR      Shape = 4
	SmallSLR    Shape = 5

	// Rangefinders.
	ScrewMount     Shape = 4
	FixedFinder    Shape = 5
	DigitalFinder  Shape = 6
	Panoramic      Shape = 7
	BessaStyle     Shape = 8
	AutofocusStyle Shape = 9

	// Medium format, on film unless it says otherwise.
	TwinLens       Shape = 1
	EyeLevel       Shape = 2 // digital
	BigRangefinder Shape = 4
	Folder         Shape = 5
	BigSLR         Shape = 6
	BellowsBox     Shape = 7
	ToyCamera      Shape = 9
	BoxCamera      Shape = 10
	PrismBox       Shape = 11
	FlatDigital    Shape = 12 // digital

	// Compacts.
	PrimeLens    Shape = 1
	FilmZoom     Shape = 2
	Bridge       Shape = 4
	Slim         Shape = 5
	Clamshell    Shape = 6
	FullFrame    Shape = 7
	SeleniumRing Shape = 8
	MetalCompact Shape = 9
	TinyMetal    Shape = 10
	PlasticToy   Shape = 11
	DialCompact  Shape = 12
	Subminiature Shape = 13

	// Instant cameras.
	FoldingSLR   Shape = 1
	PackFilm     Shape = 2
	RoundInstant Shape = 3

	// Large format.
	PressCamera Shape = 1
	Monorail    Shape = 2

	// Action cameras.
	PocketGimbal Shape = 1
	StickCamera  Shape = 2

	shapes = 14 // in no category more
)

// Colour is the finish of a body or a lens, a letter.
type Colour string

const (
	blackFinish    Colour = "k"
	silverFinish   Colour = "s" // cameras: chrome over leather
	titaniumFinish Colour = "c" // champagne
	graphiteFinish Colour = "g"
	whiteFinish    Colour = "w"
	redFinish      Colour = "r"
	pastelFinish   Colour = "p"
	manualFinish   Colour = "m" // lenses: black, with ribbed metal rings
)

var colours = []Colour{blackFinish, silverFinish, titaniumFinish, graphiteFinish, whiteFinish, redFinish, pastelFinish, manualFinish}

// valid reports whether c is a finish, or "" in a key of an earlier version.
func (c Colour) valid() bool { return c == "" || slices.Contains(colours, c) }

var views = map[string][]string{
	models.FamilyCamera: {"front", "top", "back", "detail"},
	models.FamilyLens:   {"front", "glass", "mount", "detail"},
}

// leads are the places in views of the view that an item shows first: half of them the front.
var leads = []int{0, 0, 0, 0, 1, 1, 3, 2}

// Views returns the design in n of its four views. One of two items is shown from the front first,
// so that neighbours in a list look different.
func (d Design) Views(n int) []Design {
	all := slices.Clone(views[d.Category.Family()])
	lead := leads[int(d.Copy)%len(leads)]
	first := all[lead]
	all = slices.Insert(slices.Delete(all, lead, lead+1), 0, first)
	designs := make([]Design, n)
	for i := range designs {
		designs[i] = d
		designs[i].View = all[i]
	}
	return designs
}

// Scene returns the number of the scene of an item, below Scenes. It is the same in all its views.
func (d Design) Scene() int { return int(d.Copy) / len(leads) % Scenes }

// NextScene returns the same view of an item in the next scene.
func (d Design) NextScene() Design {
	d.Copy += uint16(len(leads))
	return d
}

// Key encodes the design; ParseKey decodes it.
func (d Design) Key() string {
	build := strconv.Itoa(int(d.Shape))
	if d.Category.Family() == models.FamilyLens {
		build = focal(d.From)
		if d.To > d.From {
			build += "t" + focal(d.To)
		}
		build += "f" + strconv.Itoa(int(math.Round(d.Aperture*10)))
	}
	return fmt.Sprintf("demo-%s-%s%s-%d-%04x%04x-%s", keyWord(d.Category), build, d.Colour, d.Wear, d.Model, d.Copy, d.View)
}

// keyWord returns a category as keys spell it: with hyphens.
func keyWord(c models.Category) string { return strings.ReplaceAll(string(c), "_", "-") }

// focal formats a focal length, rounded to at least one millimetre.
func focal(mm float64) string { return strconv.Itoa(max(1, int(math.Round(mm)))) }

var (
	keyPattern  = regexp.MustCompile(`^demo-([a-z-]+)-([0-9tf]+)([a-z]?)-([0-6])-([0-9a-f]{4})([0-9a-f]{4})-([a-z]+)$`)
	lensPattern = regexp.MustCompile(`^([1-9]\d{0,3})(?:t([1-9]\d{0,3}))?f([1-9]\d{0,3})$`)
)

// ParseKey decodes a key. It returns false if no design has it.
func ParseKey(key string) (Design, bool) {
	m := keyPattern.FindStringSubmatch(key)
	if m == nil {
		return Design{}, false
	}
	d := Design{Colour: Colour(m[3]), View: m[7]}
	for _, c := range models.Categories {
		if keyWord(c) == m[1] {
			d.Category = c
		}
	}
	if d.Category.Family() == models.FamilyLens {
		f := lensPattern.FindStringSubmatch(m[2])
		if f == nil {
			return Design{}, false
		}
		d.From, _ = strconv.ParseFloat(f[1], 64)
		d.To, _ = strconv.ParseFloat(f[2], 64)
		d.To = max(d.To, d.From)
		tenths, _ := strconv.Atoi(f[3])
		d.Aperture = float64(tenths) / 10
	} else {
		shape, err := strconv.Atoi(m[2])
		if err != nil {
			return Design{}, false
		}
		d.Shape = Shape(shape)
	}
	d.Wear, _ = strconv.Atoi(m[4])
	model, _ := strconv.ParseUint(m[5], 16, 16)
	copied, _ := strconv.ParseUint(m[6], 16, 16)
	d.Model, d.Copy = uint16(model), uint16(copied)
	return d, d.Category.Family() != "" && d.Shape < shapes && d.Colour.valid() && d.Key() == key && slices.Contains(views[d.Category.Family()], d.View)
}

// dice generates random numbers from the seeds of a design.
type dice struct{ *rand.Rand }

// chance returns true with probability p.
func (d dice) chance(p float64) bool { return d.Float64() < p }

// between returns a number uniformly distributed between low and high.
func (d dice) between(low, high float64) float64 { return low + d.Float64()*(high-low) }

// pick returns one of the choices.
func pick[T any](d dice, choices []T) T { return choices[d.IntN(len(choices))] }
