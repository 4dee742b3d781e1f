package picture

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/durable"
	"github.com/secondlight/secondlight/models/problem"
)

// Limits on an uploaded photograph. Several are decoded at a time.
const (
	MaxUpload  = 32 << 20               // bytes of the file
	maxPixels  = 40e6                   //
	maxMemory  = 256 << 20              // bytes of memory to decode it
	maxTime    = 800 * time.Millisecond // of processor time to decode and shrink it, estimated
	maxShrunk  = 10e6                   // pixels once it is shrunk, before it is scaled
	maxRatio   = 5                      // of the long side to the short side
	sweepAfter = time.Hour              // age at which Sweep deletes a file that no listing uses
)

// uploads limits the photographs of listings.
var uploads = Limits{File: MaxUpload, Pixels: maxPixels, Memory: maxMemory, Time: maxTime}

// renderTime is about the processor time to scale and encode a photograph, beside that to
// decode it.
const renderTime = 150 * time.Millisecond

// Store stores the photographs of listings as files, one for each of
// models.PhotoWidths. Files are named by a hash of their content, so identical
// photographs are stored once and a file never changes. A Store may be used by
// several goroutines.
type Store struct {
	dir      string
	decoding chan struct{} // a semaphore: decoding takes much memory
	quotas   quotas
	// inUse is held for reading from writing files until a listing refers to
	// them, and for writing while unused files are deleted.
	inUse sync.RWMutex
}

// NewStore returns a Store of the files in dir. If dir is "", the Store is disabled:
// Render and Read fail.
func NewStore(dir string) *Store {
	return &Store{dir: dir, decoding: make(chan struct{}, runtime.GOMAXPROCS(0)), quotas: quotas{members: map[string]*quota{}}}
}

// Rendered is an accepted photograph that is not saved yet: its JPEGs in every
// width, its EXIF data and what else its file says.
type Rendered struct {
	models.Photo
	Exposure Exposure
	Origin   Origin
	format   string         // "jpeg" or "png"
	jpegs    map[int][]byte // by width
}

