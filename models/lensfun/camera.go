package lensfun

import (
	"regexp"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// gear returns the camera as catalogue gear: nothing for generic film formats and
// sensors. A mount that lensfun does not declare is the name of a fixed lens.
func (c camera) gear(interchangeable bool) []*catalog.Gear {
	brand := brandOf(c.Maker.display())
	name := cutBrand(brand, c.Model.display())
	if name == "Cyber-shot" { // the model proper is in the variant
		name = c.Variant.display()
	}
	model, aliases := cameraModel(brand, name)
	g := &catalog.Gear{
		Brand: brand, Model: model, Aliases: aliases,
		Category: "compact", Format: formatOfCrop(c.Crop),
		EXIF: exifName(c.Maker, c.Model),
	}
	if interchangeable {
		m := mountNamed(c.Mount)
		g.Mount, g.Category = m.name, m.camera
		if m.format != "" {
			g.Format = m.format
		}
	}
	gear := corrected(g, c.Model.written(), name)
	for _, g := range gear {
		addCodes(g)
	}
	return gear
}

// cameraModel is the name a brand sells its camera under, given what lensfun
// calls it, and other names for it that follow from the brand's way of naming.
func cameraModel(brand, name string) (model string, aliases []string) {
	for _, rule := range cameraRules[brand] {
		if m := rule.pattern.FindStringSubmatchIndex(name); m != nil {
			for _, alias := range rule.aliases {
				aliases = append(aliases, string(rule.pattern.ExpandString(nil, alias, name, m)))
			}
			return string(rule.pattern.ExpandString(nil, rule.model, name, m)), aliases
		}
	}
	return name, nil
}

type cameraRule struct {
	pattern *regexp.Regexp
	model   string
	aliases []string
}

func rule(pattern, model string, aliases ...string) cameraRule {
	return cameraRule{regexp.MustCompile(`^(?i:` + pattern + `)$`), model, aliases}
}

var cameraRules = map[string][]cameraRule{
	"Canon": {
		rule(`PowerShot (SD\d+)(?: IS)?`, `$0`, `$1`, `ELPH $1`),
		rule(`Powershot (ELPH \d+) HS`, `PowerShot $1 HS`, `$1`, `$1 HS`),
		rule(`PowerShot (.+?) (IS|HS)`, `PowerShot $1 $2`, `$1`, `$1 $2`, `PowerShot $1`),
		rule(`PowerShot (.+?)(?: \(\d+:\d+\))?`, `PowerShot $1`, `$1`),
		rule(`IXUS (.+?) (IS|HS)`, `IXUS $1 $2`, `IXUS $1`, `Digital IXUS $1 $2`),
		rule(`IXUS (.+)`, `IXUS $1`, `Digital IXUS $1`),
		rule(`IXY (?:Digital )?(.+)`, `IXY $1`, `IXY Digital $1`),
		rule(`EOS (?:Digital )?Rebel (.+)`, `EOS Rebel $1`, `Rebel $1`, `$1`, `Digital Rebel $1`),
		rule(`EOS Kiss (.+)`, `EOS Kiss $1`, `Kiss $1`),
		rule(`EOS[ -](.+)`, `$0`, `$1`),
	},
	"Casio":    {rule(`EX-(.+)`, `Exilim EX-$1`, `EX-$1`)},
	"Fujifilm": {rule(`FinePix (.+?)(?: ZOOM)?`, `FinePix $1`, `$1`)},
	"Nikon": {
		rule(`Coolpix (\d+)`, `Coolpix $1`, `E$1`),
		rule(`Coolpix (.+)`, `Coolpix $1`, `$1`),
		rule(`Z (\d+)II`, `Z ${1}II`, `Z$1 II`, `Z$1 Mark II`),
		rule(`Z (.+)`, `Z $1`, `Z$1`),
		rule(`1 (.+)`, `1 $1`, `$1`),
	},
	"Olympus": {
		rule(`E-M(\d+) ?(?:Mark ?)?(I+V?)`, `OM-D E-M$1 Mark $2`, `E-M$1 Mark $2`, `EM$1 Mark $2`, `E-M$1 $2`),
		rule(`E-M(\d+)`, `OM-D E-M$1`, `E-M$1`, `EM$1`),
		rule(`E-P(\w+)`, `PEN E-P$1`, `E-P$1`, `EP$1`),
		rule(`E-(\w+)`, `E-$1`, `E$1`),
		rule(`Tough TG-(\d)`, `Tough TG-$1`, `TG-$1`, `TG$1`),
	},
	"Panasonic": {
		rule(`(DM?C)-(\w+?)(?: \(\d+:\d+\))?`, `Lumix $1-$2`, `$1-$2`, `Lumix $2`, `$2`),
	},
	"Samsung": {rule(`GX-?(\d+)`, `GX-$1`, `GX$1`)},
	"Sony": {
		rule(`Alpha (\d+\w*) (I+V?)`, `Alpha $1 $2`, `A$1 $2`, `A$1 Mark $2`),
		rule(`Alpha (\d+\w*)`, `Alpha $1`, `A$1`),
		rule(`NEX-(\w+)`, `NEX-$1`, `Alpha NEX-$1`),
		rule(`RX(10|100) (.+)`, `RX$1 $2`, `Cyber-shot RX$1 $2`, `RX$1 Mark $2`),
		rule(`RX(.+)`, `RX$1`, `Cyber-shot RX$1`),
		rule(`DSC-(.+)`, `Cyber-shot DSC-$1`, `DSC-$1`),
	},
}

var sonyCode = regexp.MustCompile(`^(ILCE|ILCA|SLT|DSLR|DSC)-`)

// addCodes adds Sony's product codes in the EXIF names as aliases.
func addCodes(g *catalog.Gear) {
	for _, name := range g.EXIF {
		if sonyCode.MatchString(name.Model) {
			g.Aliases = append(g.Aliases, name.Model)
		}
	}
}

// brands maps makers' names in lensfun to brands.
var brands = map[string]string{
	"AEE DV":                      "AEE",
	"Carl Zeiss":                  "Zeiss",
	"Leica Camera AG":             "Leica",
	"LEICA CAMERA AG":             "Leica",
	"NIKON CORPORATION":           "Nikon",
	"Nikon Corporation":           "Nikon",
	"Ricoh Imaging Company, Ltd.": "Ricoh",
	"Ricoh imaging company, ltd.": "Ricoh",
	"Rolleiflex":                  "Rollei",
	"Schneider":                   "Schneider-Kreuznach",
	"Venus":                       "Laowa",
	"Voigtlander":                 "Voigtländer",
}

func brandOf(maker string) string {
	if brand, ok := brands[maker]; ok {
		return brand
	}
	return maker
}

// cutBrand removes the brand from a model's name: "Canon EOS M" becomes "EOS M", and
// "smc Pentax-DA 15mm" becomes "smc DA 15mm".
func cutBrand(brand, name string) string {
	first, _, _ := strings.Cut(brand, "-")
	for _, word := range []string{brand, models.Slug(brand), first} {
		re := regexp.MustCompile(`(?i)(^|\s)(carl )?` + regexp.QuoteMeta(word) + `([\s-]|$)`)
		name = re.ReplaceAllString(name, "$1")
	}
	return strings.Join(strings.Fields(name), " ")
}
