package ui

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

// Leading returns the facet with the path of its list as a page.
func (f Facet) Leading(page string) Facet {
	f.Page, f.Href = page, JSONPath(page)
	return f
}

// FacetGroup holds a facet with its name in JSON, its label and the parameter that
// filters by it.
type FacetGroup struct {
	Key, Label string
	Facets     []Facet
	Param      string
}

func (g FacetGroup) top() []Facet { return g.Facets[:min(len(g.Facets), FacetShown)] }

func (g FacetGroup) rest() []Facet { return g.Facets[min(len(g.Facets), FacetShown):] }

// FacetShown is the number of values of a facet displayed before the rest is
// collapsed.
const FacetShown = 10

// Counts writes a line for each facet: its parameter, and every value with its count.
func (m *Markdown) Counts(heading string, groups ...FacetGroup) {
	begun := false
	for _, g := range groups {
		if len(g.Facets) == 0 {
			continue
		}
		if !begun {
			m.Section(heading)
			begun = true
		}
		values := make([]string, len(g.Facets))
		for i, f := range g.Facets {
			values[i] = MarkdownText(f.Value) + " " + NumberIn(m.Context, f.Count)
			if f.Value != f.Label {
				values[i] = MarkdownText(f.Value) + " (" + MarkdownText(T(m.Context, f.Label)) + ") " + NumberIn(m.Context, f.Count)
			}
			if f.Active {
				values[i] += " (" + T(m.Context, "chosen") + ")"
			}
		}
		m.Raw("- `", g.Param, "`: ", strings.Join(values, ", "), "\n")
	}
}

// Facets writes a line for each facet: every value with its count, linked to its
// search.
func (m *Markdown) Facets(heading string, groups ...FacetGroup) {
	begun := false
	for _, g := range groups {
		if len(g.Facets) == 0 {
			continue
		}
		if !begun {
			m.Section(heading)
			begun = true
		}
		m.Raw("- **", MarkdownText(T(m.Context, g.Label)), "**: ")
		for i, f := range g.Facets {
			if i > 0 {
				m.Raw(", ")
			}
			m.Raw(m.Link(Link{f.Page, f.Label}), " (", NumberIn(m.Context, f.Count))
			if f.Active {
				m.Raw(", ", T(m.Context, "chosen: the link drops it"))
			}
			m.Raw(")")
		}
		m.Raw("\n")
	}
}
