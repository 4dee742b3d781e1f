package views

import (
	"cmp"
	"context"
	"io"
	"net/url"
	"path"
	"strconv"

	"github.com/secondlight/secondlight/models/portfolio"
)

// editorPath is the path of the page that edits the portfolio.
const editorPath = "/account/portfolio"

// PortfolioEditor is the page where operators choose a project to edit.
type PortfolioEditor struct {
	Projects []EditedProject `json:"projects" jsonschema:"those that can be edited, newest first"`
	Links    []Link          `json:"links"`
	site     *Site
}

// EditedProject is a project in PortfolioEditor.
type EditedProject struct {
	Folder     string `json:"folder" jsonschema:"folder of the project"`
	Title      string `json:"title"`
	Visibility string `json:"visibility" jsonschema:"who sees it" enum:"public,unlisted,private"`
	Photos     int    `json:"photos" jsonschema:"number of photos"`
}

// ProjectEditor is the page that edits a project.
type ProjectEditor struct {
	Folder      string        `json:"folder" jsonschema:"folder of the project"`
	Title       string        `json:"title"`
	Description string        `json:"description,omitempty"`
	Body        string        `json:"body,omitempty" jsonschema:"text as Markdown"`
	Visibility  string        `json:"visibility" jsonschema:"who sees it" enum:"public,unlisted,private"`
	PublishAt   string        `json:"publish_at,omitempty" jsonschema:"private until then"`
	Downloads   bool          `json:"downloads" jsonschema:"visitors are offered the largest size"`
	License     string        `json:"license,omitempty" jsonschema:"what others may do with the photos; absent for all rights reserved"`
	Photos      []EditedPhoto `json:"photos"`
	Received    int64         `json:"received,omitempty" jsonschema:"bytes of the uploaded file that have arrived"`
	Links       []Link        `json:"links"`
	public      string        // path of its page, "" while it is hidden
	site        *Site
}

// EditedPhoto is a photo in ProjectEditor.
type EditedPhoto struct {
	File     string  `json:"file" jsonschema:"name of the file"`
	Title    string  `json:"title"`
	Caption  string  `json:"caption,omitempty"`
	Alt      string  `json:"alt" jsonschema:"what it shows, for people who can't see it"`
	Location string  `json:"location,omitempty" jsonschema:"where it was taken, if the photographer says so"`
	License  string  `json:"license,omitempty" jsonschema:"what others may do with the photo"`
	Cover    bool    `json:"cover" jsonschema:"stands for the project"`
	Picture  Picture `json:"photo"`
	focus    portfolio.Focus
}

func visibilityOf(p *portfolio.Project) string { return cmp.Or(string(p.Visibility), "public") }

// NewPortfolioEditor returns the page where operators choose a project to edit.
func NewPortfolioEditor(site *Site, projects []*portfolio.Project) *PortfolioEditor {
	p := &PortfolioEditor{Projects: []EditedProject{}, Links: []Link{{"/portfolio", "Portfolio"}}, site: site}
	for _, project := range projects {
		p.Projects = append(p.Projects, EditedProject{project.Folder, project.Title, visibilityOf(project), len(project.Photos)})
	}
	return p
}

// NewProjectEditor returns the page that edits a project.
func NewProjectEditor(site *Site, p *portfolio.Project) *ProjectEditor {
	v := &ProjectEditor{Folder: p.Folder, Title: p.Title, Description: p.Description, Body: p.Markdown, Visibility: visibilityOf(p), Downloads: p.Downloads, License: p.License, Photos: []EditedPhoto{}, Links: []Link{{editorPath, "All projects"}}, site: site}
	if !p.PublishAt.IsZero() {
		v.PublishAt = p.PublishAt.UTC().Format("2006-01-02T15:04")
	}
	if !p.Hidden() {
		v.public = projectPath(p.Slug)
		v.Links = append(v.Links, Link{v.public, "View the page"})
	}
	for _, photo := range p.Photos {
		v.Photos = append(v.Photos, EditedPhoto{path.Base(photo.File), photo.Title, photo.Caption, photo.Alt, photo.Location, photo.License, photo == p.Cover(), *NewPicture(site, photo), photo.Focus})
	}
	return v
}

func (p *ProjectEditor) path() string { return editorPath + "/" + p.Folder }

// photoPath returns the path that the form of the photo at an index is sent to.
func (p *ProjectEditor) photoPath(i int) string {
	return p.path() + "/photos/" + url.PathEscape(p.Photos[i].File)
}

// visibilities are the choices of who sees a project.
var visibilities = []Choice{{Value: "public", Label: "Public"}, {Value: "unlisted", Label: "Unlisted"}, {Value: "private", Label: "Private"}}

// Head implements Page.
func (p *PortfolioEditor) Head(ctx context.Context) Head {
	return Head{Title: t(ctx, "Edit the portfolio"), Description: t(ctx, "Projects and photographs."), Path: editorPath, NoIndex: true, Crumbs: []Link{accountCrumb}}
}

// Resource returns the path of the projects in the API.
func (p *PortfolioEditor) Resource() string { return "/api/admin/portfolio" }

// Markdown implements Page.
func (p *PortfolioEditor) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, p.Head(ctx).Title, p.site.notice())
	m.section(t(ctx, "Projects"))
	m.head(t(ctx, "Project"), t(ctx, "Folder"), t(ctx, "Visible to"), t(ctx, "Photographs"))
	for _, c := range p.Projects {
		m.row(m.link(Link{editorPath + "/" + c.Folder, c.Title}), mdText(c.Folder), c.Visibility, strconv.Itoa(c.Photos))
	}
	m.links(p.Links)
	return m.done(w)
}

// Head implements Page.
func (p *ProjectEditor) Head(ctx context.Context) Head {
	return Head{Title: p.Title, Description: t(ctx, "Projects and photographs."), Path: p.path(), NoIndex: true, Crumbs: []Link{accountCrumb, {editorPath, t(ctx, "Edit the portfolio")}}}
}

// Resource returns the path of the project in the API.
func (p *ProjectEditor) Resource() string { return "/api/admin/portfolio/" + p.Folder }

// Markdown implements Page.
func (p *ProjectEditor) Markdown(ctx context.Context, w io.Writer) error {
	m := newMarkdown(p.site, p.Title, p.site.notice())
	m.text(p.Description)
	downloads := t(ctx, "No")
	if p.Downloads {
		downloads = t(ctx, "Yes")
	}
	m.raw("\n")
	m.factRows([]fact{{t(ctx, "Folder"), p.Folder, ""}, {t(ctx, "Visible to"), p.Visibility, ""}, {t(ctx, "Publish at"), p.PublishAt, ""}, {t(ctx, "Downloads"), downloads, ""}, {t(ctx, "License"), p.License, ""}})
	m.section(t(ctx, "Photographs"))
	m.head(t(ctx, "File"), t(ctx, "Title"), t(ctx, "Caption"), t(ctx, "Alt text"), t(ctx, "Location"), t(ctx, "License"))
	for _, c := range p.Photos {
		m.row(mdText(c.File), mdText(c.Title), orDash(c.Caption), orDash(c.Alt), orDash(c.Location), orDash(c.License))
	}
	m.links(p.Links)
	return m.done(w)
}

// visibilityLabel returns the label of who sees a project.
func visibilityLabel(visibility string) string {
	for _, c := range visibilities {
		if c.Value == visibility {
			return c.Label
		}
	}
	return visibility
}
