package ui

import (
	"net/url"
	"strings"
)

// WithCursor returns path with the cursor parameter added, or path if cursor is "".
func WithCursor(path, cursor string) string {
	return WithParams(path, "cursor", cursor)
}

// WithParams returns path with parameters added, given as names and values, except those
// without a value.
func WithParams(path string, pairs ...string) string {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			path = WithParam(path, pairs[i], pairs[i+1])
		}
	}
	return path
}

// WithParam returns path with a parameter added.
func WithParam(path, name, value string) string {
	mark := "?"
	if strings.Contains(path, "?") {
		mark = "&"
	}
	var space [256]byte
	return path + mark + name + "=" + string(AppendEscaped(space[:0], value))
}

// AppendPair appends "name=value&", or nothing if value is empty.
func AppendPair(dst []byte, name, value string) []byte {
	if value == "" {
		return dst
	}
	dst = append(dst, name...)
	dst = append(dst, '=')
	dst = AppendEscaped(dst, value)
	return append(dst, '&')
}

// AppendEscaped appends a parameter's value escaped as by url.QueryEscape, except that
// it does not escape the slash, which is valid in a query and occurs in slugs.
func AppendEscaped(dst []byte, s string) []byte {
	start := 0
	for i := range len(s) {
		c := s[i]
		if unreserved[c] {
			continue
		}
		dst = append(dst, s[start:i]...)
		start = i + 1
		if c == ' ' {
			dst = append(dst, '+')
		} else {
			dst = append(dst, '%', upperHex[c>>4], upperHex[c&15])
		}
	}
	return append(dst, s[start:]...)
}

// unreserved holds the characters that need no escape in a query. It is a table
// because cursors mix letters and digits at random, which makes range comparisons
// slow.
var unreserved = func() (set [256]bool) {
	for _, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~/") {
		set[c] = true
	}
	return set
}()

const upperHex = "0123456789ABCDEF"

// HostOf returns the host of an address, its scheme if it belongs to a program, or "".
func HostOf(address string) string {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return ""
	case u.Scheme == "http" || u.Scheme == "https":
		return u.Hostname()
	}
	return u.Scheme
}
