package backup

import (
	"archive/zip"
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"filippo.io/age"

	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/store"
)

// Archive is an archive that is open for reading.
type Archive struct {
	Manifest   Manifest
	Path       string
	Size       int64 // bytes of the archive and, once Check has read them, of its files in the pool
	file       *os.File
	zip        *zip.Reader
	identities []age.Identity
}

// ErrEncrypted is returned by Open for an archive that the identities can't read.
var ErrEncrypted = errors.New("the backup is encrypted: name the file with its key")

// Open opens an archive, or the newest one of a Folder, and decrypts it with identities.
// It returns an error if the file is not a complete archive.
func Open(name string, identities ...age.Identity) (*Archive, error) {
	name, err := newest(name)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	a := &Archive{Path: name, file: f, identities: identities}
	if err := a.open(); err != nil {
		f.Close()
		return nil, err
	}
	return a, nil
}

// newest returns the path of the newest archive in a folder, or that of a file itself.
func newest(name string) (string, error) {
	if info, err := os.Stat(name); err != nil || !info.IsDir() {
		return name, err
	}
	all, err := archives(name)
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("%s has no backups", name)
	}
	if err != nil {
		return "", err
	}
	return all[len(all)-1], nil
}

// open reads the directory of the archive and its manifest.
func (a *Archive) open() error {
	info, err := a.file.Stat()
	if err != nil {
		return err
	}
	a.Size = info.Size()
	content, size, err := a.decrypted()
	if err != nil {
		return err
	}
	if a.zip, err = zip.NewReader(content, size); err != nil {
		return fmt.Errorf("%s is not a complete backup: %w", a.Path, err)
	}
	if err := a.readManifest(); err != nil {
		return fmt.Errorf("%s is not a Secondlight backup: %w", a.Path, err)
	}
	return nil
}

// decrypted returns the archive as it was before it was encrypted, if it was.
func (a *Archive) decrypted() (io.ReaderAt, int64, error) {
	if !strings.HasSuffix(a.Path, ageSuffix) {
		return a.file, a.Size, nil
	}
	if len(a.identities) == 0 {
		return nil, 0, ErrEncrypted
	}
	content, size, err := age.DecryptReaderAt(a.file, a.Size, a.identities...)
	if err != nil {
		return nil, 0, fmt.Errorf("decrypt %s: %w", a.Path, err)
	}
	return content, size, nil
}

// Close closes the file.
func (a *Archive) Close() error { return a.file.Close() }

func (a *Archive) readManifest() error {
	f, err := a.zip.Open(manifestName)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := json.NewDecoder(f).Decode(&a.Manifest); err != nil {
		return fmt.Errorf("read %s: %w", manifestName, err)
	}
	if f := a.Manifest.Format; f != Format && f != PooledFormat {
		return fmt.Errorf("it has format %d, this program reads %d and %d: use the version of the program that wrote it", f, Format, PooledFormat)
	}
	return nil
}

// file is a file of an archive.
type file struct {
	name string
	size int64
	open func() (io.ReadCloser, error) // reads the content and checks it at its end
}

// RestoreFiles writes the files to a bucket. Existing files of the same name are
// replaced.
func (a *Archive) RestoreFiles(ctx context.Context, files blob.Bucket, progress Progress) error {
	return a.eachFile(ctx, progress, func(f *file) error {
		if err := f.restore(ctx, files); err != nil {
			return fmt.Errorf("restore %s: %w", f.name, err)
		}
		return nil
	})
}

// eachFile calls do with every file.
func (a *Archive) eachFile(ctx context.Context, progress Progress, do func(*file) error) error {
	done := 0
	each := a.zippedFiles
	if a.Manifest.Format == PooledFormat {
		each = a.pooledFiles
	}
	err := each(func(f *file) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		done++
		progress(done, a.Manifest.Files)
		return do(f)
	})
	if err == nil && done != a.Manifest.Files {
		err = fmt.Errorf("the backup has %d of %d files", done, a.Manifest.Files)
	}
	return err
}

// zippedFiles calls do with the files in the archive.
func (a *Archive) zippedFiles(do func(*file) error) error {
	for _, entry := range a.zip.File {
		name, isFile := strings.CutPrefix(entry.Name, "files/")
		if !isFile {
			continue
		}
		if err := do(&file{name, int64(entry.UncompressedSize64), entry.Open}); err != nil {
			return err
		}
	}
	return nil
}

