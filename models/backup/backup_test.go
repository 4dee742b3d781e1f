package backup_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/backup"
	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/blob/blobtest"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/picture/picturetest"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// site is a store and its data folder.
type site struct {
	*store.Store
	dir    string
	photos *picture.Store
	seller string
}

func openSite(t *testing.T, url string) *site {
	s := &site{Store: storetest.Open(t, url, nil), dir: t.TempDir()}
	s.photos = picture.NewStore(blob.Folder(s.dir))
	return s
}

// fill adds members, listings with photographs, sales and a portfolio.
func (s *site) fill(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	m, err := s.Accounts.CreateAccount(ctx, models.Registration{Handle: "jane", Name: "Jane \"J\" Ünïcode 📷", Email: "jane@example.org", Password: "correct horse battery"}, models.RoleMember)
	must(t, err)
	s.seller = m.ID
	_, err = s.Tokens.CreateToken(ctx, m.ID, &models.Token{Name: "test", Scopes: models.RoleMember.Scopes()})
	must(t, err)
	for i := range 5 {
		s.sell(t, i)
	}
	sales := make([]models.Sale, 200)
	for i := range sales {
		sales[i] = models.Sale{Gear: "canon/eos-r6", Condition: models.Conditions[i%len(models.Conditions)], Price: models.Cents(80_000 + i*100), SoldAt: models.Time(1_780_000_000_000 - i*86_400_000)}
	}
	_, _, err = s.Trades.ImportSales(ctx, sales)
	must(t, err)
	must(t, s.SetDemo(ctx, true))
	project := filepath.Join(s.dir, "portfolio", "streets")
	must(t, os.MkdirAll(project, 0o700))
	must(t, os.WriteFile(filepath.Join(project, "one.jpg"), picturetest.JPEG(t, 30, 20), 0o600))
	must(t, os.WriteFile(filepath.Join(project, "index.md"), []byte("---\ntitle: Streets\n---\n"), 0o600))
	must(t, os.MkdirAll(filepath.Join(s.dir, "pages"), 0o700))
	must(t, os.WriteFile(filepath.Join(s.dir, "pages", "terms.md"), []byte("---\ntitle: Terms\n---\n"), 0o600))
	must(t, os.WriteFile(filepath.Join(s.dir, "kit.md"), []byte("---\ntitle: Kit\n---\n"), 0o600))
	must(t, os.WriteFile(filepath.Join(s.dir, "photos", "cafe-320.jpg"), []byte("drawn: not backed up"), 0o600))
}

// sell adds a listing with a photograph.
func (s *site) sell(t testing.TB, i int) (id string) {
	t.Helper()
	l := []models.Listing{{SellerID: s.seller, Gear: "canon/eos-r6", Category: "mirrorless", Title: fmt.Sprintf("Canon EOS R6 no. %d", i), Text: "It's \"used\",\n\tnull <b> & ✓",
		Item: models.Item{Condition: models.ConditionGood, Functional: models.FullyWorking, Included: []string{"box"}}, Price: 124900, Region: "DE", Status: models.StatusActive}}
	must(t, s.Listings.InsertListings(context.Background(), l))
	s.addPhoto(t, l[0].ID, i)
	return l[0].ID
}

func (s *site) addPhoto(t testing.TB, listing string, i int) (key string) {
	t.Helper()
	// Quotas are by member: each listing counts as one, however many there are.
	rendered, err := s.photos.Render(context.Background(), listing, "a.jpg", picturetest.JPEG(t, 40+i%40, 30+i/40%10))
	must(t, err)
	must(t, s.photos.Save(context.Background(), s.Store.Listings, []*picture.Rendered{rendered}, func() error {
		_, err := s.Listings.AddPhotos(context.Background(), listing, s.seller, []models.Photo{rendered.Photo})
		return err
	}))
	return rendered.Key
}

