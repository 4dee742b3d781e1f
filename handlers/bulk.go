package handlers

import (
	"bufio"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/durable"
	"github.com/secondlight/secondlight/views"
)

// Paths of the bulk files and their manifest.
const (
	bulkPath     = "/data/"
	manifestPath = bulkPath + "manifest.json"
)

// Manifest describes the bulk files of a day.
type Manifest struct {
	Day    string     `json:"day"`     // in UTC
	MadeAt string     `json:"made_at"` // RFC 3339
	Notice string     `json:"notice,omitempty"`
	Terms  string     `json:"terms"`
	Files  []BulkFile `json:"files"`
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
const bulkTerms = "Public data only. Listings may have been sold or removed since made_at: read one again before you rely on it, and link to its page. Paths are on this site. Prices of trends are figures of at least 5 sales. The catalogue's names come from lensfun, CC BY-SA 3.0."

// bulk makes the bulk files once a day and serves them. The files of a day are in a
// folder of that name. The manifest is written last, so that it never describes files
// that are incomplete or of another day.
type bulk struct {
	*app
	dir    string // "" without a data folder
	server string // holder of leases

	mu       sync.Mutex
	manifest *Manifest // nil until there is one
}

// mountBulk serves the bulk files from the data folder.
func (s *app) mountBulk(dataDir string) {
	s.bulk = &bulk{app: s, server: s.id}
	if dataDir != "" {
		s.bulk.dir = filepath.Join(dataDir, "bulk")
	}
	s.server.MountFile(manifestPath, s.bulk.serveManifest)
	for _, f := range s.bulk.files() {
		s.server.MountFile(bulkPath+f.Name, s.bulk.serveFile(f.Name))
	}
}

// refresh makes the files of today if there are none. Servers that share a database
// take turns, so that those that also share the data folder make the files once. It
// returns errNotDue if there was nothing to do.
func (b *bulk) refresh(ctx context.Context) error {
	if b.dir == "" || b.current() {
		return errNotDue
	}
	held, err := b.store.Lease(ctx, "bulk files", b.server, 10*time.Minute)
	if err != nil {
		return err
	}
	if !held {
		return errNotDue
	}
	defer func() { _ = b.store.ReleaseLease(context.WithoutCancel(ctx), "bulk files", b.server) }()
	if b.current() {
		return errNotDue
	}
	return b.makeFiles(ctx)
}

// due returns when files are made next: now, or after midnight if there are those of
// today.
func (b *bulk) due() time.Time {
	now := b.clock().UTC()
	if !b.current() {
		return now
	}
	return now.Truncate(24 * time.Hour).Add(24 * time.Hour)
}

// today returns the day in UTC.
func (b *bulk) today() string { return b.clock().UTC().Format(time.DateOnly) }

// current reports whether there are files of today. It reads the manifest again, which
// another server may have written.
func (b *bulk) current() bool {
	m := b.read()
	return m != nil && m.Day == b.today()
}

// read returns the manifest, or nil if there is none.
func (b *bulk) read() *Manifest {
	if b.dir == "" {
		return nil
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.manifest != nil && b.manifest.Day == b.today() {
		return b.manifest
	}
	text, err := os.ReadFile(b.path("manifest.json"))
	if err != nil {
		return b.manifest
	}
	m := &Manifest{}
	if json.Unmarshal(text, m) == nil {
		b.setAddresses(m)
		b.manifest = m
	}
	return b.manifest
}

// setAddresses sets the addresses of the files: the manifest may have been written when
// BASE_URL was another.
func (b *bulk) setAddresses(m *Manifest) {
	known := b.files()
	for i := range m.Files {
		f := &m.Files[i]
		f.URL = b.site.URL(bulkPath + f.Name)
		if at := slices.IndexFunc(known, func(k bulkFile) bool { return k.Name == f.Name }); at >= 0 {
			f.Schema = known[at].Schema
		}
	}
}

func (b *bulk) path(names ...string) string {
	return filepath.Join(append([]string{b.dir}, names...)...)
}

// makeFiles writes the files of today and then the manifest, and deletes those of days
// before the last.
func (b *bulk) makeFiles(ctx context.Context) error {
	last := b.read()
	m := &Manifest{Day: b.today(), MadeAt: b.clock().UTC().Format(time.RFC3339), Terms: bulkTerms}
	if b.site.Demo() {
		m.Notice = views.DemoNotice
	}
	for _, f := range b.files() {
		made, err := b.makeFile(ctx, m.Day, f)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		m.Files = append(m.Files, made)
	}
	err := durable.WriteFile(b.path("manifest.json"), func(w io.Writer) error { return json.NewEncoder(w).Encode(m) })
	if err != nil {
		return err
	}
	return b.deleteBut(m, last)
}

// bulkFile is a bulk file with the function that writes its rows.
type bulkFile struct {
	BulkFile
	write func(context.Context, io.Writer) (rows int, err error)
}

// files returns the bulk files.
func (b *bulk) files() []bulkFile {
	return []bulkFile{
		{BulkFile{Name: "listings.jsonl.gz", MediaType: "application/jsonl", Contents: "every listing for sale, one JSON object a line",
			Schema: b.site.URL("/openapi.json#/components/schemas/Card")}, b.writeListings},
		{BulkFile{Name: "trends.csv.gz", MediaType: "text/csv", Contents: "sold prices of 12 months by gear and condition; a row without a condition is of all, and figures are empty with fewer than 5 sales",
			Schema: strings.Join(trendColumns, ",")}, b.writeTrends},
	}
}

// makeFile writes a file and returns it with its size and checksum.
func (b *bulk) makeFile(ctx context.Context, day string, f bulkFile) (BulkFile, error) {
	file, sum := f.BulkFile, sha256.New()
	err := durable.WriteFile(b.path(day, file.Name), func(w io.Writer) error {
		count := &countingWriter{w: io.MultiWriter(w, sum)}
		buffered := bufio.NewWriterSize(count, 1<<16)
		zip := gzip.NewWriter(buffered)
		rows, err := f.write(ctx, zip)
		if err == nil {
			err = zip.Close()
		}
		if err == nil {
			err = buffered.Flush()
		}
		file.Rows, file.Bytes = rows, count.n
		return err
	})
	file.SHA256 = hex.EncodeToString(sum.Sum(nil))
	return file, err
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

// deleteBut deletes the folders of all days but those of two manifests. Downloads of
// the last day may still be running.
func (b *bulk) deleteBut(now, last *Manifest) error {
	entries, err := os.ReadDir(b.dir)
	for _, e := range entries {
		if e.IsDir() && e.Name() != now.Day && (last == nil || e.Name() != last.Day) {
			err = os.RemoveAll(b.path(e.Name()))
		}
	}
	return err
}

// writeListings writes the cards of all listings for sale, with their postage.
func (b *bulk) writeListings(ctx context.Context, w io.Writer) (rows int, err error) {
	cards := b.index.Cards()
	for _, card := range cards {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		line := views.AppendPostage(&b.site, card.JSON, card.Price, card.Postage)
		if _, err := w.Write(append(slices.Clip(line), '\n')); err != nil {
			return 0, err
		}
	}
	return len(cards), nil
}

// trendColumns are the columns of the trends file. A row without a condition is of all
// conditions.
var trendColumns = []string{"gear", "condition", "window_from", "window_to", "sales", "average", "median", "low", "high", "p25", "p75", "currency", "last_sold_at", "change_90d", "demo"}

// writeTrends writes the statistics of all gear.
func (b *bulk) writeTrends(ctx context.Context, w io.Writer) (rows int, err error) {
	out := csv.NewWriter(w)
	if err := out.Write(trendColumns); err != nil {
		return 0, err
	}
	err = b.store.EachTrend(ctx, func(t *models.Trend) error {
		if t.Summary.Count == 0 {
			return nil
		}
		rows++
		if err := out.Write(b.trendRow(t, "", &t.Summary)); err != nil {
			return err
		}
		for _, condition := range models.Conditions {
			if stats := t.ByCondition[condition]; stats.Count > 0 {
				rows++
				if err := out.Write(b.trendRow(t, condition, &stats)); err != nil {
					return err
				}
			}
		}
		return nil
	})
	out.Flush()
	if err == nil {
		err = out.Error()
	}
	return rows, err
}

// trendRow returns the row of a gear in a condition, "" for all.
func (b *bulk) trendRow(t *models.Trend, condition models.Condition, stats *models.Stats) []string {
	amount := func(c models.Cents) string {
		if !stats.Enough() {
			return ""
		}
		return b.site.Currency().Decimal(c)
	}
	change := ""
	if condition == "" && t.Change90d != nil {
		change = strconv.FormatFloat(float64(*t.Change90d)/100, 'f', -1, 64) // percent
	}
	return []string{t.Gear, string(condition), t.WindowFrom.RFC3339(), t.AsOf.RFC3339(), strconv.Itoa(stats.Count),
		amount(stats.Average), amount(stats.Median), amount(stats.Low), amount(stats.High), amount(stats.P25), amount(stats.P75),
		b.site.Currency().Code, stats.LastSoldAt.RFC3339(), change, strconv.FormatBool(b.site.Demo())}
}

// serveManifest sends the manifest.
func (b *bulk) serveManifest(c *fiber.Ctx) error {
	m := b.read()
	if m == nil {
		return newError("bulk_files_missing")
	}
	body, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	sum := sha256.Sum256(body)
	return web.SendAsset(c, web.JSON.ContentType(), `"`+hex.EncodeToString(sum[:8])+`"`, bulkCaching, body)
}

// serveFile returns the handler of a file.
func (b *bulk) serveFile(name string) fiber.Handler {
	return func(c *fiber.Ctx) error {
		m := b.read()
		if m == nil {
			return newError("bulk_files_missing")
		}
		for i := range m.Files {
			if f := &m.Files[i]; f.Name == name {
				return web.SendFile(c, b.path(m.Day, name), "application/gzip", `"`+f.SHA256+`"`, bulkCaching)
			}
		}
		return newError("bulk_files_missing") // it is new in this version
	}
}

// bulkCaching is the Cache-Control of bulk files: they may be kept for an hour.
const bulkCaching = "public, max-age=3600"
