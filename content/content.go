// Package content embeds the site's data and texts: the catalogue of gear, guides,
// journal, agent skills and the demonstration portfolio.
package content

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"io/fs"
)

// catalog holds the CSV files of the folder catalog, which would take a megabyte more as they
// are. TestCatalogArchive writes it.
//
//go:embed catalog.zip
var catalog []byte

// Catalog returns a file system with lensfun.csv, additions.csv and aliases.csv.
// catalog/README.md describes their columns, sources and licence.
func Catalog() fs.FS {
	files, err := zip.NewReader(bytes.NewReader(catalog), int64(len(catalog)))
	if err != nil {
		panic(err) // the archive is embedded
	}
	return files
}
