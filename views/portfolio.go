package views

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/portfolio"
)

// Portfolio is the page of every project, or of the photographs that were taken
// in some way.
type Portfolio struct {
	Title      string          `json:"title"`
	Summary    string          `json:"summary"`
	Total      int             `json:"total" jsonschema:"number of photographs that fit"`
	Projects   []ProjectCard   `json:"projects" jsonschema:"every project, newest first; empty when narrowed to some photographs"`
	Photos     []PhotoCard     `json:"photos" jsonschema:"the photographs that fit; empty when not narrowed"`
	Facets     PortfolioFacets `json:"facets"`
	NextCursor string          `json:"next_cursor,omitempty"`
	Links      []Link          `json:"links"`
	Notice     string          `json:"notice,omitempty"`
	filter     portfolio.Filter
	shown      []*portfolio.Photo // what the feed has
	site       *Site
}

// PortfolioFacets are what photographs can be narrowed to.
type PortfolioFacets struct {
	Camera []Facet `json:"camera"`
	Lens   []Facet `json:"lens"`
	Focal  []Facet `json:"focal" jsonschema:"ranges of focal length in millimetres"`
}

// ProjectCard is a project as lists show it.
type ProjectCard struct {
	Slug        string   `json:"slug"`
	Title       string   `json:"title"`
	Description string   `json:"description,omitempty"`
	URL         string   `json:"url"`
	Photos      int      `json:"photos" jsonschema:"number of photographs"`
	Notice      string   `json:"notice,omitempty"`
	Cover       *Picture `json:"photo,omitempty" jsonschema:"the first photograph"`
}

// PhotoCard is a photograph as lists show it.
type PhotoCard struct {
	Title    string   `json:"title"`
	URL      string   `json:"url"`
	Project  string   `json:"project" jsonschema:"title of the project"`
	Exposure string   `json:"exposure,omitempty" jsonschema:"such as ƒ/8 · 1/250 s · ISO 100 · 35 mm"`
	Camera   string   `json:"camera,omitempty" jsonschema:"name of the camera"`
	Lens     string   `json:"lens,omitempty" jsonschema:"name of the lens"`
	Label    string   `json:"label,omitempty" jsonschema:"what must be known about the photograph, such as that it is a demonstration"`
	Picture  *Picture `json:"photo"`
}

// Picture is a photograph of the portfolio with its sizes.
type Picture struct {
	Photo
	Placeholder string `json:"placeholder,omitempty" jsonschema:"data URI of a few pixels to show until the photograph is there"`
}

// Project is the page of one project.
type Project struct {
	Slug        string      `json:"slug"`
	Title       string      `json:"title"`
	Description string      `json:"description,omitempty"`
	Date        string      `json:"date,omitempty" jsonschema:"day, ISO 8601"`
	Body        string      `json:"body,omitempty" jsonschema:"the text in Markdown"`
	Total       int         `json:"total" jsonschema:"number of photographs"`
	Photos      []PhotoCard `json:"photos"`
	NextCursor  string      `json:"next_cursor,omitempty"`
	Links       []Link      `json:"links"`
	URL         string      `json:"url"`
	Notice      string      `json:"notice,omitempty"`
	html        string
	site        *Site
}