// rows returns all rows of all tables, sorted.
func (s *site) rows(t *testing.T) map[string][]string {
	t.Helper()
	tables := map[string][]string{}
	_, err := s.Dump(t.Context(), func(name string, columns []string) (func([]any) error, error) {
		tables[name] = []string{}
		return func(values []any) error {
			row := map[string]any{}
			for i, c := range columns {
				row[c] = values[i]
			}
			if slices.Contains([]any{"changes_log", "site_id", "deliveries_paused"}, row["name"]) {
				return nil // a restored database has others, so that cursors end, and is paused
			}
			tables[name] = append(tables[name], fmt.Sprint(row))
			return nil
		}, nil
	})
	must(t, err)
	for _, rows := range tables {
		slices.Sort(rows)
	}
	return tables
}

// files returns the content of the uploaded photographs and the portfolio.
func (s *site) files(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	must(t, filepath.WalkDir(s.dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(entry.Name(), ".") || entry.Name() == "cafe-320.jpg" || entry.Name() == "site.id" || strings.Contains(path, "/trash/") {
			return err
		}
		content, err := os.ReadFile(path)
		files[strings.TrimPrefix(path, s.dir)] = string(content)
		return err
	}))
	return files
}

func ignore(int, int) {}

// archive backs the site up to a file.
func (s *site) archive(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "backup.zip")
	_, err := backup.WriteFile(t.Context(), name, s.Store, blob.Folder(s.dir), ignore)
	must(t, err)
	return name
}

// restore restores an archive into an empty database.
func restore(t *testing.T, name, url string) *site {
	t.Helper()
	archive, err := backup.Open(name)
	must(t, err)
	defer archive.Close()
	store, err := store.Open(t.Context(), url, nil)
	must(t, err)
	t.Cleanup(func() { must(t, store.Close()) })
	s := &site{Store: store, dir: t.TempDir()}
	must(t, archive.RestoreFiles(t.Context(), blob.Folder(s.dir), ignore))
	must(t, archive.RestoreRows(t.Context(), store, ignore))
	return s
}

// TestRestore checks that every row and file is restored, on the same and on the other
// engine.
func TestRestore(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := openSite(t, url)
		s.fill(t)
		name := s.archive(t)
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the archive is %v, %v", info.Mode(), err)
		}
		storetest.EachEmpty(t, func(t *testing.T, target string) {
			restored := restore(t, name, target)
			if got, want := restored.files(t), s.files(t); !reflect.DeepEqual(got, want) || len(want) != 5*len(models.PhotoWidths)+4 {
				t.Errorf("restored %d of %d files", len(got), len(want))
			}
			if got, want := restored.rows(t), s.rows(t); !reflect.DeepEqual(got, want) {
				for table := range want {
					if !reflect.DeepEqual(got[table], want[table]) {
						t.Errorf("%s has %d rows, want %d; the first is\n%.500v\nwant\n%.500v", table, len(got[table]), len(want[table]), got[table], want[table])
					}
				}
			}
			if checked, repaired, err := restored.Prices.RebuildTrends(t.Context()); err != nil || checked != 1 || len(repaired) > 0 {
				t.Errorf("%d trends, repaired %v, %v", checked, repaired, err)
			}
			restored.checkWritable(t)
		})
	})
}

// checkWritable checks that a restored site can be written to.
func (s *site) checkWritable(t *testing.T) {
	t.Helper()
	m, err := s.Accounts.Member(t.Context(), "jane")
	must(t, err)
	s.seller, s.photos = m.ID, picture.NewStore(blob.Folder(s.dir))
	s.sell(t, 77)
}

