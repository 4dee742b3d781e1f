// Package bulk makes the bulk files of gear, listings, estimates, trends and sales.
package bulk

import (
	"bufio"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/secondlight/secondlight/handlers/codes"
	"github.com/secondlight/secondlight/handlers/job"
	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/durable"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views/ui"
)

// Paths of the bulk files and their manifest.
const (
	bulkPath     = "/data/"
	ManifestPath = bulkPath + "manifest.json"
)

// bulkJob is the name of the lease of the server that makes the files.
const bulkJob = "bulk files"

// Manifest describes the bulk files of a day.
type Manifest struct {
	Day     models.Day `json:"day"`              // in UTC
	MadeAt  string     `json:"made_at"`          // RFC 3339
	Cursor  string     `json:"cursor,omitempty"` // of the change feed: the files show all changes up to it
	Notice  string     `json:"notice,omitempty"`
	Terms   string     `json:"terms"`
	Files   []BulkFile `json:"files"`
	Recipes []Recipe   `json:"recipes"` // set when the manifest is read
}

// BulkFile describes a bulk file.
type BulkFile struct {
	Name      string `json:"name"`
	URL       string `json:"url"` // set when the manifest is read
	Contents  string `json:"contents"`
	Schema    string `json:"schema"`
	MediaType string `json:"media_type"` // of the uncompressed file
	Rows      int    `json:"rows"`       // without the header
	Bytes     int64  `json:"bytes"`      // compressed
	SHA256    string `json:"sha256"`     // of the compressed file
}

// bulkTerms is what users of the bulk files must know.
const bulkTerms = "Public data only. Listings may have been sold or removed since made_at: read one again before you rely on it, and link to its page. Paths are on this site. Prices of trends are figures of at least 5 sales, and estimates are of made_at. To follow, ask /api/changes for what changed since cursor. The catalogue's names come from lensfun, CC BY-SA 3.0."

// Bulk makes the bulk files once a day and serves them. The files of a day are in a
// folder of that name. The manifest is written last, so that it never describes files
// that are incomplete or of another day.
type Bulk struct {
	Prices    *store.Prices
	Site      *ui.Site
	Index     *search.Index
	Feed      *search.Feed // of the index; nil in a server without
	Catalog   *catalog.Catalog
	Estimates *market.Estimates
	Leases    *job.Leases
	Files     blob.Bucket
	DataDir   string
	Clock     models.Clock

	manifest atomic.Pointer[Manifest] // nil until there is one
}

// Mount serves the bulk files from the files of the site. It calls file with each path.
func (b *Bulk) Mount(file func(path string, handler fiber.Handler)) {
	file(ManifestPath, b.serveManifest)
	mountRecipes(file)
	for _, f := range b.kinds() {
		file(bulkPath+f.Name, b.serveFile(f.Name))
	}
}

// Refresh makes the files of today if there are none. Servers that share a database
// take turns, so that those that also share the files make them once. It
// returns ErrNotDue if there was nothing to do.
func (b *Bulk) Refresh(ctx context.Context) error {
	if b.Files == nil || b.Current() {
		return job.ErrNotDue
	}
	return b.Leases.Exclusively(ctx, bulkJob, func(ctx context.Context) error {
		if b.Current() {
			return job.ErrNotDue
		}
		return b.MakeFiles(ctx)
	})
}

// Due returns when files are made next: now, or after midnight if there are those of
// today.
func (b *Bulk) Due() time.Time {
	now := b.Clock().UTC()
	if !b.Current() {
		return now
	}
	return now.Truncate(24 * time.Hour).Add(24 * time.Hour)
}

// today returns the day in UTC.
func (b *Bulk) today() models.Day { return models.DayAt(b.Clock()) }

// Current reports whether there are files of today. It reads the manifest again, which
// another server may have written.
func (b *Bulk) Current() bool {
	m := b.Read()
	return m != nil && m.Day == b.today()
}

// Read returns the manifest, or nil if there is none.
func (b *Bulk) Read() *Manifest {
	last := b.manifest.Load()
	if b.Files == nil || last != nil && last.Day == b.today() {
		return last
	}
	text, err := b.Files.Read(context.Background(), manifestFile)
	m := &Manifest{}
	if err != nil || json.Unmarshal(text, m) != nil {
		return last
	}
	b.setAddresses(m)
	m.Recipes = b.recipes()
	b.manifest.Store(m)
	return m
}

