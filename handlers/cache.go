package handlers

import (
	"bytes"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/valyala/fasthttp"
	"github.com/zeebo/xxh3"
)

// How answers may be kept by browsers and proxies. Public answers are asked
// about again each time, which costs a 304: a price or a status is never stale.
const (
	cachePublic    = "public, max-age=0, must-revalidate"
	cachePrivate   = "private, no-cache"
	cacheNever     = "no-store"
	cacheImmutable = "public, max-age=31536000, immutable"
	cacheShort     = "public, max-age=3600"
)

// finished is a response complete but for what belongs to one request: its id
// and the client's quota. It is shared between requests and never changed.
type finished struct {
	header fasthttp.ResponseHeader
	body   []byte
	etag   entityTag
}

// write sends the response, or 304 when the client has it already. The body is
// not copied and must not change any more.
func (f *finished) write(ctx *fasthttp.RequestCtx) {
	f.header.CopyTo(&ctx.Response.Header)
	if f.etag.known(ctx) {
		notModified(ctx)
		return
	}
	ctx.Response.SetBodyRaw(f.body)
}

func notModified(ctx *fasthttp.RequestCtx) {
	ctx.Response.SetStatusCode(fasthttp.StatusNotModified)
	ctx.Response.ResetBody()
}

// entityTag is a strong ETag: the sum of the bytes before they were encoded, and
// the encoding. What has a version says it before all, for If-Match. The zero
// tag is none.
type entityTag struct {
	version int64 // 0 for none
	sum     uint64
	enc     Encoding
	set     bool
}

// append appends the tag as the field writes it: "v7-0123456789abcdef-br" in quotes.
func (v entityTag) append(dst []byte) []byte {
	dst = append(dst, '"')
	if v.version != 0 {
		dst = append(strconv.AppendInt(append(dst, 'v'), v.version, 10), '-')
	}
	for shift := 60; shift >= 0; shift -= 4 {
		dst = append(dst, "0123456789abcdef"[v.sum>>shift&15])
	}
	if v.enc != Identity {
		dst = append(append(dst, '-'), v.enc.String()...)
	}
	return append(dst, '"')
}

// versionIn is the version an If-Match field names: 0 for any, "*", and -1, which
// nothing has, for what is no tag of something with versions.
func versionIn(ifMatch string) int64 {
	if ifMatch == "*" {
		return 0
	}
	tag, ok := strings.CutPrefix(ifMatch, `"v`)
	digits, _, dashed := strings.Cut(tag, "-")
	version, err := strconv.ParseInt(digits, 10, 64)
	if !ok || !dashed || err != nil || version <= 0 {
		return -1
	}
	return version
}

// known reports whether the client has what the tag stands for.
func (v entityTag) known(ctx *fasthttp.RequestCtx) bool {
	fields := ctx.Request.Header.PeekAll("If-None-Match")
	if len(fields) == 0 || !v.set {
		return false
	}
	return known(fields, string(v.append(nil)))
}

// known reports whether an If-None-Match names the tag, by weak comparison.
func known(fields [][]byte, etag string) bool {
	for _, field := range fields {
		for len(field) > 0 {
			var tag []byte
			tag, field = cutMember(field)
			tag = bytes.TrimPrefix(trim(tag), []byte("W/"))
			if string(tag) == etag || len(tag) == 1 && tag[0] == '*' {
				return true
			}
		}
	}
	return false
}

// epoch is a state of what the site shows. Answers of one epoch are alike; when
// the data or the day changes, a new one begins.
type epoch struct {
	version uint64
	day     int64
}

// Bounds of the cache.
const (
	cacheBytes  = 64 << 20
	maxCacheKey = 512 // longer addresses are not kept
	doorSlots   = 8192
)

// cache keeps finished responses by address, face and encoding, for one epoch
// and in bounded memory. An address is let in when it is asked for a second
// time, so that one-off searches and invented parameters cannot push out what
// many read; and what was read since the hand last passed stays (CLOCK).
type cache struct {
	mu      sync.RWMutex
	epoch   epoch
	entries map[string]*cached
	ring    []*cached
	hand    int
	size    int
	door    [doorSlots]atomic.Uint64
}

// cached are the finished responses of one address.
type cached struct {
	key      string
	offers   []Face // the faces it negotiates; one when the suffix says which
	variants [faces][encodings]atomic.Pointer[finished]
	size     int
	used     atomic.Bool
}

func newCache() *cache { return &cache{entries: map[string]*cached{}} }

// get is what is kept for an address in an epoch, or nil. It does not allocate.
func (c *cache) get(key []byte, now epoch) *cached {
	c.mu.RLock()
	var e *cached
	if c.epoch == now {
		e = c.entries[string(key)]
	}
	c.mu.RUnlock()
	if e != nil && !e.used.Load() {
		e.used.Store(true)
	}
	return e
}

// wants reports whether an address is worth keeping: not too long, and asked for
// before. It notes that it was asked for.
func (c *cache) wants(key []byte) bool {
	if len(key) > maxCacheKey {
		return false
	}
	h := xxh3.Hash(key)
	return c.door[h%doorSlots].Swap(h) == h
}

// put keeps a response that was made in an epoch, unless that epoch has ended.
func (c *cache) put(key string, offers []Face, face Face, enc Encoding, f *finished, made epoch) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if made != c.epoch {
		if made.version < c.epoch.version || made.day < c.epoch.day {
			return
		}
		c.epoch, c.entries, c.ring, c.hand, c.size = made, map[string]*cached{}, nil, 0, 0
	}
	e := c.entries[key]
	if e == nil {
		e = &cached{key: strings.Clone(key), offers: offers}
		c.entries[e.key] = e
		c.ring = append(c.ring, e)
		c.grow(e, 1024)
	}
	if e.variants[face][enc].CompareAndSwap(nil, f) {
		c.grow(e, len(f.body)+1024)
	}
	for c.size > cacheBytes && len(c.ring) > 0 {
		c.evict()
	}
}

func (c *cache) grow(e *cached, bytes int) {
	e.size += bytes
	c.size += bytes
}

// evict drops the next address that was not read since the hand last passed it.
func (c *cache) evict() {
	for {
		c.hand %= len(c.ring)
		e := c.ring[c.hand]
		if e.used.Swap(false) {
			c.hand++
			continue
		}
		c.ring[c.hand] = c.ring[len(c.ring)-1]
		c.ring = c.ring[:len(c.ring)-1]
		delete(c.entries, e.key)
		c.size -= e.size
		return
	}
}
