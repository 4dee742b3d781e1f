// Package portfolio renders the portfolio, its editor and the photographer's kit.
package portfolio

import (
	"cmp"
	"context"
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/views/ui"
)

// Portfolio is a page of the projects, or of the photos that match a filter.
type Portfolio struct {
	Title      string          `json:"title"`
	Summary    string          `json:"summary"`
	Total      int             `json:"total" jsonschema:"number of matching photos"`
	Projects   []ProjectCard   `json:"projects" jsonschema:"projects, newest first; empty when filtered"`
	Photos     []PhotoCard     `json:"photos" jsonschema:"matching photos; empty without a filter"`
	Facets     PortfolioFacets `json:"facets"`
	NextCursor string          `json:"next_cursor,omitempty"`
	Links      []ui.Link       `json:"links"`
	Notice     string          `json:"notice,omitempty"`
	filter     portfolio.Filter
	camera     *catalog.Gear // of the filter, nil for none
	lens       *catalog.Gear // of the filter, nil for none
	next       ui.Next
	shown      []*portfolio.Photo // entries of the feed
	projects   int                // number of all projects
	site       *ui.Site
}

// PortfolioFacets holds the counts of photos by each filter, of the maxFacet most frequent
// values.
type PortfolioFacets struct {
	Subject []ui.Facet `json:"subject" jsonschema:"what photos show"`
	Tag     []ui.Facet `json:"tag" jsonschema:"the 20 most frequent tags of photos"`
	Camera  []ui.Facet `json:"camera"`
	Lens    []ui.Facet `json:"lens"`
	Focal   []ui.Facet `json:"focal" jsonschema:"ranges of focal length in millimetres"`
}

// ProjectCard is a project as lists show it.
type ProjectCard struct {
	Slug        string `json:"slug"`
	Title       string `json:"title"`
	Description string `json:"description,omitempty"`
	ui.Ref
	Photos int      `json:"photos" jsonschema:"number of photos"`
	Notice string   `json:"notice,omitempty"`
	Cover  *Picture `json:"photo,omitempty" jsonschema:"the cover"`
}

// Project is the page of one project.
type Project struct {
	Slug        string      `json:"slug"`
	Title       string      `json:"title"`
	Description string      `json:"description,omitempty"`
	Date        string      `json:"date,omitempty" jsonschema:"day, ISO 8601"`
	Body        string      `json:"body,omitempty" jsonschema:"text as Markdown"`
	Total       int         `json:"total" jsonschema:"number of photos"`
	Photos      []PhotoCard `json:"photos"`
	NextCursor  string      `json:"next_cursor,omitempty"`
	Links       []ui.Link   `json:"links"`
	ui.Ref
	Notice    string      `json:"notice,omitempty"`
	parts     []essayPart // the text, on the first page, and the photos in rows
	cover     *Picture
	first     *PhotoCard      // the cover, at the head of the first page; nil without
	path      string          // of the page
	delivered bool            // shown in a gallery
	tools     templ.Component // below the opener; may be nil
	unlisted  bool
	next      ui.Next
	site      *ui.Site
}

// ProjectPhoto is the page of one photo.
type ProjectPhoto struct {
	Title    string       `json:"title"`
	Caption  string       `json:"caption,omitempty"`
	Credit   string       `json:"credit,omitempty" jsonschema:"name of the photographer; absent for the owner's own photos"`
	Project  ui.Link      `json:"project"`
	Subject  string       `json:"subject,omitempty" jsonschema:"what it shows"`
	Tags     []string     `json:"tags"`
	Position int          `json:"position" jsonschema:"position in the project, from 1"`
	Total    int          `json:"total" jsonschema:"number of photos in the project"`
	Picture  Picture      `json:"photo"`
	Exposure *Exposure    `json:"exposure,omitempty" jsonschema:"exposure from the file's metadata; absent when there is none"`
	Camera   *ui.GearCard `json:"camera,omitempty" jsonschema:"catalogue entry with prices; absent when it is not in the catalogue"`
	Lens     *ui.GearCard `json:"lens,omitempty" jsonschema:"catalogue entry with prices; absent when it is not in the catalogue"`
	// Names in the file of gear that is not in the catalogue.
	CameraName string    `json:"camera_name,omitempty" jsonschema:"name in the file's metadata, when the camera is not in the catalogue"`
	LensName   string    `json:"lens_name,omitempty" jsonschema:"name in the file's metadata, when the lens is not in the catalogue"`
	License    string    `json:"license,omitempty" jsonschema:"what others may do with the photo; absent for all rights reserved"`
	Copyright  string    `json:"copyright,omitempty" jsonschema:"notice in the file's metadata"`
	Location   string    `json:"location,omitempty" jsonschema:"where it was taken, if the photographer says so"`
	Previous   *ui.Link  `json:"previous,omitempty"`
	Following  *ui.Link  `json:"next,omitempty"`
	Links      []ui.Link `json:"links"`
	ui.Ref
	Notice    string `json:"notice,omitempty"`
	path      string
	shot      shot
	ahead     *Picture        // of Following
	download  string          // path of the largest size, "" if it is not offered
	delivered bool            // shown in a gallery
	tools     templ.Component // below the photo; may be nil
	unlisted  bool
	site      *ui.Site
}

