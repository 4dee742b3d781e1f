package admin

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/secondlight/secondlight/handlers/job"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/durable"
)

// Storage measures the files in the data folder, as a background job.
type Storage struct {
	Clock models.Clock

	Dir  string // "" without a data folder
	last atomic.Pointer[storageUse]
}

// storageUse is what the files in the data folder occupy.
type storageUse struct {
	at      models.Time
	folders []storageFolder // by name
	free    uint64          // bytes left on the disk, 0 if unknown
}

// storageFolder is a folder in the data folder with the size of its files.
type storageFolder struct {
	name  string
	bytes int64
}

// Measure adds up the sizes of the files in each folder of the data folder.
func (s *Storage) Measure(ctx context.Context) error {
	if s.Dir == "" {
		return job.ErrNotDue
	}
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		return err
	}
	use := &storageUse{at: models.TimeOf(s.Clock())}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		bytes, err := folderSize(ctx, filepath.Join(s.Dir, e.Name()))
		if err != nil {
			return err
		}
		use.folders = append(use.folders, storageFolder{e.Name(), bytes})
	}
	use.free, _ = durable.FreeBytes(s.Dir) // some systems cannot tell
	s.last.Store(use)
	return nil
}

// folderSize returns the size of the files below a folder. Those that are deleted
// meanwhile don't count.
func folderSize(ctx context.Context, dir string) (bytes int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			if info, err := e.Info(); err == nil {
				bytes += info.Size()
			}
		}
		return ctx.Err()
	})
	return bytes, err
}
