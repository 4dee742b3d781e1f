package views

import (
	"context"
	"io"
	"net/url"

	"github.com/secondlight/secondlight/models/catalog"
)

// IdentifiedGear is the result of identifying gear from the metadata of a photo.
type IdentifiedGear struct {
	Suggested []GearMatch `json:"suggested" jsonschema:"the camera, then the lens, where they are in the catalogue"`
	Camera    string      `json:"camera,omitempty" jsonschema:"name in the file's metadata" untrusted:"true"`
	Lens      string      `json:"lens,omitempty" jsonschema:"name in the file's metadata" untrusted:"true"`
	Links     []Link      `json:"links"`
	site      *Site
}

// GearMatch is gear of the catalogue that the metadata names.
type GearMatch struct {
	Gear string `json:"gear"`
	Name string `json:"gear_name"`
	Ref
}

// NewIdentifiedGear returns the gear named by a photo's metadata. camera and lens
// are the names in the file.
func NewIdentifiedGear(site *Site, gear []*catalog.Gear, camera, lens string) *IdentifiedGear {
	p := &IdentifiedGear{Suggested: []GearMatch{}, Camera: camera, Lens: lens, site: site}
	for _, g := range gear {
		p.Suggested = append(p.Suggested, GearMatch{g.Slug(), g.Name(), newRef(gearPath(g.Slug()))})
	}
	p.Links = p.links(context.Background())
	return p
}

func (p *IdentifiedGear) links(ctx context.Context) []Link {
	links := []Link{}
	for _, g := range p.Suggested {
		links = append(links, Link{gearPath(g.Gear), t(ctx, "What the %s sells for", g.Name)})
	}
	return links
}

// Head implements Page. Its path is the form for a listing of the first match.
func (p *IdentifiedGear) Head(ctx context.Context) Head {
	h := Head{Title: t(ctx, "Gear of a photograph"), Description: t(ctx, "The camera and the lens that a photograph was taken with."), Path: "/sell", NoIndex: true}
	if len(p.Suggested) > 0 {
		h.Path += "?gear=" + url.QueryEscape(p.Suggested[0].Gear)
	}
	return h
}

// Markdown implements Page.
func (p *IdentifiedGear) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, p.Head(ctx).Title, "").in(ctx)
	m.raw("\n")
	m.head("Gear", "Slug")
	for _, g := range p.Suggested {
		m.row(m.link(Link{gearPath(g.Gear), g.Name}), "`"+g.Gear+"`")
	}
	if p.Camera != "" {
		m.text(t(ctx, "Camera, as the file says: %s", untrusted(p.Camera)))
	}
	if p.Lens != "" {
		m.text(t(ctx, "Lens, as the file says: %s", untrusted(p.Lens)))
	}
	m.links(p.links(ctx))
	return m.done(w)
}
