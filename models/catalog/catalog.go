package catalog

import (
	"cmp"
	"io/fs"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/cache"
)

// The files of a catalogue in the order they are read. Only the first is
// required.
const (
	catalogFile   = "lensfun.csv"       // from lensfun
	laterFile     = "lensfun_later.csv" // from later versions of lensfun, in the same columns
	exiftoolFile  = "exiftool.csv"      // lenses that exiftool's tables name, in the same columns
	compactsFile  = "compacts.csv"      // compact cameras that CameraDatabase names, in the same columns
	additionsFile = "additions.csv"     // gear missing from lensfun, in the same columns
	factsFile     = "facts.csv"         // gear slug, a field and its value, where that is from, and the day it was checked
	sensorFile    = "sensors.csv"       // gear slug, its format, where it is from, and the day it was checked
	opticsFile    = "optics.csv"        // gear slug, focal lengths and aperture, where they are from, and the day they were checked
	aliasesFile   = "aliases.csv"       // gear slug, alias
	launchFile    = "launch_prices.csv" // gear slug, launch price
	movesFile     = "moves.csv"         // old slug, the gear that all of it or a part is by now
	mountsFile    = "mounts.csv"        // compatible mounts, from lensfun
	adaptersFile  = "adapters.csv"      // adapters and exceptions, missing from lensfun
)

// Catalog holds every camera and lens model known to the site: those of its files, with
// the corrections of the owner. It is safe for concurrent use. Its methods return shared
// values that callers must not modify; Correct replaces them.
type Catalog struct {
	files   fs.FS
	shipped *catalog
	current atomic.Pointer[edition]

	Correcting sync.Mutex // held while corrections are read and applied
}

// edition is the catalogue with some corrections.
type edition struct {
	*catalog
	number      uint64
	corrections []GearCorrection
}

// catalog is an immutable catalogue.
type catalog struct {
	gear    []*Gear
	cameras []*Gear // those of gear that are in FamilyCamera
	lenses  []*Gear
	bySlug  map[string]*Gear
	brands  []Brand
	byBrand map[string]*Brand
	byEXIF  map[string]*Gear
	fits    *fits
	moves   []Move
	renamed map[string]*Gear // by slugs that moves.csv has and the catalogue has not
	names   func() *names

	fittings *cache.Cache[*Gear, []Fitting]

	lookup     func() *Lookup
	resolver   func() *Resolver
	brandNames func() *models.Names
	mountNames func() *models.Names
}

// Lookup returns the catalogue's Lookup, built on first use.
func (c *Catalog) Lookup() *Lookup { return c.now().lookup() }

// Resolver returns the catalogue's Resolver, built on first use.
func (c *Catalog) Resolver() *Resolver { return c.now().resolver() }

// BrandNames returns the Names of the brands, by slug.
func (c *Catalog) BrandNames() *models.Names { return c.now().brandNames() }

// MountNames returns the Names of the mounts.
func (c *Catalog) MountNames() *models.Names { return c.now().mountNames() }

// All returns all gear, sorted by slug.
func (c *Catalog) All() []*Gear { return c.now().gear }

// Gear returns the gear with a slug such as "canon/eos-r6", also with one that it had
// earlier, or nil.
func (c *Catalog) Gear(slug string) *Gear {
	now := c.now()
	if g := now.bySlug[slug]; g != nil {
		return g
	}
	return now.renamed[slug]
}

// Brands returns all brands, sorted by slug.
func (c *Catalog) Brands() []Brand { return c.now().brands }

// Brand returns the brand with a slug such as "canon", or nil.
func (c *Catalog) Brand(slug string) *Brand { return c.now().byBrand[slug] }

// GearOfBrand returns the gear of a brand, sorted by slug, or nil if there is
// no such brand.
func (c *Catalog) GearOfBrand(slug string) []*Gear {
	if b := c.Brand(slug); b != nil {
		return b.Gear
	}
	return nil
}

// ByEXIF returns the gear that writes maker and model into its pictures,
// compared by EXIFName.Key, or nil.
func (c *Catalog) ByEXIF(maker, model string) *Gear {
	return c.now().byEXIF[EXIFName{maker, model}.Key()]
}

// LensNamed returns the lens that a maker's cameras record in their pictures under a name that is
// not in the catalogue, such as "OM 12-40mm F2.8 II", or nil if the Resolver is not confident, or if
// the name is only the focal length and aperture of several of the brand: "18.0-200.0 mm f/3.5-5.6".
func (c *Catalog) LensNamed(maker, name string) *Gear {
	if slug, err := c.BrandNames().Resolve(maker); err == nil {
		maker = slug
	}
	for _, title := range [...]string{name, maker + " " + name} {
		found := c.Resolver().Recorded(title)
		if !found.Confident() || found.Gear.Category.Family() != models.FamilyLens {
			continue
		}
		if onlyOptics(models.Words(name)) && slices.ContainsFunc(c.GearOfBrand(found.Gear.BrandSlug), found.Gear.sameOptics) {
			return nil
		}
		return found.Gear
	}
	return nil
}

// Fits returns how two gear fit together, in any order, and whether they do: a lens and
// a camera with interchangeable lenses.
func (c *Catalog) Fits(a, b *Gear) (Fit, bool) { return c.now().fit(a, b) }

// Fitting returns the gear that fits a gear: lenses for a camera, cameras for a lens.
// Native fits come first, then those by adapter, then manual ones, then gear that doesn't fit
// for a reason that a reader should know; each by slug. The list is shared and must not be
// modified.
func (c *Catalog) Fitting(g *Gear) []Fitting { return c.now().fitting(g) }

// now returns the catalogue with the present corrections.
func (c *Catalog) now() *catalog { return c.current.Load().catalog }

// sort sorts the gear and the brands, and adds the gear to its brands.
func (c *catalog) sort() {
	slices.SortFunc(c.gear, bySlug)
	for _, g := range c.gear {
		brand := c.byBrand[g.BrandSlug]
		brand.Gear = append(brand.Gear, g)
	}
	for _, brand := range c.byBrand {
		c.brands = append(c.brands, *brand)
	}
	slices.SortFunc(c.brands, func(a, b Brand) int { return cmp.Compare(a.Slug, b.Slug) })
}

// fit is Catalog.Fits.
func (c *catalog) fit(a, b *Gear) (Fit, bool) {
	camera, lens := a, b
	if a.Category.Family() == models.FamilyLens {
		camera, lens = b, a
	}
	return c.fits.of(camera, lens)
}

// fittingBytes is how many bytes of the lists of Fitting are kept, with fittingSize for each
// gear of a list: some 150 lists of 700 gear.
const (
	fittingBytes = 12 << 20
	fittingSize  = 112
)

// fitting is Catalog.Fitting.
func (c *catalog) fitting(g *Gear) []Fitting {
	if all, ok := c.fittings.Get(g); ok {
		return all
	}
	all := c.readFitting(g)
	return c.fittings.Add(g, all, cap(all)*fittingSize)
}

// readFitting is fitting without the cache.
func (c *catalog) readFitting(g *Gear) (all []Fitting) {
	others := c.lenses
	if g.Category.Family() == models.FamilyLens {
		others = c.cameras
	}
	for _, other := range others {
		if fit, ok := c.fit(g, other); ok || fit.Note != "" {
			all = append(all, Fitting{other, fit})
		}
	}
	slices.SortStableFunc(all, func(a, b Fitting) int { return cmp.Compare(a.rank(), b.rank()) })
	return all
}