// Exposure describes how a photo was taken.
type Exposure struct {
	Text     string  `json:"text" jsonschema:"on one line: ƒ/8 · 1/250 s · ISO 100 · 35 mm"`
	Aperture float64 `json:"aperture,omitempty" jsonschema:"f-number"`
	Time     string  `json:"time,omitempty" jsonschema:"such as 1/250 s"`
	ISO      int     `json:"iso,omitempty"`
	Focal    float64 `json:"focal_length,omitempty" jsonschema:"millimetres, as engraved"`
	TakenAt  string  `json:"taken_on,omitempty" jsonschema:"day by the camera's clock, ISO 8601"`
}

// pictureSize and previewSize are the longest sides in pixels of a photo's src and of the
// preview of a link to it; srcset lists all sizes.
const (
	pictureSize = 960
	previewSize = 1440
)

// NewPhotoCards returns photos as lists show them.
func NewPhotoCards(site *ui.Site, photos []*portfolio.Photo) []PhotoCard {
	cards := make([]PhotoCard, len(photos))
	for i, p := range photos {
		cards[i] = NewPhotoCard(site, p)
	}
	return cards
}

// what returns the subject and the tags on one line.
func (c *PhotoCard) what() string {
	return strings.Join(append(nonEmpty(c.Subject), c.Tags...), " · ")
}

// About returns the subject, the exposure, the gear and the label on one line.
func (c *PhotoCard) About() string {
	return strings.Join(nonEmpty(c.what(), c.Exposure, c.Camera, c.Lens, c.Label), " · ")
}

// nonEmpty returns texts without empty ones.
func nonEmpty(texts ...string) []string {
	return slices.DeleteFunc(texts, func(text string) bool { return text == "" })
}

// NewProjectCard returns a project as lists show it.
func NewProjectCard(site *ui.Site, p *portfolio.Project) ProjectCard {
	c := ProjectCard{Slug: p.Slug, Title: p.Title, Description: p.Description, Ref: ui.NewRef(ui.ProjectPath(p.Slug)), Photos: len(p.Photos), Notice: p.Notice}
	if cover := p.Cover(); cover != nil {
		c.Cover = NewPicture(site, cover)
	}
	return c
}

// NewPortfolio returns a page of the projects.
func NewPortfolio(site *ui.Site, all *portfolio.Portfolio, page []*portfolio.Project, next ui.Next) *Portfolio {
	p := newPortfolio(site, all, portfolio.Filter{})
	p.Total, p.projects, p.NextCursor, p.next = len(all.Photos()), len(all.Projects), next.Cursor, next
	for _, project := range page {
		p.shown = append(p.shown, project.Photos...)
		p.Projects = append(p.Projects, NewProjectCard(site, project))
	}
	p.Title, p.Summary, p.Links = p.title(context.Background()), p.summary(context.Background()), p.links(context.Background())
	return p
}

// NewPortfolioSearch returns a page of the photos that match f. total counts all of
// them; camera and lens are the gear of the filter, nil for none.
func NewPortfolioSearch(site *ui.Site, all *portfolio.Portfolio, f portfolio.Filter, camera, lens *catalog.Gear, total int, page []*portfolio.Photo, next ui.Next) *Portfolio {
	p := newPortfolio(site, all, f)
	p.camera, p.lens, p.Total, p.NextCursor, p.next = camera, lens, total, next.Cursor, next
	p.Title, p.Summary = p.title(context.Background()), p.summary(context.Background())
	p.shown, p.Photos = page, NewPhotoCards(site, page)
	p.Links = p.links(context.Background())
	return p
}

