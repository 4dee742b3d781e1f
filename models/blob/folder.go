package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/secondlight/secondlight/models/durable"
)

// Folder is a Bucket of the files in a folder.
type Folder string

func (f Folder) String() string { return string(f) }

// path returns the path of a file, or an error if the name leads out of the folder.
func (f Folder) path(name string) (string, error) {
	local, err := filepath.Localize(name)
	if err != nil || name == "." {
		return "", fmt.Errorf("file name %q: %w", name, fs.ErrInvalid)
	}
	return filepath.Join(string(f), local), nil
}

// Open implements Bucket.
func (f Folder) Open(_ context.Context, name string) (io.ReadSeekCloser, Info, error) {
	file, err := f.path(name)
	if err != nil {
		return nil, Info{}, err
	}
	in, err := os.Open(file)
	if err != nil {
		return nil, Info{}, err
	}
	stat, err := in.Stat()
	if err == nil && !stat.Mode().IsRegular() {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, Info{}, errors.Join(err, in.Close())
	}
	return in, Info{Name: name, Size: stat.Size(), Modified: stat.ModTime()}, nil
}

// Read implements Bucket.
func (f Folder) Read(_ context.Context, name string) ([]byte, error) {
	file, err := f.path(name)
	if err != nil {
		return nil, err
	}
	return os.ReadFile(file)
}

// Write implements Bucket. The file survives a crash once Write returns.
func (f Folder) Write(_ context.Context, name string, body io.Reader, size int64) error {
	file, err := f.path(name)
	if err != nil {
		return err
	}
	return durable.WriteFile(file, func(w io.Writer) error {
		n, err := io.Copy(w, body)
		if err == nil && n != size {
			err = fmt.Errorf("%s has %d bytes instead of %d", name, n, size)
		}
		return err
	})
}

// Delete implements Bucket.
func (f Folder) Delete(_ context.Context, name string) error {
	file, err := f.path(name)
	if err != nil {
		return err
	}
	if err := os.Remove(file); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// Stat implements Bucket.
func (f Folder) Stat(_ context.Context, name string) (Info, error) {
	file, err := f.path(name)
	if err != nil {
		return Info{}, err
	}
	stat, err := os.Stat(file)
	if err == nil && !stat.Mode().IsRegular() {
		err = fs.ErrNotExist
	}
	if err != nil {
		return Info{}, err
	}
	return Info{Name: name, Size: stat.Size(), Modified: stat.ModTime()}, nil
}

// List implements Bucket. It leaves out files that are being written.
func (f Folder) List(ctx context.Context, prefix string) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		root := path.Dir(prefix + "x") // the folder that has every file with the prefix
		err := fs.WalkDir(os.DirFS(string(f)), root, func(name string, entry fs.DirEntry, err error) error {
			if err == nil {
				err = ctx.Err()
			}
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil // a missing folder, or an unfinished file that has got its name
			case err != nil:
				return err
			case entry.IsDir() && !strings.HasPrefix(prefix, name+"/") && !strings.HasPrefix(name+"/", prefix) && name != ".":
				return fs.SkipDir
			case !entry.Type().IsRegular() || !strings.HasPrefix(name, prefix) || strings.HasPrefix(entry.Name(), durable.TempPrefix):
				return nil
			}
			stat, err := entry.Info()
			if errors.Is(err, fs.ErrNotExist) {
				return nil // deleted meanwhile
			}
			if err == nil && !yield(Info{Name: name, Size: stat.Size(), Modified: stat.ModTime()}, nil) {
				return fs.SkipAll
			}
			return err
		})
		if err != nil {
			yield(Info{}, err)
		}
	}
}