// TestBackupDuringWrites backs a site up while listings, photographs and sales are
// added and photographs are deleted. What was acknowledged before is included, and what
// is included is consistent: each listing has its photographs, and trends match the sales.
func TestBackupDuringWrites(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := openSite(t, url)
		s.fill(t)
		ctx, stop := context.WithCancel(t.Context())
		var writers sync.WaitGroup
		var acknowledged atomic.Int64
		for w := range 2 {
			writers.Go(func() {
				for i := 100 * (w + 1); ctx.Err() == nil; i++ {
					id := s.sell(t, i)
					key := s.addPhoto(t, id, i+20)
					_, err := s.Listings.RemovePhoto(context.Background(), id, s.seller, key)
					if err == nil {
						err = s.photos.Delete(context.Background(), s.Store.Listings, key)
					}
					if err == nil {
						_, _, err = s.Trades.ImportSales(context.Background(), []models.Sale{{Gear: "canon/eos-r6", Condition: models.ConditionGood, Price: models.Cents(70_000 + i), SoldAt: 1_780_000_000_000}})
					}
					if err != nil {
						t.Error(err)
						return
					}
					acknowledged.Add(1)
				}
			})
		}
		for range 3 {
			for start := acknowledged.Load(); acknowledged.Load() < start+4 && !t.Failed(); {
				time.Sleep(time.Millisecond)
			}
			before, err := s.Counts(t.Context())
			must(t, err)
			restored := restore(t, s.archive(t), another(t, url))
			after, err := restored.Counts(t.Context())
			must(t, err)
			if after.Listings < before.Listings || after.Sales < before.Sales {
				t.Errorf("backed up %+v after %+v was acknowledged", after, before)
			}
			if _, repaired, err := restored.Prices.RebuildTrends(t.Context()); err != nil || len(repaired) > 0 {
				t.Errorf("the trends of %v do not match the sales: %v", repaired, err)
			}
			photos := 0
			must(t, restored.Listings.EachActiveListing(t.Context(), func(l *models.Listing) error {
				for _, p := range l.Photos {
					photos++
					for _, width := range models.PhotoWidths {
						if _, err := picture.NewStore(blob.Folder(restored.dir)).Read(t.Context(), p.Key, width); err != nil {
							t.Errorf("a photograph of listing %s: %v", l.ID, err)
						}
					}
				}
				return nil
			}))
			if photos < before.Listings-2 { // a writer may be between adding the two
				t.Errorf("%d photographs of %d listings", photos, after.Listings)
			}
		}
		stop()
		writers.Wait()
		if got, want := restore(t, s.archive(t), another(t, url)).rows(t), s.rows(t); !reflect.DeepEqual(got, want) {
			t.Error("rows differ")
		}
	})
}

// another returns the URL of another empty database on the same engine.
func another(t *testing.T, url string) string {
	if strings.HasPrefix(url, "sqlite:") {
		return storetest.EmptySQLite(t)
	}
	return storetest.EmptyPostgres(t)
}

// TestRefusedRestores checks that a restore into a database in use, of a damaged archive,
// and of a forged one changes nothing.
func TestRefusedRestores(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := openSite(t, url)
		s.fill(t)
		name := s.archive(t)
		archive, err := backup.Open(name)
		must(t, err)
		defer archive.Close()
		before := s.rows(t)
		if err := archive.RestoreRows(t.Context(), s.Store, ignore); !errors.Is(err, store.ErrNotEmpty) {
			t.Errorf("into a database in use: %v", err)
		}
		if !reflect.DeepEqual(s.rows(t), before) {
			t.Error("a refused restore changed rows")
		}
		for what, change := range map[string]func(entry string, content []byte) (string, []byte){
			"a row is missing": func(entry string, content []byte) (string, []byte) {
				if entry == "tables/sales.jsonl" {
					content = content[:bytes.LastIndexByte(content[:len(content)-1], '\n')+1]
				}
				return entry, content
			},
			"a newer schema": func(entry string, content []byte) (string, []byte) {
				return entry, bytes.Replace(content, []byte(`"schema": `), []byte(`"schema": 9`), 1)
			},
			"a newer format": func(entry string, content []byte) (string, []byte) {
				return entry, bytes.Replace(content, []byte(`"format": 1`), []byte(`"format": 3`), 1)
			},
			"SQL as a column": func(entry string, content []byte) (string, []byte) {
				return entry, bytes.Replace(content, []byte(`"external_id"`), []byte(`"external_id) VALUES (1); --"`), 1)
			},
			"a path outside": func(entry string, content []byte) (string, []byte) {
				return strings.Replace(entry, "files/portfolio/", "files/photos/../../", 1), content
			},
			"no manifest": func(entry string, content []byte) (string, []byte) {
				return strings.Replace(entry, "manifest", "other", 1), content
			},
		} {
			target := another(t, url)
			if err := tryRestore(t, forge(t, name, change), target); err == nil {
				t.Errorf("%s: restored", what)
			}
			store := storetest.Open(t, target, nil)
			if empty, err := store.IsEmpty(t.Context()); err != nil || !empty {
				t.Errorf("%s: rows were restored, %v", what, err)
			}
		}
	})
}

