package picture

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/blob"
)

// Files of photographs that no listing uses are moved to the trash, from which PutBack
// returns them when a listing uses them again, as after a restore of the database.
const (
	TrashFolder = "trash/"            // begins their names in a bucket
	TrashTime   = 14 * 24 * time.Hour // how long they are kept there
)

// SweepReport counts photographs.
type SweepReport struct {
	Counted        bool // false if another program deletes
	Photos, Unused int  // those stored, and of them those that no listing uses and that are old enough
	Moved          int  // to the trash
	Purged         int  // from the trash, for good
}

// ManyUnused is the error of a sweep that moves nothing, because so many photographs are
// unused that the database is likely to be the wrong one or an old one.
type ManyUnused SweepReport

// Error implements error.
func (e *ManyUnused) Error() string {
	return fmt.Sprintf("%d of %d photographs are in no listing of this database, so none was moved to the trash: check DATABASE_URL and the last restore; secondlight files sweep --yes moves them", e.Unused, e.Photos)
}

// sweepLimit returns how many unused photographs of n are moved without being asked for: one
// in a hundred, but at least 10 and at most 100.
func sweepLimit(n int) int { return min(max(n/100, 10), 100) }

// Sweep moves every photograph that no listing refers to, such as those of an interrupted
// upload or of a deleted listing, to the trash, and deletes what has been there for TrashTime.
// It leaves files written within the last hours, which another server may be about to use. It
// does nothing while another program deletes, or while KeepAll is in effect. It returns a
// *ManyUnused if there are more than usual, unless all is set, and an *OtherSite if the files
// belong to another site.
func (s *Store) Sweep(ctx context.Context, refs References, now time.Time, all bool) (report SweepReport, err error) {
	if s.files == nil {
		return report, nil
	}
	_, err = refs.Exclusive(ctx, deletion, func(ctx context.Context) error {
		if err := s.checkOwner(ctx, refs); err != nil {
			return err
		}
		before := now.Add(-sweepAfter)
		var unused []string
		if report, unused, err = s.findUnused(ctx, refs, before); err != nil {
			return err
		}
		if report.Unused > sweepLimit(report.Photos) && !all {
			return (*ManyUnused)(&report)
		}
		for keys := range slices.Chunk(unused, sweepBatch) {
			moved, err := s.moveUnused(ctx, refs, keys, before)
			report.Moved += moved
			if err := errors.Join(err, ctx.Err()); err != nil {
				return err
			}
		}
		report.Purged, err = s.purgeTrash(ctx, now.Add(-TrashTime))
		return err
	})
	return report, err
}

// Unused counts the photographs that Sweep would move to the trash.
func (s *Store) Unused(ctx context.Context, refs References, now time.Time) (SweepReport, error) {
	report, _, err := s.findUnused(ctx, refs, now.Add(-sweepAfter))
	return report, err
}

// findUnused returns the keys of unused photographs that were written before a time.
func (s *Store) findUnused(ctx context.Context, refs References, before time.Time) (report SweepReport, unused []string, err error) {
	stored, old := map[string]bool{}, map[string]bool{}
	for file, err := range photosIn(ctx, s.files, Folder) {
		if err != nil {
			return report, nil, err
		}
		stored[file.key] = true
		if !file.modified.After(before) {
			old[file.key] = true
		}
	}
	for keys := range slices.Chunk(slices.Collect(maps.Keys(old)), sweepBatch) {
		some, err := unusedOf(ctx, refs, keys)
		if err != nil {
			return report, nil, err
		}
		unused = append(unused, some...)
	}
	return SweepReport{Counted: true, Photos: len(stored), Unused: len(unused)}, unused, nil
}

// moveUnused moves those photographs to the trash that are still unused, and unless before is
// zero only files written before that time. It returns the number of photographs moved. Their AVIFs
// are deleted, because they can be made again.
func (s *Store) moveUnused(ctx context.Context, refs References, keys []string, before time.Time) (int, error) {
	s.inUse.Lock()
	defer s.inUse.Unlock()
	unused, err := unusedOf(ctx, refs, keys)
	if err != nil {
		return 0, err
	}
	moved := map[string]bool{}
	for _, key := range unused {
		for _, width := range models.PhotoWidths {
			done, err2 := s.trash(ctx, fileOf(key, width), before)
			if done {
				moved[key] = true
			}
			err = errors.Join(err, err2)
		}
		err = errors.Join(err, s.deleteAVIFs(ctx, key))
		if err != nil {
			break
		}
	}
	_, failed := s.putBackUsed(ctx, refs, slices.Collect(maps.Keys(moved)))
	return len(moved), errors.Join(err, failed)
}

