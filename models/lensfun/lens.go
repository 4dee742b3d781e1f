package lensfun

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// gear returns the lens as catalogue gear: nothing for a fixed lens, and only the
// converter for a lens measured with one.
func (l lens) gear(declared map[string]bool) []*catalog.Gear {
	brand, name := l.brandAndName()
	if text := l.converter(); text != "" {
		return converterGear(brand, text)
	}
	fits := l.fits(brand, name, declared)
	if len(fits) == 0 {
		return nil
	}
	name = readOptics(name).name
	gear := corrected(&catalog.Gear{
		Brand: brand, Model: name, Mount: joinMounts(fits), Aliases: l.aliases(),
		EXIF: exifName(l.Maker, l.Model),
	}, name)
	for _, g := range gear {
		o := readOptics(g.Model)
		o.fill(l.Focal, l.Aperture)
		g.FocalMin, g.FocalMax, g.Aperture = o.min, o.max, o.aperture
		if g.Category == "" {
			g.Category = o.category(l.Type)
		}
		if g.Format == "" {
			g.Format = l.format(g)
		}
	}
	return gear
}

// fits returns the mounts the lens is made for, or none for a fixed lens. It leaves out
// adapted mounts: EF-S for Canon's full-frame lenses, Sony E for screw-mount lenses.
func (l lens) fits(brand, name string, declared map[string]bool) []string {
	var fits []string
	for _, m := range l.Mounts {
		if _, known := mounts[m]; !known && !declared[m] {
			continue
		}
		display := mountNamed(m).name
		if display == "Canon EF-S" && !(brand == "Canon" && strings.HasPrefix(name, "EF-S")) {
			display = "Canon EF"
		}
		fits = append(fits, display)
	}
	if len(fits) > 1 && (slices.Contains(fits, "M42") || slices.Contains(fits, "M39")) {
		fits = slices.DeleteFunc(fits, func(m string) bool { return m == "Sony E" })
	}
	return fits
}

var (
	productCode = regexp.MustCompile(`\s*[ (](SAL\w+(-\d)?|SEL\w+|[AB]\d{3}|F0\d\d)\)?:?( |$)`)
	canonJoined = regexp.MustCompile(`\b(EF|EF-S|GF)(\d)`)
	nikonLensID = regexp.MustCompile(` \d{2,3}$`)
	sigmaLine   = regexp.MustCompile(`\s*(\||\[)\s*(A|C|S|Art|Contemporary|Sports)\b( C)?( \d{3})?\]?$`)
)

// brandAndName returns the brand, and the name without the brand, the maker's product
// code and Nikon's lens number.
func (l lens) brandAndName() (brand, name string) {
	brand, name = brandOf(l.Maker.display()), l.Model.display()
	switch {
	case brand == "Nikon": // written has Nikon's word order, display does not
		name = nikonLensID.ReplaceAllString(l.Model.written(), "")
	case brand == "Leica" && (strings.HasPrefix(name, "Leica DG") || strings.HasPrefix(name, "Leica D ")):
		return "Panasonic", name
	}
	name = canonJoined.ReplaceAllString(productCode.ReplaceAllString(name, " "), "$1 $2")
	name = sigmaLine.ReplaceAllStringFunc(name, func(line string) string {
		switch strings.Trim(line, " |[")[0] {
		case 'A':
			return " Art"
		case 'C':
			return " Contemporary"
		}
		return " Sports"
	})
	return brand, cutBrand(brand, name)
}

// aliases returns the maker's product code and the name as engraved, if that is not in
// the usual notation: "Milvus 1.4/50".
func (l lens) aliases() []string {
	var aliases []string
	for _, text := range []string{l.Model.written(), l.Model.display()} {
		if code := productCode.FindStringSubmatch(text); code != nil {
			aliases = append(aliases, code[1])
		}
		if engraved.MatchString(text) && !strings.Contains(text, "mm") {
			aliases = append(aliases, strings.ReplaceAll(cutBrand(brandOf(l.Maker.display()), text), ",", "."))
		}
	}
	return aliases
}

// format returns the largest format the lens covers. Most lenses were measured on
// APS-C, so the maker's letters and the mount take precedence over the crop factor.
func (l lens) format(g *catalog.Gear) string {
	fits := g.Mounts()
	if len(fits) == 0 {
		return ""
	}
	main := mountCalled(fits[0])
	letters := croppedLetters[g.Brand]
	switch {
	case main.format != "" && len(fits) == 1:
		return main.format
	case main.name == "Canon EF-S", letters != nil && letters.MatchString(g.Model):
		return apsc
	case main.camera == "mirrorless":
		return formatOfCrop(l.Crop)
	}
	return fullFrame
}

// croppedLetters match the letters in lens names that mean: not for full frame.
var croppedLetters = map[string]*regexp.Regexp{
	"Nikon":   regexp.MustCompile(`\bDX\b`),
	"Pentax":  regexp.MustCompile(`\bDA\b`),
	"Samyang": regexp.MustCompile(`\bCS\b`),
	"Sigma":   regexp.MustCompile(`\bDC\b`),
	"Sony":    regexp.MustCompile(`\bDT\b|^E `),
	"Tamron":  regexp.MustCompile(`\bDi (II|III-A)\b`),
	"Tokina":  regexp.MustCompile(`\b(DX|CF)\b`),
}

// optics holds the data in the name of a lens, and the name in the standard notation:
// focal length in "mm", then aperture as "f/".
type optics struct {
	name               string
	min, max, aperture float64
}

