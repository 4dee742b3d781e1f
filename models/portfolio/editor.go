package portfolio

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/blob"
	"github.com/secondlight/secondlight/models/picture"
)

// Editor changes the projects in DATA_DIR/portfolio: the same files that Importer writes
// and that photographers edit. Comments in the front matter of an index.md are lost. An
// Editor may be used by several goroutines of one process; of changes that two servers make
// to a project at the same moment, the last counts.
type Editor struct {
	files   *blob.Mirror // nil without a data folder
	library *Library
	mu      sync.Mutex
	// Changed is called after every change; may be nil.
	Changed func()
}

// NewEditor returns an Editor of the portfolio in files, which library serves.
func NewEditor(files *blob.Mirror, library *Library) *Editor {
	return &Editor{files: files, library: library}
}

// refresh fetches what other servers have changed.
func (e *Editor) refresh() error {
	changed, err := e.files.Pull(context.Background())
	if changed {
		e.library.Reload()
	}
	return err
}

// publish shows what was changed.
func (e *Editor) publish() {
	e.library.Reload()
	if e.Changed != nil {
		e.Changed()
	}
}

// ProjectEdit holds what is edited of a project.
type ProjectEdit struct {
	Title, Description, Markdown string
	Visibility                   Visibility
	PublishAt                    time.Time
	Downloads                    bool
	License                      string
	NewSecret                    bool // gives an unlisted project another address
}

// PhotoEdit holds what is edited of a photograph. Empty texts are those of its file.
type PhotoEdit struct {
	Texts
	Focus    Focus
	Hidden   bool
	Layout   Layout
	Text     string // before its row, Markdown
	Cover    bool   // makes it the cover
	Move     int    // places to move: -1 for up
	Position int    // place in the project, from 1; 0 leaves it where it is
	Remove   bool   // takes it out of the project; its file stays, hidden
}

// Create creates a project and returns its folder.
func (e *Editor) Create(title string) (folder string, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if err := e.refresh(); err != nil {
		return "", err
	}
	slug := models.Slug(title)
	if slug == "" {
		slug = "project"
	}
	folder = slug
	for n := 2; ; n++ {
		if _, err := os.Stat(e.dir(folder)); errors.Is(err, fs.ErrNotExist) {
			break
		}
		folder = fmt.Sprintf("%s-%d", slug, n)
	}
	if err := e.write(folder, &projectText{Title: title, Date: day(e.library.clock()), Visibility: Private}, ""); err != nil {
		return "", err
	}
	e.publish()
	return folder, nil
}

// Update changes a project. It fails with fs.ErrNotExist if there is none.
func (e *Editor) Update(folder string, edit ProjectEdit) error {
	return e.edit(folder, func(text *projectText, body *string) error {
		text.Title, text.Description, text.License, text.Downloads = edit.Title, edit.Description, edit.License, edit.Downloads
		text.Visibility, text.PublishAt, *body = edit.Visibility, edit.PublishAt, edit.Markdown
		if text.Visibility == Unlisted && (text.Secret == "" || edit.NewSecret) {
			text.Secret = strings.ToLower(rand.Text())
		}
		return nil
	})
}

// Hide makes a project private. It fails with fs.ErrNotExist if there is none.
func (e *Editor) Hide(folder string) error {
	return e.edit(folder, func(text *projectText, _ *string) error {
		text.Visibility = Private
		return nil
	})
}

// UpdatePhoto changes a photograph, named by its file. It fails with fs.ErrNotExist if the
// project has none with the name.
func (e *Editor) UpdatePhoto(folder, file string, edit PhotoEdit) error {
	return e.edit(folder, func(text *projectText, _ *string) error {
		at := slices.IndexFunc(text.Photos, func(p photoText) bool { return p.File == file })
		if at < 0 {
			return fs.ErrNotExist
		}
		photo := &text.Photos[at]
		photo.Title, photo.Caption, photo.Alt, photo.Location, photo.License = edit.Title, edit.Caption, edit.Alt, edit.Location, edit.License
		photo.Hidden, photo.Layout, photo.Text = edit.Hidden, edit.Layout, strings.TrimSpace(edit.Text)
		if photo.Focus = &edit.Focus; edit.Focus == Center {
			photo.Focus = nil
		}
		if edit.Cover {
			text.Cover = file
		}
		if edit.Remove {
			text.Photos = slices.Delete(text.Photos, at, at+1)
			return e.files.Rename(context.Background(), projectFile(folder, file), projectFile(folder, ".removed-"+file))
		}
		to := at + edit.Move
		if edit.Position > 0 {
			to = edit.Position - 1
		}
		to = max(0, min(len(text.Photos)-1, to))
		moved := text.Photos[at]
		text.Photos = slices.Insert(slices.Delete(text.Photos, at, at+1), to, moved)
		return nil
	})
}

