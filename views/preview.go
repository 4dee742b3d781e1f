package views

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/secondlight/secondlight/models"
)

// The size of a preview in pixels, as link previews want it.
const (
	PreviewWidth  = 1200
	PreviewHeight = 630
)

// Preview is what the picture of a page says that stands beside a link to it.
// Its JSON is what the version of its address is made from.
type Preview struct {
	Site  string
	Kind  string    // above the title: "For sale", "What it sells for"
	Title string    // the page's
	Price string    // the figure to take away, "" for none
	Lines []string  // one or two lines below
	Photo string    // path of a photograph to set beside it, "" for none
	Trend []float64 // medians by month, oldest first; a month without one is 0
	Demo  bool      // the picture says so too
}

// previewed is a page whose preview says more than its title.
type previewed interface{ preview() Preview }

// PreviewOf is what the picture of a page says.
func PreviewOf(site *Site, page Page) Preview {
	p := Preview{Title: page.Head().Title, Lines: []string{page.Head().Description}}
	if own, ok := page.(previewed); ok {
		p = own.preview()
	}
	p.Site, p.Demo = site.Name, p.Demo || site.Demo
	return p
}

// previewDesign moves when previews are drawn in another way.
const previewDesign = 1

// Version names what the picture shows: another version is another picture.
func (p *Preview) Version() string {
	body, err := json.Marshal(p)
	if err != nil {
		panic("views: " + err.Error()) // strings and numbers alone
	}
	return fmt.Sprintf("%016x", xxh3.Hash(body)+previewDesign)
}

// previewPath is the address of the picture of a page.
func previewPath(site *Site, page Page) string {
	p := PreviewOf(site, page)
	return PreviewPath(page.Head().Path, p.Version())
}

// PreviewPath is the address of a version of the picture of the page at a path.
func PreviewPath(path, version string) string {
	path, _ = cutBefore(path, '?')
	if path == "/" {
		path = "/index"
	}
	return "/previews" + path + "." + version + ".jpg"
}

// image is the picture for link previews: one of the page's own photographs
// when it is about them, else a drawn one.
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
		v.Lines = []string{p.lead()}
	}
	v.Trend = p.medians
	return v
}

// medians are the monthly medians in minor units without gaps between months:
// 0 where there are too few sales to say.
func medians(months []models.TrendMonth) []float64 {
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
