// Package search renders searches for listings, their filters, suggestions and comparisons.
package search

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/views/ui"
)

// NewNamedGear returns the description of gear. ForSale is the number of its listings.
func (v *Vocabulary) NewNamedGear(slug string, forSale int) NamedGear {
	return NamedGear{Slug: slug, Name: v.names.GearName(slug), Href: "/api/trends/" + slug, Page: "/gear/" + slug, ForSale: forSale}
}

// NewListings returns the page of a search.
func NewListings(words *Vocabulary, f Found) *Listings {
	p := new(Listings)
	p.Set(words, f)
	return p
}

// Set replaces the contents of the page by those of another search, and reuses its
// buffer.
func (p *Listings) Set(words *Vocabulary, f Found) {
	text := p.encoded.Text
	*p = Listings{
		Query: f.Query, Total: f.Total, Gear: ui.List(f.Gear), Cards: ui.List(f.Cards), NextCursor: f.NextCursor, DidYouMean: f.DidYouMean, Relax: newRelaxations(f.Relax, f.Query.Keyword), Understood: f.Reading.Parts, typed: f.Reading.Text, used: f.Used, unused: slices.Concat(f.Reading.Ignored, f.Unmatched),
		Warnings: ui.List(f.Warnings), Notice: words.Site.Notice(), site: words.Site, words: words, found: f.Facets, done: f.Done,
		corrected: f.Corrected, hasPrevious: f.HasPrevious, previousCursor: f.PreviousCursor, shipping: f.Shipping, fitOf: f.FitOf, fields: f.Fields, full: f.View == fullView, countryOf: f.CountryOf,
	}
	if len(p.unused) > 0 {
		p.Warnings = append(p.Warnings, ui.Warning{Code: "unmatched", Field: "keyword", Message: "Not searched for: " + strings.Join(p.unused, ", ")})
	}
	p.Query.Canonicalize()
	p.encoded = p.Query.Write(text)
	p.Links = newSearchLinks(&p.encoded, f.NextCursor)
	if f.HasPrevious {
		p.Links.Prev = ui.WithCursor(p.Links.Self, f.PreviousCursor)
	}
	switch {
	case len(f.Fields) > 0:
		p.Links.add("fields", strings.Join(f.Fields, ","))
	case f.View == "compact":
		p.fields = compactFields
		p.Links.add("view", f.View)
	case f.Query.NoFacets:
		p.Links.add("facets", "false")
	}
}

// Release releases the slices of the page's result. The page must not be used
// afterwards.
func (p *Listings) Release() {
	if p.done != nil {
		p.done()
	}
}

// facets returns p.Facets, which it computes on the first call. The JSON, the most
// requested format, does not need them.
func (p *Listings) facets() *Facets {
	if p.words != nil && p.Facets.Category == nil {
		for kind := range facetSpecs {
			*facetSpecs[kind].list(&p.Facets) = p.words.List(facetKind(kind), &p.encoded, &p.found)
		}
	}
	return &p.Facets
}

// newSearchLinks returns the URLs of the search, of its first page and of the next. next is the
// cursor of the next page, "" if there is none.
func newSearchLinks(w *ui.EncodedQuery, next string) SearchLinks {
	more := ui.AppendPair(w.Text, "cursor", next)
	last := ui.SearchAPIPath + string(more[len(ui.SearchPath):len(more)-1])
	l := SearchLinks{Self: last[:len(last)-len(more)+len(w.Text)], Page: ui.Address(w.Text)}
	l.First = l.Self
	if next != "" {
		l.Next = last
	}
	return l
}

// fullView is the view of a search whose page has all filters, also those that nobody asked for.
const fullView = "full"

// compactFields are the fields of listings in a compact answer: those that every listing has, and
// what decides.
var compactFields = []string{"id", "href", "page", "title", "gear", "category", "mount", "condition", "functional", "price", "deal", "region", "seller", "status", "shutter_count", "fit", "delivery"}

// add adds a parameter that restricts the answer to the links to the API.
func (l *SearchLinks) add(name, value string) {
	for _, link := range []*string{&l.Self, &l.Next, &l.Prev, &l.First} {
		if *link != "" {
			*link = ui.WithParam(*link, name, value)
		}
	}
}

