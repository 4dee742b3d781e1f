// Package static holds the files the site serves as they are: the built CSS,
// fonts and icons. Each is named by its content, so that browsers may keep it
// for ever.
package static

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"mime"
	"path"
	"sort"
	"strings"
)

//go:embed *
var embedded embed.FS

// File is one file as it is served.
type File struct {
	Name        string // as it is called here: "fonts/text.woff2"
	Path        string // its address: "/static/fonts/text.1f2e3d4c5b.woff2"
	ContentType string
	Hash        string // of the content, 10 hexadecimal digits
	Body        []byte // never changed
}

var byName, byPath = load(embedded)

// Path is the address of a file, which changes with its content:
// Path("site.css") is "/static/site.1f2e3d4c5b.css". It panics when there is no
// such file, so that a page naming a missing file fails its first test.
func Path(name string) string {
	f, ok := byName[name]
	if !ok {
		panic("static: no file " + name)
	}
	return f.Path
}

// ByPath is the file at an address Path gave.
func ByPath(address string) (*File, bool) { f, ok := byPath[address]; return f, ok }

// ByName is the file called name.
func ByName(name string) (*File, bool) { f, ok := byName[name]; return f, ok }

// load reads and hashes every file. Addresses "/static/NAME" inside a style
// sheet are replaced by those of the files, so that fonts are kept for ever too.
func load(fsys fs.FS) (byName, byPath map[string]*File) {
	byName, byPath = map[string]*File{}, map[string]*File{}
	var sheets []string
	names, err := list(fsys)
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		if path.Ext(name) == ".css" {
			sheets = append(sheets, name)
			continue
		}
		add(fsys, name, nil, byName, byPath)
	}
	for _, name := range sheets {
		add(fsys, name, func(body []byte) []byte { return rewrite(body, byName) }, byName, byPath)
	}
	return byName, byPath
}

// list names every file but Go's own and the sources of the CSS.
func list(fsys fs.FS) ([]string, error) {
	var names []string
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && path.Ext(name) != ".go" && !strings.HasPrefix(name, "src/") {
			names = append(names, name)
		}
		return err
	})
	sort.Strings(names)
	return names, err
}

func add(fsys fs.FS, name string, change func([]byte) []byte, byName, byPath map[string]*File) {
	body, err := fs.ReadFile(fsys, name)
	if err != nil {
		panic(err)
	}
	if change != nil {
		body = change(body)
	}
	sum := sha256.Sum256(body)
	ext := path.Ext(name)
	f := &File{Name: name, Hash: hex.EncodeToString(sum[:5]), ContentType: contentType(ext), Body: body}
	f.Path = "/static/" + strings.TrimSuffix(name, ext) + "." + f.Hash + ext
	byName[name], byPath[f.Path] = f, f
}

func rewrite(css []byte, files map[string]*File) []byte {
	for name, f := range files {
		for _, end := range []string{")", `"`, `'`} {
			css = bytes.ReplaceAll(css, []byte("/static/"+name+end), []byte(f.Path+end))
		}
	}
	return css
}

// contentType does not ask the operating system, whose answer differs between machines.
func contentType(ext string) string {
	switch ext {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".woff2":
		return "font/woff2"
	case ".ico":
		return "image/x-icon"
	case ".txt":
		return "text/plain; charset=utf-8"
	case ".webmanifest":
		return "application/manifest+json"
	case ".md":
		return "text/markdown; charset=utf-8"
	}
	if t := mime.TypeByExtension(ext); t != "" {
		return t
	}
	return "application/octet-stream"
}
