package ui

import (
	"context"
	"path"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// Photo is a picture in its sizes.
type Photo struct {
	Src    string `json:"src" jsonschema:"URL of a medium size"`
	SrcSet string `json:"srcset" jsonschema:"all sizes, in the syntax of HTML's srcset"`
	Alt    string `json:"alt" untrusted:"true"`
	Width  int    `json:"width" jsonschema:"pixels"`
	Height int    `json:"height" jsonschema:"pixels"`
}

// NewPhoto returns the photo of a listing at an index. A photo without a description
// gets a default one, so that every picture has an alternative text.
func NewPhoto(site *Site, l *models.Listing, i int) Photo {
	p := l.Photos[i]
	if p.Alt == "" {
		p.Alt = DefaultAlt(context.Background(), l.Title, i)
	}
	return PhotoOf(site, &p)
}

// NewPhotos returns the photos of a listing.
func NewPhotos(site *Site, l *models.Listing) []Photo {
	all := make([]Photo, len(l.Photos))
	for i := range l.Photos {
		all[i] = NewPhoto(site, l, i)
	}
	return all
}

// PhotoOf returns a photo that has a description.
func PhotoOf(site *Site, p *models.Photo) Photo {
	base := site.URL("/photos/" + p.Key + "-")
	var set strings.Builder
	for i, w := range models.PhotoWidths {
		if i > 0 {
			set.WriteString(", ")
		}
		set.WriteString(base + strconv.Itoa(w) + ".jpg " + strconv.Itoa(w) + "w")
	}
	photo := Photo{Src: base + strconv.Itoa(photoWidth) + ".jpg", SrcSet: set.String(), Alt: p.Alt, Width: photoWidth, Height: photoWidth * 3 / 4}
	if p.Width > 0 && p.Height > 0 {
		photo.Height = (photoWidth*p.Height + p.Width/2) / p.Width
	}
	return photo
}

// photoWidth is the width in pixels of a photo's src; srcset lists all widths.
const photoWidth = 640

// Largest returns the URL of the largest size.
func (p *Photo) Largest() string {
	widest := models.PhotoWidths[len(models.PhotoWidths)-1]
	return strings.Replace(p.Src, "-"+strconv.Itoa(photoWidth)+".", "-"+strconv.Itoa(widest)+".", 1)
}

// small returns the photo without its largest size, which is more than any card shows.
func (p Photo) small() *Photo {
	if end := strings.LastIndex(p.SrcSet, ", "); end > 0 {
		p.SrcSet = p.SrcSet[:end]
	}
	return &p
}

// Key returns the key that identifies the photo, taken from its URL.
func (p *Photo) Key() string {
	name := path.Base(p.Src)
	return name[:max(0, strings.LastIndexByte(name, '-'))]
}

// describedIn returns the photo, described in the reader's language if the site describes
// it.
func (p Photo) describedIn(ctx context.Context) *Photo {
	p.Alt = T(ctx, p.Alt)
	return &p
}

// PrivatePhoto returns a photo that was sent to the operators.
func PrivatePhoto(site *Site, key string, width, height int, alt string) Photo {
	return PhotoOf(site, &models.Photo{Key: key, Alt: alt, Width: width, Height: height})
}

// DefaultAlt returns the alternative text of a photo without a description. index
// counts from 0.
func DefaultAlt(ctx context.Context, title string, index int) string {
	if title == "" {
		return T(ctx, "Photo %d", index+1)
	}
	return T(ctx, "Photo %d of %s", index+1, title)
}
