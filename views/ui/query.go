package ui

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/search"
)

// Query is a search as the site understood it, with defaults set. Unset restrictions
// are omitted from its formats.
type Query search.Query

// Search returns q as the model's type.
func (q *Query) Search() *search.Query { return (*search.Query)(q) }

// Path returns the canonical path of the search as a page, with its query string:
// without defaults and cursor, parameters in the order of search.Params.
func (q *Query) Path() string { return Address(q.Write(nil).Text) }

// PathOf returns the path of the search with a filter, in the default order.
func PathOf(f search.Filter) string {
	q := Query{Filter: f}
	q.Sort = q.Search().DefaultSort()
	return q.Path()
}

// Canonicalize sorts repeated values in the order of URLs.
func (q *Query) Canonicalize() {
	for i := range search.Params {
		search.Params[i].Sort(q.Search())
	}
}

// EncodedQuery is the path of a search encoded once, from which those of similar
// searches are derived: "/listings?" followed by each parameter as "name=value&", so
// that parameters can be removed and inserted anywhere.
type EncodedQuery struct {
	Query *search.Query
	Text  []byte
	ends  [len(search.Params) + 1]int // ends in text of the path and then of each parameter
}

// Write encodes the search. It uses buf as its buffer.
func (q *Query) Write(buf []byte) EncodedQuery {
	w := EncodedQuery{Query: q.Search(), Text: append(slices.Grow(buf[:0], 256), SearchPath+"?"...)}
	w.ends[0] = len(w.Text)
	for i := range search.Params {
		p := &search.Params[i]
		for n := range p.Len(w.Query) {
			w.Text = AppendPair(w.Text, p.Name, p.At(w.Query, n))
		}
		w.ends[i+1] = len(w.Text)
	}
	return w
}

// Span returns the range in text of the i-th of search.Params.
func (w *EncodedQuery) Span(i int) (from, to int) { return w.ends[i], w.ends[i+1] }

// Address returns text without its last byte, "?" or "&".
func Address(text []byte) string { return string(text[:len(text)-1]) }

// PlainAmount returns an amount as typed in a form, such as "1249" or "1249.50", or ""
// for nil.
func PlainAmount(a *models.Amount) string {
	if a == nil {
		return ""
	}
	return a.Plain()
}

// budgetText returns the displayed text of a budget parameter in a language: "€500 – €1,000", "Up to
// €100", "€2,000 and up".
func budgetText(l *languages.Language, currency, budget string) string {
	amount := func(s string) string { return l.Money(s, currency) }
	low, high, ranged := strings.Cut(budget, "-")
	switch {
	case !ranged:
		return l.Text("Up to %s", amount(low))
	case high == "":
		return l.Text("%s and up", amount(low))
	case low == "" || low == "0":
		return l.Text("Up to %s", amount(roundUp(high)))
	default:
		return amount(low) + " – " + amount(roundUp(high))
	}
}

// roundUp returns the next whole amount if the fraction of amount is all nines, such
// as "1000" for "999.99", so that the end of a band is displayed as the start of the
// next. It returns other amounts unchanged.
func roundUp(amount string) string {
	whole, frac, ok := strings.Cut(amount, ".")
	n, err := strconv.Atoi(whole)
	if !ok || err != nil || strings.Trim(frac, "9") != "" {
		return amount
	}
	return strconv.Itoa(n + 1)
}

// sorts lists the orders of a search with their labels.
var sorts = []Named{
	{"relevance", "Best match"}, {"newest", "Newest"}, {"price", "Lowest price"}, {"-price", "Highest price"}, {"total", "Price + postage"}, {"deal", "Best deal"},
}

// Chosen describes a restriction of a search. Href is the path of the search without
// it.
type Chosen struct{ Name, Label, Href string }

// Chosen returns the restrictions of a search in a language.
func (q *Query) Chosen(l *languages.Language, names Names) []Chosen {
	var all []Chosen
	for i := range search.Params {
		p := &search.Params[i]
		if p.Label == "" {
			continue
		}
		for n := range p.Len(q.Search()) {
			less := Query(p.Without(search.Query(*q), n))
			all = append(all, Chosen{l.Text(p.Label), names.Value(l, p, p.At(q.Search(), n), q.currency()), less.Path()})
		}
	}
	return all
}

