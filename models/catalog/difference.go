package catalog

import (
	"slices"
	"strings"
)

// Difference is a value of gear that another source has and the catalogue has not.
type Difference struct{ Column, Ours, Theirs string }

// Differences compares gear of another source with the catalogue: its mounts that the catalogue
// lacks, and its format, focal lengths, aperture and year. The column is "gear" if the catalogue has no
// such gear. What the source does not say is no difference.
func (c *Catalog) Differences(theirs *Gear) (all []Difference) {
	ours := c.Gear(theirs.Slug())
	if ours == nil {
		return []Difference{{"gear", "", theirs.Name()}}
	}
	for _, mount := range theirs.Mounts() {
		if !slices.Contains(ours.Mounts(), mount) {
			all = append(all, Difference{"mount", ours.Mount, theirs.Mount})
			break
		}
	}
	for _, d := range [...]Difference{
		{"format", ours.Format, theirs.Format},
		{"focal_min", formatNumber(ours.FocalMin), formatNumber(theirs.FocalMin)},
		{"focal_max", formatNumber(ours.FocalMax), formatNumber(theirs.FocalMax)},
		{"aperture", formatNumber(ours.Aperture), formatNumber(theirs.Aperture)},
		{"year", formatNumber(float64(ours.Year)), formatNumber(float64(theirs.Year))},
	} {
		if d.Theirs != "" && !strings.EqualFold(d.Ours, d.Theirs) {
			all = append(all, d)
		}
	}
	return all
}
