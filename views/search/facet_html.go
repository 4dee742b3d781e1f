package search

import (
	"bytes"
	"context"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/views/ui"
)

// htmlBuffers holds buffers for HTML that is written without a template.
var htmlBuffers = sync.Pool{New: func() any { return new([]byte) }}

// facetLists renders the facets of a search other than the price: those with one value as
// FacetList does, but without allocating Facets, the others as checkboxes of the form.
func (p *Listings) facetLists() templ.Component {
	return p.facetHTML(func(l int, dst []byte, terms []termCount) []byte {
		for kind := range facetKind(facetKinds) {
			list := p.words.terms(terms, kind, &p.found)
			switch {
			case kind == byPrice:
			case facetSpecs[kind].param.Many():
				dst = p.words.appendChecks(l, dst, kind, p.encoded.Query, list, p.site.Tool("search_listings").Params[facetSpecs[kind].param.Name])
			default:
				dst = p.words.appendFacetList(l, dst, kind, &p.encoded, list)
			}
		}
		return dst
	})
}

// appendChecks appends a facet as checkboxes. Values that are chosen are among them even if no listing has
// them. Regions are divided into countries, and below the subdivisions of those that are chosen. The first
// checkbox has the description of the parameter.
func (v *Vocabulary) appendChecks(language int, dst []byte, kind facetKind, q *search.Query, terms []termCount, description string) []byte {
	param := facetSpecs[kind].param
	for i := range param.Len(q) {
		value := param.At(q, i)
		if !slices.ContainsFunc(terms, func(t termCount) bool { return t.value == value }) {
			terms = slices.Insert(terms, 0, termCount{v.term(kind, value), 0})
		}
	}
	eu := string(models.RegionEU)
	if kind == byRegion && len(terms) > 0 && !slices.ContainsFunc(terms, func(t termCount) bool { return t.value == eu }) {
		terms = slices.Insert(terms, 0, termCount{v.term(kind, eu), 0})
	}
	inCountry := slices.IndexFunc(terms, func(t termCount) bool { return kind == byRegion && strings.Contains(t.value, "-") })
	if inCountry < 0 {
		return v.appendCheckList(language, dst, param.Label, param, q, terms, description)
	}
	slices.SortStableFunc(terms, func(a, b termCount) int { return strings.Index(a.value, "-") - strings.Index(b.value, "-") })
	inCountry = slices.IndexFunc(terms, func(t termCount) bool { return strings.Contains(t.value, "-") })
	dst = v.appendCheckList(language, dst, param.Label, param, q, terms[:inCountry], description)
	return v.appendCheckList(language, dst, statesLabel, param, q, terms[inCountry:], "")
}

// statesLabel is the heading of the subdivisions of countries.
var statesLabel = languages.Mark("States and provinces")

// appendCheckList appends checkboxes under a heading, those that are not among the first in details.
func (v *Vocabulary) appendCheckList(language int, dst []byte, label string, param *search.Param, q *search.Query, terms []termCount, description string) []byte {
	if len(terms) == 0 {
		return dst
	}
	l := languages.All[language]
	dst = append(append(append(dst, `<section class="facet"><h2>`...), templ.EscapeString(l.Text(label))...), `</h2>`...)
	chosen := func(t termCount) bool {
		for i := range param.Len(q) {
			if param.At(q, i) == t.value {
				return true
			}
		}
		return false
	}
	dst = appendChecked(language, dst, param, terms[:min(len(terms), ui.FacetShown)], chosen, description)
	if rest := terms[min(len(terms), ui.FacetShown):]; len(rest) > 0 {
		dst = append(dst, `<details`...)
		if slices.ContainsFunc(rest, chosen) {
			dst = append(dst, ` open`...)
		}
		dst = append(append(append(dst, `><summary>`...), templ.EscapeString(l.Text("%s more", l.Number(len(rest))))...), `</summary>`...)
		dst = append(appendChecked(language, dst, param, rest, chosen, ""), `</details>`...)
	}
	return append(dst, `</section>`...)
}

