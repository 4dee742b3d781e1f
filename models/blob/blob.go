// Package blob stores the files of a site: in a folder of this machine, or in a bucket of
// an S3 service that several servers share. Names are the same in both, such as
// "photos/6f1c…f1-320.jpg".
package blob

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"
)

// Bucket stores files by name. Names are slash-separated paths without "..". A Bucket may
// be used by several goroutines. Errors are fs.ErrNotExist for a missing file, and of the
// kind that IsUnavailable reports if the storage can't be reached.
type Bucket interface {
	// Open opens a file for reading. The caller must close it.
	Open(ctx context.Context, name string) (io.ReadSeekCloser, Info, error)
	// Read returns the content of a small file. It gives up after answerTimeout.
	Read(ctx context.Context, name string) ([]byte, error)
	// Write stores size bytes of body as a file, or replaces it. Readers see the old file or
	// the new one.
	Write(ctx context.Context, name string, body io.Reader, size int64) error
	// Delete deletes a file, if it exists.
	Delete(ctx context.Context, name string) error
	// Stat describes a file.
	Stat(ctx context.Context, name string) (Info, error)
	// List lists the files whose names begin with prefix, in no particular order.
	List(ctx context.Context, prefix string) iter.Seq2[Info, error]
	// String returns the address without credentials.
	String() string
}

// Info describes a file.
type Info struct {
	Name     string
	Size     int64 // bytes
	Modified time.Time
	MD5      string // hexadecimal; "" if it is not known without reading the file
}

// answerTimeout limits requests that people wait for. An upload, whose photo is rendered
// first, must be answered within 5 seconds in all.
const answerTimeout = 3 * time.Second

// Error is the failure of a storage service.
type Error struct {
	Op, Name string
	Err      error
}

// Error implements error.
func (e *Error) Error() string { return fmt.Sprintf("storage: %s %s: %v", e.Op, e.Name, e.Err) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// IsUnavailable reports whether err is the failure of a storage service, so that the request
// may succeed later.
func IsUnavailable(err error) bool {
	var e *Error
	return errors.As(err, &e)
}

// WriteBytes stores a file.
func WriteBytes(ctx context.Context, b Bucket, name string, body []byte) error {
	return b.Write(ctx, name, bytes.NewReader(body), int64(len(body)))
}

// Names returns the names of the files that begin with prefix.
func Names(ctx context.Context, b Bucket, prefix string) (names []string, err error) {
	for info, err := range b.List(ctx, prefix) {
		if err != nil {
			return nil, err
		}
		names = append(names, info.Name)
	}
	return names, nil
}
