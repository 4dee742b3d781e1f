package views

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/models"
)

// Listings is the page of a search.
type Listings struct {
	Query      Query       `json:"query" jsonschema:"the search as it was understood"`
	Total      int         `json:"total" jsonschema:"exact number of listings found"`
	Cards      CardList    `json:"listings"`
	Facets     Facets      `json:"facets"`
	NextCursor string      `json:"next_cursor,omitempty" jsonschema:"give it as cursor to read on; absent on the last page"`
	DidYouMean string      `json:"did_you_mean,omitempty" jsonschema:"a keyword that finds more"`
	Links      SearchLinks `json:"links"`
	Warnings   []Warning   `json:"warnings" jsonschema:"what was corrected or clamped"`
	Notice     string      `json:"notice,omitempty"`
	site       *Site
	names      Names
}

// Query is a search as the site understood it: what is not restricted is absent.
type Query struct {
	Keyword    string             `json:"keyword,omitempty"`
	Category   string             `json:"category,omitempty"`
	Brands     []string           `json:"brand,omitempty"`
	Model      string             `json:"model,omitempty"`
	Mount      string             `json:"mount,omitempty"`
	Conditions []models.Condition `json:"condition,omitempty"`
	Region     models.Region      `json:"region,omitempty"`
	Seller     string             `json:"seller,omitempty"`
	Min        *models.Money      `json:"budget_min,omitempty"`
	Max        *models.Money      `json:"budget_max,omitempty"`
	Sort       string             `json:"sort"`
	Limit      int                `json:"limit"`
}

// CardList is a list of cards kept as the JSON each was finished into, so that
// a search copies bytes; Decode reads them for the faces that need the fields.
type CardList []json.RawMessage

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

// SearchLinks are where to go from a search.
type SearchLinks struct {
	Self  string `json:"self"`
	Next  string `json:"next,omitempty"`
	First string `json:"first"`
	HTML  string `json:"html" jsonschema:"the same search as a page"`
}

// Warning says what the site changed in a request it could still answer.
type Warning struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Field   string `json:"field,omitempty"`
}

// Count is a value of a facet and how many listings have it.
type Count struct {
	Value string
	Count int
}

// FacetCounts are the counts a search found, in the order to show them. A
// price band's value is written as the budget parameter is: "500-1000".
type FacetCounts struct{ Category, Brand, Condition, Region, Mount, Price []Count }

// Found is what a search found.
type Found struct {
	Query      Query
	Total      int
	Cards      CardList
	Facets     FacetCounts
	NextCursor string
	DidYouMean string
	Warnings   []Warning
}

// NewListings makes the page of a search.
func NewListings(site *Site, names Names, f Found) *Listings {
	p := &Listings{
		Query: f.Query, Total: f.Total, Cards: f.Cards, NextCursor: f.NextCursor, DidYouMean: f.DidYouMean,
		Warnings: f.Warnings, Notice: site.notice(), site: site, names: names,
	}
	if p.Cards == nil {
		p.Cards = CardList{}
	}
	if p.Warnings == nil {
		p.Warnings = []Warning{}
	}
	q := &p.Query
	q.canonicalize()
	p.Links = q.links(f.NextCursor)
	p.Facets = Facets{
		Category:  q.facet("category", f.Facets.Category, categoryText),
		Brand:     q.facet("brand", f.Facets.Brand, names.brand),
		Condition: q.facet("condition", f.Facets.Condition, conditionLabel),
		Region:    q.facet("region", f.Facets.Region, regionLabel),
		Mount:     q.facet("mount", f.Facets.Mount, func(v string) string { return v }),
		Price:     q.facet("budget", f.Facets.Price, func(v string) string { return budgetText(site.Currency.Code, v) }),
	}
	return p
}

func conditionLabel(v string) string { return models.Condition(v).Label() }
func regionLabel(v string) string    { return RegionName(models.Region(v)) }

// links are the addresses of the search, of its first page and of the next.
func (q *Query) links(next string) SearchLinks {
	api := string(q.appendPath(nil, searchAPIPath))
	l := SearchLinks{Self: api, First: api, HTML: searchPath + api[len(searchAPIPath):]}
	if next != "" {
		l.Next = withCursor(api, next)
	}
	return l
}

// withCursor is the address of a search's page that begins after a cursor.
func withCursor(path, cursor string) string {
	mark := "?"
	if strings.Contains(path, "?") {
		mark = "&"
	}
	return path + mark + "cursor=" + string(appendEscaped(nil, cursor))
}

