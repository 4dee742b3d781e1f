package handlers

import (
	"encoding/json"
	"encoding/xml"
	"net/url"
	"strings"
	"testing"
	"time"
)

// atomDocument is what RFC 4287 wants of a feed, read without the types that
// wrote it.
type atomDocument struct {
	XMLName xml.Name   `xml:"http://www.w3.org/2005/Atom feed"`
	ID      []string   `xml:"id"`
	Title   []string   `xml:"title"`
	Updated []string   `xml:"updated"`
	Author  []string   `xml:"author>name"`
	Links   []atomHref `xml:"link"`
	Entries []struct {
		ID        []string   `xml:"id"`
		Title     []string   `xml:"title"`
		Updated   []string   `xml:"updated"`
		Published string     `xml:"published"`
		Links     []atomHref `xml:"link"`
		Content   struct {
			Type string `xml:"type,attr"`
			Text string `xml:",chardata"`
		} `xml:"content"`
	} `xml:"entry"`
}

type atomHref struct {
	Rel  string `xml:"rel,attr"`
	Href string `xml:"href,attr"`
}

var feedPages = []string{
	"/portfolio", "/portfolio?focal=21-35", "/journal", "/journal?tag=film", "/journal?tag=nothing", "/listings", "/listings?keyword=r6", "/listings?keyword=zzqqxx",
	"/listings?category=lens&sort=price&limit=3", "/listings?model=canon/eos-r6",
}

// instant reports whether a time is RFC 3339.
func instant(s string) bool {
	_, err := time.Parse(time.RFC3339, s)
	return err == nil
}

// absolute reports whether an address holds anywhere.
func absolute(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "https" && u.Host != "" || u.Scheme == "urn")
}

func feedAt(page, suffix string) string {
	path, query, _ := strings.Cut(page, "?")
	if query != "" {
		query = "?" + query
	}
	return path + suffix + query
}

func TestAtomFeeds(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for _, page := range feedPages {
		at := feedAt(page, ".atom")
		resp, body := s.do(t, "GET", at)
		if got := resp.Header.Get("Content-Type"); resp.StatusCode != 200 || got != "application/atom+xml; charset=utf-8" {
			t.Errorf("%s is %d, sent with %s", at, resp.StatusCode, got)
			continue
		}
		var feed atomDocument
		if err := xml.Unmarshal([]byte(body), &feed); err != nil {
			t.Errorf("%s: %v", at, err)
			continue
		}
		if len(feed.ID) != 1 || !absolute(feed.ID[0]) || len(feed.Title) != 1 || feed.Title[0] == "" ||
			len(feed.Updated) != 1 || !instant(feed.Updated[0]) || len(feed.Author) != 1 || feed.Author[0] == "" {
			t.Errorf("%s: id %q, title %q, updated %q, author %q", at, feed.ID, feed.Title, feed.Updated, feed.Author)
		}
		s.checkLinks(t, at, feed.Links, "alternate", "self")
		seen := map[string]bool{}
		newest := ""
		for _, e := range feed.Entries {
			if len(e.ID) != 1 || !absolute(e.ID[0]) || seen[e.ID[0]] || len(e.Title) != 1 || e.Title[0] == "" ||
				len(e.Updated) != 1 || !instant(e.Updated[0]) || !instant(e.Published) || e.Content.Type != "html" || e.Content.Text == "" {
				t.Errorf("%s: entry %+v", at, e)
				continue
			}
			seen[e.ID[0]] = true
			newest = max(newest, e.Updated[0])
			if strings.Contains(e.Content.Text, `="/`) {
				t.Errorf("%s: %s has a relative address", at, e.ID[0])
			}
			s.checkLinks(t, at, e.Links, "alternate")
		}
		if len(feed.Entries) > 0 && feed.Updated[0] != newest {
			t.Errorf("%s was updated %s, its newest entry %s", at, feed.Updated[0], newest)
		}
	}
}

