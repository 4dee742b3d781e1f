package views

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/secondlight/secondlight/models/prices"
)

// Size of a preview image in pixels.
const (
	PreviewWidth  = 1200
	PreviewHeight = 630
)

// Preview holds what the preview image of a page shows when the page is shared. Its
// JSON determines the version in its path.
type Preview struct {
	Site  string
	Kind  string    // line above the title: "For sale", "What it sells for"
	Title string    // of the page
	Price string    // largest line, "" for none
	Lines []string  // one or two lines below the price
	Photo string    // path of the photo on the left, "" for none
	Trend []float64 // medians by month, oldest first; a month without one is 0
	Demo  bool      // marks demonstration data
}

// previewer is implemented by pages whose preview shows more than the title.
type previewer interface{ preview() Preview }

// PreviewOf returns the preview of a page.
func PreviewOf(site *Site, page Page) Preview {
	p := Preview{Title: page.Head(context.Background()).Title, Lines: []string{page.Head(context.Background()).Description}}
	if own, ok := page.(previewer); ok {
		p = own.preview()
	}
	p.Site, p.Demo = site.Name(), p.Demo || site.Demo()
	return p
}

// previewDesign is part of the version. Increment it when the drawing changes.
const previewDesign = 1

// Version returns a hash of what the image shows. Images with the same version are
// identical.
func (p *Preview) Version() string {
	body, err := json.Marshal(p)
	if err != nil {
		panic("views: " + err.Error()) // strings and numbers alone
	}
	return fmt.Sprintf("%016x", xxh3.Hash(body)+previewDesign)
}

// previewPath returns the path of the preview image of a page.
func previewPath(site *Site, page Page) string {
	p := PreviewOf(site, page)
	return PreviewPath(page.Head(context.Background()).Path, p.Version())
}

// PreviewPath returns the path of a version of the preview image of the page at
// path.
func PreviewPath(path, version string) string {
	path, _ = cutBefore(path, '?')
	if path == "/" {
		path = "/index"
	}
	return "/previews" + path + "." + version + ".jpg"
}

// image returns the path of the image for link previews: the page's own image, or a
// drawn preview for listings and pages without one. It is "" for pages without an
// image that are not indexed.
func (h *Head) image(site *Site, page Page) string {
	switch {
	case h.NoIndex && h.Image == "":
		return ""
	case h.Image != "" && !strings.HasPrefix(h.Path, searchPath+"/"):
		return h.Image
	}
	return previewPath(site, page)
}

func (p *Listing) preview() Preview {
	v := Preview{Kind: "For sale", Title: p.Title, Price: p.priceText(), Lines: []string{p.conditionText() + ", " + RegionName(p.Region)}, Demo: p.Demo}
	if p.Deal != nil {
		v.Lines = append(v.Lines, p.Deal.Text)
	}
	if len(p.Photos) > 0 {
		v.Photo = p.site.local(p.Photos[0].Src)
	}
	v.Trend = p.medians
	return v
}

func (p *Trend) preview() Preview {
	v := Preview{Kind: "What it sells for", Title: p.Name, Demo: p.Demo}
	if p.Summary.Median != nil {
		v.Price = MoneyText(*p.Summary.Median)
		v.Lines = []string{"Median of " + countText(p.Summary.SampleSize, "sale", "sales") + ", " + p.Window.Text, "90 days: " + changeText(p.Change.Days90)}
	} else {
		v.Lines = []string{p.lead(context.Background())}
	}
	v.Trend = p.medians
	return v
}

// medians returns the monthly medians in minor units, from the first month to the
// last. Months with too few sales are 0.
func medians(months []prices.TrendMonth) []float64 {
	if len(months) == 0 {
		return nil
	}
	first, last := months[0].Month, months[len(months)-1].Month
	line := make([]float64, last-first+1)
	for i := range months {
		if months[i].Enough() {
			line[months[i].Month-first] = float64(months[i].Median)
		}
	}
	return line
}
