package models

// Gear is one camera or lens model of the catalogue. Brand and model slug name
// it everywhere: in addresses, in the database and on the wire ("canon/eos-r6").
type Gear struct {
	Brand     string // display name: "Canon"
	Model     string // display name without the brand: "EOS R6"
	BrandSlug string // "canon"
	ModelSlug string // "eos-r6"
	Category  Category
	Mount     string // "Canon RF"; empty for a fixed lens
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

// Slug names the gear: "canon/eos-r6".
func (g *Gear) Slug() string { return g.BrandSlug + "/" + g.ModelSlug }

// Name is what a shopper calls it: "Canon EOS R6".
func (g *Gear) Name() string { return g.Brand + " " + g.Model }
