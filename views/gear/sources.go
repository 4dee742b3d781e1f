package gear

import (
	"context"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/views/ui"
)

// specFields are the fields of the catalogue that specifications show.
var specFields = map[string]string{
	"Brand": "brand", "Model": "model", "Category": "category", "Mount": "mount", "Sensor or film": "format", "Covers": "format",
	"Focal length": "focal_min", "Maximum aperture": "aperture", "Released": "year", "Launch price": "launch_price",
}

// sourcesOf groups the specifications of a gear by where they are from, in their order.
func sourcesOf(g *catalog.Gear, specs []ui.Spec) []FactSource {
	all := []FactSource{}
	for _, spec := range specs {
		source := g.SourceOf(specFields[spec.Name])
		i := slices.IndexFunc(all, func(f FactSource) bool { return f.Source == source.Text && f.Checked == source.Checked })
		if i < 0 {
			i = len(all)
			all = append(all, FactSource{Source: source.Text, Checked: source.Checked})
		}
		all[i].Names = append(all[i].Names, spec.Name)
	}
	return all
}

// text says what is from the source, and whether somebody compared it.
func (f *FactSource) text(ctx context.Context) string {
	names := make([]string, len(f.Names))
	for i, name := range f.Names {
		names[i] = ui.T(ctx, name)
	}
	list := strings.Join(names, ", ") + ": " + ui.T(ctx, f.Source)
	if f.Checked == "" {
		return list + ", " + ui.T(ctx, "not checked")
	}
	return list + ", " + ui.T(ctx, "checked on %s", ui.DayIn(ctx, f.Checked))
}

// The sources that are words, and the note of catalog that no file has.
var _ = []string{languages.Mark("general knowledge"), languages.Mark("the owner of this site"), languages.Mark("its name"),
	languages.Mark("Made for a smaller sensor: its image doesn't cover the film.")}
