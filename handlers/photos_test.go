package handlers

import (
	"context"
	"errors"
	"fmt"
	"image/jpeg"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/secondlight/secondlight/handlers/photo"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/handlers/web/webtest"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/storetest"
)

const photoKey = "demo-film-slr-0-3-a1b2c3d4-front"

func TestPhotos(t *testing.T) {
	t.Parallel()
	ctx, dir := context.Background(), t.TempDir()
	store := storetest.Open(t, storetest.SQLite(t), nil)
	member := models.Member{Handle: "anna", Name: "Anna", Region: "DE"}
	members := []models.Member{member}
	if err := store.Accounts.InsertMembers(ctx, members); err != nil {
		t.Fatal(err)
	}
	listing := func(status models.Status, key string) models.Listing {
		return models.Listing{SellerID: members[0].ID, Category: "film_slr", Title: "Camera", Item: models.Item{Condition: "good", Functional: "fully_working"},
			Region: "DE", Price: 100, Status: status, Photos: []models.Photo{{Key: key, Width: 1280, Height: 960}}}
	}
	draft := strings.Replace(photoKey, "a1b2", "ffff", 1)
	if err := store.Listings.InsertListings(ctx, []models.Listing{listing("active", photoKey), listing("draft", draft)}); err != nil {
		t.Fatal(err)
	}
	s := newTestServer(t, func(c *Config) { c.Store, c.DataDir = store, dir })

	for _, width := range models.PhotoWidths {
		target := fmt.Sprintf("/photos/%s-%d.jpg", photoKey, width)
		for range 2 { // drawn, then read
			resp, body := s.do(t, "GET", target)
			if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "image/jpeg" || resp.Header.Get("Cache-Control") != web.CacheImmutable || resp.ContentLength != int64(len(body)) {
				t.Fatalf("%s: %d %v", target, resp.StatusCode, resp.Header)
			}
			webtest.CheckContract(t, target, resp.Header)
			img, err := jpeg.DecodeConfig(strings.NewReader(body))
			if err != nil || img.Width != width || img.Height != width*3/4 {
				t.Errorf("%s is %d × %d, %v", target, img.Width, img.Height, err)
			}
		}
		resp, _ := s.do(t, "HEAD", target)
		if resp.StatusCode != 200 || resp.ContentLength < 1000 {
			t.Errorf("HEAD %s: %d, %d bytes", target, resp.StatusCode, resp.ContentLength)
		}
		if again, _ := s.do(t, "GET", target, "If-None-Match", resp.Header.Get("ETag")); again.StatusCode != http.StatusNotModified {
			t.Errorf("%s with its ETag: %d", target, again.StatusCode)
		}
	}
	for _, file := range []string{
		photoKey + "-400.jpg", photoKey + "-0320.jpg", photoKey + "-320.png", photoKey + ".jpg", "320.jpg", "-320.jpg",
		draft + "-320.jpg", strings.Replace(photoKey, "c3d4", "c3d5", 1) + "-320.jpg", "..%2f" + photoKey + "-320.jpg",
	} {
		if resp, body := s.do(t, "GET", "/photos/"+file); resp.StatusCode != 404 || !strings.Contains(body, "photo_not_found") && !strings.Contains(body, "page_not_found") {
			t.Errorf("%s: %d %s", file, resp.StatusCode, body)
		}
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "photos", "*")); len(files) != len(models.PhotoWidths) {
		t.Errorf("stored %q", files)
	}
}

func TestPhotosAreDrawnOnce(t *testing.T) {
	t.Parallel()
	const readers = 8
	var looked atomic.Int32
	var began sync.WaitGroup
	began.Add(readers)
	p := &photo.Photos{Dir: filepath.Join(t.TempDir(), "photos"), Turns: make(chan struct{}, 1), Known: func(context.Context, string) (bool, error) {
		looked.Add(1)
		began.Wait() // the others wait for this drawing, or are about to
		return true, nil
	}}
	var all sync.WaitGroup
	for range readers {
		all.Go(func() {
			began.Done()
			if body, err := p.Read(t.Context(), photoKey, 320); err != nil || len(body) == 0 {
				t.Errorf("%d bytes, %v", len(body), err)
			}
		})
	}
	all.Wait()
	if looked.Load() != 1 {
		t.Errorf("drawn %d times", looked.Load())
	}
}

func TestPhotosThatCannotBeStored(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "photos")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p := &photo.Photos{Dir: file, Turns: make(chan struct{}, 1), Known: func(context.Context, string) (bool, error) { return true, nil }}
	if _, err := p.Read(t.Context(), photoKey, 320); err == nil {
		t.Error("a file instead of the folder went unnoticed")
	}
	var failure *problem.Error
	p.Dir, p.Known = "", func(context.Context, string) (bool, error) { return false, nil }
	if _, err := p.Read(t.Context(), photoKey, 320); !errors.As(err, &failure) || failure.Code != "photo_not_found" {
		t.Errorf("unknown key: %v", err)
	}
}

// TestDrawnImagesAreCharged tests that drawing an image counts towards the quota, that a
// drawn one does not, and that a query does not draw it again.
func TestDrawnImagesAreCharged(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(c *Config) { c.DataDir, c.RateLimit = t.TempDir(), 3 }) // 30 for pages
	left := func(target string, status int) string {
		resp, body := s.do(t, "GET", target)
		if resp.StatusCode != status || status == 429 && resp.Header.Get("Retry-After") == "" {
			t.Errorf("%s: %d %s, want %d", target, resp.StatusCode, body, status)
		}
		return resp.Header.Get("RateLimit-Remaining")
	}
	missing := "/photos/" + photoKey + "-320.jpg" // to find that out costs as much
	for i, want := range []string{"25", "20", "15"} {
		if got := left(missing, 404); got != want {
			t.Errorf("request %d: %s left, want %s", i, got, want)
		}
	}
	preview := "/previews/gear/canon/eos-r6.0123456789abcdef.jpg"
	if got := left(preview, 429); got != "0" {
		t.Errorf("%s left after a preview", got)
	}
	left("/gear", 429)
	left("/static/favicon.svg", 200)
}

// TestFormsAreShort tests that a rejected form of an anonymous client is not sent back in
// whole.
func TestFormsAreShort(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for _, length := range []int{100, 500_000} {
		value := strings.Repeat("%3C", length/3)
		resp, body := s.send(t, "POST", "/sign-up", "handle="+value, "Content-Type", "application/x-www-form-urlencoded")
		if resp.StatusCode != 400 || len(body) > 64<<10 || strings.Contains(body, "&lt;&lt;&lt;") != (length == 100) {
			t.Errorf("%d bytes: status %d with %d bytes", length, resp.StatusCode, len(body))
		}
	}
}
