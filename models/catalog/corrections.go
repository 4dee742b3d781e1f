package catalog

import (
	"cmp"
	"io"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/secondlight/secondlight/models"
)

// StateOf returns the state of a correction.
func (c *Catalog) StateOf(correction *GearCorrection) CorrectionState {
	base := c.shipped.bySlug[correction.Gear]
	if base == nil {
		return GearAdded
	}
	shipped := ValuesOf(base)
	corrected := correction.Values.over(shipped, correction.Fields)
	if len(corrected.differing(&shipped)) == 0 {
		return GearRedundant
	}
	return GearCorrected
}

// Shipped returns the gear with a slug as the catalogue is shipped, or nil.
func (c *Catalog) Shipped(slug string) *Gear { return c.shipped.bySlug[slug] }

// Corrections returns the corrections that the catalogue has, the oldest first.
func (c *Catalog) Corrections() []GearCorrection { return c.current.Load().corrections }

// Correction returns the correction of a gear, or nil.
func (c *Catalog) Correction(slug string) *GearCorrection {
	all := c.Corrections()
	if i := slices.IndexFunc(all, func(g GearCorrection) bool { return g.Gear == slug }); i >= 0 {
		return &all[i]
	}
	return nil
}

// Version returns a number that increases when the corrections change.
func (c *Catalog) Version() uint64 { return c.current.Load().number }

// Copy returns the catalogue as it is, for another database: its corrections are its own.
func (c *Catalog) Copy() *Catalog {
	other := &Catalog{files: c.files, shipped: c.shipped}
	other.current.Store(c.current.Load())
	return other
}

// Correct replaces the corrections. It keeps the catalogue, and its Lookup, if they are
// those that it has.
func (c *Catalog) Correct(corrections []GearCorrection) error {
	now := c.current.Load()
	order := make([]*GearCorrection, len(corrections)) // a correction is large to move
	for i := range corrections {
		order[i] = &corrections[i]
	}
	slices.SortFunc(order, func(a, b *GearCorrection) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Gear, b.Gear))
	})
	var sorted []GearCorrection
	for _, c := range order {
		sorted = append(sorted, *c)
	}
	if len(sorted) == len(now.corrections) && (len(sorted) == 0 || reflect.DeepEqual(sorted, now.corrections)) {
		return nil
	}
	next, err := parseCatalog(c.files, sorted)
	if err != nil {
		return err
	}
	c.current.Store(&edition{catalog: next, number: now.number + 1, corrections: sorted})
	return nil
}

// NewCorrection returns the correction that gives a gear values: that with a slug or, if
// slug is "", a new one. The error is Invalid and lists all invalid values, with currency
// that of a launch price without one. The correction has no fields if the values are
// those of the shipped catalogue.
func (c *Catalog) NewCorrection(slug string, v GearValues, currency models.Currency) (*GearCorrection, error) {
	check := gearCheck{catalog: c.now(), values: &v}
	check.names(slug)
	check.specifications()
	check.launchPrice(currency)
	check.aliases()
	if slug == "" && len(check.Fields) == 0 {
		slug = models.Slug(v.Brand) + "/" + models.Slug(v.Model)
		check.Require(check.catalog.bySlug[slug] == nil, "model", "The catalogue already has %s: correct that.", slug)
	}
	if err := models.InvalidFields(check.Fields); err != nil {
		return nil, err
	}
	correction := &GearCorrection{Gear: slug, Values: v}
	base := GearValues{Brand: v.Brand} // a brand is spelt as in the catalogue once that has the gear
	if shipped := c.Shipped(slug); shipped != nil {
		base = ValuesOf(shipped)
	}
	correction.Fields = v.differing(&base)
	return correction, nil
}

// gearCheck collects the invalid values of a gear, and normalises the others.
type gearCheck struct {
	models.SiteCheck
	catalog *catalog
	values  *GearValues
}

