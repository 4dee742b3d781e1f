package portfolio

import (
	"fmt"
	"strings"

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
	base := site.URL("/photos/" + p.Key + "-")
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
	Project  string   `json:"project" jsonschema:"title of the project"`
	Subject  string   `json:"subject,omitempty" jsonschema:"what it shows"`
	Tags     []string `json:"tags"`
	Exposure string   `json:"exposure,omitempty" jsonschema:"such as ƒ/8 · 1/250 s · ISO 100 · 35 mm"`
	Camera   string   `json:"camera,omitempty" jsonschema:"name of the camera"`
	Lens     string   `json:"lens,omitempty" jsonschema:"name of the lens"`
	Label    string   `json:"label,omitempty" jsonschema:"label of the photo, such as demonstration"`
	Picture  Picture  `json:"photo"`
}

// NewPhotoCard returns a photo as lists show it.
func NewPhotoCard(site *ui.Site, p *portfolio.Photo) PhotoCard {
	c := PhotoCard{Title: p.Title, Ref: ui.NewRef(ui.PhotoPath(p)), Project: p.Project.Title, Subject: p.Subject, Tags: ui.List(p.Tags), Exposure: exposureText(&p.Exposure), Label: p.Project.Label, Picture: *NewPicture(site, p)}
	if p.Camera != nil {
		c.Camera = p.Camera.Name()
	}
	if p.Lens != nil {
		c.Lens = p.Lens.Name()
	}
	return c
}
