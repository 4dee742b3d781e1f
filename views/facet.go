package views

import (
	"bytes"
	"maps"
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

// facetKind is the index of a facet in facetSpecs.
type facetKind int

// facetSpecs are the facets of a search in the order pages and JSON have them.
var facetSpecs = [...]facetSpec{
	newFacetSpec("category", "category", func(f *Facets) *[]Facet { return &f.Category }),
	newFacetSpec("brand", "brand", func(f *Facets) *[]Facet { return &f.Brand }),
	newFacetSpec("condition", "condition", func(f *Facets) *[]Facet { return &f.Condition }),
	newFacetSpec("region", "region", func(f *Facets) *[]Facet { return &f.Region }),
	newFacetSpec("mount", "mount", func(f *Facets) *[]Facet { return &f.Mount }),
	newFacetSpec("price", search.Budget, func(f *Facets) *[]Facet { return &f.Price }),
}

const (
	byCategory facetKind = 0
	facetKinds           = len(facetSpecs)
)

// facetSpec is a facet: its name in JSON, the parameter that narrows a search by
// it, which stands at an index in search.Params, and its values in Facets.
type facetSpec struct {
	key   string
	param *search.Param
	index int
	list  func(*Facets) *[]Facet
}

func newFacetSpec(key, param string, list func(*Facets) *[]Facet) facetSpec {
	i := search.ParamIndex(param)
	return facetSpec{key, &search.Params[i], i, list}
}

// facetGroup is a facet with its name, for code and for people.
type facetGroup struct {
	key, label string
	facets     []Facet
}

// groups are the facets in their one order.
func (f *Facets) groups() (all [facetKinds]facetGroup) {
	for kind := range facetSpecs {
		spec := &facetSpecs[kind]
		all[kind] = facetGroup{spec.key, spec.param.Label, *spec.list(f)}
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
	pair         []byte // as a parameter: "brand=canon&"
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

// known are the terms kept so far.
func (m *memory[K]) known() map[K]*term {
	if terms := m.terms.Load(); terms != nil {
		return *terms
	}
	return nil
}

func (m *memory[K]) keep(key K, t *term) *term {
	m.mu.Lock()
	defer m.mu.Unlock()
	more := map[K]*term{key: t}
	maps.Copy(more, m.known())
	m.terms.Store(&more)
	return t
}

// learn is a value of a facet other than the price that was not known.
func (v *Vocabulary) learn(kind facetKind, value string) *term {
	return v.words[kind].keep(value, v.newTerm(kind, value))
}

// band is a range of prices, whose value is written as the budget parameter is.
func (v *Vocabulary) band(kind facetKind, b *search.Band) *term {
	key := [2]models.Cents{b.Least, b.Most}
	if t := v.bands.known()[key]; t != nil {
		return t
	}
	value := v.site.Currency.Plain(b.Least) + "-"
	if b.Most > 0 {
		value += v.site.Currency.Plain(b.Most)
	}
	return v.bands.keep(key, v.newTerm(kind, value))
}

func (v *Vocabulary) newTerm(kind facetKind, value string) *term {
	param := facetSpecs[kind].param
	label := v.names.value(param, value, v.site.Currency.Code)
	text := appendString([]byte(`{"value":`), value)
	text = appendString(append(text, `,"label":`...), label)
	text = append(text, `,"count":`...)
	head := len(text)
	text = appendPair(text, param.Name, value)
	return &term{value: value, label: label, head: text[:head], pair: text[head:]}
}

// counted is a value of a facet that was found, and how often.
type counted struct {
	*term
	count int
}

// terms appends the values of one facet that were found.
func (v *Vocabulary) terms(list []counted, kind facetKind, found *search.Facets) []counted {
	counts := facetSpecs[kind].param.Facet
	if counts == nil {
		for i := range found.Price {
			list = append(list, counted{v.band(kind, &found.Price[i]), found.Price[i].Count})
		}
		return list
	}
	known := v.words[kind].known()
	for _, c := range *counts(found) {
		t := known[c.Value]
		if t == nil {
			t = v.learn(kind, c.Value)
		}
		list = append(list, counted{t, c.Count})
	}
	return list
}

// list is one facet of a search, for the faces that need its fields.
func (v *Vocabulary) list(kind facetKind, w *written, found *search.Facets) []Facet {
	n := w.narrow(kind)
	facets := []Facet{}
	for _, t := range v.terms(nil, kind, found) {
		text, active := n.appendText(nil, t.term)
		facets = append(facets, Facet{Value: t.value, Label: t.label, Count: t.count, Href: address(text), Active: active})
	}
	return facets
}

// appendJSON appends the JSON of a search's facets: what encoding/json writes of
// the lists, without making them.
func (v *Vocabulary) appendJSON(dst []byte, w *written, found *search.Facets) []byte {
	var space [128]counted
	terms := space[:0]
	dst = append(dst, '{')
	for kind := range facetKind(facetKinds) {
		if kind > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '"')
		dst = append(dst, facetSpecs[kind].key...)
		dst = append(dst, `":[`...)
		n := w.narrow(kind)
		terms = v.terms(terms[:0], kind, found)
		for i, t := range terms {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = n.appendJSON(dst, t)
		}
		dst = append(dst, ']')
	}
	return append(dst, '}')
}

// narrowing leads from a search to those that one facet offers.
type narrowing struct {
	param    *search.Param
	query    *search.Query
	text     []byte // the search as it is written
	from, to int    // of what the facet is narrowed to, in text
}

func (w *written) narrow(kind facetKind) narrowing {
	from, to := w.span(facetSpecs[kind].index)
	return narrowing{facetSpecs[kind].param, w.query, w.text, from, to}
}

// appendJSON appends the JSON of one value.
func (n *narrowing) appendJSON(dst []byte, t counted) []byte {
	dst = append(dst, t.head...)
	dst = appendCount(dst, t.count)
	dst = append(dst, `,"href":"`...)
	dst, active := n.appendText(dst, t.term) // ASCII without quotes: percent-encoded
	dst[len(dst)-1] = '"'                    // in place of the mark: an address
	if active {
		return append(dst, `,"active":true}`...)
	}
	return append(dst, '}')
}

// appendCount is strconv.AppendInt for a number that is not negative. It is
// faster, as it does not write the digits elsewhere and copy them.
func appendCount(dst []byte, n int) []byte {
	if n >= 10 {
		dst = appendCount(dst, n/10)
	}
	return append(dst, byte('0'+n%10))
}

// appendText appends the text of the search that has a value too, or in the
// place of the one chosen; if it is chosen, which active says, the search without it.
func (n *narrowing) appendText(dst []byte, t *term) (_ []byte, active bool) {
	from, to, active := n.place(t)
	dst = append(dst, n.text[:from]...)
	if !active {
		dst = append(dst, t.pair...)
	}
	return append(dst, n.text[to:]...), active
}

// place is the part of the text that a value has when it is chosen, which active
// says, and else the part it takes: that of the one chosen, or an empty one
// among several.
func (n *narrowing) place(t *term) (from, to int, active bool) {
	if !n.param.Many() {
		return n.from, n.to, n.from < n.to && bytes.Equal(n.text[n.from:n.to], t.pair)
	}
	from = n.from
	for i := range n.param.Len(n.query) {
		to = from + pairLen(n.text[from:n.to])
		order := n.param.Compare(t.value, n.param.At(n.query, i))
		if order == 0 {
			return from, to, true
		}
		if order < 0 {
			break
		}
		from = to
	}
	return from, from, false
}

// pairLen is the length of the first of pairs.
func pairLen(pairs []byte) int { return bytes.IndexByte(pairs, '&') + 1 }