// Terms returns the parameters of the search other than its limit in one line: "keyword=leica
// m6 region=AT,DE". It is "" if there are none.
func (q *Query) Terms() string {
	var terms []string
	for i := range search.Params {
		p := &search.Params[i]
		var values []string
		for n := range p.Len(q.Search()) {
			values = append(values, p.At(q.Search(), n))
		}
		if len(values) > 0 && p.Name != "limit" {
			terms = append(terms, p.Name+"="+strings.Join(values, ","))
		}
	}
	return strings.Join(terms, " ")
}

// currency returns the currency code of the amounts in the search, "" without amounts.
func (q *Query) currency() string {
	switch {
	case q.Min != nil:
		return q.Min.Currency.Code
	case q.Max != nil:
		return q.Max.Currency.Code
	}
	return ""
}

// Names holds functions that return the display names of slugs. A nil function leaves
// the slug unchanged.
type Names struct {
	Brand func(slug string) string // "Canon" for "canon"
	Gear  func(slug string) string // "Canon EOS R6" for "canon/eos-r6"
}

// BrandName returns the name of a brand.
func (n Names) BrandName(slug string) string { return named(n.Brand, slug) }

// GearName returns the name of gear.
func (n Names) GearName(slug string) string { return named(n.Gear, slug) }

// Value returns the displayed text of a parameter's value in a language. currency is the code of
// amounts.
func (n Names) Value(l *languages.Language, p *search.Param, value, currency string) string {
	switch p.Name {
	case "category":
		return l.Text(CategoryText(value))
	case "brand":
		return n.BrandName(value)
	case "model":
		return n.GearName(value)
	case "fits":
		return l.Text("Fits %s", n.GearName(value))
	case "without_defects":
		return l.Text("No %s", withinSentence(l, p.Text(value)))
	case "deal":
		if value == string(prices.BelowRange) {
			return l.Text(BelowRangeText)
		}
	case search.Budget:
		return budgetText(l, currency, value)
	case "region", "ship_to":
		return regionName(l, models.Region(value))
	}
	text := p.Text(value)
	switch {
	case text == value: // as somebody typed it
		return value
	case l.Has(text):
		return l.Text(text)
	default: // a number in a sentence
		return l.Text(p.Label) + " " + value
	}
}

// BelowRangeText describes listings whose asking price is below the range of the estimate.
var BelowRangeText = languages.Mark("Priced below market")

// named returns name(slug), or slug if name is nil or returns "".
func named(name func(string) string, slug string) string {
	if name == nil || slug == "" {
		return slug
	}
	if s := name(slug); s != "" {
		return s
	}
	return slug
}

// CategoryText returns the label of a category or of a family of categories.
func CategoryText(word string) string {
	switch word {
	case models.FamilyCamera:
		return languages.Mark("Cameras")
	case models.FamilyLens:
		return languages.Mark("Lenses")
	}
	if c := models.Category(word); c.Valid() {
		return c.Label()
	}
	return word
}

// Sorts returns the orders of the search, each with the path of its first page.
func (q *Query) Sorts() []Facet {
	all := make([]Facet, 0, len(sorts))
	for _, s := range sorts {
		if s.Code == "relevance" && q.Keyword == "" {
			continue
		}
		by := *q
		by.Sort = search.Sort(s.Code)
		all = append(all, Facet{Label: s.Label, Page: by.Path(), Active: by.Sort == q.Sort})
	}
	return all
}

// Hidden returns the parameters other than those of a form, as its hidden fields.
func (q *Query) Hidden(form ...string) []Spec {
	var all []Spec
	for i := range search.Params {
		p := &search.Params[i]
		if slices.Contains(form, p.Name) {
			continue
		}
		for n := range p.Len(q.Search()) {
			all = append(all, Spec{p.Name, p.At(q.Search(), n)})
		}
	}
	return all
}

// filterGroup is a heading of the form for specifications with its parameters.
type filterGroup struct {
	Label  string
	Params []*search.Param
}