// trash moves a file that was written before a time, if that is not zero, to the trash.
func (s *Store) trash(ctx context.Context, name string, before time.Time) (moved bool, err error) {
	info, err := s.files.Stat(ctx, name)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !before.IsZero() && info.Modified.After(before) {
		return false, nil
	}
	if err == nil {
		err = s.copyFile(ctx, name, TrashFolder+name)
	}
	if err != nil {
		return false, err
	}
	return true, s.files.Delete(ctx, name)
}

func (s *Store) copyFile(ctx context.Context, from, to string) error {
	body, err := s.files.Read(ctx, from)
	if err != nil {
		return err
	}
	return blob.WriteBytes(ctx, s.files, to, body)
}

// unusedOf returns those of keys that no listing refers to.
func unusedOf(ctx context.Context, refs References, keys []string) ([]string, error) {
	used, err := refs.UsedPhotos(ctx, keys)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return slices.Contains(used, key) }), nil
}

// PutBack returns photographs from the trash that listings use and that are not stored. It
// returns their number.
func (s *Store) PutBack(ctx context.Context, refs References) (n int, err error) {
	if s.files == nil {
		return 0, nil
	}
	inTrash, err := s.inTrash(ctx)
	if err != nil {
		return 0, err
	}
	return s.putBackUsed(ctx, refs, slices.Collect(maps.Keys(inTrash)))
}

// putBackUsed returns those photographs from the trash that a listing refers to by now and that
// are not stored, until one fails. It returns their number.
func (s *Store) putBackUsed(ctx context.Context, refs References, keys []string) (n int, err error) {
	for batch := range slices.Chunk(keys, sweepBatch) {
		used, err := refs.UsedPhotos(ctx, batch)
		if err != nil {
			return n, err
		}
		for _, key := range used {
			done, err := s.putBack(ctx, key)
			if done {
				n++
			}
			if err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

// putBack returns the files of a photograph from the trash that are not stored.
func (s *Store) putBack(ctx context.Context, key string) (done bool, err error) {
	for _, width := range models.PhotoWidths {
		name := fileOf(key, width)
		if _, err := s.files.Stat(ctx, name); !errors.Is(err, fs.ErrNotExist) {
			if err != nil {
				return done, err
			}
			continue
		}
		err := s.copyFile(ctx, TrashFolder+name, name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return done, err
		}
		done = done || err == nil
	}
	return done, nil
}

// Trash counts the photographs in the trash.
func (s *Store) Trash(ctx context.Context) (int, error) {
	inTrash, err := s.inTrash(ctx)
	return len(inTrash), err
}

// inTrash returns the photographs in the trash, and when the last of their files came there.
func (s *Store) inTrash(ctx context.Context) (map[string]time.Time, error) {
	since := map[string]time.Time{}
	for file, err := range photosIn(ctx, s.files, TrashFolder+Folder) {
		if err != nil {
			return nil, err
		}
		if !file.modified.Before(since[file.key]) {
			since[file.key] = file.modified
		}
	}
	return since, nil
}

// purgeTrash deletes the photographs that came to the trash before a time. It returns their
// number.
func (s *Store) purgeTrash(ctx context.Context, before time.Time) (n int, err error) {
	inTrash, err := s.inTrash(ctx)
	if err != nil {
		return 0, err
	}
	for key, since := range inTrash {
		if !since.Before(before) {
			continue
		}
		for _, width := range models.PhotoWidths {
			if err := s.files.Delete(ctx, TrashFolder+fileOf(key, width)); err != nil {
				return n, err
			}
		}
		n++
	}
	return n, nil
}

// KeepAll calls do while no program deletes files, for a copy of listings and their
// photographs. It waits for deletions in progress.
func KeepAll(ctx context.Context, refs References, do func(context.Context) error) error {
	for {
		if held, err := refs.Exclusive(ctx, deletion, do); err != nil || held {
			return err
		}
		select {
		case <-time.After(20 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Delete moves the photographs with these keys that no listing refers to to the trash. While
// KeepAll is in effect, or another program deletes, it leaves them to Sweep.
func (s *Store) Delete(ctx context.Context, refs References, keys ...string) error {
	if s.files == nil || len(keys) == 0 {
		return nil
	}
	s.deleting.Lock()
	defer s.deleting.Unlock()
	_, err := refs.Exclusive(ctx, deletion, func(ctx context.Context) error {
		if err := s.checkOwner(ctx, refs); err != nil {
			return err
		}
		_, err := s.moveUnused(ctx, refs, keys, time.Time{})
		return err
	})
	return err
}

// deletion is the name of the right to delete files, see store.Store.Exclusive.
const deletion = "photo deletion"
