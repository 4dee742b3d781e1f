package web

import (
	"bytes"
	"mime/multipart"
	"net/textproto"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/models/problem"
)

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

// FuzzForm reads anything as a form of several parts: what comes out is text
// that is text, within the limits.
func FuzzForm(f *testing.F) {
	const boundary = "a-boundary"
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	if err := w.SetBoundary(boundary); err != nil {
		f.Fatal(err)
	}
	for _, part := range []struct{ disposition, content string }{
		{`form-data; name="photo"; filename="../x.jpg"`, "\xff\xd8"}, {`form-data; name="alt"`, "front"}, {`form-data; name="photo"`, "text"},
	} {
		to, err := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {part.disposition}})
		if err == nil {
			_, err = to.Write([]byte(part.content))
		}
		if err != nil {
			f.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		f.Fatal(err)
	}
	whole := b.String()
	for _, seed := range []string{whole, whole[:len(whole)/2], "", "--" + boundary, strings.ReplaceAll(whole, "\r\n", "\n"), strings.ReplaceAll(whole, "name=", "name*=UTF-8''%00"),
		strings.ReplaceAll(whole, "front", "\x00\xff")} {
		f.Add(seed, boundary)
	}
	f.Fuzz(func(t *testing.T, body, boundary string) {
		pairs, files, err := readForm(multipart.NewReader(strings.NewReader(body), boundary))
		if err != nil {
			if _, ok := err.(*problem.Error); !ok {
				t.Fatalf("not an error for the sender: %v", err)
			}
			return
		}
		if len(pairs)+len(files) > maxParams || len(files) > maxFiles {
			t.Errorf("%d values and %d files", len(pairs), len(files))
		}
		for _, p := range pairs {
			if !ValidText(p.name) || !ValidText(p.value) {
				t.Errorf("took %q = %q", p.name, p.value)
			}
		}
	})
}