// PhotosEdit holds what is changed of several photographs. Nil fields stay as they are.
type PhotosEdit struct {
	Title, Caption, Alt, Location *string
	Hidden                        *bool
	Position                      int  // place of the first of them, from 1; 0 leaves them where they are
	Sort                          Sort // of the whole project
}

// Sort is an order in which photographs are put.
type Sort string

// The orders.
const (
	ByName Sort = "name"  // of their files, numbers by their value
	ByTime Sort = "taken" // by the clock of the camera, those without it last
)

// UpdatePhotos changes photographs, named by their files, and the order of the project. It
// fails with fs.ErrNotExist if the project lacks one of them.
func (e *Editor) UpdatePhotos(folder string, files []string, edit PhotosEdit) error {
	return e.edit(folder, func(text *projectText, _ *string) error {
		var chosen, others []photoText
		for _, p := range text.Photos {
			if !slices.Contains(files, p.File) {
				others = append(others, p)
				continue
			}
			for field, value := range map[*string]*string{&p.Title: edit.Title, &p.Caption: edit.Caption, &p.Alt: edit.Alt, &p.Location: edit.Location} {
				if value != nil {
					*field = *value
				}
			}
			if edit.Hidden != nil {
				p.Hidden = *edit.Hidden
			}
			chosen = append(chosen, p)
			text.Photos[len(chosen)+len(others)-1] = p
		}
		if len(chosen) < len(files) {
			return fs.ErrNotExist
		}
		if edit.Position > 0 {
			text.Photos = slices.Insert(others, min(edit.Position-1, len(others)), chosen...)
		}
		e.sort(folder, text.Photos, edit.Sort)
		return nil
	})
}

// sort puts the photographs of a project in an order.
func (e *Editor) sort(folder string, photos []photoText, order Sort) {
	switch order {
	case ByName:
		slices.SortStableFunc(photos, func(a, b photoText) int { return naturally(a.File, b.File) })
	case ByTime:
		taken := map[string]time.Time{}
		for _, photo := range e.library.Portfolio().InFolder(folder).All() {
			taken[path.Base(photo.File)] = photo.Exposure.TakenAt
		}
		slices.SortStableFunc(photos, func(a, b photoText) int {
			x, y := taken[a.File], taken[b.File]
			if x.IsZero() != y.IsZero() {
				return -x.Compare(y)
			}
			return cmp.Or(x.Compare(y), naturally(a.File, b.File))
		})
	}
}