// setAddresses sets the addresses of the files: the manifest may have been written when
// BASE_URL was another.
func (b *Bulk) setAddresses(m *Manifest) {
	known := b.kinds()
	for i := range m.Files {
		f := &m.Files[i]
		f.URL = b.Site.URL(bulkPath + f.Name)
		if at := slices.IndexFunc(known, func(k bulkFile) bool { return k.Name == f.Name }); at >= 0 {
			f.Schema = known[at].Schema
		}
	}
}

// Names of the files.
const (
	bulkFolder   = "bulk/"
	manifestFile = bulkFolder + "manifest.json"
)

// bulkName returns the name of a file of a day.
func bulkName(day models.Day, name string) string { return bulkFolder + string(day) + "/" + name }

// MakeFiles writes the files of today and then the manifest, and deletes those of days
// before the last.
func (b *Bulk) MakeFiles(ctx context.Context) error {
	last := b.Read()
	m := &Manifest{Day: b.today(), MadeAt: b.Clock().UTC().Format(time.RFC3339), Terms: bulkTerms}
	if b.Feed != nil {
		m.Cursor = b.Feed.Cursor() // before the rows are read, so that no change is missed
	}
	if b.Site.Demo() {
		m.Notice = ui.DemoNotice
	}
	for _, f := range b.kinds() {
		made, err := b.makeFile(ctx, m.Day, f)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		m.Files = append(m.Files, made)
	}
	text, err := json.Marshal(m)
	if err == nil {
		err = blob.WriteBytes(ctx, b.Files, manifestFile, text)
	}
	if err != nil {
		return err
	}
	return b.deleteBut(ctx, m, last)
}

// bulkFile is a bulk file with the function that writes its rows.
type bulkFile struct {
	BulkFile
	write func(context.Context, io.Writer) (rows int, err error)
}

// makeFile writes a file and returns it with its size and checksum.
func (b *Bulk) makeFile(ctx context.Context, day models.Day, f bulkFile) (BulkFile, error) {
	file, sum := f.BulkFile, sha256.New()
	made, err := os.CreateTemp(b.DataDir, durable.TempPrefix+"bulk-*")
	if err != nil {
		return file, err
	}
	defer os.Remove(made.Name())
	defer made.Close()
	count := &countingWriter{w: io.MultiWriter(made, sum)}
	buffered := bufio.NewWriterSize(count, 1<<16)
	zip := gzip.NewWriter(buffered)
	if file.Rows, err = f.write(ctx, zip); err != nil {
		return file, err
	}
	if err := errors.Join(zip.Close(), buffered.Flush()); err != nil {
		return file, err
	}
	file.Bytes, file.SHA256 = count.n, hex.EncodeToString(sum.Sum(nil))
	if _, err := made.Seek(0, io.SeekStart); err != nil {
		return file, err
	}
	return file, b.Files.Write(ctx, bulkName(day, file.Name), made, file.Bytes)
}

// countingWriter counts the bytes written.
type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// deleteBut deletes the files of all days but those of two manifests. Downloads of
// the last day may still be running.
func (b *Bulk) deleteBut(ctx context.Context, now, last *Manifest) error {
	names, err := blob.Names(ctx, b.Files, bulkFolder)
	for _, name := range names {
		isOf := func(m *Manifest) bool { return m != nil && strings.HasPrefix(name, bulkName(m.Day, "")) }
		if name != manifestFile && !isOf(now) && !isOf(last) {
			err = errors.Join(err, b.Files.Delete(ctx, name))
		}
	}
	return err
}

// serveManifest sends the manifest.
func (b *Bulk) serveManifest(c *fiber.Ctx) error {
	m := b.Read()
	if m == nil {
		return codes.New("bulk_files_missing")
	}
	body, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	sum := sha256.Sum256(body)
	return web.SendAsset(c, web.JSON.ContentType(), `"`+hex.EncodeToString(sum[:8])+`"`, bulkCaching, body)
}

// serveFile returns the handler of a file.
func (b *Bulk) serveFile(name string) fiber.Handler {
	return func(c *fiber.Ctx) error {
		m := b.Read()
		if m == nil {
			return codes.New("bulk_files_missing")
		}
		for i := range m.Files {
			if f := &m.Files[i]; f.Name == name {
				return web.SendContent(c, "application/gzip", `"`+f.SHA256+`"`, bulkCaching, func() (io.ReadSeekCloser, int64, error) {
					in, info, err := b.Files.Open(context.Background(), bulkName(m.Day, name))
					return in, info.Size, err
				})
			}
		}
		return codes.New("bulk_files_missing") // it is new in this version
	}
}

// bulkCaching is the Cache-Control of bulk files: they may be kept for an hour.
const bulkCaching = "public, max-age=3600"
