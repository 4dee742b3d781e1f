package handlers

import (
	"context"
	"fmt"
	"image"
	"image/jpeg"
	"math"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/webtest"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/picture/codec"
)

// accepting is what Chromium accepts as a picture in a page.
const accepting = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8"

func init() { codec.LowPriority = false }

// awaitAVIF requests a photo until it is an AVIF. Until then it is a JPEG that may be stored for a day.
func (s *testServer) awaitAVIF(t *testing.T, address string) (resp *http.Response, body string) {
	t.Helper()
	eventually(t, address+" as AVIF", func() bool {
		resp, body = s.do(t, "GET", address, "Accept", accepting)
		kind, cached := resp.Header.Get("Content-Type"), resp.Header.Get("Cache-Control")
		if resp.StatusCode != 200 || kind == "image/jpeg" && cached != web.CacheDay || kind == "image/avif" && cached != web.CacheImmutable {
			t.Fatalf("%s: %d %v", address, resp.StatusCode, resp.Header)
		}
		return kind == "image/avif"
	})
	return resp, body
}

// samePicture fails unless an AVIF differs little from a JPEG, and is smaller.
func samePicture(t *testing.T, avif, original string) {
	t.Helper()
	want, err := jpeg.Decode(strings.NewReader(original))
	if err != nil {
		t.Fatal(err)
	}
	got, err := codec.Decode(t.Context(), codec.Request{Format: codec.AVIF, Memory: 100 << 20, Pixels: 1e7, Data: []byte(avif)})
	if err != nil || got.Bounds() != want.Bounds() {
		t.Fatalf("the AVIF is %v, want %v: %v", got.Bounds(), want.Bounds(), err)
	}
	if len(avif) >= len(original) {
		t.Errorf("the AVIF has %d bytes, and the JPEG %d", len(avif), len(original))
	}
	if psnr := psnr(got, want); psnr < 30 {
		t.Errorf("the PSNR is %.1f dB", psnr)
	}
}

func psnr(a, b image.Image) float64 {
	var sum, n float64
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			r, g, b1, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(x, y).RGBA()
			for _, d := range []float64{float64(r) - float64(r2), float64(g) - float64(g2), float64(b1) - float64(b2)} {
				sum, n = sum+d*d/257/257, n+1
			}
		}
	}
	return 10 * math.Log10(255*255*n/max(sum, 1))
}

// TestAVIF serves an uploaded photo as AVIF once it is made: to those who accept it, while everybody
// may see the photo.
func TestAVIF(t *testing.T) {
	t.Parallel()
	s, dir := photoMarket(t)
	go s.avifs.Run(t.Context())
	anna := s.join(t, "anna", models.RoleMember)
	id := anna.draft(t, models.StatusDraft)
	_, answer := anna.upload(t, id, jpegPart(t, "a.jpg", 1600, 1200))
	keys, _ := keysOf(answer)
	address := "/photos/" + keys[0] + "-640.jpg"
	stored := func() int {
		files, err := filepath.Glob(filepath.Join(dir, "*.avif"))
		if err != nil {
			t.Fatal(err)
		}
		return len(files)
	}

	for range 2 {
		resp, _ := s.do(t, "GET", address, "Accept", accepting, "Cookie", anna.cookie)
		if resp.Header.Get("Content-Type") != "image/jpeg" || !strings.HasPrefix(resp.Header.Get("Cache-Control"), "private") {
			t.Errorf("the photo of a draft: %v", resp.Header)
		}
	}
	if _, err := s.store.Listings.Advance(context.Background(), id, models.Move{Step: models.Publish, Seller: anna.ID}); err != nil {
		t.Fatal(err)
	}
	resp, avif := s.awaitAVIF(t, address)
	webtest.CheckContract(t, address, resp.Header)
	_, original := s.do(t, "GET", address)
	samePicture(t, avif, original)
	if n := stored(); n != 1 {
		t.Errorf("%d AVIFs are stored", n)
	}
	etag := resp.Header.Get("ETag")
	for name, c := range map[string]struct {
		address, method, accept, condition string
		status                             int
		kind                               string
	}{
		"head":                 {address, "HEAD", accepting, "", 200, "image/avif"},
		"unchanged":            {address, "GET", accepting, etag, 304, ""},
		"none accepted":        {address, "GET", "", etag, 200, "image/jpeg"},
		"anything":             {address, "GET", "*/*", "", 200, "image/jpeg"},
		"any picture":          {address, "GET", "image/*", "", 200, "image/jpeg"},
		"not this":             {address, "GET", "image/avif;q=0, image/*", "", 200, "image/jpeg"},
		"less":                 {address, "GET", "image/jpeg, Image/AVIF;q=0.1", "", 200, "image/avif"},
		"opened or downloaded": {address, "GET", "text/html,image/avif,*/*;q=0.8", "", 200, "image/jpeg"},
		"largest":              {strings.Replace(address, "640", "1280", 1), "GET", accepting, "", 200, "image/jpeg"},
		"another key":          {strings.Replace(address, keys[0], strings.Repeat("0", 32), 1), "GET", accepting, "", 404, ""},
	} {
		resp, _ := s.do(t, c.method, c.address, "Accept", c.accept, "If-None-Match", c.condition)
		if kind := resp.Header.Get("Content-Type"); resp.StatusCode != c.status || c.kind != "" && (kind != c.kind || resp.Header.Get("Cache-Control") != web.CacheImmutable || !strings.Contains(resp.Header.Get("Vary"), "Accept")) {
			t.Errorf("%s: %d %v", name, resp.StatusCode, resp.Header)
		}
	}

	anna.ask(t, "DELETE", "/api/listings/"+id+"/photos/"+keys[0], "", 200)
	if resp, _ := s.do(t, "GET", address, "Accept", accepting); resp.StatusCode != 404 {
		t.Errorf("a deleted photo is %d", resp.StatusCode)
	}
	if n := stored(); n != 0 {
		t.Errorf("%d AVIFs are left of a deleted photo", n)
	}
}

// TestPortfolioAVIF serves a photograph of the portfolio as AVIF.
func TestPortfolioAVIF(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	go s.avifs.Run(t.Context())
	photo := s.library.Portfolio().Photos()[0]
	address := fmt.Sprintf("/photos/%s-%d.jpg", photo.Key, photo.Sizes()[0])
	_, avif := s.awaitAVIF(t, address)
	_, original := s.do(t, "GET", address)
	samePicture(t, avif, original)
	if resp, _ := s.do(t, "GET", "/photos/"+photo.Key+"-481.jpg", "Accept", accepting); resp.StatusCode != 404 {
		t.Errorf("a size that there is not is %d", resp.StatusCode)
	}
}
