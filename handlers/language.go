package handlers

import (
	"context"
	"slices"

	"golang.org/x/text/language"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/views"
)

// languageTags returns the tags of languages.
func languageTags(all []*languages.Language) []language.Tag {
	tags := make([]language.Tag, len(all))
	for i, l := range all {
		tags[i] = l.Tag()
	}
	return tags
}

// languageCodes returns the codes of languages.
func languageCodes(all []*languages.Language) []string {
	codes := make([]string, len(all))
	for i, l := range all {
		codes[i] = l.Code()
	}
	return codes
}

// localize returns a copy of ctx for readers of a language of the site.
func localize(ctx context.Context, tag language.Tag) context.Context {
	i := slices.IndexFunc(languages.All, func(l *languages.Language) bool { return l.Tag() == tag })
	return languages.All[i].NewContext(ctx)
}

// mountLanguage serves the form that chooses the language of pages. That of a member is
// also that of their emails.
func (s *app) mountLanguage() {
	s.server.MountLanguage(views.LanguagePath, func(ctx context.Context, code string) error {
		return s.store.Accounts.SetLanguage(ctx, memberID(ctx), code)
	})
}
