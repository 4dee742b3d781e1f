package serve

import (
	"bytes"
	"context"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
	"golang.org/x/text/language"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models/cache"
)

// languages chooses the language of responses. A language is its index in tags.
type languages struct {
	tags     []language.Tag
	contexts []context.Context // in which pages are rendered
	links    [][]byte          // what the layout shows to anonymous viewers instead of links to their account
	offered  atomic.Pointer[offeredLanguages]
}

// offeredLanguages are the languages that clients get.
type offeredLanguages struct {
	order    []int // the first is for clients that ask for none of them
	matcher  language.Matcher
	accepted *cache.Cache[string, int]
}

// Limits of languages: an Accept-Language field longer than maxAcceptLanguage bytes is
// ignored, and acceptedBytes is enough to remember the languages of 10,000 others.
const (
	maxAcceptLanguage = 256
	acceptedBytes     = 1 << 20
	acceptedOverhead  = 100
)

func newLanguages(cfg *web.Config) *languages {
	l := &languages{tags: cfg.Languages}
	if len(l.tags) == 0 {
		l.tags = []language.Tag{language.English}
	}
	l.offer(l.tags)
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

// offer makes clients get some of the languages. The first is for those that ask for none
// of them.
func (l *languages) offer(tags []language.Tag) {
	var o offeredLanguages
	for _, tag := range tags {
		if i := slices.Index(l.tags, tag); i >= 0 {
			o.order = append(o.order, i)
		}
	}
	if len(o.order) == 0 {
		o.order = []int{0}
	}
	known := make([]language.Tag, len(o.order))
	for i, index := range o.order {
		known[i] = l.tags[index]
	}
	o.matcher, o.accepted = language.NewMatcher(known), cache.New[string, int](acceptedBytes)
	l.offered.Store(&o)
}

// languageCookie is the name of the cookie that holds the language a browser has chosen.
const languageCookie = "language"

var languagePrefix = []byte(languageCookie + "=")

// languageLife is the lifetime of the language cookie.
const languageLife = 365 * 24 * time.Hour

// languageParameter is the query parameter of pages that chooses their language.
const languageParameter = "lang"

var languageQuery = []byte(languageParameter + "=")

// of returns the language of the response to a request: that of the address, else of the cookie, else what
// Accept-Language asks for, else that of the member, else the first. It does not allocate
// for a field it has seen before.
func (l *languages) of(h *fasthttp.RequestHeader, cookies []byte, member *web.Identity) int {
	offered := l.offered.Load()
	if len(offered.order) == 1 {
		return offered.order[0]
	}
	if uri := h.RequestURI(); bytes.Contains(uri, languageQuery) {
		if _, query, ok := strings.Cut(string(uri), "?"); ok {
			if values, err := url.ParseQuery(query); err == nil {
				if i, ok := l.find(values.Get(languageParameter)); ok {
					return i
				}
			}
		}
	}
	if bytes.Contains(cookies, languagePrefix) {
		if i, ok := l.find(string(h.Cookie(languageCookie))); ok {
			return i
		}
	}
	if i := offered.accept(h.Peek("Accept-Language")); i >= 0 {
		return i
	}
	if member != nil {
		if i, ok := l.find(member.Language); ok {
			return i
		}
	}
	return offered.order[0]
}

// zoneCookie is the name of the cookie that holds the time zone of a member's browser. A
// script of pages sets it.
const zoneCookie = "zone"

// contextFor returns the context in which a page is rendered for a viewer: in a language and, by inZone,
// for members, in the time zone of their browser.
func (l *languages) contextFor(ctx *fasthttp.RequestCtx, language int, viewer *web.Viewer, inZone func(context.Context, string) context.Context) context.Context {
	localized := l.contexts[language]
	if viewer == nil || viewer.Identity == nil || inZone == nil {
		return localized
	}
	return inZone(localized, string(ctx.Request.Header.Cookie(zoneCookie)))
}

// find returns the offered language with a BCP 47 tag.
func (l *languages) find(tag string) (index int, ok bool) {
	for _, i := range l.offered.Load().order {
		if l.tags[i].String() == tag {
			return i, true
		}
	}
	return 0, false
}

// accept returns the language that an Accept-Language field (RFC 9110, section 12.5.4)
// asks for, -1 if it asks for none that is offered.
func (o *offeredLanguages) accept(field []byte) int {
	if len(field) == 0 || len(field) > maxAcceptLanguage {
		return -1
	}
	if i, ok := cache.GetBytes(o.accepted, field); ok {
		return i
	}
	asked := -1
	tags, _, _ := language.ParseAcceptLanguage(string(field)) // what can't be read asks for none
	if _, i, confidence := o.matcher.Match(tags...); confidence > language.No {
		asked = o.order[i]
	}
	return o.accepted.Add(string(field), asked, len(field)+acceptedOverhead)
}

// localized reports whether a format is translated. The others are for programs.
func (l *languages) speaks(f web.Format) bool {
	return len(l.offered.Load().order) > 1 && (f == web.HTML || f == web.Markdown || f == web.SVG)
}

// in returns the language of a format for a client with a language: the first for formats
// that are the same in all.
func (l *languages) in(f web.Format, language int) int {
	if l.speaks(f) {
		return language
	}
	return l.offered.Load().order[0]
}
