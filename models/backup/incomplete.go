package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/store"
)

// Incomplete is the error of a backup without photographs that its rows name, or with some
// that are not as they were uploaded. It has everything else.
type Incomplete struct {
	Missing int      `json:"missing"` // files that rows name and that don't exist
	Damaged int      `json:"damaged"` // files whose content is not that of their name
	Files   []string `json:"files"`   // the first of both, at most maxNamed
}

// maxNamed is how many files an Incomplete names.
const maxNamed = 20

// Error implements error.
func (e *Incomplete) Error() string {
	text := fmt.Sprintf("photographs that the database names are missing (%d) or damaged (%d): %s", e.Missing, e.Damaged, strings.Join(e.Files, ", "))
	if more := e.Missing + e.Damaged - len(e.Files); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func (e *Incomplete) add(count *int, name string) {
	*count++
	if len(e.Files) < maxNamed {
		e.Files = append(e.Files, name)
	}
}

// photoCheck finds the photographs that are missing or damaged.
type photoCheck struct {
	wanted map[[sha256.Size / 2]byte]uint8 // the widths that were not found, by key; a bit for each of models.PhotoWidths
	found  Incomplete
}

// want asks for all photographs that the rows of a store name.
func (c *photoCheck) want(ctx context.Context, store *store.Store) error {
	c.wanted = map[[sha256.Size / 2]byte]uint8{}
	return store.Listings.EachPhoto(ctx, func(key string) error {
		if raw, err := hex.DecodeString(key); err == nil && picture.IsKey(key) {
			c.wanted[[sha256.Size / 2]byte(raw)] = 1<<len(models.PhotoWidths) - 1
		}
		return ctx.Err()
	})
}

// file records that a file is there, and that it is damaged unless it is intact.
func (c *photoCheck) file(name string, intact bool) {
	key, width, isPhoto := picture.ParseFileName(strings.TrimPrefix(name, picture.Folder))
	raw, err := hex.DecodeString(key)
	if !isPhoto || err != nil {
		return
	}
	if !intact {
		c.found.add(&c.found.Damaged, name)
	}
	id := [sha256.Size / 2]byte(raw)
	if left := c.wanted[id] &^ (1 << slices.Index(models.PhotoWidths, width)); left != 0 {
		c.wanted[id] = left
	} else {
		delete(c.wanted, id)
	}
}

// result returns what is missing or damaged, or nil.
func (c *photoCheck) result() *Incomplete {
	for id, left := range c.wanted {
		for i, width := range models.PhotoWidths {
			if left&(1<<i) != 0 {
				c.found.add(&c.found.Missing, picture.Folder+picture.FileName(hex.EncodeToString(id[:]), width))
			}
		}
	}
	if c.found.Missing+c.found.Damaged == 0 {
		return nil
	}
	slices.Sort(c.found.Files)
	return &c.found
}

// fileReader reads a file, and says at its end whether it is the whole photograph of its name.
type fileReader struct {
	io.Reader
	name string
	sum  hash.Hash
	last [2]byte
}

func newFileReader(name string, in io.Reader) *fileReader {
	return &fileReader{Reader: in, name: name, sum: sha256.New()}
}

// Read implements io.Reader.
func (r *fileReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.sum.Write(p[:n])
	switch {
	case n > 1:
		r.last = [2]byte(p[n-2 : n])
	case n == 1:
		r.last = [2]byte{r.last[1], p[0]}
	}
	return n, err
}

// intact reports whether what was read is a whole file: of a photograph in its largest width,
// the one whose checksum is its key, and in another one a JPEG that has its end.
func (r *fileReader) intact() bool {
	sum := [sha256.Size]byte(r.sum.Sum(nil))
	return hasChecksum(r.name, sum) && (!isPhoto(r.name) || string(r.last[:]) == "\xff\xd9")
}

func isPhoto(name string) bool {
	_, _, ok := picture.ParseFileName(strings.TrimPrefix(name, picture.Folder))
	return ok
}

// hasChecksum reports whether a file has the checksum that its name says, if it says one.
func hasChecksum(name string, sum [sha256.Size]byte) bool {
	key, width, ok := picture.ParseFileName(strings.TrimPrefix(name, picture.Folder))
	return !ok || width != slices.Max(models.PhotoWidths) || strings.HasPrefix(hex.EncodeToString(sum[:]), key)
}