// AppendJSON appends the page's JSON: that of encoding/json without HTML escaping. It
// copies the rendered cards without validating them, and encodes facets from the
// counts of the result.
func (p *Listings) AppendJSON(dst []byte) []byte {
	dst = slices.Grow(dst, p.roughSize())
	dst = append(dst, `{"query":`...)
	dst = p.Query.AppendJSON(dst)
	dst = append(dst, `,"total":`...)
	dst = strconv.AppendInt(dst, int64(p.Total), 10)
	dst = append(dst, `,"gear":`...)
	dst = appendGear(dst, p.Gear)
	dst = append(dst, `,"listings":`...)
	dst = p.appendCards(dst)
	dst = append(dst, `,"facets":`...)
	dst = p.words.appendJSON(dst, &p.encoded, &p.found)
	dst = ui.AppendField(dst, "next_cursor", p.NextCursor)
	dst = ui.AppendField(dst, "did_you_mean", p.DidYouMean)
	if len(p.Relax) > 0 {
		dst = ui.AppendAny(append(dst, `,"relax":`...), p.Relax)
	}
	if len(p.Understood) > 0 {
		dst = ui.AppendAny(append(dst, `,"understood":`...), p.Understood)
	}
	dst = append(dst, `,"links":`...)
	dst = p.Links.appendJSON(dst)
	dst = append(dst, `,"warnings":`...)
	dst = appendWarnings(dst, p.Warnings)
	dst = ui.AppendField(dst, "notice", p.Notice)
	return append(dst, '}')
}

// MarshalJSON implements json.Marshaler. AppendJSON avoids the copy that encoding/json
// makes.
func (p *Listings) MarshalJSON() ([]byte, error) { return p.AppendJSON(nil), nil }

// roughSize returns an estimate of the length of the page's JSON in bytes, usually too
// large.
func (p *Listings) roughSize() int {
	n := 2048
	for _, card := range p.Cards {
		n += len(card) + 1
	}
	f := &p.found
	values := len(f.Category) + len(f.Brand) + len(f.Condition) + len(f.Region) + len(f.Mount) + len(f.Defects) + len(f.WithoutDefects) + len(f.Price)
	return n + values*(len(p.Links.Page)+128)
}

// AppendJSON appends the links: ASCII without quotes, percent-encoded.
func (l *SearchLinks) appendJSON(dst []byte) []byte {
	dst = append(append(dst, `{"self":"`...), l.Self...)
	if l.Next != "" {
		dst = append(append(dst, `","next":"`...), l.Next...)
	}
	if l.Prev != "" {
		dst = append(append(dst, `","prev":"`...), l.Prev...)
	}
	dst = append(append(dst, `","first":"`...), l.First...)
	dst = append(append(dst, `","page":"`...), l.Page...)
	return append(dst, `"}`...)
}

// appendGear appends gear as a JSON array.
func appendGear(dst []byte, all []NamedGear) []byte {
	dst = append(dst, '[')
	for i := range all {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = ui.AppendFirst(append(dst, '{'), "gear", all[i].Slug)
		dst = ui.AppendField(dst, "gear_name", all[i].Name)
		dst = ui.AppendField(dst, "href", all[i].Href)
		dst = ui.AppendField(dst, "page", all[i].Page)
		dst = append(dst, `,"for_sale":`...)
		dst = append(strconv.AppendInt(dst, int64(all[i].ForSale), 10), '}')
	}
	return append(dst, ']')
}

// appendWarnings appends warnings as a JSON array.
func appendWarnings(dst []byte, all []ui.Warning) []byte {
	if len(all) == 0 {
		return append(dst, "[]"...)
	}
	return ui.AppendAny(dst, all)
}

// Title returns a title in a language for the search, such as "Canon EOS R6" or "Sony: Lenses".
func (p *Listings) Title(l *languages.Language) string {
	q := &p.Query
	var brands []string
	for _, slug := range q.Brands {
		brands = append(brands, p.words.names.BrandName(slug))
	}
	kind := l.Text(ui.CategoryText(string(q.Category)))
	switch {
	case p.used != nil:
		return p.usedTitle(l)
	case q.Keyword != "":
		return l.Text("“%s”", q.Keyword)
	case q.Model != "":
		return p.words.names.GearName(q.Model)
	case len(brands) > 0 && kind != "":
		return strings.Join(brands, ", ") + ": " + kind
	case len(brands) > 0:
		return strings.Join(brands, ", ")
	case kind != "":
		return kind
	}
	return l.Text("Shop all")
}

// Keyword returns the keyword of the search as it was typed, "" for none.
func (p *Listings) Keyword() string { return cmp.Or(p.typed, p.Query.Keyword) }

// After implements web.PagedPage.
func (p *Listings) After() string { return p.NextCursor }

// Canonical returns the path of the page without computing its Head.
func (p *Listings) Canonical() string {
	if p.Query.Min != nil || p.Query.Max != nil {
		return p.Links.Page
	}
	return cmp.Or(ui.UsedPath(&p.Query.Filter), p.Links.Page)
}

