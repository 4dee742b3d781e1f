//go:build unix

package store_test

import (
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

// TestDatabaseIsPrivate checks that only the owner can read a new database and its log,
// and one that others could read before.
func TestDatabaseIsPrivate(t *testing.T) {
	t.Parallel()
	url := storetest.EmptySQLite(t)
	path := strings.TrimPrefix(url, "sqlite:")
	for _, when := range []string{"new", "existing"} {
		s := storetest.Open(t, url, nil)
		must(t, s.SetDemo(t.Context(), when == "new"))
		for _, name := range []string{path, path + "-wal", path + "-shm"} {
			if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s: %s has mode %v, %v", when, name, info.Mode(), err)
			}
		}
		must(t, s.Close())
		must(t, os.Chmod(path, 0o644))
	}
}

// TestCommitsAreSynced has many write at a time to SQLite: the write-ahead log is on the disk before each is
// acknowledged. TestFaultyDisk cuts the power.
func TestCommitsAreSynced(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.SQLite(t), nil)
	var writers sync.WaitGroup
	for range 16 {
		writers.Go(func() {
			for range 10 {
				var committed uint64
				err := s.Committed(t.Context(), &committed)
				if synced := s.SyncedCommits(); err != nil || synced < committed || committed == 0 {
					t.Errorf("commit %d is acknowledged when %d are on the disk: %v", committed, synced, err)
				}
			}
		})
	}
	writers.Wait()
}

// TestUnreadablePages reads a database whose pages can't be read, as SQLite says when the
// disk fails to: the request may succeed later.
func TestUnreadablePages(t *testing.T) {
	t.Parallel()
	url := storetest.SQLite(t)
	file := strings.TrimPrefix(url, "sqlite:")
	content, err := os.ReadFile(file)
	must(t, err)
	const pageSize = 4096
	must(t, os.WriteFile(file, append(content[:pageSize:pageSize], make([]byte, len(content)-pageSize)...), 0o600))
	s, err := store.Open(t.Context(), url, nil)
	if err == nil {
		defer s.Close()
		_, err = s.Listings.OwnListing(t.Context(), models.NewID(time.Now()), models.NewID(time.Now()))
	}
	if !store.IsUnavailable(err) {
		t.Errorf("the error %v isn't one of an unavailable database", err)
	}
}

// TestStatementsAreClosed checks that closing the store closes the file, whose log SQLite then
// removes, although connections keep their statements.
func TestStatementsAreClosed(t *testing.T) {
	t.Parallel()
	url := storetest.SQLite(t)
	s := storetest.Open(t, url, nil)
	for range 3 {
		_, err := s.Accounts.Member(t.Context(), "nobody")
		wantError(t, err, problem.NotFound, "member_not_found")
	}
	must(t, s.Close())
	if _, err := os.Stat(strings.TrimPrefix(url, "sqlite:") + "-wal"); err == nil {
		t.Error("the log is still there")
	}
}
