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

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/cache"
)

var gearColumns = []string{
	"brand", "model", "brand_slug", "model_slug", "category", "mount", "format",
	"focal_min", "focal_max", "aperture", "year", "exif_make", "exif_models", "aliases", "launch_price",
}

// errColumns begins the error of a file with other columns.
var errColumns = errors.New("the columns must be")

// firstYear is the year the first camera was sold.
const firstYear = 1839

// ReadCatalog reads lensfun.csv, lensfun_later.csv, exiftool.csv, compacts.csv, additions.csv, facts.csv, sensors.csv, optics.csv,
// aliases.csv, launch_prices.csv, moves.csv, mounts.csv and adapters.csv from the root of fsys; all but the first are optional. It returns an error with file and line for
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
	c := &catalog{bySlug: map[string]*Gear{}, byBrand: map[string]*Brand{}, byEXIF: map[string]*Gear{}, renamed: map[string]*Gear{}, fittings: cache.New[*Gear, []Fitting](fittingBytes)}
	c.names = sync.OnceValue(c.allNames)
	c.lookup = sync.OnceValue(func() *Lookup {
		return newLookup(c.gear, c.fits, func(text string) Resolution { return c.resolver().Resolve(text) })
	})
	c.resolver = sync.OnceValue(func() *Resolver { return newResolver(c) })
	c.brandNames = sync.OnceValue(func() *models.Names { return brandNames(c) })
	c.mountNames = sync.OnceValue(func() *models.Names { return mountNames(c) })
	for _, name := range []string{catalogFile, laterFile, exiftoolFile, compactsFile, additionsFile} {
		if err := readGearRows(fsys, name, func(row []string) error { return c.addGear(row, fileSources[name]) }); err != nil {
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
		{factsFile, []string{"gear", "field", "value", "source", "checked"}, c.setFact},
		{sensorFile, []string{"gear", "format", "source", "checked"}, c.setFormat},
		{opticsFile, []string{"gear", "focal_min", "focal_max", "aperture", "source", "checked"}, c.setOptics},
		{aliasesFile, []string{"gear", "alias"}, c.addAlias},
		{launchFile, []string{"gear", "launch_price"}, c.addLaunchPrice},
		{movesFile, []string{"from", "gear"}, c.addMove},
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

func (c *catalog) addGear(row []string, source *Source) error {
	g, err := gearOfRow(row)
	if err != nil {
		return err
	}
	g.source = source
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

// readFits reads mounts.csv and adapters.csv, both optional. Lenses of a camera's own
// mount fit it. A row of adapters.csv takes precedence over mounts.csv and the rows above.
func (c *catalog) readFits(fsys fs.FS) error {
	f := &fits{mounts: map[MountPair]mountFit{}, exceptions: map[string][]exception{}}
	for _, g := range c.gear {
		for _, mount := range g.Mounts() {
			f.mounts[MountPair{mount, mount}] = mountFit{function: fitsFull}
		}
	}
	known := func(name string) bool { return f.isMount(name) || c.bySlug[name] != nil }
	c.fits = f
	for _, file := range []struct {
		name    string
		columns []string
		add     func(row []string) error
	}{
		{mountsFile, mountColumns, f.addPair},
		{adaptersFile, adapterColumns, func(row []string) error { return f.addRow(row, known) }},
	} {
		if err := readRows(fsys, file.name, file.columns, file.add); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// correct applies corrections before the gear is sorted. It ignores those that a later
// program wrote and this one can't read.
func (c *catalog) correct(corrections []GearCorrection) {
	for i := range corrections {
		v := &corrections[i].Values
		brand, model, ok := strings.Cut(corrections[i].Gear, "/")
		if !ok || !models.IsSlug(brand) || !models.IsSlug(model) || !v.Category.Valid() || v.Model == "" {
			continue
		}
		if c.byBrand[brand] == nil {
			c.byBrand[brand] = &Brand{Slug: brand, Name: v.Brand}
		}
		g := c.bySlug[corrections[i].Gear]
		if g == nil {
			g = &Gear{BrandSlug: brand, ModelSlug: model, source: &Source{ownSource, models.DayAt(corrections[i].At.Std())}}
			v.set(g)
			c.bySlug[g.Slug()] = g
			c.gear = append(c.gear, g)
			continue
		}
		values := v.over(ValuesOf(g), corrections[i].Fields)
		values.set(g)
		for _, field := range corrections[i].Fields {
			g.sourced = append(g.sourced, sourced{field, Source{ownSource, models.DayAt(corrections[i].At.Std())}})
		}
		if slices.Contains(corrections[i].Fields, "brand") {
			c.byBrand[brand].Name = v.Brand
		}
	}
	for _, g := range c.gear {
		g.Brand = c.byBrand[g.BrandSlug].Name
	}
}

// readGearRows reads a file of gear, whose last column may be the launch price.
func readGearRows(fsys fs.FS, name string, add func(row []string) error) error {
	short := func(row []string) error { return add(append(row, "")) }
	err := readRows(fsys, name, gearColumns[:len(gearColumns)-1], short)
	if errors.Is(err, errColumns) {
		return readRows(fsys, name, gearColumns, add)
	}
	return err
}