// Head implements Page.
func (p *Listings) Head(ctx context.Context) ui.Head {
	head := ui.Head{
		Title:       p.Title(languages.Of(ctx)) + " – " + ui.TN(ctx, p.Total, "%s listing", "%s listings"),
		Description: ui.TN(ctx, p.Total, "%s used camera or lens for sale, priced against completed sales.", "%s used cameras and lenses for sale, priced against completed sales."),
		Path:        p.Canonical(),
		NoIndex:     p.Query.Keyword != "" || p.Total == 0,
		Alternates:  ui.FeedAlternates(p.Links.Page),
	}
	if p.used != nil {
		head.Title, head.Description, head.Crumbs = p.Title(languages.Of(ctx)), p.Title(languages.Of(ctx))+": "+p.usedText(ctx), p.usedCrumbs(ctx)
	}
	return head
}

// Markdown implements Page.
func (p *Listings) Markdown(ctx context.Context, w io.Writer) error {
	cards, err := p.decodeCards()
	if err != nil {
		return err
	}
	heading := p.Title(languages.Of(ctx))
	if p.Query.Keyword != "" {
		heading = ui.Untrusted(p.Query.Keyword)
	}
	m := ui.NewMarkdown(p.site, heading, ui.T(ctx, p.Notice)).In(ctx)
	if p.used != nil {
		m.Raw("\n", p.usedText(ctx), "\n")
		for _, l := range p.used.Within {
			m.Raw("\n- ", m.Link(ui.Link{Href: l.Path, Label: ui.T(ctx, l.Label)}), " (", ui.NumberText(l.Count), ")")
		}
		m.Raw("\n")
	}
	m.Raw("\n", ui.TN(ctx, p.Total, "%s listing, sorted by %s.", "%s listings, sorted by %s.", p.Query.OrderText(ctx)))
	if len(p.Query.ShipTo) > 0 {
		m.Raw(" ", ui.T(ctx, "Delivered to %s.", ui.RegionsIn(ctx, p.Query.ShipTo)))
	}
	for _, c := range p.Query.Chosen(languages.Of(ctx), p.words.names) {
		label := c.Label
		if label == p.Query.Keyword || label == p.Query.Mount || label == p.Query.Seller {
			label = ui.Untrusted(label)
		}
		m.Raw(" ", c.Name, ": ", ui.MarkdownText(label), ".")
	}
	m.Raw("\n")
	if p.NextCursor != "" {
		m.More(ui.WithCursor(p.Links.Page, p.NextCursor))
	}
	for _, warning := range p.Warnings {
		if warning.Code == "unmatched" {
			continue // below
		}
		m.Raw("\n**", ui.T(ctx, "Note:"), "** ", ui.MarkdownText(warning.Message), "\n")
	}
	if len(p.unused) > 0 {
		m.Raw("\n**", ui.T(ctx, "Not searched for:"), "** ", ui.Untrusted(strings.Join(p.unused, ", ")), "\n")
	}
	if p.hint() != "" {
		m.Raw("\n", ui.T(ctx, "Did you mean %s?", m.Link(ui.Link{Href: p.meantPath(), Label: ui.Untrusted(p.DidYouMean)})), "\n")
	}
	p.relaxMarkdown(m)
	if len(p.Gear) > 0 {
		m.Section("Price history")
		for _, g := range p.Gear {
			m.Raw("- ", m.Link(ui.Link{Href: g.Page, Label: g.Name}), ": ", g.forSale(ctx), "\n")
		}
	}
	m.Cards("Listings", cards)
	groups := p.facets().groups()
	m.Counts("Filter results", groups[:]...)
	m.Links(p.nextLinks(ctx))
	return m.Done(w)
}

// nextLinks returns the links at the end of the page as Markdown.
func (p *Listings) nextLinks(ctx context.Context) []ui.Link {
	var links []ui.Link
	if p.hasPrevious {
		links = append(links, ui.Link{Href: p.previousPath(), Label: ui.T(ctx, "Previous page")})
	}
	if p.NextCursor != "" {
		links = append(links, ui.Link{Href: ui.WithCursor(p.Links.Page, p.NextCursor), Label: "Next page"})
	}
	return append(append(links, p.priceLinks(ctx)...), ui.Link{Href: p.Links.First, Label: "This search as JSON"})
}

// priceLinks returns the links to sold prices at the end of the page.
func (p *Listings) priceLinks(ctx context.Context) []ui.Link {
	all := ui.Link{Href: "/gear", Label: "Price guide for all models"}
	if p.Query.Model == "" {
		return []ui.Link{all}
	}
	return []ui.Link{{Href: "/gear/" + p.Query.Model, Label: ui.T(ctx, "%s price history", p.words.names.GearName(p.Query.Model))}, all}
}

// ForSale returns the number of listings as text.
func (g *NamedGear) forSale(ctx context.Context) string {
	return ui.TN(ctx, g.ForSale, "%s for sale", "%s for sale")
}