// pooledFiles calls do with the files in the pool that the archive lists.
func (a *Archive) pooledFiles(do func(*file) error) error {
	listing, err := a.zip.Open(filesName)
	if err != nil {
		return err
	}
	defer listing.Close()
	lines := json.NewDecoder(bufio.NewReader(listing))
	for {
		var p pooledFile
		if err := lines.Decode(&p); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if err := do(&file{p.Path, p.Size, func() (io.ReadCloser, error) { return a.openPooled(&p) }}); err != nil {
			return err
		}
	}
}

// openPooled opens a file of the pool.
func (a *Archive) openPooled(p *pooledFile) (io.ReadCloser, error) {
	if len(p.Name) < 2 || !filepath.IsLocal(p.Name) || filepath.Base(p.Name) != p.Name {
		return nil, fmt.Errorf("%q is not the name of a file of the pool", p.Name)
	}
	f, err := os.Open(poolPath(filepath.Dir(a.Path), p.Name))
	if err != nil {
		return nil, err
	}
	var content io.Reader = f
	if strings.HasSuffix(p.Name, ageSuffix) {
		if content, err = age.Decrypt(f, a.identities...); err != nil {
			f.Close()
			return nil, fmt.Errorf("decrypt %s: %w", f.Name(), err)
		}
	}
	return &checkedReader{content: content, file: f, sum: sha256.New(), want: p}, nil
}

// checkedReader reads a file of the pool. With the last byte or at the end it returns an
// error if its size or checksum is wrong.
type checkedReader struct {
	content io.Reader
	file    *os.File
	sum     hash.Hash
	size    int64
	want    *pooledFile
}

// Read implements io.Reader.
func (r *checkedReader) Read(p []byte) (int, error) {
	n, err := r.content.Read(p)
	r.sum.Write(p[:n])
	r.size += int64(n)
	atEnd := errors.Is(err, io.EOF) || r.size >= r.want.Size
	if atEnd && (r.size != r.want.Size || hex.EncodeToString(r.sum.Sum(nil)) != r.want.SHA256) {
		return n, fmt.Errorf("%s is damaged: it has not the checksum and the %d bytes that it had", r.file.Name(), r.want.Size)
	}
	return n, err
}

// Close implements io.Closer.
func (r *checkedReader) Close() error { return r.file.Close() }

// restore writes the file to a bucket.
func (f *file) restore(ctx context.Context, files blob.Bucket) error {
	if !fs.ValidPath(f.name) || !IsData(f.name) {
		return fmt.Errorf("not a file in %s", strings.Join(dataFiles, ", "))
	}
	in, err := f.open()
	if err != nil {
		return err
	}
	defer in.Close()
	return files.Write(ctx, f.name, in, f.size)
}

// Check reads all files and restores the rows into a store, which must be empty. It
// returns an error if a file is damaged or a row refers to a row that is missing, and an
// *Incomplete if photographs are missing or were damaged when they were backed up.
func (a *Archive) Check(ctx context.Context, store *store.Store, progress Progress) error {
	read, photos := map[string]bool{}, photoCheck{} // whether they are intact
	err := a.eachFile(ctx, progress, func(f *file) (err error) {
		if a.Manifest.Format == PooledFormat {
			a.Size += f.size
		}
		read[f.name], err = f.read()
		return err
	})
	if err != nil {
		return err
	}
	if !a.Manifest.FilesOnly() {
		if err := a.RestoreRows(ctx, store, progress); err != nil {
			return err
		}
		if err := photos.want(ctx, store); err != nil {
			return err
		}
	}
	for name, intact := range read {
		photos.file(name, intact)
	}
	if found := photos.result(); found != nil {
		return found
	}
	return nil
}

// read reads the file to its end, and reports whether it is the whole file of its name.
func (f *file) read() (intact bool, err error) {
	in, err := f.open()
	if err != nil {
		return false, fmt.Errorf("read %s: %w", f.name, err)
	}
	defer in.Close()
	r := newFileReader(f.name, in)
	if _, err := io.Copy(io.Discard, r); err != nil {
		return false, fmt.Errorf("read %s: %w", f.name, err)
	}
	return r.intact(), nil
}

// HasFiles reports whether a bucket contains files that RestoreFiles would add to.
func HasFiles(ctx context.Context, files blob.Bucket) (some bool, err error) {
	found := errors.New("found")
	err = eachFile(ctx, files, func(blob.Info) error { return found })
	if errors.Is(err, found) {
		return true, nil
	}
	return false, err
}

// batchRows is how many rows are inserted at a time.
const batchRows = 500

// RestoreRows fills an empty store with the rows, all or none.
func (a *Archive) RestoreRows(ctx context.Context, store *store.Store, progress Progress) error {
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
