package portfolio

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/durable"
	"github.com/secondlight/secondlight/models/picture"
)

// Importer imports folders of photographs into DATA_DIR as projects. It writes each
// file atomically: after an interruption, importing the folder again resumes.
type Importer struct {
	DataDir  string                          // holds portfolio/ and photos/
	Progress func(done, total int)           // called after each file; may be nil
	Refused  func(name, reason, hint string) // called for each file that is refused; may be nil
}

// ImportReport counts the files of an imported folder by outcome.
type ImportReport struct{ Files, Added, Unchanged, Refused int }

// Folder imports the photographs in folder, but not in its subfolders, into the
// project with the given slug. It creates the project with the given title if there
// is none, and adds an entry for each photograph to its index.md. It imports as many
// photographs at once as there are processors, if decoding them takes at most MaxMemory.
func (im *Importer) Folder(ctx context.Context, folder, slug, title string) (ImportReport, error) {
	var report ImportReport
	if models.Slug(slug) != slug || slug == "" {
		return report, fmt.Errorf("%q is not a slug", slug)
	}
	names, err := namesIn(folder)
	if err != nil {
		return report, err
	}
	project := filepath.Join(im.DataDir, "portfolio", slug)
	if err := beginProject(project, title); err != nil {
		return report, err
	}
	stored, err := namesIn(project)
	if err != nil {
		return report, err
	}
	var reporting sync.Mutex
	memory := semaphore.NewWeighted(MaxMemory)
	work, working := errgroup.WithContext(ctx)
	work.SetLimit(runtime.GOMAXPROCS(0))
	for _, name := range names {
		if working.Err() != nil {
			break
		}
		to := storedName(stored, name)
		if to != name && slices.Contains(names, to) {
			to = name // another file of the folder
		}
		work.Go(func() error {
			added, err := im.file(working, memory, filepath.Join(folder, name), filepath.Join(project, to))
			reporting.Lock()
			defer reporting.Unlock()
			if err := report.count(added, err); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			if refused := picture.Refusal(err); refused != nil && im.Refused != nil {
				im.Refused(name, refused.Reason.String(), refused.Hint.String())
			}
			if im.Progress != nil {
				im.Progress(report.Files, len(names))
			}
			return nil
		})
	}
	failed := work.Wait()
	if err := addEntries(project); err != nil {
		return report, err
	}
	return report, cmp.Or(ctx.Err(), failed)
}

// count adds a file with the outcome of importing it, and returns the error unless it is
// a *picture.Refused.
func (r *ImportReport) count(added bool, err error) error {
	switch {
	case picture.Refusal(err) != nil:
		r.Refused++
	case err != nil:
		return err
	case added:
		r.Added++
	default:
		r.Unchanged++
	}
	r.Files++
	return nil
}

// storedName returns the name in a project of a file with a name: that of the file that
// it replaces, because their names differ only in case or in how JPEG is spelt, or its own.
func storedName(stored []string, name string) string {
	if slices.Contains(stored, name) {
		return name
	}
	plain := func(name string) string {
		name = strings.ToLower(name)
		if base, ok := strings.CutSuffix(name, ".jpeg"); ok {
			return base + ".jpg"
		}
		return name
	}
	if i := slices.IndexFunc(stored, func(s string) bool { return plain(s) == plain(name) }); i >= 0 {
		return stored[i]
	}
	return name
}

// beginProject creates a project's folder and index.md if they are missing, and
// deletes the temporary files of an interrupted import.
func beginProject(dir, title string) error {
	left, _ := filepath.Glob(filepath.Join(dir, durable.TempPrefix+"*")) // the pattern is well-formed
	for _, name := range left {
		if err := os.Remove(name); err != nil {
			return err
		}
	}
	index := filepath.Join(dir, "index.md")
	if _, err := os.Stat(index); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return picture.WriteFile(index, fmt.Appendf(nil, "---\ntitle: %q\n---\n", title))
}

// file imports one file. It writes the sizes first, so that a file in the project is
// always complete. It returns false if the project has the file already.
func (im *Importer) file(ctx context.Context, memory *semaphore.Weighted, from, to string) (added bool, err error) {
	info, err := os.Lstat(from)
	if err != nil {
		return false, err
	}
	switch {
	case info.IsDir():
		return false, picture.Refuse("Import it separately.", "This is a folder.")
	case !info.Mode().IsRegular():
		return false, picture.Refuse("Copy the photograph itself there.", "This isn't a regular file.")
	case isSidecar(from) && info.Size() <= maxSidecar:
		return copyChanged(from, to)
	case !picture.IsPicture(from):
		return false, picture.RefuseType(from)
	case info.Size() > MaxFile:
		return false, picture.Refuse(picture.ExportAgain, "The file is larger than %d MB.", MaxFile>>20)
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return false, err
	}
	key, err := keyOf(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return false, err
	}
	renditions := renditionStore{filepath.Join(im.DataDir, "photos")}
	if renditions.complete(key) {
		if old, err := os.ReadFile(to); err == nil && bytes.Equal(old, data) {
			return false, nil
		}
	}
	cost, err := limits.Cost(from, data)
	if err != nil {
		return false, err
	}
	if err := memory.Acquire(ctx, cost); err != nil {
		return false, err
	}
	defer memory.Release(cost)
	if err := renditions.render(from, key, data, picture.ReadEXIF(bytes.NewReader(data), from).Orientation); err != nil {
		return false, err
	}
	return true, picture.WriteFile(to, data)
}

func isSidecar(name string) bool { return strings.EqualFold(filepath.Ext(name), ".xmp") }

// copyChanged copies a file unless its copy is the same.
func copyChanged(from, to string) (copied bool, err error) {
	data, err := os.ReadFile(from)
	if err != nil {
		return false, err
	}
	if old, err := os.ReadFile(to); err == nil && bytes.Equal(old, data) {
		return false, nil
	}
	return true, picture.WriteFile(to, data)
}
