package blob

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Mirror keeps a folder like the files of a bucket, so that a program can read them as
// files and without the storage service. Its methods do not touch files that were never in
// the bucket. A Mirror may be used by several goroutines.
type Mirror struct {
	bucket Bucket
	folder Folder
	roots  []string
	wake   chan struct{}

	mu   sync.Mutex
	seen map[string]Info // what the folder has of the bucket, by name
}

// seenFile is the file in the folder that lists its copies from the bucket.
const seenFile = ".mirror.json"

// NewMirror returns a Mirror of the files whose names begin with one of roots. If bucket is
// folder, there is nothing to mirror.
func NewMirror(bucket Bucket, folder Folder, roots ...string) *Mirror {
	return &Mirror{bucket: bucket, folder: folder, roots: roots, wake: make(chan struct{}, 1)}
}

// isSame reports whether the bucket is the folder.
func (m *Mirror) isSame() bool { return m.bucket == nil || m.bucket == Bucket(m.folder) }

// Dir returns the path of the folder.
func (m *Mirror) Dir() string { return string(m.folder) }

// Bucket returns the bucket.
func (m *Mirror) Bucket() Bucket {
	if m.isSame() {
		return m.folder
	}
	return m.bucket
}

// Pull brings the folder up to date, and reports whether that changed anything.
func (m *Mirror) Pull(ctx context.Context) (changed bool, err error) {
	if m.isSame() {
		return false, nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.load()
	there := map[string]bool{}
	for _, root := range m.roots {
		for info, err := range m.bucket.List(ctx, root) {
			if err != nil {
				return changed, err
			}
			there[info.Name] = true
			if m.has(ctx, info) {
				continue
			}
			if err := m.fetch(ctx, info); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return true, errors.Join(err, m.save(ctx))
			}
			changed = true
		}
	}
	gone, err := m.deleteGone(ctx, there)
	changed = changed || gone
	if changed {
		err = errors.Join(err, m.save(ctx))
	}
	return changed, err
}

// maxGone is how many files may be gone from the bucket at once, if they are more than half.
const maxGone = 10

// deleteGone deletes the files of the folder that are no longer in the bucket. It returns an
// error, and deletes none, if so many are gone that the bucket is likely to be the wrong one.
func (m *Mirror) deleteGone(ctx context.Context, there map[string]bool) (changed bool, err error) {
	gone := slices.DeleteFunc(slices.Collect(maps.Keys(m.seen)), func(name string) bool { return there[name] })
	if len(gone) > maxGone && 2*len(gone) > len(m.seen) {
		return false, fmt.Errorf("%d of %d files of the site are no longer in %s: check BLOB_URL; those in %s are kept until %s is deleted", len(gone), len(m.seen), m.bucket, m.folder, seenFile)
	}
	for _, name := range gone {
		if err := m.folder.Delete(ctx, name); err != nil {
			return changed, err
		}
		delete(m.seen, name)
		changed = true
	}
	return changed, nil
}

// has reports whether the folder has a file as it is in the bucket.
func (m *Mirror) has(ctx context.Context, info Info) bool {
	seen, ok := m.seen[info.Name]
	if !ok || seen.Size != info.Size || seen.MD5 != info.MD5 || info.MD5 == "" && !seen.Modified.Equal(info.Modified) {
		return false
	}
	local, err := m.folder.Stat(ctx, info.Name)
	return err == nil && local.Size == info.Size
}

// fetch copies a file from the bucket to the folder.
func (m *Mirror) fetch(ctx context.Context, info Info) error {
	in, now, err := m.bucket.Open(ctx, info.Name)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := m.folder.Write(ctx, info.Name, in, now.Size); err != nil {
		return err
	}
	m.seen[info.Name] = info
	return nil
}

// Write stores a file in the bucket and in the folder.
func (m *Mirror) Write(ctx context.Context, name string, body []byte) error {
	if m.isSame() {
		return WriteBytes(ctx, m.folder, name, body)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := WriteBytes(ctx, m.bucket, name, body); err != nil {
		return err
	}
	if err := WriteBytes(ctx, m.folder, name, body); err != nil {
		return err
	}
	m.load()
	info, err := m.bucket.Stat(ctx, name)
	if err != nil {
		return nil // the next Pull fetches it
	}
	m.seen[name] = info
	return m.save(ctx)
}

// Rename gives a file another name.
func (m *Mirror) Rename(ctx context.Context, from, to string) error {
	in, _, err := m.folder.Open(ctx, from)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(in)
	if err := errors.Join(err, in.Close()); err != nil {
		return err
	}
	if err := m.Write(ctx, to, body); err != nil {
		return err
	}
	if !m.isSame() {
		if err := m.bucket.Delete(ctx, from); err != nil {
			return err
		}
	}
	return m.folder.Delete(ctx, from)
}

// Push stores the files of the folder that begin with root in the bucket, where they are
// missing or differ, after a program has written them.
func (m *Mirror) Push(ctx context.Context, root string) error {
	if m.isSame() {
		return nil
	}
	_, err := Copy(ctx, m.folder, m.bucket, func(name string) bool { return strings.HasPrefix(name, root) }, func(int, int) {})
	return err
}

// load reads what the folder has of the bucket. If that is not known, it has nothing: files
// are then fetched again.
func (m *Mirror) load() {
	if m.seen != nil {
		return
	}
	m.seen = map[string]Info{}
	if text, err := m.folder.Read(context.Background(), seenFile); err == nil {
		_ = json.Unmarshal(text, &m.seen)
	}
}

func (m *Mirror) save(ctx context.Context) error {
	text, err := json.Marshal(m.seen)
	if err != nil {
		return err
	}
	return m.folder.Write(ctx, seenFile, bytes.NewReader(text), int64(len(text)))
}

// Wake makes Run look for changes at once.
func (m *Mirror) Wake() {
	select {
	case m.wake <- struct{}{}:
	default: // already awake
	}
}

// pullInterval is how often Run looks for changes of other servers that it was not woken for.
const pullInterval = 30 * time.Second

// Run brings the folder up to date until ctx ends, and calls changed when it did. It logs
// errors and goes on.
func (m *Mirror) Run(ctx context.Context, log *slog.Logger, changed func()) error {
	if m.isSame() {
		return nil
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-m.wake:
		case <-time.After(pullInterval):
		}
		did, err := m.Pull(ctx)
		if err != nil && ctx.Err() == nil {
			log.Warn("fetch files of the site", "err", err)
		}
		if did {
			changed()
		}
	}
}
