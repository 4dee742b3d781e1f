package catalog

import (
	"fmt"
	"strconv"
	"time"

	"github.com/secondlight/secondlight/models"
)

// Source says where a value of gear is from.
type Source struct {
	Text    string     // "lensfun 0.3.3", "general knowledge", an address
	Checked models.Day // when the value was compared with it; "" if nobody has
}

// Sources of the values that have none of their own.
var (
	fileSources = map[string]*Source{
		catalogFile:   {"lensfun 0.3.3", "2026-11-21"},
		laterFile:     {"lensfun 1c8b8f078aae", "2026-11-27"},
		exiftoolFile:  {"exiftool 38bdbace3037", "2026-11-27"},
		compactsFile:  {"CameraDatabase 2d45b3e9fab3", "2026-11-27"},
		additionsFile: {"general knowledge", ""},
	}
	general   = fileSources[additionsFile] // also of years and launch prices
	ownSource = "the owner of this site"
)

// sourced is a value with a source of its own.
type sourced struct {
	field string // as in GearValues
	Source
}

// SourceOf returns where the value of a field is from, by its name in GearValues, such as "mount".
func (g *Gear) SourceOf(field string) Source {
	for i := len(g.sourced) - 1; i >= 0; i-- { // the last that was set
		if g.sourced[i].field == field {
			return g.sourced[i].Source
		}
	}
	if g.source == nil || g.source == fileSources[catalogFile] && field == "year" || field == "launch_price" {
		return *general
	}
	return *g.source
}

// setFact sets a field of gear to a value of a row that says where it is from.
func (c *catalog) setFact(row []string) error {
	g, err := c.addSource(row[0], row[1], row[2:])
	if err != nil {
		return err
	}
	number := func(max float64) float64 {
		n, wrong := strconv.ParseFloat(row[2], 64)
		if wrong != nil || !(n > 0) || n > max {
			err = fmt.Errorf("%s: %s %q is not a number greater than 0 and at most %g", row[0], row[1], row[2], max)
		}
		return n
	}
	switch row[1] {
	case "category":
		g.Category = models.Category(row[2])
		if !g.Category.Valid() {
			err = fmt.Errorf("%s: unknown category %q", row[0], row[2])
		}
	case "mount":
		g.Mount = row[2]
	case "format":
		g.Format = row[2]
	case "focal_min":
		g.FocalMin = number(5000)
	case "focal_max":
		g.FocalMax = number(5000)
	case "aperture":
		g.Aperture = number(64)
	case "year":
		g.Year = int(number(2100))
	default:
		err = fmt.Errorf("%s: unknown field %q", row[0], row[1])
	}
	return err
}

// setOptics sets the focal lengths and the aperture of a camera that has none.
func (c *catalog) setOptics(row []string) error {
	g, columns := c.bySlug[row[0]], [...]string{"focal_min", "focal_max", "aperture"}
	for i, column := range columns {
		value := row[i+1]
		switch {
		case value == "":
			continue
		case g != nil && (column == "aperture" && g.Aperture > 0 || column == "focal_min" && g.FocalMin > 0):
			return fmt.Errorf("%s has its %s already", row[0], column)
		}
		if err := c.setFact([]string{row[0], column, value, row[4], row[5]}); err != nil {
			return err
		}
	}
	return nil
}

// setFormat sets the format of a camera that has none.
func (c *catalog) setFormat(row []string) error {
	g, err := c.addSource(row[0], "format", row[1:])
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

// addSource records where the value of a field is from, and the day on which it was compared with
// the source, empty if nobody has: the columns value, source and checked of a row.
func (c *catalog) addSource(slug, field string, row []string) (*Gear, error) {
	g := c.bySlug[slug]
	if g == nil {
		return nil, fmt.Errorf("unknown gear %q", slug)
	}
	if row[0] == "" || row[1] == "" {
		return nil, fmt.Errorf("%s has no value or no source", slug)
	}
	if _, err := time.Parse(time.DateOnly, row[2]); err != nil && row[2] != "" {
		return nil, fmt.Errorf("%s: %w", slug, err)
	}
	g.sourced = append(g.sourced, sourced{field, Source{row[1], models.Day(row[2])}})
	return g, nil
}
