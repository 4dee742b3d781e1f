// Package photo stores and serves the photos of listings, and the preview images of pages.
package photo

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"golang.org/x/sync/singleflight"

	"github.com/secondlight/secondlight/handlers/codes"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/demo/drawing"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/store"
)

// DrawTime limits the time to serve a photo, including the time in the queue.
const DrawTime = 10 * time.Second

// Costs in requests of images that have to be drawn. A page of listings may show 24
// photos that nobody has seen before.
const (
	drawnPhotoCost = 5
	previewCost    = 20
)

// Photos serves the photos of listings. Photos of demonstration listings are drawn on
// the first request and cached as files, by each server; uploaded photos are in the photo
// store.
type Photos struct {
	Listings *store.Listings
	Photos   *picture.Store
	Charge   func(c *fiber.Ctx, cost int) error
	Identify func(*fiber.Ctx) *web.Identity // returns the caller, nil for nobody
	Log      *slog.Logger

	Dir    string // cache directory; "" disables the cache
	Known  func(ctx context.Context, key string) (bool, error)
	flight singleflight.Group
	Turns  chan struct{} // its capacity is the number of concurrent drawings
	AVIFs  *AVIFs
}

// NewTurns returns a channel whose capacity is the number of concurrent drawings.
func NewTurns() chan struct{} { return make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1)) }

func (p *Photos) Serve(c *fiber.Ctx) error {
	if key, width, ok := picture.ParseFileName(c.Params("file")); ok {
		return p.serveUpload(c, strings.Clone(key), width)
	}
	key, width, ok := photoName(c.Params("file"))
	if !ok {
		return codes.New("photo_not_found")
	}
	body, err := p.cached(key, width)
	if err == nil && body == nil {
		if err := p.Charge(c, drawnPhotoCost); err != nil {
			return err
		}
		body, err = p.Read(context.Background(), key, width)
	}
	if err != nil {
		return err
	}
	avif, caching := p.AVIFs.Find(context.Background(), c, p.drawnAVIF(key, width))
	if len(avif) > 0 {
		return SendAVIF(c, key, width, avif)
	}
	sum := sha256.Sum256(body)
	return web.SendAsset(c, "image/jpeg", `"`+hex.EncodeToString(sum[:8])+`"`, caching, body)
}

// drawnAVIF returns the AVIF of a photo that is drawn. Like its JPEGs, it is cached by each server.
func (p *Photos) drawnAVIF(key string, width int) AVIF {
	if p.Dir == "" || !picture.HasAVIF(width) {
		return AVIF{}
	}
	return AVIF{Files: blob.Folder(p.Dir), Name: key + "-" + strconv.Itoa(width) + ".avif", Pixels: func(ctx context.Context) (*image.YCbCr, int, error) { return p.pixels(ctx, key, width) }}
}

// uploadedAVIF returns the AVIF of an uploaded photo. It is stored beside its JPEGs.
func (p *Photos) uploadedAVIF(key string, width int) AVIF {
	if !picture.HasAVIF(width) {
		return AVIF{}
	}
	return AVIF{Files: p.Photos.Files(), Name: picture.AVIFFile(key, width),
		Pixels: func(ctx context.Context) (*image.YCbCr, int, error) { return p.pixels(ctx, key, width) },
		Public: func(ctx context.Context) (bool, error) { return p.Known(ctx, key) }}
}

// pixels returns what the AVIF of a photo is made of, and the size of its JPEG in bytes.
func (p *Photos) pixels(ctx context.Context, key string, width int) (*image.YCbCr, int, error) {
	jpeg, err := p.Read(ctx, key, width)
	if err != nil {
		return nil, 0, err
	}
	largest, err := p.Read(ctx, key, slices.Max(models.PhotoWidths))
	if err != nil {
		return nil, 0, err
	}
	img, err := picture.Narrow(largest, width)
	return img, len(jpeg), err
}

// SendAVIF sends the AVIF of a photo in a size.
func SendAVIF(c *fiber.Ctx, key string, width int, file []byte) error {
	return web.SendAsset(c, "image/avif", fmt.Sprintf(`"%s-%d-avif"`, key, width), web.CacheImmutable, file)
}

