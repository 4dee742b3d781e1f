package portfolio

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"image"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/picture"
)

// Library serves a portfolio that is read from a folder. It reloads the portfolio
// when the folder changes and caches the sizes of every photograph as files, which
// may be deleted at any time. A Library may be used by several goroutines.
type Library struct {
	fsys       fs.FS
	catalog    *catalog.Catalog
	renditions renditionStore
	log        *slog.Logger
	clock      func() time.Time
	wake       chan struct{} // of Run

	loading  sync.Mutex
	files    map[string]pictureFile // by path, as read last; guarded by loading
	previews map[string]string      // placeholders by key; guarded by loading
	current  atomic.Pointer[Portfolio]
	version  atomic.Uint64
	flight   singleflight.Group
	decoding chan struct{} // a semaphore: one photograph is decoded at a time
}

// Open reads the portfolio in fsys. It caches the sizes of photographs in the folder
// dir and logs the files it leaves out.
func Open(fsys fs.FS, catalog *catalog.Catalog, dir string, log *slog.Logger) *Library {
	l := &Library{fsys: fsys, catalog: catalog, renditions: renditionStore{dir}, log: log, clock: time.Now, previews: map[string]string{}, wake: make(chan struct{}, 1), decoding: make(chan struct{}, 1)}
	l.load(nil)
	return l
}

// Portfolio returns the current portfolio. A nil library has an empty one.
func (l *Library) Portfolio() *Portfolio {
	if l == nil {
		return &Portfolio{}
	}
	return l.current.Load()
}

// Version returns a number that increases whenever the portfolio changes.
func (l *Library) Version() uint64 { return l.version.Load() }

// load reads the portfolio again and leaves out the photographs that can't be rendered: broken has
// why, by their keys.
func (l *Library) load(broken map[string]error) {
	l.loading.Lock()
	defer l.loading.Unlock()
	r := &reader{fsys: l.fsys, catalog: l.catalog, known: l.files, read: map[string]pictureFile{}}
	p := r.portfolio(l.clock())
	l.files = r.read
	for _, project := range p.All {
		var photos []*Photo
		for _, photo := range project.all {
			if err := broken[photo.Key]; err != nil {
				r.problem(photo.File, err)
				delete(p.byKey, photo.Key)
				continue
			}
			photo.Placeholder = l.placeholder(photo.Key)
			photos = append(photos, photo)
		}
		project.show(photos)
	}
	for _, problem := range r.problems {
		l.log.Warn("skip portfolio file", "file", problem.File, "err", problem.Err)
	}
	p.Problems = r.problems
	l.current.Store(p)
	l.version.Add(1)
}

// placeholder returns the placeholder of the photograph with a key, "" if it is not
// prepared.
func (l *Library) placeholder(key string) string {
	if l.previews[key] == "" {
		if png, err := os.ReadFile(l.renditions.placeholder(key)); err == nil {
			l.previews[key] = dataURI(png)
		}
	}
	return l.previews[key]
}

// pollInterval is how often the folder is checked for changes.
const pollInterval = 10 * time.Second

// Run prepares every photograph and reloads the portfolio when its folder changes,
// until ctx ends.
func (l *Library) Run(ctx context.Context) error {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		seen := l.stamp()
		l.Prepare(ctx)
		for l.stamp() == seen && !l.due() {
			select {
			case <-ctx.Done():
				return nil
			case <-l.wake:
				seen = 0
			case <-tick.C:
			}
		}
		l.load(nil)
	}
}

// Reload reads the portfolio again at once, and has Run prepare new photographs.
func (l *Library) Reload() {
	l.load(nil)
	select {
	case l.wake <- struct{}{}:
	default: // already awake
	}
}

// due reports whether the publication time of a hidden project has come.
func (l *Library) due() bool {
	next := l.Portfolio().next
	return !next.IsZero() && !l.clock().Before(next)
}

// stamp returns a hash of the names, sizes and modification times of the files.
func (l *Library) stamp() uint64 {
	h := fnv.New64a()
	for _, root := range []string{"portfolio", "kit.md"} {
		// Files that cannot be read count as missing.
		_ = fs.WalkDir(l.fsys, root, func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return nil
			}
			if info, err := d.Info(); err == nil {
				fmt.Fprintln(h, name, info.Size(), info.ModTime().UnixNano())
			}
			return nil
		})
	}
	return h.Sum64()
}

// Prepare renders the sizes that are not cached, one photograph after another, and
// then reloads the portfolio to show their placeholders. It removes photographs that
// cannot be decoded.
func (l *Library) Prepare(ctx context.Context) {
	broken := map[string]error{}
	rendered := 0
	for _, photo := range l.Portfolio().files() {
		if ctx.Err() != nil {
			return
		}
		if l.renditions.complete(photo.Key) {
			continue
		}
		if err := l.render(ctx, photo); err != nil {
			if picture.Refusal(err) != nil {
				broken[photo.Key] = err
			}
			l.log.Warn("prepare photograph", "file", photo.File, "err", err)
			continue
		}
		rendered++
	}
	if rendered > 0 || len(broken) > 0 {
		l.load(broken)
	}
}

