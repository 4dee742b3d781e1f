package views

import (
	"slices"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/search"
)

// The search's address, as a page and in the API.
const (
	searchPath    = "/listings"
	searchAPIPath = "/api/listings/search"
)

// Query is a search as the site understood it: what is not restricted is absent.
type Query search.Query

func (q *Query) search() *search.Query { return (*search.Query)(q) }

// Path is the canonical address of the search as a page: defaults left out,
// parameters in one order, no cursor.
func (q *Query) Path() string { return address(q.write(nil).text) }

// pathOf is the address of the search for what a filter lets through, in the
// default order.
func pathOf(f search.Filter) string {
	q := Query{Filter: f}
	q.Sort = q.search().DefaultSort()
	return q.Path()
}

// canonicalize puts repeated values into the order addresses have them in.
func (q *Query) canonicalize() {
	for i := range search.Params {
		search.Params[i].Sort(q.search())
	}
}

// written is a search written down once, to make other searches of: "/listings?"
// and each parameter as "name=value&", which can be cut out or put in anywhere.
type written struct {
	query *search.Query
	text  []byte
	ends  [len(search.Params) + 1]int // of the path and then of each parameter in text
}

// write writes the search into the memory of buf.
func (q *Query) write(buf []byte) written {
	w := written{query: q.search(), text: append(slices.Grow(buf[:0], 256), searchPath+"?"...)}
	w.ends[0] = len(w.text)
	for i := range search.Params {
		p := &search.Params[i]
		for n := range p.Len(w.query) {
			w.text = appendPair(w.text, p.Name, p.At(w.query, n))
		}
		w.ends[i+1] = len(w.text)
	}
	return w
}

// span is where the i-th of search.Params stands in text.
func (w *written) span(i int) (from, to int) { return w.ends[i], w.ends[i+1] }

// address is text without the mark that it ends with, "?" or "&".
func address(text []byte) string { return string(text[:len(text)-1]) }

// appendPair writes "name=value&", or nothing for an empty value.
func appendPair(dst []byte, name, value string) []byte {
	if value == "" {
		return dst
	}
	dst = append(dst, name...)
	dst = append(dst, '=')
	dst = appendEscaped(dst, value)
	return append(dst, '&')
}

// appendEscaped writes a parameter's value as url.QueryEscape does, but for
// the slash, which a query may hold and which slugs are made with.
func appendEscaped(dst []byte, s string) []byte {
	done := 0
	for i := range len(s) {
		c := s[i]
		if unreserved[c] {
			continue
		}
		dst = append(dst, s[done:i]...)
		done = i + 1
		if c == ' ' {
			dst = append(dst, '+')
		} else {
			dst = append(dst, '%', upperHex[c>>4], upperHex[c&15])
		}
	}
	return append(dst, s[done:]...)
}

// unreserved are the characters that a value in a query holds as they are. It is
// a table because a cursor mixes letters and digits at random, which makes
// comparisons of ranges slow.
var unreserved = func() (set [256]bool) {
	for _, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~/") {
		set[c] = true
	}
	return set
}()

const upperHex = "0123456789ABCDEF"

// plainAmount is an amount as a person types it: "1249", "1249.50", "" for none.
func plainAmount(a *models.Amount) string {
	if a == nil {
		return ""
	}
	return a.Plain()
}

// budgetText is a budget parameter for people: "€500 – €1,000", "Under €100",
// "€2,000 and up".
func budgetText(currency, budget string) string {
	amount := func(s string) string { return MoneyText(models.Money{Amount: s, Currency: currency}) }
	low, high, ranged := strings.Cut(budget, "-")
	switch {
	case !ranged:
		return "Up to " + amount(low)
	case high == "":
		return amount(low) + " and up"
	case low == "" || low == "0":
		return "Up to " + amount(roundUp(high))
	default:
		return amount(low) + " – " + amount(roundUp(high))
	}
}

// roundUp is where the next band begins after one that ends with all nines
// behind the point: "1000" for "999.99". Other amounts stay as they are.
func roundUp(amount string) string {
	whole, frac, ok := strings.Cut(amount, ".")
	n, err := strconv.Atoi(whole)
	if !ok || err != nil || strings.Trim(frac, "9") != "" {
		return amount
	}
	return strconv.Itoa(n + 1)
}

// sorts are the orders a search knows, with their labels.
var sorts = []Named{
	{"relevance", "Best match"}, {"newest", "Newest"}, {"price", "Lowest price"}, {"-price", "Highest price"}, {"deal", "Best deal"},
}

// Chosen is one restriction of a search for people, and the way to drop it.
type Chosen struct{ Name, Label, Href string }

// chosen lists what a search is narrowed to.
func (q *Query) chosen(names Names) []Chosen {
	var all []Chosen
	for i := range search.Params {
		p := &search.Params[i]
		if p.Label == "" {
			continue
		}
		for n := range p.Len(q.search()) {
			less := Query(p.Without(search.Query(*q), n))
			all = append(all, Chosen{p.Label, names.value(p, p.At(q.search(), n), q.currency()), less.Path()})
		}
	}
	return all
}

// currency is the code of the amounts in the search, "" without amounts.
func (q *Query) currency() string {
	switch {
	case q.Min != nil:
		return q.Min.Currency.Code
	case q.Max != nil:
		return q.Max.Currency.Code
	}
	return ""
}

// Names are how the catalogue calls what addresses name by slug. A nil function
// leaves the slug as it is.
type Names struct {
	Brand func(slug string) string // "Canon" for "canon"
	Gear  func(slug string) string // "Canon EOS R6" for "canon/eos-r6"
}

func (n Names) brand(slug string) string { return named(n.Brand, slug) }

func (n Names) gear(slug string) string { return named(n.Gear, slug) }

// value is what people call a value of a parameter; amounts are in a currency.
func (n Names) value(p *search.Param, value, currency string) string {
	switch p.Name {
	case "category":
		return categoryText(value)
	case "brand":
		return n.brand(value)
	case "model":
		return n.gear(value)
	case search.Budget:
		return budgetText(currency, value)
	case "region":
		return RegionName(models.Region(value))
	}
	return p.Text(value)
}

func named(name func(string) string, slug string) string {
	if name == nil || slug == "" {
		return slug
	}
	if s := name(slug); s != "" {
		return s
	}
	return slug
}

// categoryText is a category or a family of them for people.
func categoryText(word string) string {
	switch word {
	case models.FamilyCamera:
		return "Cameras"
	case models.FamilyLens:
		return "Lenses"
	}
	if c := models.Category(word); c.Valid() {
		return c.Label()
	}
	return word
}

// sorts are the orders of the search and the address of each, from the first page.
func (q *Query) sorts() []Facet {
	all := make([]Facet, 0, len(sorts))
	for _, s := range sorts {
		if s.Code == "relevance" && q.Keyword == "" {
			continue
		}
		by := *q
		by.Sort = search.Sort(s.Code)
		all = append(all, Facet{Label: s.Label, Href: by.Path(), Active: by.Sort == q.Sort})
	}
	return all
}

// hidden are the restrictions a form about the price must keep.
func (q *Query) hidden() []Spec {
	var all []Spec
	for i := range search.Params {
		p := &search.Params[i]
		if p.Name == search.Budget {
			continue
		}
		for n := range p.Len(q.search()) {
			all = append(all, Spec{p.Name, p.At(q.search(), n)})
		}
	}
	return all
}
