package handlers

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/handlers/bulk"
	"github.com/secondlight/secondlight/handlers/job"
	"github.com/secondlight/secondlight/handlers/web/webtest"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/views/ui"
)

// bulkServer returns a server with a data folder and the bulk files of its day.
func bulkServer(t *testing.T, now *time.Time) *testServer {
	t.Helper()
	s := newTestServer(t, func(cfg *Config) {
		cfg.DataDir = t.TempDir()
		cfg.Clock = func() time.Time { return *now }
	})
	if resp, body := s.do(t, "GET", "/data/manifest.json"); resp.StatusCode != 503 || !strings.Contains(body, "bulk_files_missing") {
		t.Fatalf("without files the manifest is %d %s", resp.StatusCode, body)
	}
	must(s.bulk.MakeFiles(t.Context()))
	return s
}

func (s *testServer) readManifest(t *testing.T) *bulk.Manifest {
	t.Helper()
	resp, body := s.do(t, "GET", "/data/manifest.json")
	webtest.CheckContract(t, "the manifest", resp.Header)
	m := &bulk.Manifest{}
	if err := json.Unmarshal([]byte(body), m); err != nil || resp.StatusCode != 200 {
		t.Fatalf("the manifest is %d %s: %v", resp.StatusCode, body, err)
	}
	return m
}

func TestBulkFiles(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	now := testNow
	s := bulkServer(t, &now)
	m := s.readManifest(t)
	if m.Day != models.DayAt(now) || m.Terms == "" || (m.Notice != "") != s.site.Demo() || len(m.Files) != 6 {
		t.Errorf("the manifest is %+v", m)
	}
	for _, f := range m.Files {
		resp, body := s.do(t, "GET", strings.TrimPrefix(f.URL, testSite.BaseURL))
		sum := sha256.Sum256([]byte(body))
		if resp.StatusCode != 200 || int64(len(body)) != f.Bytes || hex.EncodeToString(sum[:]) != f.SHA256 || resp.Header.Get("ETag") != `"`+f.SHA256+`"` {
			t.Errorf("%s is %d with %d bytes, want %+v", f.Name, resp.StatusCode, len(body), f)
		}
		webtest.CheckContract(t, f.Name, resp.Header)
		plain := unzip(t, body)
		switch f.Name {
		case "listings.jsonl.gz":
			if rows := readCards(t, plain); rows != f.Rows || rows != s.index.Len() || rows == 0 {
				t.Errorf("%d listings, want %d of %d", rows, f.Rows, s.index.Len())
			}
		case "gear.jsonl.gz":
			if rows := bytes.Count(plain, []byte("\n")); rows != f.Rows || rows != len(s.catalog.All()) || !bytes.Contains(plain, []byte(`"gear":"canon/eos-r6","gear_name":"Canon EOS R6","brand":"canon"`)) {
				t.Errorf("%d gear, want %d of %d: %.300s", rows, f.Rows, len(s.catalog.All()), plain)
			}
		case "history.csv.gz", "estimates.csv.gz":
			records, err := csv.NewReader(bytes.NewReader(plain)).ReadAll()
			if err != nil || len(records) != f.Rows+1 || strings.Join(records[0], ",") != f.Schema || f.Name == "history.csv.gz" && f.Rows == 0 {
				t.Errorf("%s has %d rows, want %d: %v", f.Name, len(records)-1, f.Rows, err)
			}
		case "sales.csv.gz":
			checkMedians(t, s, plain, f.Rows)
		case "trends.csv.gz":
			records, err := csv.NewReader(bytes.NewReader(plain)).ReadAll()
			if err != nil || len(records) != f.Rows+1 || f.Rows == 0 || strings.Join(records[0], ",") != f.Schema {
				t.Errorf("%d rows of trends, want %d: %v", len(records)-1, f.Rows, err)
			}
		}
	}
	if resp, _ := s.do(t, "GET", "/data/members.csv"); resp.StatusCode != 404 {
		t.Errorf("another file is %d", resp.StatusCode)
	}
}

// checkMedians recomputes the medians of all conditions from the counted prices.
func checkMedians(t *testing.T, s *testServer, plain []byte, rows int) {
	t.Helper()
	records, err := csv.NewReader(bytes.NewReader(plain)).ReadAll()
	if err != nil || len(records) != rows+1 || rows == 0 {
		t.Fatalf("%d prices, want %d: %v", len(records)-1, rows, err)
	}
	figures := map[string][]models.Cents{}
	for _, r := range records[1:] {
		price, err := s.site.Currency().ParseDecimal(r[2])
		must(err)
		figures[r[0]+" "+r[1]] = append(figures[r[0]+" "+r[1]], price)
	}
	trends := 0
	must(s.store.Prices.EachTrend(t.Context(), func(trend *prices.Trend) error {
		for _, condition := range append([]models.Condition{""}, models.Conditions...) {
			stats := trend.ByCondition[condition]
			if condition == "" {
				stats = trend.Summary
			}
			list := figures[trend.Gear+" "+string(condition)]
			if !stats.Enough() {
				if len(list) > 0 {
					t.Errorf("%s in %q lists %d prices", trend.Gear, condition, len(list))
				}
				continue
			}
			trends++
			if n := len(list); n != stats.Count || (list[(n-1)/2]+list[n/2]+1)/2 != stats.Median {
				t.Errorf("%s in %q has %d prices, want %d with the median %d", trend.Gear, condition, n, stats.Count, stats.Median)
			}
		}
		return nil
	}))
	if trends == 0 {
		t.Error("no median was recomputed")
	}
}

