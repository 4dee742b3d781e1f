package handlers

import (
	"log/slog"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/picture"
	"github.com/secondlight/secondlight/models/store"
)

// photoUploads stores the photos that members upload.
type photoUploads struct {
	Listings *store.Listings
	Photos   *picture.Store
	Log      *slog.Logger
	Clock    models.Clock
}
