package document

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"unicode/utf8"

	"github.com/gofiber/fiber/v2"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/serve"
	"github.com/secondlight/secondlight/static"
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

// suggestionsType and suggestionsPath are the media type and the path of suggestions as browsers
// expect them.
const (
	suggestionsType = "application/x-suggestions+json"
	suggestionsPath = "/suggestions.json"
)

// maxSuggestions is the maximum number of suggestions, and maxSuggestedText the number of bytes of
// what somebody has typed.
const (
	maxSuggestions   = 8
	maxSuggestedText = 100
)

// suggest sends what somebody may mean who is typing a search: the text, and a list of names.
func (s Documents) suggest(c *fiber.Ctx) error {
	text := c.Query("q")
	names := []string{}
	if len(text) <= maxSuggestedText && utf8.ValidString(text) {
		for _, found := range s.Catalog.Suggest(text, maxSuggestions, func(string) int { return 0 }) {
			if found.Gear != nil {
				names = append(names, found.Gear.Name())
			}
		}
	}
	c.Set(fiber.HeaderContentType, suggestionsType)
	c.Set(fiber.HeaderCacheControl, "public, max-age=300")
	body, err := json.Marshal([]any{text, names})
	if err != nil {
		return err
	}
	return c.Send(body)
}

// shortName is the maximum length of ShortName, in characters.
const shortName = 16

// mountOpenSearch serves the description document. Every page links to it.
func (s Documents) mountOpenSearch(server *serve.Server) {
	server.MountFile(suggestionsPath, s.suggest)
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
		Image:       openSearchImage{"image/svg+xml", s.Site.URL(static.Path("favicon.svg"))},
		URLs: []openSearchURL{
			{Type: "text/html", Template: search + "?keyword={searchTerms}"},
			{Type: web.Atom.MediaType(), Template: search + web.Atom.Suffix() + "?keyword={searchTerms}"},
			{Type: web.JSON.MediaType(), Template: search + web.JSON.Suffix() + "?keyword={searchTerms}"},
			{Type: suggestionsType, Rel: "suggestions", Template: s.Site.URL(suggestionsPath) + "?q={searchTerms}"},
			{Type: "application/opensearchdescription+xml", Rel: "self", Template: s.Site.URL("/opensearch.xml")},
		},
		Encoding: "UTF-8",
	}
}
