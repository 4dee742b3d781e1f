package portfolio

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
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
	"github.com/secondlight/secondlight/models/durable"
	"github.com/secondlight/secondlight/models/picture"
)

// Editor changes the projects in DATA_DIR/portfolio: the same files that Importer writes
// and that photographers edit. Comments in the front matter of an index.md are lost. An
// Editor may be used by several goroutines of one process.
type Editor struct {
	dataDir string
	library *Library
	mu      sync.Mutex
}

// NewEditor returns an Editor of the portfolio in dataDir, which library serves.
func NewEditor(dataDir string, library *Library) *Editor {
	return &Editor{dataDir: dataDir, library: library}
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
	Cover    bool // makes it the cover
	Move     int  // places to move: -1 for up
	Position int  // place in the project, from 1; 0 leaves it where it is
	Remove   bool // takes it out of the project; its file stays, hidden
}

// Create creates a project and returns its folder.
func (e *Editor) Create(title string) (folder string, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
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
	if err := os.MkdirAll(e.dir(folder), durable.FolderMode); err != nil {
		return "", err
	}
	if err := e.write(folder, &projectText{Title: title, Date: day(e.library.clock()), Visibility: Private}, ""); err != nil {
		return "", err
	}
	e.library.Reload()
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
		if photo.Focus = &edit.Focus; edit.Focus == Center {
			photo.Focus = nil
		}
		if edit.Cover {
			text.Cover = file
		}
		if edit.Remove {
			text.Photos = slices.Delete(text.Photos, at, at+1)
			return os.Rename(filepath.Join(e.dir(folder), file), filepath.Join(e.dir(folder), ".removed-"+file))
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

// edit reads the index.md of a project, in which change finds every photograph, and
// writes it.
func (e *Editor) edit(folder string, change func(text *projectText, body *string) error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.Editable(folder) {
		return fs.ErrNotExist
	}
	project := e.library.Portfolio().InFolder(folder)
	if project == nil {
		return fs.ErrNotExist
	}
	var text projectText
	body, err := readText(os.DirFS(e.dataDir), path.Join("portfolio", folder, "index.md"), &text)
	if err != nil {
		return err
	}
	for _, photo := range project.Photos {
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
	e.library.Reload()
	return nil
}

// Enabled reports whether there is a portfolio to edit.
func (e *Editor) Enabled() bool { return e.library != nil && e.dataDir != "" }

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
	return picture.WriteFile(filepath.Join(e.dir(folder), "index.md"), b.Bytes())
}

func (e *Editor) dir(folder string) string { return filepath.Join(e.dataDir, "portfolio", folder) }

func day(t time.Time) time.Time { return t.UTC().Truncate(24 * time.Hour) }

// staleUpload is the age at which the parts of a broken upload are deleted.
const staleUpload = 7 * 24 * time.Hour

// Upload adds a part of a file to a project and returns how many of its bytes have
// arrived. A part that does not begin there is ignored, so that a client that was
// interrupted asks with an empty part where to go on. With its last byte the file is
// checked and takes the place of one with the same name; sizes are made later. It returns
// a *picture.Refused if the file is not accepted.
func (e *Editor) Upload(folder, name string, size, offset int64, part []byte) (received int64, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case !e.Editable(folder):
		return 0, fs.ErrNotExist
	case name == "" || name != filepath.Base(name) || strings.HasPrefix(name, ".") || strings.ContainsAny(name, "\\/\x00"):
		return 0, picture.Refuse("Rename it.", "The name of the file can't be used.")
	case !isPicture(name) && !isSidecar(name):
		return 0, picture.RefuseType(name)
	case size <= 0 || size > MaxFile || isSidecar(name) && size > maxSidecar:
		return 0, picture.Refuse(picture.ExportAgain, "The file is empty or larger than %d MB.", MaxFile>>20)
	}
	file := e.partFile(folder, name, size)
	if err := os.MkdirAll(filepath.Dir(file), durable.FolderMode); err != nil {
		return 0, err
	}
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, durable.FileMode)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if received = info.Size(); offset == received && received+int64(len(part)) <= size {
		if _, err := f.WriteAt(part, offset); err != nil {
			return 0, err
		}
		received += int64(len(part))
	}
	if received < size {
		return received, nil
	}
	return received, errors.Join(e.accept(folder, name, file), os.Remove(file))
}

// partFile returns the file of the parts of an upload, and deletes stale ones.
func (e *Editor) partFile(folder, name string, size int64) string {
	dir := filepath.Join(e.dataDir, "uploads")
	parts, _ := filepath.Glob(filepath.Join(dir, "*.part")) // the pattern is well-formed
	for _, old := range parts {
		if info, err := os.Stat(old); err == nil && e.library.clock().Sub(info.ModTime()) > staleUpload {
			_ = os.Remove(old)
		}
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d", folder, name, size))
	return filepath.Join(dir, hex.EncodeToString(sum[:16])+".part")
}

// accept checks a file that has arrived and moves it to the project.
func (e *Editor) accept(folder, name, file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if isPicture(name) {
		if err := limits.Check(name, data); err != nil {
			return err
		}
	}
	stored, err := namesIn(e.dir(folder))
	if err != nil {
		return err
	}
	if err := picture.WriteFile(filepath.Join(e.dir(folder), storedName(stored, name)), data); err != nil {
		return err
	}
	e.library.Reload()
	return nil
}