// kitLink leads to the photographer's gear and its prices.
var kitLink = ui.Link{Href: "/kit", Label: languages.Mark("The kit, and what it's worth")}

// links returns what the page leads to.
func (p *Portfolio) links(ctx context.Context) []ui.Link {
	var links []ui.Link
	if more := p.Next(); more != "" {
		links = append(links, ui.Link{Href: more, Label: "Next page"})
	}
	if p.site.Purpose().HasShop() {
		links = append(links, kitLink, ui.Link{Href: "/gear", Label: "All price histories"})
	}
	if p.narrowed() {
		links = append(links, ui.Link{Href: "/portfolio", Label: "The whole portfolio"})
	}
	for _, g := range []*catalog.Gear{p.camera, p.lens} {
		if g != nil && p.site.Purpose().HasShop() {
			links = append(links, ui.Link{Href: ui.GearPath(g.Slug()), Label: ui.T(ctx, "What the %s sells for", g.Name())})
		}
	}
	return links
}

// title describes the photos that match the filter, such as "Landscape, taken with the
// Canon EOS R6".
func (p *Portfolio) title(ctx context.Context) string {
	if !p.narrowed() {
		return ui.T(ctx, "Portfolio")
	}
	var parts []string
	if f := p.filter; f.Subject != "" {
		parts = append(parts, facetLabel(p.Facets.Subject, f.Subject))
	}
	if f := p.filter; f.Tag != "" {
		parts = append(parts, ui.T(ctx, "tagged “%s”", facetLabel(p.Facets.Tag, f.Tag)))
	}
	if p.camera != nil {
		parts = append(parts, ui.T(ctx, "taken with the %s", p.camera.Name()))
	}
	if p.lens != nil {
		parts = append(parts, languages.Of(ctx).TextIn("lens", "taken with the %s", p.lens.Name()))
	}
	if p.filter.Focal != (portfolio.Focal{}) {
		parts = append(parts, ui.T(ctx, "taken at %s", bandText(ctx, p.filter.Focal)))
	}
	if p.filter.Subject == "" {
		parts[0] = ui.T(ctx, "Photographs %s", parts[0])
	}
	return strings.Join(parts, ", ")
}

// summary says in a sentence what the page shows.
func (p *Portfolio) summary(ctx context.Context) string {
	switch {
	case p.narrowed():
		return photoCount(ctx, p.Total) + "."
	case p.Total == 0:
		return ui.T(ctx, "No photographs yet.")
	}
	return ui.T(ctx, "%s in %s, with camera and lens details where known.", photoCount(ctx, p.Total), ui.TN(ctx, p.projects, "%s project", "%s projects"))
}

// photoCount formats a number of photos: "12 photographs".
func photoCount(ctx context.Context, n int) string {
	return ui.TN(ctx, n, "%s photograph", "%s photographs")
}

// facetLabel returns the label of a value of a facet, or the value if no photo has it.
func facetLabel(facets []ui.Facet, value string) string {
	for _, f := range facets {
		if f.Value == value {
			return f.Label
		}
	}
	return value
}

func newPortfolio(site *ui.Site, all *portfolio.Portfolio, f portfolio.Filter) *Portfolio {
	counts := all.Facets(f)
	p := &Portfolio{Projects: []ProjectCard{}, Photos: []PhotoCard{}, Notice: site.Notice(), filter: f, site: site}
	p.Facets.Subject = nameFacet(counts.Subjects, f.Subject, func(slug string) string { g := f; g.Subject = slug; return ui.FilterPath(g) })
	p.Facets.Tag = nameFacet(counts.Tags, f.Tag, func(slug string) string { g := f; g.Tag = slug; return ui.FilterPath(g) })
	p.Facets.Camera = gearFacet(counts.Cameras, f.Camera, func(slug string) string { g := f; g.Camera = slug; return ui.FilterPath(g) })
	p.Facets.Lens = gearFacet(counts.Lenses, f.Lens, func(slug string) string { g := f; g.Lens = slug; return ui.FilterPath(g) })
	p.Facets.Focal = []ui.Facet{}
	for _, c := range counts.Focals {
		facet := ui.Facet{Value: c.Focal.String(), Label: bandText(context.Background(), c.Focal), Count: c.Photos, Active: c.Focal == f.Focal}
		g := f
		if g.Focal = c.Focal; facet.Active {
			g.Focal = portfolio.Focal{}
		}
		facet = facet.Leading(ui.FilterPath(g))
		p.Facets.Focal = append(p.Facets.Focal, facet)
	}
	return p
}

