package web

import (
	"bytes"
	"fmt"
	"slices"
	"sync"

	"github.com/valyala/fasthttp"
	"github.com/zeebo/xxh3"
)

// cacheable reports whether the response is a page that may come from the cache: the
// same for every caller, except for the links to their account.
func (s *responder) cacheable(ctx *fasthttp.RequestCtx, r *response) bool {
	if r.op.Live || r.op.Access != Everybody || !stateOf(ctx).cacheable(ctx) {
		return false
	}
	if page, ok := r.page.(PersonalPage); ok && page.Personal() {
		return false
	}
	return !r.private || r.op.Shared && (r.format != HTML || len(s.languages.links[0]) > 0)
}

// sendCacheable renders and sends a page that may come from the cache, and stores it
// if its address was requested before.
func (s *responder) sendCacheable(ctx *fasthttp.RequestCtx, r *response, available []Format) error {
	accepted := acceptedEncodings(ctx.Request.Header.PeekAll("Accept-Encoding"))
	f, err := s.cachedPage(ctx, r, available, accepted)
	switch {
	case err != nil:
		return err
	case f != nil:
		s.sendCached(ctx, stateOf(ctx), f, r.format, accepted)
		return nil
	}
	if err := s.renderShared(ctx, r); err != nil {
		return err
	}
	if r.private && r.format == HTML {
		r.body = s.personalize(r.body, &Viewer{Identity: stateOf(ctx).caller.Identity}, r.language)
	}
	s.send(ctx, r, accepted.fast)
	return nil
}

// renderShared renders the page of a response for an anonymous viewer.
func (s *responder) renderShared(ctx *fasthttp.RequestCtx, r *response) (err error) {
	if r.body, err = s.renderTo(s.languages.contexts[r.language], responseBuffer(ctx), r.page, r.format, nil); err != nil {
		return fmt.Errorf("render %s as %s: %w", r.op.Name, r.format, err)
	}
	return nil
}

// cachedPage returns the cached response with a page. If there is none, or if it shows
// other data, cachedPage renders and stores it. It returns nil if the address was not
// requested before.
func (s *responder) cachedPage(ctx *fasthttp.RequestCtx, r *response, available []Format, accepted accepted) (*cachedResponse, error) {
	state, target := stateOf(ctx), ctx.RequestURI()
	variant := variantOf(state, r.format, accepted)
	var old *cachedResponse
	if entry := s.cache.get(target); entry != nil {
		old = entry.variant(r.language, r.format, variant).Load()
	}
	if !s.cache.admits(target) && old == nil {
		return nil, nil
	}
	sum := jsonSum(r.page)
	unchanged := old != nil && (s.cache.valid(old, state.epoch) || old.validity.revalidate(sum, state.epoch))
	hot := unchanged && old.hits.Load() >= hotHits
	if unchanged && !hot && old.acceptable(accepted) {
		return old, nil
	}
	if err := s.renderShared(ctx, r); err != nil {
		return nil, err
	}
	enc := variant
	if !hot && variant != IdentityEncoding {
		enc = accepted.fast
	}
	shared := *r
	shared.private = false
	f := s.newCachedPage(&shared, enc)
	f.validity = newValidity(sourcesOf(r.op, r.page), state.epoch)
	f.validity.sum = sum
	f.made = state.at
	if state.suffixed {
		available = []Format{r.format}
	}
	s.cache.put(string(target), s.newCacheEntry(r.op, available), r.language, r.format, variant, f)
	return f, nil
}

// newCacheEntry returns an entry without responses.
func (s *responder) newCacheEntry(op *Operation, available []Format) *cacheEntry {
	return &cacheEntry{op: op, available: available, shared: op != nil && op.Shared, variants: make([]variants, len(s.languages.tags))}
}

// variantOf returns the content coding under which a cached response is stored: what
// the request accepts best. The HTML for members is not compressed, because their links
// are inserted into it.
func variantOf(state *requestState, format Format, accepted accepted) Encoding {
	if state.caller.Identity != nil && format == HTML {
		return IdentityEncoding
	}
	return accepted.best
}

// sendCached sends a cached response to a caller.
func (s *responder) sendCached(ctx *fasthttp.RequestCtx, state *requestState, f *cachedResponse, format Format, accepted accepted) {
	switch {
	case state.caller.Identity == nil:
		f.write(ctx)
	case format == HTML:
		s.sendPersonalized(ctx, f, state, accepted)
	default:
		f.write(ctx)
		ctx.Response.Header.SetCanonical(hdrCacheControl, []byte(CachePrivate))
	}
}

// sendPersonalized sends a cached HTML document, which is not compressed, with the
// links of a member.
func (s *responder) sendPersonalized(ctx *fasthttp.RequestCtx, f *cachedResponse, state *requestState, accepted accepted) {
	document := s.personalize(append(responseBuffer(ctx), f.body...), &Viewer{Identity: state.caller.Identity}, state.language)
	body, etag := encoded(document, accepted.fast)
	f.header.CopyTo(&ctx.Response.Header)
	h := &ctx.Response.Header
	if etag.enc != IdentityEncoding {
		h.SetContentEncoding(etag.enc.String())
	}
	h.SetCanonical(hdrETag, etag.append(nil))
	h.SetCanonical(hdrCacheControl, []byte(CachePrivate))
	if etag.matches(ctx) {
		notModified(ctx)
		return
	}
	ctx.Response.SwapBody(body)
}

// personalize replaces the links of an anonymous viewer in a document in a language by
// those of a member. It may use the memory of document.
func (s *responder) personalize(document []byte, viewer *Viewer, language int) []byte {
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
func jsonSum(page Page) uint64 {
	p, ok := page.(JSONAppender)
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
func (v *validity) revalidate(sum uint64, now epoch) bool {
	if sum == 0 || sum != v.sum || v.version != now.version || v.day != now.day {
		return false
	}
	v.change.Store(now.change)
	return true
}

// hotHits is how often a cached response is sent before it is encoded with the best
// content coding instead of the fastest.
const hotHits = 32

// acceptable reports whether a request accepts the content coding of the response.
func (f *cachedResponse) acceptable(a accepted) bool {
	return f.etag.enc == a.best || f.etag.enc == a.fast || f.etag.enc == IdentityEncoding
}

// becomesHot reports whether the response is to be encoded with a better content
// coding, because it is sent often. It counts the request.
func (f *cachedResponse) becomesHot(a accepted) bool {
	return f.etag.enc != a.best && f.etag.enc != IdentityEncoding && f.hits.Add(1) >= hotHits
}

// Changed drops the cached responses that depend on data that has changed, which tags
// name as Op.DependsOn does. Without tags it drops all. Call it when the change is
// visible to readers.
func (s *responder) Changed(tags ...string) { s.cache.changes.record(tags) }

// CacheHits returns how many requests were answered from the cache.
func (s *responder) CacheHits() uint64 { return s.cache.hits.Load() }

// sourcesOf returns the sources of an operation's page.
func sourcesOf(o *Operation, page Page) sources {
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
