package backup

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"filippo.io/age"

	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/durable"
)

const (
	archiveSuffix = ".rows.zip"
	namesSuffix   = ".files"
	poolName      = "pool"
	ageSuffix     = ".age"
	timeLayout    = "20060102T150405.000Z"
)

// pool is the copies of files in a folder of backups.
type pool struct {
	folder     string
	recipients []age.Recipient
	known      map[fileID][sha256.Size]byte // checksums
	names      io.Writer                    // gets the name of each file that is kept
	added      int
	bytes      int64 // of the files that were added
	listed     int64 // bytes of all files of this backup
}

// fileID identifies a version of a file: it is a hash of its path, size and time.
type fileID [16]byte

func newFileID(info blob.Info) (id fileID) {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d\x00%d", info.Name, info.Size, info.Modified.UnixNano()))
	copy(id[:], sum[:])
	return id
}

// pooledFile is a line of files.jsonl.
type pooledFile struct {
	Path     string    `json:"path"`
	Size     int64     `json:"size"`
	Modified time.Time `json:"modified"`
	SHA256   string    `json:"sha256"`
	Name     string    `json:"name"` // in the pool
}

// kept returns a file that the pool has.
func (p *pool) kept(info blob.Info) (*pooledFile, bool) {
	id := newFileID(info)
	sum, has := p.known[id]
	text := hex.EncodeToString(sum[:])
	return &pooledFile{info.Name, info.Size, info.Modified, text, poolFile(id, text, p.recipients)}, has && hasChecksum(info.Name, sum)
}

// add copies a file to the pool. It returns nil for a photograph that is not intact, and leaves
// it out.
func (p *pool) add(info blob.Info, in *fileReader) (*pooledFile, error) {
	id, f := newFileID(info), &pooledFile{Path: info.Name, Modified: info.Modified}
	temp, err := durable.CreateTemp(p.folder)
	if err != nil {
		return nil, err
	}
	defer os.Remove(temp.Name()) // fails once it is renamed
	err = encrypt(temp, p.recipients, func(w io.Writer) (err error) {
		f.Size, err = io.Copy(w, in)
		return err
	})
	if err := errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return nil, err
	}
	if !in.intact() {
		return nil, nil
	}
	sum := [sha256.Size]byte(in.sum.Sum(nil))
	f.SHA256 = hex.EncodeToString(sum[:])
	f.Name = poolFile(id, f.SHA256, p.recipients)
	p.known[id] = sum
	p.added++
	p.bytes += f.Size
	name := poolPath(p.folder, f.Name)
	if err := os.MkdirAll(filepath.Dir(name), durable.FolderMode); err != nil {
		return nil, err
	}
	if err := os.Rename(temp.Name(), name); err != nil {
		return nil, err
	}
	return f, durable.SyncFolder(filepath.Dir(name))
}

func poolFile(id fileID, sum string, recipients []age.Recipient) string {
	return hex.EncodeToString(id[:]) + "-" + sum + suffix(recipients)
}

// poolPath returns the path of a file of the pool.
func poolPath(folder, name string) string { return filepath.Join(folder, poolName, name[:2], name) }

func suffix(recipients []age.Recipient) string {
	if len(recipients) > 0 {
		return ageSuffix
	}
	return ""
}

// encrypt calls write with a writer that encrypts to w, or with w if there are no recipients.
func encrypt(w io.Writer, recipients []age.Recipient, write func(io.Writer) error) error {
	if len(recipients) == 0 {
		return write(w)
	}
	sealed, err := age.Encrypt(w, recipients...)
	if err != nil {
		return err
	}
	return errors.Join(write(sealed), sealed.Close())
}
