package handlers

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/handlers/job"
	"github.com/secondlight/secondlight/models"
)

// TestJobsOfAWrongDatabase runs every job of a server whose database is not that of its files,
// because it is empty or because it is older than they are: no file is lost.
func TestJobsOfAWrongDatabase(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		wrong func(t *testing.T, right *testServer, dir string) *testServer
	}{
		{"empty", func(t *testing.T, _ *testServer, dir string) *testServer {
			return newMarketServer(t, func(c *Config) { c.DataDir = dir })
		}},
		{"older", func(t *testing.T, right *testServer, dir string) *testServer {
			addOldPhotos(t, dir, 150) // of listings that the database doesn't have yet
			return right
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			right := newMarketServer(t, func(c *Config) { c.DataDir = dir })
			anna := right.join(t, "anna", models.RoleMember)
			anna.upload(t, anna.draft(t, models.StatusDraft), jpegPart(t, "a.jpg", 30, 20))
			for _, name := range []string{"portfolio/mountains/index.md", "pages/about.md", "themes/own.css", "kit.md"} {
				must(os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
				must(os.WriteFile(filepath.Join(dir, name), []byte("# The owner's"), 0o600))
			}
			wrong := c.wrong(t, right, dir)
			files := agedFiles(t, dir)
			for _, j := range wrong.schedule.Jobs {
				if err := wrong.schedule.Perform(context.Background(), j, true); err != nil && err != job.ErrNotDue {
					t.Logf("%s: %v", j.Name, err)
				}
			}
			for _, name := range files {
				if _, err := os.Stat(name); err != nil {
					t.Errorf("lost: %v", err)
				}
			}
		})
	}
}

// addOldPhotos stores photos that no listing has.
func addOldPhotos(t *testing.T, dir string, n int) {
	t.Helper()
	for i := range n {
		for _, width := range models.PhotoWidths {
			must(os.WriteFile(filepath.Join(dir, "photos", fmt.Sprintf("%032x-%d.jpg", i, width)), []byte("x"), 0o600))
		}
	}
}

// agedFiles returns the files of a folder, and makes them look a month old.
func agedFiles(t *testing.T, dir string) (files []string) {
	t.Helper()
	old := testNow.Add(-30 * 24 * time.Hour)
	must(filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasPrefix(d.Name(), ".") {
			files = append(files, path)
			err = os.Chtimes(path, old, old)
		}
		return err
	}))
	return files
}
