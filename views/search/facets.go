package search

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/views/ui"
)

// Facets holds the number of listings found for each value of each facet.
type Facets struct {
	Category       []ui.Facet `json:"category"`
	Brand          []ui.Facet `json:"brand"`
	Condition      []ui.Facet `json:"condition"`
	Functional     []ui.Facet `json:"functional"`
	Region         []ui.Facet `json:"region"`
	Mount          []ui.Facet `json:"mount"`
	Defects        []ui.Facet `json:"defects"`
	WithoutDefects []ui.Facet `json:"without_defects" jsonschema:"listings without each defect"`
	Price          []ui.Facet `json:"price"`
}

// facetKind is the index of a facet in facetSpecs.
type facetKind int

// facetSpecs lists the facets of a search in the order of pages and JSON.
var facetSpecs = [...]facetSpec{
	newFacetSpec("category", "category", func(f *Facets) *[]ui.Facet { return &f.Category }),
	newFacetSpec("brand", "brand", func(f *Facets) *[]ui.Facet { return &f.Brand }),
	newFacetSpec("condition", "condition", func(f *Facets) *[]ui.Facet { return &f.Condition }),
	newFacetSpec("functional", "functional", func(f *Facets) *[]ui.Facet { return &f.Functional }),
	newFacetSpec("region", "region", func(f *Facets) *[]ui.Facet { return &f.Region }),
	newFacetSpec("mount", "mount", func(f *Facets) *[]ui.Facet { return &f.Mount }),
	newFacetSpec("defects", "defects", func(f *Facets) *[]ui.Facet { return &f.Defects }),
	newFacetSpec("without_defects", "without_defects", func(f *Facets) *[]ui.Facet { return &f.WithoutDefects }),
	newFacetSpec("price", search.Budget, func(f *Facets) *[]ui.Facet { return &f.Price }),
}

const (
	ByCategory facetKind = 0
	byRegion   facetKind = 4
	byPrice    facetKind = facetKind(facetKinds - 1)
	facetKinds           = len(facetSpecs)
)

// facetSpec describes a facet: its name in JSON, the parameter that filters by it and
// the parameter's index in search.Params, and its values in Facets.
type facetSpec struct {
	key   string
	param *search.Param
	index int
	list  func(*Facets) *[]ui.Facet
}

// newFacetSpec returns the spec of a facet, given the name of its parameter.
func newFacetSpec(key, param string, list func(*Facets) *[]ui.Facet) facetSpec {
	i := search.ParamIndex(param)
	return facetSpec{key, &search.Params[i], i, list}
}

// groups returns the facets in the order of facetSpecs.
func (f *Facets) groups() (all [facetKinds]ui.FacetGroup) {
	for kind := range facetSpecs {
		spec := &facetSpecs[kind]
		all[kind] = ui.FacetGroup{Key: spec.key, Label: spec.param.Label, Facets: *spec.list(f), Param: spec.param.Name}
	}
	return all
}

// term holds the encodings of a value of a facet that all searches share.
type term struct {
	value, label string
	html         []string // the label in each of languages.All, escaped
	head         []byte   // its JSON up to the count
	pair         []byte   // encoded parameter: "brand=canon&"
}

// Vocabulary encodes the values of facets for a site. It caches them: their number is
// bounded by the catalogue and the regions of the listings, and most recur in every
// search. It is safe for concurrent use.
type Vocabulary struct {
	Site  *ui.Site
	names ui.Names
	words [facetKinds]termCache[string]
	bands termCache[bandKey]
	cards ui.CardCache
}

// NewVocabulary returns the vocabulary of a site. names returns the display names of
// slugs.
func NewVocabulary(site *ui.Site, names ui.Names) *Vocabulary {
	return &Vocabulary{Site: site, names: names, cards: ui.NewCardCache()}
}

// termCache caches terms. Reads take no lock; add copies the map.
type termCache[K comparable] struct {
	terms atomic.Pointer[map[K]*term]
	mu    sync.Mutex
}

// all returns the cached terms. The map must not be modified.
func (m *termCache[K]) all() map[K]*term {
	if terms := m.terms.Load(); terms != nil {
		return *terms
	}
	return nil
}

// add caches a term and returns it.
func (m *termCache[K]) add(key K, t *term) *term {
	m.mu.Lock()
	defer m.mu.Unlock()
	more := map[K]*term{key: t}
	maps.Copy(more, m.all())
	m.terms.Store(&more)
	return t
}

// addTerm caches and returns the term of a value of a facet other than the price.
func (v *Vocabulary) addTerm(kind facetKind, value string) *term {
	return v.words[kind].add(value, v.newTerm(kind, value, v.Site.Currency().Code))
}

// band returns the term of a range of prices. Its value is that of the budget
// parameter.
func (v *Vocabulary) band(kind facetKind, b *search.Band) *term {
	key := bandKey{b.Min, b.Max, b.Currency}
	if t := v.bands.all()[key]; t != nil {
		return t
	}
	own := v.Site.In(b.Currency)
	value := own.Plain(b.Min) + "-"
	if b.Max > 0 {
		value += own.Plain(b.Max)
	}
	return v.bands.add(key, v.newTerm(kind, value, own.Code))
}

// bandKey identifies a range of prices.
type bandKey struct {
	least, most models.Cents
	currency    string
}

