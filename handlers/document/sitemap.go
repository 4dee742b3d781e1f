package document

import (
	"context"
	"encoding/xml"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/docs"
	"github.com/secondlight/secondlight/handlers/text"
	"github.com/secondlight/secondlight/handlers/web/serve"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/search"
	portfolioviews "github.com/secondlight/secondlight/views/portfolio"
	textviews "github.com/secondlight/secondlight/views/text"
	"github.com/secondlight/secondlight/views/ui"
)

// SitemapURLs is the maximum number of URLs in one sitemap, set by the protocol.
const SitemapURLs = 50_000

// SitemapListings is the number of listings of a page of listings. A page of as many as
// are allowed takes longer than crawlers like to wait.
const SitemapListings = 10_000

const sitemapSpace = "http://www.sitemaps.org/schemas/sitemap/0.9"

// sitemapIndex and urlSet are the two document types of sitemaps.org.
type sitemapIndex struct {
	XMLName  xml.Name      `xml:"sitemapindex"`
	Space    string        `xml:"xmlns,attr"`
	Sitemaps []SitemapPart `xml:"sitemap"`
}

type SitemapPart struct {
	Loc     string `xml:"loc"`
	LastMod string `xml:"lastmod,omitempty"`
}

type urlSet struct {
	XMLName xml.Name     `xml:"urlset"`
	Space   string       `xml:"xmlns,attr"`
	Images  string       `xml:"xmlns:image,attr"`
	URLs    []sitemapURL `xml:"url"`
}

// sitemapURL is a page in a sitemap. LastMod is the time of its last change as a W3C
// date or date-time, or "" if it is unknown.
type sitemapURL struct {
	Loc     string         `xml:"loc"`
	LastMod string         `xml:"lastmod,omitempty"`
	Images  []sitemapImage `xml:"image:image,omitempty"`
}

type sitemapImage struct {
	Loc string `xml:"image:loc"`
}

// sitemapPages returns functions that return the pages of a sitemap, by file name
// without suffix. Listings are not included, since they need a variable number of
// files.
func (s Documents) sitemapPages() map[string]func(context.Context) ([]sitemapURL, error) {
	return map[string]func(context.Context) ([]sitemapURL, error){
		"pages":     s.sitemapOfSite,
		"journal":   s.sitemapOfJournal,
		"gear":      s.sitemapOfGear,
		"used":      s.sitemapOfUsed,
		"portfolio": s.sitemapOfPortfolio,
	}
}

// mountSitemaps serves the sitemap index and its sitemaps. The responses are cached
// until the data changes.
func (s Documents) mountSitemaps(server *serve.Server) {
	server.MountXML("/sitemap.xml", func(ctx context.Context, _ string) (any, error) { return s.sitemapIndex(ctx) })
	server.MountXML("/sitemaps/{file}", s.sitemap)
}

// sitemapIndex returns the sitemap index.
func (s Documents) sitemapIndex(ctx context.Context) (*sitemapIndex, error) {
	index := &sitemapIndex{Space: sitemapSpace}
	add := func(name, changed string) {
		index.Sitemaps = append(index.Sitemaps, SitemapPart{s.Site.URL("/sitemaps/" + name + ".xml"), changed})
	}
	pages := s.sitemapPages()
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		urls, err := pages[name](ctx)
		if err != nil {
			return nil, err
		}
		newest := ""
		for i := range urls {
			newest = max(newest, urls[i].LastMod)
		}
		add(name, newest)
	}
	changes, err := s.Listings.SitemapChanges(ctx, SitemapListings)
	for i, changed := range changes {
		if changed != 0 { // otherwise none of its listings is for sale
			add("listings-"+strconv.Itoa(i+1), lastMod(changed))
		}
	}
	return index, err
}

// sitemap returns the sitemap with a file name, or fiber.ErrNotFound.
func (s Documents) sitemap(ctx context.Context, file string) (any, error) {
	name, ok := strings.CutSuffix(file, ".xml")
	if !ok {
		return nil, fiber.ErrNotFound
	}
	set := &urlSet{Space: sitemapSpace, Images: "http://www.google.com/schemas/sitemap-image/1.1"}
	var err error
	if pages := s.sitemapPages()[name]; pages != nil {
		set.URLs, err = pages(ctx)
		return set, err
	}
	number, ok := strings.CutPrefix(name, "listings-")
	n, bad := strconv.Atoi(number)
	if !ok || bad != nil || strconv.Itoa(n) != number || n < 1 || n > 1_000_000 {
		return nil, fiber.ErrNotFound
	}
	set.URLs, err = s.sitemapOfListings(ctx, n)
	if err == nil && len(set.URLs) == 0 {
		err = fiber.ErrNotFound
	}
	return set, err
}

// lastMod returns a time in the format of sitemaps, or "" for zero.
func lastMod(t models.Time) string {
	if t == 0 {
		return ""
	}
	return t.Std().UTC().Format(time.RFC3339)
}

// page returns a page with the time of its last change.
func (s Documents) page(path, changed string) sitemapURL {
	return sitemapURL{Loc: s.Site.URL(path), LastMod: changed}
}

