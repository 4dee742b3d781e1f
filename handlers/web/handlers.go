package web

import "github.com/gofiber/fiber/v2"

// Identify authenticates a request for an asset. It returns nil for an anonymous
// caller. All other requests are authenticated before they reach a handler: see
// CallerOf.
func (s *responder) Identify(c *fiber.Ctx) *Identity {
	state := stateOf(c.Context())
	if err := s.identify(c.Context(), state); err != nil {
		return nil
	}
	return state.caller.Identity
}

// SeeOther redirects with status 303 to a path of this site or to another site.
func (s *responder) SeeOther(c *fiber.Ctx, to string) error {
	seeOther(c.Context(), to)
	return nil
}

// SendPrivatePage renders a page as HTML for the caller and sends it as SendPrivate
// does.
func (s *responder) SendPrivatePage(c *fiber.Ctx, page Page) error {
	language := stateOf(c.Context()).language
	body, err := s.renderTo(s.languages.contexts[language], nil, page, HTML, s.viewer(c.Context(), HTML))
	if err != nil {
		return err
	}
	SendPrivate(c, HTML.ContentType(), body)
	s.writeLanguage(&c.Context().Response.Header, HTML, language, varyByCaller, varyByCallerLanguage)
	return nil
}
