package serve

import (
	"bytes"
	"fmt"
	"slices"
	"sync"

	"github.com/valyala/fasthttp"
	"github.com/zeebo/xxh3"

	"github.com/secondlight/secondlight/handlers/web"
)

// cacheable reports whether the response is a page that may come from the cache: the
// same for every caller, except for the links to their account.
func (s *responder) cacheable(ctx *fasthttp.RequestCtx, r *response) bool {
	if r.op.Live || r.op.Access != web.Everybody || !web.StateOf(ctx).Cacheable(ctx) {
		return false
	}
	if page, ok := r.page.(web.PersonalPage); ok && page.Personal() {
		return false
	}
	return !r.private || r.op.Shared && (r.format != web.HTML || len(s.languages.links[0]) > 0)
}

// sendCacheable renders and sends a page that may come from the cache, and stores it
// if its address was requested before.
func (s *responder) sendCacheable(ctx *fasthttp.RequestCtx, r *response, available []web.Format) error {
	accepted := web.AcceptedEncodings(ctx.Request.Header.PeekAll("Accept-Encoding"))
	f, err := s.cachedPage(ctx, r, available, accepted)
	switch {
	case err != nil:
		return err
	case f != nil:
		s.sendCached(ctx, web.StateOf(ctx), f, r.format, accepted)
		return nil
	}
	if err := s.renderShared(ctx, r); err != nil {
		return err
	}
	if r.private && r.format == web.HTML {
		r.body = s.personalize(r.body, &web.Viewer{Identity: web.StateOf(ctx).Caller.Identity}, r.language)
	}
	s.send(ctx, r, accepted.Fast)
	return nil
}

// renderShared renders the page of a response for an anonymous viewer.
func (s *responder) renderShared(ctx *fasthttp.RequestCtx, r *response) (err error) {
	if r.body, err = s.RenderTo(s.languages.contexts[r.language], responseBuffer(ctx), r.page, r.format, nil); err != nil {
		return fmt.Errorf("render %s as %s: %w", r.op.Name, r.format, err)
	}
	return nil
}

// cachedPage returns the cached response with a page. If there is none, or if it shows
// other data, cachedPage renders and stores it. It returns nil if the address was not
// requested before.
func (s *responder) cachedPage(ctx *fasthttp.RequestCtx, r *response, available []web.Format, accepted web.Accepted) (*cachedResponse, error) {
	state := web.StateOf(ctx)
	target := state.Target
	variant := variantOf(state, r.format, accepted)
	var old *cachedResponse
	if entry := s.cache.get(target); entry != nil {
		old = entry.variant(r.language, r.format, variant).Load()
	}
	if !s.cache.admits(target) && old == nil {
		return nil, nil
	}
	sum := jsonSum(r.page)
	unchanged := old != nil && (s.cache.valid(old, state.Epoch) || old.validity.revalidate(sum, state.Epoch))
	hot := unchanged && old.hits.Load() >= hotHits
	if unchanged && !hot && old.acceptable(accepted) {
		return old, nil
	}
	if err := s.renderShared(ctx, r); err != nil {
		return nil, err
	}
	enc := variant
	if !hot && variant != web.IdentityEncoding {
		enc = accepted.Fast
	}
	shared := *r
	shared.private = false
	f := s.newCachedPage(&shared, enc)
	f.validity = newValidity(sourcesOf(r.op, r.page), state.Epoch)
	f.validity.sum = sum
	f.made = state.At
	if state.Suffixed {
		available = []web.Format{r.format}
	}
	s.cache.put(string(target), s.newCacheEntry(r.op, available), r.language, r.format, variant, f)
	return f, nil
}

// newCacheEntry returns an entry without responses.
func (s *responder) newCacheEntry(op *web.Operation, available []web.Format) *cacheEntry {
	return &cacheEntry{op: op, available: available, shared: op != nil && op.Shared, variants: make([]variants, len(s.languages.tags))}
}

// variantOf returns the content coding under which a cached response is stored: what
// the request accepts best. The HTML for members is not compressed, because their links
// are inserted into it.
func variantOf(state *web.RequestState, format web.Format, accepted web.Accepted) web.Encoding {
	if state.Caller.Identity != nil && format == web.HTML {
		return web.IdentityEncoding
	}
	return accepted.Best
}