// ProjectPhoto is the page of one photograph.
type ProjectPhoto struct {
	Title    string    `json:"title"`
	Caption  string    `json:"caption,omitempty"`
	Credit   string    `json:"credit,omitempty" jsonschema:"whose photograph it is; absent for the owner's"`
	Project  Link      `json:"project"`
	Position int       `json:"position" jsonschema:"place in the project, from 1"`
	Total    int       `json:"total" jsonschema:"photographs in the project"`
	Picture  Picture   `json:"photo"`
	Exposure *Exposure `json:"exposure,omitempty" jsonschema:"what the camera wrote into the file; absent when it wrote nothing"`
	Camera   *GearCard `json:"camera,omitempty" jsonschema:"with what it sells for now and how many are for sale; absent when the catalogue does not know it"`
	Lens     *GearCard `json:"lens,omitempty" jsonschema:"with what it sells for now and how many are for sale; absent when the catalogue does not know it"`
	// What the file calls gear that the catalogue does not know.
	CameraName string `json:"camera_name,omitempty" jsonschema:"the camera as the file names it, when the catalogue does not know it"`
	LensName   string `json:"lens_name,omitempty" jsonschema:"the lens as the file names it, when the catalogue does not know it"`
	Previous   *Link  `json:"previous,omitempty"`
	Following  *Link  `json:"next,omitempty"`
	Links      []Link `json:"links"`
	URL        string `json:"url"`
	Notice     string `json:"notice,omitempty"`
	path       string
	site       *Site
}

// Exposure is how a photograph was taken.
type Exposure struct {
	Text     string  `json:"text" jsonschema:"in one line: ƒ/8 · 1/250 s · ISO 100 · 35 mm"`
	Aperture float64 `json:"aperture,omitempty" jsonschema:"f-number"`
	Time     string  `json:"time,omitempty" jsonschema:"such as 1/250 s"`
	ISO      int     `json:"iso,omitempty"`
	Focal    float64 `json:"focal_length,omitempty" jsonschema:"millimetres, as engraved"`
	TakenAt  string  `json:"taken_on,omitempty" jsonschema:"day by the camera's clock, ISO 8601"`
}

// Kit is the page of the photographer's bag and what it is worth today.
type Kit struct {
	Title       string        `json:"title"`
	Description string        `json:"description,omitempty"`
	Body        string        `json:"body,omitempty" jsonschema:"the text in Markdown"`
	Worth       *models.Money `json:"worth,omitempty" jsonschema:"sum of the values that are known"`
	Items       []KitItem     `json:"items"`
	Unknown     int           `json:"unknown" jsonschema:"items with too few sales to value"`
	Method      string        `json:"method" jsonschema:"how the values are made"`
	Links       []Link        `json:"links"`
	Notice      string        `json:"notice,omitempty"`
	html        string
	site        *Site
}

// KitItem is gear in the bag.
type KitItem struct {
	GearCard
	Condition models.Condition `json:"condition,omitempty"`
	Value     *models.Money    `json:"value,omitempty" jsonschema:"sold median of 12 months, in its condition when that has sales enough; absent with too few sales"`
	Basis     string           `json:"value_of" jsonschema:"which sales the value is the median of"`
	Photos    int              `json:"photos" jsonschema:"photographs of the portfolio that were taken with it"`
	Note      string           `json:"note,omitempty"`
}

func projectPath(slug string) string { return "/portfolio/" + slug }

func photoPath(p *portfolio.Photo) string { return projectPath(p.Project.Slug) + "/" + p.Slug }

// filterPath is the address of the photographs that a filter chooses.
func filterPath(f portfolio.Filter) string {
	q := url.Values{}
	for name, value := range map[string]string{"camera": f.Camera, "lens": f.Lens, "focal": f.Focal.String()} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if len(q) == 0 {
		return "/portfolio"
	}
	return "/portfolio?" + strings.ReplaceAll(q.Encode(), "%2F", "/")
}

// pictureSize is the size of a photograph's src; srcset has them all.
const pictureSize = 960

// NewPicture makes a photograph with its sizes.
func NewPicture(site *Site, p *portfolio.Photo) *Picture {
	base := site.URL("/photos/" + p.Key + "-")
	sizes := p.Sizes()
	var set []string
	src := sizes[0]
	for _, size := range sizes {
		w, _ := p.In(size)
		set = append(set, fmt.Sprintf("%s%d.jpg %dw", base, size, w))
		if size <= pictureSize {
			src = size
		}
	}
	w, h := p.In(src)
	return &Picture{Photo{Src: fmt.Sprintf("%s%d.jpg", base, src), SrcSet: strings.Join(set, ", "), Alt: p.Alt, Width: w, Height: h}, p.Placeholder}
}

