package views

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/a-h/templ"
)

// described is implemented by pages with a schema.org description. Demonstration
// data is not described: invented listings, sellers and prices must not reach search
// engines. Texts, the catalogue and photos are real, and always described.
type described interface{ Schema() thing }

// thing is an object of schema.org; nil describes nothing.
type thing map[string]any

// newThing returns an object of a type. pairs alternates names and values; empty
// values are left out.
func newThing(kind string, pairs ...any) thing {
	t := thing{"@type": kind}
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
	add := func(t thing) {
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
func breadcrumbs(site *Site, head *Head) thing {
	if len(head.Crumbs) == 0 || head.NoIndex {
		return nil
	}
	path := append([]Link{{"/", site.Name()}}, head.Crumbs...)
	var items []thing
	for i, l := range append(path, Link{head.Path, head.Title}) {
		items = append(items, newThing("ListItem", "position", i+1, "name", l.Label, "item", site.URL(l.Href)))
	}
	return newThing("BreadcrumbList", "itemListElement", items)
}

// itemList describes a list of pages by their URLs.
func itemList(name string, total int, urls []string) thing {
	if len(urls) == 0 {
		return nil
	}
	items := make([]thing, len(urls))
	for i, url := range urls {
		items[i] = newThing("ListItem", "position", i+1, "url", url)
	}
	return newThing("ItemList", "name", name, "numberOfItems", total, "itemListElement", items)
}

func brandThing(name string) thing {
	if name == "" {
		return nil
	}
	return newThing("Brand", "name", name)
}

// ownerThing describes the site's owner: a person, or the site itself as an
// organisation when no owner is named.
func (s *Site) ownerThing() thing {
	if s.Owner() == "" || s.Owner() == s.Name() {
		return newThing("Organization", "name", s.Name(), "url", s.URL("/about"))
	}
	return newThing("Person", "name", s.Owner(), "url", s.URL("/about"))
}
