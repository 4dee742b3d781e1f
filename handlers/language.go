package handlers

import (
	"context"
	"slices"

	"golang.org/x/text/language"

	"github.com/secondlight/secondlight/content/languages"
)

// localize returns a copy of ctx for readers of a language of the site.
func localize(ctx context.Context, tag language.Tag) context.Context {
	i := slices.IndexFunc(languages.All, func(l *languages.Language) bool { return l.Tag() == tag })
	return languages.All[i].NewContext(ctx)
}