// appendChecked appends a list of checkboxes. Values are codes and slugs, which need not be escaped.
func appendChecked(language int, dst []byte, param *search.Param, terms []termCount, chosen func(termCount) bool, description string) []byte {
	dst = append(dst, `<ul>`...)
	for _, t := range terms {
		dst = append(append(append(append(dst, `<li><label><input type="checkbox" name="`...), param.Name...), `" value="`...), templ.EscapeString(t.value)...)
		dst = append(dst, '"')
		if description != "" {
			dst = append(append(append(dst, ` toolparamdescription="`...), templ.EscapeString(description)...), '"')
			description = ""
		}
		if chosen(t) {
			dst = append(dst, ` checked`...)
		}
		dst = append(append(append(dst, `> `...), t.html[language]...), `</label>`...)
		if t.count > 0 {
			dst = append(append(append(dst, ` <span>`...), languages.All[language].Number(t.count)...), `</span>`...)
		}
		dst = append(dst, `</li>`...)
	}
	return append(dst, `</ul>`...)
}

// priceItems renders the price bands of a search as FacetItems does.
func (p *Listings) priceItems() templ.Component {
	return p.facetHTML(func(l int, dst []byte, terms []termCount) []byte {
		n := newFacetEncoder(&p.encoded, byPrice)
		return n.appendItems(l, dst, p.words.terms(terms, byPrice, &p.found))
	})
}

// facetHTML returns a component that writes what render appends to a buffer, in the
// language with an index in languages.All. terms is an empty slice to reuse.
func (p *Listings) facetHTML(render func(language int, dst []byte, terms []termCount) []byte) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		var terms [128]termCount
		buf := htmlBuffers.Get().(*[]byte)
		defer htmlBuffers.Put(buf)
		*buf = render(slices.Index(languages.All, languages.Of(ctx)), (*buf)[:0], terms[:0])
		_, err := w.Write(*buf)
		return err
	})
}

// appendFacetList appends the HTML of FacetList.
func (v *Vocabulary) appendFacetList(language int, dst []byte, kind facetKind, w *ui.EncodedQuery, terms []termCount) []byte {
	if len(terms) == 0 {
		return dst
	}
	l, n := languages.All[language], newFacetEncoder(w, kind)
	dst = append(dst, `<section class="facet"><h2>`...)
	dst = append(dst, templ.EscapeString(l.Text(n.param.Label))...)
	dst = append(dst, `</h2>`...)
	dst = n.appendItems(language, dst, terms[:min(len(terms), ui.FacetShown)])
	if rest := terms[min(len(terms), ui.FacetShown):]; len(rest) > 0 {
		dst = append(dst, `<details><summary>`...)
		dst = append(dst, templ.EscapeString(l.Text("%s more", l.Number(len(rest))))...)
		dst = append(dst, `</summary>`...)
		dst = n.appendItems(language, dst, rest)
		dst = append(dst, `</details>`...)
	}
	return append(dst, `</section>`...)
}

// appendItems appends the HTML of FacetItems.
func (n *facetEncoder) appendItems(language int, dst []byte, terms []termCount) []byte {
	dst = append(dst, `<ul>`...)
	for _, t := range terms {
		dst = append(dst, `<li><a href="`...)
		var active bool
		dst, active = n.appendHref(dst, t.term)
		if active {
			dst = append(dst, `" aria-current="true`...)
		}
		dst = append(append(append(dst, `">`...), t.html[language]...), `</a> <span>`...)
		dst = append(append(dst, languages.All[language].Number(t.count)...), `</span></li>`...)
	}
	return append(dst, `</ul>`...)
}

// appendHref appends the path of appendText as the value of an attribute. Its only
// character that has to be escaped is the ampersand.
func (n *facetEncoder) appendHref(dst []byte, t *term) (_ []byte, active bool) {
	var space [512]byte
	text, active := n.appendText(space[:0], t)
	text = text[:len(text)-1]
	for {
		at := bytes.IndexByte(text, '&')
		if at < 0 {
			return append(dst, text...), active
		}
		dst = append(append(dst, text[:at]...), `&amp;`...)
		text = text[at+1:]
	}
}

// hiddenFields renders parameters of a search as hidden fields of a form.
func hiddenFields(params []ui.Spec) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var space [1024]byte
		dst := space[:0]
		for _, p := range params {
			dst = append(append(dst, `<input type="hidden" name="`...), p.Name...)
			dst = append(append(append(dst, `" value="`...), templ.EscapeString(p.Value)...), `"> `...)
		}
		_, err := w.Write(dst)
		return err
	})
}
