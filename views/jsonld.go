package views

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/a-h/templ"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/models"
)

// described is implemented by pages with a schema.org description. Demonstration
// data is not described: invented listings, sellers and prices must not reach search
// engines. Texts, the catalogue and photos are real, and always described.
type described interface{ schema() thing }

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
		add(p.schema())
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

// schema describes the site and, if it has one, its search.
func (p *Home) schema() thing {
	if !p.site.Purpose().HasShop() {
		return newThing("WebSite", "name", p.Name, "url", p.site.URL("/"), "description", p.Summary)
	}
	return newThing("WebSite", "name", p.Name, "url", p.site.URL("/"), "description", p.Summary,
		"potentialAction", newThing("SearchAction",
			"target", newThing("EntryPoint", "urlTemplate", p.site.URL(searchPath+"?keyword={search_term_string}")),
			"query-input", "required name=search_term_string"))
}

// schema describes the listing as a product with the terms of its sale. Those are an
// Offer in schema.org; an offer of this site is a buyer's price proposal.
func (p *Listing) schema() thing {
	if p.Demo {
		return nil
	}
	offer := newThing("Offer", "url", p.site.URL(p.Page), "price", p.Price.Amount, "priceCurrency", p.Price.Currency, "availability", availability(p.Status),
		"itemCondition", p.Grade.SchemaOrg, "seller", newThing("Person", "name", p.SellerCard.Name, "url", p.site.URL(p.SellerCard.Page)))
	var pictures []string
	for i := range p.Photos {
		pictures = append(pictures, p.Photos[i].largest())
	}
	return newThing("Product", "name", p.Title, "description", p.Description, "sku", p.ID, "url", p.site.URL(p.Page), "category", p.Category.Label(),
		"brand", brandThing(p.Brand), "model", p.Model, "image", pictures, "itemCondition", p.Grade.SchemaOrg, "offers", offer)
}

func brandThing(name string) thing {
	if name == "" {
		return nil
	}
	return newThing("Brand", "name", name)
}

// availability returns the schema.org availability of a status.
func availability(s models.Status) string {
	switch s {
	case models.StatusActive:
		return "https://schema.org/InStock"
	case models.StatusReserved:
		return "https://schema.org/LimitedAvailability"
	case models.StatusSold:
		return "https://schema.org/SoldOut"
	}
	return "https://schema.org/Discontinued"
}

// schema describes the gear as a product with its current asking prices, nil without
// listings.
func (p *Trend) schema() thing {
	if p.Demo || p.Active.Count == 0 || p.Active.Lowest == nil {
		return nil
	}
	return newThing("Product", "name", p.Name, "description", p.lead(context.Background()), "sku", p.Gear, "url", p.site.URL(p.Page), "category", p.Category.Label(),
		"brand", brandThing(p.Brand), "model", p.Model, "image", p.site.URL(previewPath(p.site, p)),
		"offers", newThing("AggregateOffer", "offerCount", p.Active.Count, "lowPrice", p.Active.Lowest.Amount, "priceCurrency", p.Active.Lowest.Currency,
			"availability", "https://schema.org/InStock", "url", p.site.URL(p.Page)))
}

// schema describes the search results as a list.
func (p *Listings) schema() thing {
	if p.site.Demo() {
		return nil
	}
	cards, err := p.Cards.Decode()
	if err != nil {
		return nil // rendering the page fails with the same error
	}
	urls := make([]string, len(cards))
	for i := range cards {
		urls[i] = p.site.URL(cards[i].Page)
	}
	return itemList(p.Title(languages.English), p.Total, urls)
}

// schema describes the gear of the page as a list.
func (p *GearIndex) schema() thing {
	urls := make([]string, len(p.Gear))
	for i := range p.Gear {
		urls[i] = p.site.URL(p.Gear[i].Page)
	}
	return itemList(p.title(context.Background()), p.Total, urls)
}

// schema describes the seller's profile.
func (p *Seller) schema() thing {
	if p.Demo {
		return nil
	}
	return newThing("ProfilePage", "url", p.site.URL(p.Page), "mainEntity",
		newThing("Person", "name", p.Name, "alternateName", p.Handle, "identifier", p.Handle, "description", p.Bio, "url", p.site.URL(p.Page)))
}

// schema describes the profile of the site's owner.
func (p *About) schema() thing {
	return newThing("ProfilePage", "url", p.site.URL("/about"), "name", p.Title, "description", p.Description, "dateModified", p.Updated, "mainEntity", p.site.ownerThing())
}

// ownerThing describes the site's owner: a person, or the site itself as an
// organisation when no owner is named.
func (s *Site) ownerThing() thing {
	if s.Owner() == "" || s.Owner() == s.Name() {
		return newThing("Organization", "name", s.Name(), "url", s.URL("/about"))
	}
	return newThing("Person", "name", s.Owner(), "url", s.URL("/about"))
}

// article describes a guide or a journal entry.
func article(site *Site, page Page, published, updated string, tags []string) thing {
	head := page.Head(context.Background())
	return newThing("Article", "headline", head.Title, "description", head.Description, "datePublished", published+"T00:00:00Z",
		"dateModified", updated+"T00:00:00Z", "author", site.ownerThing(), "publisher", site.ownerThing(), "image", site.URL(previewPath(site, page)),
		"mainEntityOfPage", site.URL(head.Path), "keywords", strings.Join(tags, ", "), "inLanguage", "en")
}

func (p *Guide) schema() thing { return article(p.site, p, p.Date, p.Updated, nil) }

func (p *JournalEntry) schema() thing { return article(p.site, p, p.Date, p.Updated, p.Tags) }

// schema describes the project as a gallery of its photos.
func (p *Project) schema() thing {
	var images []thing
	for i := range p.Photos {
		c := &p.Photos[i]
		images = append(images, newThing("ImageObject", "name", c.Title, "contentUrl", c.Picture.Src, "url", p.site.URL(c.Page), "description", c.Picture.Alt))
	}
	return newThing("ImageGallery", "name", p.Title, "description", p.Description, "url", p.site.URL(p.Page), "datePublished", p.Date, "image", images)
}

// schema describes the photo. Its creator is the credited photographer, or else the
// owner; demonstration photos have none.
func (p *ProjectPhoto) schema() thing {
	creator, credit := p.site.ownerThing(), p.site.Owner()
	switch {
	case p.Credit != "":
		creator, credit = newThing("Person", "name", p.Credit), p.Credit
	case p.Notice != "":
		creator, credit = nil, p.Notice
	}
	return newThing("ImageObject", "name", p.Title, "contentUrl", p.Picture.Src, "url", p.site.URL(p.Page), "caption", p.Caption, "description", p.Picture.Alt,
		"width", p.Picture.Width, "height", p.Picture.Height, "creator", creator, "creditText", credit)
}
