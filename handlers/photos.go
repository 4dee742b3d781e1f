package handlers

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"golang.org/x/sync/singleflight"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/demo"
	"github.com/secondlight/secondlight/models/picture"
)

// drawTime is how long a photograph may take, waiting for its turn included.
const drawTime = 10 * time.Second

// photos hands out the pictures of listings. Those of demonstration listings
// are drawn when they are first asked for, and kept as files; those that members
// have sent are on the shelf.
type photos struct {
	server *Server
	dir    string // "" keeps nothing
	known  func(ctx context.Context, key string) (bool, error)
	flight singleflight.Group
	turns  chan struct{} // as many as may draw at once
}

// mountPhotos serves /photos/{key}-{width}.jpg for the keys of public listings
// and models.PhotoWidths, and /photos/{key}-{size}.jpg for the photographs of
// the portfolio; everything else is photo_not_found.
func (s *Server) mountPhotos(dataDir string) *photos {
	p := &photos{server: s, turns: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1))}
	if dataDir != "" {
		p.dir = filepath.Join(dataDir, "photos")
	}
	s.shelf = picture.NewShelf(p.dir)
	if s.store != nil {
		p.known = s.store.HasPhoto
	}
	s.app.Get("/photos/:file", func(c *fiber.Ctx) error {
		if key, size, ok := pictureName(c.Params("file")); ok && s.library != nil {
			return s.sendPicture(c, key, size)
		}
		return p.serve(c)
	})
	return p
}

func (p *photos) serve(c *fiber.Ctx) error {
	if key, width, ok := picture.ShelfName(c.Params("file")); ok {
		return p.serveShelved(c, strings.Clone(key), width)
	}
	key, width, ok := photoName(c.Params("file"))
	if !ok {
		return fromCode("photo_not_found")
	}
	body, err := p.read(key, width)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(body)
	return sendAsset(c, "image/jpeg", `"`+hex.EncodeToString(sum[:8])+`"`, cacheImmutable, body)
}

// serveShelved sends a photograph a member has sent, while a public listing shows
// it; before and after that to its owner alone.
func (p *photos) serveShelved(c *fiber.Ctx, key string, width int) error {
	s, ctx := p.server, c.Context()
	if p.known == nil {
		return fromCode("photo_not_found")
	}
	work, cancel := context.WithTimeout(context.Background(), drawTime)
	defer cancel()
	caching := cacheImmutable
	shown, err := p.known(work, key)
	if err == nil && !shown {
		x := exchangeOf(ctx)
		if err := s.identify(ctx, x); err != nil || x.caller.Identity == nil {
			return fromCode("photo_not_found")
		}
		caching = cachePrivate
		ctx.Response.Header.SetCanonical(hdrVary, []byte(varyByCaller))
		shown, err = s.store.HasOwnPhoto(work, key, x.caller.Member.ID)
	}
	if err != nil {
		return fmt.Errorf("look up photograph: %w", err)
	}
	if !shown {
		return fromCode("photo_not_found")
	}
	body, err := s.shelf.Read(key, width)
	if errors.Is(err, fs.ErrNotExist) {
		return fromCode("photo_not_found")
	}
	if err != nil {
		return fmt.Errorf("read photograph: %w", err)
	}
	return sendAsset(c, "image/jpeg", `"`+key[:16]+"-"+strconv.Itoa(width)+`"`, caching, body)
}

// photoName takes "{key}-{width}.jpg" apart. The key is one that can be drawn or kept,
// and so can be part of the name of a file; it is the caller's to keep.
func photoName(file string) (key string, width int, ok bool) {
	name, isJPEG := strings.CutSuffix(file, ".jpg")
	at := strings.LastIndexByte(name, '-')
	if !isJPEG || at < 0 {
		return "", 0, false
	}
	width, err := strconv.Atoi(name[at+1:])
	if err != nil || strconv.Itoa(width) != name[at+1:] || !slices.Contains(models.PhotoWidths, width) || !demo.IsKey(name[:at]) && !picture.IsKey(name[:at]) {
		return "", 0, false
	}
	return strings.Clone(name[:at]), width, true
}

// read is the picture from its file, or newly drawn. Many who ask for the same
// one wait for a single drawing.
func (p *photos) read(key string, width int) ([]byte, error) {
	if picture.IsKey(key) {
		return p.server.shelf.Read(key, width)
	}
	body, err := p.kept(key, width)
	if body != nil || err != nil {
		return body, err
	}
	drawn, err, _ := p.flight.Do(key+"-"+strconv.Itoa(width), func() (any, error) {
		if body, err := p.kept(key, width); body != nil || err != nil {
			return body, err // drawn since it was looked for
		}
		return p.draw(key, width)
	})
	if err != nil {
		return nil, err
	}
	return drawn.([]byte), nil
}

// kept is the picture from its file, nil when there is none.
func (p *photos) kept(key string, width int) ([]byte, error) {
	body, err := os.ReadFile(p.file(key, width))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read photograph: %w", err)
	}
	return body, nil
}

func (p *photos) file(key string, width int) string {
	if p.dir == "" {
		return ""
	}
	return filepath.Join(p.dir, key+"-"+strconv.Itoa(width)+".jpg")
}

// draw makes a picture and keeps it, when a public listing shows it: keys that
// nobody has must not fill the disk.
func (p *photos) draw(key string, width int) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), drawTime)
	defer cancel()
	select {
	case p.turns <- struct{}{}:
		defer func() { <-p.turns }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if p.known == nil {
		return nil, fromCode("photo_not_found")
	}
	if known, err := p.known(ctx, key); err != nil {
		return nil, fmt.Errorf("look up photograph: %w", err)
	} else if !known {
		return nil, fromCode("photo_not_found")
	}
	body, err := demo.Draw(key, width)
	if err != nil {
		return nil, err
	}
	if p.dir == "" {
		return body, nil
	}
	return body, picture.WriteFile(p.file(key, width), body)
}
