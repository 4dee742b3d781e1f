package views

import (
	"iter"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/search"
)

// Facets count the listings found, by what a shopper may narrow.
type Facets struct {
	Category  []Facet `json:"category"`
	Brand     []Facet `json:"brand"`
	Condition []Facet `json:"condition"`
	Region    []Facet `json:"region"`
	Mount     []Facet `json:"mount"`
	Price     []Facet `json:"price"`
}

// Facet is one value of a facet. Each facet counts with every other
// restriction applied but its own, so that choosing another value is a real choice.
type Facet struct {
	Value  string `json:"value"`
	Label  string `json:"label"`
	Count  int    `json:"count"`
	Href   string `json:"href" jsonschema:"the search narrowed to this value, or widened again when it is chosen"`
	Active bool   `json:"active,omitempty" jsonschema:"true when the search is narrowed to this value"`
}

// facetKind is one of the things a search can be narrowed by.
type facetKind int

const (
	byCategory facetKind = iota
	byBrand
	byCondition
	byRegion
	byMount
	byPrice
	facetKinds
)

// facetNames are what a facet is called in JSON, which parameter of a search
// narrows by it, and its name for people.
var facetNames = [facetKinds]struct{ key, param, label string }{
	{"category", "category", "Category"}, {"brand", "brand", "Brand"}, {"condition", "condition", "Condition"},
	{"region", "region", "Region"}, {"mount", "mount", "Mount"}, {"price", "budget", "Price"},
}

// facetGroup is a facet with its name, for code and for people.
type facetGroup struct {
	key, label string
	facets     []Facet
}

// groups are the facets in their one order.
func (f *Facets) groups() (all [facetKinds]facetGroup) {
	for kind, facets := range [facetKinds][]Facet{f.Category, f.Brand, f.Condition, f.Region, f.Mount, f.Price} {
		all[kind] = facetGroup{facetNames[kind].key, facetNames[kind].label, facets}
	}
	return all
}

// facetShown is how many values of a facet are shown before the rest is folded.
const facetShown = 10

func (g facetGroup) top() []Facet  { return g.facets[:min(len(g.facets), facetShown)] }
func (g facetGroup) rest() []Facet { return g.facets[min(len(g.facets), facetShown):] }

// facets writes what a list can be narrowed to, a line for each facet: every
// value with how many fit, as a link to those.
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
		m.raw("- **", mdText(g.label), "**: ")
		for i, f := range g.facets {
			if i > 0 {
				m.raw(", ")
			}
			m.raw(m.link(Link{f.Href, f.Label}), " (", numberText(f.Count))
			if f.Active {
				m.raw(", chosen: the link drops it")
			}
			m.raw(")")
		}
		m.raw("\n")
	}
}

// term is one value of a facet, as every search writes it.
type term struct {
	value, label string
	head         []byte // its JSON up to the count
	pair         []byte // as a parameter: "&brand=canon"
}

// Vocabulary is how a site writes the values that searches are narrowed to. It
// remembers what it wrote: there are as many values as the catalogue and the
// regions of the listings have, and every search shows most of them again.
type Vocabulary struct {
	site  *Site
	names Names
	words [facetKinds]memory[string]
	bands memory[[2]models.Cents]
}

// NewVocabulary makes the vocabulary of a site, whose catalogue calls things by names.
func NewVocabulary(site *Site, names Names) *Vocabulary { return &Vocabulary{site: site, names: names} }

// memory keeps terms. Reading takes no lock; adding copies what there is.
type memory[K comparable] struct {
	terms atomic.Pointer[map[K]*term]
	mu    sync.Mutex
}

func (m *memory[K]) get(key K) *term {
	if known := m.terms.Load(); known != nil {
		return (*known)[key]
	}
	return nil
}

func (m *memory[K]) keep(key K, t *term) *term {
	m.mu.Lock()
	defer m.mu.Unlock()
	more := map[K]*term{key: t}
	if known := m.terms.Load(); known != nil {
		for k, t := range *known {
			more[k] = t
		}
	}
	m.terms.Store(&more)
	return t
}

// term is a value of a facet other than the price.
func (v *Vocabulary) term(kind facetKind, value string) *term {
	if t := v.words[kind].get(value); t != nil {
		return t
	}
	value = strings.Clone(value)
	return v.words[kind].keep(value, newTerm(kind, value, v.label(kind, value)))
}

// band is a range of prices, whose value is written as the budget parameter is.
func (v *Vocabulary) band(b *search.Band) *term {
	key := [2]models.Cents{b.Least, b.Most}
	if t := v.bands.get(key); t != nil {
		return t
	}
	value := v.site.Currency.Plain(b.Least) + "-"
	if b.Most > 0 {
		value += v.site.Currency.Plain(b.Most)
	}
	return v.bands.keep(key, newTerm(byPrice, value, budgetText(v.site.Currency.Code, value)))
}

