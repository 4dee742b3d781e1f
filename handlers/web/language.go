package web

import (
	"bytes"
	"context"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
	"golang.org/x/text/language"

	"github.com/secondlight/secondlight/models/cache"
)

// languages chooses the language of responses. A language is its index in tags.
type languages struct {
	tags     []language.Tag // the first is for clients that ask for none of them
	matcher  language.Matcher
	contexts []context.Context // in which pages are rendered
	links    [][]byte          // what the layout shows to anonymous viewers instead of links to their account
	accepted *cache.Cache[string, int]
}

// Limits of languages: an Accept-Language field longer than maxAcceptLanguage bytes is
// ignored, and acceptedBytes is enough to remember the languages of 10,000 others.
const (
	maxAcceptLanguage = 256
	acceptedBytes     = 1 << 20
	acceptedOverhead  = 100
)

func newLanguages(cfg *Config) *languages {
	l := &languages{tags: cfg.Languages, accepted: cache.New[string, int](acceptedBytes)}
	if len(l.tags) == 0 {
		l.tags = []language.Tag{language.English}
	}
	l.matcher = language.NewMatcher(l.tags)
	for _, tag := range l.tags {
		ctx := context.Background()
		if cfg.Localize != nil {
			ctx = cfg.Localize(ctx, tag)
		}
		l.contexts = append(l.contexts, ctx)
		l.links = append(l.links, cfg.Layout.ViewerLinks(ctx, nil))
	}
	return l
}

// languageCookie is the name of the cookie that holds the language a browser has chosen.
const languageCookie = "language"

var languagePrefix = []byte(languageCookie + "=")

// languageLife is the lifetime of the language cookie.
const languageLife = 365 * 24 * time.Hour

// of returns the language of the response to a request: that of the cookie, else that of
// the member, else what Accept-Language asks for, else the first. It does not allocate
// for a field it has seen before.
func (l *languages) of(h *fasthttp.RequestHeader, cookies []byte, member *Identity) int {
	if len(l.tags) == 1 {
		return 0
	}
	if bytes.Contains(cookies, languagePrefix) {
		if i, ok := l.find(string(h.Cookie(languageCookie))); ok {
			return i
		}
	}
	if member != nil {
		if i, ok := l.find(member.Language); ok {
			return i
		}
	}
	return l.accept(h.Peek("Accept-Language"))
}

// find returns the language with a BCP 47 tag.
func (l *languages) find(tag string) (index int, ok bool) {
	for i, known := range l.tags {
		if known.String() == tag {
			return i, true
		}
	}
	return 0, false
}

// accept returns the language that an Accept-Language field (RFC 9110, section 12.5.4)
// asks for.
func (l *languages) accept(field []byte) int {
	if len(field) == 0 || len(field) > maxAcceptLanguage {
		return 0
	}
	if i, ok := cache.GetBytes(l.accepted, field); ok {
		return i
	}
	_, i := language.MatchStrings(l.matcher, string(field))
	return l.accepted.Add(string(field), i, len(field)+acceptedOverhead)
}

// speaks reports whether a format is in the language of the reader. The others are read
// by programs.
func (l *languages) speaks(f Format) bool { return len(l.tags) > 1 && (f == HTML || f == Markdown) }

// in returns the language of a format for a client with a language: the first for formats
// that are the same in all.
func (l *languages) in(f Format, language int) int {
	if l.speaks(f) {
		return language
	}
	return 0
}

// Values of Vary for responses that also depend on the language.
const (
	varyByLanguage       = vary + ", Accept-Language, Cookie"
	varyByCallerLanguage = varyByCaller + ", Accept-Language"
)

var hdrContentLanguage = []byte("Content-Language")

// writeLanguage writes the language of a response in a format, and Vary if it depends on
// the language. always is Vary if it does not.
func (s *Server) writeLanguage(h *fasthttp.ResponseHeader, f Format, language int, always, byLanguage string) {
	if !s.languages.speaks(f) {
		h.SetCanonical(hdrVary, []byte(always))
		return
	}
	h.SetCanonical(hdrVary, []byte(byLanguage))
	h.SetCanonical(hdrContentLanguage, []byte(s.languages.tags[language].String()))
}

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
