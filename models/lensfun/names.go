package lensfun

import (
	"encoding/csv"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/secondlight/secondlight/content/packed"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// names.csv corrects lensfun's names. A "twin" is the same gear sold under another
// name, which becomes an alias; a "fix" replaces a wrong name, by several rows if it
// stands for several gears; a "with" is a converter that lensfun has only together with
// a lens; a "drop" is not gear.
const namesCSV = "models/lensfun/names.csv"

// correction is a row of names.csv. Empty fields change nothing.
type correction struct {
	why, brand, model      string
	category               models.Category
	mount, format, aliases string
}

// corrections returns the rows of names.csv by brand and lower-case name.
var corrections = sync.OnceValue(func() map[[2]string][]correction {
	by := map[[2]string][]correction{}
	for _, row := range table(namesCSV) {
		key := [2]string{row[1], strings.ToLower(row[2])}
		by[key] = append(by[key], correction{
			why: row[0], brand: row[3], model: row[4],
			category: models.Category(row[5]), mount: row[6], format: row[7], aliases: row[8],
		})
	}
	return by
})

// years.csv has the year of introduction of gear by slug, which lensfun lacks.
const yearsCSV = "models/lensfun/years.csv"

var years = sync.OnceValue(func() map[string]int {
	by := map[string]int{}
	for _, row := range table(yearsCSV) {
		year, err := strconv.Atoi(row[1])
		if err != nil {
			panic(yearsCSV + ": " + err.Error())
		}
		by[row[0]] = year
	}
	return by
})

// table parses a packed CSV file and returns it without the header.
func table(name string) [][]string {
	r := csv.NewReader(strings.NewReader(packed.File(name)))
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err != nil {
		panic(name + ": " + err.Error()) // the file is embedded
	}
	return rows[1:]
}

// corrected applies the rows of names.csv for the first of names that has any. The
// result may be the gear itself, renamed gear, several gears or none.
func corrected(g *catalog.Gear, names ...string) []*catalog.Gear {
	var rows []correction
	for _, name := range names {
		if rows == nil {
			rows = corrections()[[2]string{g.Brand, strings.ToLower(name)}]
		}
	}
	if rows == nil {
		return []*catalog.Gear{g}
	}
	var gear []*catalog.Gear
	for _, c := range rows {
		if c.why != "drop" {
			gear = append(gear, c.apply(*g))
		}
	}
	return gear
}

func (c correction) apply(g catalog.Gear) *catalog.Gear {
	g.Aliases = slices.Clone(g.Aliases)
	switch c.why {
	case "twin":
		g.Aliases = append(g.Aliases, g.Model)
	case "fix":
		g.Aliases = nil
	}
	set(&g.Brand, c.brand)
	set(&g.Model, c.model)
	set(&g.Category, c.category)
	set(&g.Mount, c.mount)
	set(&g.Format, c.format)
	if g.Format == "none" {
		g.Format = ""
	}
	if c.aliases != "" {
		g.Aliases = append(g.Aliases, strings.Split(c.aliases, "|")...)
	}
	return &g
}

func set[T ~string](field *T, value T) {
	if value != "" {
		*field = value
	}
}

// exifName returns the maker and model in EXIF data, without the | in some of Sigma's
// names, which separates the values of a list in the CSV. EXIFName.Key ignores it.
func exifName(maker, model words) []catalog.EXIFName {
	return []catalog.EXIFName{{Make: maker.written(), Model: withoutBar(model.written())}}
}
