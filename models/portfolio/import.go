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
	"github.com/secondlight/secondlight/models/picture"
)

// Importer brings a folder of photographs into a photographer's data folder, as
// a project. What it has done stands in files, each whole or not there at all:
// when it is stopped, by whatever, importing the folder again does the rest.
type Importer struct {
	DataDir  string                          // where portfolio/ and photos/ are
	Progress func(done, total int)           // called after each file; may be nil
	Refused  func(name, reason, hint string) // called for each file that is not taken; may be nil
}

// ImportReport counts what became of the files of a folder.
type ImportReport struct{ Files, Added, Unchanged, Refused int }

// Folder imports the photographs that lie in a folder, not those in folders in
// it, into the project of a slug, which is made when it is not there; title is
// that of a new project. One photograph is in memory at a time.
func (im *Importer) Folder(ctx context.Context, folder, slug, title string) (ImportReport, error) {
	var report ImportReport
	if models.Slug(slug) != slug || slug == "" {
		return report, fmt.Errorf("%q cannot stand in an address", slug)
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
		switch why := picture.Refusal(err); {
		case why != nil:
			report.Refused++
			if im.Refused != nil {
				im.Refused(name, why.Reason, why.Hint)
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

// beginProject makes a project's folder and text where they are missing, and
// clears away what was left picture.Unfinished.
func beginProject(dir, title string) error {
	left, _ := filepath.Glob(filepath.Join(dir, picture.Unfinished+"*")) // the pattern is well-formed
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

// file takes one file into the project, sizes first, so that what stands there
// is complete; false when it stood there already.
func (im *Importer) file(from, to string) (added bool, err error) {
	info, err := os.Lstat(from)
	if err != nil {
		return false, err
	}
	switch {
	case info.IsDir():
		return false, picture.Refuse("Import it by itself.", "It is a folder.")
	case !info.Mode().IsRegular():
		return false, picture.Refuse("Put the photograph itself there.", "It is no regular file.")
	case !isPicture(from):
		return false, picture.Refuse(picture.ExportAgain, "Only JPEG and PNG are taken.")
	case info.Size() > MaxFile:
		return false, picture.Refuse(picture.ExportAgain, "It has more than %d MB.", MaxFile>>20)
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return false, err
	}
	key, err := keyOf(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return false, err
	}
	kept := kept{filepath.Join(im.DataDir, "photos")}
	if kept.whole(key) {
		if there, err := os.ReadFile(to); err == nil && bytes.Equal(there, data) {
			return false, nil
		}
	}
	if err := kept.make(from, key, data, picture.ReadEXIF(bytes.NewReader(data), from).Orientation); err != nil {
		return false, err
	}
	return true, picture.WriteFile(to, data)
}
