package portfolio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

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
// is none. It holds one photograph in memory at a time.
func (im *Importer) Folder(ctx context.Context, folder, slug, title string) (ImportReport, error) {
	var report ImportReport
	if models.Slug(slug) != slug || slug == "" {
		return report, fmt.Errorf("%q is not a slug", slug)
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return report, err
	}
	project := filepath.Join(im.DataDir, "portfolio", slug)
	if err := beginProject(project, title); err != nil {
		return report, err
	}
	var names []string
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	for i, name := range names {
		if err := ctx.Err(); err != nil {
			return report, err
		}
		report.Files++
		added, err := im.file(filepath.Join(folder, name), filepath.Join(project, name))
		switch refused := picture.Refusal(err); {
		case refused != nil:
			report.Refused++
			if im.Refused != nil {
				im.Refused(name, refused.Reason, refused.Hint)
			}
		case err != nil:
			return report, fmt.Errorf("%s: %w", name, err)
		case added:
			report.Added++
		default:
			report.Unchanged++
		}
		if im.Progress != nil {
			im.Progress(i+1, len(names))
		}
	}
	return report, nil
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
func (im *Importer) file(from, to string) (added bool, err error) {
	info, err := os.Lstat(from)
	if err != nil {
		return false, err
	}
	switch {
	case info.IsDir():
		return false, picture.Refuse("Import it separately.", "This is a folder.")
	case !info.Mode().IsRegular():
		return false, picture.Refuse("Copy the photograph itself there.", "This is not a regular file.")
	case isSidecar(from) && info.Size() <= maxSidecar:
		return copyChanged(from, to)
	case !isPicture(from):
		return false, picture.Refuse(picture.ExportAgain, "Only JPEG and PNG files are accepted.")
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
