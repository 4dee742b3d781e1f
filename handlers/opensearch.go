package handlers

import (
	"context"
	"encoding/xml"
)

// openSearch tells browsers how to search here (OpenSearch 1.1).
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

// shortName is the longest name the format allows, in characters.
const shortName = 16

// mountOpenSearch serves the description that every page links to.
func (s *Server) mountOpenSearch() {
	s.app.Get("/opensearch.xml", s.answerXML(func(context.Context, string) (any, error) { return s.openSearch(), nil }))
}

func (s *Server) openSearch() *openSearch {
	name := []rune(s.site.Name)
	search := s.site.URL("/listings")
	return &openSearch{
		Space:       "http://a9.com/-/spec/opensearch/1.1/",
		ShortName:   string(name[:min(len(name), shortName)]),
		Description: "Used cameras and lenses for sale, and what they are worth.",
		Image:       openSearchImage{"image/svg+xml", s.site.URL("/favicon.ico")},
		URLs: []openSearchURL{
			{Type: "text/html", Template: search + "?keyword={searchTerms}"},
			{Type: Atom.MediaType(), Template: search + Atom.Suffix() + "?keyword={searchTerms}"},
			{Type: JSON.MediaType(), Template: search + JSON.Suffix() + "?keyword={searchTerms}"},
			{Type: "application/opensearchdescription+xml", Rel: "self", Template: s.site.URL("/opensearch.xml")},
		},
		Encoding: "UTF-8",
	}
}
