package ui

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"html"
	"io"
	"strings"
)

// Feed holds the entries of a page for feed readers. Its formats are Atom (RFC 4287)
// and JSON Feed 1.1.
type Feed struct {
	Title   string
	Text    string // description, one sentence
	Path    string // path of the page, with its query
	Author  string
	Next    string // path of the next page, "" on the last
	Self    string // path of the feed without its suffix; "" if it is Path
	Entries []FeedEntry
	Site    *Site
}

// FeedEntry is an entry of a feed.
type FeedEntry struct {
	ID      string // an IRI that never changes
	URL     string
	Title   string
	Summary string // plain text
	HTML    string // full content, with absolute URLs
	Image   string // URL of an image, "" for none
	Tags    []string

	Published, Updated string // RFC 3339
}

// WriteFeed calls make and writes the feed it returns with write.
func WriteFeed(make func() (*Feed, error), write func(*Feed, io.Writer) error, w io.Writer) error {
	feed, err := make()
	if err != nil {
		return err
	}
	return write(feed, w)
}

// AtomSuffix and JSONFeedSuffix are the suffixes of a page's path for its feeds,
// AtomType and JSONFeedType their media types.
const (
	AtomSuffix, AtomType         = ".atom", "application/atom+xml"
	JSONFeedSuffix, JSONFeedType = ".feed.json", "application/feed+json"
)

// FeedAlternates returns the alternate links to a page's feeds.
func FeedAlternates(path string) []Alternate {
	return []Alternate{{formatPath(path, AtomSuffix), AtomType}, {formatPath(path, JSONFeedSuffix), JSONFeedType}}
}

// never is the update time of a feed without entries.
const never = "1970-01-01T00:00:00Z"

// updated returns when the feed last changed, in RFC 3339.
func (f *Feed) updated() string {
	newest := never
	for i := range f.Entries {
		newest = max(newest, f.Entries[i].Updated)
	}
	return newest
}

// self returns the URL of the feed in the format of a suffix.
func (f *Feed) self(suffix string) string {
	if f.Self != "" {
		return f.Site.URL(f.Self + suffix)
	}
	return f.Site.URL(formatPath(f.Path, suffix))
}

// text returns the description of the feed, with the demo notice on a demo site.
func (f *Feed) text() string {
	if f.Site.Demo() {
		return f.Text + " " + DemoNotice
	}
	return f.Text
}

// The elements of an Atom feed. This package encodes feeds itself because
// the common feed library allows only one link in a feed, so that either the URL of the
// feed or that of its page is missing, and omits the items of an empty JSON Feed, which
// the format requires.
type (
	atomFeed struct {
		XMLName xml.Name    `xml:"feed"`
		Space   string      `xml:"xmlns,attr"`
		Lang    string      `xml:"xml:lang,attr"`
		ID      string      `xml:"id"`
		Title   string      `xml:"title"`
		Text    string      `xml:"subtitle"`
		Updated string      `xml:"updated"`
		Author  string      `xml:"author>name"`
		Links   []atomLink  `xml:"link"`
		Entries []atomEntry `xml:"entry"`
	}
	atomLink struct {
		Rel  string `xml:"rel,attr"`
		Type string `xml:"type,attr,omitempty"`
		Href string `xml:"href,attr"`
	}
	atomEntry struct {
		ID         string         `xml:"id"`
		Title      string         `xml:"title"`
		Links      []atomLink     `xml:"link"`
		Published  string         `xml:"published"`
		Updated    string         `xml:"updated"`
		Categories []atomCategory `xml:"category"`
		Summary    string         `xml:"summary"`
		Content    atomContent    `xml:"content"`
	}
	atomCategory struct {
		Term string `xml:"term,attr"`
	}
	atomContent struct {
		Type string `xml:"type,attr"`
		Text string `xml:",chardata"`
	}
)

// Atom writes the feed in Atom format, RFC 4287.
func (f *Feed) Atom(w io.Writer) error {
	page := f.Site.URL(f.Path)
	feed := atomFeed{
		Space: "http://www.w3.org/2005/Atom", Lang: "en", ID: page, Title: f.Title, Text: f.text(), Updated: f.updated(), Author: f.author(),
		Links: []atomLink{{"alternate", "text/html", page}, {"self", AtomType, f.self(AtomSuffix)}},
	}
	if f.Next != "" {
		feed.Links = append(feed.Links, atomLink{"next", AtomType, f.Site.URL(formatPath(f.Next, AtomSuffix))})
	}
	for i := range f.Entries {
		e := &f.Entries[i]
		entry := atomEntry{ID: e.ID, Title: plainXML(e.Title), Links: []atomLink{{"alternate", "text/html", e.URL}}, Published: e.Published, Updated: e.Updated,
			Summary: plainXML(e.Summary), Content: atomContent{"html", plainXML(e.HTML)}}
		for _, tag := range e.Tags {
			entry.Categories = append(entry.Categories, atomCategory{tag})
		}
		feed.Entries = append(feed.Entries, entry)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	return xml.NewEncoder(w).Encode(feed)
}

// plainXML removes the characters that are invalid in XML.
func plainXML(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff {
			return -1
		}
		return r
	}, s)
}