// newTerm returns the term of a value. currency is the code of its amounts.
func (v *Vocabulary) newTerm(kind facetKind, value, currency string) *term {
	param := facetSpecs[kind].param
	label := v.names.Value(languages.English, param, value, currency)
	html := make([]string, len(languages.All))
	for i, l := range languages.All {
		html[i] = templ.EscapeString(v.names.Value(l, param, value, currency))
	}
	text := ui.AppendString([]byte(`{"value":`), value)
	text = ui.AppendString(append(text, `,"label":`...), label)
	text = append(text, `,"count":`...)
	head := len(text)
	text = ui.AppendPair(text, param.Name, value)
	return &term{value: value, label: label, html: html, head: text[:head], pair: text[head:]}
}

// termCount is a value of a facet with the number of listings found.
type termCount struct {
	*term
	count int
}

// terms appends the values of one facet of a result to list.
func (v *Vocabulary) terms(list []termCount, kind facetKind, found *search.Facets) []termCount {
	counts := facetSpecs[kind].param.Facet
	if counts == nil {
		for i := range found.Price {
			list = append(list, termCount{v.band(kind, &found.Price[i]), found.Price[i].Count})
		}
		return list
	}
	for _, c := range *counts(found) {
		list = append(list, termCount{v.term(kind, c.Value), c.Count})
	}
	return list
}

// term returns the term of a value of a facet other than the price.
func (v *Vocabulary) term(kind facetKind, value string) *term {
	if t := v.words[kind].all()[value]; t != nil {
		return t
	}
	return v.addTerm(kind, value)
}

// List returns the values of one facet, for the formats that need their fields.
func (v *Vocabulary) List(kind facetKind, w *ui.EncodedQuery, found *search.Facets) []ui.Facet {
	n := newFacetEncoder(w, kind)
	facets := []ui.Facet{}
	for _, t := range v.terms(nil, kind, found) {
		text, active := n.appendText(nil, t.term)
		facets = append(facets, ui.Facet{Value: t.value, Label: t.label, Count: t.count, Active: active}.Leading(ui.Address(text)))
	}
	return facets
}

// AppendJSON appends the JSON of a search's facets, identical to that of encoding/json
// for Facets, without allocating Facets.
func (v *Vocabulary) appendJSON(dst []byte, w *ui.EncodedQuery, found *search.Facets) []byte {
	var space [128]termCount
	terms := space[:0]
	dst = append(dst, '{')
	for kind := range facetKind(facetKinds) {
		if kind > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '"')
		dst = append(dst, facetSpecs[kind].key...)
		dst = append(dst, `":[`...)
		n := newFacetEncoder(w, kind)
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

// facetEncoder encodes the paths of the searches that the values of a facet link to.
type facetEncoder struct {
	param    *search.Param
	query    *search.Query
	text     []byte // the encoded search
	from, to int    // range in text of the facet's parameter
}

// newFacetEncoder returns the encoder of a facet.
func newFacetEncoder(w *ui.EncodedQuery, kind facetKind) facetEncoder {
	from, to := w.Span(facetSpecs[kind].index)
	return facetEncoder{facetSpecs[kind].param, w.Query, w.Text, from, to}
}

// AppendJSON appends the JSON of one value.
func (n *facetEncoder) appendJSON(dst []byte, t termCount) []byte {
	dst = append(dst, t.head...)
	dst = strconv.AppendInt(dst, int64(t.count), 10)
	dst = append(dst, `,"href":"`+ui.SearchAPIPath...)
	from := len(dst)
	dst, active := n.appendText(dst, t.term) // ASCII without quotes: percent-encoded
	dst[len(dst)-1] = '"'                    // replaces the final "?" or "&"
	dst = slices.Delete(dst, from, from+len(ui.SearchPath))
	query := dst[from:]
	dst = append(append(dst, `,"page":"`+ui.SearchPath...), query...)
	if active {
		return append(dst, `,"active":true}`...)
	}
	return append(dst, '}')
}

// appendText appends the encoded search with t added, or replacing the current value
// of a parameter with one value and the values that t replaces. If t is already selected it
// appends the search without it and sets active.
func (n *facetEncoder) appendText(dst []byte, t *term) (_ []byte, active bool) {
	from, to, active := n.segment(t)
	switch {
	case active:
		return append(append(dst, n.text[:from]...), n.text[to:]...), true
	case n.param.Replaces == nil:
		return append(append(append(dst, n.text[:from]...), t.pair...), n.text[to:]...), false
	}
	dst = append(n.appendOthers(append(dst, n.text[:n.from]...), t, n.from, from), t.pair...)
	return append(n.appendOthers(dst, t, from, n.to), n.text[n.to:]...), false
}

// appendOthers appends the values in a range of text that t does not replace.
func (n *facetEncoder) appendOthers(dst []byte, t *term, from, to int) []byte {
	at := n.from
	for i := range n.param.Len(n.query) {
		pair := n.text[at : at+pairLen(n.text[at:n.to])]
		if from <= at && at < to && !n.param.Replaces(t.value, n.param.At(n.query, i)) {
			dst = append(dst, pair...)
		}
		at += len(pair)
	}
	return dst
}

// segment returns the range in text of the selected value t and sets active. If t is
// not selected it returns the range to replace by t, which is empty for a parameter
// with several values.
func (n *facetEncoder) segment(t *term) (from, to int, active bool) {
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

// pairLen returns the length of the first of pairs, including its "&".
func pairLen(pairs []byte) int { return bytes.IndexByte(pairs, '&') + 1 }
