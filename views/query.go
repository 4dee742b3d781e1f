package views

import (
	"slices"
	"strconv"
	"strings"

	"github.com/secondlight/secondlight/models"
)

// The search's address, as a page and in the API.
const (
	searchPath    = "/listings"
	searchAPIPath = "/api/listings/search"
)

// DefaultLimit is how many listings a search shows when it does not say.
const DefaultLimit = 24

// params are a search's parameters in the one order the site writes them in.
var params = [...]string{"keyword", "category", "brand", "model", "mount", "condition", "budget", "region", "seller", "sort", "limit"}

// DefaultSort is the order of a search that names none: by relevance with a
// keyword, else the newest first.
func (q *Query) DefaultSort() string {
	if q.Keyword != "" {
		return "relevance"
	}
	return "newest"
}

// Path is the canonical address of the search as a page: defaults left out,
// parameters in one order, no cursor.
func (q *Query) Path() string { return address(q.write(nil).text) }

// pathWithout is the search without one of its parameters.
func (q *Query) pathWithout(param string) string {
	w := q.write(nil)
	from, to := w.span(param)
	return address(slices.Concat(w.text[:from], w.text[to:]))
}

// canonicalize puts repeated values into the order addresses have them in.
func (q *Query) canonicalize() {
	if !slices.IsSorted(q.Brands) {
		q.Brands = slices.Sorted(slices.Values(q.Brands))
	}
	bestFirst := func(a, b models.Condition) int { return b.Rank() - a.Rank() }
	if !slices.IsSortedFunc(q.Conditions, bestFirst) {
		q.Conditions = slices.SortedFunc(slices.Values(q.Conditions), bestFirst)
	}
}

// values are the values of a parameter, none when the search does not name it.
func (q *Query) values(param string) []string {
	var one string
	switch param {
	case "brand":
		return q.Brands
	case "condition":
		many := make([]string, len(q.Conditions))
		for i, c := range q.Conditions {
			many[i] = string(c)
		}
		return many
	case "category":
		one = q.Category
	case "region":
		one = string(q.Region)
	case "mount":
		one = q.Mount
	case "budget":
		one = q.budget()
	}
	if one == "" {
		return nil
	}
	return []string{one}
}

// written is a search written down once, to make other searches of: "/listings?"
// and each parameter as "name=value&", which can be cut out or put in anywhere.
type written struct {
	text []byte
	ends [len(params) + 1]int // of the path and then of each parameter in text
}

// write writes the search into the memory of buf.
func (q *Query) write(buf []byte) written {
	w := written{text: append(slices.Grow(buf[:0], 256), searchPath+"?"...)}
	w.ends[0] = len(w.text)
	for i, name := range params {
		w.text = q.appendParam(w.text, name)
		w.ends[i+1] = len(w.text)
	}
	return w
}

// span is where a parameter stands in text.
func (w *written) span(param string) (from, to int) {
	i := slices.Index(params[:], param)
	return w.ends[i], w.ends[i+1]
}

// address is text without the mark that it ends with, "?" or "&".
func address(text []byte) string { return string(text[:len(text)-1]) }

// appendParam writes one parameter as "name=value&", as often as it has values.
func (q *Query) appendParam(dst []byte, name string) []byte {
	switch name {
	case "keyword":
		return appendPair(dst, name, q.Keyword)
	case "category":
		return appendPair(dst, name, q.Category)
	case "brand":
		for _, b := range q.Brands {
			dst = appendPair(dst, name, b)
		}
	case "model":
		return appendPair(dst, name, q.Model)
	case "mount":
		return appendPair(dst, name, q.Mount)
	case "condition":
		for _, c := range q.Conditions {
			dst = appendPair(dst, name, string(c))
		}
	case "budget":
		return appendPair(dst, name, q.budget())
	case "region":
		return appendPair(dst, name, string(q.Region))
	case "seller":
		return appendPair(dst, name, q.Seller)
	case "sort":
		if q.Sort != q.DefaultSort() {
			return appendPair(dst, name, q.Sort)
		}
	case "limit":
		if q.Limit != 0 && q.Limit != DefaultLimit {
			return appendPair(dst, name, strconv.Itoa(q.Limit))
		}
	}
	return dst
}

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

// budget is the price range as the budget parameter writes it: "500-1000",
// "500-", "800" for at most 800, "" for none.
func (q *Query) budget() string {
	switch {
	case q.Min != nil && q.Max != nil:
		return plainAmount(q.Min) + "-" + plainAmount(q.Max)
	case q.Min != nil:
		return plainAmount(q.Min) + "-"
	case q.Max != nil:
		return plainAmount(q.Max)
	}
	return ""
}

// plainAmount is an amount as a person types it: "1249", "1249.50".
func plainAmount(m *models.Money) string {
	if m == nil {
		return ""
	}
	whole, frac, _ := strings.Cut(m.Amount, ".")
	if strings.Trim(frac, "0") == "" {
		return whole
	}
	return m.Amount
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
	add := func(param, name, text string) {
		if text != "" {
			all = append(all, Chosen{name, text, q.pathWithout(param)})
		}
	}
	add("keyword", "Keyword", q.Keyword)
	add("category", "Category", categoryText(q.Category))
	for i, slug := range q.Brands {
		less := *q
		less.Brands = slices.Delete(slices.Clone(q.Brands), i, i+1)
		all = append(all, Chosen{"Brand", names.brand(slug), less.Path()})
	}
	add("model", "Model", names.gear(q.Model))
	add("mount", "Mount", q.Mount)
	for i, c := range q.Conditions {
		less := *q
		less.Conditions = slices.Delete(slices.Clone(q.Conditions), i, i+1)
		all = append(all, Chosen{"Condition", c.Label(), less.Path()})
	}
	if budget := q.budget(); budget != "" {
		add("budget", "Price", budgetText(q.currency(), budget))
	}
	if q.Region != "" {
		add("region", "Region", RegionName(q.Region))
	}
	add("seller", "Seller", q.Seller)
	return all
}

// currency is the code of the amounts in the search, "" without amounts.
func (q *Query) currency() string {
	switch {
	case q.Min != nil:
		return q.Min.Currency
	case q.Max != nil:
		return q.Max.Currency
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
		by.Sort = s.Code
		all = append(all, Facet{Label: s.Label, Href: by.Path(), Active: s.Code == q.Sort})
	}
	return all
}

// hidden are the restrictions a form about the price must keep.
func (q *Query) hidden() []Spec {
	var all []Spec
	for _, param := range params {
		switch param {
		case "budget":
		case "brand", "condition":
			for _, v := range q.values(param) {
				all = append(all, Spec{param, v})
			}
		default:
			if pair := q.appendParam(nil, param); pair != nil {
				all = append(all, Spec{param, q.single(param)})
			}
		}
	}
	return all
}

// single is the value of a parameter that has one.
func (q *Query) single(param string) string {
	switch param {
	case "keyword":
		return q.Keyword
	case "model":
		return q.Model
	case "seller":
		return q.Seller
	case "sort":
		return q.Sort
	case "limit":
		return strconv.Itoa(q.Limit)
	}
	return strings.Join(q.values(param), "")
}