func tryRestore(t *testing.T, name, url string) error {
	archive, err := backup.Open(name)
	if err != nil {
		return err
	}
	defer archive.Close()
	store, err := store.Open(t.Context(), url, nil)
	must(t, err)
	defer store.Close()
	if err := archive.RestoreFiles(t.Context(), blob.Folder(t.TempDir()), ignore); err != nil {
		return err
	}
	return archive.RestoreRows(t.Context(), store, ignore)
}

// forge copies an archive with every entry changed.
func forge(t *testing.T, name string, change func(entry string, content []byte) (string, []byte)) string {
	t.Helper()
	in, err := zip.OpenReader(name)
	must(t, err)
	defer in.Close()
	forged := filepath.Join(t.TempDir(), "forged.zip")
	f, err := os.Create(forged)
	must(t, err)
	out := zip.NewWriter(f)
	for _, entry := range in.File {
		r, err := entry.Open()
		must(t, err)
		content, err := io.ReadAll(r)
		must(t, err)
		to, content := change(entry.Name, content)
		w, err := out.Create(to)
		must(t, err)
		_, err = w.Write(content)
		must(t, err)
	}
	must(t, errors.Join(out.Close(), f.Close()))
	return forged
}

// TestBackupOfBucket backs a site up whose files are in object storage, and restores them to
// a folder and to a bucket.
func TestBackupOfBucket(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s, s3 := openSite(t, url), blobtest.NewS3(t)
		s.photos = picture.NewStore(s3.Bucket)
		must(t, os.Mkdir(filepath.Join(s.dir, "photos"), 0o700))
		s.fill(t)
		_, err := blob.Copy(t.Context(), blob.Folder(s.dir), s3.Bucket, backup.IsData, ignore)
		must(t, err)
		must(t, blob.WriteBytes(t.Context(), s3.Bucket, "previews/x.jpg", []byte("made again")))
		name := filepath.Join(t.TempDir(), "backup.zip")
		m, err := backup.WriteFile(t.Context(), name, s.Store, s3.Bucket, ignore)
		if err != nil || m.Files != 5*len(models.PhotoWidths)+4 {
			t.Fatalf("%+v, %v", m, err)
		}
		archive, err := backup.Open(name)
		must(t, err)
		defer archive.Close()
		for _, to := range []blob.Bucket{blob.Folder(t.TempDir()), blobtest.NewS3(t).Bucket} {
			if some, err := backup.HasFiles(t.Context(), to); some || err != nil {
				t.Errorf("an empty bucket has files: %v, %v", some, err)
			}
			must(t, archive.RestoreFiles(t.Context(), to, ignore))
			report, err := blob.Copy(t.Context(), s3.Bucket, to, backup.IsData, ignore)
			if err != nil || report.Copied != 0 || report.Unchanged != m.Files {
				t.Errorf("restored files differ: %+v, %v", report, err)
			}
			if some, err := backup.HasFiles(t.Context(), to); !some || err != nil {
				t.Errorf("a restored bucket has no files: %v, %v", some, err)
			}
		}
	})
}

// TestIsData checks that backups have the photographs of listings, and no AVIFs, which are made again.
func TestIsData(t *testing.T) {
	key := strings.Repeat("0", 32)
	for name, want := range map[string]bool{
		picture.Folder + picture.FileName(key, 320): true, picture.AVIFFile(key, 320): false, "portfolio/a/b.avif": true, "photos/0123456789abcdef-480.avif": false,
	} {
		if backup.IsData(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
}