// sitemapOfSite returns the home page, the search page, the text pages and the API
// reference. The first
// two change whenever a listing does.
func (s Documents) sitemapOfSite(ctx context.Context) ([]sitemapURL, error) {
	changes, err := s.Listings.SitemapChanges(ctx, SitemapListings)
	if err != nil {
		return nil, err
	}
	var listed models.Time
	for _, changed := range changes {
		listed = max(listed, changed)
	}
	urls := []sitemapURL{s.page("/", lastMod(listed)), s.page("/listings", lastMod(listed)), s.page("/developers", ""), s.page(text.ErrorsPage, "")}
	for _, slug := range content.PageSlugs {
		urls = append(urls, s.page("/"+slug, written(s.Pages.BySlug(slug))))
	}
	urls = append(urls, s.page("/guides", newestText(s.Pages.Guides())))
	for _, g := range s.Pages.Guides() {
		urls = append(urls, s.page("/guides/"+g.Slug, written(g)))
	}
	urls = append(urls, s.page(textviews.DocsPath, ""))
	for _, d := range docs.All() {
		urls = append(urls, s.page(d.Path(), ""))
	}
	for _, op := range s.Reference.Operations() {
		if op.Published() {
			urls = append(urls, s.page(textviews.OperationPath(op.Name), ""))
		}
	}
	return urls, nil
}

// sitemapOfUsed returns the category pages with listings.
func (s Documents) sitemapOfUsed(context.Context) ([]sitemapURL, error) {
	brands := make([]string, 0, len(s.Catalog.Brands()))
	for _, b := range s.Catalog.Brands() {
		brands = append(brands, b.Slug)
	}
	var urls []sitemapURL
	for _, f := range ui.UsedFilters(s.Catalog.MountNames().Values, brands) {
		found, err := s.Index.Search(search.Query{Filter: f, Limit: 1, NoFacets: true})
		if err != nil {
			return nil, err
		}
		if found.Total > 0 {
			urls = append(urls, s.page(ui.UsedPath(&f), ""))
		}
	}
	return urls, nil
}

// sitemapOfJournal returns the journal and its entries.
func (s Documents) sitemapOfJournal(context.Context) ([]sitemapURL, error) {
	urls := []sitemapURL{s.page("/journal", newestText(s.Pages.Journal()))}
	for _, t := range s.Pages.Journal() {
		urls = append(urls, s.page("/journal/"+t.Slug, written(t)))
	}
	return urls, nil
}

// written returns the day of the last change of a text.
func written(t *content.Text) string { return t.Updated.Format(time.DateOnly) }

// newestText returns the day of the last change of any of the texts.
func newestText(all []*content.Text) string {
	newest := ""
	for _, t := range all {
		newest = max(newest, written(t))
	}
	return newest
}

// sitemapOfPortfolio returns the portfolio, its projects and photos, with their
// images. Their last change is the date of the project, if it has one.
func (s Documents) sitemapOfPortfolio(context.Context) ([]sitemapURL, error) {
	newest := ""
	var urls []sitemapURL
	for _, project := range s.Library.Portfolio().Projects {
		changed := ""
		if !project.Date.IsZero() {
			changed = project.Date.Format(time.DateOnly)
		}
		newest = max(newest, changed)
		page := s.page("/portfolio/"+project.Slug, changed)
		var photos []sitemapURL
		for _, photo := range project.Photos {
			image := sitemapImage{portfolioviews.NewPicture(s.Site, photo).Src}
			page.Images = append(page.Images, image)
			of := s.page("/portfolio/"+project.Slug+"/"+photo.Slug, changed)
			of.Images = []sitemapImage{image}
			photos = append(photos, of)
		}
		urls = append(append(urls, page), photos...)
	}
	return append([]sitemapURL{s.page("/portfolio", newest)}, urls...), nil
}

// sitemapOfGear returns all brands and models. Their last change is the latest sale.
func (s Documents) sitemapOfGear(ctx context.Context) ([]sitemapURL, error) {
	dates, err := s.Listings.SitemapGear(ctx)
	if err != nil {
		return nil, err
	}
	sold := make(map[string]models.Time, len(dates))
	for _, d := range dates {
		sold[d.Name] = d.LastModified
	}
	var urls []sitemapURL
	var newest models.Time
	for _, brand := range s.Catalog.Brands() {
		var last models.Time
		for _, g := range brand.Gear {
			urls = append(urls, s.page("/gear/"+g.Slug(), lastMod(sold[g.Slug()])))
			last = max(last, sold[g.Slug()])
		}
		urls = append(urls, s.page("/gear/"+brand.Slug, lastMod(last)))
		newest = max(newest, last)
	}
	return append(urls, s.page("/gear", lastMod(newest))), nil
}

// sitemapOfListings returns the listings for sale of the nth page of listings, from 1.
func (s Documents) sitemapOfListings(ctx context.Context, n int) ([]sitemapURL, error) {
	pages, err := s.Listings.SitemapPages(ctx, SitemapListings)
	if err != nil || n > len(pages) {
		return nil, err
	}
	listings, err := s.Listings.SitemapListings(ctx, pages[n-1])
	urls := make([]sitemapURL, len(listings))
	for i, l := range listings {
		urls[i] = s.page("/listings/"+l.Name, lastMod(l.LastModified))
	}
	return urls, err
}
