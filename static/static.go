// Package static embeds the static files of the site: CSS, scripts, fonts and icons.
// Their paths contain a hash of the content, so that browsers can cache them for ever.
package static

import (
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"maps"
	"mime"
	"path"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/secondlight/secondlight/content/packed"
)

// File is a static file.
type File struct {
	Name        string // path in this folder: "fonts/text.woff2"
	Path        string // URL path: "/static/fonts/text.1f2e3d4c5b.woff2"
	ContentType string
	Hash        string // of the content, 10 hexadecimal digits
	Body        []byte // must not be modified
}

var byName, byPath = load(packed.Folder("static"))

// Path returns the URL path of the file called name, which contains a hash of the
// content: Path("site.css") returns "/static/site.1f2e3d4c5b.css". It panics if there
// is no such file.
func Path(name string) string {
	f, ok := byName[name]
	if !ok {
		panic("static: no file " + name)
	}
	return f.Path
}

// ByPath returns the file with a URL path that Path returned.
func ByPath(address string) (*File, bool) { f, ok := byPath[address]; return f, ok }

// ByName returns the file called name.
func ByName(name string) (*File, bool) { f, ok := byName[name]; return f, ok }

// All returns all files, sorted by name.
func All() []*File {
	return slices.SortedFunc(maps.Values(byName), func(a, b *File) int { return strings.Compare(a.Name, b.Name) })
}

// load reads and hashes every file. In style sheets it replaces "/static/NAME" by the
// hashed path of that file; from scripts it removes comments.
func load(fsys fs.FS) (byName, byPath map[string]*File) {
	byName, byPath = map[string]*File{}, map[string]*File{}
	var sheets []string
	names, err := list(fsys)
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		switch path.Ext(name) {
		case ".css":
			sheets = append(sheets, name)
		case ".js":
			add(fsys, name, withoutComments, byName, byPath)
		default:
			add(fsys, name, nil, byName, byPath)
		}
	}
	for _, name := range sheets {
		add(fsys, name, func(body []byte) []byte { return rewrite(body, byName) }, byName, byPath)
	}
	return byName, byPath
}

// list returns the names of all files except Go files and the sources of the CSS.
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
	var paths []string
	for name, f := range files {
		for _, end := range []string{")", `"`, `'`} {
			paths = append(paths, "/static/"+name+end, f.Path+end)
		}
	}
	return []byte(strings.NewReplacer(paths...).Replace(string(css)))
}

// commentLine matches a line of a script that has only a comment.
var commentLine = regexp.MustCompile(`(?m)^[ \t]*//.*\n`)

func withoutComments(script []byte) []byte { return commentLine.ReplaceAll(script, nil) }

// contentType returns the media type for a file name extension. Types that operating
// systems map differently are fixed here.
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
