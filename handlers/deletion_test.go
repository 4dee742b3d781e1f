package handlers

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/handlers/job"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/store"
)

// TestJobsOfAWrongDatabase runs every job of a server that has the wrong database, the wrong files
// or the wrong time: no file and no row is lost.
func TestJobsOfAWrongDatabase(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		wrong func(t *testing.T, s *keptSite) *testServer // the server that runs the jobs
		asked bool                                        // as if an operator asked for them
	}{
		{"empty", func(t *testing.T, s *keptSite) *testServer { return s.server(t, nil, s.dir) }, true},
		{"older", func(t *testing.T, s *keptSite) *testServer {
			s.addFiles(t, 150) // of listings and imports that the database doesn't have yet
			return s.right
		}, true},
		{"foreign", func(t *testing.T, s *keptSite) *testServer {
			foreign := newKeptSite(t)
			return s.server(t, foreign.right.store, s.dir)
		}, true},
		{"wrong bucket", func(t *testing.T, s *keptSite) *testServer {
			foreign := newKeptSite(t)
			s.kept = append(s.kept, foreign.kept...)
			return s.server(t, s.right.store, foreign.dir)
		}, true},
		{"clock a year ahead", func(t *testing.T, s *keptSite) *testServer {
			s.clock.add((365*24 + 18) * time.Hour) // at three at night
			return s.right
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newKeptSite(t)
			must(s.right.store.Site.CheckClock(t.Context(), false))
			wrong := c.wrong(t, s)
			before := []map[string]int{s.rows(t, s.right.store), s.rows(t, wrong.store)}
			for _, j := range wrong.schedule.Jobs {
				if err := wrong.schedule.Perform(context.Background(), j, c.asked); err != nil && !errors.Is(err, job.ErrNotDue) {
					t.Logf("%s: %v", j.Name, err)
				}
			}
			for i, db := range []*store.Store{s.right.store, wrong.store} {
				for table, n := range s.rows(t, db) {
					if n < before[i][table] {
						t.Errorf("%d of %d rows of %s are lost", before[i][table]-n, before[i][table], table)
					}
				}
			}
			if status := s.right.listingStatus(t, s.active); status != "active" {
				t.Errorf("a listing for sale is %s", status)
			}
			for _, name := range s.kept {
				if _, err := os.Stat(name); err != nil {
					t.Errorf("lost: %v", err)
				}
			}
		})
	}
}

// TestClockJump looks at a clock that is right, jumps, goes on, and jumps back.
func TestClockJump(t *testing.T) {
	t.Parallel()
	s, clock := newClockedMarket(t)
	const day = 24 * time.Hour
	for i, step := range []struct {
		after   time.Duration
		asked   bool
		trusted bool
	}{
		{0, false, true}, {time.Hour, false, true}, {29 * day, false, true}, {365 * day, false, false}, {day, false, false}, {5 * day, false, false}, {2 * day, false, true},
		{31 * day, false, false}, {time.Hour, true, true}, {time.Hour, false, true}, {-60 * day, false, false}, {7 * day, false, true},
	} {
		clock.add(step.after)
		var jump *store.ClockJump
		if err := s.store.Site.CheckClock(t.Context(), step.asked); errors.As(err, &jump) == step.trusted || err != nil && jump == nil {
			t.Errorf("step %d: %v", i, err)
		}
	}
}

// keptSite is a site with rows and files of every kind that jobs delete once their time has come.
type keptSite struct {
	right *testServer
	clock *turnedClock
	dir   string
	kept  []string // the files

	active string // id of a listing for sale
}

func newKeptSite(t *testing.T) *keptSite {
	t.Helper()
	s := &keptSite{dir: t.TempDir()}
	market, clock := newClockedMarket(t)
	s.clock = clock
	s.right = s.server(t, market.store, s.dir)
	anna, ben := s.right.join(t, "anna", models.RoleMember), s.right.join(t, "ben", models.RoleMember)
	anna.upload(t, anna.draft(t, models.StatusDraft), jpegPart(t, "a.jpg", 30, 20))
	ended := anna.listed(t, "An old camera")
	ben.ask(t, "POST", "/api/listings/"+ended+"/messages", `{"text":"Is it still there?"}`, 201)
	anna.ask(t, "POST", "/api/listings/"+ended+"/end", `{"reason":"kept"}`, 200)
	s.active = anna.listed(t, "A good camera")
	anna.beginSession()
	for _, name := range []string{"portfolio/mountains/index.md", "pages/about.md", "themes/own.css", "kit.md"} {
		must(os.MkdirAll(filepath.Dir(filepath.Join(s.dir, name)), 0o700))
		must(os.WriteFile(filepath.Join(s.dir, name), []byte("# The owner's"), 0o600))
	}
	s.addFiles(t, 0)
	return s
}

// server starts a server of the site, with its settings, on a database or a new one, and with the
// files of a folder.
func (s *keptSite) server(t *testing.T, db *store.Store, files string) *testServer {
	return newMarketServer(t, func(c *Config) {
		if db != nil {
			c.Store = db
		}
		if s.clock != nil {
			c.Clock = s.clock.now
		}
		c.DataDir, c.Files, c.Retention = s.dir, blob.Folder(files), store.Retention{Messages: 30, Listings: 30, Alerts: 30, Audit: 30}
	})
}

// addFiles adds photographs and imports that the database doesn't know, and makes all files look a
// month old.
func (s *keptSite) addFiles(t *testing.T, photos int) {
	t.Helper()
	for i := range photos {
		for _, width := range models.PhotoWidths {
			must(os.WriteFile(filepath.Join(s.dir, "photos", fmt.Sprintf("%032x-%d.jpg", i, width)), []byte("x"), 0o600))
		}
	}
	must(os.MkdirAll(filepath.Join(s.dir, "imports"), 0o700))
	for _, suffix := range []string{".csv", ".rejects.csv"} {
		must(os.WriteFile(filepath.Join(s.dir, "imports", models.NewID(s.clock.now())+suffix), []byte("x"), 0o600))
	}
	s.kept = nil
	old := testNow.Add(-30 * 24 * time.Hour)
	must(filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasPrefix(d.Name(), ".") {
			s.kept = append(s.kept, path)
			err = os.Chtimes(path, old, old)
		}
		return err
	}))
}

// rows counts the rows of every table.
func (s *keptSite) rows(t *testing.T, db *store.Store) map[string]int {
	t.Helper()
	rows := map[string]int{}
	_, err := db.Dump(t.Context(), func(table string, _ []string) (func([]any) error, error) {
		return func([]any) error { rows[table]++; return nil }, nil
	})
	must(err)
	return rows
}