// NewPhotoCard makes a photograph as lists show it.
func NewPhotoCard(site *Site, p *portfolio.Photo) PhotoCard {
	c := PhotoCard{Title: p.Title, URL: site.URL(photoPath(p)), Project: p.Project.Title, Exposure: exposureText(&p.Exposure), Label: p.Project.Label, Picture: NewPicture(site, p)}
	if p.Camera != nil {
		c.Camera = p.Camera.Name()
	}
	if p.Lens != nil {
		c.Lens = p.Lens.Name()
	}
	return c
}

// NewPhotoCards makes photographs as lists show them.
func NewPhotoCards(site *Site, photos []*portfolio.Photo) []PhotoCard {
	cards := make([]PhotoCard, len(photos))
	for i, p := range photos {
		cards[i] = NewPhotoCard(site, p)
	}
	return cards
}

// about is how the photograph was taken, and what must be known about it, in one line.
func (c *PhotoCard) about() string {
	var parts []string
	for _, part := range []string{c.Exposure, c.Camera, c.Lens, c.Label} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " · ")
}

func newProjectCard(site *Site, p *portfolio.Project) ProjectCard {
	c := ProjectCard{Slug: p.Slug, Title: p.Title, Description: p.Description, URL: site.URL(projectPath(p.Slug)), Photos: len(p.Photos), Notice: p.Notice}
	if len(p.Photos) > 0 {
		c.Cover = NewPicture(site, p.Photos[0])
	}
	return c
}

// NewPortfolio makes the page of every project.
func NewPortfolio(site *Site, all *portfolio.Portfolio) *Portfolio {
	p := newPortfolio(site, all, portfolio.Filter{})
	p.shown = all.Photos()
	p.Title, p.Total = "Portfolio", len(p.shown)
	p.Summary = countText(p.Total, "photograph", "photographs") + " in " + countText(len(all.Projects), "project", "projects") + ", each with the camera and lens it was taken with where that is known."
	if p.Total == 0 {
		p.Summary = "No photographs yet."
	}
	for _, project := range all.Projects {
		p.Projects = append(p.Projects, newProjectCard(site, project))
	}
	return p
}

// NewPortfolioSearch makes the page of the photographs that a filter chooses:
// total counts them, of which this page shows some. camera and lens are those
// that the filter names, nil for none.
func NewPortfolioSearch(site *Site, all *portfolio.Portfolio, f portfolio.Filter, camera, lens *models.Gear, total int, page []*portfolio.Photo, next string) *Portfolio {
	p := newPortfolio(site, all, f)
	var how []string
	if camera != nil {
		how = append(how, "with the "+camera.Name())
	}
	if lens != nil {
		how = append(how, "through the "+lens.Name())
	}
	if f.Focal != (portfolio.Focal{}) {
		how = append(how, "at "+bandText(f.Focal))
	}
	p.Title, p.Total, p.NextCursor = "Photographs taken "+strings.Join(how, ", "), total, next
	p.Summary = countText(total, "photograph", "photographs") + " taken " + strings.Join(how, ", ") + "."
	p.shown, p.Photos = page, NewPhotoCards(site, page)
	if next != "" {
		p.Links = append([]Link{{p.Next(), "Next page"}}, p.Links...)
	}
	p.Links = append(p.Links, Link{"/portfolio", "The whole portfolio"})
	for _, g := range []*models.Gear{camera, lens} {
		if g != nil {
			p.Links = append(p.Links, Link{gearPath(g.Slug()), "What the " + g.Name() + " sells for"})
		}
	}
	return p
}

