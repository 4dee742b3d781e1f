package handlers

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"filippo.io/age"

	"github.com/secondlight/secondlight/handlers/job"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/backup"
	"github.com/secondlight/secondlight/models/blob/blobtest"
	"github.com/secondlight/secondlight/models/storetest"
)

// davServer is a WebDAV folder. It returns its address, and the names and the content of its files.
func davServer(t testing.TB) (address string, files func() map[string][]byte) {
	t.Helper()
	var mu sync.Mutex
	stored := map[string][]byte{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		if user, password, _ := r.BasicAuth(); user != "ada" || password != "hunter2" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		name := strings.TrimPrefix(r.URL.Path, "/dav/")
		switch r.Method {
		case "MKCOL":
			w.WriteHeader(http.StatusMethodNotAllowed) // it exists
		case http.MethodPut:
			stored[name] = must1(io.ReadAll(r.Body))
			w.WriteHeader(http.StatusCreated)
		case http.MethodDelete:
			delete(stored, name)
			w.WriteHeader(http.StatusNoContent)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL + "/dav", func() map[string][]byte {
		mu.Lock()
		defer mu.Unlock()
		all := map[string][]byte{}
		for name, content := range stored {
			all[name] = content
		}
		return all
	}
}

// TestNightlyBackups tests that a backup is made each night, restored as a trial, copied encrypted to a
// second place, and that as many are kept as the owner wants.
func TestNightlyBackups(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	clock := &turnedClock{at: time.Date(2026, 11, 21, 1, 30, 0, 0, time.UTC)}
	db := storetest.Open(t, storetest.SQLite(t), clock.now)
	s := newMarketServer(t, func(c *Config) { c.DataDir, c.Store, c.Clock = dir, db, clock.now })
	op := s.join(t, "the-operator", models.RoleOperator)
	if err := s.backups.Nightly(t.Context(), false); !errors.Is(err, job.ErrNotDue) {
		t.Errorf("without a plan: %v", err)
	}
	address, files := davServer(t)
	op.ask(t, "PUT", "/api/admin/backups", `{"nightly":true,"second_place":"`+address+`","user_name":"ada","password":"wrong"}`, 400)
	op.ask(t, "PUT", "/api/admin/backups", `{"nightly":true,"second_place":"http://shop.example/dav"}`, 400)
	op.ask(t, "PUT", "/api/admin/backups", `{"nightly":true,"recipient":"age1nonsense"}`, 400)
	resp, page := op.post(t, "/admin/backups/plan", "nightly=&nightly=true&keep=2&second_place="+address+"&user_name=ada&password=hunter2&new_key=&new_key=true")
	_, secret, _ := strings.Cut(page, "AGE-SECRET-KEY-")
	secret, _, _ = strings.Cut("AGE-SECRET-KEY-"+secret, "<")
	key, err := age.ParseX25519Identity(secret)
	if resp.StatusCode != 200 || err != nil {
		t.Fatalf("planned with %d, the key is %q (%v)", resp.StatusCode, secret, err)
	}
	if page := op.read(t, "/admin/backups"); strings.Contains(page, "AGE-SECRET") || strings.Contains(page, "hunter2") || !strings.Contains(page, key.Recipient().String()) {
		t.Error("the page shows a secret again, or lacks the public key")
	}
	if left := files(); len(left) > 0 {
		t.Errorf("the trial left %v", left)
	}
	for range 4 {
		if err := s.backups.Nightly(t.Context(), false); !errors.Is(err, job.ErrNotDue) {
			t.Errorf("at half past one: %v", err)
		}
		clock.add(2 * time.Hour)
		must(s.backups.Nightly(t.Context(), false))
		clock.add(20 * time.Minute)
		if err := s.backups.Nightly(t.Context(), false); !errors.Is(err, job.ErrNotDue) {
			t.Errorf("again in the same night: %v", err)
		}
		clock.add(21*time.Hour + 40*time.Minute)
	}
	made, err := filepath.Glob(filepath.Join(dir, "backups", "*.zip"))
	must(err)
	if len(made) != 2 || filepath.Base(made[1]) != "nightly-2026-11-24-033000.zip" {
		t.Errorf("kept %v", made)
	}
	var names []string
	for name := range files() {
		names = append(names, name)
	}
	slices.Sort(names)
	if !slices.Equal(names, []string{"nightly-2026-11-23-033000.zip.age", "nightly-2026-11-24-033000.zip.age"}) {
		t.Errorf("the copies are %v", names)
	}
	file := filepath.Join(dir, "copy.zip.age")
	must(os.WriteFile(file, files()[names[1]], 0o600))
	archive, err := backup.Open(file, key)
	must(err)
	if archive.Manifest.Rows() == 0 {
		t.Error("the copy is empty")
	}
	must(archive.Close())
	list := op.ask(t, "GET", "/api/admin/backups", "", 200)
	if list["restore_tried_at"] != "2026-11-24T03:30:00Z" || get(t, list, "last_copy.name") != names[1] || list["plan"].(map[string]any)["has_password"] != true {
		t.Errorf("listed %v", list)
	}
	if page := op.read(t, "/admin/backups"); !strings.Contains(page, "A restore was tried") || !strings.Contains(page, "second place was made") {
		t.Error("the page doesn't say what became of the backups")
	}

	// A second place that is away: the backup stays, and the page says so.
	op.ask(t, "PUT", "/api/admin/backups", `{"nightly":true,"keep":5}`, 200)
	must(s.store.Site.SetOwnerSetting(t.Context(), op.ID, models.BackupPlanSetting, &models.BackupPlan{Nightly: true, Keep: 5, Place: "http://127.0.0.1:1/dav"}))
	clock.add(2 * time.Hour)
	if err := s.backups.Nightly(context.Background(), false); err == nil {
		t.Error("a copy that fails is no error")
	}
	if page := op.read(t, "/admin/backups"); !strings.Contains(page, "second place, nightly-") {
		t.Error("the page doesn't say that the copy failed")
	}
	if made, _ := filepath.Glob(filepath.Join(dir, "backups", "*.zip")); len(made) != 3 {
		t.Errorf("kept %v", made)
	}
}

// TestNightlyBackupsToBucket copies nightly backups, encrypted, to an S3 bucket, and restores the copy.
func TestNightlyBackupsToBucket(t *testing.T) {
	s3, dir := blobtest.NewS3(t), t.TempDir()
	clock := &turnedClock{at: time.Date(2026, 11, 21, 3, 30, 0, 0, time.UTC)}
	db := storetest.Open(t, storetest.SQLite(t), clock.now)
	s := newMarketServer(t, func(c *Config) { c.DataDir, c.Store, c.Clock = dir, db, clock.now })
	op := s.join(t, "the-operator", models.RoleOperator)
	key := must1(age.GenerateX25519Identity())
	plan := bodyOf("nightly", true, "keep", 2, "second_place", s3.Address, "user_name", "test", "password", "hunter2", "recipient", key.Recipient().String())
	s3.Fail()
	op.ask(t, "PUT", "/api/admin/backups", plan, 400)
	s3.Up()
	op.ask(t, "PUT", "/api/admin/backups", plan, 200)
	for range 3 {
		must(s.backups.Nightly(t.Context(), false))
		clock.add(24 * time.Hour)
	}
	var copies []string
	for info, err := range s3.Bucket.List(t.Context(), "") {
		must(err)
		copies = append(copies, info.Name)
	}
	slices.Sort(copies)
	if !slices.Equal(copies, []string{"nightly-2026-11-22-033000.zip.age", "nightly-2026-11-23-033000.zip.age"}) {
		t.Fatalf("the copies are %v", copies)
	}
	content := must1(s3.Bucket.Read(t.Context(), copies[1]))
	if bytes.Contains(content, []byte("hunter2")) || !bytes.HasPrefix(content, []byte("age-encryption.org/v1")) {
		t.Error("the copy isn't encrypted")
	}
	file := filepath.Join(dir, "copy.zip.age")
	must(os.WriteFile(file, content, 0o600))
	if _, err := backup.Open(file); !errors.Is(err, backup.ErrEncrypted) {
		t.Errorf("opened without the key: %v", err)
	}
	archive := must1(backup.Open(file, key))
	defer archive.Close()
	if rows := archive.Manifest.Rows(); rows == 0 {
		t.Error("the copy is empty")
	}
	must(archive.Check(t.Context(), storetest.Open(t, storetest.SQLite(t), nil), func(int, int) {}))
	list := op.ask(t, "GET", "/api/admin/backups", "", 200)
	if list["restore_tried_at"] != "2026-11-23T03:30:00Z" || get(t, list, "last_copy.name") != copies[1] || get(t, list, "last_copy.error") != nil {
		t.Errorf("listed %v", list)
	}

	s3.Fail()
	if err := s.backups.Nightly(t.Context(), false); err == nil {
		t.Error("a copy that fails is no error")
	}
	if page := op.read(t, "/admin/backups"); !strings.Contains(page, "second place, nightly-") || strings.Contains(page, "hunter2") {
		t.Error("the page doesn't say that the copy failed, or shows the password")
	}
}