// naturally compares names without case, numbers in them by their value: photo-2 is before
// photo-10.
func naturally(a, b string) int {
	for a, b = strings.ToLower(a), strings.ToLower(b); a != "" && b != ""; {
		x, y := digits(a), digits(b)
		if x > 0 && y > 0 {
			m, n := strings.TrimLeft(a[:x], "0"), strings.TrimLeft(b[:y], "0")
			if c := cmp.Or(cmp.Compare(len(m), len(n)), strings.Compare(m, n)); c != 0 {
				return c
			}
			a, b = a[x:], b[y:]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

// digits returns the number of digits that a text begins with.
func digits(text string) int { return len(text) - len(strings.TrimLeft(text, "0123456789")) }

// edit reads the index.md of a project, in which change finds every photograph, and
// writes it.
func (e *Editor) edit(folder string, change func(text *projectText, body *string) error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.Enabled() {
		return fs.ErrNotExist
	}
	if err := e.refresh(); err != nil {
		return err
	}
	if !e.Editable(folder) {
		return fs.ErrNotExist
	}
	project := e.library.Portfolio().InFolder(folder)
	if project == nil {
		return fs.ErrNotExist
	}
	var text projectText
	body, err := readText(os.DirFS(e.files.Dir()), projectFile(folder, "index.md"), &text)
	if err != nil {
		return err
	}
	for _, photo := range project.All() {
		name := path.Base(photo.File)
		if !slices.ContainsFunc(text.Photos, func(p photoText) bool { return p.File == name }) {
			text.Photos = append(text.Photos, photoText{File: name})
		}
	}
	if err := change(&text, &body); err != nil {
		return err
	}
	if err := e.write(folder, &text, body); err != nil {
		return err
	}
	e.publish()
	return nil
}

// Enabled reports whether there is a portfolio to edit.
func (e *Editor) Enabled() bool { return e.library != nil && e.files != nil }

// Editable reports whether a project is in DATA_DIR, and not in the demonstration.
func (e *Editor) Editable(folder string) bool {
	if !e.Enabled() {
		return false
	}
	_, err := os.Stat(filepath.Join(e.dir(folder), "index.md"))
	return folder != "" && models.Slug(folder) == folder && err == nil
}

// write writes the index.md of a project.
func (e *Editor) write(folder string, text *projectText, body string) error {
	var b bytes.Buffer
	b.WriteString("---\n")
	enc := yaml.NewEncoder(&b)
	enc.SetIndent(2)
	if err := errors.Join(enc.Encode(text), enc.Close()); err != nil {
		return err
	}
	b.WriteString("---\n")
	if body = strings.TrimSpace(strings.ReplaceAll(body, "\r\n", "\n")); body != "" {
		b.WriteString(body + "\n")
	}
	return e.files.Write(context.Background(), projectFile(folder, "index.md"), b.Bytes())
}

func (e *Editor) dir(folder string) string { return filepath.Join(e.files.Dir(), "portfolio", folder) }

// projectFile returns the name of a file of a project.
func projectFile(folder, name string) string { return path.Join("portfolio", folder, name) }

func day(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// staleUpload is the age at which the parts of a broken upload are deleted.
const staleUpload = 7 * 24 * time.Hour

// Upload adds a part of a file to a project and returns how many of its bytes have
// arrived. A part that does not begin there is ignored, so that a client that was
// interrupted asks with an empty part where to go on. The parts may arrive at different
// servers. With its last byte the file is checked and takes the place of one with the same
// name; sizes are made later. It returns a *picture.Refused if the file is not accepted.
func (e *Editor) Upload(folder, name string, size, offset int64, part []byte) (received int64, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.Enabled() {
		return 0, fs.ErrNotExist
	}
	if !e.Editable(folder) { // another server may have created it
		if err := e.refresh(); err != nil {
			return 0, err
		}
	}
	switch {
	case !e.Editable(folder):
		return 0, fs.ErrNotExist
	case name == "" || name != filepath.Base(name) || strings.HasPrefix(name, ".") || strings.ContainsAny(name, "\\/\x00"):
		return 0, picture.Refuse("Rename it.", "The name of the file can't be used.")
	case !picture.IsPicture(name) && !isSidecar(name):
		return 0, picture.RefuseType(name)
	case size <= 0 || size > MaxFile || isSidecar(name) && size > maxSidecar:
		return 0, picture.Refuse(picture.ExportAgain, "The file is empty or larger than %d MB.", MaxFile>>20)
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d", folder, name, size))
	prefix := partsFolder + hex.EncodeToString(sum[:16]) + "-"
	parts, received, err := e.parts(prefix)
	if err != nil {
		return 0, err
	}
	if offset == received && len(part) > 0 && received+int64(len(part)) <= size {
		next := fmt.Sprintf("%s%012d.part", prefix, offset)
		if err := blob.WriteBytes(context.Background(), e.files.Bucket(), next, part); err != nil {
			return 0, err
		}
		parts, received = append(parts, next), received+int64(len(part))
	}
	if received < size {
		return received, nil
	}
	err = e.accept(folder, name, parts)
	if err != nil && picture.Refusal(err) == nil {
		return received, err // the parts stay for another attempt
	}
	return received, errors.Join(err, e.deleteParts(parts))
}

// partsFolder begins the names of the parts of uploads.
const partsFolder = "uploads/"

// parts returns the names of the parts of an upload that have arrived, in order, and their
// size. It deletes stale parts of all uploads.
func (e *Editor) parts(prefix string) (names []string, size int64, err error) {
	var found []blob.Info
	for info, err := range e.files.Bucket().List(context.Background(), partsFolder) {
		switch {
		case err != nil:
			return nil, 0, err
		case strings.HasPrefix(info.Name, prefix):
			found = append(found, info)
		case e.library.clock().Sub(info.Modified) > staleUpload:
			_ = e.files.Bucket().Delete(context.Background(), info.Name) // it is tried again
		}
	}
	slices.SortFunc(found, func(a, b blob.Info) int { return strings.Compare(a.Name, b.Name) })
	for _, info := range found {
		if info.Name == fmt.Sprintf("%s%012d.part", prefix, size) {
			names, size = append(names, info.Name), size+info.Size
		}
	}
	return names, size, nil
}

// readParts returns the file that parts are of.
func (e *Editor) readParts(names []string) (data []byte, err error) {
	for _, name := range names {
		in, _, err := e.files.Bucket().Open(context.Background(), name)
		if err != nil {
			return nil, err
		}
		part, err := io.ReadAll(in)
		if err := errors.Join(err, in.Close()); err != nil {
			return nil, err
		}
		data = append(data, part...)
	}
	return data, nil
}

func (e *Editor) deleteParts(names []string) (err error) {
	for _, name := range names {
		err = errors.Join(err, e.files.Bucket().Delete(context.Background(), name))
	}
	return err
}

// accept checks a file that has arrived in parts and stores it in the project.
func (e *Editor) accept(folder, name string, parts []string) error {
	data, err := e.readParts(parts)
	if err != nil {
		return err
	}
	if picture.IsPicture(name) {
		if err := limits.Check(name, data); err != nil {
			return err
		}
	}
	stored, err := namesIn(e.dir(folder))
	if err != nil {
		return err
	}
	if err := e.files.Write(context.Background(), projectFile(folder, storedName(stored, name)), data); err != nil {
		return err
	}
	e.publish()
	return nil
}
