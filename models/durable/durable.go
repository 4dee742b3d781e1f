// Package durable writes files that only their owner can read and that survive a
// crash of the machine once they are written.
package durable

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// Permissions of the files and folders that hold data.
const (
	FileMode   os.FileMode = 0o600
	FolderMode os.FileMode = 0o700
)

// TempPrefix begins the names of files that WriteFile has not finished.
const TempPrefix = ".unfinished-"

// WriteFile writes a file and returns once it is on the disk. It creates the
// folder if needed and replaces an existing file. After a crash the file is
// either complete or as it was before.
func WriteFile(name string, write func(io.Writer) error) error {
	folder := filepath.Dir(name)
	if err := makeFolder(folder); err != nil {
		return err
	}
	f, err := CreateTemp(folder)
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
		return err
	}
	return SyncFolder(folder)
}

// CreateTemp creates a file in a folder that RemoveUnfinished deletes unless it is open or was
// renamed.
func CreateTemp(folder string) (*os.File, error) {
	f, err := os.CreateTemp(folder, TempPrefix+"*") // with FileMode
	if err == nil {
		lock(f)
	}
	return f, err
}

// RemoveUnfinished deletes the files of CreateTemp in a folder that programs left which were
// killed. It does nothing on systems without locks that end with a program.
func RemoveUnfinished(folder string) error {
	names, err := filepath.Glob(filepath.Join(folder, TempPrefix+"*"))
	for _, name := range names {
		if removeErr := removeUnused(name); !errors.Is(removeErr, os.ErrNotExist) {
			err = errors.Join(err, removeErr)
		}
	}
	return err
}

// removeUnused deletes a file that nobody has locked, unless it is so new that it may be about
// to be.
func removeUnused(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || time.Since(info.ModTime()) < time.Second || !lock(f) {
		return err
	}
	return os.Remove(name)
}

// makeFolder creates a folder and its missing parents.
func makeFolder(folder string) error {
	if _, err := os.Stat(folder); err == nil {
		return nil
	}
	if err := os.MkdirAll(folder, FolderMode); err != nil {
		return err
	}
	return SyncFolder(filepath.Dir(folder))
}

// SyncFolder writes the entries of a folder to the disk, so that files created
// or renamed in it are found after a crash. It does nothing on Windows, which
// cannot do it.
func SyncFolder(folder string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// Restrict takes the permissions of all users but the owner from those of the
// files that exist.
func Restrict(files ...string) error {
	for _, name := range files {
		info, err := os.Stat(name)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			err = os.Chmod(name, info.Mode().Perm()&0o700)
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}
