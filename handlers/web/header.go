package web

import "strings"

// Values of Vary: for responses that are the same for every caller, and for those
// of operations.
const (
	Vary       = "Accept, Accept-Encoding"
	VaryCaller = Vary + ", Authorization, Cookie"
)

// ExposedHeaders lets scripts of other origins, which send no cookies, read every response
// field.
const ExposedHeaders = "*"

// ContentSecurityPolicy returns a policy that allows resources of the site itself only,
// and no inline scripts or styles. Forms may be sent, and redirected, to the site and to
// the sources in formTargets.
func ContentSecurityPolicy(formTargets string) string {
	return "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; script-src 'self'; " +
		"connect-src 'self'; manifest-src 'self'; form-action " + strings.TrimSpace("'self' "+formTargets) + "; base-uri 'none'; frame-ancestors 'none'"
}

// EscapeHeader percent-encodes the bytes of a URL that a header field must not
// contain.
func EscapeHeader(s string) string {
	for i := range len(s) {
		if !fitsHeader(s[i]) {
			return encodeForHeader(s)
		}
	}
	return s
}

func encodeForHeader(s string) string {
	var dst []byte
	for i := range len(s) {
		if c := s[i]; fitsHeader(c) {
			dst = append(dst, c)
		} else {
			dst = append(dst, '%', "0123456789ABCDEF"[c>>4], "0123456789ABCDEF"[c&15])
		}
	}
	return string(dst)
}

// fitsHeader reports whether a byte of a URL may be in a header field unescaped.
// Browsers read a backslash as a slash, which could begin the name of a host.
func fitsHeader(c byte) bool {
	return ' ' < c && c < 0x7f && c != '"' && c != '<' && c != '>' && c != '\\'
}

// Values of Vary for responses that also depend on the language.
const (
	VaryLanguage       = Vary + ", Accept-Language, Cookie"
	VaryCallerLanguage = VaryCaller + ", Accept-Language"
)

// Values of Cache-Control. Public responses are revalidated on every request, so
// that a price or a status is never stale; an unchanged one costs a 304.
const (
	CachePublic    = "public, no-cache"
	CachePrivate   = "private, no-cache"
	CacheNever     = "no-store"
	CacheImmutable = "public, max-age=31536000, immutable"
	CacheDay       = "public, max-age=86400" // something better may be there tomorrow
	CacheShort     = "public, max-age=3600"
)

// Address returns the path and query of a page in a format, given its path in HTML
// and its encoded query: "/gear.md?keyword=r6".
func Address(path string, format Format, query string) string {
	return EscapeHeader(string(AppendAddress(nil, path, format, query)))
}

// AppendAddress appends the path and query of a page in a format to dst, without
// escaping.
func AppendAddress(dst []byte, path string, format Format, query string) []byte {
	if format != HTML && path == "/" {
		path = "/index"
	}
	dst = append(append(dst, path...), format.Suffix()...)
	if query != "" {
		dst = append(append(dst, '?'), query...)
	}
	return dst
}

// Names of response header fields in canonical form, for SetCanonical.
var (
	HdrRequestID       = []byte("X-Request-Id")
	HdrOpenerPolicy    = []byte("Cross-Origin-Opener-Policy")
	HdrETag            = []byte("Etag")
	HdrCacheControl    = []byte("Cache-Control")
	HdrLink            = []byte("Link")
	HdrContentLocation = []byte("Content-Location")
	HdrRobots          = []byte("X-Robots-Tag")
	HdrContentSecurity = []byte("Content-Security-Policy")
	HdrVary            = []byte("Vary")
)
