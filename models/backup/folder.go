package backup

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"filippo.io/age"
	"github.com/gofrs/flock"

	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/durable"
	"github.com/secondlight/secondlight/models/store"
)

// Folder is a folder of backups that share their files, so that a backup adds only the
// files that are new:
//
//	{time}.rows.zip  an archive that lists its files in files.jsonl instead of containing them
//	{time}.files     the names of these files in the pool, one a line
//	pool/{ab}/{name} a file; its name has a hash of its path, size and time, and its checksum
//
// If they are encrypted, the names of archives and files end with ".age".
type Folder struct {
	Path       string
	Recipients []age.Recipient   // who can read the backups; none if they are not encrypted
	Keep       int               // how many backups remain, 0 for all
	written    [sha256.Size]byte // hash of the list of files of the last backup without rows
}

// ErrUnchanged is returned by Write without a store if no file has changed since it was
// called before.
var ErrUnchanged = errors.New("no file has changed")

// Result describes a backup in a folder.
type Result struct {
	Manifest *Manifest
	File     string // path of the archive
	Added    int    // files that no earlier backup had
	Bytes    int64  // of these files
}

// Write adds a backup to the folder, as Write makes it, and deletes those beyond Keep. If
// the store is nil, the backup has files and no rows.
func (f *Folder) Write(ctx context.Context, store *store.Store, files blob.Bucket, progress Progress) (*Result, error) {
	if err := os.MkdirAll(f.Path, durable.FolderMode); err != nil {
		return nil, err
	}
	lock := flock.New(filepath.Join(f.Path, ".lock"), flock.SetPermissions(durable.FileMode))
	if locked, err := lock.TryLock(); err != nil || !locked {
		return nil, errors.Join(err, fmt.Errorf("another backup is being made in %s", f.Path))
	}
	defer lock.Unlock()
	p, err := f.openPool()
	if err != nil {
		return nil, err
	}
	base := filepath.Join(f.Path, time.Now().UTC().Format(timeLayout))
	r := &Result{File: base + archiveSuffix + suffix(f.Recipients)}
	err = durable.WriteFile(r.File, func(w io.Writer) error { // gets its name after the list of files
		return durable.WriteFile(base+namesSuffix, func(names io.Writer) error {
			list, sum := bufio.NewWriter(names), sha256.New()
			p.names = io.MultiWriter(list, sum)
			err := encrypt(w, f.Recipients, func(w io.Writer) (err error) {
				r.Manifest, err = write(ctx, w, p, store, files, progress)
				return err
			})
			if err == nil && store == nil {
				err = f.remember([sha256.Size]byte(sum.Sum(nil)))
			}
			return errors.Join(err, list.Flush())
		})
	})
	if err != nil {
		return nil, errors.Join(err, removeIfExists(base+namesSuffix))
	}
	r.Added, r.Bytes = p.added, p.bytes
	return r, f.prune(store != nil)
}

// remember stores the hash of the list of files, or returns ErrUnchanged if it is the same.
func (f *Folder) remember(list [sha256.Size]byte) error {
	if list == f.written {
		return ErrUnchanged
	}
	f.written = list
	return nil
}

func removeIfExists(name string) error {
	if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// archives returns the paths of the archives in a folder, the oldest first.
func archives(folder string) ([]string, error) {
	plain, err := filepath.Glob(filepath.Join(folder, "*"+archiveSuffix))
	if err != nil {
		return nil, err
	}
	encrypted, err := filepath.Glob(filepath.Join(folder, "*"+archiveSuffix+ageSuffix))
	all := append(plain, encrypted...)
	slices.Sort(all)
	return all, err
}

// namesOf returns the path of the list of files of an archive.
func namesOf(archive string) string {
	base, _, _ := strings.Cut(archive, archiveSuffix)
	return base + namesSuffix
}

// shrunk is how many times smaller than an archive that it replaces a new one may be: the rows of
// a site that is wrong or was emptied must not take the place of the last that are right.
const shrunk = 2

// compareSizes returns an error if the newest archive is much smaller than an old one.
func compareSizes(old, newest string) error {
	before, err := os.Stat(old)
	if err != nil {
		return err
	}
	now, err := os.Stat(newest)
	if err == nil && now.Size()*shrunk < before.Size() {
		err = fmt.Errorf("the backup %s was made, but is less than half of %s (%d and %d bytes), so no old backup was deleted: check DATABASE_URL, and delete old ones yourself if it is right", newest, old, now.Size(), before.Size())
	}
	return err
}

// prune deletes the archives beyond Keep, and the files that no other one has. rows is set if the
// newest has rows.
func (f *Folder) prune(rows bool) error {
	all, err := archives(f.Path)
	if err != nil || f.Keep == 0 || len(all) <= f.Keep {
		return err
	}
	old, kept := all[:len(all)-f.Keep], all[len(all)-f.Keep:]
	if rows {
		if err := compareSizes(old[len(old)-1], kept[len(kept)-1]); err != nil {
			return err
		}
	}
	used := map[[sha256.Size]byte]bool{}
	for _, archive := range kept {
		if err := eachLine(namesOf(archive), func(name string) { used[sha256.Sum256([]byte(name))] = true }); err != nil {
			return err
		}
	}
	for _, archive := range old {
		if err := errors.Join(removeIfExists(archive), removeIfExists(namesOf(archive))); err != nil {
			return err
		}
	}
	return filepath.WalkDir(filepath.Join(f.Path, poolName), func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && !used[sha256.Sum256([]byte(entry.Name()))] {
			err = os.Remove(path)
		}
		return err
	})
}

func eachLine(name string, do func(string)) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		do(lines.Text())
	}
	return lines.Err()
}

// openPool reads which files the folder has. Files that are encrypted otherwise than
// those to be added are not counted.
func (f *Folder) openPool() (*pool, error) {
	p := &pool{folder: f.Path, recipients: f.Recipients, known: map[fileID][sha256.Size]byte{}}
	err := filepath.WalkDir(filepath.Join(f.Path, poolName), func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		name, encrypted := strings.CutSuffix(entry.Name(), ageSuffix)
		id, sum, _ := strings.Cut(name, "-")
		rawID, errID := hex.DecodeString(id)
		rawSum, errSum := hex.DecodeString(sum)
		if errID == nil && errSum == nil && len(rawID) == len(fileID{}) && len(rawSum) == sha256.Size && encrypted == (len(f.Recipients) > 0) {
			p.known[fileID(rawID)] = [sha256.Size]byte(rawSum)
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return p, err
}
