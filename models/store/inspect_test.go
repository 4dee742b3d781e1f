package store_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/models/storetest"
)

func TestInspect(t *testing.T) {
	t.Parallel()
	storetest.EachEmpty(t, func(t *testing.T, url string) {
		s, ctx := openWith(t, url, store.Options{}), t.Context()
		inspect := func() *store.Inspection {
			t.Helper()
			i, err := store.Inspect(ctx, url)
			must(t, err)
			return i
		}
		if i := inspect(); i.Schema != 0 || i.Pending == 0 || i.Latest == 0 {
			t.Errorf("an empty database: %+v", i)
		}
		must(t, s.MigrateTo(ctx, 10))
		if i := inspect(); i.Schema != 10 || i.Pending == 0 || i.Pending >= int(i.Latest) {
			t.Errorf("an older database: %+v", i)
		}
		must(t, s.Migrate(ctx))
		i := inspect()
		if i.Schema != i.Latest || i.Pending != 0 || i.Size == 0 || i.Major == 0 || i.Version == "" || i.Standby || i.ClockAhead.Abs() > time.Second {
			t.Errorf("%+v", i)
		}
		if (i.MaxConnections > 0) != strings.HasPrefix(url, "postgres") {
			t.Errorf("%+v", i)
		}
	})
}

// TestInspectChangesNothing checks that no file is created, changed or restricted.
func TestInspectChangesNothing(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "site.db")
	if _, err := store.Inspect(t.Context(), "sqlite:"+file); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("inspecting no database returns %v", err)
	}
	s, err := store.Open(t.Context(), "sqlite:"+file, nil)
	must(t, err)
	must(t, s.Migrate(t.Context()))
	must(t, s.Close())
	must(t, os.Chmod(file, 0o644))
	before := filesOf(t, folder)
	_, err = store.Inspect(t.Context(), "sqlite:"+file)
	must(t, err)
	if after := filesOf(t, folder); after != before {
		t.Errorf("before: %s, after: %s", before, after)
	}
}

// filesOf describes the files of a folder.
func filesOf(t *testing.T, folder string) string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	must(t, err)
	var files []string
	for _, e := range entries {
		info, err := e.Info()
		must(t, err)
		files = append(files, e.Name()+info.Mode().String()+info.ModTime().String())
	}
	return strings.Join(files, " ")
}