// maxFacet is the number of values of a facet that pages list.
const maxFacet = 20

func nameFacet(counts []portfolio.NameCount, chosen string, path func(slug string) string) []ui.Facet {
	facets := []ui.Facet{}
	for i, c := range counts {
		if i >= maxFacet && c.Slug != chosen {
			continue
		}
		facet := ui.Facet{Value: c.Slug, Label: c.Name, Count: c.Photos, Active: c.Slug == chosen}.Leading(path(c.Slug))
		if facet.Active {
			facet = facet.Leading(path(""))
		}
		facets = append(facets, facet)
	}
	return facets
}

func gearFacet(counts []portfolio.GearCount, chosen string, path func(slug string) string) []ui.Facet {
	facets := []ui.Facet{}
	for i, c := range counts {
		slug := c.Gear.Slug()
		if i >= maxFacet && slug != chosen {
			continue
		}
		facet := ui.Facet{Value: slug, Label: c.Gear.Name(), Count: c.Photos, Active: slug == chosen}.Leading(path(slug))
		if facet.Active {
			facet = facet.Leading(path(""))
		}
		facets = append(facets, facet)
	}
	return facets
}

// bandText formats a range of focal lengths: "21–35 mm".
func bandText(ctx context.Context, f portfolio.Focal) string {
	switch {
	case f.Max == 0:
		return ui.T(ctx, "%s mm and longer", ui.Decimal(f.Min))
	case f.Min == 0:
		return ui.T(ctx, "up to %s mm", ui.Decimal(f.Max))
	case f.Min == f.Max:
		return ui.Decimal(f.Min) + " mm"
	}
	return ui.Decimal(f.Min) + "–" + ui.Decimal(f.Max) + " mm"
}

func (p *Portfolio) groups(ctx context.Context) []ui.FacetGroup {
	focals := slices.Clone(p.Facets.Focal)
	for i := range focals {
		var band portfolio.Focal
		if band.UnmarshalText([]byte(focals[i].Value)) == nil {
			focals[i].Label = bandText(ctx, band)
		}
	}
	return []ui.FacetGroup{
		{Key: "subject", Label: "Subject", Facets: p.Facets.Subject, Param: "subject"}, {Key: "tag", Label: "Tag", Facets: p.Facets.Tag, Param: "tag"},
		{Key: "camera", Label: "Camera", Facets: p.Facets.Camera, Param: "camera"}, {Key: "lens", Label: "Lens", Facets: p.Facets.Lens, Param: "lens"}, {Key: "focal", Label: "Focal length", Facets: focals, Param: "focal"},
	}
}

// narrowed reports whether a filter is set.
func (p *Portfolio) narrowed() bool { return p.filter != portfolio.Filter{} }

// Next returns the path of the next page, "" when this is the last one.
func (p *Portfolio) Next() string { return p.next.Path(ui.FilterPath(p.filter)) }

// After implements web.PagedPage.
func (p *Portfolio) After() string { return p.NextCursor }

// Head implements Page.
func (p *Portfolio) Head(ctx context.Context) ui.Head {
	h := ui.Head{Title: p.title(ctx), Description: p.summary(ctx), Path: ui.FilterPath(p.filter), Alternates: ui.FeedAlternates(ui.FilterPath(p.filter))}
	if p.narrowed() {
		h.Crumbs = []ui.Link{{Href: "/portfolio", Label: ui.T(ctx, "Portfolio")}}
		h.NoIndex = p.Total == 0
	}
	switch {
	case len(p.Photos) > 0:
		h.Image = p.site.Local(p.Photos[0].Picture.preview)
	case len(p.Projects) > 0 && p.Projects[0].Cover != nil:
		h.Image = p.site.Local(p.Projects[0].Cover.preview)
	}
	return h
}