func newPortfolio(site *Site, all *portfolio.Portfolio, f portfolio.Filter) *Portfolio {
	counts := all.Facets(f)
	p := &Portfolio{Projects: []ProjectCard{}, Photos: []PhotoCard{}, Notice: site.notice(), filter: f, site: site,
		Links: []Link{{"/kit", "What is in the bag, and what it is worth"}, {"/gear", "Every camera and lens, with its price history"}}}
	p.Facets.Camera = gearFacet(counts.Cameras, f.Camera, func(slug string) string { g := f; g.Camera = slug; return filterPath(g) })
	p.Facets.Lens = gearFacet(counts.Lenses, f.Lens, func(slug string) string { g := f; g.Lens = slug; return filterPath(g) })
	p.Facets.Focal = []Facet{}
	for _, c := range counts.Focals {
		facet := Facet{Value: c.Focal.String(), Label: bandText(c.Focal), Count: c.Photos, Active: c.Focal == f.Focal}
		g := f
		if g.Focal = c.Focal; facet.Active {
			g.Focal = portfolio.Focal{}
		}
		facet.Href = filterPath(g)
		p.Facets.Focal = append(p.Facets.Focal, facet)
	}
	return p
}

func gearFacet(counts []portfolio.GearCount, chosen string, path func(slug string) string) []Facet {
	facets := []Facet{}
	for _, c := range counts {
		slug := c.Gear.Slug()
		facet := Facet{Value: slug, Label: c.Gear.Name(), Count: c.Photos, Href: path(slug), Active: slug == chosen}
		if facet.Active {
			facet.Href = path("")
		}
		facets = append(facets, facet)
	}
	return facets
}

// bandText is a range of focal lengths for people: "21–35 mm".
func bandText(f portfolio.Focal) string {
	switch {
	case f.Max == 0:
		return decimal(f.Min) + " mm and longer"
	case f.Min == 0:
		return "up to " + decimal(f.Max) + " mm"
	case f.Min == f.Max:
		return decimal(f.Min) + " mm"
	}
	return decimal(f.Min) + "–" + decimal(f.Max) + " mm"
}

func (p *Portfolio) groups() []facetGroup {
	return []facetGroup{{"camera", "Camera", p.Facets.Camera}, {"lens", "Lens", p.Facets.Lens}, {"focal", "Focal length", p.Facets.Focal}}
}

func (p *Portfolio) narrowed() bool { return p.filter != portfolio.Filter{} }

// Next is where the page goes on, "" when it does not.
func (p *Portfolio) Next() string {
	if p.NextCursor == "" {
		return ""
	}
	return withCursor(filterPath(p.filter), p.NextCursor)
}

// Head implements Page.
func (p *Portfolio) Head() Head {
	h := Head{Title: p.Title, Description: p.Summary, Path: filterPath(p.filter), Alternates: feedAlternates(filterPath(p.filter))}
	if p.narrowed() {
		h.Crumbs = []Link{{"/portfolio", "Portfolio"}}
		h.NoIndex = p.Total == 0
	}
	switch {
	case len(p.Photos) > 0:
		h.Image = p.site.local(p.Photos[0].Picture.Src)
	case len(p.Projects) > 0 && p.Projects[0].Cover != nil:
		h.Image = p.site.local(p.Projects[0].Cover.Src)
	}
	return h
}

// Markdown implements Page.
func (p *Portfolio) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, p.Title, p.Notice)
	m.text(p.Summary)
	for i := range p.Projects {
		c := &p.Projects[i]
		m.raw("\n## ", m.link(Link{p.site.local(c.URL), c.Title}), "\n")
		if c.Notice != "" {
			m.raw("\n> ", mdText(c.Notice), "\n")
		}
		m.text(c.Description)
		m.text(countText(c.Photos, "photograph", "photographs") + ".")
	}
	m.photoTable("Photographs", p.Photos)
	m.facets("How they were taken", p.groups()...)
	m.links(p.Links)
	return m.done(w)
}

// photoTable writes photographs as a table, under a heading of their own.
func (m *markdown) photoTable(heading string, photos []PhotoCard) {
	if len(photos) == 0 {
		return
	}
	m.section(heading)
	m.head("Photograph", "Project", "Exposure", "Camera", "Lens", "Note")
	for i := range photos {
		c := &photos[i]
		m.row(m.link(Link{m.site.local(c.URL), c.Title}), mdText(c.Project), orDash(c.Exposure), orDash(c.Camera), orDash(c.Lens), orDash(c.Label))
	}
}

