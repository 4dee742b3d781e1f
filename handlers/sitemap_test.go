package handlers

import (
	"encoding/xml"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/handlers/document"
)

// sitemapDocument reads both documents of sitemaps.org.
type sitemapDocument struct {
	XMLName xml.Name
	Maps    []document.SitemapPart `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 sitemap"`
	URLs    []struct {
		document.SitemapPart
		Images []struct {
			Loc string `xml:"http://www.google.com/schemas/sitemap-image/1.1 loc"`
		} `xml:"http://www.google.com/schemas/sitemap-image/1.1 image"`
	} `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 url"`
}

func (s *testServer) sitemapAt(t *testing.T, path, root string) (doc sitemapDocument) {
	t.Helper()
	resp, body := s.do(t, "GET", path)
	if got := resp.Header.Get("Content-Type"); resp.StatusCode != 200 || got != "application/xml; charset=utf-8" {
		t.Fatalf("%s is %d, sent with %s", path, resp.StatusCode, got)
	}
	if err := xml.Unmarshal([]byte(body), &doc); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if doc.XMLName.Space != "http://www.sitemaps.org/schemas/sitemap/0.9" || doc.XMLName.Local != root || len(body) > 50<<20 {
		t.Errorf("%s is %v of %d bytes", path, doc.XMLName, len(body))
	}
	return doc
}

// w3c reports whether a time is a day or an instant, not in the future.
func w3c(s string) bool {
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if at, err := time.Parse(layout, s); err == nil {
			return !at.After(testNow)
		}
	}
	return false
}

// TestSitemaps follows the index to every sitemap and from there to every page,
// but for listings, of which it asks for some.
func TestSitemaps(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newTestServer(t)
	const everyListing = 97
	seen := map[string]bool{}
	index := s.sitemapAt(t, "/sitemap.xml", "sitemapindex")
	if len(index.Maps) < 4 {
		t.Fatalf("the index names %d sitemaps", len(index.Maps))
	}
	for _, m := range index.Maps {
		path, ours := strings.CutPrefix(m.Loc, testSite.BaseURL)
		if !ours || m.LastMod != "" && !w3c(m.LastMod) {
			t.Errorf("the index names %+v", m)
			continue
		}
		doc := s.sitemapAt(t, path, "urlset")
		if len(doc.URLs) == 0 || len(doc.URLs) > document.SitemapURLs {
			t.Errorf("%s has %d addresses", path, len(doc.URLs))
		}
		newest := ""
		for i, u := range doc.URLs {
			page, ours := strings.CutPrefix(u.Loc, testSite.BaseURL)
			if !ours || seen[page] || u.LastMod != "" && !w3c(u.LastMod) {
				t.Errorf("%s has %+v", path, u)
			}
			seen[page] = true
			newest = max(newest, u.LastMod)
			if strings.HasPrefix(page, "/listings/") && i%everyListing > 0 {
				continue
			}
			resp, body := s.do(t, "GET", page, "Accept", "text/html")
			if resp.StatusCode != 200 || resp.Header.Get("X-Robots-Tag") != "" || strings.Contains(body, `<meta name="robots"`) ||
				!strings.Contains(body, `<link rel="canonical" href="`+u.Loc+`"`) {
				t.Errorf("%s has %s, which is %d and perhaps not to be indexed, or has another canonical address", path, page, resp.StatusCode)
			}
			for _, image := range u.Images {
				at, ours := strings.CutPrefix(image.Loc, testSite.BaseURL)
				if resp, _ := s.do(t, "GET", at); !ours || resp.StatusCode != 200 || !strings.HasPrefix(resp.Header.Get("Content-Type"), "image/") {
					t.Errorf("%s has the picture %s, which is %d", path, image.Loc, resp.StatusCode)
				}
			}
		}
		if newest != m.LastMod {
			t.Errorf("the index says %s changed %s, its newest page %s", path, m.LastMod, newest)
		}
	}
	for _, page := range append(writtenPages(), "/portfolio", "/portfolio/forms-of-life/acanthus-mollis", "/", "/listings", "/gear", "/gear/canon", "/gear/canon/eos-r6", "/developers/search_listings") {
		if !strings.Contains(page, "?") && !seen[page] {
			t.Errorf("no sitemap has %s", page)
		}
	}
	if resp, _ := s.do(t, "GET", "/sitemap.xml", "Accept-Encoding", "gzip"); resp.Header.Get("Content-Encoding") != "gzip" && resp.ContentLength > 1024 {
		t.Error("the index is not sent compressed")
	}
	for _, none := range []string{"/sitemaps/listings-99.xml", "/sitemaps/listings-01.xml", "/sitemaps/listings-0.xml", "/sitemaps/nothing.xml", "/sitemaps/gear", "/sitemaps/listings--1.xml"} {
		if resp, _ := s.do(t, "GET", none); resp.StatusCode != 404 {
			t.Errorf("%s is %d", none, resp.StatusCode)
		}
	}
}

func TestOpenSearch(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	_, page := s.do(t, "GET", "/", "Accept", "text/html")
	if !strings.Contains(page, `rel="search" type="application/opensearchdescription+xml" title="Secondlight" href="/opensearch.xml"`) {
		t.Error("pages do not link to the description of the search")
	}
	_, body := s.do(t, "GET", "/opensearch.xml")
	var doc struct {
		XMLName     xml.Name `xml:"http://a9.com/-/spec/opensearch/1.1/ OpenSearchDescription"`
		ShortName   string
		Description string
		URLs        []struct {
			Type     string `xml:"type,attr"`
			Template string `xml:"template,attr"`
		} `xml:"Url"`
	}
	if err := xml.Unmarshal([]byte(body), &doc); err != nil {
		t.Fatal(err)
	}
	if n := len([]rune(doc.ShortName)); n < 1 || n > 16 || doc.Description == "" || len(doc.URLs) < 2 {
		t.Errorf("described as %+v", doc)
	}
	for _, u := range doc.URLs {
		at := strings.TrimPrefix(strings.Replace(u.Template, "{searchTerms}", "leica+m6", 1), testSite.BaseURL)
		resp, _ := s.do(t, "GET", at)
		if got, _, _ := strings.Cut(resp.Header.Get("Content-Type"), ";"); resp.StatusCode != 200 || got != u.Type && !strings.HasSuffix(u.Type, "description+xml") {
			t.Errorf("%s is %d %s, want %s", at, resp.StatusCode, got, u.Type)
		}
	}
}
