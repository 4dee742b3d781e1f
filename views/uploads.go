package views

import (
	"io"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// ListingPhotos are the photographs of a listing as its seller arranges them.
type ListingPhotos struct {
	ID            string         `json:"id" jsonschema:"of the listing"`
	Title         string         `json:"title" jsonschema:"of the listing"`
	URL           string         `json:"url" jsonschema:"absolute address of the listing"`
	Status        models.Status  `json:"status"`
	Edition       int64          `json:"version" jsonschema:"counts the changes of the listing; If-Match takes it"`
	Photos        []ListingPhoto `json:"photos" jsonschema:"in their order; the first stands for the listing"`
	Room          int            `json:"room" jsonschema:"how many more the listing may have"`
	SuggestedGear string         `json:"suggested_gear,omitempty" jsonschema:"the gear a photograph says it was taken with, where the listing has none"`
	Links         []Link         `json:"links"`
	site          *Site
}

// ListingPhoto is a photograph with the name it is arranged by.
type ListingPhoto struct {
	Key string `json:"key" jsonschema:"its name in arrange_photos and remove_photo"`
	Photo
}

// NewListingPhotos makes the photographs of a listing. suggested is the gear that
// one was taken with, nil for none.
func NewListingPhotos(site *Site, l *models.Listing, suggested *models.Gear) *ListingPhotos {
	p := &ListingPhotos{ID: l.ID, Title: l.Title, URL: site.URL(listingPath(l.ID)), Status: l.Status, Edition: l.Version,
		Photos: make([]ListingPhoto, len(l.Photos)), Room: max(0, models.MaxPhotos-len(l.Photos)), site: site,
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

// Version implements the ETag that an arrangement may be sent with.
func (p *ListingPhotos) Version() int64 { return p.Edition }

// Resource is where the API has them.
func (p *ListingPhotos) Resource() string { return "/api" + listingPath(p.ID) + "/photos" }

// Head implements Page. The page of photographs is that of the listing's form.
func (p *ListingPhotos) Head() Head {
	path := "/sell/" + p.ID
	if p.SuggestedGear != "" {
		path += "?suggested_gear=" + url.QueryEscape(p.SuggestedGear)
	}
	return Head{Title: "Photographs of " + titled(p.Title), Description: "The photographs of a listing, for its seller to arrange.", Path: path + "#photographs", NoIndex: true}
}

// titled is the title of a listing, which a draft may be without.
func titled(title string) string {
	if title == "" {
		return "a draft"
	}
	return title
}

// Markdown implements Page.
func (p *ListingPhotos) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, p.Head().Title, "")
	m.raw("\n")
	m.head("Fact", "Value")
	m.row("Listing", m.link(Link{listingPath(p.ID), titled(p.Title)}))
	m.row("Id", p.ID)
	m.row("Status", string(p.Status))
	m.row("Version", strconv.FormatInt(p.Edition, 10))
	m.row("Photographs", strconv.Itoa(len(p.Photos)))
	m.row("Room for", strconv.Itoa(p.Room)+" more")
	if p.SuggestedGear != "" {
		m.row("A photograph was taken with", m.link(Link{gearPath(p.SuggestedGear), p.SuggestedGear}))
	}
	if len(p.Photos) > 0 {
		m.section("In their order")
		m.head("Place", "Key", "Photograph")
		for i := range p.Photos {
			m.row(strconv.Itoa(i+1), "`"+p.Photos[i].Key+"`", "!["+mdText(p.Photos[i].Alt)+"]("+p.Photos[i].Src+")")
		}
	}
	m.links(p.Links)
	return m.done(w)
}

// defaultAlt is the text of a photograph that nobody has described.
func defaultAlt(title string, place int) string {
	alt := "Photo " + strconv.Itoa(place+1)
	if title != "" {
		alt += " of " + title
	}
	return alt
}

// Key is the name a photograph is arranged by.
func (p *Photo) Key() string {
	name := path.Base(p.Src)
	return name[:max(0, strings.LastIndexByte(name, '-'))]
}

// ownAlt is what somebody wrote about a photograph of the listing, "" for nothing.
func (p *Listing) ownAlt(place int) string {
	if alt := p.Photos[place].Alt; alt != defaultAlt(p.Title, place) {
		return alt
	}
	return ""
}

// TakenWith tells the form of the listing what gear a photograph was taken with.
func (p *Listing) TakenWith(g *models.Gear) { p.taken = g }

// photosPath is where the forms of a listing's photographs are posted to.
func photosPath(id string) string { return "/sell/" + id + "/photos" }

// GearOfPhoto is the gear that a photograph was taken with.
type GearOfPhoto struct {
	Suggested []GearTaken `json:"suggested" jsonschema:"the camera, then the lens, as far as the catalogue has them"`
	Camera    string      `json:"camera,omitempty" jsonschema:"as the camera wrote it into the file"`
	Lens      string      `json:"lens,omitempty" jsonschema:"as the camera wrote it into the file"`
	Links     []Link      `json:"links"`
	site      *Site
}

// GearTaken is gear that a photograph was taken with.
type GearTaken struct {
	Gear string `json:"gear"`
	Name string `json:"name"`
	URL  string `json:"url"`
}

// NewGearOfPhoto makes the answer to a photograph: its gear, and what its file says.
func NewGearOfPhoto(site *Site, gear []*models.Gear, camera, lens string) *GearOfPhoto {
	p := &GearOfPhoto{Suggested: []GearTaken{}, Camera: camera, Lens: lens, Links: []Link{}, site: site}
	for _, g := range gear {
		p.Suggested = append(p.Suggested, GearTaken{g.Slug(), g.Name(), site.URL(gearPath(g.Slug()))})
		p.Links = append(p.Links, Link{gearPath(g.Slug()), "What the " + g.Name() + " sells for"})
	}
	return p
}

// Head implements Page. A browser goes on to the form of a listing of that gear.
func (p *GearOfPhoto) Head() Head {
	h := Head{Title: "Gear of a photograph", Description: "The camera and the lens that a photograph was taken with.", Path: "/sell", NoIndex: true}
	if len(p.Suggested) > 0 {
		h.Path += "?gear=" + url.QueryEscape(p.Suggested[0].Gear)
	}
	return h
}

// Markdown implements Page.
func (p *GearOfPhoto) Markdown(w io.Writer) error {
	m := newMarkdown(p.site, p.Head().Title, "")
	m.raw("\n")
	m.head("Gear", "Slug")
	for _, g := range p.Suggested {
		m.row(m.link(Link{gearPath(g.Gear), g.Name}), "`"+g.Gear+"`")
	}
	if p.Camera != "" {
		m.raw("\nCamera, as the file says: ", mdText(p.Camera), "\n")
	}
	if p.Lens != "" {
		m.raw("\nLens, as the file says: ", mdText(p.Lens), "\n")
	}
	m.links(p.Links)
	return m.done(w)
}
