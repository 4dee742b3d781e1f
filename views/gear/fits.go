package gear

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/views/ui"
)

// Fits lists the lenses that fit a camera, or the cameras that a lens fits.
type Fits struct {
	Kind    string     `json:"kind" jsonschema:"whether the groups have lenses or cameras" enum:"lens,camera"`
	Groups  []FitGroup `json:"groups" jsonschema:"gear that fits in the same way: first what can damage a camera, then native, by adapters that keep all functions, manual, and what doesn't fit"`
	ui.Ref             // listings for sale that fit natively or by an adapter that keeps all functions
	Sources string     `json:"sources" jsonschema:"where mounts and adapters come from"`
	gear    string
}

// FitGroup is gear of one mount that fits in the same way.
type FitGroup struct {
	Mount   string     `json:"mount" jsonschema:"of the gear in the group"`
	Adapter string     `json:"adapter,omitempty" jsonschema:"absent if it fits natively"`
	Keeps   []string   `json:"keeps,omitempty" jsonschema:"what lenses can still do on the adapter; absent if they fit natively: autofocus, aperture, infinity"`
	Manual  bool       `json:"manual,omitempty" jsonschema:"the adapter passes nothing on: focus and aperture are set by hand"`
	Crops   bool       `json:"crops,omitempty" jsonschema:"the lens covers less than the sensor: the picture is cropped"`
	Never   bool       `json:"does_not_fit,omitempty" jsonschema:"the gear doesn't fit, for the reason in note"`
	Damages bool       `json:"can_damage,omitempty" jsonschema:"mounting it can damage the camera: see note"`
	Note    string     `json:"note,omitempty" jsonschema:"what works differently, or why it doesn't fit"`
	Total   int        `json:"total" jsonschema:"models in the catalogue"`
	Gear    []GearName `json:"gear" jsonschema:"the most popular models, at most 6; none of manual groups"`
}

// GearName is gear with its name.
type GearName struct {
	Slug string `json:"gear" jsonschema:"catalogue slug brand/model"`
	Name string `json:"gear_name"`
}

// fitsShown is the number of gear that a group names.
const fitsShown = 6

var fitSources = languages.Mark("Mounts: lensfun (CC BY-SA 3.0). Adapters and sensor coverage: makers’ specifications.")

// newFits groups what fits a gear, or returns nil for gear that nothing fits. popularity
// ranks the gear of a group.
func newFits(g *catalog.Gear, all []catalog.Fitting, popularity func(slug string) int) *Fits {
	if len(all) == 0 {
		return nil
	}
	f := &Fits{Kind: all[0].Gear.Category.Family(), Sources: fitSources, gear: g.Slug()}
	f.Ref = ui.NewRef(f.path(""))
	ranking := make([]uint64, len(all))
	for i := range all {
		ranking[i] = uint64(^uint32(popularity(all[i].Gear.Slug())))<<32 | uint64(i)
	}
	slices.Sort(ranking) // the most popular first, then by index
	for _, key := range ranking {
		f.add(&all[uint32(key)])
	}
	slices.SortStableFunc(f.Groups, func(a, b FitGroup) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(b.Total, a.Total))
	})
	return f
}

// add adds gear to its group.
func (f *Fits) add(fitting *catalog.Fitting) {
	group := FitGroup{Mount: fitting.Mount, Adapter: fitting.Adapter, Manual: fitting.Manual, Crops: fitting.Crops,
		Never: fitting.Never, Damages: fitting.Damages(), Note: fitting.Note}
	if f.Kind == models.FamilyCamera || group.Never {
		group.Mount = fitting.Gear.Mount
	}
	if group.Manual {
		group.Crops = false
	}
	i := slices.IndexFunc(f.Groups, func(g FitGroup) bool { return g.same(&group) })
	if i < 0 {
		i = len(f.Groups)
		group.Keeps, group.Gear = keepsOf(fitting.Keeps), []GearName{}
		f.Groups = append(f.Groups, group)
	}
	to := &f.Groups[i]
	to.Total++
	if len(to.Gear) < fitsShown && !to.Manual {
		to.Gear = append(to.Gear, GearName{fitting.Gear.Slug(), fitting.Gear.Name()})
	}
}

// same reports whether two groups fit in the same way.
func (g *FitGroup) same(other *FitGroup) bool {
	return g.Mount == other.Mount && g.Adapter == other.Adapter && g.Manual == other.Manual && g.Crops == other.Crops && g.Never == other.Never && g.Note == other.Note
}

// rank orders groups, the best first.
func (g *FitGroup) rank() (rank int) {
	if g.Crops {
		rank = 1
	}
	switch {
	case g.Damages:
		return -1
	case g.Never:
		return 6
	case g.Manual:
		return rank + 4
	case g.Adapter != "":
		return rank + 2
	}
	return rank
}

// keepsOf lists what lenses can do on an adapter.
func keepsOf(k catalog.Keeps) (list []string) {
	for _, can := range [...]struct {
		keeps bool
		name  string
	}{{k.Autofocus, "autofocus"}, {k.Aperture, "aperture"}, {k.Infinity, "infinity"}} {
		if can.keeps {
			list = append(list, can.name)
		}
	}
	return list
}

// keepsText says what lenses can do on the adapter, "" without one.
func (g *FitGroup) keepsText(ctx context.Context) string {
	switch strings.Join(g.Keeps, " ") {
	case "autofocus aperture infinity":
		return ui.T(ctx, "Autofocus, aperture control and infinity focus still work.")
	case "autofocus infinity":
		return ui.T(ctx, "Autofocus and infinity focus still work.")
	case "aperture infinity":
		return ui.T(ctx, "Aperture control and infinity focus still work.")
	case "autofocus aperture":
		return ui.T(ctx, "Autofocus and aperture control still work.")
	case "aperture":
		return ui.T(ctx, "Aperture control still works.")
	case "autofocus":
		return ui.T(ctx, "Autofocus still works.")
	case "infinity":
		return ui.T(ctx, "Infinity focus still works.")
	}
	return ""
}