func orDash(s string) string { return cmp.Or(mdText(s), "–") }

// NewProject makes the page of a project, of whose photographs this page shows some.
func NewProject(site *Site, p *portfolio.Project, page []*portfolio.Photo, next string) (*Project, error) {
	html, err := content.HTML(p.Markdown)
	v := &Project{Slug: p.Slug, Title: p.Title, Description: p.Description, Body: p.Markdown, Total: len(p.Photos), Photos: NewPhotoCards(site, page), NextCursor: next,
		URL: site.URL(projectPath(p.Slug)), Notice: p.Notice, Links: []Link{}, html: html, site: site}
	if !p.Date.IsZero() {
		v.Date = p.Date.Format(time.DateOnly)
	}
	if next != "" {
		v.Links = append(v.Links, Link{v.Next(), "Next page"})
	}
	v.Links = append(v.Links, Link{"/portfolio", "The whole portfolio"}, Link{"/kit", "What is in the bag, and what it is worth"})
	return v, err
}

// Next is where the page goes on, "" when it does not.
func (p *Project) Next() string {
	if p.NextCursor == "" {
		return ""
	}
	return withCursor(projectPath(p.Slug), p.NextCursor)
}

// body is the text, which package content has rendered safely.
func (p *Project) body() templ.Component { return templ.Raw(p.html) }

// Head implements Page.
func (p *Project) Head() Head {
	h := Head{Title: p.Title, Description: cmp.Or(p.Description, countText(p.Total, "photograph", "photographs")+"."), Path: projectPath(p.Slug), Crumbs: []Link{{"/portfolio", "Portfolio"}}}
	if len(p.Photos) > 0 {
		h.Image = p.site.local(p.Photos[0].Picture.Src)
	}
	return h
}

// dateLine is when the project was made and how large it is.
func (p *Project) dateLine() string {
	s := countText(p.Total, "photograph", "photographs")
	if p.Date != "" {
		s = DayText(p.Date) + " · " + s
	}
	return s
}

// Markdown implements Page.
func (p *Project) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, p.Title, p.Notice)
	m.text(p.Description)
	m.text(p.dateLine())
	if p.Body != "" {
		m.raw("\n", strings.ReplaceAll(p.Body, "](/", "]("+p.site.BaseURL+"/"))
	}
	m.photoTable("Photographs", p.Photos)
	m.links(p.Links)
	return m.done(w)
}

// PhotoParts are what the page of a photograph is made of.
type PhotoParts struct {
	Photo *portfolio.Photo
	// Camera and Lens with what they sell for, nil when the catalogue does not know them.
	Camera, Lens *GearCard
}

// NewProjectPhoto makes the page of a photograph.
func NewProjectPhoto(site *Site, parts PhotoParts) *ProjectPhoto {
	photo := parts.Photo
	project := photo.Project
	p := &ProjectPhoto{
		Title: photo.Title, Caption: photo.Caption, Credit: photo.Credit, Project: Link{projectPath(project.Slug), project.Title},
		Total: len(project.Photos), Picture: *NewPicture(site, photo), Exposure: newExposure(&photo.Exposure),
		Camera: parts.Camera, Lens: parts.Lens, URL: site.URL(photoPath(photo)), Notice: project.Notice, path: photoPath(photo), site: site,
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
				p.Previous = &Link{photoPath(project.Photos[i-1]), project.Photos[i-1].Title}
			}
			if i+1 < len(project.Photos) {
				p.Following = &Link{photoPath(project.Photos[i+1]), project.Photos[i+1].Title}
			}
		}
	}
	p.Links = []Link{{p.Project.Href, "All of " + p.Project.Label}}
	if photo.Camera != nil {
		p.Links = append(p.Links, Link{filterPath(portfolio.Filter{Camera: photo.Camera.Slug()}), "More taken with the " + photo.Camera.Name()})
	}
	if photo.Lens != nil {
		p.Links = append(p.Links, Link{filterPath(portfolio.Filter{Lens: photo.Lens.Slug()}), "More taken through the " + photo.Lens.Name()})
	}
	p.Links = append(p.Links, Link{"/portfolio", "The whole portfolio"})
	return p
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

