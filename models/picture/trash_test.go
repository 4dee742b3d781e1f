package picture_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/blob/blobtest"
	"github.com/secondlight/secondlight/models/picture"
)

const day = 24 * time.Hour

// site is a bucket with photographs, and the listings that use them.
type site struct {
	files blob.Bucket
	*picture.Store
	*listings
	keys []string
}

// newSite returns a site with n photographs that listings use.
func newSite(t *testing.T, files blob.Bucket, n int) *site {
	s := &site{files: files, Store: picture.NewStore(files), listings: &listings{site: "ours", has: map[string]int{}}}
	for i := range n {
		key := fmt.Sprintf("%032x", i)
		for _, width := range models.PhotoWidths {
			if err := blob.WriteBytes(t.Context(), files, picture.Folder+picture.FileName(key, width), []byte(key)); err != nil {
				t.Fatal(err)
			}
		}
		s.keys, s.has[key] = append(s.keys, key), 1
	}
	if err := picture.Claim(t.Context(), files, s.listings); err != nil {
		t.Fatal(err)
	}
	return s
}

// stored returns how many photographs can be read in every width.
func (s *site) stored(t *testing.T) (n int) {
	for _, key := range s.keys {
		all := true
		for _, width := range models.PhotoWidths {
			_, err := s.Read(t.Context(), key, width)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
			all = all && err == nil
		}
		if all {
			n++
		}
	}
	return n
}

// TestWrongDatabase sweeps photographs with the database of another site, an empty one, an
// older and a slightly older one of the same site, and then with the right one again: nothing
// is lost.
func TestWrongDatabase(t *testing.T) {
	const photographs = 300
	later := time.Now().Add(2 * day)
	for engine, files := range map[string]func() blob.Bucket{"folder": func() blob.Bucket { return blob.Folder(t.TempDir()) }, "s3": func() blob.Bucket { return blobtest.NewS3(t).Bucket }} {
		for name, c := range map[string]struct {
			id     string
			forget int // listings that the wrong database doesn't have
			err    any
			left   int // photographs stored after the sweep
		}{
			"another site":    {"theirs", photographs, new(*picture.OtherSite), photographs},
			"an empty one":    {"ours", photographs, new(*picture.ManyUnused), photographs},
			"an older one":    {"ours", 30, new(*picture.ManyUnused), photographs},
			"yesterday's one": {"ours", 7, nil, photographs - 7},
		} {
			t.Run(engine+", "+name, func(t *testing.T) {
				s := newSite(t, files(), photographs)
				wrong := &listings{site: c.id, has: maps.Clone(s.has)}
				for _, key := range s.keys[:c.forget] {
					delete(wrong.has, key)
				}
				_, err := picture.NewStore(s.files).Sweep(t.Context(), wrong, later, false)
				if c.err == nil && err != nil || c.err != nil && !errors.As(err, c.err) {
					t.Errorf("Sweep: %v", err)
				}
				if n := s.stored(t); n != c.left {
					t.Errorf("%d photographs are left, want %d", n, c.left)
				}
				if n, err := s.Trash(t.Context()); err != nil || n != photographs-c.left {
					t.Errorf("%d photographs are in the trash, %v", n, err)
				}
				if n, err := s.PutBack(t.Context(), s.listings); err != nil || n != photographs-c.left || s.stored(t) != photographs {
					t.Errorf("%d photographs were put back, %v; %d are stored", n, err, s.stored(t))
				}
			})
		}
	}
}

// TestSweep tests that unused photographs are deleted in the end, and those that are used are
// not, even from the trash.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	s := newSite(t, blob.Folder(dir), 50)
	for _, key := range s.keys[:20] {
		delete(s.has, key)
	}
	sweep := func(at time.Duration, all bool, want picture.SweepReport) {
		t.Helper()
		got, err := s.Sweep(t.Context(), s.listings, time.Now().Add(at), all)
		if (err != nil) != (want.Unused > 10 && !all) || got != want {
			t.Errorf("after %v: %+v, %v, want %+v", at, got, err, want)
		}
	}
	sweep(time.Hour, true, picture.SweepReport{Counted: true, Photos: 50})
	sweep(day, false, picture.SweepReport{Counted: true, Photos: 50, Unused: 20})
	sweep(day, true, picture.SweepReport{Counted: true, Photos: 50, Unused: 20, Moved: 20})
	sweep(13*day, false, picture.SweepReport{Counted: true, Photos: 30})
	s.add(s.keys[0], 1)
	if n, err := s.PutBack(t.Context(), s.listings); n != 1 || err != nil {
		t.Errorf("%d photographs were put back, %v", n, err)
	}
	sweep(15*day, false, picture.SweepReport{Counted: true, Photos: 31, Purged: 20})
	if n := s.stored(t); n != 31 {
		t.Errorf("%d photographs are stored", n)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "trash", "photos", "*")); err != nil || len(left) > 0 {
		t.Errorf("in the trash: %v, %v", left, err)
	}
}