// showsCorrected reports whether the listings are those of a corrected keyword.
func (p *Listings) showsCorrected() bool { return p.corrected != "" && p.Total > 0 }

// notices returns the warnings that the page states by their message. It states the
// others by what it shows.
func (p *Listings) notices() []ui.Warning {
	return slices.DeleteFunc(slices.Clone(p.Warnings), func(w ui.Warning) bool {
		return w.Code == "corrected" && w.Field == "keyword" && p.showsCorrected() || w.Code == "unmatched" || w.Code == "stale_rates" || w.Field == "ship_to" && p.asksCountry()
	})
}

// hint returns a keyword that finds more, "" if that is the one that was searched for.
func (p *Listings) hint() string {
	if p.showsCorrected() {
		return ""
	}
	return p.DidYouMean
}

// verbatimPath returns the path of the search for the keyword as it was typed.
func (p *Listings) verbatimPath() string {
	q := p.Query
	q.Keyword = `"` + q.Keyword + `"`
	return q.Path()
}

// previousPath returns the path of the previous page.
func (p *Listings) previousPath() string {
	return ui.WithCursor(p.Links.Page, p.previousCursor)
}

// meantPath returns the path of the search for DidYouMean.
func (p *Listings) meantPath() string {
	return ui.PathOf(search.Filter{Keyword: p.DidYouMean})
}

// narrowed returns the parameters of narrowForm.
func narrowed() []string {
	names := append(ui.FilterNames(), search.Budget, "currency", "deal", "ship_to")
	for kind := range facetSpecs {
		if p := facetSpecs[kind].param; p.Many() {
			names = append(names, p.Name)
		}
	}
	return names
}

// filtersText returns the label of the button that shows the filters, with the number
// of those that are chosen.
func filtersText(ctx context.Context, chosen int) string {
	if chosen > 0 {
		return ui.T(ctx, "Filters (%d)", chosen)
	}
	return ui.T(ctx, "Filters")
}

// eagerCards is the number of cards in a search whose photos load at once.
const eagerCards = 4

// cards renders the listings as CardGrid does, from cached HTML.
func (p *Listings) cards() templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		if _, err := io.WriteString(w, `<ul class="cards" data-markdown-ignore>`); err != nil {
			return err
		}
		for i, raw := range p.Cards {
			if err := p.words.cards.Write(ctx, w, p.site, raw, i < eagerCards, p.delivery(i)); err != nil {
				return fmt.Errorf("card %d of a search: %w", i, err)
			}
		}
		_, err := io.WriteString(w, `</ul>`)
		return err
	})
}

// Schema describes the search results as a list.
func (p *Listings) Schema() ui.Thing {
	if p.site.Demo() {
		return nil
	}
	urls := ui.Each(p.Cards.Pages(), func(page *string) string { return p.site.URL(*page) })
	return ui.ItemList(p.Title(languages.English), p.Total, urls)
}

// feed returns the page's feed.
func (p *Listings) feed() (*ui.Feed, error) {
	cards, err := p.decodeCards()
	if err != nil {
		return nil, err
	}
	f := &ui.Feed{Title: p.Title(languages.English) + " – " + p.site.Name(), Text: ui.CountText(p.Total, "listing", "listings") + " for sale.", Path: p.Links.Page, Site: p.site}
	if p.NextCursor != "" {
		f.Next = ui.WithCursor(p.Links.Page, p.NextCursor)
	}
	f.Entries = ui.FeedEntries(p.site, cards)
	return f, nil
}

// Atom writes the page's feed in Atom format.
func (p *Listings) Atom(w io.Writer) error { return ui.WriteFeed(p.feed, (*ui.Feed).Atom, w) }

// JSONFeed writes the page's feed in JSON Feed format.
func (p *Listings) JSONFeed(w io.Writer) error { return ui.WriteFeed(p.feed, (*ui.Feed).JSON, w) }

// savePath returns the path of the page that saves this search.
func (p *Listings) savePath() string {
	query := ui.CanonicalQuery(p.Query)
	if query == "" {
		return ui.SearchesPath + "/new"
	}
	var space [512]byte
	return ui.SearchesPath + "/new?query=" + string(ui.AppendEscaped(space[:0], query))
}

// SearchTitle returns a short title of a search in a language, such as R6.
func (v *Vocabulary) SearchTitle(l *languages.Language, q ui.Query) string {
	return strings.Trim((&Listings{Query: q, words: v}).Title(l), "“”„")
}

// SearchText describes every parameter of a search in a language.
func (v *Vocabulary) SearchText(l *languages.Language, q ui.Query) string {
	var parts []string
	for _, c := range q.Chosen(l, v.names) {
		parts = append(parts, c.Name+": "+c.Label)
	}
	if len(parts) == 0 {
		return l.Text("Shop all")
	}
	return strings.Join(parts, ". ")
}
