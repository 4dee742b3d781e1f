package handlers

import (
	"context"
	"slices"
	"time"

	"golang.org/x/text/language"

	"github.com/secondlight/secondlight/content/languages"
)

// localizer returns a function that returns a copy of a context for readers of a language of
// the site, in its time zone.
func localizer(zone *time.Location) func(context.Context, language.Tag) context.Context {
	return func(ctx context.Context, tag language.Tag) context.Context {
		i := slices.IndexFunc(languages.All, func(l *languages.Language) bool { return l.Tag() == tag })
		return languages.WithZone(languages.All[i].NewContext(ctx), zone)
	}
}
