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

// facetLists renders the facets of a search other than the price: those with one value as links,
// the others as checkboxes of the form.
func (p *Listings) facetLists() templ.Component {
	return p.facetHTML(func(l int, dst []byte, terms []termCount) []byte {
		for kind := range facetKind(facetKinds) {
			list := p.words.terms(terms, kind, &p.found)
			switch {
			case kind == byPrice:
			case facetSpecs[kind].param.Many():
				dst = p.appendChecks(l, dst, kind, list, p.site.Tool("search_listings").Params[facetSpecs[kind].param.Name])
			default:
				n := newFacetEncoder(&p.encoded, kind)
				dst = p.appendFacet(l, dst, n.param.Label, n.param, list, n.appendItems)
			}
		}
		return dst
	})
}

// appendChecks appends a facet as checkboxes. Values that are chosen are among them even if no listing has
// them. Regions are divided into countries, and below the subdivisions of those that are chosen. The first
// checkbox has the description of the parameter.
func (p *Listings) appendChecks(language int, dst []byte, kind facetKind, terms []termCount, description string) []byte {
	param, q := facetSpecs[kind].param, p.encoded.Query
	for i := range param.Len(q) {
		value := param.At(q, i)
		if !slices.ContainsFunc(terms, func(t termCount) bool { return t.value == value }) {
			terms = slices.Insert(terms, 0, termCount{p.words.term(kind, value), 0})
		}
	}
	eu := string(models.RegionEU)
	if kind == byRegion && len(terms) > 0 && !slices.ContainsFunc(terms, func(t termCount) bool { return t.value == eu }) {
		terms = slices.Insert(terms, 0, termCount{p.words.term(kind, eu), 0})
	}
	checks := func(language int, dst []byte, terms []termCount) []byte {
		dst = appendChecked(language, dst, param, q, terms, description)
		description = ""
		return dst
	}
	inCountry := len(terms)
	if kind == byRegion {
		slices.SortStableFunc(terms, func(a, b termCount) int { return strings.Index(a.value, "-") - strings.Index(b.value, "-") })
		if at := slices.IndexFunc(terms, func(t termCount) bool { return strings.Contains(t.value, "-") }); at >= 0 {
			inCountry = at
		}
	}
	dst = p.appendFacet(language, dst, param.Label, param, terms[:inCountry], checks)
	return p.appendFacet(language, dst, statesLabel, param, terms[inCountry:], checks)
}

// statesLabel is the heading of the subdivisions of countries.
var statesLabel = languages.Mark("States and provinces")

// appendFacet appends a facet under a heading. Values that are not among the first are left out, with a
// link to the page that has them, unless one is chosen.
func (p *Listings) appendFacet(language int, dst []byte, label string, param *search.Param, terms []termCount, items func(int, []byte, []termCount) []byte) []byte {
	if len(terms) == 0 {
		return dst
	}
	l := languages.All[language]
	dst = append(append(append(dst, `<section class="facet"><h2>`...), templ.EscapeString(l.Text(label))...), `</h2>`...)
	shown := shownValues(param, len(terms))
	dst = items(language, dst, terms[:shown])
	if rest := terms[shown:]; len(rest) > 0 {
		more := l.Text("%s more", l.Number(len(rest)))
		if p.full || slices.ContainsFunc(rest, func(t termCount) bool { return isChosen(param, p.encoded.Query, t.value) }) {
			dst = append(append(append(dst, `<details open><summary>`...), templ.EscapeString(more)...), `</summary>`...)
			dst = append(items(language, dst, rest), `</details>`...)
		} else {
			dst = p.appendMore(dst, more)
		}
	}
	return append(dst, `</section>`...)
}

// shownValues returns how many of a number of values of a facet are seen at first. Categories are in their
// own order, in which cameras are before lenses: more of them are seen.
func shownValues(param *search.Param, values int) int {
	shown := 6
	if param == facetSpecs[ByCategory].param {
		shown = ui.FacetShown
	}
	if values <= shown+1 { // the link would take the place of one
		return values
	}
	return shown
}

// isChosen reports whether a search has a value of a parameter.
func isChosen(param *search.Param, q *search.Query, value string) bool {
	for i := range param.Len(q) {
		if param.At(q, i) == value {
			return true
		}
	}
	return false
}

// appendMore appends a link to the page with all filters. static/site.js loads them into this page.
func (p *Listings) appendMore(dst []byte, text string) []byte {
	dst = appendPath(append(dst, `<a class="more" rel="nofollow" href="`...), p.encoded.Text)
	dst = append(dst, `view=`+fullView+`">`...)
	return append(append(dst, templ.EscapeString(text)...), `</a>`...)
}

// appendChecked appends a list of checkboxes. Values are codes and slugs, which need not be escaped.
func appendChecked(language int, dst []byte, param *search.Param, q *search.Query, terms []termCount, description string) []byte {
	dst = append(dst, `<ul>`...)
	for _, t := range terms {
		dst = append(append(append(append(dst, `<li><label><input type="checkbox" name="`...), param.Name...), `" value="`...), templ.EscapeString(t.value)...)
		dst = append(dst, '"')
		if description != "" {
			dst = append(append(append(dst, ` toolparamdescription="`...), templ.EscapeString(description)...), '"')
			description = ""
		}
		if isChosen(param, q, t.value) {
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

// appendHref appends the path of appendText as the value of an attribute.
func (n *facetEncoder) appendHref(dst []byte, t *term) (_ []byte, active bool) {
	var space [512]byte
	text, active := n.appendText(space[:0], t)
	return appendPath(dst, text[:len(text)-1]), active
}

// appendPath appends the path of a search as the value of an attribute. Its only character
// that has to be escaped is the ampersand.
func appendPath(dst, path []byte) []byte {
	for {
		at := bytes.IndexByte(path, '&')
		if at < 0 {
			return append(dst, path...)
		}
		dst = append(append(dst, path[:at]...), `&amp;`...)
		path = path[at+1:]
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