// readCards reads the listings file and returns the number of its lines.
func readCards(t *testing.T, plain []byte) (rows int) {
	t.Helper()
	stated := 0
	lines := bufio.NewScanner(bytes.NewReader(plain))
	for ; lines.Scan(); rows++ {
		dec := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		dec.DisallowUnknownFields() // a card has public facts only
		var card struct {
			ui.Card
			ui.Postage
			Brand string `json:"brand"`
		}
		if err := dec.Decode(&card); err != nil || card.Status != models.StatusActive || !strings.HasPrefix(card.Gear, card.Brand) {
			t.Fatalf("%s: %v", lines.Bytes(), err)
		}
		if card.PickupOnly || len(card.Rates) > 0 {
			stated++
		}
	}
	if stated == 0 || stated == rows {
		t.Errorf("%d of %d listings state postage", stated, rows)
	}
	return rows
}

func unzip(t *testing.T, body string) []byte {
	t.Helper()
	r, err := gzip.NewReader(strings.NewReader(body))
	must(err)
	plain, err := io.ReadAll(r)
	must(err)
	return plain
}

// TestBulkFilesInParts tests that a download can be resumed unless the file has changed.
func TestBulkFilesInParts(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	now := testNow
	s := bulkServer(t, &now)
	const path = "/data/trends.csv.gz"
	resp, whole := s.do(t, "GET", path)
	etag := resp.Header.Get("ETag")
	for _, c := range []struct {
		header []string
		status int
		body   string
	}{
		{[]string{"Range", "bytes=10-19"}, 206, whole[10:20]},
		{[]string{"Range", "bytes=10-", "If-Range", etag}, 206, whole[10:]},
		{[]string{"Range", "bytes=-5"}, 206, whole[len(whole)-5:]},
		{[]string{"Range", "bytes=10-", "If-Range", `"old"`}, 200, whole},
		{[]string{"Range", "bytes=99999999-"}, 416, ""},
		{[]string{"If-None-Match", etag}, 304, ""},
	} {
		if resp, body := s.do(t, "GET", path, c.header...); resp.StatusCode != c.status || body != c.body {
			t.Errorf("%q is %d with %d bytes, want %d with %d", c.header, resp.StatusCode, len(body), c.status, len(c.body))
		}
	}
	if resp, body := s.do(t, "HEAD", path); resp.StatusCode != 200 || body != "" || resp.ContentLength != int64(len(whole)) {
		t.Errorf("HEAD is %d with length %d", resp.StatusCode, resp.ContentLength)
	}
}

// TestBulkFilesAreMadeDaily tests that files are made once a day, that those of the day
// before last are deleted, and that a server that finds another's files uses them.
func TestBulkFilesAreMadeDaily(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	now := testNow
	s := bulkServer(t, &now)
	first := s.readManifest(t)
	now = now.Add(time.Minute)
	must(ignoreNotDue(s.bulk.Refresh(t.Context())))
	if again := s.readManifest(t); again.MadeAt != first.MadeAt {
		t.Errorf("the files were made again at %s", again.MadeAt)
	}
	for range 2 {
		now = now.AddDate(0, 0, 1)
		must(ignoreNotDue(s.bulk.Refresh(t.Context())))
	}
	last := s.readManifest(t)
	if last.Day != models.DayAt(now) {
		t.Errorf("the files are of %s", last.Day)
	}
	if _, err := os.Stat(filepath.Join(s.dataDir, "bulk", string(first.Day), "listings.jsonl.gz")); !os.IsNotExist(err) {
		t.Errorf("the files of %s are still there: %v", string(first.Day), err)
	}
	moved := *s.site
	moved.BaseURL = "https://moved.example"
	other := &bulk.Bulk{Site: &moved, Clock: s.clock, Files: s.files}
	if !other.Current() {
		t.Error("another server does not see the files")
	}
	for _, f := range other.Read().Files {
		if f.URL != "https://moved.example/data/"+f.Name || strings.Contains(f.Schema, testSite.BaseURL) {
			t.Errorf("after BASE_URL changed the manifest has %s of %s", f.URL, f.Schema)
		}
	}
	t.Cleanup(func() { _ = s.store.ReleaseLease(context.Background(), "bulk files", "a third") }) // tests share the store
	held, err := s.store.Lease(context.Background(), "bulk files", "a third", time.Minute)
	if err != nil || !held {
		t.Errorf("the lease was not released: %v", err)
	}
	now = now.AddDate(0, 0, 1)
	must(ignoreNotDue(s.bulk.Refresh(t.Context())))
	if m := s.readManifest(t); m.Day != last.Day {
		t.Error("the files were made while another server held the lease")
	}
}

// ignoreNotDue returns nil for ErrNotDue, and other errors as they are.
func ignoreNotDue(err error) error {
	if errors.Is(err, job.ErrNotDue) {
		return nil
	}
	return err
}
