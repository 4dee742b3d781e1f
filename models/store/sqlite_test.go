//go:build unix

package store_test

import (
	"os"
	"strings"
	"testing"

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

// TestCommitsAreSynced checks that SQLite syncs its log before it acknowledges a commit.
func TestCommitsAreSynced(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, storetest.SQLite(t), nil)
	if level, err := s.Synchronous(t.Context()); err != nil || level < 2 {
		t.Errorf("synchronous is %d, want 2 (FULL): %v", level, err)
	}
}
