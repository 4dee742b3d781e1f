package portfolio

import (
	"context"
	"io"
	"path"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/views/ui"
)

// Gallery is the page of a project that is delivered to clients. Without the password it reveals
// nothing about the project.
type Gallery struct {
	Project *Project      `json:"project,omitempty" jsonschema:"absent until the password is entered"`
	Visitor string        `json:"visitor,omitempty" jsonschema:"name under which the visitor entered" untrusted:"true"`
	Chosen  []ChosenPhoto `json:"chosen,omitempty" jsonschema:"what this visitor chose and wrote"`
	Until   string        `json:"until,omitempty" jsonschema:"when the gallery closes"`
	path    string
	address string // secret, of the gallery
	secret  string // for the cookie of a visitor who has just entered
	site    *ui.Site
}

// ChosenPhoto is what a visitor of a gallery chose and wrote at a photo.
type ChosenPhoto struct {
	Name      string `json:"name,omitempty" jsonschema:"name of the visitor" untrusted:"true"`
	File      string `json:"file" jsonschema:"name of the file"`
	Favourite bool   `json:"favourite"`
	Comment   string `json:"comment,omitempty" untrusted:"true"`
	title     string
	page      string
}

// NewLockedGallery returns the page that asks for the password of the gallery at an address.
func NewLockedGallery(site *ui.Site, address string) *Gallery {
	return &Gallery{path: portfolio.GalleryPath(address), site: site}
}

// NewGallery returns a page of a gallery for a visitor, with what they have chosen. Project is
// as Project.InGallery returns it. The secret is that of a visitor who has just entered, or "".
func NewGallery(site *ui.Site, g *models.Gallery, p *portfolio.Project, page []*portfolio.Photo, next ui.Next, visitor string, marks []models.GalleryMark, secret string) *Gallery {
	v := &Gallery{Project: NewProject(site, p, page, next), Visitor: visitor, Until: g.EndsAt.RFC3339(), path: p.Path(), address: g.Address, secret: secret, site: site}
	for _, m := range marks {
		if photo := p.ByFile(m.File); photo != nil && m.Name == visitor {
			v.Chosen = append(v.Chosen, ChosenPhoto{File: m.File, Favourite: m.Favourite, Comment: m.Comment, title: photo.Title, page: photo.Path()})
		}
	}
	v.Project.tools = v.bar()
	v.addHearts()
	return v
}

// addHearts gives each photo on the page a heart, the first time it is shown there.
func (p *Gallery) addHearts() {
	chosen, shown := map[string]bool{}, map[string]bool{}
	for _, c := range p.Chosen {
		chosen[c.page] = c.Favourite
	}
	add := func(card *PhotoCard) {
		if !shown[card.Page] {
			shown[card.Page], card.tools = true, heart(card, strings.TrimPrefix(card.Page, p.path+"/"), chosen[card.Page])
		}
	}
	if p.Project.first != nil {
		add(p.Project.first)
	}
	for _, part := range p.Project.parts {
		for i := range part.photos {
			add(&part.photos[i])
		}
	}
}

// Pass implements web.PassPage.
func (p *Gallery) Pass() string { return p.secret }

// After implements web.PagedPage.
func (p *Gallery) After() string {
	if p.Project == nil {
		return ""
	}
	return p.Project.After()
}

// Head implements Page.
func (p *Gallery) Head(ctx context.Context) ui.Head {
	if p.Project == nil {
		return ui.Head{Title: ui.T(ctx, "Private gallery"), Description: ui.T(ctx, "Enter the password that you got from the photographer."), Path: p.path, NoIndex: true}
	}
	return p.Project.Head(ctx)
}

// Markdown implements Page.
func (p *Gallery) Markdown(ctx context.Context, w io.Writer) error {
	if p.Project == nil {
		m := ui.NewMarkdown(p.site, ui.T(ctx, "Private gallery"), "").In(ctx)
		m.Paragraph(ui.T(ctx, "Enter the password that you got from the photographer."))
		return m.Done(w)
	}
	if err := p.Project.Markdown(ctx, w); err != nil {
		return err
	}
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Your selection"), "").In(ctx)
	m.Raw("\n")
	m.FactRows([]ui.Fact{{Name: ui.T(ctx, "Your name"), Value: ui.Untrusted(p.Visitor)}, {Name: ui.T(ctx, "Open until"), Value: ui.MomentIn(ctx, p.Until)}})
	if len(p.Chosen) > 0 {
		m.Raw("\n")
		writeChosen(ctx, m, p.Chosen)
	}
	return m.Done(w)
}

// writeChosen writes a table of what visitors chose.
func writeChosen(ctx context.Context, m *ui.Markdown, chosen []ChosenPhoto) {
	m.Head("File", "Favourite", "Comment", "Name")
	for _, c := range chosen {
		favourite := ui.T(ctx, "No")
		if c.Favourite {
			favourite = ui.T(ctx, "Yes")
		}
		m.Row(ui.MarkdownText(c.File), favourite, ui.OrDash(ui.Untrusted(c.Comment)), ui.OrDash(ui.Untrusted(c.Name)))
	}
}

// favourites returns the number of favourites.
func favourites(chosen []ChosenPhoto) (n int) {
	for _, c := range chosen {
		if c.Favourite {
			n++
		}
	}
	return n
}