// exposureText is an exposure in one line, "" when nothing is known.
func exposureText(x *portfolio.Exposure) string {
	var parts []string
	if x.Aperture > 0 {
		parts = append(parts, "ƒ/"+decimal(x.Aperture))
	}
	if x.Time > 0 {
		parts = append(parts, timeText(x.Time))
	}
	if x.ISO > 0 {
		parts = append(parts, "ISO "+strconv.Itoa(x.ISO))
	}
	if x.Focal > 0 {
		parts = append(parts, decimal(x.Focal)+" mm")
	}
	return strings.Join(parts, " · ")
}

// timeText is an exposure time as photographers write it: "1/250 s", "0.8 s", "2 s".
func timeText(seconds float64) string {
	switch {
	case seconds <= 0:
		return ""
	case seconds >= 0.3:
		return decimal(math.Round(seconds*10)/10) + " s"
	}
	return "1/" + strconv.Itoa(int(math.Round(1/seconds))) + " s"
}

// gear is the camera and the lens as far as the catalogue knows them.
func (p *ProjectPhoto) gear() []GearCard {
	var cards []GearCard
	for _, c := range []*GearCard{p.Camera, p.Lens} {
		if c != nil {
			cards = append(cards, *c)
		}
	}
	return cards
}

// facts are what is known about the photograph, for every face.
func (p *ProjectPhoto) facts() []fact {
	rows := []fact{{Name: "Photograph", Value: fmt.Sprintf("%d of %d", p.Position, p.Total)}, {Name: "Credit", Value: p.Credit}}
	if p.Exposure != nil {
		rows = append(rows, fact{Name: "Exposure", Value: p.Exposure.Text}, fact{Name: "Taken", Value: DayText(p.Exposure.TakenAt)})
	}
	return append(rows, p.gearFact("Camera", p.Camera, p.CameraName), p.gearFact("Lens", p.Lens, p.LensName))
}

func (p *ProjectPhoto) gearFact(name string, card *GearCard, written string) fact {
	if card == nil {
		return fact{Name: name, Value: written}
	}
	return fact{name, card.Name, gearPath(card.Slug)}
}

// Head implements Page.
func (p *ProjectPhoto) Head() Head {
	return Head{
		Title: p.Title, Description: cmp.Or(p.Caption, p.Picture.Alt), Path: p.path,
		Crumbs: []Link{{"/portfolio", "Portfolio"}, p.Project}, Image: p.site.local(p.Picture.Src),
	}
}

// Markdown implements Page.
func (p *ProjectPhoto) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, p.Title, p.Notice)
	m.raw("\n[![", mdText(p.Picture.Alt), "](", p.Picture.Src, ")](", p.URL, ")\n")
	m.text(p.Caption)
	m.raw("\n")
	m.factRows(append([]fact{{"Project", p.Project.Label, p.Project.Href}}, p.facts()...))
	if cards := p.gear(); len(cards) > 0 {
		m.section("What it was taken with, and what that sells for")
		m.gearTable(cards)
	}
	var links []Link
	if p.Previous != nil {
		links = append(links, Link{p.Previous.Href, "Previous: " + p.Previous.Label})
	}
	if p.Following != nil {
		links = append(links, Link{p.Following.Href, "Next: " + p.Following.Label})
	}
	m.links(append(links, p.Links...))
	return m.done(w)
}

// KitMethod is how the values of a bag are made.
const KitMethod = "The value of an item is the median of what the same gear sold for in the last 12 months, in the item's condition when at least 5 sold in it, else in every condition. " +
	"An item with fewer than 5 sales has no value and is not in the sum."