const (
	num      = `\d+(?:\.\d+)?`
	numRange = num + `(?:-` + num + `)?`
)

// notations are replaced in this order.
var notations = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`(\d),(\d)`), `$1.$2`},                                                   // 1:3,4/35
	{regexp.MustCompile(`\bf=(` + numRange + `)\s?mm`), `${1}mm`},                                // f=24mm
	{regexp.MustCompile(`(\d)\s+mm\b`), `${1}mm`},                                                // 24-85 mm
	{regexp.MustCompile(`\b(` + numRange + `)/[Ff](` + numRange + `)`), `${1}mm f/$2`},           // 20-60/F3.5-5.6
	{regexp.MustCompile(`\b1[:/](` + numRange + `)/(` + numRange + `)(?:mm)?\b`), `${2}mm f/$1`}, // 1:2.8/28
	{regexp.MustCompile(`\b1:(` + numRange + `) (` + numRange + `) `), `${2}mm f/$1 `},           // 1:2 23 ASPH.
	{regexp.MustCompile(`\b[Ff][/_]?(` + numRange + `) (` + numRange + `mm)\b`), `$2 f/$1`},
	{regexp.MustCompile(`(\dmm)\s?[Ff][/_]?\s?(\d)`), `$1 f/$2`}, // 23mmF1.4, 400mm f_2.8
}

var (
	engraved  = regexp.MustCompile(`(?:^|\s)(` + numRange + `)/(` + numRange + `)(M?)\b`) // 2/35, 2.8-3.5/25-45
	ratio     = regexp.MustCompile(`\b1[:/](` + numRange + `)(G?)`)                       // 1:2.8, 1/2.8
	focalMM   = regexp.MustCompile(`(` + num + `)(?:-(` + num + `))?mm`)
	fNumber   = regexp.MustCompile(`\bf/(` + num + `)(-` + num + `)?`)
	tNumber   = regexp.MustCompile(`\bT(` + num + `)`)
	swapped   = regexp.MustCompile(`(f/` + numRange + `)(.*?) (` + numRange + `mm)`)
	zeroes    = regexp.MustCompile(`(\d)\.0\b`)
	constantF = regexp.MustCompile(`f/(` + num + `)-(` + num + `)`)
)

func readOptics(name string) optics {
	for _, n := range notations {
		name = n.pattern.ReplaceAllString(name, n.with)
	}
	if !fNumber.MatchString(name) && !focalMM.MatchString(name) {
		name = strings.TrimSpace(engraved.ReplaceAllString(name, ` ${2}mm f/$1$3`))
	}
	if !fNumber.MatchString(name) {
		name = ratio.ReplaceAllString(name, "f/$1$2")
	}
	name = swapped.ReplaceAllString(name, "$3 $1$2")
	name = zeroes.ReplaceAllString(name, "$1")
	name = constantF.ReplaceAllStringFunc(name, func(f string) string {
		if m := constantF.FindStringSubmatch(f); m[1] == m[2] {
			return "f/" + m[1]
		}
		return f
	})
	o := optics{name: strings.Join(strings.Fields(name), " ")}
	if m := focalMM.FindStringSubmatch(o.name); m != nil {
		o.min, o.max = number(m[1]), number(m[1])
		if m[2] != "" {
			o.max = number(m[2])
		}
	}
	for _, stop := range []*regexp.Regexp{fNumber, tNumber} {
		if m := stop.FindStringSubmatch(o.name); m != nil && o.aperture == 0 {
			o.aperture = number(m[1])
		}
	}
	return o
}

// fill sets missing values from lensfun's fields, and removes implausible ones.
func (o *optics) fill(focal, aperture span) {
	if o.min == 0 {
		o.min, o.max = focal.Min, focal.Max
		if focal.Value > 0 {
			o.min, o.max = focal.Value, focal.Value
		}
	}
	if o.aperture == 0 {
		o.aperture = max(aperture.Value, aperture.Min)
	}
	if !(o.min > 0 && o.min <= o.max && o.max <= 5000) {
		o.min, o.max = 0, 0
	}
	if !(o.aperture > 0 && o.aperture <= 64) {
		o.aperture = 0
	}
}

var (
	fisheyeName = regexp.MustCompile(`(?i)fish-?eye`)
	macroName   = regexp.MustCompile(`(?i)\b(macro|micro)|Touit 50mm`)
)

// category returns the main use of the lens: a zoom with a macro mode is a zoom.
func (o optics) category(projection string) models.Category {
	switch {
	case fisheyeName.MatchString(o.name), projection == "fisheye", projection == "equisolid", projection == "stereographic":
		return "lens_fisheye"
	case o.min != o.max:
		return "lens_zoom"
	case macroName.MatchString(o.name):
		return "lens_macro"
	}
	return "lens_prime"
}

func number(s string) float64 {
	n, _ := strconv.ParseFloat(s, 64) // s matched num
	return n
}

// fixedLenses returns the optics of fixed lenses by lensfun's name of their mount.
func (db *database) fixedLenses(declared map[string]bool) map[string]optics {
	fixed := map[string]optics{}
	for _, l := range db.Lenses {
		for _, m := range l.Mounts {
			if _, known := mounts[m]; known || declared[m] || l.converter() != "" {
				continue
			}
			o := readOptics(l.Model.written())
			o.fill(l.Focal, l.Aperture)
			if old := fixed[m]; old.min == 0 {
				fixed[m] = o
			}
		}
	}
	return fixed
}