// GalleryPhoto is the page of a photo in a gallery, with what the visitor has chosen.
type GalleryPhoto struct {
	*ProjectPhoto
	Favourite bool   `json:"favourite"`
	Comment   string `json:"comment,omitempty" untrusted:"true"`
}

// NewGalleryPhoto returns the page of a photo of a project as Project.InGallery returns it.
func NewGalleryPhoto(site *ui.Site, photo *portfolio.Photo, mark models.GalleryMark) *GalleryPhoto {
	p := &GalleryPhoto{ProjectPhoto: NewProjectPhoto(site, PhotoParts{Photo: photo}), Favourite: mark.Favourite, Comment: mark.Comment}
	p.tools = p.markForm()
	return p
}

// Markdown implements Page.
func (p *GalleryPhoto) Markdown(ctx context.Context, w io.Writer) error {
	if err := p.ProjectPhoto.Markdown(ctx, w); err != nil || !p.Favourite && p.Comment == "" {
		return err
	}
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Your selection"), "").In(ctx)
	m.Raw("\n")
	writeChosen(ctx, m, []ChosenPhoto{{File: p.Title, Favourite: p.Favourite, Comment: p.Comment}})
	return m.Done(w)
}

// GalleryEditor is the page where the owner delivers a project to clients, and sees what they
// chose.
type GalleryEditor struct {
	Folder  string        `json:"folder" jsonschema:"folder of the project"`
	Open    bool          `json:"open" jsonschema:"the project has a gallery"`
	Address string        `json:"address,omitempty" jsonschema:"URL for clients"`
	LastDay models.Day    `json:"last_day,omitempty" jsonschema:"last day on which the gallery is open"`
	Chosen  []ChosenPhoto `json:"chosen" jsonschema:"what visitors chose and wrote, by name and file"`
	Files   string        `json:"files" jsonschema:"names of the files of all favourites, without extension, separated by commas"`
	title   string
	public  bool // everybody sees the project
	ended   bool
	site    *ui.Site
}

// NewGalleryEditor returns the page of a project. Gallery is nil if it has none.
func NewGalleryEditor(site *ui.Site, p *portfolio.Project, g *models.Gallery, marks []models.GalleryMark, now models.Time) *GalleryEditor {
	v := &GalleryEditor{Folder: p.Folder, Chosen: []ChosenPhoto{}, title: p.Title, public: !p.Hidden(), site: site}
	if g == nil {
		return v
	}
	v.Open, v.Address, v.ended = true, site.URL(portfolio.GalleryPath(g.Address)), g.Ended(now)
	if g.EndsAt != 0 {
		v.LastDay = models.DayAt((g.EndsAt - 1).Std())
	}
	for _, m := range marks {
		v.Chosen = append(v.Chosen, ChosenPhoto{Name: m.Name, File: m.File, Favourite: m.Favourite, Comment: m.Comment})
	}
	v.Files = fileList(p, v.Chosen)
	return v
}

// fileList returns the names of the favourites without their extensions, as the text filter of
// Lightroom's library takes them: "contains" finds the raw file of an exported JPEG, too. They
// are in the order of the project.
func fileList(p *portfolio.Project, chosen []ChosenPhoto) string {
	favourite := map[string]bool{}
	for _, c := range chosen {
		favourite[c.File] = favourite[c.File] || c.Favourite
	}
	var names []string
	for _, photo := range p.All() {
		if file := path.Base(photo.File); favourite[file] {
			names = append(names, strings.TrimSuffix(file, path.Ext(file)))
		}
	}
	return strings.Join(names, ", ")
}

// passwordHelp says what the password must be, or what happens when it is left blank.
func (p *GalleryEditor) passwordHelp(ctx context.Context) string {
	if p.Open {
		return ui.T(ctx, "Leave blank to keep the present one. With a new one, everyone has to enter it again.")
	}
	return ui.T(ctx, "At least %d characters. A few unrelated words work well.", models.MinPassword)
}

func (p *GalleryEditor) projectPath() string { return ui.EditorPath + "/" + p.Folder }

func (p *GalleryEditor) path() string { return p.projectPath() + "/gallery" }

// Head implements Page.
func (p *GalleryEditor) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Client gallery"), Description: ui.T(ctx, "Deliver photographs to clients with a password."), Path: p.path(), NoIndex: true,
		Crumbs: []ui.Link{ui.AccountCrumb, {Href: ui.EditorPath, Label: ui.T(ctx, "Edit the portfolio")}, {Href: p.projectPath(), Label: p.title}}}
}

// Markdown implements Page.
func (p *GalleryEditor) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Client gallery"), ui.T(ctx, p.site.Notice())).In(ctx)
	m.Raw("\n")
	open := ui.T(ctx, "No")
	if p.Open {
		open = ui.T(ctx, "Yes")
	}
	m.FactRows([]ui.Fact{{Name: ui.T(ctx, "Folder"), Value: p.Folder}, {Name: ui.T(ctx, "Client gallery"), Value: open}, {Name: ui.T(ctx, "Address"), Value: p.Address}, {Name: ui.T(ctx, "Open until"), Value: ui.DayIn(ctx, p.LastDay)}})
	if len(p.Chosen) > 0 {
		m.Section("Selection")
		writeChosen(ctx, m, p.Chosen)
		m.Section("File names for Lightroom")
		m.Paragraph(p.Files)
	}
	return m.Done(w)
}