// names checks the brand and the model. The brand of known gear can only be spelt
// differently, because it is part of the address.
func (c *gearCheck) names(slug string) {
	v := c.values
	c.name("brand", &v.Brand)
	c.name("model", &v.Model)
	brand, _, _ := strings.Cut(slug, "/")
	switch {
	case brand != "":
		c.Require(models.Slug(v.Brand) == brand, "brand", "You can only change the spelling of the brand, because links contain it. To use another brand, add the model under it.")
	case v.Brand != "":
		if known, err := c.catalog.brandNames().Resolve(v.Brand); err == nil {
			v.Brand = c.catalog.byBrand[known].Name
		}
	}
	if v.Model != "" && v.Brand != "" {
		v.Model = strings.TrimSpace(strings.TrimPrefix(v.Model, v.Brand+" "))
	}
}

// name checks a brand or a model, which is a slug in addresses.
func (c *gearCheck) name(field string, text *string) {
	c.Line(field, text, MaxGearName)
	c.Require(models.IsSlug(models.Slug(*text)) && !strings.Contains(*text, models.ListSeparator), field, "Write a name with letters or digits.")
}

// specifications checks what the gear is.
func (c *gearCheck) specifications() {
	v := c.values
	c.Require(v.Category.Valid(), "category", "Choose a category.")
	c.Line("format", &v.Format, 40)
	var mounts []string
	for _, name := range strings.Split(v.Mount, ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		mount, err := c.catalog.mountNames().Resolve(name)
		c.Require(err == nil, "mount", "%q isn't a mount in the catalogue.", name)
		mounts = append(mounts, mount)
	}
	v.Mount = strings.Join(mounts, MountSeparator)
	if v.FocalMax == 0 {
		v.FocalMax = v.FocalMin
	}
	if v.FocalMin == 0 {
		v.FocalMin = v.FocalMax
	}
	c.Require(v.FocalMin >= 0 && v.FocalMin <= 5000, "focal_min", "Use millimetres, at most 5000.")
	c.Require(v.FocalMax >= 0 && v.FocalMax <= 5000, "focal_max", "Use millimetres, at most 5000.")
	c.Require(!(v.FocalMin > v.FocalMax), "focal_max", "The maximum focal length is below the minimum.")
	c.Require(v.Aperture >= 0 && v.Aperture <= 64, "aperture", "Use an f-number, at most 64.")
	c.Require(v.Year == 0 || v.Year >= firstYear && v.Year <= 2100, "year", "Use a year from %d.", firstYear)
}

// launchPrice checks the launch price.
func (c *gearCheck) launchPrice(currency models.Currency) {
	v := c.values
	if v.LaunchPrice = strings.TrimSpace(v.LaunchPrice); v.LaunchPrice == "" {
		return
	}
	if number, unit := models.CutCurrency(v.LaunchPrice); unit != "" {
		if known, err := models.ParseCurrency(models.CurrencyOf(unit)); err == nil && !currency.IsUnit(unit) {
			currency = known
			v.LaunchPrice = number
		}
	}
	price, err := currency.ParseAmount(v.LaunchPrice)
	c.Require(err == nil && price > 0, "launch_price", "Write an amount such as %s %s.", currency.Decimal(249900), currency.Code)
	v.LaunchPrice = currency.Decimal(price) + " " + currency.Code
}

// aliases checks the other names.
func (c *gearCheck) aliases() {
	var names []string
	for _, alias := range c.values.Aliases {
		alias = strings.Join(strings.Fields(alias), " ")
		if alias == "" || slices.Contains(names, alias) {
			continue
		}
		c.Require(models.Storable(alias) && utf8.RuneCountInString(alias) <= MaxGearName && models.Slug(alias) != "" && !strings.Contains(alias, models.ListSeparator), "aliases",
			"%q isn't a name of at most %d letters and digits.", Clip(alias, 40), MaxGearName)
		names = append(names, alias)
	}
	c.Require(len(names) <= MaxGearAliases, "aliases", "Use at most %d names.", MaxGearAliases)
	c.values.Aliases = names
}

// WriteCorrections writes the gear that is added or corrected, in the format of the
// files of the catalogue.
func (c *Catalog) WriteCorrections(w io.Writer) error {
	now := c.current.Load()
	var gear []*Gear
	for i := range now.corrections {
		if g := now.bySlug[now.corrections[i].Gear]; g != nil && c.StateOf(&now.corrections[i]) != GearRedundant {
			gear = append(gear, g)
		}
	}
	slices.SortFunc(gear, bySlug)
	return WriteGear(w, gear)
}
