package search

import (
	"context"
	"io"

	"github.com/secondlight/secondlight/views/ui"
)

// Findings are pages of the site on a question, as the deep research of chat clients expects
// them from a tool called search.
type Findings struct {
	Results []Finding `json:"results" jsonschema:"the likeliest first" maxItems:"20"`
	site    *ui.Site
}

// Finding is a page of the site.
type Finding struct {
	ID    string `json:"id" jsonschema:"argument of fetch" format:"uri-reference"`
	Title string `json:"title" untrusted:"true"`
	URL   string `json:"url" format:"uri"`
}

// NewFindings returns findings. The id of each is the path of its page.
func NewFindings(site *ui.Site, found []ui.Link) *Findings {
	return &Findings{ui.Each(found, func(l *ui.Link) Finding { return Finding{l.Href, l.Label, site.URL(l.Href)} }), site}
}

// Head implements Page.
func (p *Findings) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: ui.T(ctx, "Search"), Description: ui.T(ctx, "Pages about a question."), Path: "/api/research/search", NoIndex: true}
}

// Markdown implements Page.
func (p *Findings) Markdown(ctx context.Context, w io.Writer) error {
	m := ui.NewMarkdown(p.site, ui.T(ctx, "Search"), "").In(ctx)
	for i := range p.Results {
		m.Raw("- ", m.Link(ui.Link{Href: p.Results[i].ID, Label: ui.Untrusted(p.Results[i].Title)}), "\n")
	}
	return m.Done(w)
}

// FindingsResult is what the tool search returns: its text is its JSON.
type FindingsResult Findings

// Result returns what search returns.
func (p *Findings) Result(*ui.NoOptions) *FindingsResult { return (*FindingsResult)(p) }

// Text implements web.ToolResult.
func (r *FindingsResult) Text(w io.Writer) error {
	_, err := w.Write(ui.AppendAny(nil, r))
	return err
}

// Fetched is the text of a page of the site, as the deep research of chat clients expects it
// from a tool called fetch.
type Fetched struct {
	ID       string            `json:"id" jsonschema:"path of the page" format:"uri-reference"`
	Title    string            `json:"title" untrusted:"true"`
	Body     string            `json:"text" jsonschema:"the page as Markdown" maxlength:"1000000" untrusted:"true"`
	URL      string            `json:"url" format:"uri"`
	Metadata map[string]string `json:"metadata" jsonschema:"source: the name of the site"`
	site     *ui.Site
}

// NewFetched returns the text of the page at a path.
func NewFetched(site *ui.Site, path, title, text string) *Fetched {
	return &Fetched{path, title, text, site.URL(path), map[string]string{"source": site.Name()}, site}
}

// Head implements Page.
func (p *Fetched) Head(ctx context.Context) ui.Head {
	return ui.Head{Title: p.Title, Description: ui.T(ctx, "The text of a page."), Path: "/api/research/fetch", NoIndex: true}
}

// Markdown implements Page.
func (p *Fetched) Markdown(_ context.Context, w io.Writer) error {
	_, err := io.WriteString(w, p.Body)
	return err
}

// FetchedResult is what the tool fetch returns: its text is its JSON.
type FetchedResult Fetched

// Result returns what fetch returns.
func (p *Fetched) Result(*ui.NoOptions) *FetchedResult { return (*FetchedResult)(p) }

// Text implements web.ToolResult.
func (r *FetchedResult) Text(w io.Writer) error {
	_, err := w.Write(ui.AppendAny(nil, r))
	return err
}
