package gear

import (
	"context"
	"io"
	"net/url"

	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/views/ui"
)

// IdentifiedGear is the result of identifying gear from the metadata of a photo.
type IdentifiedGear struct {
	Suggested []GearMatch `json:"suggested" jsonschema:"the camera, then the lens, where they are in the catalogue"`
	Camera    string      `json:"camera,omitempty" jsonschema:"name in the file's metadata" untrusted:"true"`
	Lens      string      `json:"lens,omitempty" jsonschema:"name in the file's metadata" untrusted:"true"`
	Links     []ui.Link   `json:"links"`
	site      *ui.Site
}

// GearMatch is gear of the catalogue that the metadata names.
type GearMatch struct {
	Gear string `json:"gear"`
	Name string `json:"gear_name"`
	ui.Ref
}

// NewIdentifiedGear returns the gear named by a photo's metadata. camera and lens
// are the names in the file.
func NewIdentifiedGear(site *ui.Site, gear []*catalog.Gear, camera, lens string) *IdentifiedGear {
	p := &IdentifiedGear{Suggested: []GearMatch{}, Camera: camera, Lens: lens, site: site}
	for _, g := range gear {
		p.Suggested = append(p.Suggested, GearMatch{g.Slug(), g.Name(), ui.NewRef(ui.GearPath(g.Slug()))})
	}
	p.Links = p.links(context.Background())
	return p
}

func (p *IdentifiedGear) links(ctx context.Context) []ui.Link {
	links := []ui.Link{}
	for _, g := range p.Suggested {
		links = append(links, ui.Link{Href: ui.GearPath(g.Gear), Label: ui.T(ctx, "What the %s sells for", g.Name)})
	}
	return links
}

// Head implements Page. Its path is the form for a listing of the first match.
func (p *IdentifiedGear) Head(ctx context.Context) ui.Head {
	h := ui.Head{Title: ui.T(ctx, "Gear used"), Description: ui.T(ctx, "The camera and lens used for this photograph."), Path: "/sell", NoIndex: true}
	if len(p.Suggested) > 0 {
		h.Path += "?gear=" + url.QueryEscape(p.Suggested[0].Gear)
	}
	return h
}

// Markdown implements Page.
func (p *IdentifiedGear) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, p.Head(ctx).Title, "").In(ctx)
	m.Raw("\n")
	m.Head("Model", "Slug")
	for _, g := range p.Suggested {
		m.Row(m.Link(ui.Link{Href: ui.GearPath(g.Gear), Label: g.Name}), "`"+g.Gear+"`")
	}
	if p.Camera != "" {
		m.Paragraph(ui.T(ctx, "Camera (from file): %s", ui.Untrusted(p.Camera)))
	}
	if p.Lens != "" {
		m.Paragraph(ui.T(ctx, "Lens (from file): %s", ui.Untrusted(p.Lens)))
	}
	m.Links(p.links(ctx))
	return m.Done(w)
}