// facet finishes the values of one facet: their labels, and the search each
// leads to. The addresses share one string; this is on the search's hot path.
func (q *Query) facet(param string, counts []Count, label func(string) string) []Facet {
	facets := make([]Facet, len(counts))
	ends := make([]int, len(counts))
	before, after := q.around(param)
	chosen := q.values(param)
	buf := make([]byte, 0, len(counts)*(len(searchPath)+len(before)+len(after)+len(param)+24))
	for i, c := range counts {
		active := slices.Contains(chosen, c.Value)
		start := len(buf)
		buf = append(buf, searchPath...)
		mark := len(buf)
		buf = append(buf, before...)
		if len(chosen) == 0 {
			buf = appendPair(buf, param, c.Value)
		} else {
			for _, v := range toggled(param, chosen, c.Value, active) {
				buf = appendPair(buf, param, v)
			}
		}
		buf = append(buf, after...)
		if len(buf) > mark {
			buf[mark] = '?'
		}
		ends[i] = len(buf) - start
		facets[i] = Facet{Value: c.Value, Label: label(c.Value), Count: c.Count, Active: active}
	}
	all := string(buf)
	for i, n := range ends {
		facets[i].Href, all = all[:n], all[n:]
	}
	return facets
}

// toggled is what a parameter's values become when one of them is chosen, or
// dropped when it was chosen.
func toggled(param string, chosen []string, value string, active bool) []string {
	switch {
	case active:
		return slices.DeleteFunc(slices.Clone(chosen), func(v string) bool { return v == value })
	case param != "brand" && param != "condition":
		return []string{value}
	}
	with := append(slices.Clone(chosen), value)
	if param == "brand" {
		slices.Sort(with)
	} else {
		slices.SortFunc(with, func(a, b string) int {
			return models.Condition(b).Rank() - models.Condition(a).Rank()
		})
	}
	return with
}

// AppendJSON appends the page's JSON: what encoding/json writes without
// escaping HTML, made by copying the finished cards instead of checking them again.
func (p *Listings) AppendJSON(dst []byte) []byte {
	dst = slices.Grow(dst, p.roughSize())
	dst = append(dst, `{"query":`...)
	dst = appendAny(dst, p.Query)
	dst = append(dst, `,"total":`...)
	dst = strconv.AppendInt(dst, int64(p.Total), 10)
	dst = append(dst, `,"listings":`...)
	dst = p.Cards.appendJSON(dst)
	dst = append(dst, `,"facets":`...)
	dst = p.Facets.appendJSON(dst)
	dst = appendField(dst, "next_cursor", p.NextCursor)
	dst = appendField(dst, "did_you_mean", p.DidYouMean)
	dst = append(dst, `,"links":`...)
	dst = appendAny(dst, p.Links)
	dst = append(dst, `,"warnings":`...)
	dst = appendAny(dst, p.Warnings)
	dst = appendField(dst, "notice", p.Notice)
	return append(dst, '}')
}

// roughSize is about how long the page's JSON is, rather too much than too little.
func (p *Listings) roughSize() int {
	n := 4096
	for _, card := range p.Cards {
		n += len(card) + 1
	}
	for _, group := range p.Facets.groups() {
		for i := range group.facets {
			n += len(group.facets[i].Href) + 96
		}
	}
	return n
}

func (l CardList) appendJSON(dst []byte) []byte {
	if l == nil {
		return append(dst, "null"...)
	}
	dst = append(dst, '[')
	for i, card := range l {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, card...)
	}
	return append(dst, ']')
}

func (f *Facets) appendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	for i, group := range f.groups() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, '"')
		dst = append(dst, group.key...)
		dst = append(dst, `":`...)
		dst = appendFacets(dst, group.facets)
	}
	return append(dst, '}')
}

