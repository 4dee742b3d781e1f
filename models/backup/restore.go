package backup

import (
	"archive/zip"
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/durable"
)

// Archive is an archive that is open for reading.
type Archive struct {
	Manifest Manifest
	zip      *zip.ReadCloser
}

// Open opens an archive. It returns an error if the file is not a complete one.
func Open(name string) (*Archive, error) {
	r, err := zip.OpenReader(name)
	if err != nil {
		return nil, fmt.Errorf("%s is not a complete backup: %w", name, err)
	}
	a := &Archive{zip: r}
	if err := a.readManifest(); err != nil {
		r.Close()
		return nil, fmt.Errorf("%s is not a Secondlight backup: %w", name, err)
	}
	return a, nil
}

// Close closes the file.
func (a *Archive) Close() error { return a.zip.Close() }

func (a *Archive) readManifest() error {
	f, err := a.zip.Open(manifestName)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := json.NewDecoder(f).Decode(&a.Manifest); err != nil {
		return fmt.Errorf("read %s: %w", manifestName, err)
	}
	if a.Manifest.Format != Format {
		return fmt.Errorf("it has format %d, this program reads %d: use the version of the program that wrote it", a.Manifest.Format, Format)
	}
	return nil
}

// RestoreFiles writes the files to dataDir. Existing files of the same name are
// replaced.
func (a *Archive) RestoreFiles(ctx context.Context, dataDir string, progress Progress) error {
	done := 0
	for _, entry := range a.zip.File {
		path, isFile := strings.CutPrefix(entry.Name, "files/")
		if !isFile {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := restoreFile(entry, dataDir, path); err != nil {
			return fmt.Errorf("restore %s: %w", path, err)
		}
		done++
		progress(done, a.Manifest.Files)
	}
	if done != a.Manifest.Files {
		return fmt.Errorf("the backup has %d of %d files", done, a.Manifest.Files)
	}
	return nil
}

func restoreFile(entry *zip.File, dataDir, path string) error {
	isData := slices.ContainsFunc(dataFiles, func(root string) bool { return path == root || strings.HasPrefix(path, root+"/") })
	if !filepath.IsLocal(path) || !isData {
		return fmt.Errorf("not a path in %s", strings.Join(dataFiles, ", "))
	}
	in, err := entry.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	name := filepath.Join(dataDir, filepath.FromSlash(path))
	err = durable.WriteFile(name, func(w io.Writer) error {
		_, err := io.Copy(w, in)
		return err
	})
	if err != nil {
		return err
	}
	return os.Chtimes(name, entry.Modified, entry.Modified)
}

// HasFiles reports whether dataDir contains files that RestoreFiles would add to.
func HasFiles(dataDir string) (some bool, err error) {
	for _, root := range dataFiles {
		err := fs.WalkDir(os.DirFS(dataDir), root, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && isData(path, entry) {
				some = true
				return fs.SkipAll
			}
			return err
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, err
		}
	}
	return some, nil
}

// batchRows is how many rows are inserted at a time.
const batchRows = 500

// RestoreRows fills an empty store with the rows, all or none.
func (a *Archive) RestoreRows(ctx context.Context, store *models.Store, progress Progress) error {
	total := a.Manifest.Rows()
	return store.Restore(ctx, a.Manifest.Schema, func(insert func(string, []string, [][]any) error) error {
		done := 0
		for _, table := range a.Manifest.Tables {
			rows := 0
			err := a.readTable(table.Name, func(columns []string, batch [][]any) error {
				rows += len(batch)
				progress(done+rows, total)
				return insert(table.Name, columns, batch)
			})
			if err == nil && rows != table.Rows {
				err = fmt.Errorf("the backup has %d of %d rows", rows, table.Rows)
			}
			if err != nil {
				return fmt.Errorf("restore %s: %w", table.Name, err)
			}
			done += rows
		}
		return nil
	})
}

// readTable calls each with the rows of a table in batches.
func (a *Archive) readTable(name string, each func(columns []string, batch [][]any) error) error {
	f, err := a.zip.Open("tables/" + name + ".jsonl")
	if err != nil {
		return err
	}
	defer f.Close()
	lines := json.NewDecoder(bufio.NewReader(f))
	lines.UseNumber()
	var columns []string
	if err := lines.Decode(&columns); err != nil {
		return err
	}
	var batch [][]any
	for {
		var row []any
		err := lines.Decode(&row)
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			err = decodeNumbers(row)
		}
		if err != nil {
			return err
		}
		if batch = append(batch, row); len(batch) == batchRows {
			if err := each(columns, batch); err != nil {
				return err
			}
			batch = batch[:0]
		}
	}
	if len(batch) == 0 {
		return nil
	}
	return each(columns, batch)
}

// decodeNumbers replaces the numbers of a row by int64s and float64s.
func decodeNumbers(row []any) (err error) {
	for i, v := range row {
		n, ok := v.(json.Number)
		if !ok {
			continue
		}
		if row[i], err = n.Int64(); err != nil {
			row[i], err = n.Float64()
		}
		if err != nil {
			return err
		}
	}
	return nil
}