// sendCached sends a cached response to a caller.
func (s *responder) sendCached(ctx *fasthttp.RequestCtx, state *web.RequestState, f *cachedResponse, format web.Format, accepted web.Accepted) {
	switch {
	case state.Caller.Identity == nil:
		f.write(ctx)
	case format == web.HTML:
		s.sendPersonalized(ctx, f, state, accepted)
	default:
		f.write(ctx)
		ctx.Response.Header.SetCanonical(web.HdrCacheControl, []byte(web.CachePrivate))
	}
}

// sendPersonalized sends a cached HTML document, which is not compressed, with the
// links of a member.
func (s *responder) sendPersonalized(ctx *fasthttp.RequestCtx, f *cachedResponse, state *web.RequestState, accepted web.Accepted) {
	document := s.personalize(append(responseBuffer(ctx), f.body...), &web.Viewer{Identity: state.Caller.Identity}, state.Language)
	body, etag := encoded(document, accepted.Fast)
	f.header.CopyTo(&ctx.Response.Header)
	h := &ctx.Response.Header
	if etag.enc != web.IdentityEncoding {
		h.SetContentEncoding(etag.enc.String())
	}
	h.SetCanonical(web.HdrETag, etag.append(nil))
	h.SetCanonical(web.HdrCacheControl, []byte(web.CachePrivate))
	if etag.matches(ctx) {
		notModified(ctx)
		return
	}
	ctx.Response.SwapBody(body)
}

// personalize replaces the links of an anonymous viewer in a document in a language by
// those of a member. It may use the memory of document.
func (s *responder) personalize(document []byte, viewer *web.Viewer, language int) []byte {
	anonymous := s.languages.links[language]
	at := bytes.Index(document, anonymous)
	if at < 0 {
		return document
	}
	links := s.Layout.ViewerLinks(s.languages.contexts[language], viewer)
	return slices.Replace(document, at, at+len(anonymous), links...)
}

// sumBuffers holds buffers for jsonSum.
var sumBuffers = sync.Pool{New: func() any { return new([]byte) }}

// jsonSum returns a hash of a page's JSON, or 0 if encoding it is slow. All formats
// are made from the same value, so that they are unchanged if its JSON is.
func jsonSum(page web.Page) uint64 {
	p, ok := page.(web.JSONAppender)
	if !ok {
		return 0
	}
	buf := sumBuffers.Get().(*[]byte)
	defer sumBuffers.Put(buf)
	*buf = p.AppendJSON((*buf)[:0])
	return max(xxh3.Hash(*buf), 1)
}

// revalidate makes the response valid again if the page with a JSON hash was rendered
// to it, and reports whether it did.
func (v *validity) revalidate(sum uint64, now web.Epoch) bool {
	if sum == 0 || sum != v.sum || v.version != now.Version || v.day != now.Day {
		return false
	}
	v.change.Store(now.Change)
	return true
}

// hotHits is how often a cached response is sent before it is encoded with the best
// content coding instead of the fastest.
const hotHits = 32

// acceptable reports whether a request accepts the content coding of the response.
func (f *cachedResponse) acceptable(a web.Accepted) bool {
	return f.etag.enc == a.Best || f.etag.enc == a.Fast || f.etag.enc == web.IdentityEncoding
}

// becomesHot counts the request, and reports whether the response is sent often enough to
// be encoded with a better content coding.
func (f *cachedResponse) becomesHot(a web.Accepted) bool {
	return f.etag.enc != a.Best && f.etag.enc != web.IdentityEncoding && f.hits.Add(1) >= hotHits
}

// Changed drops the cached responses that depend on data that has changed, which tags
// name as Op.DependsOn does. Without tags it drops all. Call it when the change is
// visible to readers.
func (s *responder) Changed(tags ...string) { s.cache.changes.record(tags) }

// CacheHits returns how many requests were answered from the cache.
func (s *responder) CacheHits() uint64 { return s.cache.hits.Load() }

// sourcesOf returns the sources of an operation's page.
func sourcesOf(o *web.Operation, page web.Page) sources {
	switch {
	case o.Text:
		return sources{}
	case o.DependsOn == nil:
		return sources{all: true}
	}
	tags := o.DependsOn(page)
	slots := make([]uint16, len(tags))
	for i, tag := range tags {
		slots[i] = slotOf(tag)
	}
	return sources{slots: slots}
}
