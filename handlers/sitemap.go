package handlers

import (
	"bytes"
	"context"
	"encoding/xml"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/secondlight/secondlight/content"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views"
)

// sitemapURLs is how many addresses the protocol allows in one sitemap.
const sitemapURLs = 50_000

const sitemapSpace = "http://www.sitemaps.org/schemas/sitemap/0.9"

// sitemapIndex and urlSet are the two documents of sitemaps.org.
type sitemapIndex struct {
	XMLName  xml.Name      `xml:"sitemapindex"`
	Space    string        `xml:"xmlns,attr"`
	Sitemaps []sitemapPart `xml:"sitemap"`
}

type sitemapPart struct {
	Loc     string `xml:"loc"`
	LastMod string `xml:"lastmod,omitempty"`
}

type urlSet struct {
	XMLName xml.Name     `xml:"urlset"`
	Space   string       `xml:"xmlns,attr"`
	Images  string       `xml:"xmlns:image,attr"`
	URLs    []sitemapURL `xml:"url"`
}

// sitemapURL is a page. LastMod is when what it shows last changed, in W3C's
// notation of time; it is left out when nobody knows.
type sitemapURL struct {
	Loc     string         `xml:"loc"`
	LastMod string         `xml:"lastmod,omitempty"`
	Images  []sitemapImage `xml:"image:image,omitempty"`
}

type sitemapImage struct {
	Loc string `xml:"image:loc"`
}

// sitemapPages are the pages of a sitemap by the name of its file, but for the
// listings, which fill as many files as they need.
func (s *Server) sitemapPages() map[string]func(context.Context) ([]sitemapURL, error) {
	return map[string]func(context.Context) ([]sitemapURL, error){
		"pages":     s.sitemapOfSite,
		"journal":   s.sitemapOfJournal,
		"gear":      s.sitemapOfGear,
		"portfolio": s.sitemapOfPortfolio,
	}
}

// mountSitemaps serves the index of sitemaps and the sitemaps it names. They
// are kept with the finished pages, until the data changes.
func (s *Server) mountSitemaps() {
	s.app.Get("/sitemap.xml", s.answerXML(func(ctx context.Context, _ string) (any, error) { return s.sitemapIndex(ctx) }))
	s.app.Get("/sitemaps/:file", s.answerXML(s.sitemap))
}

// answerXML is the handler of a document that is made from the data; build gets
// the name of the file when the address has one.
func (s *Server) answerXML(build func(ctx context.Context, file string) (any, error)) fiber.Handler {
	return func(c *fiber.Ctx) error {
		ctx := c.Context()
		x := exchangeOf(ctx)
		work := x.caller.work()
		defer work.end()
		document, err := build(work, c.Params("file"))
		if err != nil {
			return err
		}
		body := bytes.NewBufferString(xml.Header)
		if err := xml.NewEncoder(body).Encode(document); err != nil {
			return err
		}
		enc := chooseEncoding(ctx.Request.Header.PeekAll("Accept-Encoding"))
		f := s.finishBytes(body.Bytes(), "application/xml; charset=utf-8", enc)
		if x.keeps(ctx) && s.cache.wants(ctx.RequestURI()) {
			s.keep(ctx, x, []Face{HTML}, HTML, enc, f)
		}
		f.write(ctx)
		return nil
	}
}

func (s *Server) sitemapIndex(ctx context.Context) (*sitemapIndex, error) {
	index := &sitemapIndex{Space: sitemapSpace}
	add := func(name, changed string) {
		index.Sitemaps = append(index.Sitemaps, sitemapPart{s.site.URL("/sitemaps/" + name + ".xml"), changed})
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
	parts, err := s.store.ListingDateParts(ctx, sitemapURLs)
	for i, changed := range parts {
		add("listings-"+strconv.Itoa(i+1), lastMod(changed))
	}
	return index, err
}

// sitemap is the one whose file has a name.
func (s *Server) sitemap(ctx context.Context, file string) (any, error) {
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

// lastMod is an instant as sitemaps write it, "" for never.
func lastMod(t models.Time) string {
	if t == 0 {
		return ""
	}
	return t.Std().UTC().Format(time.RFC3339)
}

func (s *Server) page(path, changed string) sitemapURL {
	return sitemapURL{Loc: s.site.URL(path), LastMod: changed}
}

// sitemapOfSite are the pages that stand by themselves. The front page and the
// lists change with what they list.
func (s *Server) sitemapOfSite(ctx context.Context) ([]sitemapURL, error) {
	parts, err := s.store.ListingDateParts(ctx, sitemapURLs)
	if err != nil {
		return nil, err
	}
	var listed models.Time
	for _, changed := range parts {
		listed = max(listed, changed)
	}
	urls := []sitemapURL{s.page("/", lastMod(listed)), s.page("/listings", lastMod(listed)), s.page("/about", written(content.About())), s.page("/developers", ""), s.page("/errors", "")}
	urls = append(urls, s.page("/guides", newestText(content.Guides())))
	for _, g := range content.Guides() {
		urls = append(urls, s.page("/guides/"+g.Slug, written(g)))
	}
	return urls, nil
}

func (s *Server) sitemapOfJournal(context.Context) ([]sitemapURL, error) {
	urls := []sitemapURL{s.page("/journal", newestText(content.Journal()))}
	for _, t := range content.Journal() {
		urls = append(urls, s.page("/journal/"+t.Slug, written(t)))
	}
	return urls, nil
}

// written is the day a text was last changed.
func written(t *content.Text) string { return t.Updated.Format(time.DateOnly) }

func newestText(all []*content.Text) string {
	newest := ""
	for _, t := range all {
		newest = max(newest, written(t))
	}
	return newest
}

// sitemapOfPortfolio are the projects and their photographs, with the pictures.
// What changes is the project; one without a date has none here.
func (s *Server) sitemapOfPortfolio(context.Context) ([]sitemapURL, error) {
	newest := ""
	var urls []sitemapURL
	for _, project := range s.photographs().Projects {
		changed := ""
		if !project.Date.IsZero() {
			changed = project.Date.Format(time.DateOnly)
		}
		newest = max(newest, changed)
		page := s.page("/portfolio/"+project.Slug, changed)
		var photos []sitemapURL
		for _, photo := range project.Photos {
			image := sitemapImage{views.NewPicture(&s.site, photo).Src}
			page.Images = append(page.Images, image)
			of := s.page("/portfolio/"+project.Slug+"/"+photo.Slug, changed)
			of.Images = []sitemapImage{image}
			photos = append(photos, of)
		}
		urls = append(append(urls, page), photos...)
	}
	return append([]sitemapURL{s.page("/portfolio", newest)}, urls...), nil
}

// sitemapOfGear are all brands and all gear. What changes on their pages is
// what things sold for.
func (s *Server) sitemapOfGear(ctx context.Context) ([]sitemapURL, error) {
	dates, err := s.store.GearDates(ctx)
	if err != nil {
		return nil, err
	}
	sold := make(map[string]models.Time, len(dates))
	for _, d := range dates {
		sold[d.Name] = d.Changed
	}
	var urls []sitemapURL
	var newest models.Time
	for _, brand := range s.catalog.Brands() {
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

// sitemapOfListings is the nth part of the listings on offer, from 1.
func (s *Server) sitemapOfListings(ctx context.Context, n int) ([]sitemapURL, error) {
	dates, err := s.store.ListingDates(ctx, (n-1)*sitemapURLs, sitemapURLs)
	urls := make([]sitemapURL, len(dates))
	for i, d := range dates {
		urls[i] = s.page("/listings/"+d.Name, lastMod(d.Changed))
	}
	return urls, err
}