func newTerm(kind facetKind, value, label string) *term {
	t := &term{value: value, label: label, pair: appendPair(nil, facetNames[kind].param, value)}
	t.head = appendString([]byte(`{"value":`), value)
	t.head = appendString(append(t.head, `,"label":`...), label)
	t.head = append(t.head, `,"count":`...)
	return t
}

// label is what people call a value.
func (v *Vocabulary) label(kind facetKind, value string) string {
	switch kind {
	case byCategory:
		return categoryText(value)
	case byBrand:
		return v.names.brand(value)
	case byCondition:
		return models.Condition(value).Label()
	case byRegion:
		return RegionName(models.Region(value))
	}
	return value
}

// terms are the values of one facet that were found, and how often.
func (v *Vocabulary) terms(kind facetKind, found *search.Facets) iter.Seq2[*term, int] {
	return func(yield func(*term, int) bool) {
		if kind == byPrice {
			for i := range found.Price {
				if !yield(v.band(&found.Price[i]), found.Price[i].Count) {
					return
				}
			}
			return
		}
		counts := [...][]search.Count{found.Category, found.Brand, found.Condition, found.Region, found.Mount}[kind]
		for i := range counts {
			if !yield(v.term(kind, counts[i].Value), counts[i].Count) {
				return
			}
		}
	}
}

// list is one facet of a search, for the faces that need its fields.
func (v *Vocabulary) list(kind facetKind, w *written, found *search.Facets) []Facet {
	n := w.narrow(kind)
	facets := []Facet{}
	for t, count := range v.terms(kind, found) {
		facets = append(facets, Facet{Value: t.value, Label: t.label, Count: count, Href: string(n.appendHref(nil, t)), Active: n.active(t)})
	}
	return facets
}

// appendJSON appends the JSON of a search's facets: what encoding/json writes of
// the lists, without making them.
func (v *Vocabulary) appendJSON(dst []byte, w *written, found *search.Facets) []byte {
	for kind := range facetKinds {
		dst = append(dst, `,"`...)
		dst = append(dst, facetNames[kind].key...)
		dst = append(dst, `":[`...)
		if kind == 0 {
			dst[len(dst)-len(`,"category":[`)] = '{'
		}
		n, first := w.narrow(kind), true
		for t, count := range v.terms(kind, found) {
			if !first {
				dst = append(dst, ',')
			}
			first = false
			dst = append(dst, t.head...)
			dst = strconv.AppendInt(dst, int64(count), 10)
			dst = append(dst, `,"href":"`...)
			dst = n.appendHref(dst, t) // ASCII without quotes: percent-encoded
			if n.active(t) {
				dst = append(dst, `","active":true}`...)
			} else {
				dst = append(dst, `"}`...)
			}
		}
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

// narrowing leads from a search to those that one facet offers.
type narrowing struct {
	kind          facetKind
	before, after []byte   // the search's other parameters, each starting with "&"
	chosen        []string // what the facet is narrowed to, in the order of addresses
}

func (w *written) narrow(kind facetKind) narrowing {
	param := facetNames[kind].param
	before, after := w.around(param)
	return narrowing{kind, before, after, w.query.values(param)}
}

// active reports whether the search is narrowed to a value.
func (n *narrowing) active(t *term) bool {
	for _, v := range n.chosen {
		if v == t.value {
			return true
		}
	}
	return false
}

// appendHref appends the address of the search that has a value too, or in the
// place of the one chosen; if it is chosen, the search without it.
func (n *narrowing) appendHref(dst []byte, t *term) []byte {
	dst = append(dst, searchPath...)
	mark := len(dst)
	dst = append(dst, n.before...)
	switch {
	case len(n.chosen) == 0:
		dst = append(dst, t.pair...)
	case n.kind == byBrand || n.kind == byCondition:
		dst = n.appendToggled(dst, t)
	case !n.active(t):
		dst = append(dst, t.pair...)
	}
	dst = append(dst, n.after...)
	if len(dst) > mark {
		dst[mark] = '?'
	}
	return dst
}

// appendToggled appends the chosen values with another in its place, or without
// it when it is among them.
func (n *narrowing) appendToggled(dst []byte, t *term) []byte {
	placed := n.active(t)
	for _, v := range n.chosen {
		if !placed && n.precedes(t.value, v) {
			dst, placed = append(dst, t.pair...), true
		}
		if v != t.value {
			dst = appendPair(dst, facetNames[n.kind].param, v)
		}
	}
	if !placed {
		dst = append(dst, t.pair...)
	}
	return dst
}

// precedes is the order repeated values have in addresses: brands by slug,
// conditions the best first.
func (n *narrowing) precedes(a, b string) bool {
	if n.kind == byCondition {
		return models.Condition(a).Rank() > models.Condition(b).Rank()
	}
	return a < b
}