// KitLine is an item of the bag with what is known about its gear.
type KitLine struct {
	Item   portfolio.KitItem
	Card   GearCard
	Trend  *models.Trend // nil without sales
	Photos int
}

// NewKit makes the page of a bag. alone reports that it holds what the
// photographs were taken with because nothing else is said.
func NewKit(site *Site, kit *portfolio.Kit, lines []KitLine) (*Kit, error) {
	html, err := content.HTML(kit.Markdown)
	p := &Kit{Title: kit.Title, Description: kit.Description, Body: kit.Markdown, Items: []KitItem{}, Method: KitMethod, Notice: kit.Notice, html: html, site: site,
		Links: []Link{{"/portfolio", "The photographs"}, {"/guides/reading-a-price-trend", "How to read a price trend"}, {searchPath, "Everything for sale"}}}
	var worth models.Cents
	for _, line := range lines {
		value, basis := kitValue(line)
		item := KitItem{GearCard: line.Card, Condition: line.Item.Condition, Value: site.money(value), Basis: basis, Photos: line.Photos, Note: line.Item.Note}
		worth += value
		if value == 0 {
			p.Unknown++
		}
		p.Items = append(p.Items, item)
	}
	p.Worth = site.money(worth)
	return p, err
}

// kitValue is the median of the sales that come closest to an item, and which
// they are; 0 when there are too few.
func kitValue(line KitLine) (models.Cents, string) {
	if line.Trend == nil {
		return 0, "too few sales"
	}
	if s := line.Trend.ByCondition[line.Item.Condition]; s.Enough() {
		return s.Median, countText(s.Count, "sale", "sales") + " in this condition"
	}
	if s := line.Trend.Summary; s.Enough() {
		return s.Median, countText(s.Count, "sale", "sales") + " in every condition"
	}
	return 0, "too few sales"
}

// body is the text, which package content has rendered safely.
func (p *Kit) body() templ.Component { return templ.Raw(p.html) }

// lead is the answer in one sentence.
func (p *Kit) lead() string {
	if len(p.Items) == 0 {
		return "There is nothing in the bag yet."
	}
	if p.Worth == nil {
		return countText(len(p.Items), "item", "items") + ", with too few sales to say what the bag is worth."
	}
	s := countText(len(p.Items), "item", "items") + ", worth " + MoneyText(*p.Worth) + " by what the same gear sold for in the last 12 months"
	if p.Unknown > 0 {
		s += "; " + numberText(p.Unknown) + " not counted for want of sales"
	}
	return s + "."
}

// Head implements Page.
func (p *Kit) Head() Head {
	return Head{Title: p.Title, Description: p.lead(), Path: "/kit", Crumbs: []Link{{"/portfolio", "Portfolio"}}}
}

func (i *KitItem) conditionText() string { return cmp.Or(i.Condition.Label(), "–") }

// Markdown implements Page.
func (p *Kit) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, p.Title, p.Notice)
	m.text(p.lead())
	m.text(p.Description)
	if p.Body != "" {
		m.raw("\n", strings.ReplaceAll(p.Body, "](/", "]("+p.site.BaseURL+"/"))
	}
	if len(p.Items) > 0 {
		m.section("In the bag")
		m.head("Gear", "Kind", "Year", "Sold median, 12 months", "Sales", "For sale", "Lowest asked", "Condition", "Value", "Median of", "Photographs", "Note")
		for i := range p.Items {
			item := &p.Items[i]
			m.row(append(m.gearCells(&item.GearCard), item.conditionText(), moneyOr(item.Value, "–"), item.Basis, numberText(item.Photos), orDash(item.Note))...)
		}
		m.raw("\nNot valued: ", numberText(p.Unknown), ".\n")
	}
	m.section("Method")
	m.raw(mdText(p.Method), "\n")
	m.links(p.Links)
	return m.done(w)
}
