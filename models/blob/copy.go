package blob

import (
	"bytes"
	"cmp"
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"sync"

	"golang.org/x/sync/errgroup"
)

// CopyReport counts the files of a copy.
type CopyReport struct {
	Files, Copied, Unchanged int
	Bytes                    int64 // of the files copied
}

// Copy copies the files of from that pick accepts to another bucket, and checks the size and
// content of each. Files that are there already are left, so that a copy that was interrupted
// can be repeated; other files of to are left too. progress is called after every file.
func Copy(ctx context.Context, from, to Bucket, pick func(name string) bool, progress func(done, total int)) (CopyReport, error) {
	var report CopyReport
	var files []Info
	for info, err := range from.List(ctx, "") {
		if err != nil {
			return report, err
		}
		if pick(info.Name) {
			files = append(files, info)
		}
	}
	var counting sync.Mutex
	work, working := errgroup.WithContext(ctx)
	work.SetLimit(copiesAtOnce)
	for _, info := range files {
		if working.Err() != nil {
			break
		}
		work.Go(func() error {
			copied, err := copyFile(working, from, to, info)
			if errors.Is(err, fs.ErrNotExist) {
				err = nil // deleted since it was listed
			}
			if err != nil {
				return fmt.Errorf("copy %s: %w", info.Name, err)
			}
			counting.Lock()
			defer counting.Unlock()
			report.count(info, copied)
			progress(report.Files, len(files))
			return nil
		})
	}
	err := work.Wait()
	return report, cmp.Or(ctx.Err(), err)
}

// count adds a file.
func (r *CopyReport) count(info Info, copied bool) {
	r.Files++
	if copied {
		r.Copied++
		r.Bytes += info.Size
	} else {
		r.Unchanged++
	}
}

// copiesAtOnce is how many files are copied at a time.
const copiesAtOnce = 8

// copyFile copies a file unless it is there already.
func copyFile(ctx context.Context, from, to Bucket, info Info) (copied bool, err error) {
	if _, err := to.Stat(ctx, info.Name); err == nil {
		sum, err := sumOf(ctx, from, info.Name)
		if err != nil {
			return false, err
		}
		if err := verify(ctx, to, info.Name, info.Size, sum); err == nil {
			return false, nil
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	in, stat, err := from.Open(ctx, info.Name)
	if err != nil {
		return false, err
	}
	defer in.Close()
	hash := md5.New()
	if err := to.Write(ctx, info.Name, io.TeeReader(in, hash), stat.Size); err != nil {
		return false, err
	}
	return true, verify(ctx, to, info.Name, stat.Size, hex.EncodeToString(hash.Sum(nil)))
}

// verify checks that a bucket has a file of a size and MD5 sum.
func verify(ctx context.Context, b Bucket, name string, size int64, sum string) error {
	stat, err := b.Stat(ctx, name)
	if err != nil {
		return err
	}
	if stat.Size != size {
		return fmt.Errorf("%s has %d bytes instead of %d", b, stat.Size, size)
	}
	if stat.MD5 == sum {
		return nil
	}
	// The tag of an encrypted object is not its sum.
	if read, err := sumOf(ctx, b, name); err != nil || read != sum {
		return errors.Join(err, fmt.Errorf("%s has other content", b))
	}
	return nil
}

// sumOf reads a file and returns its MD5 sum.
func sumOf(ctx context.Context, b Bucket, name string) (string, error) {
	in, _, err := b.Open(ctx, name)
	if err != nil {
		return "", err
	}
	defer in.Close()
	hash := md5.New()
	_, err = io.Copy(hash, in)
	return hex.EncodeToString(hash.Sum(nil)), err
}

// Try writes, reads and deletes a file.
func Try(ctx context.Context, b Bucket, name string) (err error) {
	want := bytes.Repeat([]byte("secondlight"), 500)
	if err := WriteBytes(ctx, b, name, want); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.Delete(ctx, name)) }()
	got, err := b.Read(ctx, name)
	if err == nil && !bytes.Equal(got, want) {
		err = errors.New("a file has other content than was written")
	}
	return err
}