// Markdown implements Page.
func (p *Portfolio) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, p.title(ctx), ui.T(ctx, p.Notice)).In(ctx)
	m.Paragraph(p.summary(ctx))
	for i := range p.Projects {
		c := &p.Projects[i]
		m.Raw("\n## ", m.Link(ui.Link{Href: c.Page, Label: c.Title}), "\n")
		if c.Notice != "" {
			m.Raw("\n> ", ui.MarkdownText(ui.T(ctx, c.Notice)), "\n")
		}
		m.Paragraph(c.Description)
		m.Paragraph(photoCount(ctx, c.Photos) + ".")
	}
	WritePhotoTable(m, "Photographs", p.Photos)
	m.Facets("How they were taken", p.groups(ctx)...)
	m.Links(p.links(ctx))
	return m.Done(w)
}

// WritePhotoTable writes a section with a table of photos, nothing without photos.
func WritePhotoTable(m *ui.Markdown, heading string, photos []PhotoCard) {
	if len(photos) == 0 {
		return
	}
	m.Section(heading)
	m.Head("Photograph", "Project", "Shows", "Exposure", "Camera", "Lens", "Note")
	for i := range photos {
		c := &photos[i]
		m.Row(m.Link(ui.Link{Href: c.Page, Label: c.Title}), ui.MarkdownText(c.Project), ui.OrDash(c.what()), ui.OrDash(c.Exposure), ui.OrDash(c.Camera), ui.OrDash(c.Lens), ui.OrDash(c.Label))
	}
}

// NewProject returns a page of a project's photos.
func NewProject(site *ui.Site, p *portfolio.Project, page []*portfolio.Photo, next ui.Next) *Project {
	essay := newEssay(site, p)
	v := &Project{Slug: p.Slug, Title: p.Title, Description: p.Description, Body: essayMarkdown(site, p), Total: len(p.Photos), Photos: NewPhotoCards(site, page), NextCursor: next.Cursor, next: next,
		Ref: ui.NewRef(p.Path()), Notice: p.Notice, Links: []ui.Link{}, path: p.Path(), delivered: p.Gallery != "", unlisted: p.Visibility != portfolio.Public, site: site}
	var others []PhotoCard
	for _, c := range v.Photos {
		if !hasPhoto(essay, c.Page) {
			others = append(others, c)
		}
	}
	v.parts = rowsOf(others)
	if cover := p.Cover(); cover != nil && len(page) > 0 && page[0] == p.Photos[0] {
		v.parts = append(essay, v.parts...)
		v.begin(NewPhotoCard(site, cover))
	}
	if cover := p.Cover(); cover != nil {
		v.cover = NewPicture(site, cover)
	}
	if !p.Date.IsZero() {
		v.Date = p.Date.Format(time.DateOnly)
	}
	if more := v.Next(); more != "" {
		v.Links = append(v.Links, ui.Link{Href: more, Label: "Next page"})
	}
	if v.delivered {
		return v
	}
	v.Links = append(v.Links, ui.Link{Href: "/portfolio", Label: "The whole portfolio"})
	if site.Purpose().HasShop() {
		v.Links = append(v.Links, kitLink)
	}
	return v
}

// begin shows the cover at the head of the page, instead of in a row of its own or of photos
// without a layout.
func (p *Project) begin(cover PhotoCard) {
	p.first = &cover
	for i := range p.parts {
		part := &p.parts[i]
		if part.layout == "" || len(part.photos) == 1 {
			part.photos = slices.DeleteFunc(part.photos, func(c PhotoCard) bool { return c.Page == cover.Page })
		}
	}
	p.parts = slices.DeleteFunc(p.parts, func(part essayPart) bool { return part.html == "" && len(part.photos) == 0 })
}

// eager returns the number of photos of a part that load at once.
func (p *Project) eager(part int) int {
	if part == 0 && p.first == nil {
		return 2
	}
	return 0
}

// Next returns the path of the next page, "" when this is the last one.
func (p *Project) Next() string { return p.next.Path(p.path) }

// After implements web.PagedPage.
func (p *Project) After() string { return p.NextCursor }