// heading describes how the group fits: "Canon EF by Mount Adapter EF-EOS R".
func (g *FitGroup) heading(ctx context.Context) string {
	s := g.Mount
	if g.Never {
		return ui.T(ctx, "%s: doesn’t fit", g.Mount)
	}
	if g.Adapter != "" {
		s = ui.T(ctx, "%s by %s", g.Mount, g.adapterText(ctx))
	}
	if g.Crops {
		s += ", " + ui.T(ctx, "cropped")
	}
	return s
}

// adapterText returns the name of the adapter. One that passes nothing on is named by its
// mounts: "Nikon F to Canon RF adapter".
func (g *FitGroup) adapterText(ctx context.Context) string {
	lens, camera, between := strings.Cut(strings.TrimSuffix(g.Adapter, " adapter"), " to ")
	if !g.Manual || !between {
		return g.Adapter
	}
	return ui.T(ctx, "%s to %s adapter", lens, camera)
}

// after returns the text after the name of the i-th gear: a comma, or how many models there
// are if not all are named.
func (g *FitGroup) after(ctx context.Context, i int) string {
	if i < len(g.Gear)-1 {
		return ", "
	}
	if g.Total > len(g.Gear) {
		return " " + ui.T(ctx, "and others, %s in all", ui.NumberIn(ctx, g.Total))
	}
	return ""
}

// note returns what the reader must know of the group.
func (g *FitGroup) note(ctx context.Context) string {
	var sentences []string
	if g.Damages {
		sentences = append(sentences, ui.T(ctx, g.Note))
	}
	sentences = append(sentences, g.keepsText(ctx))
	if g.Crops {
		sentences = append(sentences, ui.T(ctx, "Made for a smaller sensor: the camera crops the image."))
	}
	if !g.Damages {
		sentences = append(sentences, ui.T(ctx, g.Note))
	}
	return strings.Join(slices.DeleteFunc(sentences, func(s string) bool { return s == "" }), " ")
}

// path returns the path of the search for listings that fit, or of those of one mount,
// whether or not they fit without loss.
func (f *Fits) path(mount string) string {
	if mount == "" {
		return ui.PathOf(search.Filter{Category: models.Kind(f.Kind), GearFilter: search.GearFilter{Fits: f.gear}})
	}
	return ui.PathOf(search.Filter{Category: models.Kind(f.Kind), Mount: mount})
}

// heading returns the heading of the section.
func (f *Fits) heading() string {
	if f.Kind == models.FamilyLens {
		return languages.Mark("Compatible lenses")
	}
	return languages.Mark("Compatible cameras")
}

// neverHeading returns the heading of what doesn't fit.
func (f *Fits) neverHeading() string {
	if f.Kind == models.FamilyLens {
		return languages.Mark("Lenses that don’t fit, and why")
	}
	return languages.Mark("Cameras it doesn’t fit, and why")
}

// advice says what to check, or returns "".
func (f *Fits) advice(ctx context.Context) string {
	if f.Kind == models.FamilyLens {
		return ui.T(ctx, "Many lenses come in several mounts. Check you're buying the right one.")
	}
	return ""
}

// all returns the link to every listing that fits.
func (f *Fits) all() ui.Link {
	if f.Kind == models.FamilyLens {
		return ui.Link{Href: f.path(""), Label: "Shop compatible lenses"}
	}
	return ui.Link{Href: f.path(""), Label: "Shop compatible cameras"}
}

// automatic returns the groups that keep all functions, after those that can damage a camera.
func (f *Fits) automatic() []FitGroup {
	return slices.DeleteFunc(slices.Clone(f.Groups), func(g FitGroup) bool { return (g.Manual || g.Never) && !g.Damages })
}

// manual returns the groups that fit with manual focus only.
func (f *Fits) manual() []FitGroup {
	return slices.DeleteFunc(slices.Clone(f.Groups), func(g FitGroup) bool { return !g.Manual })
}

// never returns the groups that don't fit and do no harm.
func (f *Fits) never() []FitGroup {
	return slices.DeleteFunc(slices.Clone(f.Groups), func(g FitGroup) bool { return !g.Never || g.Damages })
}

// writeFits writes what fits a gear.
func writeFits(m *ui.Markdown, f *Fits) {
	if f == nil {
		return
	}
	m.Section(f.heading())
	m.Head("Mount", "Adapter", "Models", "Such as", "Note")
	for i := range f.Groups {
		g := &f.Groups[i]
		names := make([]string, len(g.Gear))
		for n, gear := range g.Gear {
			names[n] = m.Link(ui.Link{Href: ui.GearPath(gear.Slug), Label: gear.Name})
		}
		adapter, note := cmp.Or(g.adapterText(m.Context), ui.T(m.Context, "not needed")), g.note(m.Context)
		if g.Never {
			adapter, note = "–", ui.T(m.Context, "Doesn’t fit.")+" "+note
		}
		if g.Manual {
			note = strings.TrimSpace(ui.T(m.Context, "Manual focus.") + " " + note)
		}
		m.Row(ui.MarkdownText(g.Mount), ui.MarkdownText(adapter), ui.NumberIn(m.Context, g.Total), strings.Join(names, ", "), ui.MarkdownText(note))
	}
	m.Raw("\n")
	m.Raw("\n", m.Link(f.all()), "\n")
	m.Paragraph(strings.TrimSpace(f.advice(m.Context) + " " + ui.T(m.Context, f.Sources)))
}
