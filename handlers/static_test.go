package handlers

import (
	"compress/gzip"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	brotli "github.com/molecule-man/go-brrr"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/static"
)

// decoded returns a body without its content coding.
func decoded(t testing.TB, resp *http.Response, body string) string {
	t.Helper()
	var r io.Reader = strings.NewReader(body)
	switch resp.Header.Get("Content-Encoding") {
	case "br":
		r = brotli.NewReader(r)
	case "gzip":
		var err error
		if r, err = gzip.NewReader(r); err != nil {
			t.Fatal(err)
		}
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(plain)
}

func TestStaticFiles(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	sheet, ok := static.ByName("site.css")
	if !ok {
		t.Fatal("there is no style sheet")
	}
	tags := map[string]bool{}
	for _, coding := range []string{"identity", "br", "gzip"} {
		resp, body := s.do(t, "GET", sheet.Path, "Accept-Encoding", coding)
		if got := decoded(t, resp, body); got != string(sheet.Body) || coding != "identity" && len(body) > len(sheet.Body)/2 {
			t.Errorf("the style sheet in %s is %d bytes, and %d decoded, of %d", coding, len(body), len(got), len(sheet.Body))
		}
		if got := resp.Header.Get("Cache-Control"); got != web.CacheImmutable {
			t.Errorf("the style sheet has Cache-Control %s", got)
		}
		tags[resp.Header.Get("ETag")] = true
	}
	if len(tags) != 3 {
		t.Errorf("three codings have the ETags %v", tags)
	}
	font, _ := static.ByName("fonts/text.woff2")
	resp, body := s.do(t, "GET", font.Path, "Accept-Encoding", "br")
	if resp.Header.Get("Content-Encoding") != "" || body != string(font.Body) {
		t.Error("a font, which is compressed already, is compressed again")
	}
	if resp, _ := s.do(t, "GET", "/static/site.css"); resp.Header.Get("Cache-Control") != web.CacheShort {
		t.Error("a name without a content hash is cached forever")
	}
}

// TestPagesFindTheirFiles tests that every file that a page refers to exists, at a
// URL with a content hash.
func TestPagesFindTheirFiles(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	files := regexp.MustCompile(`/static/[^"') ]+`)
	for _, target := range s.targets() {
		_, page := s.do(t, "GET", target.address, "Accept", "text/html")
		if !target.api && !strings.Contains(page, static.Path("site.css")) {
			t.Errorf("%s has no style sheet", target.address)
		}
		for _, address := range files.FindAllString(page, -1) {
			if _, ok := static.ByPath(address); !ok {
				t.Errorf("%s names %s, which is not there", target.address, address)
			}
		}
	}
	sheet, _ := static.ByName("site.css")
	for _, address := range files.FindAllString(string(sheet.Body), -1) {
		if _, ok := static.ByPath(address); !ok {
			t.Errorf("the style sheet names %s, which is not there", address)
		}
	}
}
