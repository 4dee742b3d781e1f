package handlers

import (
	"context"
	"slices"

	"golang.org/x/text/language"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/views/ui"
)

// localize returns a copy of ctx for readers of a language of the site.
func localize(ctx context.Context, tag language.Tag) context.Context {
	i := slices.IndexFunc(languages.All, func(l *languages.Language) bool { return l.Tag() == tag })
	return languages.All[i].NewContext(ctx)
}

// mountLanguage serves the form that chooses the language of pages. That of a member is
// also that of their emails.
func (s *app) mountLanguage() {
	s.server.MountLanguage(ui.LanguagePath, func(ctx context.Context, code string) error {
		return s.store.Accounts.SetLanguage(ctx, caller.ID(ctx), code)
	})
}
