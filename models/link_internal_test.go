package models

import "testing"

// TestSafeLink tests which links of members others may open.
func TestSafeLink(t *testing.T) {
	for link, want := range map[string]bool{
		"https://www.example.com/track/123?x=1#y": true, "https://example.com:8443/": true, "https://EXAMPLE.com": true, "https://example.com./": true,
		"https://xn--mller-kva.de/":         true, // müller.de
		"https://xn--wgv71a.jp/":            true, // 日本.jp
		"https://xn--e1afmkfd.xn--p1ai/":    true, // пример.рф
		"https://3.example.com/":            true,
		"https://127.0.0.1.example.com/":    true,
		"http://example.com/":               false,
		"https://me:secret@example.com/":    false,
		"https://example.com\\@evil.com/":   false,
		"javascript:alert(1)":               false,
		"https:example.com":                 false,
		"https:///x":                        false,
		"https://./":                        false,
		"https://example..com/":             false,
		"https://localhost/":                false,
		"https://shop.localhost/":           false,
		"https://printer.local/":            false,
		"https://metadata.google.internal/": false,
		"https://1.0.0.127.in-addr.arpa/":   false,
		"https://127.0.0.1/":                false,
		"https://127.0.0.1./":               false,
		"https://127.1/":                    false,
		"https://2130706433/":               false,
		"https://0x7f.0.0.0x1/":             false,
		"https://0177.0.0.01/":              false,
		"https://1.2.3/":                    false,
		"https://[::1]/":                    false,
		"https://[::ffff:127.0.0.1]/":       false,
		"https://[fe80::1%25eth0]/":         false,
		"https://%EF%BC%91.1/":              false, // full-width 1
		"https://xn--pypal-4ve.com/":        false, // pаypal.com with a Cyrillic а
		"https://xn--80ak6aa92e.com/":       false, // аррӏе.com, all Cyrillic
		"https://xn--pple-koa.com/":         true,  // äpple.com is no other alphabet
		"https://xn--oogle-qmc.com/":        false, // ɡoogle.com with U+0261
		"https://xn--ggle-0nda.com/":        false, // gοοgle.com with Greek ο
		"https://p%D0%B0ypal.com/":          false, // a Cyrillic а, escaped
		"https://xn--a/":                    false,
		"https://xn--0.com/":                false, // not punycode
	} {
		if got := safeLink(link); got != want {
			t.Errorf("%s: got %v, want %v", link, got, want)
		}
	}
}
