package serve

import (
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
	"github.com/zeebo/xxh3"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models/cache"
)

// cachedResponse holds a response without the header fields that belong to one
// request: its id and the client's quota. It is shared between requests and must
// not be modified.
type cachedResponse struct {
	header   fasthttp.ResponseHeader
	body     []byte
	etag     entityTag
	made     time.Time
	validity *validity     // nil for responses that never change, such as files
	hits     atomic.Uint32 // how often it was sent from the cache, up to hotHits
}

// write sends the response, or 304 if If-None-Match names its ETag. The body is
// not copied.
func (f *cachedResponse) write(ctx *fasthttp.RequestCtx) {
	f.header.CopyTo(&ctx.Response.Header)
	if f.etag.matches(ctx) {
		notModified(ctx)
		return
	}
	ctx.Response.SetBodyRaw(f.body)
}

// notModified turns the response into a 304.
func notModified(ctx *fasthttp.RequestCtx) {
	ctx.Response.SetStatusCode(fasthttp.StatusNotModified)
	ctx.Response.ResetBody()
}

// entityTag is a strong ETag. It consists of the version of a versioned page, for
// If-Match, a hash of the body before compression, and the content coding. The
// zero value stands for no ETag.
type entityTag struct {
	version int64 // 0 for none
	sum     uint64
	enc     web.Encoding
	set     bool
}

// append appends the tag as a header field contains it, with its quotes:
// "v7-0123456789abcdef-br".
func (t entityTag) append(dst []byte) []byte {
	dst = append(dst, '"')
	if t.version != 0 {
		dst = append(strconv.AppendInt(append(dst, 'v'), t.version, 10), '-')
	}
	var sum [8]byte
	binary.BigEndian.PutUint64(sum[:], t.sum)
	dst = hex.AppendEncode(dst, sum[:])
	if t.enc != web.IdentityEncoding {
		dst = append(append(dst, '-'), t.enc.String()...)
	}
	return append(dst, '"')
}

// matches reports whether the If-None-Match fields of a request name the tag.
func (t entityTag) matches(ctx *fasthttp.RequestCtx) bool {
	fields := ctx.Request.Header.PeekAll("If-None-Match")
	if len(fields) == 0 || !t.set {
		return false
	}
	return web.MatchesETag(fields, string(t.append(nil)))
}

// validity says how long a cached response is valid.
type validity struct {
	sources sources
	version uint64
	day     int64
	change  atomic.Uint64 // number of changes recorded when it was rendered, or found unchanged
	sum     uint64        // hash of the page's JSON, 0 if it is slow to encode
}

// newValidity returns the validity of a response that is rendered from sources in an
// epoch.
func newValidity(of sources, made web.Epoch) *validity {
	v := &validity{sources: of, version: made.Version, day: made.Day}
	v.change.Store(made.Change)
	return v
}

// Limits of the cache.
const (
	cacheBytes     = 64 << 20
	maxCacheKey    = 512 // bytes; responses to longer request targets are not cached
	admissionSlots = 8192
)

// responseCache holds responses by request target, language, format and content coding,
// cacheBytes of them at most. A target is admitted when it is requested for the second
// time, so that one-off searches and invented parameters do not evict popular pages.
// Responses that are no longer valid stay until they are replaced or evicted.
type responseCache struct {
	changes changes
	entries *cache.Cache[string, *cacheEntry]
	seen    [admissionSlots]atomic.Uint64 // hashes of targets: the admission filter
	hits    atomic.Uint64                 // responses served
}

// cacheEntry holds the cached responses of one request target.
type cacheEntry struct {
	op        *web.Operation // nil for a document
	available []web.Format   // formats to negotiate; only one if the target has a suffix
	shared    bool           // the page is the same for every caller
	variants  []variants     // by language
}

// variants holds cached responses in one language.
type variants [web.Formats][web.Encodings]atomic.Pointer[cachedResponse]

// variant returns the cached response in a language, format and content coding.
func (e *cacheEntry) variant(language int, format web.Format, enc web.Encoding) *atomic.Pointer[cachedResponse] {
	return &e.variants[language][format][enc]
}

// choose returns the format that a request accepts best, and whether it accepts any.
func (e *cacheEntry) choose(ctx *fasthttp.RequestCtx) (format web.Format, ok bool) {
	if len(e.available) == 1 {
		return e.available[0], true
	}
	return web.Choose(ctx.Request.Header.PeekAll("Accept"), e.available)
}

// entryOverhead is about how many bytes an entry takes, and a response beside its body.
const entryOverhead = 1024

func newResponseCache() *responseCache {
	return &responseCache{entries: cache.New[string, *cacheEntry](cacheBytes)}
}

// get returns the entry of a request target, or nil. Its responses need not be valid.
// It does not allocate.
func (c *responseCache) get(target []byte) *cacheEntry {
	e, _ := cache.GetBytes(c.entries, target)
	return e
}

// valid reports whether a cached response may be sent in an epoch.
func (c *responseCache) valid(f *cachedResponse, now web.Epoch) bool {
	v := f.validity
	return v.version == now.Version && v.day == now.Day && !c.changes.changedSince(v.change.Load(), &v.sources)
}

// admits reports whether the response to a request target may be cached: it is not
// longer than maxCacheKey and was requested before. It records the request. A target has
// two slots, so that two popular ones that share a slot don't keep each other out.
func (c *responseCache) admits(target []byte) bool {
	if len(target) > maxCacheKey {
		return false
	}
	h := xxh3.Hash(target)
	first := c.seen[h%admissionSlots].Swap(h)
	second := c.seen[h>>32%admissionSlots].Swap(h)
	return first == h || second == h
}

// put stores a response to a request target. It replaces one with the same language,
// format and content coding.
func (c *responseCache) put(target string, e *cacheEntry, language int, format web.Format, enc web.Encoding, f *cachedResponse) {
	e = c.entries.Add(target, e, entryOverhead)
	size := entryOverhead + len(f.body)
	if old := e.variant(language, format, enc).Swap(f); old != nil {
		size -= entryOverhead + len(old.body)
	}
	c.entries.Grow(target, size)
}
