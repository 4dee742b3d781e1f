package ui

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/a-h/templ"
)

// described is implemented by pages with a schema.org description. Demonstration
// data is not described: invented listings, sellers and prices must not reach search
// engines. Texts, the catalogue and photos are real, and always described.
type described interface{ Schema() Thing }

// Thing is an object of schema.org; nil describes nothing.
type Thing map[string]any

// NewThing returns an object of a type. pairs alternates names and values; empty
// values are left out.
func NewThing(kind string, pairs ...any) Thing {
	t := Thing{"@type": kind}
	for i := 0; i < len(pairs); i += 2 {
		if v := reflect.ValueOf(pairs[i+1]); v.IsValid() && !v.IsZero() && !(v.Kind() == reflect.Slice && v.Len() == 0) {
			t[pairs[i].(string)] = pairs[i+1]
		}
	}
	return t
}

// linkedData renders the description of the page and its breadcrumbs as JSON-LD.
func linkedData(site *Site, page Page, head *Head) templ.Component {
	var b strings.Builder
	add := func(t Thing) {
		if t == nil {
			return
		}
		t["@context"] = "https://schema.org"
		body, err := json.Marshal(t) // escapes "<", so that nothing can end the element
		if err != nil {
			panic("views: " + err.Error())
		}
		b.WriteString(`<script type="application/ld+json">` + string(body) + `</script>`)
	}
	if p, ok := page.(described); ok {
		add(p.Schema())
	}
	add(breadcrumbs(site, head))
	return templ.Raw(b.String())
}

// breadcrumbs returns the breadcrumbs from the home page to the page.
func breadcrumbs(site *Site, head *Head) Thing {
	if len(head.Crumbs) == 0 || head.NoIndex {
		return nil
	}
	path := append([]Link{{"/", site.Name()}}, head.Crumbs...)
	var items []Thing
	for i, l := range append(path, Link{head.Path, head.Title}) {
		items = append(items, NewThing("ListItem", "position", i+1, "name", l.Label, "item", site.URL(l.Href)))
	}
	return NewThing("BreadcrumbList", "itemListElement", items)
}

// ItemList describes a list of pages by their URLs.
func ItemList(name string, total int, urls []string) Thing {
	if len(urls) == 0 {
		return nil
	}
	items := make([]Thing, len(urls))
	for i, url := range urls {
		items[i] = NewThing("ListItem", "position", i+1, "url", url)
	}
	return NewThing("ItemList", "name", name, "numberOfItems", total, "itemListElement", items)
}

func BrandThing(name string) Thing {
	if name == "" {
		return nil
	}
	return NewThing("Brand", "name", name)
}

// OwnerThing describes the site's owner: a person, or the site itself as an
// organisation when no owner is named.
func (s *Site) OwnerThing() Thing {
	if s.Owner() == "" || s.Owner() == s.Name() {
		return NewThing("Organization", "name", s.Name(), "url", s.URL("/about"))
	}
	return NewThing("Person", "name", s.Owner(), "url", s.URL("/about"))
}