// Render checks and decodes a member's file and renders it in every width. It returns a
// *Refused if the file is not accepted, and a *problem.Error if the member has used up
// the processor time for now. The extension of name must match the content. Render
// decodes at most GOMAXPROCS files at a time, one of each member, and returns ctx.Err()
// if ctx ends while it waits.
func (s *Store) Render(ctx context.Context, member, name string, data []byte) (*Rendered, error) {
	if s.dir == "" {
		return nil, &problem.Error{Kind: problem.Unavailable, Code: "unavailable", Message: "This site does not accept photographs.", Hint: "Ask its operator to set DATA_DIR."}
	}
	takes, err := uploads.check(name, data)
	if err != nil {
		return nil, err
	}
	r, err := inspect(data)
	if err != nil {
		return nil, err
	}
	if long, short := max(r.Width, r.Height), min(r.Width, r.Height); long > maxRatio*short {
		return nil, Refuse("Crop it.", "The picture is too narrow: %d × %d pixels, where the long side may be at most %d times the short side.", r.Width, r.Height, maxRatio)
	}
	if k := max(1, max(r.Width, r.Height)/r.longSide()); r.Width/k*(r.Height/k) > maxShrunk {
		return nil, Refuse(smaller, "The picture has too many pixels for its width: %d × %d.", r.Width, r.Height)
	}
	release, err := s.quotas.acquire(ctx, member, takes.time+renderTime)
	if err != nil {
		return nil, err
	}
	defer release()
	select {
	case s.decoding <- struct{}{}:
		defer func() { <-s.decoding }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	r.Origin = readOrigin(data, r.format)
	return r, r.render(data)
}

// ReadExposure checks a file and returns its EXIF data without decoding it.
func ReadExposure(name string, data []byte) (Exposure, error) {
	if err := (Limits{File: MaxUpload, Memory: maxMemory}).Check(name, data); err != nil {
		return Exposure{}, err
	}
	r, err := inspect(data)
	if err != nil {
		return Exposure{}, err
	}
	return r.Exposure, nil
}

// inspect reads the size and the EXIF data of a file that has passed Check.
func inspect(data []byte) (*Rendered, error) {
	format := strings.TrimPrefix(sniff(data), "image/")
	r := &Rendered{Exposure: ReadEXIF(bytes.NewReader(data), "."+format), format: format, jpegs: map[int][]byte{}}
	var err error
	r.Width, r.Height, err = Size(data, r.Exposure.Orientation)
	return r, err
}

// longSide returns the long side of the photograph in the largest of models.PhotoWidths.
func (r *Rendered) longSide() int {
	widest := models.PhotoWidths[len(models.PhotoWidths)-1]
	return max(widest, (widest*r.Height+r.Width-1)/r.Width)
}

// size returns the size of the photograph in one of models.PhotoWidths.
func (r *Rendered) size(width int) (w, h int) {
	w = min(width, r.Width)
	return w, max(1, (w*r.Height+r.Width/2)/r.Width)
}

// render renders a photograph in every width and sets its key and size. A photograph that is
// narrower than a width is not enlarged.
func (r *Rendered) render(data []byte) error {
	widest := models.PhotoWidths[len(models.PhotoWidths)-1]
	w, h := r.size(widest)
	img, err := Decode(data, r.Exposure.Orientation, w, h)
	if err != nil {
		return err
	}
	for i := len(models.PhotoWidths) - 1; i >= 0; i-- {
		w, h := r.size(models.PhotoWidths[i])
		img = Scale(img, w, h)
		if r.jpegs[models.PhotoWidths[i]], err = Encode(img); err != nil {
			return err
		}
		r.Bytes += int64(len(r.jpegs[models.PhotoWidths[i]]))
	}
	r.Origin.Fingerprint = fingerprint(img)
	sum := sha256.Sum256(r.jpegs[widest])
	r.Key = hex.EncodeToString(sum[:keyBytes])
	return nil
}

// keyBytes is the length of a key in bytes. It differs from that of the portfolio's
// keys, and is enough to rule out collisions.
const keyBytes = 16

var fileName = regexp.MustCompile(`^([0-9a-f]{32})-([1-9][0-9]{0,4})\.jpg$`)

// ParseFileName splits the name of a stored file, such as "6f1c…f1-320.jpg", into
// its key and width. ok is false if it is not one.
func ParseFileName(file string) (key string, width int, ok bool) {
	m := fileName.FindStringSubmatch(file)
	if m == nil {
		return "", 0, false
	}
	width, _ = strconv.Atoi(m[2])
	for _, w := range models.PhotoWidths {
		ok = ok || w == width
	}
	return m[1], width, ok
}

// IsKey reports whether key has the form of a Store's keys.
func IsKey(key string) bool {
	_, _, ok := ParseFileName(key + "-" + strconv.Itoa(models.PhotoWidths[0]) + ".jpg")
	return ok
}

func (s *Store) file(key string, width int) string {
	return filepath.Join(s.dir, key+"-"+strconv.Itoa(width)+".jpg")
}

// Read returns the JPEG of a photograph in one of its widths. It fails with
// fs.ErrNotExist if it is not stored.
func (s *Store) Read(key string, width int) ([]byte, error) {
	if s.dir == "" {
		return nil, fs.ErrNotExist
	}
	return os.ReadFile(s.file(key, width))
}

// Save writes photographs to the store and then calls use, which must refer to them
// in a listing. If use fails, files may remain until Sweep deletes them.
func (s *Store) Save(photos []*Rendered, use func() error) error {
	s.inUse.RLock()
	defer s.inUse.RUnlock()
	for _, r := range photos {
		for width, body := range r.jpegs {
			if err := WriteFile(s.file(r.Key, width), body); err != nil {
				return err
			}
		}
	}
	return use()
}

// UsedFunc returns those of keys that a listing refers to.
type UsedFunc func(ctx context.Context, keys []string) ([]string, error)

// KeepAll keeps every process from deleting files in dir until release is called, for
// a copy of listings and their photographs. It waits for deletions in progress.
func KeepAll(ctx context.Context, dir string) (release func() error, err error) {
	lock := newLock(dir)
	if _, err := lock.TryRLockContext(ctx, 10*time.Millisecond); err != nil {
		return nil, err
	}
	return lock.Unlock, nil
}

// newLock returns the lock of a folder, which is held exclusively to delete files.
func newLock(dir string) *flock.Flock {
	return flock.New(filepath.Join(dir, ".lock"), flock.SetPermissions(durable.FileMode))
}

// Delete deletes the photographs with these keys that no listing refers to. While
// KeepAll is in effect it leaves them to Sweep.
func (s *Store) Delete(ctx context.Context, used UsedFunc, keys ...string) error {
	if s.dir == "" || len(keys) == 0 {
		return nil
	}
	s.inUse.Lock()
	defer s.inUse.Unlock()
	return s.delete(ctx, used, keys, time.Time{})
}

// delete deletes unused photographs, and unless before is zero only files written
// before that time. The caller holds inUse.
func (s *Store) delete(ctx context.Context, used UsedFunc, keys []string, before time.Time) (err error) {
	lock := newLock(s.dir)
	if locked, err := lock.TryLock(); err != nil || !locked {
		return err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	usedKeys, err := used(ctx, keys)
	if err != nil {
		return err
	}
	isUsed := map[string]bool{}
	for _, key := range usedKeys {
		isUsed[key] = true
	}
	for _, key := range keys {
		for _, width := range models.PhotoWidths {
			name := s.file(key, width)
			if isUsed[key] {
				continue
			}
			if info, statErr := os.Stat(name); statErr != nil || !before.IsZero() && info.ModTime().After(before) {
				continue
			}
			if rmErr := os.Remove(name); !errors.Is(rmErr, fs.ErrNotExist) {
				err = errors.Join(err, rmErr)
			}
		}
	}
	return err
}

// sweepBatch is how many keys Sweep looks up at a time.
const sweepBatch = 200

// Sweep deletes every file that no listing refers to, such as those of an
// interrupted upload or of a deleted listing. It leaves files written within the
// last hour, which another server may be about to use.
func (s *Store) Sweep(ctx context.Context, used UsedFunc, now time.Time) error {
	if s.dir == "" {
		return nil
	}
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	var keys []string
	for _, e := range entries {
		if key, _, ok := ParseFileName(e.Name()); ok && !seen[key] {
			seen[key] = true
			keys = append(keys, key)
		}
	}
	for len(keys) > 0 && ctx.Err() == nil {
		n := min(sweepBatch, len(keys))
		s.inUse.Lock()
		err = errors.Join(err, s.delete(ctx, used, keys[:n], now.Add(-sweepAfter)))
		s.inUse.Unlock()
		keys = keys[n:]
	}
	return err
}
