// Package packed has files of the module in an archive, which the program embeds: texts, documents,
// data, styles and scripts would take two megabytes more as they are. They are edited where they
// are in the repository; make packed writes the archive, and TestArchive compares it.
package packed

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"io/fs"
	"sync"
)

//go:embed packed.zip
var archive []byte

var files = sync.OnceValue(func() *zip.Reader {
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		panic(err) // the archive is embedded
	}
	return r
})

// Folder returns a folder of the module, such as "content/guides", with the files that are packed.
func Folder(name string) fs.FS {
	sub, err := fs.Sub(files(), name)
	if err != nil {
		panic(err) // the name is constant
	}
	return sub
}

// File returns the content of a packed file, such as "models/region_names.txt".
func File(name string) string {
	content, err := fs.ReadFile(files(), name)
	if err != nil {
		panic(err) // the name is constant, and a test reads the file
	}
	return string(content)
}
