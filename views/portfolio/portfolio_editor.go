package portfolio

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/url"
	"path"
	"slices"
	"strconv"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/portfolio"
	"github.com/secondlight/secondlight/views/ui"
)

// PortfolioEditor is the page where operators choose a project to edit.
type PortfolioEditor struct {
	Projects []EditedProject `json:"projects" jsonschema:"those that can be edited, newest first"`
	Skipped  []SkippedFile   `json:"skipped_files,omitempty" jsonschema:"files that visitors don't see because something is wrong with them"`
	Links    []ui.Link       `json:"links"`
	site     *ui.Site
}

// EditedProject is a project in PortfolioEditor.
type EditedProject struct {
	Folder     string `json:"folder" jsonschema:"folder of the project"`
	Title      string `json:"title"`
	Visibility string `json:"visibility" jsonschema:"who sees it" enum:"public,unlisted,private"`
	Photos     int    `json:"photos" jsonschema:"number of photos" min:"0"`
}

// SkippedFile is a file of the portfolio that can't be shown, or in which an entry can't.
type SkippedFile struct {
	Name    string `json:"name" jsonschema:"path below DATA_DIR"`
	Reason  string `json:"reason" jsonschema:"what is wrong with it"`
	Hint    string `json:"hint,omitempty" jsonschema:"how to repair it"`
	problem portfolio.Problem
}

// says says what is wrong with the file, and how to repair it.
func (f *SkippedFile) says(ctx context.Context) string {
	return ui.ProblemText(ctx, f.problem.Reason.And(f.problem.Hint))
}

// ProjectEditor is the page that edits a project.
type ProjectEditor struct {
	Folder      string        `json:"folder" jsonschema:"folder of the project"`
	Title       string        `json:"title"`
	Description string        `json:"description,omitempty"`
	Body        string        `json:"body,omitempty" jsonschema:"text as Markdown" maxlength:"50000"`
	Visibility  string        `json:"visibility" jsonschema:"who sees it" enum:"public,unlisted,private"`
	PublishAt   string        `json:"publish_at,omitempty" jsonschema:"private until then"`
	Downloads   bool          `json:"downloads" jsonschema:"visitors are offered the largest size"`
	License     string        `json:"license,omitempty" jsonschema:"what others may do with the photos; absent for all rights reserved"`
	Total       int           `json:"total" jsonschema:"number of photos" min:"0"`
	Photos      []EditedPhoto `json:"photos"`
	NextCursor  string        `json:"next_cursor,omitempty"`
	Received    int64         `json:"received,omitempty" jsonschema:"bytes of the uploaded file that have arrived" min:"0"`
	Links       []ui.Link     `json:"links"`
	publishAt   models.Time   // 0 for none
	public      string        // path of its page, "" while it is hidden
	first       int           // index in the project of the first of Photos
	next        ui.Next
	site        *ui.Site
}

// EditedPhoto is a photo in ProjectEditor. Its texts are those that the owner has set.
type EditedPhoto struct {
	File      string         `json:"file" jsonschema:"name of the file"`
	Title     string         `json:"title,omitempty"`
	Caption   string         `json:"caption,omitempty"`
	Alt       string         `json:"alt,omitempty" jsonschema:"what it shows, for people who can't see it"`
	Location  string         `json:"location,omitempty" jsonschema:"where it was taken, if the photographer says so"`
	License   string         `json:"license,omitempty" jsonschema:"what others may do with the photo"`
	Inherited InheritedTexts `json:"inherited" jsonschema:"what is shown instead of texts that are not set"`
	FocusX    int            `json:"focus_x" jsonschema:"point that stays in the picture when it is cropped, in percent from the left" min:"0" max:"100"`
	FocusY    int            `json:"focus_y" jsonschema:"the same, in percent from the top" min:"0" max:"100"`
	Layout    string         `json:"layout,omitempty" jsonschema:"the row that it begins has 1, 2 or 3 photographs; absent for rows of about the same height" enum:"full,pair,triptych"`
	Text      string         `json:"text,omitempty" jsonschema:"text as Markdown before that row" maxlength:"5000"`
	Hidden    bool           `json:"hidden,omitempty" jsonschema:"only operators see it"`
	Cover     bool           `json:"cover" jsonschema:"stands for the project"`
	Picture   Picture        `json:"photo"`
}

// InheritedTexts are the texts of a photo that are taken from its file, its sidecar and the
// project, because the owner has not set them.
type InheritedTexts struct {
	Title   string `json:"title,omitempty"`
	Caption string `json:"caption,omitempty"`
	Alt     string `json:"alt,omitempty" jsonschema:"what it shows, for people who can't see it"`
	License string `json:"license,omitempty" jsonschema:"what others may do with the photo"`
}