// claimed is a bucket whose files a site claims, and gets a photograph, after the first read.
type claimed struct {
	blob.Bucket
	by   *listings
	once sync.Once
}

func (c *claimed) Read(ctx context.Context, name string) (body []byte, err error) {
	body, err = c.Bucket.Read(ctx, name)
	c.once.Do(func() {
		photo := picture.Folder + picture.FileName(fmt.Sprintf("%032x", 1), models.PhotoWidths[0])
		err = errors.Join(err, picture.Claim(ctx, c.Bucket, c.by), blob.WriteBytes(ctx, c.Bucket, photo, []byte("photo")))
	})
	return body, err
}

// TestClaimAtOnce claims files that another server claims, and writes a photograph to, that no
// listing uses yet.
func TestClaimAtOnce(t *testing.T) {
	ours, theirs := &listings{site: "ours"}, &listings{site: "theirs"}
	for _, by := range []*listings{ours, theirs} {
		err := picture.Claim(t.Context(), &claimed{Bucket: blob.Folder(t.TempDir()), by: by}, ours)
		if by == ours && err != nil || by == theirs && !errors.As(err, new(*picture.OtherSite)) {
			t.Errorf("claimed by %s at once: %v", by.site, err)
		}
	}
}

// TestClaim tests of which site files are said to be.
func TestClaim(t *testing.T) {
	dir := t.TempDir()
	s := newSite(t, blob.Folder(dir), 3)
	other := &listings{site: "theirs", has: map[string]int{}}
	claim := func(refs *listings, ok bool) {
		t.Helper()
		if err := picture.Claim(context.Background(), s.files, refs); (err == nil) != ok || err != nil && !errors.As(err, new(*picture.OtherSite)) {
			t.Errorf("Claim: %v", err)
		}
	}
	claim(s.listings, true)
	claim(other, false)
	if err := os.Remove(filepath.Join(dir, "site.id")); err != nil {
		t.Fatal(err)
	}
	claim(other, false)                               // has none of the photographs
	full := newSite(t, blob.Folder(t.TempDir()), 400) // in whole batches of lookups
	if err := full.files.Delete(t.Context(), "site.id"); err != nil {
		t.Fatal(err)
	}
	if err := picture.Claim(t.Context(), full.files, other); !errors.As(err, new(*picture.OtherSite)) {
		t.Errorf("Claim of 400 photographs of another site: %v", err)
	}
	other.add(s.keys[1], 1)
	claim(other, true)
	claim(s.listings, false)
	if err := s.Save(t.Context(), s.listings, nil, func() error { return nil }); !errors.As(err, new(*picture.OtherSite)) {
		t.Errorf("Save: %v", err)
	}
	if err := picture.Adopt(t.Context(), s.files, s.listings); err != nil {
		t.Fatal(err)
	}
	claim(s.listings, true)
	if err := s.Save(t.Context(), s.listings, nil, func() error { return nil }); err != nil {
		t.Errorf("Save: %v", err)
	}
}

// TestSweepAVIFs tests that AVIFs go with their photograph, and that those of which no photograph is
// left are found.
func TestSweepAVIFs(t *testing.T) {
	for engine, files := range map[string]blob.Bucket{"folder": blob.Folder(t.TempDir()), "s3": blobtest.NewS3(t).Bucket} {
		t.Run(engine, func(t *testing.T) {
			s := newSite(t, files, 3)
			orphan := fmt.Sprintf("%032x", 99)
			for _, key := range append(s.keys, orphan) {
				if err := blob.WriteBytes(t.Context(), files, picture.AVIFFile(key, models.PhotoWidths[0]), []byte("avif")); err != nil {
					t.Fatal(err)
				}
			}
			delete(s.has, s.keys[0])
			report, err := s.Sweep(t.Context(), s.listings, time.Now().Add(day), false)
			if want := (picture.SweepReport{Counted: true, Photos: 4, Unused: 2, Moved: 1}); err != nil || report != want {
				t.Errorf("%+v, %v, want %+v", report, err, want)
			}
			for i, key := range append(s.keys, orphan) {
				_, err := files.Stat(t.Context(), picture.AVIFFile(key, models.PhotoWidths[0]))
				if kept := i == 1 || i == 2; kept != (err == nil) {
					t.Errorf("the AVIF of photograph %d: %v", i, err)
				}
			}
			if s.add(s.keys[0], 1); s.has[s.keys[0]] != 1 {
				t.Fatal(s.has)
			}
			if n, err := s.PutBack(t.Context(), s.listings); n != 1 || err != nil {
				t.Errorf("%d photographs were put back, %v", n, err)
			}
			if n := s.stored(t); n != 3 {
				t.Errorf("%d photographs are stored", n)
			}
			if report, err := s.Sweep(t.Context(), s.listings, time.Now().Add(day), false); err != nil || report != (picture.SweepReport{Counted: true, Photos: 3}) {
				t.Errorf("again: %+v, %v", report, err)
			}
		})
	}
}
