package views

import "strings"

// Facet describes one value of a facet. A facet counts with every restriction applied
// except its own, so that the count is that of the search with this value instead.
type Facet struct {
	Value  string `json:"value"`
	Label  string `json:"label"`
	Count  int    `json:"count"`
	Href   string `json:"href" jsonschema:"path in the API of the list narrowed to this value, or widened again when it is chosen"`
	Page   string `json:"page" jsonschema:"path of the same list as a page"`
	Active bool   `json:"active,omitempty" jsonschema:"true when the search is narrowed to this value"`
}

// leading returns the facet with the path of its list as a page.
func (f Facet) leading(page string) Facet {
	f.Page, f.Href = page, JSONPath(page)
	return f
}

// facetGroup holds a facet with its name in JSON, its label and the parameter that
// filters by it.
type facetGroup struct {
	key, label string
	facets     []Facet
	param      string
}

func (g facetGroup) top() []Facet { return g.facets[:min(len(g.facets), facetShown)] }

func (g facetGroup) rest() []Facet { return g.facets[min(len(g.facets), facetShown):] }

// facetShown is the number of values of a facet displayed before the rest is
// collapsed.
const facetShown = 10

// counts writes a line for each facet: its parameter, and every value with its count.
func (m *markdown) counts(heading string, groups ...facetGroup) {
	begun := false
	for _, g := range groups {
		if len(g.facets) == 0 {
			continue
		}
		if !begun {
			m.section(heading)
			begun = true
		}
		values := make([]string, len(g.facets))
		for i, f := range g.facets {
			values[i] = mdText(f.Value) + " " + numberIn(m.ctx, f.Count)
			if f.Value != f.Label {
				values[i] = mdText(f.Value) + " (" + mdText(t(m.ctx, f.Label)) + ") " + numberIn(m.ctx, f.Count)
			}
			if f.Active {
				values[i] += " (" + t(m.ctx, "chosen") + ")"
			}
		}
		m.raw("- `", g.param, "`: ", strings.Join(values, ", "), "\n")
	}
}

// facets writes a line for each facet: every value with its count, linked to its
// search.
func (m *markdown) facets(heading string, groups ...facetGroup) {
	begun := false
	for _, g := range groups {
		if len(g.facets) == 0 {
			continue
		}
		if !begun {
			m.section(heading)
			begun = true
		}
		m.raw("- **", mdText(t(m.ctx, g.label)), "**: ")
		for i, f := range g.facets {
			if i > 0 {
				m.raw(", ")
			}
			m.raw(m.link(Link{f.Page, f.Label}), " (", numberIn(m.ctx, f.Count))
			if f.Active {
				m.raw(", ", t(m.ctx, "chosen: the link drops it"))
			}
			m.raw(")")
		}
		m.raw("\n")
	}
}
