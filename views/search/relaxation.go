package search

import (
	"context"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/views/ui"
)

// newRelaxations returns the relaxations of a search for a keyword.
func newRelaxations(found []search.Relaxation, keyword string) []Relaxation {
	var all []Relaxation
	for _, r := range found {
		q := ui.Query(r.Query)
		relaxed := Relaxation{Parameter: "keyword", Total: r.Total, Ref: ui.NewRef(q.Path()), query: q}
		if r.Param != nil {
			relaxed.Parameter, relaxed.label = r.Param.Name, r.Param.Label
		}
		if q.Keyword != keyword {
			relaxed.Keyword = q.Keyword
		}
		all = append(all, relaxed)
	}
	return all
}

// relaxText returns what is left out, or what is searched for instead.
func (p *Listings) relaxText(ctx context.Context, r *Relaxation) string {
	switch {
	case r.Keyword != "":
		return ui.T(ctx, "“%s”", r.Keyword)
	case r.label != "":
		return ui.T(ctx, "Remove %s", ui.WithinSentence(ctx, r.label))
	}
	return p.words.SearchText(languages.Of(ctx), r.query)
}

// relaxMarkdownText is relaxText with words that the reader wrote between delimiters.
func (p *Listings) relaxMarkdownText(ctx context.Context, r *Relaxation) string {
	if r.Keyword != "" {
		return ui.Untrusted(r.Keyword)
	}
	return p.relaxText(ctx, r)
}

// count returns the number of listings as text.
func (r *Relaxation) count(ctx context.Context) string {
	return ui.TN(ctx, r.Total, "%s listing", "%s listings")
}

// relaxMarkdown writes the relaxations of the search.
func (p *Listings) relaxMarkdown(m *ui.Markdown) {
	if len(p.Relax) == 0 {
		return
	}
	m.Raw("\n", ui.T(m.Context, "No matches. These searches find something:"), "\n\n")
	for i := range p.Relax {
		r := &p.Relax[i]
		name := ""
		if r.label != "" && r.Keyword == "" {
			name = "`" + r.Parameter + "`: "
		}
		m.Raw("- ", name, m.Link(ui.Link{Href: r.Page, Label: p.relaxMarkdownText(m.Context, r)}), ", ", r.count(m.Context), "\n")
	}
}
