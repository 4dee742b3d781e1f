package portfolio

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/views/ui"
)

// Picture is a photo of the portfolio in its sizes.
type Picture struct {
	ui.Photo
	Placeholder string `json:"placeholder,omitempty" jsonschema:"data URI of a tiny version to show while the photo loads"`
	focus       portfolio.Focus
	preview     string // URL of the size for previews of links
}

// NewPicture returns a photo in its sizes.
func NewPicture(site *ui.Site, p *portfolio.Photo) *Picture {
	base := site.URL(p.PicturePath())
	sizes := p.Sizes()
	var set []string
	src, preview := sizes[0], sizes[0]
	for _, size := range sizes {
		w, _ := p.In(size)
		set = append(set, fmt.Sprintf("%s%d.jpg %dw", base, size, w))
		if size <= pictureSize {
			src = size
		}
		if size <= previewSize {
			preview = size
		}
	}
	w, h := p.In(src)
	return &Picture{Photo: ui.Photo{Src: fmt.Sprintf("%s%d.jpg", base, src), SrcSet: strings.Join(set, ", "), Alt: p.Alt, Width: w, Height: h},
		Placeholder: p.Placeholder, focus: p.Focus, preview: fmt.Sprintf("%s%d.jpg", base, preview)}
}

// PhotoCard is a photo as lists show it.
type PhotoCard struct {
	Title string `json:"title"`
	ui.Ref
	Project     string   `json:"project" jsonschema:"title of the project"`
	Subject     string   `json:"subject,omitempty" jsonschema:"what it shows"`
	Tags        []string `json:"tags"`
	Exposure    string   `json:"exposure,omitempty" jsonschema:"such as ƒ/8 · 1/250 s · ISO 100 · 35 mm"`
	Camera      string   `json:"camera,omitempty" jsonschema:"name of the camera"`
	Lens        string   `json:"lens,omitempty" jsonschema:"name of the lens"`
	Label       string   `json:"label,omitempty" jsonschema:"label of the photo, such as demonstration"`
	Picture     Picture  `json:"photo"`
	caption     string
	projectPage string
	text        string // before the row that begins with it, Markdown
	layout      portfolio.Layout
	shot        shot
	tools       templ.Component // over the photo; may be nil
}

// NewPhotoCard returns a photo as lists show it.
func NewPhotoCard(site *ui.Site, p *portfolio.Photo) PhotoCard {
	c := PhotoCard{Title: p.Title, Ref: ui.NewRef(ui.PhotoPath(p)), Project: p.Project.Title, Subject: p.Subject, Tags: ui.List(p.Tags), Exposure: exposureText(&p.Exposure), Label: p.Project.Label, Picture: *NewPicture(site, p), caption: p.Caption, projectPage: p.Project.Path(), text: p.Text, layout: p.Layout, shot: newShot(site, p)}
	if p.Camera != nil {
		c.Camera = p.Camera.Name()
	}
	if p.Lens != nil {
		c.Lens = p.Lens.Name()
	}
	return c
}

// shot is how and where a photo was taken, for one line.
type shot struct {
	gear     []ui.Link // camera and lens, with the page of their prices if they have one
	exposure []string  // such as f/2, 1/250 and ISO 400
	location string
	month    string // ISO 8601, "" if unknown
}

// newShot returns how and where a photo was taken.
func newShot(site *ui.Site, p *portfolio.Photo) shot {
	s := shot{location: p.Location}
	lens := p.Exposure.LensModel
	if p.Lens != nil {
		lens = p.Lens.Name()
		if p.Camera != nil {
			lens = strings.TrimPrefix(lens, p.Camera.Brand+" ")
		}
	}
	camera := strings.TrimSpace(p.Exposure.Make + " " + p.Exposure.Model)
	if p.Camera != nil {
		camera = p.Camera.Name()
	}
	for _, g := range []struct {
		name string
		of   *catalog.Gear
	}{{camera, p.Camera}, {lens, p.Lens}} {
		link := ui.Link{Label: g.name}
		if g.of != nil && site.Purpose().HasShop() {
			link.Href = ui.GearPath(g.of.Slug())
		}
		if g.name != "" {
			s.gear = append(s.gear, link)
		}
	}
	x := &p.Exposure
	if focal := ui.Decimal(x.Focal); x.Focal > 0 && !strings.Contains(lens, focal+"mm") {
		s.exposure = append(s.exposure, focal+" mm")
	}
	if x.Aperture > 0 {
		s.exposure = append(s.exposure, "f/"+ui.Decimal(x.Aperture))
	}
	if x.Time > 0 {
		text := timeText(x.Time)
		if strings.HasPrefix(text, "1/") {
			text = strings.TrimSuffix(text, " s")
		}
		s.exposure = append(s.exposure, text)
	}
	if x.ISO > 0 {
		s.exposure = append(s.exposure, "ISO "+strconv.Itoa(x.ISO))
	}
	if !x.TakenAt.IsZero() {
		s.month = x.TakenAt.Format("2006-01")
	}
	return s
}

// known reports whether anything is known.
func (s *shot) known() bool {
	return len(s.gear) > 0 || len(s.exposure) > 0 || s.location != "" || s.month != ""
}

// rest returns what follows the gear: "f/2 · 1/250 · ISO 400 · Hamburg, March 2024".
func (s *shot) rest(ctx context.Context) string {
	place := nonEmpty(s.location)
	if s.month != "" {
		place = append(place, ui.MonthIn(ctx, s.month))
	}
	return strings.Join(append(slices.Clone(s.exposure), nonEmpty(strings.Join(place, ", "))...), " · ")
}
