package backup_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"filippo.io/age"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/backup"
	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// check checks an archive, or the newest of a folder.
func check(t *testing.T, name string, keys ...age.Identity) error {
	t.Helper()
	archive, err := backup.Open(name, keys...)
	if err != nil {
		return err
	}
	defer archive.Close()
	return archive.Check(t.Context(), emptyStore(t), ignore)
}

func emptyStore(t *testing.T) *store.Store {
	t.Helper()
	store, err := store.Open(t.Context(), storetest.SQLite(t), nil)
	must(t, err)
	t.Cleanup(func() { must(t, store.Close()) })
	return store
}

// poolFiles returns the paths of the files in the pool of a folder.
func poolFiles(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "pool", "*", "*"))
	must(t, err)
	return files
}

// TestFolder backs a site up to a folder several times, and checks that only new files are
// added, that old ones go with the last backup that has them, and what is restored.
func TestFolder(t *testing.T) {
	key, err := age.GenerateX25519Identity()
	must(t, err)
	storetest.EachURL(t, func(t *testing.T, url string) {
		for name, recipients := range map[string][]age.Recipient{"plain": nil, "encrypted": {key.Recipient()}} {
			t.Run(name, func(t *testing.T) {
				s := openSite(t, another(t, url))
				s.fill(t)
				f := &backup.Folder{Path: filepath.Join(t.TempDir(), "backups"), Recipients: recipients, Keep: 2}
				write := func(files, added int) *backup.Result {
					t.Helper()
					r, err := f.Write(t.Context(), s.Store, blob.Folder(s.dir), ignore)
					must(t, err)
					if r.Manifest.Files != files || r.Added != added {
						t.Fatalf("backed up %d files, %d of them new; want %d and %d", r.Manifest.Files, r.Added, files, added)
					}
					must(t, check(t, f.Path, key))
					return r
				}
				const filled = 5*3 + 4 // photographs in three widths
				first := write(filled, filled)
				write(filled, 0)
				id := s.sell(t, 6)
				write(filled+3, 3)
				if _, err := os.Stat(first.File); !os.IsNotExist(err) {
					t.Errorf("the first of three backups: %v", err)
				}
				listing, err := s.Listings.OwnListing(t.Context(), id, s.seller)
				must(t, err)
				_, err = s.Listings.RemovePhoto(t.Context(), id, s.seller, listing.Photos[0].Key)
				must(t, err)
				must(t, s.photos.Delete(t.Context(), s.Store.Listings, listing.Photos[0].Key))
				write(filled, 0)
				if n := len(poolFiles(t, f.Path)); n != filled+3 {
					t.Errorf("the pool has %d files, want %d", n, filled+3)
				}
				write(filled, 0)
				if n := len(poolFiles(t, f.Path)); n != filled {
					t.Errorf("the pool has %d files, want %d", n, filled)
				}

				if recipients == nil {
					many := make([]models.Listing, 300)
					for i := range many {
						many[i] = models.Listing{SellerID: s.seller, Category: "other", Title: models.NewSecret(), Item: models.Item{Condition: "good", Functional: models.Untested}, Price: 100, Region: "DE", Status: models.StatusDraft}
					}
					must(t, s.Listings.InsertListings(t.Context(), many))
					write(filled, 0)
					write(filled, 0)
					empty := openSite(t, another(t, url))
					if _, err := f.Write(t.Context(), empty.Store, blob.Folder(t.TempDir()), ignore); err == nil || !strings.Contains(err.Error(), "no old backup was deleted") {
						t.Errorf("a backup of an empty site: %v", err)
					}
					if n := len(poolFiles(t, f.Path)); n != filled {
						t.Errorf("the pool has %d files after it, want %d", n, filled)
					}
					archives, err := filepath.Glob(filepath.Join(f.Path, "*.zip*"))
					must(t, err)
					if len(archives) != f.Keep+1 {
						t.Errorf("the backups are %v", archives)
					}
					must(t, os.Remove(archives[f.Keep]))
				}

				archive, err := backup.Open(f.Path, key)
				must(t, err)
				defer archive.Close()
				store, err := store.Open(t.Context(), another(t, url), nil)
				must(t, err)
				t.Cleanup(func() { must(t, store.Close()) })
				restored := &site{Store: store, dir: t.TempDir()}
				must(t, archive.RestoreFiles(t.Context(), blob.Folder(restored.dir), ignore))
				must(t, archive.RestoreRows(t.Context(), store, ignore))
				if !reflect.DeepEqual(restored.files(t), s.files(t)) || !reflect.DeepEqual(restored.rows(t), s.rows(t)) {
					t.Error("the restored site differs")
				}
				if since, err := store.Deliveries.DeliveriesPaused(t.Context()); err != nil || since == 0 {
					t.Errorf("deliveries are paused since %v, %v", since, err)
				}
			})
		}
	})
}