// Head implements Page.
func (p *Project) Head(ctx context.Context) ui.Head {
	if p.delivered {
		return ui.Head{Title: p.Title, Description: cmp.Or(p.Description, photoCount(ctx, p.Total)+"."), Path: p.path, NoIndex: true}
	}
	h := ui.Head{Title: p.Title, Description: cmp.Or(p.Description, photoCount(ctx, p.Total)+"."), Path: p.path, Crumbs: []ui.Link{{Href: "/portfolio", Label: ui.T(ctx, "Portfolio")}}, NoIndex: p.unlisted}
	if p.cover != nil {
		h.Image = p.site.Local(p.cover.preview)
	}
	return h
}

// labels returns what the photos of the project are labelled with, each once.
func (p *Project) labels() (all []string) {
	for _, photo := range p.Photos {
		if photo.Label != "" && !slices.Contains(all, photo.Label) {
			all = append(all, photo.Label)
		}
	}
	return all
}

// dateLine returns the date of the project and its number of photos.
func (p *Project) dateLine(ctx context.Context) string {
	s := photoCount(ctx, p.Total)
	if p.Date != "" {
		s = ui.DayIn(ctx, p.Date) + " · " + s
	}
	return s
}

// Markdown implements Page.
func (p *Project) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, p.Title, ui.T(ctx, p.Notice)).In(ctx)
	m.Paragraph(p.Description)
	m.Paragraph(p.dateLine(ctx))
	if p.Body != "" {
		m.Body(p.Body)
	}
	WritePhotoTable(m, "Photographs", p.Photos)
	m.Links(p.Links)
	return m.Done(w)
}

// PhotoParts holds what the page of a photo is made of.
type PhotoParts struct {
	Photo *portfolio.Photo
	// Camera and Lens are nil when they are not in the catalogue.
	Camera, Lens *ui.GearCard
}

// NewProjectPhoto returns the page of a photo.
func NewProjectPhoto(site *ui.Site, parts PhotoParts) *ProjectPhoto {
	photo := parts.Photo
	project := photo.Project
	p := &ProjectPhoto{
		Title: photo.Title, Caption: photo.Caption, Credit: photo.Credit, Project: ui.Link{Href: project.Path(), Label: project.Title}, Subject: photo.Subject, Tags: ui.List(photo.Tags),
		Total: len(project.Photos), Picture: *NewPicture(site, photo), Exposure: newExposure(&photo.Exposure),
		Camera: parts.Camera, Lens: parts.Lens, Ref: ui.NewRef(ui.PhotoPath(photo)), Notice: project.Notice, path: ui.PhotoPath(photo), shot: newShot(site, photo), site: site,
	}
	p.delivered = project.Gallery != ""
	p.License, p.Copyright, p.Location, p.unlisted = photo.License, photo.Copyright, photo.Location, project.Visibility != portfolio.Public
	if sizes := photo.Sizes(); project.Downloads {
		p.download = fmt.Sprintf("%s%d.jpg", photo.PicturePath(), sizes[len(sizes)-1])
	}
	if p.Camera == nil {
		p.CameraName = strings.TrimSpace(photo.Exposure.Make + " " + photo.Exposure.Model)
	}
	if p.Lens == nil {
		p.LensName = photo.Exposure.LensModel
	}
	for i, other := range project.Photos {
		if other == photo {
			p.Position = i + 1
			if i > 0 {
				p.Previous = &ui.Link{Href: ui.PhotoPath(project.Photos[i-1]), Label: project.Photos[i-1].Title}
			}
			if i+1 < len(project.Photos) {
				p.Following = &ui.Link{Href: ui.PhotoPath(project.Photos[i+1]), Label: project.Photos[i+1].Title}
				p.ahead = NewPicture(site, project.Photos[i+1])
			}
		}
	}
	p.Links = p.links(context.Background())
	return p
}

// links returns what the page leads to.
func (p *ProjectPhoto) links(ctx context.Context) []ui.Link {
	links := []ui.Link{{Href: p.Project.Href, Label: ui.T(ctx, "All of %s", p.Project.Label)}}
	if p.delivered {
		return links
	}
	if c := p.Camera; c != nil {
		links = append(links, ui.Link{Href: ui.FilterPath(portfolio.Filter{Camera: c.Slug}), Label: ui.T(ctx, "More taken with the %s", c.Name)})
	}
	if l := p.Lens; l != nil {
		links = append(links, ui.Link{Href: ui.FilterPath(portfolio.Filter{Lens: l.Slug}), Label: languages.Of(ctx).TextIn("lens", "More taken with the %s", l.Name)})
	}
	return append(links, ui.Link{Href: p.askPath(), Label: "Enquire about a print"}, ui.Link{Href: "/portfolio", Label: "The whole portfolio"})
}

