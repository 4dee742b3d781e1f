package portfolio

import (
	"bytes"
	"image/jpeg"
	"os"
	"path"
	"path/filepath"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/picture/picturetest"
)

// TestFormats adds a photograph in each format through the command, the editor and the folder
// itself, and compares what its file says.
func TestFormats(t *testing.T) {
	ifd0, exif := picturetest.Tags(picturetest.Exposure)
	for name, data := range map[string][]byte{
		"photo.jpg":  picturetest.With(picturetest.JPEG(t, 640, 480), picturetest.EXIF(ifd0, exif, picturetest.Munich)),
		"photo.webp": picturetest.Sample(t, "quarters.webp"),
		"photo.heic": picturetest.Sample(t, "quarters.heic"),
		"photo.avif": picturetest.Sample(t, "quarters.avif"),
	} {
		for entrance, add := range map[string]func(t *testing.T, dir string){
			"command": func(t *testing.T, dir string) {
				folder := t.TempDir()
				write(t, filepath.Join(folder, name), data)
				im := &Importer{DataDir: dir}
				if report, err := im.Folder(t.Context(), folder, "trip", "Trip"); err != nil || report.Added != 1 {
					t.Fatalf("%+v, %v", report, err)
				}
			},
			"folder": func(t *testing.T, dir string) {
				write(t, filepath.Join(dir, "portfolio", "trip", name), data)
				write(t, filepath.Join(dir, "portfolio", "trip", "index.md"), []byte("---\ntitle: Trip\n---\n"))
			},
		} {
			t.Run(name+" by "+entrance, func(t *testing.T) {
				dir := t.TempDir()
				add(t, dir)
				p, problems := Read(os.DirFS(dir), testCatalog(t), time.Now())
				checkPhoto(t, p.Project("trip"))
				if len(problems) > 0 {
					t.Error(problems)
				}
			})
		}
		t.Run(name+" by editor", func(t *testing.T) {
			e, l, _ := newEditor(t)
			folder, err := e.Create("Trip")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := e.Upload(folder, name, int64(len(data)), 0, data); err != nil {
				t.Fatal(err)
			}
			checkPhoto(t, l.Portfolio().InFolder(folder))
			photo := l.Portfolio().InFolder(folder).Photos[0]
			body, err := l.PictureOf(t.Context(), photo, photo.Sizes()[0])
			if err != nil {
				t.Fatal(err)
			}
			if img, err := jpeg.DecodeConfig(bytes.NewReader(body)); err != nil || img.Width != 360 || img.Height != 480 {
				t.Errorf("the picture is %+v, %v", img, err)
			}
		})
	}
}

// checkPhoto compares the only photograph of a project with picturetest.Exposure.
func checkPhoto(t *testing.T, p *Project) {
	t.Helper()
	if p == nil || len(p.Photos) != 1 {
		t.Fatalf("the project is %+v", p)
	}
	photo := p.Photos[0]
	want := picturetest.Exposure
	if path.Ext(photo.File) == ".heic" {
		want.Orientation = 1 // decoded upright
	}
	if photo.Exposure != want || photo.Width != 480 || photo.Height != 640 || !picture.IsPicture(photo.File) {
		t.Errorf("%s is %+v", photo.File, photo)
	}
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