// author returns the author of the feed, by default the site's owner or name. Atom
// requires one.
func (f *Feed) author() string {
	switch {
	case f.Author != "":
		return f.Author
	case f.Site.Owner() != "":
		return f.Site.Owner()
	}
	return f.Site.Name()
}

// The members of a JSON Feed.
type (
	jsonFeed struct {
		Version string       `json:"version"`
		Title   string       `json:"title"`
		Home    string       `json:"home_page_url"`
		Self    string       `json:"feed_url"`
		Text    string       `json:"description"`
		Next    string       `json:"next_url,omitempty"`
		Lang    string       `json:"language"`
		Authors []jsonAuthor `json:"authors"`
		Items   []jsonItem   `json:"items"`
	}
	jsonAuthor struct {
		Name string `json:"name"`
	}
	jsonItem struct {
		ID        string   `json:"id"`
		URL       string   `json:"url"`
		Title     string   `json:"title"`
		HTML      string   `json:"content_html"`
		Summary   string   `json:"summary,omitempty"`
		Image     string   `json:"image,omitempty"`
		Published string   `json:"date_published"`
		Updated   string   `json:"date_modified"`
		Tags      []string `json:"tags,omitempty"`
	}
)

// JSON writes the feed in JSON Feed 1.1 format.
func (f *Feed) JSON(w io.Writer) error {
	feed := jsonFeed{
		Version: "https://jsonfeed.org/version/1.1", Title: f.Title, Home: f.Site.URL(f.Path), Self: f.self(JSONFeedSuffix),
		Text: f.text(), Lang: "en", Authors: []jsonAuthor{{f.author()}}, Items: []jsonItem{},
	}
	if f.Next != "" {
		feed.Next = f.Site.URL(formatPath(f.Next, JSONFeedSuffix))
	}
	for i := range f.Entries {
		e := &f.Entries[i]
		feed.Items = append(feed.Items, jsonItem{e.ID, e.URL, e.Title, e.HTML, e.Summary, e.Image, e.Published, e.Updated, e.Tags})
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(feed); err != nil {
		return err
	}
	_, err := w.Write(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
	return err
}

// FeedEntries returns cards as the entries of a feed.
func FeedEntries(site *Site, cards []Card) []FeedEntry {
	return Each(cards, func(c *Card) FeedEntry { return c.feedEntry(site) })
}

// feedEntry returns the card as an entry of a feed.
func (c *Card) feedEntry(site *Site) FeedEntry {
	facts := []string{c.PriceText(), c.ConditionText(), c.KindText(context.Background()), RegionName(c.Region)}
	if c.Deal != nil {
		facts = append(facts[:1], append([]string{c.Deal.Long(context.Background())}, facts[1:]...)...)
	}
	if c.Delivery != nil {
		facts = append(facts, c.Delivery.TextIn(context.Background()))
	}
	e := FeedEntry{
		ID: "urn:uuid:" + c.ID, URL: site.URL(c.Page), Title: c.Title + ", " + c.PriceText(), Summary: strings.Join(facts, ". ") + ".",
		Published: c.PublishedAt, Updated: c.PublishedAt, Tags: []string{c.Category.Label(), c.Condition.Label()},
	}
	if c.Photo != nil {
		e.Image = c.Photo.Src
		e.HTML = `<p><img src="` + html.EscapeString(c.Photo.Src) + `" alt="` + html.EscapeString(c.Photo.Alt) + `"></p>`
	}
	e.HTML += "<p>" + html.EscapeString(e.Summary) + "</p>"
	return e
}

// FeedPhotos is the maximum number of photographs in a portfolio's feed.
const FeedPhotos = 60

// Absolute returns html with the root-relative URLs of href and src made absolute.
func (s *Site) Absolute(html string) string {
	return strings.NewReplacer(`href="/`, `href="`+s.BaseURL+`/`, `src="/`, `src="`+s.BaseURL+`/`).Replace(html)
}
