package web

import (
	"context"

	"github.com/gofiber/fiber/v2"
)

// MountLanguage serves the form at a path that chooses the language of pages, its
// parameter language, and redirects to the path in next. The choice is stored in a cookie;
// save also stores that of a member.
func (s *Server) MountLanguage(path string, save func(ctx context.Context, language string) error) {
	s.Post(path, func(c *fiber.Ctx) error {
		ctx, state := c.Context(), stateOf(c.Context())
		fields := ctx.PostArgs()
		chosen := string(fields.Peek(languageCookie))
		if _, known := s.languages.find(chosen); !known {
			return NewError("bad_request")
		}
		if state.caller.Identity != nil {
			opCtx, cancel := state.caller.context()
			defer cancel()
			if err := save(opCtx, chosen); err != nil {
				return err
			}
		}
		s.setCookie(ctx, languageCookie, chosen, languageLife)
		seeOther(ctx, LocalPath(string(fields.Peek("next"))))
		return nil
	})
}