// serveUpload sends an uploaded photo. While no public listing shows it, only its owner
// gets it, and operators who are to look at it.
func (p *Photos) serveUpload(c *fiber.Ctx, key string, width int) error {
	if p.Known == nil {
		return codes.New("photo_not_found")
	}
	work, cancel := context.WithTimeout(context.Background(), DrawTime)
	defer cancel()
	caching := web.CacheImmutable
	shown, err := p.Known(work, key)
	if err == nil && !shown {
		caller := p.Identify(c)
		if caller == nil {
			return codes.New("photo_not_found")
		}
		caching = web.CachePrivate
		web.VaryByCaller(c)
		shown, err = p.Listings.HasOwnPhoto(work, key, caller.ID)
		if err == nil && !shown && slices.Contains(caller.Staff, string(models.Moderation)) {
			shown, err = p.Listings.HasPrivatePhoto(work, key)
		}
	}
	if err != nil {
		return fmt.Errorf("look up photo: %w", err)
	}
	if !shown {
		return codes.New("photo_not_found")
	}
	var avif []byte
	if caching == web.CacheImmutable {
		if avif, caching = p.AVIFs.Find(work, c, p.uploadedAVIF(key, width)); len(avif) > 0 {
			return SendAVIF(c, key, width, avif)
		}
	}
	body, err := p.Photos.Read(work, key, width)
	if errors.Is(err, fs.ErrNotExist) {
		return codes.New("photo_not_found")
	}
	if err != nil {
		return fmt.Errorf("read photo: %w", err)
	}
	return web.SendAsset(c, "image/jpeg", `"`+key[:16]+"-"+strconv.Itoa(width)+`"`, caching, body)
}

// photoName parses "{key}-{width}.jpg". A valid key is safe in a file name. The returned
// key does not alias file.
func photoName(file string) (key string, width int, ok bool) {
	name, isJPEG := strings.CutSuffix(file, ".jpg")
	at := strings.LastIndexByte(name, '-')
	if !isJPEG || at < 0 {
		return "", 0, false
	}
	width, err := strconv.Atoi(name[at+1:])
	if err != nil || strconv.Itoa(width) != name[at+1:] || !slices.Contains(models.PhotoWidths, width) || !drawing.IsKey(name[:at]) && !picture.IsKey(name[:at]) {
		return "", 0, false
	}
	return strings.Clone(name[:at]), width, true
}

// Read returns a photo from its file, or draws it. Concurrent calls for the same photo
// share one drawing.
func (p *Photos) Read(ctx context.Context, key string, width int) ([]byte, error) {
	if picture.IsKey(key) {
		return p.Photos.Read(ctx, key, width)
	}
	body, err := p.cached(key, width)
	if body != nil || err != nil {
		return body, err
	}
	drawn, err, _ := p.flight.Do(key+"-"+strconv.Itoa(width), func() (any, error) {
		if body, err := p.cached(key, width); body != nil || err != nil {
			return body, err // drawn in the meantime
		}
		return p.draw(key, width)
	})
	if err != nil {
		return nil, err
	}
	return drawn.([]byte), nil
}

// cached returns a photo from its file, or nil if there is none.
func (p *Photos) cached(key string, width int) ([]byte, error) {
	body, err := os.ReadFile(p.file(key, width))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read photo: %w", err)
	}
	return body, nil
}

// file returns the path of the cache file of a photo, or "" without a cache.
func (p *Photos) file(key string, width int) string {
	if p.Dir == "" {
		return ""
	}
	return filepath.Join(p.Dir, key+"-"+strconv.Itoa(width)+".jpg")
}

// draw draws a photo and caches it. It refuses keys that no public listing uses, so that
// requests for invented keys cannot fill the disk.
func (p *Photos) draw(key string, width int) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), DrawTime)
	defer cancel()
	select {
	case p.Turns <- struct{}{}:
		defer func() { <-p.Turns }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if p.Known == nil {
		return nil, codes.New("photo_not_found")
	}
	if known, err := p.Known(ctx, key); err != nil {
		return nil, fmt.Errorf("look up photo: %w", err)
	} else if !known {
		return nil, codes.New("photo_not_found")
	}
	body, err := drawing.Draw(key, width)
	if err != nil {
		return nil, err
	}
	if p.Dir == "" {
		return body, nil
	}
	if err := picture.WriteFile(p.file(key, width), body); err != nil {
		p.Log.Warn("cache photo", "err", err) // such as a full disk
	}
	return body, nil
}
