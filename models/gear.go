package models

import "strings"

// Gear is one camera or lens model of the catalogue. Brand and model slug name
// it everywhere: in addresses, in the database and on the wire ("canon/eos-r6").
type Gear struct {
	Brand     string // display name: "Canon"
	Model     string // display name without the brand: "EOS R6"
	BrandSlug string // "canon"
	ModelSlug string // "eos-r6"
	Category  Category
	Mount     string // "Canon RF"; empty for a fixed lens; a lens made for several has them joined by MountSeparator, see Mounts
	Format    string // sensor or film format: "Full frame", "APS-C", "35mm film", "6x6"; for lenses the largest format covered

	FocalMin, FocalMax float64 // millimetres as engraved; 0 when unknown or a body without lens; equal for a prime
	Aperture           float64 // largest aperture as an f-number, at the wide end for zooms; 0 when unknown
	Year               int     // year of introduction; 0 when unknown

	EXIF    []EXIFName // maker and model as cameras and lenses write them into pictures
	Aliases []string   // other names it is sold under, and nicknames: "Rebel T5i", "nifty fifty"
}

// EXIFName is the pair a picture carries about the gear it was taken with.
// It is compared without case.
type EXIFName struct{ Make, Model string }

// Key is equal for two names that a reader of pictures takes as the same:
// makers change their legal form ("NIKON CORPORATION", "Nikon"), repeat
// themselves in the model, and write "EF50mm f/1.8" or "EF 50mm F1.8".
func (n EXIFName) Key() string {
	const padding = " \x00" // cameras fill fixed fields
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

// MountSeparator stands between the mounts of a lens that is made for several.
const MountSeparator = ", "

// Mounts are the mounts one by one, the most usual first; none for a fixed lens.
func (g *Gear) Mounts() []string {
	if g.Mount == "" {
		return nil
	}
	return strings.Split(g.Mount, MountSeparator)
}

// Slug names the gear: "canon/eos-r6".
func (g *Gear) Slug() string { return g.BrandSlug + "/" + g.ModelSlug }

// Name is what a shopper calls it: "Canon EOS R6".
func (g *Gear) Name() string { return g.Brand + " " + g.Model }
