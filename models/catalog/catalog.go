package catalog

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/secondlight/secondlight/models"
)

// The files of a catalogue in the order they are read. Only the first is
// required.
const (
	catalogFile   = "lensfun.csv"       // from lensfun
	laterFile     = "lensfun_later.csv" // from later versions of lensfun, in the same columns
	exiftoolFile  = "exiftool.csv"      // lenses that exiftool's tables name, in the same columns
	additionsFile = "additions.csv"     // gear missing from lensfun, in the same columns
	lensMountFile = "lens_mounts.csv"   // gear slug, all its mounts, where they are from, and the day they were checked
	sensorFile    = "sensors.csv"       // gear slug, its format, where it is from, and the day it was checked
	aliasesFile   = "aliases.csv"       // gear slug, alias
	launchFile    = "launch_prices.csv" // gear slug, launch price
	mountsFile    = "mounts.csv"        // compatible mounts, from lensfun
	adaptersFile  = "adapters.csv"      // adapters and exceptions, missing from lensfun
)

var gearColumns = []string{
	"brand", "model", "brand_slug", "model_slug", "category", "mount", "format",
	"focal_min", "focal_max", "aperture", "year", "exif_make", "exif_models", "aliases", "launch_price",
}

// errColumns begins the error of a file with other columns.
var errColumns = errors.New("the columns must be")

// firstYear is the year the first camera was sold.
const firstYear = 1839

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
	names   func() []name // all names

	lookup     func() *Lookup
	resolver   func() *Resolver
	brandNames func() *models.Names
	mountNames func() *models.Names
}

// Brand is a manufacturer with its gear, sorted by slug.
type Brand struct {
	Slug, Name string
	Gear       []*Gear
}

// ReadCatalog reads lensfun.csv, lensfun_later.csv, exiftool.csv, additions.csv, lens_mounts.csv, sensors.csv,
// aliases.csv, launch_prices.csv, mounts.csv and adapters.csv from the root of fsys; all but the first are optional. It returns an error with file and line for
// duplicate gear, a brand in two spellings, an unknown category, a malformed
// slug or number, an EXIF name used by two gears, or an alias of unknown gear.
func ReadCatalog(fsys fs.FS) (*Catalog, error) {
	shipped, err := parseCatalog(fsys, nil)
	if err != nil {
		return nil, err
	}
	c := &Catalog{files: fsys, shipped: shipped}
	c.current.Store(&edition{catalog: shipped})
	return c, nil
}

