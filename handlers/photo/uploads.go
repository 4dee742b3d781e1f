package photo

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"golang.org/x/sync/errgroup"
)

// Uploads stores the photos that members upload.
type Uploads struct {
	Listings *store.Listings
	Site     *store.Site
	Photos   *picture.Store
	Log      *slog.Logger
	Clock    models.Clock
	Started  time.Time // of the server
}

// UploadTime limits the processing of one request's photos, including the time in the queue.
const UploadTime = 60 * time.Second

// Store renders uploaded files, calls add to store the photos in the database, and
// saves their files. If add fails, the files are deleted; if the bucket can't be reached, they
// are left to Sweep. The client can't cancel it.
func (s *Uploads) Store(ctx context.Context, files []web.Upload, add func(context.Context, []models.Photo, []*picture.Rendered) error) ([]*picture.Rendered, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), UploadTime)
	defer cancel()
	rendered, err := s.renderPhotos(ctx, files)
	if err != nil {
		return nil, err
	}
	photos, keys := make([]models.Photo, len(rendered)), make([]string, len(rendered))
	for i, t := range rendered {
		photos[i], keys[i] = t.Photo, t.Key
	}
	if err := s.Photos.Save(ctx, s.Listings, rendered, func() error { return add(ctx, photos, rendered) }); err != nil {
		if !blob.IsUnavailable(err) {
			s.Delete(ctx, keys...)
		}
		return nil, err
	}
	return rendered, nil
}

// renderPhotos renders uploaded files, or returns a field error for each rejected file.
func (s *Uploads) renderPhotos(ctx context.Context, files []web.Upload) ([]*picture.Rendered, error) {
	rendered, refused := make([]*picture.Rendered, len(files)), make([]error, len(files))
	var work errgroup.Group
	for i, f := range files {
		work.Go(func() (err error) {
			rendered[i], err = s.Photos.Render(ctx, caller.ID(ctx), f.Name, f.Bytes)
			if picture.Refusal(err) != nil {
				refused[i], err = err, nil
			}
			return err
		})
	}
	if err := work.Wait(); err != nil {
		if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			err = &problem.Error{Kind: problem.Unavailable, Code: "unavailable", Message: problem.Textf("Too many photos are being processed."), Hint: problem.Textf("Try again in a minute, or send fewer photos at once."), Cause: err}
		}
		return nil, err
	}
	var fieldErrors web.FieldErrors
	for i, err := range refused {
		if err != nil {
			AddPhotoError(&fieldErrors, files[i].Name, i, err)
		}
	}
	if err := fieldErrors.Err(); err != nil {
		return nil, err
	}
	return rendered, nil
}

// Delete moves the files of photos that no listing uses to the trash. It logs errors: Sweep finds
// what is left.
func (s *Uploads) Delete(ctx context.Context, keys ...string) {
	var ours []string
	for _, key := range keys {
		if picture.IsKey(key) {
			ours = append(ours, key)
		}
	}
	if err := s.Photos.Delete(ctx, s.Listings, ours...); err != nil {
		s.Log.Warn("delete photos", "err", err)
	}
}

// SavePrivate renders and saves an uploaded photo, and calls use, which must refer
// to it. It returns a field error if the file is rejected.
func (s *Uploads) SavePrivate(ctx context.Context, file web.Upload, use func(models.Photo) error) (models.Photo, error) {
	rendered, err := s.renderPhotos(ctx, []web.Upload{file})
	if err != nil {
		return models.Photo{}, err
	}
	photo := rendered[0].Photo
	err = s.Photos.Save(ctx, s.Listings, []*picture.Rendered{rendered[0]}, func() error { return use(photo) })
	if err != nil {
		s.Delete(ctx, photo.Key)
	}
	return photo, err
}

// sweepWait is how long a server runs before it moves photos to the trash by itself: whoever
// started it with the wrong database has noticed by then.
const sweepWait = time.Hour

// Sweep returns photos from the trash that listings use, and moves those to it that no
// listing uses: when the server has run for sweepWait, or if an operator asks for it.
func (s *Uploads) Sweep(ctx context.Context, now bool) error {
	back, err := s.Photos.PutBack(ctx, s.Listings)
	if back > 0 {
		s.Log.Info("put back photos from the trash", "photos", back)
	}
	if err != nil || !now && s.Clock().Sub(s.Started) < sweepWait {
		return err
	}
	if err := s.Site.CheckClock(ctx, now); err != nil {
		return err
	}
	swept, err := s.Photos.Sweep(ctx, s.Listings, s.Clock(), false)
	if swept.Moved+swept.Purged > 0 {
		s.Log.Info("move unused photos to the trash", "photos", swept.Photos, "moved", swept.Moved, "purged", swept.Purged)
	}
	return err
}

// AddPhotoError adds a field error for the rejected file at an index.
func AddPhotoError(errs *web.FieldErrors, name string, index int, err error) {
	reason := picture.Refusal(err)
	errs.Add("photo", problem.Textf("%s: %s", input.FileName(name, index), reason.Reason), reason.Hint)
}
