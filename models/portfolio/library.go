package portfolio

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/picture"
)

// Library is the portfolio as it is now: it follows its folder, and keeps the
// sizes of every photograph as files that may be thrown away at any time.
type Library struct {
	fsys    fs.FS
	catalog *models.Catalog
	kept    kept
	log     *slog.Logger

	now     atomic.Pointer[Portfolio]
	version atomic.Uint64
	flight  singleflight.Group
	turn    chan struct{} // one photograph is decoded at a time
}

// Open reads the portfolio in fsys. The sizes of its photographs are kept in the
// folder dir. log hears of files that are left out.
func Open(fsys fs.FS, catalog *models.Catalog, dir string, log *slog.Logger) *Library {
	l := &Library{fsys: fsys, catalog: catalog, kept: kept{dir}, log: log, turn: make(chan struct{}, 1)}
	l.load(nil)
	return l
}

// Portfolio is the portfolio as it is now.
func (l *Library) Portfolio() *Portfolio { return l.now.Load() }

// Version moves on when the portfolio changes.
func (l *Library) Version() uint64 { return l.version.Load() }

// load reads the portfolio again, without photographs that turned out broken.
func (l *Library) load(broken map[string]bool) {
	p, problems := Read(l.fsys, l.catalog)
	for _, problem := range problems {
		l.log.Warn("left out of the portfolio", "file", problem.File, "err", problem.Err)
	}
	for _, project := range p.Projects {
		whole := project.Photos[:0]
		for _, photo := range project.Photos {
			if broken[photo.Key] {
				delete(p.byKey, photo.Key)
				continue
			}
			if tiny, err := os.ReadFile(l.kept.placeholder(photo.Key)); err == nil {
				photo.Placeholder = dataURI(tiny)
			}
			whole = append(whole, photo)
		}
		project.Photos = whole
	}
	l.now.Store(p)
	l.version.Add(1)
}

// followEvery is how long a change of the folder may stay unseen.
const followEvery = 10 * time.Second

// Run prepares every photograph, and again what changes in the folder, until
// ctx ends.
func (l *Library) Run(ctx context.Context) error {
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	for {
		seen := l.stamp()
		l.Prepare(ctx)
		for l.stamp() == seen {
			select {
			case <-ctx.Done():
				return nil
			case <-tick.C:
			}
		}
		l.load(nil)
	}
}

// stamp is another number when a file of the portfolio has changed.
func (l *Library) stamp() uint64 {
	h := fnv.New64a()
	for _, root := range []string{"portfolio", "kit.md"} {
		// What cannot be read now is as good as not there.
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

// Prepare makes the sizes that photographs lack, one photograph after another,
// and then shows them with their placeholders. Files that cannot be decoded are
// left out from then on.
func (l *Library) Prepare(ctx context.Context) {
	broken := map[string]bool{}
	made := 0
	for _, photo := range l.Portfolio().Photos() {
		if ctx.Err() != nil {
			return
		}
		if l.kept.whole(photo.Key) {
			continue
		}
		if err := l.make(ctx, photo); err != nil {
			if picture.Refusal(err) != nil {
				broken[photo.Key] = true
			}
			l.log.Warn("photograph not prepared", "file", photo.File, "err", err)
			continue
		}
		made++
	}
	if made > 0 || len(broken) > 0 {
		l.load(broken)
	}
}

// Picture is the JPEG of a photograph in one of its sizes, which is made when it
// is not kept. It fails with fs.ErrNotExist when no photograph has the key, or
// that size.
func (l *Library) Picture(ctx context.Context, key string, size int) ([]byte, error) {
	photo := l.Portfolio().ByKey(key)
	if photo == nil || !contains(photo.Sizes(), size) {
		return nil, fs.ErrNotExist
	}
	body, err := os.ReadFile(l.kept.size(key, size))
	if !errors.Is(err, fs.ErrNotExist) {
		return body, err
	}
	if err := l.make(ctx, photo); err != nil {
		if picture.Refusal(err) != nil {
			return nil, fs.ErrNotExist
		}
		return nil, err
	}
	return os.ReadFile(l.kept.size(key, size))
}

func contains(sizes []int, size int) bool {
	for _, s := range sizes {
		if s == size {
			return true
		}
	}
	return false
}

// make decodes a photograph and keeps its sizes. Many who want the same one
// wait for a single decoding.
func (l *Library) make(ctx context.Context, photo *Photo) error {
	done := l.flight.DoChan(photo.Key, func() (any, error) {
		l.turn <- struct{}{}
		defer func() { <-l.turn }()
		data, err := readPicture(l.fsys, photo.File)
		if err != nil {
			return nil, err
		}
		return nil, l.kept.make(photo.File, photo.Key, data, photo.Exposure.Orientation)
	})
	select {
	case result := <-done:
		return result.Err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// readPicture is a file of at most MaxFile bytes.
func readPicture(fsys fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if info.Size() > MaxFile {
		return nil, picture.Refuse(picture.ExportAgain, "It has more than %d MB.", MaxFile>>20)
	}
	return fs.ReadFile(fsys, name)
}

// Limits of a file that is taken as a photograph. Its owner puts it there, and
// one is decoded at a time.
const (
	MaxFile   = 128 << 20 // bytes of the file
	MaxMemory = 512 << 20 // bytes the decoded picture may take
)

var limits = picture.Limits{File: MaxFile, Memory: MaxMemory}

// kept is the folder that sizes and placeholders are kept in.
type kept struct{ dir string }

func (k kept) size(key string, size int) string {
	return filepath.Join(k.dir, key+"-"+strconv.Itoa(size)+".jpg")
}

func (k kept) placeholder(key string) string { return filepath.Join(k.dir, key+".png") }

// whole reports whether everything of a photograph is kept: its placeholder is
// written last.
func (k kept) whole(key string) bool {
	_, err := os.Stat(k.placeholder(key))
	return err == nil
}

// make checks and decodes a file and keeps what is made of it.
func (k kept) make(name, key string, data []byte, orientation int) error {
	if err := limits.Check(name, data); err != nil {
		return err
	}
	sizes, placeholder, err := render(data, orientation)
	if err != nil {
		return err
	}
	for _, r := range sizes {
		if err := picture.WriteFile(k.size(key, r.size), r.jpeg); err != nil {
			return err
		}
	}
	return picture.WriteFile(k.placeholder(key), placeholder)
}
