package portfolio

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views/ui"
)

// PhotographBrief is a photograph of the portfolio.
type PhotographBrief struct {
	Title    string `json:"title"`
	URL      string `json:"url"`
	Exposure string `json:"exposure,omitempty"`
	Camera   string `json:"camera,omitempty"`
	Lens     string `json:"lens,omitempty"`
}

func photographs(site *ui.Site, cards []PhotoCard) []PhotographBrief {
	all := make([]PhotographBrief, len(cards))
	for i := range cards {
		c := &cards[i]
		all[i] = PhotographBrief{c.Title, site.URL(c.Page), c.Exposure, c.Camera, c.Lens}
	}
	return all
}

// PortfolioResult is the result of reading the portfolio.
type PortfolioResult struct {
	Total      int               `json:"total" jsonschema:"number of photographs"`
	Projects   []ProjectBrief    `json:"projects,omitempty"`
	Photos     []PhotographBrief `json:"photos,omitempty" jsonschema:"matching photographs, with a filter"`
	NextCursor string            `json:"next_cursor,omitempty"`
	page       *Portfolio
}

// ProjectBrief is a project of the portfolio.
type ProjectBrief struct {
	Slug   string `json:"slug"`
	Title  string `json:"title"`
	Photos int    `json:"photos" jsonschema:"number of photographs"`
}

// Result returns what list_portfolio returns.
func (p *Portfolio) Result(*ui.NoOptions) *PortfolioResult {
	projects := ui.Each(p.Projects, func(c *ProjectCard) ProjectBrief { return ProjectBrief{c.Slug, c.Title, c.Photos} })
	return &PortfolioResult{p.Total, projects, photographs(p.site, p.Photos), p.NextCursor, p}
}

// Text implements web.ToolResult.
func (r *PortfolioResult) Text(w io.Writer) error {
	m := ui.NewMarkdown(r.page.site, r.page.Title, r.page.Notice)
	m.Paragraph(r.page.Summary)
	m.Raw("\n")
	for i := range r.page.Projects {
		c := &r.page.Projects[i]
		m.Raw("- ", ui.MarkdownText(c.Title), ": ", ui.MarkdownText(c.Description), "\n")
	}
	writePhotoLines(m, r.Photos)
	m.ToolNames([]string{"get_project (project)"})
	return m.Done(w)
}

// writePhotoLines writes photographs, each on a line.
func writePhotoLines(m *ui.Markdown, photos []PhotographBrief) {
	for _, c := range photos {
		m.Raw("- ", ui.Commas(ui.MarkdownText(c.Title), ui.MarkdownText(c.Camera), ui.MarkdownText(c.Lens)), "\n")
	}
}

// ProjectResult is the result of reading a project.
type ProjectResult struct {
	Slug       string            `json:"slug"`
	Total      int               `json:"total" jsonschema:"number of photographs"`
	Photos     []PhotographBrief `json:"photos"`
	NextCursor string            `json:"next_cursor,omitempty"`
	URL        string            `json:"url"`
	page       *Project
}

// Result returns what get_project returns.
func (p *Project) Result(*ui.NoOptions) *ProjectResult {
	return &ProjectResult{p.Slug, p.Total, photographs(p.site, p.Photos), p.NextCursor, p.site.URL(p.Page), p}
}

// Text implements web.ToolResult.
func (r *ProjectResult) Text(w io.Writer) error {
	m := ui.NewMarkdown(r.page.site, r.page.Title, r.page.Notice)
	m.Paragraph(r.page.Description)
	m.Raw("\n")
	writePhotoLines(m, r.Photos)
	return m.Done(w)
}

// PhotographResult is the result of reading a photograph.
type PhotographResult struct {
	Title    string    `json:"title"`
	Credit   string    `json:"credit,omitempty"`
	Project  string    `json:"project" jsonschema:"title of the project"`
	Exposure *Exposure `json:"exposure,omitempty"`
	Camera   string    `json:"camera,omitempty" jsonschema:"catalogue slug, or the name in the file"`
	Lens     string    `json:"lens,omitempty" jsonschema:"catalogue slug, or the name in the file"`
	Image    string    `json:"image" jsonschema:"URL of the picture"`
	URL      string    `json:"url"`
	page     *ProjectPhoto
}