// Picture returns the JPEG of a photograph in one of its sizes, and renders it if it
// is not cached. It fails with fs.ErrNotExist if no photograph that everybody may see has
// the key and size.
func (l *Library) Picture(ctx context.Context, key string, size int) ([]byte, error) {
	return l.picture(ctx, l.Portfolio().ByKey(key), size)
}

// HiddenPicture is Picture for photographs that only operators see.
func (l *Library) HiddenPicture(ctx context.Context, key string, size int) ([]byte, error) {
	for _, photo := range l.Portfolio().files() {
		if photo.Key == key {
			return l.picture(ctx, photo, size)
		}
	}
	return nil, fs.ErrNotExist
}

// PictureOf is Picture for a photograph that the caller may see.
func (l *Library) PictureOf(ctx context.Context, photo *Photo, size int) ([]byte, error) {
	return l.picture(ctx, photo, size)
}

// Original opens the file of a photograph as its owner stored it, with its metadata.
func (l *Library) Original(photo *Photo) (fs.File, error) { return l.fsys.Open(photo.File) }

func (l *Library) picture(ctx context.Context, photo *Photo, size int) ([]byte, error) {
	if photo == nil || !contains(photo.Sizes(), size) {
		return nil, fs.ErrNotExist
	}
	body, err := os.ReadFile(l.renditions.file(photo.Key, size))
	if !errors.Is(err, fs.ErrNotExist) {
		return body, err
	}
	if err := l.render(ctx, photo); err != nil {
		if picture.Refusal(err) != nil {
			return nil, fs.ErrNotExist
		}
		return nil, err
	}
	return os.ReadFile(l.renditions.file(photo.Key, size))
}

// AVIFFile returns the name of the AVIF of a photograph in the cache, which is the folder Cache.
func AVIFFile(key string, size int) string { return key + "-" + strconv.Itoa(size) + ".avif" }

// Cache returns the folder of the sizes.
func (l *Library) Cache() string { return l.renditions.dir }

// Pixels decodes a photograph that everybody may see in one of its sizes, and returns the size of its
// JPEG in bytes. It fails with fs.ErrNotExist as Picture does.
func (l *Library) Pixels(ctx context.Context, key string, size int) (img *image.YCbCr, jpeg int, err error) {
	body, err := l.Picture(ctx, key, size)
	if err != nil {
		return nil, 0, err
	}
	photo := l.Portfolio().ByKey(key)
	if photo == nil {
		return nil, 0, fs.ErrNotExist
	}
	select {
	case l.decoding <- struct{}{}:
		defer func() { <-l.decoding }()
	case <-ctx.Done():
		return nil, 0, ctx.Err()
	}
	data, err := readPicture(l.fsys, photo.File)
	if err != nil {
		return nil, 0, err
	}
	img, err = decode(data, photo.Exposure.Orientation, size)
	return img, len(body), err
}

func contains(sizes []int, size int) bool {
	for _, s := range sizes {
		if s == size {
			return true
		}
	}
	return false
}

// render decodes a photograph and caches its sizes. Concurrent calls for the same
// photograph share one decoding.
func (l *Library) render(ctx context.Context, photo *Photo) error {
	done := l.flight.DoChan(photo.Key, func() (any, error) {
		l.decoding <- struct{}{}
		defer func() { <-l.decoding }()
		data, err := readPicture(l.fsys, photo.File)
		if err != nil {
			return nil, err
		}
		return nil, l.renditions.render(photo.File, photo.Key, data, photo.Exposure.Orientation)
	})
	select {
	case result := <-done:
		return result.Err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// readPicture reads a file of at most MaxFile bytes.
func readPicture(fsys fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if info.Size() > MaxFile {
		return nil, picture.Refuse(picture.ExportAgain, "The file is larger than %d MB.", MaxFile>>20)
	}
	return fs.ReadFile(fsys, name)
}

// Limits on a photograph of the portfolio. They are wider than those on uploads,
// because the owner adds the files and one is decoded at a time.
const (
	MaxFile   = 128 << 20 // bytes of the file
	MaxMemory = 512 << 20 // bytes of memory to decode it
)

var limits = picture.Limits{File: MaxFile, Memory: MaxMemory}

// renditionStore is the folder in which sizes and placeholders are cached.
type renditionStore struct{ dir string }

func (s renditionStore) file(key string, size int) string {
	return filepath.Join(s.dir, key+"-"+strconv.Itoa(size)+".jpg")
}

func (s renditionStore) placeholder(key string) string { return filepath.Join(s.dir, key+".png") }

// complete reports whether all sizes of a photograph are cached. The placeholder is
// written last.
func (s renditionStore) complete(key string) bool {
	_, err := os.Stat(s.placeholder(key))
	return err == nil
}

// render checks and decodes a file and caches its sizes and placeholder.
func (s renditionStore) render(name, key string, data []byte, orientation int) error {
	if err := limits.Check(name, data); err != nil {
		return err
	}
	sizes, placeholder, err := render(data, orientation)
	if err != nil {
		return err
	}
	for _, r := range sizes {
		if err := picture.WriteFile(s.file(key, r.size), r.jpeg); err != nil {
			return err
		}
	}
	return picture.WriteFile(s.placeholder(key), placeholder)
}
