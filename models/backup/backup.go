// Package backup writes the data of a site to an archive while the site is in use,
// and restores it, also on the other database engine.
//
// An archive is a ZIP file:
//
//	tables/{name}.jsonl  the rows of a table, each a JSON array; the first has the columns
//	files/{path}         a file of the site
//	manifest.json        a Manifest; written last, so that it marks a complete archive
//
// Archives in a Folder share their files: see there. Both may be encrypted with age.
package backup

import (
	"archive/zip"
	"cmp"
	"compress/flate"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"filippo.io/age"

	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/durable"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/store"
)

// Format is the version of the layout of archives, and PooledFormat that of archives whose
// files are in the pool of a Folder.
const (
	Format       = 1
	PooledFormat = 2
)

const (
	manifestName = "manifest.json"
	filesName    = "files.jsonl" // of a pooled archive
)

// Manifest describes an archive.
type Manifest struct {
	Format    int       `json:"format"`
	Schema    int64     `json:"schema"` // version of the database schema
	CreatedAt time.Time `json:"created_at"`
	Tables    []Table   `json:"tables"` // in the order to restore them
	Files     int       `json:"files"`

	Incomplete *Incomplete `json:"incomplete,omitempty"` // what the site lacked
}

// Table is a table of an archive.
type Table struct {
	Name string `json:"name"`
	Rows int    `json:"rows"`
}

// FilesOnly reports whether the archive has no rows.
func (m *Manifest) FilesOnly() bool { return len(m.Tables) == 0 }

// incomplete returns the *Incomplete of the archive, or nil.
func (m *Manifest) incomplete() error {
	if m.Incomplete == nil {
		return nil
	}
	return m.Incomplete
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
// the portfolio in files. Every photograph that the rows refer to is included, even if it is
// deleted meanwhile; if one is missing or damaged, the archive is written without it, and the
// error is an *Incomplete.
func Write(ctx context.Context, w io.Writer, store *store.Store, files blob.Bucket, progress Progress) (*Manifest, error) {
	m, err := write(ctx, w, nil, store, files, progress)
	return m, cmp.Or(err, m.incomplete())
}

// write writes an archive whose files are in a pool, or in the archive if that is nil. If
// the store is nil, the archive has no rows, and lacks files that are deleted meanwhile.
func write(ctx context.Context, w io.Writer, p *pool, store *store.Store, files blob.Bucket, progress Progress) (*Manifest, error) {
	a := &writer{zip: zip.NewWriter(w), pool: p, manifest: &Manifest{Format: Format, CreatedAt: time.Now().UTC().Truncate(time.Second)}, progress: progress}
	write := func(ctx context.Context) error { return a.write(ctx, store, files) }
	if store == nil {
		return a.manifest, write(ctx)
	}
	return a.manifest, picture.KeepAll(ctx, store.Listings, write)
}

type writer struct {
	zip      *zip.Writer
	pool     *pool         // nil if the archive contains its files
	listing  *json.Encoder // of the files in the pool
	photos   photoCheck
	manifest *Manifest
	progress Progress
	done     int
}

func (a *writer) write(ctx context.Context, store *store.Store, files blob.Bucket) (err error) {
	// A photograph is mostly incompressible, and rows compress well at the fastest level.
	a.zip.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	if store != nil {
		if a.manifest.Schema, err = store.Dump(ctx, a.table); err != nil {
			return err
		}
		if err := a.photos.want(ctx, store); err != nil {
			return err
		}
	}
	if err := a.files(ctx, files); err != nil {
		return err
	}
	a.manifest.Incomplete = a.photos.result()
	return errors.Join(a.writeManifest(), a.zip.Close())
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

// OwnerFiles begin the names of the files that the owner wrote and made. Servers read them
// from DATA_DIR.
var OwnerFiles = []string{"portfolio/", "pages/", "themes/", "kit.md"}

// dataFiles begin the names of the files that are backed up: the photographs of listings, and
// those of the owner.
var dataFiles = append([]string{picture.Folder}, OwnerFiles...)

// IsData reports whether backups and copies of the site include a file, because it can't
// be recreated.
func IsData(name string) bool {
	ours := slices.ContainsFunc(dataFiles, func(root string) bool {
		return name == root || strings.HasSuffix(root, "/") && strings.HasPrefix(name, root)
	})
	file, isPicture := strings.CutPrefix(name, picture.Folder)
	if isPicture {
		_, _, ours = picture.ParseFileName(file)
	}
	return ours
}

// eachFile calls each with the files that are backed up.
func eachFile(ctx context.Context, files blob.Bucket, each func(blob.Info) error) error {
	for _, root := range dataFiles {
		for info, err := range files.List(ctx, root) {
			if err == nil && IsData(info.Name) {
				err = each(info)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// files writes the files that cannot be made again.
func (a *writer) files(ctx context.Context, files blob.Bucket) error {
	if a.pool != nil {
		w, err := a.zip.Create(filesName)
		if err != nil {
			return err
		}
		a.manifest.Format, a.listing = PooledFormat, json.NewEncoder(w)
	}
	return eachFile(ctx, files, func(info blob.Info) error { return a.file(ctx, files, info) })
}

func (a *writer) file(ctx context.Context, files blob.Bucket, info blob.Info) error {
	if a.pool != nil {
		if kept, ok := a.pool.kept(info); ok {
			a.photos.file(info.Name, true)
			return a.list(kept)
		}
	}
	opened, _, err := files.Open(ctx, info.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // deleted since it was listed
	}
	if err != nil {
		return err
	}
	defer opened.Close()
	in := newFileReader(info.Name, opened)
	if a.pool != nil {
		added, err := a.pool.add(info, in)
		if err != nil {
			return err
		}
		a.photos.file(info.Name, added != nil)
		if added == nil {
			return nil
		}
		return a.list(added)
	}
	out, err := a.zip.CreateHeader(&zip.FileHeader{Name: "files/" + info.Name, Method: zip.Store, Modified: info.Modified})
	if err != nil {
		return err
	}
	a.manifest.Files++
	a.step()
	if _, err = io.Copy(out, in); err == nil {
		a.photos.file(info.Name, in.intact())
	}
	return err
}

// list writes a file of the pool to the archive's list.
func (a *writer) list(f *pooledFile) error {
	a.manifest.Files++
	a.pool.listed += f.Size
	a.step()
	_, err := fmt.Fprintln(a.pool.names, f.Name)
	return errors.Join(err, a.listing.Encode(f))
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

// WriteFile writes an archive with Write, encrypted if there are recipients. The file must
// not exist; only its owner can read it. It gets its name when it is complete and on the disk,
// also with an *Incomplete. What earlier backups in the same folder left when they were killed
// is deleted.
func WriteFile(ctx context.Context, name string, store *store.Store, files blob.Bucket, progress Progress, recipients ...age.Recipient) (m *Manifest, err error) {
	if _, err := os.Lstat(name); err == nil {
		return nil, fmt.Errorf("%s exists: name a new file", name)
	}
	if err := durable.RemoveUnfinished(filepath.Dir(name)); err != nil {
		return nil, err
	}
	err = durable.WriteFile(name, func(w io.Writer) error {
		return encrypt(w, recipients, func(w io.Writer) (err error) {
			m, err = write(ctx, w, nil, store, files, progress)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	return m, m.incomplete()
}