// newEditedPhoto returns a photo as it is edited.
func newEditedPhoto(site *ui.Site, p *portfolio.Photo) EditedPhoto {
	own := p.Own
	v := EditedPhoto{File: path.Base(p.File), Title: own.Title, Caption: own.Caption, Alt: own.Alt, Location: own.Location, License: own.License,
		FocusX: p.Focus.X, FocusY: p.Focus.Y, Hidden: p.Hidden, Layout: string(p.Layout), Text: p.Text, Cover: p == p.Project.Cover(), Picture: *NewPicture(site, p)}
	for _, text := range []struct {
		own, shown string
		inherited  *string
	}{
		{own.Title, p.Title, &v.Inherited.Title}, {own.Caption, p.Caption, &v.Inherited.Caption},
		{own.Alt, p.Alt, &v.Inherited.Alt}, {own.License, p.License, &v.Inherited.License},
	} {
		if text.own == "" {
			*text.inherited = text.shown
		}
	}
	return v
}

func visibilityOf(p *portfolio.Project) string { return cmp.Or(string(p.Visibility), "public") }

// NewPortfolioEditor returns the page where operators choose a project to edit.
func NewPortfolioEditor(site *ui.Site, projects []*portfolio.Project, problems []portfolio.Problem) *PortfolioEditor {
	p := &PortfolioEditor{Projects: []EditedProject{}, Links: []ui.Link{{Href: "/portfolio", Label: "Portfolio"}}, site: site}
	for _, project := range projects {
		p.Projects = append(p.Projects, EditedProject{project.Folder, project.Title, visibilityOf(project), len(project.All())})
	}
	for _, problem := range problems {
		p.Skipped = append(p.Skipped, SkippedFile{problem.File, problem.Reason.String(), problem.Hint.String(), problem})
	}
	return p
}

// NewProjectEditor returns a page that edits a project and some of its photos.
func NewProjectEditor(site *ui.Site, p *portfolio.Project, page []*portfolio.Photo, next ui.Next) *ProjectEditor {
	v := &ProjectEditor{Folder: p.Folder, Title: p.Title, Description: p.Description, Body: p.Markdown, Visibility: visibilityOf(p), Downloads: p.Downloads, License: p.License, Total: len(p.All()), Photos: []EditedPhoto{}, NextCursor: next.Cursor, next: next, Links: []ui.Link{{Href: ui.EditorPath, Label: "All projects"}}, site: site}
	if !p.PublishAt.IsZero() {
		v.PublishAt, v.publishAt = p.PublishAt.UTC().Format("2006-01-02T15:04"), models.TimeOf(p.PublishAt)
	}
	v.Links = append(v.Links, ui.Link{Href: v.path() + "/gallery", Label: "Client gallery"})
	if !p.Hidden() {
		v.public = ui.ProjectPath(p.Slug)
		v.Links = append(v.Links, ui.Link{Href: v.public, Label: "View the page"})
	}
	if len(page) > 0 {
		v.first = slices.Index(p.All(), page[0])
	}
	for _, photo := range page {
		v.Photos = append(v.Photos, newEditedPhoto(site, photo))
	}
	return v
}

// orInherited escapes a text, or the inherited one in italics, or returns a dash when both
// are empty.
func orInherited(own, inherited string) string {
	if own == "" && inherited != "" {
		return "*" + ui.MarkdownText(inherited) + "*"
	}
	return ui.OrDash(own)
}

func (p *ProjectEditor) path() string { return ui.EditorPath + "/" + p.Folder }

// Next returns the path of the next page, "" when this is the last one.
func (p *ProjectEditor) Next() string { return p.next.Path(p.path()) }

// After implements web.PagedPage.
func (p *ProjectEditor) After() string { return p.NextCursor }

// photoInputID returns the id of a field of the form of the photo in a file.
func photoInputID(file, name string) string { return name + "-" + url.PathEscape(file) }

// photoInputLimits returns the attributes that limit what is entered in a field.
func photoInputLimits(in *ui.Input) templ.Attributes {
	if in.Type == "number" {
		return templ.Attributes{"type": "number", "min": "0", "max": "100"}
	}
	if in.MaxLength > 0 {
		return templ.Attributes{"maxlength": strconv.Itoa(in.MaxLength)}
	}
	return nil
}

// PhotoPath returns the path that the form of the photo at an index is sent to.
func (p *ProjectEditor) photoPath(i int) string {
	return p.path() + "/photos/" + url.PathEscape(p.Photos[i].File)
}

// visibilities are the choices of who sees a project.
var visibilities = []ui.Choice{{Value: "public", Label: "Public"}, {Value: "unlisted", Label: "Unlisted"}, {Value: "private", Label: "Private"}}

