package lensfun

import (
	_ "embed"
	"encoding/csv"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/secondlight/secondlight/models"
)

// names.csv says where lensfun's name is not the one to use. A "twin" is the
// same gear sold under another name, which stays an alias; a "fix" is a name
// that is wrong, or nobody's, and is forgotten (several rows where it stands for
// several gear); a "with" is a converter that lensfun names only together with a
// lens; a "drop" is no gear at all.
//
//go:embed names.csv
var namesCSV string

// correction is a row of names.csv; an empty field leaves what the rules found.
type correction struct {
	why, brand, model      string
	category               models.Category
	mount, format, aliases string
}

// corrections by brand and name; a name that stands for several gear has
// several.
var corrections = sync.OnceValue(func() map[[2]string][]correction {
	by := map[[2]string][]correction{}
	for _, row := range table("names.csv", namesCSV) {
		key := [2]string{row[1], strings.ToLower(row[2])}
		by[key] = append(by[key], correction{
			why: row[0], brand: row[3], model: row[4],
			category: models.Category(row[5]), mount: row[6], format: row[7], aliases: row[8],
		})
	}
	return by
})

// years.csv holds the year of introduction of gear, by slug: lensfun does not
// say it, and a price without it says little.
//
//go:embed years.csv
var yearsCSV string

var years = sync.OnceValue(func() map[string]int {
	by := map[string]int{}
	for _, row := range table("years.csv", yearsCSV) {
		year, err := strconv.Atoi(row[1])
		if err != nil {
			panic("lensfun: years.csv: " + err.Error())
		}
		by[row[0]] = year
	}
	return by
})

// table reads a table of this package without its header.
func table(name, text string) [][]string {
	r := csv.NewReader(strings.NewReader(text))
	r.Comment = '#'
	rows, err := r.ReadAll()
	if err != nil {
		panic("lensfun: " + name + ": " + err.Error()) // it is part of the program
	}
	return rows[1:]
}

// corrected is what names.csv makes of gear that lensfun calls by these names,
// the first it knows counting: the gear itself, under another name, several, or
// nothing.
func corrected(g *models.Gear, names ...string) []*models.Gear {
	var rows []correction
	for _, name := range names {
		if rows == nil {
			rows = corrections()[[2]string{g.Brand, strings.ToLower(name)}]
		}
	}
	if rows == nil {
		return []*models.Gear{g}
	}
	var gear []*models.Gear
	for _, c := range rows {
		if c.why != "drop" {
			gear = append(gear, c.apply(*g))
		}
	}
	return gear
}

func (c correction) apply(g models.Gear) *models.Gear {
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
