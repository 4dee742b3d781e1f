package serve

import (
	"github.com/gofiber/fiber/v2"
	"github.com/secondlight/secondlight/handlers/web"
)

// Identify authenticates a request for an asset. It returns nil for an anonymous
// caller. All other requests are authenticated before they reach a handler: see
// CallerOf.
func (s *responder) Identify(c *fiber.Ctx) *web.Identity {
	state := web.StateOf(c.Context())
	if err := s.identify(c.Context(), state); err != nil {
		return nil
	}
	return state.Caller.Identity
}

// SeeOther redirects with status 303 to a path of this site or to another site.
func (s *responder) SeeOther(c *fiber.Ctx, to string) error {
	seeOther(c.Context(), to)
	return nil
}

// SendPrivatePage renders a page as HTML for the caller and sends it as SendPrivate
// does.
func (s *responder) SendPrivatePage(c *fiber.Ctx, page web.Page) error {
	language := web.StateOf(c.Context()).Language
	body, err := s.RenderTo(s.languages.contexts[language], nil, page, web.HTML, s.viewer(c.Context(), web.HTML))
	if err != nil {
		return err
	}
	web.SendPrivate(c, web.HTML.ContentType(), body)
	s.writeLanguage(&c.Context().Response.Header, web.HTML, language, web.VaryCaller, web.VaryCallerLanguage)
	return nil
}