// askPath returns the path of the contact form about a print of the photo.
func (p *ProjectPhoto) askPath() string {
	return ui.ContactPath + "?topic=" + string(models.ContactPrint) + "&about=" + p.path
}

func newExposure(x *portfolio.Exposure) *Exposure {
	v := &Exposure{Text: exposureText(x), Aperture: x.Aperture, Time: timeText(x.Time), ISO: x.ISO, Focal: x.Focal}
	if !x.TakenAt.IsZero() {
		v.TakenAt = x.TakenAt.Format(time.DateOnly)
	}
	if v.Text == "" && v.TakenAt == "" {
		return nil
	}
	return v
}

// exposureText formats an exposure on one line, "" when nothing is known.
func exposureText(x *portfolio.Exposure) string {
	var parts []string
	if x.Aperture > 0 {
		parts = append(parts, "ƒ/"+ui.Decimal(x.Aperture))
	}
	if x.Time > 0 {
		parts = append(parts, timeText(x.Time))
	}
	if x.ISO > 0 {
		parts = append(parts, "ISO "+strconv.Itoa(x.ISO))
	}
	if x.Focal > 0 {
		parts = append(parts, ui.Decimal(x.Focal)+" mm")
	}
	return strings.Join(parts, " · ")
}

// timeText formats an exposure time in seconds: "1/250 s", "0.8 s", "2 s".
func timeText(seconds float64) string {
	switch {
	case seconds <= 0:
		return ""
	case seconds >= 0.3:
		return ui.Decimal(math.Round(seconds*10)/10) + " s"
	}
	return "1/" + strconv.Itoa(int(math.Round(1/seconds))) + " s"
}

// gear returns the camera and the lens that are in the catalogue.
func (p *ProjectPhoto) gear() []ui.GearCard {
	var cards []ui.GearCard
	for _, c := range []*ui.GearCard{p.Camera, p.Lens} {
		if c != nil {
			cards = append(cards, *c)
		}
	}
	return cards
}

// facts returns the facts of the photo for display.
func (p *ProjectPhoto) facts(ctx context.Context) []ui.Fact {
	rows := []ui.Fact{{Name: "Photograph", Value: ui.T(ctx, "%d of %d", p.Position, p.Total)}, {Name: "Credit", Value: p.Credit}, {Name: "Subject", Value: p.Subject}, {Name: "Tags", Value: strings.Join(p.Tags, ", ")},
		{Name: "Location", Value: p.Location}, {Name: "Copyright", Value: p.Copyright}, {Name: "License", Value: p.License}}
	if p.Exposure != nil {
		rows = append(rows, ui.Fact{Name: "Exposure", Value: p.Exposure.Text}, ui.Fact{Name: "Taken", Value: ui.DayIn(ctx, p.Exposure.TakenAt)})
	}
	return append(rows, p.gearFact("Camera", p.Camera, p.CameraName), p.gearFact("Lens", p.Lens, p.LensName))
}

func (p *ProjectPhoto) gearFact(name string, card *ui.GearCard, written string) ui.Fact {
	if card == nil {
		return ui.Fact{Name: name, Value: written}
	}
	if !p.site.Purpose().HasShop() {
		return ui.Fact{Name: name, Value: card.Name}
	}
	return ui.Fact{Name: name, Value: card.Name, Href: ui.GearPath(card.Slug)}
}

// Head implements Page.
func (p *ProjectPhoto) Head(ctx context.Context) ui.Head {
	if p.delivered {
		return ui.Head{Title: p.Title, Description: cmp.Or(p.Caption, p.Picture.Alt), Path: p.path, Crumbs: []ui.Link{p.Project}, NoIndex: true}
	}
	return ui.Head{
		Title: p.Title, Description: cmp.Or(p.Caption, p.Picture.Alt), Path: p.path,
		Crumbs: []ui.Link{{Href: "/portfolio", Label: ui.T(ctx, "Portfolio")}, p.Project}, Image: p.site.Local(p.Picture.preview), NoIndex: p.unlisted,
	}
}

