package photo

import (
	"context"
	"errors"
	"image"
	"io/fs"
	"log/slog"
	"sync"

	"github.com/gofiber/fiber/v2"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/picture"
)

// AVIFs finds the AVIFs of public photographs for programs that accept them, and makes those that
// are missing in the background, one at a time. Until then, and where none can be made, JPEGs are
// served. A nil *AVIFs has none.
type AVIFs struct {
	log   *slog.Logger
	queue chan AVIF

	mu    sync.Mutex
	known map[string]avifState // by file; bounded
	off   bool                 // none can be made here
}

// AVIF is the AVIF of a photograph in a size.
type AVIF struct {
	Files  blob.Bucket
	Name   string                                                        // of the file, which is empty if the JPEG is smaller
	Pixels func(context.Context) (img *image.YCbCr, jpeg int, err error) // to make it of, nil for none, and the size of the JPEG in bytes
	Public func(context.Context) (bool, error)                           // whether everybody may see the photograph; nil if that doesn't change
}

// avifState is what is known about a file. A file of which nothing is known may exist.
type avifState int

const (
	avifQueued avifState = iota + 1
	avifMade
	avifUseless // the JPEG is smaller, or the AVIF can't be made
)

// Limits of what is in memory.
const (
	maxQueued = 1000
	maxKnown  = 100_000
)

// NewAVIFs returns AVIFs. Those that are missing are made while Run runs.
func NewAVIFs(log *slog.Logger) *AVIFs {
	return &AVIFs{log: log, queue: make(chan AVIF, maxQueued), known: map[string]avifState{}}
}

// Find returns the AVIF of a photograph that everybody may see, if the request accepts it. If there is
// none, file is empty, and the JPEG should be sent with this Cache-Control.
func (a *AVIFs) Find(ctx context.Context, c *fiber.Ctx, of AVIF) (file []byte, caching string) {
	if a == nil || of.Files == nil || !acceptsAVIF(c.Context().Request.Header.PeekAll("Accept")) {
		return nil, web.CacheImmutable
	}
	switch a.state(of.Name) {
	case avifUseless:
		return nil, web.CacheImmutable
	case avifQueued:
		return nil, web.CacheDay
	}
	file, err := of.Files.Read(ctx, of.Name)
	switch {
	case err == nil:
		return file, a.found(of.Name, file)
	case errors.Is(err, fs.ErrNotExist):
		return nil, a.enqueue(of)
	}
	a.log.Warn("read avif", "file", of.Name, "err", err)
	return nil, web.CacheDay
}

// acceptsAVIF reports whether Accept lines are those of a picture in a page, in a program that shows AVIF.
// Where texts are accepted too, somebody opens or downloads a file that is called .jpg.
func acceptsAVIF(fields [][]byte) bool {
	return web.AcceptsType(fields, "image", "avif") && !web.AcceptsText(fields)
}

// found remembers a file, and returns for how long the photograph doesn't change.
func (a *AVIFs) found(name string, file []byte) (caching string) {
	state := avifMade
	if len(file) == 0 {
		state = avifUseless
	}
	a.set(name, state)
	return web.CacheImmutable
}

// enqueue has an AVIF made, and returns for how long its JPEG may be shown in its place.
func (a *AVIFs) enqueue(of AVIF) (caching string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.off {
		return web.CacheImmutable
	}
	if a.known[of.Name] == avifQueued {
		return web.CacheDay
	}
	select {
	case a.queue <- of:
		a.remember(of.Name, avifQueued)
	default: // the next reader asks again
	}
	return web.CacheDay
}

// Run makes AVIFs until ctx ends.
func (a *AVIFs) Run(ctx context.Context) {
	for {
		select {
		case of := <-a.queue:
			a.makeOne(ctx, of)
		case <-ctx.Done():
			return
		}
	}
}

// makeOne makes an AVIF, unless another server has made it.
func (a *AVIFs) makeOne(ctx context.Context, of AVIF) {
	if file, err := of.Files.Read(ctx, of.Name); err == nil {
		a.found(of.Name, file)
		return
	}
	file, err := of.encode(ctx)
	if err == nil {
		err = of.store(ctx, file)
	}
	switch {
	case err == nil:
		a.found(of.Name, file)
	case errors.Is(err, picture.ErrNoCodec):
		a.log.Warn("photos are served as JPEG only: AVIF can't be encoded here", "err", err)
		a.turnOff()
	case ctx.Err() != nil || errors.Is(err, fs.ErrNotExist):
		a.set(of.Name, 0) // the photograph is deleted, or this server stops
	default:
		a.log.Warn("make avif", "file", of.Name, "err", err)
		a.set(of.Name, avifUseless)
	}
}

// encode returns the file, empty if the JPEG is smaller. It fails with fs.ErrNotExist if the photograph
// is deleted or hidden by now.
func (of AVIF) encode(ctx context.Context) ([]byte, error) {
	if err := of.checkPublic(ctx); err != nil {
		return nil, err
	}
	img, jpeg, err := of.Pixels(ctx)
	if err != nil || img == nil {
		return nil, err
	}
	file, err := picture.EncodeAVIF(ctx, img)
	if err == nil && len(file) >= jpeg {
		file = []byte{}
	}
	return file, err
}

// store writes the file, and deletes it again if the photograph was deleted or hidden in the meantime.
func (of AVIF) store(ctx context.Context, file []byte) error {
	if err := blob.WriteBytes(ctx, of.Files, of.Name, file); err != nil {
		return err
	}
	err := of.checkPublic(ctx)
	if err != nil {
		err = errors.Join(err, of.Files.Delete(ctx, of.Name))
	}
	return err
}

// checkPublic fails with fs.ErrNotExist unless everybody may see the photograph.
func (of AVIF) checkPublic(ctx context.Context) error {
	if of.Public == nil {
		return nil
	}
	public, err := of.Public(ctx)
	if err == nil && !public {
		err = fs.ErrNotExist
	}
	return err
}

func (a *AVIFs) turnOff() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.off = true
	clear(a.known)
}

func (a *AVIFs) state(name string) avifState {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.known[name]
}

// set remembers the state of a file, or forgets it if state is 0.
func (a *AVIFs) set(name string, state avifState) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.remember(name, state)
}

// remember is set for callers that hold mu. Nothing is lost but time if what is known is forgotten.
func (a *AVIFs) remember(name string, state avifState) {
	if len(a.known) >= maxKnown {
		clear(a.known)
	}
	if state == 0 {
		delete(a.known, name)
	} else {
		a.known[name] = state
	}
}