// TestEncryptedBackups checks that nothing of an encrypted backup can be read without its key.
func TestEncryptedBackups(t *testing.T) {
	key, err := age.GenerateX25519Identity()
	must(t, err)
	other, err := age.GenerateX25519Identity()
	must(t, err)
	s := openSite(t, storetest.SQLite(t))
	s.fill(t)
	folder := &backup.Folder{Path: t.TempDir(), Recipients: []age.Recipient{key.Recipient()}}
	_, err = folder.Write(t.Context(), s.Store, blob.Folder(s.dir), ignore)
	must(t, err)
	file := filepath.Join(t.TempDir(), "backup.zip.age")
	_, err = backup.WriteFile(t.Context(), file, s.Store, blob.Folder(s.dir), ignore, key.Recipient())
	must(t, err)
	for _, name := range []string{folder.Path, file} {
		must(t, check(t, name, other, key))
		for what, keys := range map[string][]age.Identity{"no key": nil, "another key": {other}} {
			if err := check(t, name, keys...); err == nil {
				t.Errorf("%s was read with %s", name, what)
			}
		}
	}
	for _, name := range append(poolFiles(t, folder.Path), file) {
		content, err := os.ReadFile(name)
		must(t, err)
		if !strings.HasPrefix(string(content), "age-encryption.org/") || strings.Contains(string(content), "JFIF") {
			t.Errorf("%s is not encrypted", name)
		}
	}
}

// TestDamagedBackups checks that Check finds what is damaged or missing.
func TestDamagedBackups(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		s := openSite(t, url)
		s.fill(t)
		folder := &backup.Folder{Path: t.TempDir()}
		r, err := folder.Write(t.Context(), s.Store, blob.Folder(s.dir), ignore)
		must(t, err)
		must(t, check(t, r.File))
		for what, damage := range map[string]func(name string, content []byte) error{
			"a bit is flipped": func(name string, content []byte) error {
				content[len(content)/2] ^= 1
				return os.WriteFile(name, content, 0o600)
			},
			"cut off": func(name string, content []byte) error { return os.Truncate(name, int64(len(content)-1)) },
			"missing": func(name string, _ []byte) error { return os.Remove(name) },
		} {
			for _, name := range []string{r.File, poolFiles(t, folder.Path)[0]} {
				content, err := os.ReadFile(name)
				must(t, err)
				must(t, damage(name, append([]byte(nil), content...)))
				if err := check(t, r.File); err == nil {
					t.Errorf("%s %s: the check found nothing", filepath.Base(name), what)
				}
				must(t, os.WriteFile(name, content, 0o600))
			}
		}
		must(t, check(t, r.File))

		listings := 0
		must(t, s.Listings.EachActiveListing(t.Context(), func(l *models.Listing) error {
			if listings++; listings > 1 {
				return nil
			}
			return os.Remove(filepath.Join(s.dir, "photos", picture.FileName(l.Photos[0].Key, 640)))
		}))
		_, err = folder.Write(t.Context(), s.Store, blob.Folder(s.dir), ignore)
		must(t, err)
		if err := check(t, folder.Path); err == nil || !strings.Contains(err.Error(), "-640.jpg is missing") {
			t.Errorf("a photograph of a listing is missing: %v", err)
		}
	})
}
