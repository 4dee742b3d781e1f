// Package content embeds the site's data and texts: the catalogue of gear, guides,
// journal, agent skills and the demonstration portfolio.
package content

import (
	"embed"
	"io/fs"
)

//go:embed catalog/*.csv
var catalog embed.FS

// Catalog returns a file system with lensfun.csv, additions.csv and aliases.csv.
// catalog/README.md describes their columns, sources and licence.
func Catalog() fs.FS {
	sub, err := fs.Sub(catalog, "catalog")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return sub
}
