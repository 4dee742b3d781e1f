package search

import (
	"context"

	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/views/ui"
)

// newRelaxations returns the relaxations of a search.
func newRelaxations(found []search.Relaxation) []Relaxation {
	var all []Relaxation
	for _, r := range found {
		q := ui.Query(r.Query)
		all = append(all, Relaxation{Parameter: r.Param.Name, Total: r.Total, Ref: ui.NewRef(q.Path()),
			label: r.Param.Label})
	}
	return all
}

// text returns what is left out.
func (r *Relaxation) text(ctx context.Context) string {
	return ui.T(ctx, "Remove %s", ui.WithinSentence(ctx, r.label))
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
	m.Raw("\n", ui.T(m.Context, "No matches. Try removing a filter:"), "\n\n")
	for i := range p.Relax {
		r := &p.Relax[i]
		m.Raw("- `", r.Parameter, "`: ", m.Link(ui.Link{Href: r.Page, Label: r.text(m.Context)}), ", ", r.count(m.Context), "\n")
	}
}
