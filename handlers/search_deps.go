package handlers

import (
	"sync"

	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/views"
)

// searchDeps are the stores and services that the operations use.
type searchDeps struct {
	Site    *views.Site
	Catalog *catalog.Catalog
	Index   *search.Index
	Words   *views.Vocabulary
	Gear    *gearNames
	Cards   *cardMaker
	Queries *queryReader
	Buffers *sync.Pool
}
