package web

import (
	"context"

	"github.com/gofiber/fiber/v2"
)

// This file holds helpers for handlers that are not operations.

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

// RequestContext returns a context with the caller and the deadline of a request. The handler
// must call end when it returns.
func RequestContext(c *fiber.Ctx) (ctx context.Context, end func()) {
	return stateOf(c.Context()).caller.context()
}

// RequestCaller returns the caller of a request.
func RequestCaller(c *fiber.Ctx) *Caller { return &stateOf(c.Context()).caller }

// SeeOther redirects with status 303 to a path of this site or to another site.
func (s *responder) SeeOther(c *fiber.Ctx, to string) error {
	seeOther(c.Context(), to)
	return nil
}

// SuffixFormat returns the format that the suffix of the path selects, and whether
// there is a suffix.
func SuffixFormat(c *fiber.Ctx) (format Format, ok bool) {
	state := stateOf(c.Context())
	return state.format, state.suffixed
}

// VaryByCaller sets Vary for a response that depends on the caller.
func VaryByCaller(c *fiber.Ctx) {
	c.Context().Response.Header.SetCanonical(hdrVary, []byte(varyByCaller))
}

// SendPrivate sends a body that caches must not store and search engines must not
// index.
func SendPrivate(c *fiber.Ctx, contentType string, body []byte) {
	h := &c.Context().Response.Header
	h.SetContentType(contentType)
	h.Set("Cache-Control", "private, no-store")
	h.Set("X-Robots-Tag", "noindex")
	h.Set("Vary", varyByCaller)
	c.Context().Response.SetBody(body)
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
