package photo

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"io/fs"
	"log/slog"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
	"golang.org/x/sync/singleflight"

	"github.com/secondlight/secondlight/content/languages"
	"github.com/secondlight/secondlight/handlers/codes"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/views/drawing"
	"github.com/secondlight/secondlight/views/ui"
)

// Previews serves the preview images of links to pages (og:image). The newest image of each
// page is stored with the files of the site, so that every server sends the same bytes.
type Previews struct {
	Site   *ui.Site
	Files  blob.Bucket
	Server interface {
		Charge(c *fiber.Ctx, cost int) error
		PageAt(ctx context.Context, path string) (web.Page, error)
		Redirect(c *fasthttp.RequestCtx, to string, status int)
	}
	Log *slog.Logger

	Photos *Photos
	flight singleflight.Group
}

// Mount serves /previews/{path of a page}.{version}.jpg. It draws the current
// version only and redirects other versions to it.
func (p *Previews) Mount(routes web.Routes) {
	routes.Get("/previews/*", p.serve)
}

func (p *Previews) serve(c *fiber.Ctx) error {
	path, version, ok := previewName(string(c.Context().URI().PathOriginal()))
	if !ok {
		return codes.New("photo_not_found")
	}
	language, at := previewLanguage(path)
	work, cancel := context.WithTimeout(language.NewContext(context.Background()), DrawTime)
	defer cancel()
	if body, err := p.read(work, path, version); err == nil {
		return web.SendAsset(c, "image/jpeg", `"`+version+`"`, web.CacheImmutable, body)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read preview: %w", err)
	}
	if err := p.Server.Charge(c, previewCost); err != nil {
		return err
	}
	page, err := p.Server.PageAt(work, at)
	if err != nil {
		return err
	}
	preview := ui.PreviewOf(work, p.Site, page.(ui.Page))
	if now := preview.Version(); now != version {
		p.Server.Redirect(c.Context(), ui.PreviewPath(work, at, now), fiber.StatusFound)
		return nil
	}
	body, err, _ := p.flight.Do(path+version, func() (any, error) { return p.draw(work, path, version, &preview) })
	if err != nil {
		return err
	}
	return web.SendAsset(c, "image/jpeg", `"`+version+`"`, web.CacheImmutable, body.([]byte))
}

// previewName parses a path such as /previews/de/gear/canon/eos-r6.0123456789abcdef.jpg.
func previewName(address string) (path, version string, ok bool) {
	name, isJPEG := strings.CutSuffix(strings.TrimPrefix(address, "/previews"), ".jpg")
	at := strings.LastIndexByte(name, '.')
	if !isJPEG || at < 2 || len(name)-at-1 != 16 {
		return "", "", false
	}
	path, version = name[:at], name[at+1:]
	_, err := hex.DecodeString(version)
	return strings.Clone(path), strings.Clone(version), err == nil && strings.ToLower(version) == version
}

// previewLanguage returns the language that the path of a preview begins with, English if
// none, and the path of the page.
func previewLanguage(path string) (l *languages.Language, page string) {
	l = languages.English
	for _, other := range languages.All[1:] {
		if rest, found := strings.CutPrefix(path, "/"+other.Code()+"/"); found {
			l, path = other, "/"+rest
		}
	}
	if path == "/index" {
		path = "/"
	}
	return l, path
}

// previewFile returns the name of the file of a version.
func previewFile(path, version string) string { return previewFiles(path) + version + ".jpg" }

// previewFiles begins the names of the files of all versions.
func previewFiles(path string) string { return "previews/" + PageKey(path) + "-" }

// read returns the stored preview of a version. It fails with fs.ErrNotExist if there is none.
func (p *Previews) read(ctx context.Context, path, version string) ([]byte, error) {
	if p.Files == nil {
		return nil, fs.ErrNotExist
	}
	return p.Files.Read(ctx, previewFile(path, version))
}

// PageKey returns the key of a page in file names.
func PageKey(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:12])
}

// draw draws a preview and stores it in place of the previous version.
func (p *Previews) draw(ctx context.Context, path, version string, preview *ui.Preview) ([]byte, error) {
	if body, err := p.read(ctx, path, version); err == nil {
		return body, nil // drawn in the meantime
	}
	photo, err := p.photo(preview.Photo)
	if err != nil {
		return nil, err
	}
	select {
	case p.Photos.Turns <- struct{}{}:
		defer func() { <-p.Photos.Turns }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	var body bytes.Buffer
	if err := drawing.Preview(preview, &body, photo); err != nil {
		return nil, err
	}
	if p.Files != nil {
		p.store(ctx, path, version, body.Bytes())
	}
	return body.Bytes(), nil
}

// store stores a preview and deletes the previous version. It logs errors, such as a full
// disk.
func (p *Previews) store(ctx context.Context, path, version string, body []byte) {
	older, err := blob.Names(ctx, p.Files, previewFiles(path))
	if err == nil {
		err = blob.WriteBytes(ctx, p.Files, previewFile(path, version), body)
	}
	if err != nil {
		p.Log.Warn("store preview", "err", err)
		return
	}
	for _, file := range older {
		if file != previewFile(path, version) {
			_ = p.Files.Delete(ctx, file) // a file that stays is small and never served
		}
	}
}

// photo returns the listing photo at a path of this site, or nil if there is none.
func (p *Previews) photo(path string) (image.Image, error) {
	key, width, ok := photoName(strings.TrimPrefix(path, "/photos/"))
	if !ok {
		return nil, nil
	}
	body, err := p.Photos.Read(context.Background(), key, width)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return jpeg.Decode(bytes.NewReader(body))
}
