package picture

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/problem"
)

// Limits on an uploaded photograph. Several are decoded at a time.
const (
	MaxUpload  = 32 << 20               // bytes of the file
	maxPixels  = 105e6                  // cameras of 100 megapixels write 101.8
	maxMemory  = 256 << 20              // bytes of memory to decode it
	maxTime    = 800 * time.Millisecond // of processor time to decode and shrink it, estimated
	maxShrunk  = 10e6                   // pixels once it is shrunk, before it is scaled
	maxRatio   = 5                      // of the long side to the short side
	sweepAfter = 6 * time.Hour          // age at which Sweep moves a file that no listing uses to the trash
)

// uploads limits the photographs of listings.
var uploads = Limits{File: MaxUpload, Pixels: maxPixels, Memory: maxMemory, Time: maxTime}

// renderTime is about the processor time to scale and encode a photograph, beside that to
// decode it.
const renderTime = 150 * time.Millisecond

// Store stores the photographs of listings as files, one for each of
// models.PhotoWidths. Files are named by a hash of their content, so identical
// photographs are stored once and a file never changes. A Store may be used by
// several goroutines, and its bucket by several servers.
type Store struct {
	files    blob.Bucket
	decoding chan struct{} // a semaphore: decoding takes much memory
	quotas   quotas
	// inUse is held for reading from writing files until a listing refers to
	// them, and for writing while unused files are deleted. Between servers, which don't
	// share it, Save and delete repair what the other did: see Save.
	inUse    sync.RWMutex
	deleting sync.Mutex // calls of Delete take turns

	ownerRead atomic.Int64 // when checkOwner last succeeded, in Unix nanoseconds
}

// NewStore returns a Store of the files in a bucket whose names begin with Folder. If the
// bucket is nil, the Store is disabled: Render and Read fail.
func NewStore(files blob.Bucket) *Store {
	return &Store{files: files, decoding: make(chan struct{}, runtime.GOMAXPROCS(0)), quotas: quotas{members: map[string]*quota{}}}
}

// Rendered is an accepted photograph that is not saved yet: its JPEGs in every
// width, its EXIF data and what else its file says.
type Rendered struct {
	models.Photo
	Exposure Exposure
	Origin   Origin
	jpegs    map[int][]byte // by width
}

// Render checks and decodes a member's file and renders it in every width. It returns a
// *Refused if the file is not accepted, and a *problem.Error if the member has used up
// the processor time for now. The extension of name must match the content. Render
// decodes at most GOMAXPROCS files at a time, one of each member, and returns ctx.Err()
// if ctx ends while it waits.
func (s *Store) Render(ctx context.Context, member, name string, data []byte) (*Rendered, error) {
	if s.files == nil {
		return nil, &problem.Error{Kind: problem.Unavailable, Code: "unavailable", Message: problem.Textf("This site doesn't accept photo uploads."), Hint: problem.Programf("Ask its operator to set DATA_DIR.")}
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
		return nil, Refuse("Crop it.", "The photo is too narrow: %d × %d pixels. The long side can be at most %d times the short side.", r.Width, r.Height, maxRatio)
	}
	if k := max(1, max(r.Width, r.Height)/r.longSide()); r.Width/k*(r.Height/k) > maxShrunk {
		return nil, Refuse(smaller, "The photo has too many pixels for its width: %d × %d.", r.Width, r.Height)
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
	r.Origin = readOrigin(data)
	return r, r.render(data)
}

// Facts returns what the files of photographs say, for operators.
func Facts(c *catalog.Catalog, rendered []*Rendered) []models.PhotoFacts {
	facts := make([]models.PhotoFacts, len(rendered))
	for i, r := range rendered {
		facts[i] = models.PhotoFacts{Key: r.Key, CameraSN: r.Origin.CameraSN, LensSN: r.Origin.LensSN, Software: r.Origin.Software, Generated: r.Origin.Generated, Fingerprint: r.Origin.Fingerprint}
		if camera := r.Exposure.Camera(c); camera != nil {
			facts[i].Camera = camera.Slug()
		}
		if lens := r.Exposure.Lens(c); lens != nil {
			facts[i].Lens = lens.Slug()
		}
	}
	return facts
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
	r := &Rendered{Exposure: ReadEXIF(bytes.NewReader(data), Extension(data)), jpegs: map[int][]byte{}}
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

// Read returns the JPEG of a photograph in one of its widths. It fails with
// fs.ErrNotExist if it is not stored.
func (s *Store) Read(ctx context.Context, key string, width int) ([]byte, error) {
	if s.files == nil {
		return nil, fs.ErrNotExist
	}
	return s.files.Read(ctx, fileOf(key, width))
}

// Save writes photographs to the store and then calls use, which must refer to them
// in a listing of refs. If use fails, files may remain until Sweep finds them. It returns an
// *OtherSite, and writes nothing, if the files belong to another site.
//
// Another server may find a file unused while Save has not called use yet, and delete it. It
// then looks again whether the photograph is used, and puts the file back. If it looks before
// use has succeeded, Save finds the file missing afterwards and writes it again.
func (s *Store) Save(ctx context.Context, refs References, photos []*Rendered, use func() error) error {
	if err := s.checkOwner(ctx, refs); err != nil {
		return err
	}
	s.inUse.RLock()
	defer s.inUse.RUnlock()
	for _, r := range photos {
		for width, body := range r.jpegs {
			if err := blob.WriteBytes(ctx, s.files, fileOf(r.Key, width), body); err != nil {
				return err
			}
		}
	}
	if err := use(); err != nil {
		return err
	}
	s.writeMissing(ctx, photos)
	return nil
}

// writeMissing writes the files of photographs that were deleted since they were written.
// It does not report errors: the photographs are used already, and nothing has failed unless
// the files were deleted at the same moment. It ends when the bucket can't be reached.
func (s *Store) writeMissing(ctx context.Context, photos []*Rendered) {
	for _, r := range photos {
		for width, body := range r.jpegs {
			_, err := s.files.Stat(ctx, fileOf(r.Key, width))
			if errors.Is(err, fs.ErrNotExist) {
				err = blob.WriteBytes(ctx, s.files, fileOf(r.Key, width), body)
			}
			if err != nil {
				return
			}
		}
	}
}

// checkOwner returns an *OtherSite unless the files belong to the site of refs.
func (s *Store) checkOwner(ctx context.Context, refs References) error {
	if time.Since(time.Unix(0, s.ownerRead.Load())) < ownerTime {
		return nil
	}
	if err := Claim(ctx, s.files, refs); err != nil {
		return err
	}
	s.ownerRead.Store(time.Now().UnixNano())
	return nil
}
