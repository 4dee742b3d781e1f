package views

import (
	"strings"

	"github.com/secondlight/secondlight/models/search"
)

// Relaxation says what a search that finds nothing would find without one of its
// parameters.
type Relaxation struct {
	Parameter string `json:"parameter" jsonschema:"parameter to remove"`
	Total     int    `json:"total" jsonschema:"number of listings without it"`
	Ref              // to the search without it
	label     string
}

// newRelaxations returns the relaxations of a search.
func newRelaxations(found []search.Relaxation) []Relaxation {
	var all []Relaxation
	for _, r := range found {
		q := Query(r.Query)
		all = append(all, Relaxation{Parameter: r.Param.Name, Total: r.Total, Ref: newRef(q.Path()),
			label: "Without " + strings.ToLower(r.Param.Label)})
	}
	return all
}

// link returns the link to the page of the search.
func (r *Relaxation) link() Link { return Link{r.Page, r.label} }

// count returns the number of listings as text.
func (r *Relaxation) count() string { return countText(r.Total, "listing", "listings") }

// relaxMarkdown writes the relaxations of the search.
func (p *Listings) relaxMarkdown(m *markdown) {
	if len(p.Relax) == 0 {
		return
	}
	m.raw("\nNothing matches all filters. Leave one out:\n\n")
	for i := range p.Relax {
		r := &p.Relax[i]
		m.raw("- `", r.Parameter, "`: ", m.link(r.link()), ", ", r.count(), "\n")
	}
}