// parseCatalog reads the files of a catalogue and applies corrections.
func parseCatalog(fsys fs.FS, corrections []GearCorrection) (*catalog, error) {
	c := &catalog{bySlug: map[string]*Gear{}, byBrand: map[string]*Brand{}, byEXIF: map[string]*Gear{}}
	c.names = sync.OnceValue(c.allNames)
	c.lookup = sync.OnceValue(func() *Lookup { return newLookup(c.gear, c.fits) })
	c.resolver = sync.OnceValue(func() *Resolver { return newResolver(c) })
	c.brandNames = sync.OnceValue(func() *models.Names { return brandNames(c) })
	c.mountNames = sync.OnceValue(func() *models.Names { return mountNames(c) })
	for _, name := range []string{catalogFile, laterFile, exiftoolFile, additionsFile} {
		if err := readGearRows(fsys, name, c.addGear); err != nil {
			if name != catalogFile && errors.Is(err, fs.ErrNotExist) {
				continue
			}
			return nil, err
		}
	}
	for _, file := range []struct {
		name    string
		columns []string
		add     func(row []string) error
	}{
		{lensMountFile, []string{"gear", "mount", "source", "checked"}, c.setMounts},
		{sensorFile, []string{"gear", "format", "source", "checked"}, c.setFormat},
		{aliasesFile, []string{"gear", "alias"}, c.addAlias},
		{launchFile, []string{"gear", "launch_price"}, c.addLaunchPrice},
	} {
		if err := readRows(fsys, file.name, file.columns, file.add); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	c.correct(corrections)
	c.sort()
	for _, g := range c.gear {
		switch g.Category.Family() {
		case models.FamilyCamera:
			c.cameras = append(c.cameras, g)
		case models.FamilyLens:
			c.lenses = append(c.lenses, g)
		}
	}
	if err := c.readFits(fsys); err != nil {
		return nil, err
	}
	return c, nil
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

// Gear returns the gear with a slug such as "canon/eos-r6", or nil.
func (c *Catalog) Gear(slug string) *Gear { return c.now().bySlug[slug] }

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

// LensNamed returns the lens that a camera of a maker writes into its pictures under a name which
// is not in the catalogue: "OM 12-40mm F2.8 II", or nil. It is that of the Resolver, if it is sure.
func (c *Catalog) LensNamed(maker, name string) *Gear {
	for _, title := range [...]string{name, maker + " " + name} {
		if found := c.Resolver().Resolve(title); found.Confident() && found.Gear.Category.Family() == models.FamilyLens {
			return found.Gear
		}
	}
	return nil
}

// FindGear returns the gear that a name means: "canon/eos-r6", "Fuji X-T3", "a7iii",
// "nifty fifty". Brand is the brand if it is given apart, by any name, else "". The
// error is a *problem.Unresolved with slugs as candidates, the most popular first
// among those that fit equally well.
//
// A name means gear if it is its full name, with or without the brand and the product
// line, or if the gear is the only one that has all its words.
func (c *Catalog) FindGear(brand, text string, popularity Popularity) (*Gear, error) {
	return c.now().findGear(brand, text, popularity)
}

// Nearest returns up to n gear with names similar to an unknown slug, most
// similar first, for a "Did you mean" suggestion. Common words count, then
// letters. A slug without a brand ("eos-r6") is compared with models only.
func (c *Catalog) Nearest(slug string, n int) []*Gear { return c.now().similarTo(slug, n) }

// Fits returns how two gear fit together, in any order, and whether they do: a lens and
// a camera with interchangeable lenses.
func (c *Catalog) Fits(a, b *Gear) (Fit, bool) { return c.now().fit(a, b) }

// Fitting returns the gear that fits a gear: lenses for a camera, cameras for a lens.
// Native fits come first, then those by adapter, then manual ones; each by slug.
func (c *Catalog) Fitting(g *Gear) []Fitting { return c.now().fitting(g) }

// Suggest returns up to limit suggestions for a text whose last word may be
// incomplete: a category or gear with that very name, then brands and categories whose
// names begin with the text, then gear that has all its words, the most popular first.
// A text that matches nothing is corrected if it is misspelt.
func (c *Catalog) Suggest(text string, limit int, popularity Popularity) []Suggestion {
	return c.now().suggestions(text, limit, popularity)
}

// now returns the catalogue with the present corrections.
func (c *Catalog) now() *catalog { return c.current.Load().catalog }

func (c *catalog) addGear(row []string) error {
	g, err := gearOfRow(row)
	if err != nil {
		return err
	}
	if c.bySlug[g.Slug()] != nil {
		return fmt.Errorf("duplicate gear %s", g.Slug())
	}
	brand := c.byBrand[g.BrandSlug]
	if brand == nil {
		brand = &Brand{Slug: g.BrandSlug, Name: g.Brand}
		c.byBrand[g.BrandSlug] = brand
		if g.BrandSlug != models.Slug(g.Brand) {
			return fmt.Errorf("brand slug %q does not match brand %q", g.BrandSlug, g.Brand)
		}
	}
	if brand.Name != g.Brand {
		return fmt.Errorf("brand %q is also spelt %q", g.Brand, brand.Name)
	}
	for _, name := range g.EXIF {
		if other := c.byEXIF[name.Key()]; other != nil {
			return fmt.Errorf("EXIF name %q %q of %s is also that of %s", name.Make, name.Model, g.Slug(), other.Slug())
		}
		c.byEXIF[name.Key()] = g
	}
	c.bySlug[g.Slug()] = g
	c.gear = append(c.gear, g)
	return nil
}

// setMounts sets all mounts of a lens.
func (c *catalog) setMounts(row []string) error {
	g, err := c.sourced(row)
	if err == nil {
		g.Mount = row[1]
	}
	return err
}

// setFormat sets the format of a camera.
func (c *catalog) setFormat(row []string) error {
	g, err := c.sourced(row)
	switch {
	case err != nil:
		return err
	case g.Format != "":
		return fmt.Errorf("%s has the format %s already", row[0], g.Format)
	case (&Gear{Format: row[1]}).CropFactor() == 0:
		return fmt.Errorf("%s: unknown format %q", row[0], row[1])
	}
	g.Format = row[1]
	return nil
}

// sourced returns the gear of a row that says where a fact is from, and the day it was checked.
func (c *catalog) sourced(row []string) (*Gear, error) {
	g := c.bySlug[row[0]]
	if g == nil {
		return nil, fmt.Errorf("unknown gear %q", row[0])
	}
	if row[1] == "" || row[2] == "" {
		return nil, fmt.Errorf("%s has no value or no source", row[0])
	}
	if _, err := time.Parse(time.DateOnly, row[3]); err != nil {
		return nil, fmt.Errorf("%s: %w", row[0], err)
	}
	return g, nil
}

func (c *catalog) addAlias(row []string) error {
	g, alias := c.bySlug[row[0]], row[1]
	switch {
	case g == nil:
		return fmt.Errorf("unknown gear %q of alias %q", row[0], alias)
	case strings.TrimSpace(alias) == "":
		return fmt.Errorf("empty alias of %s", row[0])
	case !slices.Contains(g.Aliases, alias):
		g.Aliases = append(g.Aliases, alias)
	}
	return nil
}

func (c *catalog) addLaunchPrice(row []string) error {
	g := c.bySlug[row[0]]
	amount, unit := models.CutCurrency(row[1])
	price, err := strconv.ParseFloat(amount, 64)
	switch {
	case g == nil:
		return fmt.Errorf("unknown gear %q of a launch price", row[0])
	case g.LaunchPrice != "":
		return fmt.Errorf("%s has two launch prices", row[0])
	case err != nil || !(price > 0) || unit == "":
		return fmt.Errorf("launch price %q is not an amount such as 2499.00 EUR", row[1])
	}
	g.LaunchPrice = row[1]
	return nil
}

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

func bySlug(a, b *Gear) int {
	return cmp.Or(cmp.Compare(a.BrandSlug, b.BrandSlug), cmp.Compare(a.ModelSlug, b.ModelSlug))
}

// readRows calls add for every row of a CSV file after the header. Errors
// include the file and line.
func readRows(fsys fs.FS, name string, columns []string, add func(row []string) error) error {
	f, err := fsys.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	r := csv.NewReader(bufio.NewReader(f))
	header, err := r.Read()
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if !slices.Equal(header, columns) {
		return fmt.Errorf("%s: %w %s", name, errColumns, strings.Join(columns, ","))
	}
	for {
		row, err := r.Read()
		if err == io.EOF {
			return nil
		}
		for i := range row {
			row[i] = models.TextOf(row[i])
		}
		if err == nil {
			err = add(row)
		}
		if err != nil {
			line, _ := r.FieldPos(0)
			return fmt.Errorf("%s:%d: %w", name, line, err)
		}
	}
}

func gearOfRow(row []string) (*Gear, error) {
	var errs []error
	number := func(column string, s string, max float64) float64 {
		if s == "" {
			return 0
		}
		n, err := strconv.ParseFloat(s, 64)
		if err != nil || !(n > 0) || n > max {
			errs = append(errs, fmt.Errorf("%s %q is not a number greater than 0 and at most %g", column, s, max))
		}
		return n
	}
	g := &Gear{
		Brand: row[0], Model: row[1], BrandSlug: row[2], ModelSlug: row[3],
		Category: models.Category(row[4]), Mount: row[5], Format: row[6],
		FocalMin: number("focal_min", row[7], 5000), FocalMax: number("focal_max", row[8], 5000),
		Aperture: number("aperture", row[9], 64), Year: int(number("year", row[10], 2100)),
		Aliases: models.List(row[13]), LaunchPrice: row[14],
	}
	for _, model := range models.List(row[12]) {
		g.EXIF = append(g.EXIF, EXIFName{Make: row[11], Model: model})
	}
	switch {
	case g.Brand == "" || g.Model == "":
		errs = append(errs, errors.New("missing brand or model"))
	case !models.IsSlug(g.BrandSlug) || !models.IsSlug(g.ModelSlug):
		errs = append(errs, fmt.Errorf("%q is not a slug", g.Slug()))
	case !g.Category.Valid():
		errs = append(errs, fmt.Errorf("unknown category %q", g.Category))
	case g.FocalMin > g.FocalMax:
		errs = append(errs, fmt.Errorf("invalid focal range %g-%g", g.FocalMin, g.FocalMax))
	case g.Year != 0 && g.Year < firstYear:
		errs = append(errs, fmt.Errorf("invalid year %d", g.Year))
	case len(g.EXIF) > 0 && row[11] == "":
		errs = append(errs, errors.New("exif_models without exif_make"))
	}
	return g, errors.Join(errs...)
}

// WriteGear writes gear in the format that ReadCatalog reads. It returns an
// error for gear the format can't represent: EXIF names of several makers, or
// names that contain a "|".
func WriteGear(w io.Writer, gear []*Gear) error {
	out := csv.NewWriter(w)
	columns := gearColumns
	if !slices.ContainsFunc(gear, func(g *Gear) bool { return g.LaunchPrice != "" }) {
		columns = columns[:len(columns)-1]
	}
	out.Write(columns)
	for _, g := range gear {
		var maker string
		var written []string
		for _, name := range g.EXIF {
			maker = cmp.Or(maker, name.Make)
			written = append(written, name.Model)
			if (EXIFName{Make: maker}).Key() != (EXIFName{Make: name.Make}).Key() {
				return fmt.Errorf("%s has EXIF names of several makers, %q and %q", g.Slug(), maker, name.Make)
			}
		}
		if bad := slices.IndexFunc(append(written, g.Aliases...), func(s string) bool { return strings.Contains(s, models.ListSeparator) }); bad >= 0 {
			return fmt.Errorf("%s has a name that contains %q", g.Slug(), models.ListSeparator)
		}
		row := []string{
			g.Brand, g.Model, g.BrandSlug, g.ModelSlug, string(g.Category), g.Mount, g.Format,
			formatNumber(g.FocalMin), formatNumber(g.FocalMax), formatNumber(g.Aperture), formatNumber(float64(g.Year)),
			maker, strings.Join(written, models.ListSeparator), strings.Join(g.Aliases, models.ListSeparator), g.LaunchPrice,
		}
		for i := range row {
			row[i] = models.CellOf(row[i])
		}
		out.Write(row[:len(columns)])
	}
	out.Flush()
	return out.Error()
}

// formatNumber formats n with as few digits as possible, and 0 as "".
func formatNumber(n float64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}
