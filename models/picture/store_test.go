package picture_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/picture/picturetest"
)

// listings counts how many listings refer to each photograph.
type listings struct {
	sync.Mutex
	site string
	has  map[string]int
}

func (l *listings) add(key string, n int) {
	l.Lock()
	defer l.Unlock()
	l.has[key] += n
}

func (l *listings) UsedPhotos(_ context.Context, keys []string) (used []string, _ error) {
	l.Lock()
	defer l.Unlock()
	for _, key := range keys {
		if l.has[key] > 0 {
			used = append(used, key)
		}
	}
	return used, nil
}

func (l *listings) SiteID(context.Context) (string, error) { return l.site, nil }

func (l *listings) Exclusive(ctx context.Context, _ string, do func(context.Context) error) (bool, error) {
	return true, do(ctx)
}

// sweep deletes a photograph and sweeps.
func sweep(s *picture.Store, l *listings, key string) error {
	_, err := s.Sweep(context.Background(), l, time.Now(), true)
	return errors.Join(s.Delete(context.Background(), l, key), err)
}

// TestConcurrentSaveAndDelete checks that a photograph which is removed from one
// listing while it is added to another is stored as long as a listing refers to it.
func TestConcurrentSaveAndDelete(t *testing.T) {
	s, l, ctx := picture.NewStore(blob.Folder(t.TempDir())), &listings{site: "a", has: map[string]int{}}, t.Context()
	data := picturetest.JPEG(t, 40, 30)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 10 {
				taken, err := s.Render(ctx, "anna", "a.jpg", data)
				if err == nil {
					err = s.Save(ctx, l, []*picture.Rendered{taken}, func() error { l.add(taken.Key, 1); return nil })
				}
				if err == nil {
					_, err = s.Read(ctx, taken.Key, 640)
				}
				if err != nil {
					t.Error(err)
					return
				}
				l.add(taken.Key, -1)
				if err := sweep(s, l, taken.Key); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	taken, err := s.Render(ctx, "anna", "", data)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Read(ctx, taken.Key, 640); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Read of an unused photograph: %v, want fs.ErrNotExist", err)
	}
}

// TestRender checks that a photograph is rendered in every width, not enlarged, and
// named by its content.
func TestRender(t *testing.T) {
	s, ctx := picture.NewStore(blob.Folder(t.TempDir())), t.Context()
	seen := map[string]bool{}
	for _, c := range []struct{ w, h int }{{1, 1}, {5, 1}, {100, 500}, {320, 320}, {1280, 960}, {1400, 900}, {900, 1400}} {
		taken, err := s.Render(ctx, "anna", "a.jpg", picturetest.JPEG(t, c.w, c.h))
		if err != nil {
			t.Errorf("%d × %d: %v", c.w, c.h, err)
			continue
		}
		if taken.Width != c.w || taken.Height != c.h || !picture.IsKey(taken.Key) || seen[taken.Key] {
			t.Errorf("%d × %d is %+v", c.w, c.h, taken.Photo)
		}
		seen[taken.Key] = true
		if err := s.Save(ctx, &listings{site: "a"}, []*picture.Rendered{taken}, func() error { return nil }); err != nil {
			t.Fatal(err)
		}
		var stored int64
		for _, width := range models.PhotoWidths {
			body, err := s.Read(ctx, taken.Key, width)
			if err != nil {
				t.Fatal(err)
			}
			stored += int64(len(body))
			again, err := s.Render(ctx, "anna", "b.jpg", body)
			want := fmt.Sprint(min(width, c.w))
			if err != nil || fmt.Sprint(again.Width) != want {
				t.Errorf("%d × %d in width %d is %+v, %v", c.w, c.h, width, again, err)
			}
		}
		if taken.Bytes != stored {
			t.Errorf("%d × %d has a size of %d bytes, its files have %d", c.w, c.h, taken.Bytes, stored)
		}
	}
	for _, name := range []string{"", "-320", "../x-320.jpg", "6f1c0b1e9d0a4c55b3b0a7a5a4d3e2f1-320.png", "6f1c0b1e9d0a4c55b3b0a7a5a4d3e2f1-321.jpg", "6F1C0B1E9D0A4C55B3B0A7A5A4D3E2F1-320.jpg",
		"6f1c0b1e9d0a4c55b3b0a7a5a4d3e2f1-0320.jpg", "0123456789abcdef-320.jpg"} {
		if _, _, ok := picture.ParseFileName(name); ok {
			t.Errorf("ParseFileName(%q) succeeded", name)
		}
	}
	if _, err := picture.NewStore(nil).Render(ctx, "anna", "a.jpg", picturetest.JPEG(t, 9, 9)); err == nil {
		t.Error("a disabled store renders a photograph")
	}
	// A canceled context ends the wait for the semaphore.
	gone, cancel := context.WithCancel(ctx)
	cancel()
	for range 50 {
		if _, err := s.Render(gone, "anna", "a.jpg", picturetest.JPEG(t, 9, 9)); err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}

// BenchmarkRender renders a photograph of 24 megapixels.
func BenchmarkRender(b *testing.B) {
	s, data := picture.NewStore(blob.Folder(b.TempDir())), picturetest.JPEG(b, 6000, 4000)
	for b.Loop() {
		if _, err := s.Render(b.Context(), "anna", "a.jpg", data); err != nil {
			b.Fatal(err)
		}
	}
}
