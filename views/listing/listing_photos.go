package listing

import (
	"context"
	"io"
	"strconv"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/views/ui"
)

// ListingPhotos is the page of a listing's photos for its seller to arrange.
type ListingPhotos struct {
	ID    string `json:"id" jsonschema:"of the listing"`
	Title string `json:"title" jsonschema:"of the listing" untrusted:"true"`
	ui.Ref
	Status        models.Status  `json:"status"`
	Edition       int64          `json:"version" jsonschema:"version of the listing, for If-Match"`
	Photos        []ListingPhoto `json:"photos" jsonschema:"in display order; the first one represents the listing"`
	Remaining     int            `json:"photos_remaining" jsonschema:"how many more photos the listing may have"`
	SuggestedGear string         `json:"suggested_gear,omitempty" jsonschema:"gear named by the metadata of a photo, when the listing has none"`
	Links         []ui.Link      `json:"links"`
	site          *ui.Site
}

// ListingPhoto is a photo with the key that identifies it.
type ListingPhoto struct {
	Key string `json:"key" jsonschema:"identifier in arrange_photos and remove_photo"`
	ui.Photo
}

// NewListingPhotos returns the photos of a listing. suggested is the gear named by
// the metadata of a photo, nil for none.
func NewListingPhotos(site *ui.Site, l *models.Listing, suggested *catalog.Gear) *ListingPhotos {
	p := &ListingPhotos{ID: l.ID, Title: l.Title, Ref: ui.ListingRef(l.ID), Status: l.Status, Edition: l.Version,
		Photos: make([]ListingPhoto, len(l.Photos)), Remaining: max(0, models.MaxPhotos-len(l.Photos)), site: site,
		Links: []ui.Link{{Href: ui.ListingPath(l.ID), Label: "The listing"}, {Href: "/sell/" + l.ID, Label: "Edit listing"}}}
	for i := range l.Photos {
		p.Photos[i] = ListingPhoto{l.Photos[i].Key, ui.NewPhoto(site, l, i)}
	}
	if suggested != nil {
		p.SuggestedGear = suggested.Slug()
		p.Links = append(p.Links, ui.Link{Href: ui.GearPath(suggested.Slug()), Label: suggested.Name()})
	}
	return p
}

// Version returns the version of the listing that If-Match is compared with.
func (p *ListingPhotos) Version() int64 { return p.Edition }

// Resource returns the path of the photos in the API.
func (p *ListingPhotos) Resource() string { return "/api" + ui.ListingPath(p.ID) + "/photos" }

// Head implements Page. Photos are shown on the page of the listing's form.
func (p *ListingPhotos) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Photos of %s", titled(ctx, p.Title)), Description: ui.T(ctx, "Photos of your listing. Add, reorder or delete them."), Path: ui.PhotoFormPath(p.ID, p.SuggestedGear), NoIndex: true}
}

// titled returns the title of a listing, or "a draft" when it has none.
func titled(ctx context.Context, title string) string {
	if title == "" {
		return ui.T(ctx, "a draft")
	}
	return title
}

// Markdown implements Page.
func (p *ListingPhotos) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Photos of %s", titled(ctx, ui.Untrusted(p.Title))), "").In(ctx)
	m.Raw("\n")
	m.Head("Detail", "Value")
	m.Row(ui.T(ctx, "Listing"), m.Link(ui.Link{Href: ui.ListingPath(p.ID), Label: titled(ctx, ui.Untrusted(p.Title))}))
	m.Row(ui.T(ctx, "Id"), p.ID)
	m.Row(ui.T(ctx, "Status"), ui.StatusIn(ctx, p.Status))
	m.Row(ui.T(ctx, "Version"), strconv.FormatInt(p.Edition, 10))
	m.Row(ui.T(ctx, "Photos"), strconv.Itoa(len(p.Photos)))
	m.Row(ui.T(ctx, "Room for"), ui.T(ctx, "%d more", p.Remaining))
	if p.SuggestedGear != "" {
		m.Row(ui.T(ctx, "One of the photos was taken with"), m.Link(ui.Link{Href: ui.GearPath(p.SuggestedGear), Label: p.SuggestedGear}))
	}
	if len(p.Photos) > 0 {
		m.Section("Photos, in order")
		m.Head("Place", "Key", "Photo")
		for i := range p.Photos {
			m.Row(strconv.Itoa(i+1), "`"+p.Photos[i].Key+"`", "!["+ui.MarkdownText(ui.Untrusted(p.Photos[i].Alt))+"]("+p.Photos[i].Src+")")
		}
	}
	m.Links(p.Links)
	return m.Done(w)
}

// ownAlt returns the seller's description of the photo at index, "" for none.
func (l *ListingForm) ownAlt(index int) string {
	if alt := l.Photos[index].Alt; alt != ui.DefaultAlt(context.Background(), l.Title, index) {
		return alt
	}
	return ""
}
