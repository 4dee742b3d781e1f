package handlers

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
	"os"
	"path/filepath"
	"strings"

	"github.com/gofiber/fiber/v2"
	"golang.org/x/sync/singleflight"

	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/views"
)

// previews draws the pictures that stand beside links to pages, and keeps one
// for each page as a file: the newest.
type previews struct {
	server *Server
	photos *photos
	dir    string // "" keeps nothing
	flight singleflight.Group
}

// mountPreviews serves /previews/{path of a page}.{version}.jpg. Only what the
// page shows now is drawn; an older version leads there.
func (s *Server) mountPreviews(dataDir string, photos *photos) {
	p := &previews{server: s, photos: photos}
	if dataDir != "" {
		p.dir = filepath.Join(dataDir, "previews")
	}
	s.app.Get("/previews/*", p.serve)
}

func (p *previews) serve(c *fiber.Ctx) error {
	path, version, ok := previewName(string(c.Context().URI().PathOriginal()))
	if !ok {
		return fromCode("photo_not_found")
	}
	if body, err := os.ReadFile(p.file(path, version)); err == nil {
		return sendAsset(c, "image/jpeg", `"`+version+`"`, cacheImmutable, body)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read preview: %w", err)
	}
	work, cancel := context.WithTimeout(context.Background(), drawTime)
	defer cancel()
	page, err := p.server.pageAt(work, path)
	if err != nil {
		return err
	}
	preview := views.PreviewOf(&p.server.site, page)
	if now := preview.Version(); now != version {
		p.server.redirect(c.Context(), views.PreviewPath(path, now), fiber.StatusFound)
		return nil
	}
	body, err, _ := p.flight.Do(path+version, func() (any, error) { return p.draw(work, path, version, &preview) })
	if err != nil {
		return err
	}
	return sendAsset(c, "image/jpeg", `"`+version+`"`, cacheImmutable, body.([]byte))
}

// previewName takes "/previews/gear/canon/eos-r6.0123456789abcdef.jpg" apart.
func previewName(address string) (path, version string, ok bool) {
	name, isJPEG := strings.CutSuffix(strings.TrimPrefix(address, "/previews"), ".jpg")
	at := strings.LastIndexByte(name, '.')
	if !isJPEG || at < 2 || len(name)-at-1 != 16 {
		return "", "", false
	}
	path, version = name[:at], name[at+1:]
	if path == "/index" {
		path = "/"
	}
	_, err := hex.DecodeString(version)
	return strings.Clone(path), strings.Clone(version), err == nil && strings.ToLower(version) == version
}

// pageAt is the page at a path, as it is now.
func (s *Server) pageAt(ctx context.Context, path string) (views.Page, error) {
	for i := range s.ops {
		op := &s.ops[i]
		if op.Page == "" || !op.Open() || !matches(op.Page, path) {
			continue
		}
		params := pathValues(op.Page, path)
		in, err := op.plan.bind(func(name string) string { return params[name] }, "", false)
		if err != nil {
			return nil, err
		}
		return op.Do(ctx, &in.in)
	}
	return nil, fromCode("page_not_found")
}

// matches reports whether a path is one of a pattern's.
func matches(pattern, path string) bool {
	names, parts := strings.Split(pattern, "/"), strings.Split(path, "/")
	if len(names) != len(parts) {
		return false
	}
	for i, name := range names {
		if name != parts[i] && !pathName.MatchString(name) {
			return false
		}
	}
	return true
}

// file is where a version of the picture of a page is kept.
func (p *previews) file(path, version string) string {
	return filepath.Join(p.dir, pageKey(path)+"-"+version+".jpg")
}

// pageKey names a page in the names of files.
func pageKey(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:12])
}

// draw makes the picture and keeps it instead of the one before.
func (p *previews) draw(ctx context.Context, path, version string, preview *views.Preview) ([]byte, error) {
	photo, err := p.photo(preview.Photo)
	if err != nil {
		return nil, err
	}
	select {
	case p.photos.turns <- struct{}{}:
		defer func() { <-p.photos.turns }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	var body bytes.Buffer
	if err := preview.Draw(&body, photo); err != nil {
		return nil, err
	}
	if p.dir == "" {
		return body.Bytes(), nil
	}
	older, _ := filepath.Glob(filepath.Join(p.dir, pageKey(path)+"-*.jpg"))
	if err := picture.WriteFile(p.file(path, version), body.Bytes()); err != nil {
		return nil, err
	}
	for _, file := range older {
		_ = os.Remove(file) // what stays is drawn over by nobody, and small
	}
	return body.Bytes(), nil
}

// photo is the photograph at a path of this site, nil for none.
func (p *previews) photo(path string) (image.Image, error) {
	key, width, ok := photoName(strings.TrimPrefix(path, "/photos/"))
	if !ok {
		return nil, nil
	}
	body, err := p.photos.read(key, width)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return jpeg.Decode(bytes.NewReader(body))
}
