package picture

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"sync"
	"time"

	"github.com/secondlight/secondlight/models"
)

// Limits of a photograph that a member sends. Several are decoded at once.
const (
	MaxUpload   = 32 << 20  // bytes of the file
	memoryEach  = 256 << 20 // bytes the decoded picture may take
	narrowest   = 5         // the long side is at most so many times the short one
	forgetAfter = time.Hour // how long files that nothing names yet are left alone
)

// Shelf keeps the photographs of listings in their widths as files. Their names
// say what is in them: the same picture is kept once, and never changes.
type Shelf struct {
	dir   string
	turns chan struct{} // as many as are decoded at once
	// using is held for reading from when files are put here until a listing
	// names them, and for writing while files that none names are thrown away.
	using sync.RWMutex
}

// NewShelf is the shelf in a folder, "" for one that keeps nothing.
func NewShelf(dir string) *Shelf {
	return &Shelf{dir: dir, turns: make(chan struct{}, runtime.GOMAXPROCS(0))}
}

// Taken is a photograph out of a file: its sizes, and what its camera wrote.
type Taken struct {
	models.Photo
	Exposure Exposure
	widths   map[int][]byte
}

// Take makes a photograph of a file, or says with a *Refused why not. The file's
// name tells what it should be. As many are decoded at once as there are
// processors; who waits for a turn leaves with ctx.
func (s *Shelf) Take(ctx context.Context, name string, data []byte) (*Taken, error) {
	if s.dir == "" {
		return nil, &models.Error{Kind: models.Unavailable, Code: "unavailable", Message: "This site keeps no photographs.", Hint: "Ask its operator to set DATA_DIR."}
	}
	t, err := look(name, data)
	if err != nil {
		return nil, err
	}
	if long, short := max(t.Width, t.Height), min(t.Width, t.Height); long > narrowest*short {
		return nil, Refuse("Crop it.", "It has %d × %d pixels, and is too long for its breadth.", t.Width, t.Height)
	}
	select {
	case s.turns <- struct{}{}:
		defer func() { <-s.turns }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return t, t.render(data)
}

// Look checks a file and reads what its camera wrote, without decoding it.
func Look(name string, data []byte) (Exposure, error) {
	t, err := look(name, data)
	if err != nil {
		return Exposure{}, err
	}
	return t.Exposure, nil
}

func look(name string, data []byte) (*Taken, error) {
	if err := (Limits{File: MaxUpload, Memory: memoryEach}).Check(name, data); err != nil {
		return nil, err
	}
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, Refuse(ExportAgain, "It cannot be decoded: %v.", err)
	}
	t := &Taken{Exposure: ReadEXIF(bytes.NewReader(data), "."+format), widths: map[int][]byte{}}
	t.Width, t.Height = Upright(config.Width, config.Height, t.Exposure.Orientation)
	return t, nil
}

// render makes the widths of a photograph. One that is smaller than a width is
// not made larger.
func (t *Taken) render(data []byte) error {
	widest := models.PhotoWidths[len(models.PhotoWidths)-1]
	img, err := Decode(data, t.Exposure.Orientation, max(widest, (widest*t.Height+t.Width-1)/t.Width))
	if err != nil {
		return err
	}
	for i := len(models.PhotoWidths) - 1; i >= 0; i-- {
		w := min(models.PhotoWidths[i], t.Width)
		img = Scale(img, w, max(1, (w*t.Height+t.Width/2)/t.Width))
		if t.widths[models.PhotoWidths[i]], err = Encode(img); err != nil {
			return err
		}
	}
	sum := sha256.Sum256(t.widths[widest])
	t.Key = hex.EncodeToString(sum[:keyBytes])
	return nil
}

// keyBytes is how long a key is: longer than those of the portfolio's photographs,
// and long enough that nobody makes two pictures of one.
const keyBytes = 16

var shelved = regexp.MustCompile(`^([0-9a-f]{32})-([1-9][0-9]{0,4})\.jpg$`)

// ShelfName takes the name of a file on a shelf apart; false when it is none.
func ShelfName(file string) (key string, width int, ok bool) {
	m := shelved.FindStringSubmatch(file)
	if m == nil {
		return "", 0, false
	}
	width, _ = strconv.Atoi(m[2])
	for _, w := range models.PhotoWidths {
		ok = ok || w == width
	}
	return m[1], width, ok
}

// IsKey reports whether a key is one of a shelf's.
func IsKey(key string) bool {
	_, _, ok := ShelfName(key + "-" + strconv.Itoa(models.PhotoWidths[0]) + ".jpg")
	return ok
}

func (s *Shelf) file(key string, width int) string {
	return filepath.Join(s.dir, key+"-"+strconv.Itoa(width)+".jpg")
}

// Read is a photograph in one of its widths; fs.ErrNotExist when it is not kept.
func (s *Shelf) Read(key string, width int) ([]byte, error) {
	if s.dir == "" {
		return nil, fs.ErrNotExist
	}
	return os.ReadFile(s.file(key, width))
}

// Keep puts photographs on the shelf, and then lets use give them to a listing.
// When that fails they may be left over; Sweep finds them.
func (s *Shelf) Keep(photos []*Taken, use func() error) error {
	s.using.RLock()
	defer s.using.RUnlock()
	for _, t := range photos {
		for width, body := range t.widths {
			if err := WriteFile(s.file(t.Key, width), body); err != nil {
				return err
			}
		}
	}
	return use()
}

// Used tells which of some keys a listing has.
type Used func(ctx context.Context, keys []string) ([]string, error)

// Drop throws the photographs of keys away that no listing has any more.
func (s *Shelf) Drop(ctx context.Context, used Used, keys ...string) error {
	if s.dir == "" || len(keys) == 0 {
		return nil
	}
	s.using.Lock()
	defer s.using.Unlock()
	return s.drop(ctx, used, keys, time.Time{})
}

// drop throws away what no listing has and what is older than a time, 0 for any.
func (s *Shelf) drop(ctx context.Context, used Used, keys []string, before time.Time) error {
	inUse, err := used(ctx, keys)
	if err != nil {
		return err
	}
	keep := map[string]bool{}
	for _, key := range inUse {
		keep[key] = true
	}
	for _, key := range keys {
		for _, width := range models.PhotoWidths {
			name := s.file(key, width)
			if keep[key] {
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

// swept is how many keys are looked up at once.
const swept = 200

// Sweep throws away what no listing has: what was left over when the program
// ended in the middle, and what belonged to listings that are gone. Files of the
// last hour are left alone: another server may be about to use them.
func (s *Shelf) Sweep(ctx context.Context, used Used, now time.Time) error {
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
		if key, _, ok := ShelfName(e.Name()); ok && !seen[key] {
			seen[key] = true
			keys = append(keys, key)
		}
	}
	for len(keys) > 0 && ctx.Err() == nil {
		n := min(swept, len(keys))
		s.using.Lock()
		err = errors.Join(err, s.drop(ctx, used, keys[:n], now.Add(-forgetAfter)))
		s.using.Unlock()
		keys = keys[n:]
	}
	return err
}
