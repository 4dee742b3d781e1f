package serve

import (
	"github.com/valyala/fasthttp"
	"golang.org/x/text/language"

	"github.com/secondlight/secondlight/handlers/web"
)

var hdrContentLanguage = []byte("Content-Language")

// writeLanguage writes the language of a response in a format, and Vary if it depends on
// the language. always is Vary if it does not.
func (s *responder) writeLanguage(h *fasthttp.ResponseHeader, f web.Format, language int, always, byLanguage string) {
	if !s.languages.speaks(f) {
		h.SetCanonical(web.HdrVary, []byte(always))
		return
	}
	h.SetCanonical(web.HdrVary, []byte(byLanguage))
	h.SetCanonical(hdrContentLanguage, []byte(s.languages.tags[language].String()))
}

// OfferLanguages makes clients get some of Config.Languages, the first those that ask for
// none of them. Call Changed afterwards.
func (s *responder) OfferLanguages(tags []language.Tag) { s.languages.offer(tags) }