func appendFacets(dst []byte, facets []Facet) []byte {
	if facets == nil {
		return append(dst, "null"...)
	}
	dst = append(dst, '[')
	for i := range facets {
		f := &facets[i]
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"value":`...)
		dst = appendString(dst, f.Value)
		dst = append(dst, `,"label":`...)
		dst = appendString(dst, f.Label)
		dst = append(dst, `,"count":`...)
		dst = strconv.AppendInt(dst, int64(f.Count), 10)
		dst = append(dst, `,"href":`...)
		dst = appendString(dst, f.Href)
		if f.Active {
			dst = append(dst, `,"active":true`...)
		}
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

// appendField appends a member that is left out when it is empty.
func appendField(dst []byte, name, value string) []byte {
	if value == "" {
		return dst
	}
	dst = append(dst, `,"`...)
	dst = append(dst, name...)
	dst = append(dst, `":`...)
	return appendString(dst, value)
}

// appendString appends a JSON string: as it is when nothing in it needs an
// escape, else by encoding/json.
func appendString(dst []byte, s string) []byte {
	var high byte
	for i := range len(s) {
		c := s[i]
		if c < ' ' || c == '"' || c == '\\' {
			return appendAny(dst, s)
		}
		high |= c
	}
	if high >= utf8.RuneSelf && (!utf8.ValidString(s) || strings.Contains(s, "\u2028") || strings.Contains(s, "\u2029")) {
		return appendAny(dst, s)
	}
	dst = append(dst, '"')
	dst = append(dst, s...)
	return append(dst, '"')
}

// appendAny appends the JSON of a value that always has one.
func appendAny(dst []byte, v any) []byte {
	buf := bytes.NewBuffer(dst)
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("views: " + err.Error()) // a type of this package that is not JSON: a mistake in it
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
}

// JSON is the card finished for a CardList.
func (c *Card) JSON() json.RawMessage { return appendAny(nil, c) }

// Decode reads the cards for the faces that need their fields.
func (l CardList) Decode() ([]Card, error) {
	cards := make([]Card, len(l))
	for i, raw := range l {
		if err := json.Unmarshal(raw, &cards[i]); err != nil {
			return nil, fmt.Errorf("card %d of a search: %w", i, err)
		}
	}
	return cards, nil
}

// facetGroup is a facet with its name, for code and for people.
type facetGroup struct {
	key, label string
	facets     []Facet
}

// groups are the facets in their one order.
func (f *Facets) groups() [6]facetGroup {
	return [6]facetGroup{
		{"category", "Category", f.Category}, {"brand", "Brand", f.Brand}, {"condition", "Condition", f.Condition},
		{"region", "Region", f.Region}, {"mount", "Mount", f.Mount}, {"price", "Price", f.Price},
	}
}

// Title is the search in words: "Canon EOS R6", "Lenses by Sony", "Everything for sale".
func (p *Listings) Title() string {
	q := &p.Query
	var brands []string
	for _, slug := range q.Brands {
		brands = append(brands, p.names.brand(slug))
	}
	kind := categoryText(q.Category)
	switch {
	case q.Keyword != "":
		return "“" + q.Keyword + "”"
	case q.Model != "":
		return p.names.gear(q.Model)
	case len(brands) > 0 && kind != "":
		return strings.Join(brands, ", ") + ": " + kind
	case len(brands) > 0:
		return strings.Join(brands, ", ")
	case kind != "":
		return kind
	}
	return "Everything for sale"
}

// Next is where the search goes on, "" on the last page.
func (p *Listings) Next() string { return p.Links.Next }

// Head implements Page.
func (p *Listings) Head() Head {
	return Head{
		Title:       p.Title() + " – " + countText(p.Total, "listing", "listings"),
		Description: countText(p.Total, "used camera or lens", "used cameras and lenses") + " for sale, with what each is worth by completed sales.",
		Path:        p.Links.HTML,
		NoIndex:     p.Query.Keyword != "" || p.Total == 0,
	}
}

// Markdown implements Page.
func (p *Listings) Markdown(w io.Writer) error {
	cards, err := p.Cards.Decode()
	if err != nil {
		return err
	}
	m := newMarkdown(p.site, p.Title(), p.Notice)
	m.raw("\n", countText(p.Total, "listing", "listings"), " for sale, ", strings.ToLower(sortLabel(p.Query.Sort)), " first.")
	for _, c := range p.Query.chosen(p.names) {
		m.raw(" ", c.Name, ": ", mdText(c.Label), ".")
	}
	m.raw("\n")
	for _, warning := range p.Warnings {
		m.raw("\n**Note:** ", mdText(warning.Message), "\n")
	}
	if p.DidYouMean != "" {
		m.raw("\nDid you mean ", m.link(Link{p.meantPath(), p.DidYouMean}), "?\n")
	}
	m.cards("Listings", cards)
	for _, g := range p.Facets.groups() {
		m.facets(g)
	}
	m.links(p.nextLinks())
	return m.done(w)
}

// facets writes one facet as a list of searches.
func (m *markdown) facets(g facetGroup) {
	if len(g.facets) == 0 {
		return
	}
	m.section("Narrow by " + strings.ToLower(g.label))
	for _, f := range g.facets {
		m.raw("- ", m.link(Link{f.Href, f.Label}), ": ", numberText(f.Count))
		if f.Active {
			m.raw(" (chosen; the link drops it)")
		}
		m.raw("\n")
	}
}

// nextLinks are the places to go from a search.
func (p *Listings) nextLinks() []Link {
	var links []Link
	if p.NextCursor != "" {
		links = append(links, Link{withCursor(p.Links.HTML, p.NextCursor), "Next page"})
	}
	if p.Query.Model != "" {
		links = append(links, Link{"/gear/" + p.Query.Model, "What " + p.names.gear(p.Query.Model) + " sells for"})
	}
	return append(links, Link{p.Links.First, "The same search as JSON"}, Link{"/gear", "All gear with its sold prices"})
}

func sortLabel(code string) string {
	for _, s := range sorts {
		if s.Code == code {
			return s.Label
		}
	}
	return code
}

// meantPath is the search for the keyword that finds more.
func (p *Listings) meantPath() string {
	q := Query{Keyword: p.DidYouMean}
	q.Sort = q.DefaultSort()
	return q.Path()
}

// cards are the listings as a grid.
func (p *Listings) cards() templ.Component {
	cards, err := p.Cards.Decode()
	if err != nil {
		return templ.ComponentFunc(func(context.Context, io.Writer) error { return err })
	}
	return cardGrid(p.site, cards, 4)
}

// facetShown is how many values of a facet are shown before the rest is folded.
const facetShown = 10

func (g facetGroup) top() []Facet  { return g.facets[:min(len(g.facets), facetShown)] }
func (g facetGroup) rest() []Facet { return g.facets[min(len(g.facets), facetShown):] }