// checkLinks checks that links have the wanted relations, once each, and absolute
// URLs, and that those on this site exist.
func (s *testServer) checkLinks(t *testing.T, at string, links []atomHref, wanted ...string) {
	t.Helper()
	count := map[string]int{}
	for _, l := range links {
		count[l.Rel]++
		path, ours := strings.CutPrefix(l.Href, testSite.BaseURL)
		if !ours {
			t.Errorf("%s links to %q", at, l.Href)
		} else if resp, _ := s.do(t, "GET", path); resp.StatusCode != 200 {
			t.Errorf("%s links to %s, which is %d", at, path, resp.StatusCode)
		}
	}
	for _, rel := range wanted {
		if count[rel] != 1 {
			t.Errorf("%s has %d links %s", at, count[rel], rel)
		}
	}
}

func TestJSONFeeds(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for _, page := range feedPages {
		at := feedAt(page, ".feed.json")
		resp, body := s.do(t, "GET", at)
		if got := resp.Header.Get("Content-Type"); resp.StatusCode != 200 || got != "application/feed+json; charset=utf-8" {
			t.Errorf("%s is %d, sent with %s", at, resp.StatusCode, got)
			continue
		}
		var feed struct {
			Version, Title string
			Home           string `json:"home_page_url"`
			Self           string `json:"feed_url"`
			Items          *[]struct {
				ID, URL, Title string
				HTML           string `json:"content_html"`
				Published      string `json:"date_published"`
				Modified       string `json:"date_modified"`
			}
		}
		if err := json.Unmarshal([]byte(body), &feed); err != nil {
			t.Errorf("%s: %v", at, err)
			continue
		}
		if feed.Version != "https://jsonfeed.org/version/1.1" || feed.Title == "" || !absolute(feed.Home) || !absolute(feed.Self) || feed.Items == nil {
			t.Errorf("%s: %+v", at, feed)
			continue
		}
		if resp, _ := s.do(t, "GET", strings.TrimPrefix(feed.Self, testSite.BaseURL)); resp.StatusCode != 200 {
			t.Errorf("%s says it is at %s, which is %d", at, feed.Self, resp.StatusCode)
		}
		seen := map[string]bool{}
		for _, item := range *feed.Items {
			if item.ID == "" || seen[item.ID] || !absolute(item.URL) || item.HTML == "" || !instant(item.Published) || !instant(item.Modified) {
				t.Errorf("%s: item %+v", at, item)
			}
			seen[item.ID] = true
		}
	}
}

// TestFeedsAreTheNewestFirst tests that a feed of a search follows it, in
// whatever order the page would be, unless its address says otherwise.
func TestFeedsAreTheNewestFirst(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	order := func(at string) (times []string) {
		var feed atomDocument
		_, body := s.do(t, "GET", at)
		if err := xml.Unmarshal([]byte(body), &feed); err != nil {
			t.Fatal(err)
		}
		for _, e := range feed.Entries {
			times = append(times, e.Published)
		}
		return times
	}
	sorted := func(times []string) bool {
		for i := 1; i < len(times); i++ {
			if times[i] > times[i-1] {
				return false
			}
		}
		return len(times) > 5
	}
	if times := order("/listings.atom?keyword=canon"); !sorted(times) {
		t.Errorf("the feed of a keyword is in the order %q", times)
	}
	if times := order("/listings.atom?keyword=canon&sort=price"); sorted(times) {
		t.Error("a feed by price is by date")
	}
}

// TestFeedsAreAnnounced tests that what has a feed links to it in its head.
func TestFeedsAreAnnounced(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for page, feed := range map[string]string{
		"/": "/journal.atom", "/journal": "/journal.atom", "/journal?tag=film": "/journal.atom?tag=film", "/listings": "/listings.atom",
		"/listings?keyword=r6": "/listings.atom?keyword=r6", "/gear/canon/eos-r6": "/listings.atom?model=canon/eos-r6",
	} {
		_, body := s.do(t, "GET", page, "Accept", "text/html")
		if !strings.Contains(body, `<link rel="alternate" type="application/atom+xml" href="`+feed+`">`) {
			t.Errorf("%s does not link to its feed %s", page, feed)
		}
		if resp, _ := s.do(t, "GET", feed); resp.StatusCode != 200 {
			t.Errorf("%s is %d", feed, resp.StatusCode)
		}
	}
}
