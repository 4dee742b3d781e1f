package catalog

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// Gear is a camera or lens model in the catalogue. It is identified by its
// slug, "canon/eos-r6", in URLs, in the database and in the API.
type Gear struct {
	Brand     string // display name: "Canon"
	Model     string // display name without the brand: "EOS R6"
	BrandSlug string // "canon"
	ModelSlug string // "eos-r6"
	Category  models.Category
	Mount     string // "Canon RF"; empty for a fixed lens; several are joined by MountSeparator, see Mounts
	Format    string // sensor or film format: "Full frame", "APS-C", "35mm film", "6x6"; for a lens, the largest format covered

	FocalMin, FocalMax float64 // millimetres as engraved, equal for a prime; 0 if unknown or a body
	Aperture           float64 // maximum aperture as an f-number, at the wide end of a zoom; 0 if unknown
	Year               int     // year of introduction; 0 if unknown
	LaunchPrice        string  // "2499.00 EUR"; "" if unknown

	EXIF    []EXIFName // maker and model as written into pictures
	Aliases []string   // other product names and nicknames: "Rebel T5i", "nifty fifty"
	Picture string     // name of a picture of the owner; "" without one

	source  *Source   // of the values that are not in sourced
	sourced []sourced // values that have another source
}

// EXIFName is the camera or lens name in the EXIF data of a picture. Compare
// names by Key.
type EXIFName struct{ Make, Model string }

// Key returns a normalised form of the name. Names that differ only in case,
// spacing, the maker's legal form ("NIKON CORPORATION") or a repeated maker
// have the same key.
func (n EXIFName) Key() string {
	const padding = " \x00" // in fields of fixed length
	maker, _, _ := strings.Cut(strings.ToLower(strings.Trim(n.Make, padding)), " ")
	model := strings.ToLower(strings.Trim(n.Model, padding))
	model = strings.TrimPrefix(model, maker+" ")
	return maker + "\x00" + strings.Map(func(r rune) rune {
		switch r {
		case ' ', '/', '_', '|':
			return -1
		}
		return r
	}, model)
}

// MountSeparator separates the mounts of a lens made for several.
const MountSeparator = ", "

// Mounts returns the mounts, most common first, or nil for a fixed lens.
func (g *Gear) Mounts() []string {
	if g.Mount == "" {
		return nil
	}
	return strings.Split(g.Mount, MountSeparator)
}

// Slug returns the slug: "canon/eos-r6".
func (g *Gear) Slug() string { return g.BrandSlug + "/" + g.ModelSlug }

// Name returns the brand and model: "Canon EOS R6".
func (g *Gear) Name() string { return g.Brand + " " + g.Model }

// Brand is a manufacturer with its gear, sorted by slug.
type Brand struct {
	Slug, Name string
	Gear       []*Gear
}

func bySlug(a, b *Gear) int {
	return cmp.Or(cmp.Compare(a.BrandSlug, b.BrandSlug), cmp.Compare(a.ModelSlug, b.ModelSlug))
}

// formatNumber formats n with as few digits as possible, and 0 as "".
func formatNumber(n float64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// name is a name of a gear as a slug and as words. Roman numerals of
// generations are replaced by digits, so that "mark-3" equals "mark-iii".
type name struct {
	gear  *Gear
	slug  string
	words []string
}

// sameOptics reports whether another gear is a lens of the same focal length, aperture and mount.
func (g *Gear) sameOptics(other *Gear) bool {
	return other != g && other.FocalMin == g.FocalMin && other.FocalMax == g.FocalMax && other.Aperture == g.Aperture && other.Mount == g.Mount
}