// Choices of what is set of a photo.
var (
	photoVisibilities = []ui.Choice{{Value: "false", Label: languages.Mark("Everyone who sees the project")}, {Value: "true", Label: languages.Mark("Operators only")}}
	photoLayouts      = []ui.Choice{{Label: languages.Mark("Automatic")}, {Value: string(portfolio.Full), Label: languages.Mark("Full width")}, {Value: string(portfolio.Pair), Label: languages.Mark("Pair with the next")}, {Value: string(portfolio.Triptych), Label: languages.Mark("Triptych with the next two")}}
)

// describedAs returns the photo with another alternative text.
func (p *Picture) describedAs(alt string) *ui.Photo {
	photo := p.Photo
	photo.Alt = alt
	return &photo
}

// Head implements Page.
func (p *PortfolioEditor) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Edit the portfolio"), Description: ui.T(ctx, "Projects and photographs."), Path: ui.EditorPath, NoIndex: true, Crumbs: []ui.Link{ui.AccountCrumb}}
}

// Resource returns the path of the projects in the API.
func (p *PortfolioEditor) Resource() string { return "/api/admin/portfolio" }

// Markdown implements Page.
func (p *PortfolioEditor) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, p.Head(ctx).Title, ui.T(ctx, p.site.Notice())).In(ctx)
	if len(p.Skipped) > 0 {
		m.Section("Files to repair")
		m.Head("File", "What is wrong")
		for i := range p.Skipped {
			m.Row(ui.MarkdownText(p.Skipped[i].Name), ui.MarkdownText(p.Skipped[i].says(ctx)))
		}
	}
	m.Section("Projects")
	m.Head("Project", "Folder", "Visible to", "Photographs")
	for _, c := range p.Projects {
		m.Row(m.Link(ui.Link{Href: ui.EditorPath + "/" + c.Folder, Label: c.Title}), ui.MarkdownText(c.Folder), visibilityText(ctx, c.Visibility), strconv.Itoa(c.Photos))
	}
	m.Links(p.Links)
	return m.Done(w)
}

// Head implements Page.
func (p *ProjectEditor) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: p.Title, Description: ui.T(ctx, "Projects and photographs."), Path: p.path(), NoIndex: true, Crumbs: []ui.Link{ui.AccountCrumb, {Href: ui.EditorPath, Label: ui.T(ctx, "Edit the portfolio")}}}
}

// Resource returns the path of the project in the API.
func (p *ProjectEditor) Resource() string { return "/api/admin/portfolio/" + p.Folder }

// Markdown implements Page.
func (p *ProjectEditor) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, p.Title, ui.T(ctx, p.site.Notice())).In(ctx)
	m.Paragraph(p.Description)
	downloads := ui.T(ctx, "No")
	if p.Downloads {
		downloads = ui.T(ctx, "Yes")
	}
	m.Raw("\n")
	m.FactRows([]ui.Fact{{Name: ui.T(ctx, "Folder"), Value: p.Folder}, {Name: ui.T(ctx, "Visible to"), Value: visibilityText(ctx, p.Visibility)}, {Name: ui.T(ctx, "Publish at"), Value: ui.MomentIn(ctx, p.publishAt.RFC3339())}, {Name: ui.T(ctx, "Downloads"), Value: downloads}, {Name: ui.T(ctx, "License"), Value: p.License}, {Name: ui.T(ctx, "Photographs"), Value: strconv.Itoa(p.Total)}})
	m.Section("Photographs")
	m.Head("File", "Title", "Caption", "Alt text", "Location", "License", "Focal point", "Visible to", "Row on the page", "Text before this row", "Cover")
	for i := range p.Photos {
		c := &p.Photos[i]
		cover := ui.T(ctx, "No")
		if c.Cover {
			cover = ui.T(ctx, "Yes")
		}
		m.Row(ui.MarkdownText(c.File), orInherited(c.Title, c.Inherited.Title), orInherited(c.Caption, c.Inherited.Caption), orInherited(c.Alt, c.Inherited.Alt), ui.OrDash(c.Location), orInherited(c.License, c.Inherited.License),
			fmt.Sprintf("%d%%, %d%%", c.FocusX, c.FocusY), ui.ChoiceLabel(ctx, photoVisibilities, strconv.FormatBool(c.Hidden)), ui.ChoiceLabel(ctx, photoLayouts, c.Layout), ui.OrDash(c.Text), cover)
	}
	links := p.Links
	if next := p.Next(); next != "" {
		links = append([]ui.Link{{Href: next, Label: "Next page"}}, links...)
	}
	m.Links(links)
	return m.Done(w)
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

// visibilityText returns the label and the code of who sees a project.
func visibilityText(ctx context.Context, visibility string) string {
	return ui.T(ctx, visibilityLabel(visibility)) + " (" + visibility + ")"
}