// FilterGroups lists the parameters with a control, in the order of the form.
var FilterGroups = func() (groups []filterGroup) {
	for i := range search.Params {
		p := &search.Params[i]
		if p.Control == nil {
			continue
		}
		if last := len(groups) - 1; last < 0 || groups[last].Label != p.Control.Group {
			groups = append(groups, filterGroup{Label: p.Control.Group})
		}
		group := &groups[len(groups)-1]
		group.Params = append(group.Params, p)
	}
	return groups
}()

// FilterNames returns the parameters of FilterGroups.
func FilterNames() (names []string) {
	for _, g := range FilterGroups {
		for _, p := range g.Params {
			names = append(names, p.Name)
		}
	}
	return names
}

// Param returns the value of a parameter that takes one, "" if it is not set.
func (q *Query) Param(name string) string {
	p := &search.Params[search.ParamIndex(name)]
	if p.Len(q.Search()) == 0 {
		return ""
	}
	return p.At(q.Search(), 0)
}

// Filtered reports whether a parameter of FilterGroups is set.
func (q *Query) Filtered() bool {
	return slices.ContainsFunc(FilterNames(), func(name string) bool { return q.Param(name) != "" })
}

// CanonicalQuery returns the query string a search is stored as: its parameters in
// canonical order, without sort and limit.
func CanonicalQuery(q Query) string {
	q.Sort, q.Limit = q.Search().DefaultSort(), 0
	q.Canonicalize()
	_, query, _ := strings.Cut(q.Path(), "?")
	return query
}

// shipTo is the index in search.Params of the countries to deliver to.
var shipTo = search.ParamIndex("ship_to")

// AppendJSON appends the search as encoding/json would.
func (q *Query) AppendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	empty := len(dst)
	member := func(name string) {
		if len(dst) > empty {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '"'), name...), `":`...)
	}
	for i := range search.Params {
		switch p := &search.Params[i]; {
		case p.Label == "" || p.Name == search.Budget: // below
		case p.Len(q.Search()) == 0:
		case p.Many():
			member(p.Name)
			dst = appendValues(dst, p, q.Search())
		case p.Literal():
			member(p.Name)
			dst = append(dst, p.At(q.Search(), 0)...)
		default:
			member(p.Name)
			dst = AppendString(dst, p.At(q.Search(), 0))
		}
	}
	if q.Min != nil {
		member("budget_min")
		dst = appendMoney(dst, q.Min)
	}
	if q.Max != nil {
		member("budget_max")
		dst = appendMoney(dst, q.Max)
	}
	if q.Currency != "" {
		member("currency")
		dst = AppendString(dst, q.Currency)
	}
	if p := &search.Params[shipTo]; len(q.ShipTo) > 0 {
		member(p.Name)
		dst = appendValues(dst, p, q.Search())
	}
	member("sort")
	dst = AppendString(dst, string(q.Sort))
	member("limit")
	return append(strconv.AppendInt(dst, int64(q.Limit), 10), '}')
}

// appendValues appends the values of a parameter as a JSON array.
func appendValues(dst []byte, p *search.Param, q *search.Query) []byte {
	for i := range p.Len(q) {
		dst = append(dst, "[,"[min(i, 1)])
		dst = AppendString(dst, p.At(q, i))
	}
	return append(dst, ']')
}

// appendMoney appends an amount as a JSON object.
func appendMoney(dst []byte, a *models.Amount) []byte {
	dst = AppendFirst(append(dst, '{'), "amount", a.Currency.Decimal(a.Cents))
	return append(AppendField(dst, "currency", a.Currency.Code), '}')
}

// OrderText returns the order of the search for the middle of a sentence: what is first.
func (q *Query) OrderText(ctx context.Context) string {
	if q.Sort == search.Total {
		return T(ctx, "lowest price including postage")
	}
	return WithinSentence(ctx, sortLabel(string(q.Sort)))
}

// sortLabel returns the label of an order, or code if it is unknown.
func sortLabel(code string) string {
	for _, s := range sorts {
		if s.Code == code {
			return s.Label
		}
	}
	return code
}
