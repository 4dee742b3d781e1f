package portfolio

import (
	"io"
	"log/slog"
	"testing"
	"testing/fstest"
	"time"

	"github.com/secondlight/secondlight/models/picture/picturetest"
)

// TestVisibility checks who finds and sees projects that are unlisted, private or not
// published yet.
func TestVisibility(t *testing.T) {
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	file := func(n int) *fstest.MapFile { return photograph(picturetest.JPEG(t, 40+n, 40)) }
	files := fstest.MapFS{
		"portfolio/open/index.md":     textFile("---\ntitle: Open\nlicense: CC BY 4.0\n---\n"),
		"portfolio/open/IMG_0042.jpg": file(1),
		"portfolio/open/IMG_0042.xmp": textFile(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" xmp:Rating="5"><dc:description>Before the buses</dc:description></rdf:Description></rdf:RDF></x:xmpmeta>`),
		"portfolio/link/index.md":     textFile("---\ntitle: Link\nvisibility: unlisted\nsecret: k2m4q6s8k2m4q6s8\n---\n"),
		"portfolio/link/a.jpg":        file(2),
		"portfolio/short/index.md":    textFile("---\ntitle: Short\nvisibility: unlisted\nsecret: abc\n---\n"),
		"portfolio/mine/index.md":     textFile("---\ntitle: Mine\nvisibility: private\n---\n"),
		"portfolio/mine/b.jpg":        file(3),
		"portfolio/soon/index.md":     textFile("---\ntitle: Soon\npublish: 2026-11-23T13:00:00Z\n---\n"),
		"portfolio/soon/c.jpg":        file(4),
	}
	l := Open(files, testCatalog(t), t.TempDir(), slog.New(slog.NewTextHandler(io.Discard, nil)))
	l.clock = func() time.Time { return now }
	l.load(nil)
	p := l.Portfolio()
	if len(p.All) != 4 || len(p.Projects) != 1 || len(p.Photos()) != 1 || p.Project("open") == nil {
		t.Fatalf("%d projects, %d public, %d photographs", len(p.All), len(p.Projects), len(p.Photos()))
	}
	if p.Project("link") != nil || p.Project("k2m4q6s8k2m4q6s8") != p.InFolder("link") || p.Project("mine") != nil || p.Project("soon") != nil {
		t.Error("an unlisted project is at its secret address only, others at none")
	}
	for folder, seen := range map[string]bool{"open": true, "link": true, "mine": false, "soon": false} {
		photo := p.InFolder(folder).Photos[0]
		if (p.ByKey(photo.Key) != nil) != seen {
			t.Errorf("the photograph of %s is seen: %v", folder, !seen)
		}
		if _, err := l.Picture(t.Context(), photo.Key, photo.Sizes()[0]); (err == nil) != seen {
			t.Errorf("the picture of %s: %v", folder, err)
		}
		if _, err := l.HiddenPicture(t.Context(), photo.Key, photo.Sizes()[0]); err != nil {
			t.Errorf("operators' picture of %s: %v", folder, err)
		}
	}
	photo := p.Project("open").Photos[0]
	if photo.Title != "Open 1" || photo.Caption != "Before the buses" || photo.Alt != "Before the buses" || photo.Rating != 5 || photo.License != "CC BY 4.0" || photo.Slug != "img-0042" {
		t.Errorf("read %+v", photo)
	}
	if now = now.Add(time.Hour); !l.due() {
		t.Fatal("nothing is due")
	}
	if l.Reload(); l.due() || l.Portfolio().Project("soon") == nil || len(l.Portfolio().Projects) != 2 {
		t.Error("the project is not published in time")
	}
}

func TestTitleOf(t *testing.T) {
	for base, want := range map[string]string{"IMG_0042": "", "DSC01234-edit": "", "_MG_1234": "", "PXL_20260630_101112": "", "R0001234": "", "20260630-export-2": "", "nagasaki-boats": "nagasaki boats", "Skogafoss_03": "Skogafoss 03", "DSCF1234 bearbeitet": ""} {
		if got := titleOf(base); got != want {
			t.Errorf("titleOf(%q) = %q, want %q", base, got, want)
		}
	}
}
