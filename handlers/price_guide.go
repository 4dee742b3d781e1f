package handlers

import (
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views"
)

// priceGuides makes price guides: what gear sells for, and what is asked for it now.
type priceGuides struct {
	Prices    *store.Prices
	Site      *views.Site
	Index     *search.Index
	Cards     *cardMaker
	Estimates *estimates
	Clock     models.Clock
}
