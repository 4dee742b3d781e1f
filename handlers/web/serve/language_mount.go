package serve

import (
	"context"

	"github.com/gofiber/fiber/v2"

	"github.com/secondlight/secondlight/handlers/web"
)

// MountLanguage serves the form at a path that chooses the language of pages, its
// parameter language, and redirects to the path in next. The choice is stored in a cookie;
// save also stores that of a member.
func (s *Server) MountLanguage(path string, save func(ctx context.Context, language string) error) {
	s.Post(path, func(c *fiber.Ctx) error {
		ctx, state := c.Context(), web.StateOf(c.Context())
		fields := ctx.PostArgs()
		chosen := string(fields.Peek(languageCookie))
		if _, known := s.languages.find(chosen); !known {
			return web.NewError("bad_request")
		}
		if state.Caller.Identity != nil {
			opCtx, cancel := state.Caller.Context()
			defer cancel()
			if err := save(opCtx, chosen); err != nil {
				return err
			}
		}
		s.setCookie(ctx, languageCookie, chosen, languageLife)
		seeOther(ctx, web.LocalPath(string(fields.Peek("next"))))
		return nil
	})
}
