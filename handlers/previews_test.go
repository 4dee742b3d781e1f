package handlers

import (
	"image/jpeg"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/handlers/photo"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/webtest"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/views/ui"
)

var ogImage = regexp.MustCompile(`<meta property="og:image" content="https://secondlight\.example([^"]*)">`)

// TestEveryPageHasAPicture follows the picture of each page for link previews.
func TestEveryPageHasAPicture(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	s := newTestServer(t, func(c *Config) { c.DataDir = t.TempDir() })
	for _, target := range s.targets() {
		if target.api || strings.Contains(target.op.Name, "probe") {
			continue
		}
		_, body := s.do(t, "GET", target.address, "Accept", "text/html")
		m := ogImage.FindStringSubmatch(body)
		if m == nil {
			if !strings.Contains(body, `content="noindex"`) {
				t.Errorf("%s has no picture", target.address)
			}
			continue
		}
		resp, body := s.do(t, "GET", m[1])
		if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "image/jpeg" || resp.Header.Get("Cache-Control") != web.CacheImmutable {
			t.Errorf("%s of %s is %d %v", m[1], target.address, resp.StatusCode, resp.Header)
			continue
		}
		webtest.CheckContract(t, m[1], resp.Header)
		if !strings.HasPrefix(m[1], "/previews/") {
			continue
		}
		if cfg, err := jpeg.DecodeConfig(strings.NewReader(body)); err != nil || cfg.Width != ui.PreviewWidth || cfg.Height != ui.PreviewHeight {
			t.Errorf("%s is %+v: %v", m[1], cfg, err)
		}
		if again, _ := s.do(t, "GET", m[1], "If-None-Match", resp.Header.Get("ETag")); again.StatusCode != 304 {
			t.Errorf("%s is not known again: %d", m[1], again.StatusCode)
		}
	}
}

// TestPreviewVersions tests that an old version redirects to the current one, that
// one image per page is stored, and that nothing else is rendered.
func TestPreviewVersions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := newTestServer(t, func(c *Config) { c.DataDir = dir })
	old := "/previews/gear/canon/eos-r6.0123456789abcdef.jpg"
	resp, _ := s.do(t, "GET", old)
	now := resp.Header.Get("Location")
	if resp.StatusCode != 302 || !strings.HasPrefix(now, "/previews/gear/canon/eos-r6.") || now == old {
		t.Fatalf("an old version is %d, at %s", resp.StatusCode, now)
	}
	stale := filepath.Join(dir, "previews", photo.PageKey("/gear/canon/eos-r6")+"-aaaaaaaaaaaaaaaa.jpg")
	if err := picture.WriteFile(stale, []byte("an older picture")); err != nil {
		t.Fatal(err)
	}
	if resp, _ := s.do(t, "GET", now); resp.StatusCode != 200 {
		t.Errorf("%s is %d", now, resp.StatusCode)
	}
	if _, err := os.Stat(stale); !os.IsNotExist(err) {
		t.Error("the picture before stays")
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "previews", "*")); len(files) != 1 {
		t.Errorf("stored are %q", files)
	}
	_, body := s.do(t, "GET", "/gear/canon/eos-r6", "Accept-Language", "de")
	german := ogImage.FindStringSubmatch(body)[1]
	if resp, _ := s.do(t, "GET", german); resp.StatusCode != 200 || !strings.HasPrefix(german, "/previews/de/gear/canon/eos-r6.") || strings.HasSuffix(german, now[len(now)-20:]) {
		t.Errorf("the picture of the German page is %s: %d", german, resp.StatusCode)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "previews", "*")); len(files) != 2 {
		t.Errorf("stored in two languages are %q", files)
	}
	for _, none := range []string{
		"/previews/.jpg", "/previews/gear/canon/none.0123456789abcdef.jpg", "/previews/gear/canon/eos-r6.jpg", "/previews/gear/canon/eos-r6.0123456789ABCDEF.jpg",
		"/previews/../../etc/passwd.0123456789abcdef.jpg", "/previews/%2e%2e/x.0123456789abcdef.jpg", "/previews/nowhere.0123456789abcdef.jpg", "/previews/listings/x.0123456789abcdef.jpg",
	} {
		if resp, body := s.do(t, "GET", none); resp.StatusCode != 404 {
			t.Errorf("%s is %d: %.100s", none, resp.StatusCode, body)
		}
	}
}
