// Package backup writes the data of a site to an archive while the site is in use,
// and restores it, also on the other database engine.
//
// An archive is a ZIP file:
//
//	tables/{name}.jsonl  the rows of a table, each a JSON array; the first has the columns
//	files/{path}         a file of the data folder
//	manifest.json        a Manifest; written last, so that it marks a complete archive
package backup

import (
	"archive/zip"
	"compress/flate"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/durable"
	"github.com/secondlight/secondlight/models/picture"
)

// Format is the version of the layout of archives.
const Format = 1

const manifestName = "manifest.json"

// Manifest describes an archive.
type Manifest struct {
	Format    int       `json:"format"`
	Schema    int64     `json:"schema"` // version of the database schema
	CreatedAt time.Time `json:"created_at"`
	Tables    []Table   `json:"tables"` // in the order to restore them
	Files     int       `json:"files"`
}

// Table is a table of an archive.
type Table struct {
	Name string `json:"name"`
	Rows int    `json:"rows"`
}

// Rows returns the number of rows of all tables.
func (m *Manifest) Rows() (n int) {
	for _, t := range m.Tables {
		n += t.Rows
	}
	return n
}

// Progress is called after every step with the number of rows or files that are
// done and the total. The total grows while it is unknown.
type Progress func(done, total int)

// Write writes the rows of the store, as they are at one moment, and the photographs and
// the portfolio in dataDir. Every photograph that the rows refer to is included, if it
// exists, even if it is deleted meanwhile.
func Write(ctx context.Context, w io.Writer, store *models.Store, dataDir string, progress Progress) (*Manifest, error) {
	release, err := keepPhotos(ctx, dataDir)
	if err != nil {
		return nil, err
	}
	defer release()
	a := &writer{zip: zip.NewWriter(w), manifest: &Manifest{Format: Format, CreatedAt: time.Now().UTC().Truncate(time.Second)}, progress: progress}
	// A photograph is mostly incompressible, and rows compress well at the fastest level.
	a.zip.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	if a.manifest.Schema, err = store.Dump(ctx, a.table); err != nil {
		return nil, err
	}
	if err := a.files(ctx, dataDir); err != nil {
		return nil, err
	}
	return a.manifest, errors.Join(a.writeManifest(), a.zip.Close())
}

// keepPhotos keeps photographs from being deleted until release is called.
func keepPhotos(ctx context.Context, dataDir string) (release func() error, err error) {
	photos := filepath.Join(dataDir, "photos")
	if _, err := os.Stat(photos); errors.Is(err, fs.ErrNotExist) {
		return func() error { return nil }, nil
	}
	return picture.KeepAll(ctx, photos)
}

type writer struct {
	zip      *zip.Writer
	manifest *Manifest
	progress Progress
	done     int
}

func (a *writer) step() {
	a.done++
	a.progress(a.done, a.done)
}

// table starts a table and returns the function that writes its rows.
func (a *writer) table(name string, columns []string) (row func([]any) error, err error) {
	w, err := a.zip.Create("tables/" + name + ".jsonl")
	if err != nil {
		return nil, err
	}
	a.manifest.Tables = append(a.manifest.Tables, Table{Name: name})
	t := &a.manifest.Tables[len(a.manifest.Tables)-1]
	lines := json.NewEncoder(w)
	lines.SetEscapeHTML(false)
	return func(values []any) error {
		t.Rows++
		a.step()
		return lines.Encode(values)
	}, lines.Encode(columns)
}

// dataFiles lists the files and folders of the data folder that are backed up: the
// photographs of listings, and what the owner wrote and made.
var dataFiles = []string{"photos", "portfolio", "pages", "themes", "kit.md"}

// files writes the files of the data folder that cannot be made again.
func (a *writer) files(ctx context.Context, dataDir string) error {
	for _, root := range dataFiles {
		err := fs.WalkDir(os.DirFS(dataDir), root, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil // a missing folder, or an unfinished file that has got its name
			case err != nil:
				return err
			case !isData(path, entry):
				return ctx.Err()
			}
			return a.file(dataDir, path)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// isData reports whether a file is to be backed up: not a temporary file, nor a picture
// that is made from another one.
func isData(path string, entry fs.DirEntry) bool {
	if !entry.Type().IsRegular() || strings.HasPrefix(entry.Name(), durable.TempPrefix) {
		return false
	}
	_, _, isPhoto := picture.ParseFileName(entry.Name())
	return isPhoto || !strings.HasPrefix(path, "photos/")
}

func (a *writer) file(dataDir, path string) error {
	in, err := os.Open(filepath.Join(dataDir, filepath.FromSlash(path)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil // of the portfolio, deleted since it was listed
	}
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := a.zip.CreateHeader(&zip.FileHeader{Name: "files/" + path, Method: zip.Store, Modified: info.ModTime()})
	if err != nil {
		return err
	}
	a.manifest.Files++
	a.step()
	_, err = io.Copy(out, in)
	return err
}

func (a *writer) writeManifest() error {
	w, err := a.zip.Create(manifestName)
	if err != nil {
		return err
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(a.manifest)
}

// WriteFile writes an archive with Write. The file must not exist; only its owner can
// read it. It gets its name when it is complete and on the disk.
func WriteFile(ctx context.Context, name string, store *models.Store, dataDir string, progress Progress) (m *Manifest, err error) {
	if _, err := os.Lstat(name); err == nil {
		return nil, fmt.Errorf("%s exists: name a new file", name)
	}
	err = durable.WriteFile(name, func(w io.Writer) (err error) {
		m, err = Write(ctx, w, store, dataDir, progress)
		return err
	})
	return m, err
}