// Result returns what get_photo returns.
func (p *ProjectPhoto) Result(*ui.NoOptions) *PhotographResult {
	r := &PhotographResult{Title: p.Title, Credit: p.Credit, Project: p.Project.Label, Exposure: p.Exposure, Camera: p.CameraName, Lens: p.LensName, Image: p.Picture.Src, URL: p.site.URL(p.Page), page: p}
	if p.Camera != nil {
		r.Camera = p.Camera.Slug
	}
	if p.Lens != nil {
		r.Lens = p.Lens.Slug
	}
	return r
}

// Text implements web.ToolResult.
func (r *PhotographResult) Text(w io.Writer) error {
	p := r.page
	m := ui.NewMarkdown(p.site, p.Title, p.Notice)
	m.Paragraph(p.Caption)
	exposure := ""
	if p.Exposure != nil {
		exposure = p.Exposure.Text
	}
	m.Paragraph(ui.Commas(p.Project.Label, exposure, r.Camera, r.Lens))
	return m.Done(w)
}

// KitResult is the result of reading the photographer's gear.
type KitResult struct {
	Worth   ui.AmountText  `json:"worth,omitempty" jsonschema:"sum of the known values"`
	Items   []KitItemBrief `json:"items"`
	Unknown int            `json:"unknown" jsonschema:"number of items with too few sales to value"`
	page    *Kit
}

// KitItemBrief is an item of the photographer's gear.
type KitItemBrief struct {
	Gear      string           `json:"gear"`
	Condition models.Condition `json:"condition,omitempty"`
	Value     ui.AmountText    `json:"value,omitempty" jsonschema:"the estimate, or else the sold median; absent with too few sales"`
}

// Result returns what get_kit returns.
func (p *Kit) Result(*ui.NoOptions) *KitResult {
	items := ui.Each(p.Items, func(item *KitItem) KitItemBrief {
		return KitItemBrief{item.Slug, item.Condition, ui.AmountTextOr(item.Value)}
	})
	return &KitResult{ui.AmountTextOr(p.Worth), items, p.Unknown, p}
}

// Text implements web.ToolResult.
func (r *KitResult) Text(w io.Writer) error {
	m := ui.NewMarkdown(r.page.site, r.page.Title, r.page.Notice)
	m.Paragraph(r.page.lead(context.Background()))
	m.Raw("\n")
	for i := range r.page.Items {
		item := &r.page.Items[i]
		m.Raw("- ", ui.Commas(ui.MarkdownText(item.Name), item.conditionText(context.Background()), ui.MoneyOr(item.Value, "no value"), item.Basis), "\n")
	}
	return m.Done(w)
}

// ProjectChange is the result of changing a project or its photographs.
type ProjectChange struct {
	Folder     string   `json:"folder" jsonschema:"folder of the project"`
	Title      string   `json:"title"`
	Visibility string   `json:"visibility" jsonschema:"who sees it" enum:"public,unlisted,private"`
	PublishAt  string   `json:"publish_at,omitempty" jsonschema:"private until then"`
	Total      int      `json:"total" jsonschema:"number of photographs"`
	Received   int64    `json:"received,omitempty" jsonschema:"bytes of the uploaded file that have arrived"`
	Next       []string `json:"next" jsonschema:"tools to call next"`
	page       *ProjectEditor
}

// Change returns what the tools that change a project return.
func (p *ProjectEditor) Change(*ui.NoOptions) *ProjectChange {
	next := []string{"upload_project_photos"}
	if p.Total > 0 {
		next = []string{"update_project_photo", "update_project"}
	}
	return &ProjectChange{p.Folder, p.Title, p.Visibility, p.PublishAt, p.Total, p.Received, next, p}
}

// Text implements web.ToolResult.
func (r *ProjectChange) Text(w io.Writer) error {
	m := ui.NewMarkdown(r.page.site, r.Title, "")
	m.Paragraph(ui.Commas(r.Folder, r.Visibility, ui.CountText(r.Total, "photograph", "photographs")))
	m.ToolNames(r.Next)
	return m.Done(w)
}
