package ui

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/secondlight/secondlight/content/languages"
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
	Kind  string    // line above the title: "For sale", "Price history"
	Title string    // of the page
	Price string    // largest line, "" for none
	Lines []string  // one or two lines below the price
	Photo string    // path of the photo on the left, "" for none
	Trend []float64 // medians by month, oldest first; a month without one is 0
	Demo  bool      // it is demonstration data, which Site says too
}

// previewer is implemented by pages whose preview shows more than the title.
type previewer interface {
	Preview(ctx context.Context) Preview
}

// PreviewOf returns the preview of a page, in the language of ctx.
func PreviewOf(ctx context.Context, site *Site, page Page) Preview {
	head := page.Head(ctx)
	p := Preview{Title: head.Title, Lines: []string{head.Description}}
	if own, ok := page.(previewer); ok {
		p = own.Preview(ctx)
	}
	if p.Site, p.Demo = site.Name(), p.Demo || site.Demo(); p.Demo {
		p.Site += " · " + T(ctx, "Demonstration data")
	}
	return p
}

// previewDesign is part of the version. Increment it when the drawing changes.
const previewDesign = 2

// Version returns a hash of what the image shows. Images with the same version are
// identical.
func (p *Preview) Version() string {
	body, err := json.Marshal(p)
	if err != nil {
		panic("views: " + err.Error()) // strings and numbers alone
	}
	return fmt.Sprintf("%016x", xxh3.Hash(body)+previewDesign)
}

// PreviewPathOf returns the path of the preview image of a page, in the language of ctx.
func PreviewPathOf(ctx context.Context, site *Site, page Page) string {
	p := PreviewOf(ctx, site, page)
	return PreviewPath(ctx, page.Head(ctx).Path, p.Version())
}

// PreviewPath returns the path of a version of the preview image of the page at
// path. It begins with the language of ctx, unless that is English.
func PreviewPath(ctx context.Context, path, version string) string {
	path, _ = cutBefore(path, '?')
	if path == "/" {
		path = "/index"
	}
	if l := languages.Of(ctx); l != languages.English {
		path = "/" + l.Code() + path
	}
	return "/previews" + path + "." + version + ".jpg"
}

// image returns the path of the image for link previews: the page's own image, or a
// drawn preview for listings and pages without one. It is "" for pages without an
// image that are not indexed.
func (h *Head) image(ctx context.Context, site *Site, page Page) string {
	switch {
	case h.NoIndex && h.Image == "":
		return ""
	case h.Image != "" && !strings.HasPrefix(h.Path, SearchPath+"/"):
		return h.Image
	}
	return PreviewPathOf(ctx, site, page)
}