// Markdown implements Page.
func (p *ProjectPhoto) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, p.Title, ui.T(ctx, p.Notice)).In(ctx)
	m.Raw("\n[![", ui.MarkdownText(p.Picture.Alt), "](", p.Picture.Src, ")](", p.site.URL(ui.MarkdownPath(p.Page)), ")\n")
	m.Paragraph(p.Caption)
	m.Raw("\n")
	m.FactRows(append([]ui.Fact{{Name: "Project", Value: p.Project.Label, Href: p.Project.Href}}, p.facts(ctx)...))
	if cards := p.gear(); len(cards) > 0 && p.site.Purpose().HasShop() {
		m.Section("Gear used")
		m.GearTable(cards)
	}
	var links []ui.Link
	if p.Previous != nil {
		links = append(links, ui.Link{Href: p.Previous.Href, Label: ui.T(ctx, "Previous:") + " " + p.Previous.Label})
	}
	if p.Following != nil {
		links = append(links, ui.Link{Href: p.Following.Href, Label: ui.T(ctx, "Next:") + " " + p.Following.Label})
	}
	m.Links(append(links, p.links(ctx)...))
	return m.Done(w)
}

// Schema describes the project as a gallery of its photos.
func (p *Project) Schema() ui.Thing {
	var images []ui.Thing
	for i := range p.Photos {
		c := &p.Photos[i]
		images = append(images, ui.NewThing("ImageObject", "name", c.Title, "contentUrl", c.Picture.Src, "url", p.site.URL(c.Page), "description", c.Picture.Alt))
	}
	return ui.NewThing("ImageGallery", "name", p.Title, "description", p.Description, "url", p.site.URL(p.Page), "datePublished", p.Date, "image", images)
}

// Schema describes the photo. Its creator is the credited photographer, or else the
// owner; demonstration photos have none.
func (p *ProjectPhoto) Schema() ui.Thing {
	creator, credit := p.site.OwnerThing(), p.site.Owner()
	switch {
	case p.Credit != "":
		creator, credit = ui.NewThing("Person", "name", p.Credit), p.Credit
	case p.Notice != "":
		creator, credit = nil, p.Notice
	}
	return ui.NewThing("ImageObject", "name", p.Title, "contentUrl", p.Picture.Src, "url", p.site.URL(p.Page), "caption", p.Caption, "description", p.Picture.Alt,
		"width", p.Picture.Width, "height", p.Picture.Height, "creator", creator, "creditText", credit)
}

// feed returns the page's feed.
func (p *Portfolio) feed() (*ui.Feed, error) {
	f := &ui.Feed{Title: p.Title + " – " + p.site.Name(), Text: p.Summary, Path: ui.FilterPath(p.filter), Next: p.Next(), Site: p.site}
	for _, photo := range p.shown {
		if photo.Project.Date.IsZero() || len(f.Entries) == ui.FeedPhotos {
			continue
		}
		picture, day := NewPicture(p.site, photo), photo.Project.Date.Format(time.RFC3339)
		lines := []string{photo.Caption, photo.Credit, photo.Project.Notice}
		e := ui.FeedEntry{
			ID: p.site.URL(ui.PhotoPath(photo)), URL: p.site.URL(ui.PhotoPath(photo)), Title: photo.Title, Image: picture.Src, Published: day, Updated: day,
			Summary: strings.Join(slices.DeleteFunc(lines, func(s string) bool { return s == "" }), " "), Tags: []string{photo.Project.Title},
		}
		e.HTML = `<p><img src="` + html.EscapeString(picture.Src) + `" alt="` + html.EscapeString(picture.Alt) + `"></p><p>` + html.EscapeString(e.Summary) + "</p>"
		f.Entries = append(f.Entries, e)
	}
	return f, nil
}

// Atom writes the page's feed in Atom format.
func (p *Portfolio) Atom(w io.Writer) error { return ui.WriteFeed(p.feed, (*ui.Feed).Atom, w) }

// JSONFeed writes the page's feed in JSON Feed format.
func (p *Portfolio) JSONFeed(w io.Writer) error { return ui.WriteFeed(p.feed, (*ui.Feed).JSON, w) }

// Personal reports whether the page depends on the reader: an empty portfolio says to its
// photographer what to do.
func (p *Portfolio) Personal() bool { return p.Total == 0 && !p.narrowed() }
