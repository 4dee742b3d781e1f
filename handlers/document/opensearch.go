package document

import (
	"context"
	"encoding/xml"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/serve"
)

// openSearch is an OpenSearch 1.1 description document. Browsers use it to add the
// site as a search engine.
type openSearch struct {
	XMLName     xml.Name        `xml:"OpenSearchDescription"`
	Space       string          `xml:"xmlns,attr"`
	ShortName   string          `xml:"ShortName"`
	Description string          `xml:"Description"`
	Image       openSearchImage `xml:"Image"`
	URLs        []openSearchURL `xml:"Url"`
	Encoding    string          `xml:"InputEncoding"`
}

type openSearchImage struct {
	Type string `xml:"type,attr"`
	URL  string `xml:",chardata"`
}

type openSearchURL struct {
	Type     string `xml:"type,attr"`
	Rel      string `xml:"rel,attr,omitempty"`
	Template string `xml:"template,attr"`
}

// shortName is the maximum length of ShortName, in characters.
const shortName = 16

// mountOpenSearch serves the description document. Every page links to it.
func (s Documents) mountOpenSearch(server *serve.Server) {
	server.MountXML("/opensearch.xml", func(context.Context, string) (any, error) { return s.openSearch(), nil })
}

// openSearch returns the description document of the site.
func (s Documents) openSearch() *openSearch {
	name := []rune(s.Site.Name())
	search := s.Site.URL("/listings")
	return &openSearch{
		Space:       "http://a9.com/-/spec/opensearch/1.1/",
		ShortName:   string(name[:min(len(name), shortName)]),
		Description: "Used cameras and lenses for sale, and what they sell for.",
		Image:       openSearchImage{"image/svg+xml", s.Site.URL("/favicon.ico")},
		URLs: []openSearchURL{
			{Type: "text/html", Template: search + "?keyword={searchTerms}"},
			{Type: web.Atom.MediaType(), Template: search + web.Atom.Suffix() + "?keyword={searchTerms}"},
			{Type: web.JSON.MediaType(), Template: search + web.JSON.Suffix() + "?keyword={searchTerms}"},
			{Type: "application/opensearchdescription+xml", Rel: "self", Template: s.Site.URL("/opensearch.xml")},
		},
		Encoding: "UTF-8",
	}
}
