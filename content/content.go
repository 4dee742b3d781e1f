// Package content embeds the site's data and texts: the catalogue of gear, guides,
// journal, agent skills and the demonstration portfolio.
package content

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"io/fs"
)

// packed holds the folders catalog and lexers, which would take a megabyte more as they are.
// TestArchive writes it.
//
//go:embed packed.zip
var packed []byte

// unpacked returns a folder of packed.zip.
func unpacked(folder string) fs.FS {
	files, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		panic(err) // the archive is embedded
	}
	sub, err := fs.Sub(files, folder)
	if err != nil {
		panic(err)
	}
	return sub
}

// Catalog returns a file system with lensfun.csv, additions.csv and aliases.csv.
// catalog/README.md describes their columns, sources and licence.
func Catalog() fs.FS { return unpacked("catalog") }
