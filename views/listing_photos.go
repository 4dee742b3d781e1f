package views

import (
	"context"
	"io"
	"strconv"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
)

// ListingPhotos is the page of a listing's photos for its seller to arrange.
type ListingPhotos struct {
	ID    string `json:"id" jsonschema:"of the listing"`
	Title string `json:"title" jsonschema:"of the listing" untrusted:"true"`
	Ref
	Status        models.Status  `json:"status"`
	Edition       int64          `json:"version" jsonschema:"version of the listing, for If-Match"`
	Photos        []ListingPhoto `json:"photos" jsonschema:"in display order; the first one represents the listing"`
	Remaining     int            `json:"photos_remaining" jsonschema:"how many more photos the listing may have"`
	SuggestedGear string         `json:"suggested_gear,omitempty" jsonschema:"gear named by the metadata of a photo, when the listing has none"`
	Links         []Link         `json:"links"`
	site          *Site
}

// ListingPhoto is a photo with the key that identifies it.
type ListingPhoto struct {
	Key string `json:"key" jsonschema:"identifier in arrange_photos and remove_photo"`
	Photo
}

// NewListingPhotos returns the photos of a listing. suggested is the gear named by
// the metadata of a photo, nil for none.
func NewListingPhotos(site *Site, l *models.Listing, suggested *catalog.Gear) *ListingPhotos {
	p := &ListingPhotos{ID: l.ID, Title: l.Title, Ref: listingRef(l.ID), Status: l.Status, Edition: l.Version,
		Photos: make([]ListingPhoto, len(l.Photos)), Remaining: max(0, models.MaxPhotos-len(l.Photos)), site: site,
		Links: []Link{{listingPath(l.ID), "The listing"}, {"/sell/" + l.ID, "Work on it"}}}
	for i := range l.Photos {
		p.Photos[i] = ListingPhoto{l.Photos[i].Key, newPhoto(site, l, i)}
	}
	if suggested != nil {
		p.SuggestedGear = suggested.Slug()
		p.Links = append(p.Links, Link{gearPath(suggested.Slug()), suggested.Name()})
	}
	return p
}

// Version returns the version of the listing that If-Match is compared with.
func (p *ListingPhotos) Version() int64 { return p.Edition }

// Resource returns the path of the photos in the API.
func (p *ListingPhotos) Resource() string { return "/api" + listingPath(p.ID) + "/photos" }

// Head implements Page. Photos are shown on the page of the listing's form.
func (p *ListingPhotos) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Photographs of %s", titled(ctx, p.Title)), Description: t(ctx, "The photographs of a listing, for its seller to arrange."), Path: photoFormPath(p.ID, p.SuggestedGear), NoIndex: true}
}

// titled returns the title of a listing, or "a draft" when it has none.
func titled(ctx context.Context, title string) string {
	if title == "" {
		return t(ctx, "a draft")
	}
	return title
}

// Markdown implements Page.
func (p *ListingPhotos) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, t(ctx, "Photographs of %s", titled(ctx, untrusted(p.Title))), "").in(ctx)
	m.raw("\n")
	m.head("Fact", "Value")
	m.row(t(ctx, "Listing"), m.link(Link{listingPath(p.ID), titled(ctx, untrusted(p.Title))}))
	m.row(t(ctx, "Id"), p.ID)
	m.row(t(ctx, "Status"), statusIn(ctx, p.Status))
	m.row(t(ctx, "Version"), strconv.FormatInt(p.Edition, 10))
	m.row(t(ctx, "Photographs"), strconv.Itoa(len(p.Photos)))
	m.row(t(ctx, "Room for"), t(ctx, "%d more", p.Remaining))
	if p.SuggestedGear != "" {
		m.row(t(ctx, "A photograph was taken with"), m.link(Link{gearPath(p.SuggestedGear), p.SuggestedGear}))
	}
	if len(p.Photos) > 0 {
		m.section("In their order")
		m.head("Place", "Key", "Photograph")
		for i := range p.Photos {
			m.row(strconv.Itoa(i+1), "`"+p.Photos[i].Key+"`", "!["+mdText(untrusted(p.Photos[i].Alt))+"]("+p.Photos[i].Src+")")
		}
	}
	m.links(p.Links)
	return m.done(w)
}

// ownAlt returns the seller's description of the photo at index, "" for none.
func (l *ListingForm) ownAlt(index int) string {
	if alt := l.Photos[index].Alt; alt != defaultAlt(context.Background(), l.Title, index) {
		return alt
	}
	return ""
}
