package web

import "testing"

// TestLocalPath tests that after signing in nobody is led off the site.
func TestLocalPath(t *testing.T) {
	for next, want := range map[string]string{
		"/sell?gear=canon/eos-r6": "/sell?gear=canon/eos-r6", "/account": "/account", "": "/account",
		"https://evil.example/": "/account", "//evil.example": "/account", `/\evil.example`: "/account", "javascript:alert(1)": "/account",
		"/\r\nSet-Cookie: a=b": "/account", "/\t/evil.example": "/account", "evil": "/account", "\\\\evil.example": "/account", "/%0d%0aA: b": "/%0d%0aA: b",
	} {
		if got := LocalPath(next); got != want {
			t.Errorf("%q leads to %q, want %q", next, got, want)
		}
	}
}
