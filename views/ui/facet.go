package ui

import (
	"slices"
	"strings"
)

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
	m.facetLines(heading, groups, func(g *FacetGroup) string { return "`" + g.Param + "`" }, func(f *Facet) string {
		value := MarkdownText(f.Value)
		if f.Value != f.Label {
			value += " (" + MarkdownText(T(m.Context, f.Label)) + ")"
		}
		value += " " + NumberIn(m.Context, f.Count)
		if f.Active {
			value += " (" + T(m.Context, "chosen") + ")"
		}
		return value
	})
}

// Facets writes a line for each facet: every value with its count, linked to its
// search.
func (m *Markdown) Facets(heading string, groups ...FacetGroup) {
	m.facetLines(heading, groups, func(g *FacetGroup) string { return "**" + MarkdownText(T(m.Context, g.Label)) + "**" }, func(f *Facet) string {
		count := NumberIn(m.Context, f.Count)
		if f.Active {
			count += ", " + T(m.Context, "selected; the link removes it")
		}
		return m.Link(Link{f.Page, f.Label}) + " (" + count + ")"
	})
}

// facetLines writes a section with a line for each facet that has values, nothing if none has.
func (m *Markdown) facetLines(heading string, groups []FacetGroup, name func(*FacetGroup) string, value func(*Facet) string) {
	groups = slices.DeleteFunc(slices.Clone(groups), func(g FacetGroup) bool { return len(g.Facets) == 0 })
	if len(groups) > 0 {
		m.Section(heading)
	}
	for i := range groups {
		m.Raw("- ", name(&groups[i]), ": ", strings.Join(Each(groups[i].Facets, value), ", "), "\n")
	}
}
