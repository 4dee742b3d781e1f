package views

import (
	"context"

	"github.com/secondlight/secondlight/models/search"
)

// newRelaxations returns the relaxations of a search.
func newRelaxations(found []search.Relaxation) []Relaxation {
	var all []Relaxation
	for _, r := range found {
		q := Query(r.Query)
		all = append(all, Relaxation{Parameter: r.Param.Name, Total: r.Total, Ref: newRef(q.Path()),
			label: r.Param.Label})
	}
	return all
}

// text returns what is left out.
func (r *Relaxation) text(ctx context.Context) string {
	return t(ctx, "Without %s", withinSentence(ctx, r.label))
}

// count returns the number of listings as text.
func (r *Relaxation) count(ctx context.Context) string {
	return tn(ctx, r.Total, "%s listing", "%s listings")
}

// relaxMarkdown writes the relaxations of the search.
func (p *Listings) relaxMarkdown(m *markdown) {
	if len(p.Relax) == 0 {
		return
	}
	m.raw("\n", t(m.ctx, "Nothing matches all filters. Leave one out:"), "\n\n")
	for i := range p.Relax {
		r := &p.Relax[i]
		m.raw("- `", r.Parameter, "`: ", m.link(Link{r.Page, r.text(m.ctx)}), ", ", r.count(m.ctx), "\n")
	}
}
