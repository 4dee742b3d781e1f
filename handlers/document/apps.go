package document

import (
	"github.com/secondlight/secondlight/handlers/web"
	appsviews "github.com/secondlight/secondlight/views/apps"
)

// URIs of the apps in which clients show the results of tools.
const (
	SearchApp  = "ui://secondlight/search"
	TrendApp   = "ui://secondlight/trend"
	ListingApp = "ui://secondlight/listing"
)

// apps returns the apps of the site.
func (s Documents) apps() []web.App {
	apps := []web.App{
		{URI: SearchApp, Title: "Search results", Description: "Shows what search_listings returns as cards with pictures."},
		{URI: TrendApp, Title: "Price trend", Description: "Shows what get_trend and get_price return, with a chart of the months."},
		{URI: ListingApp, Title: "Listing", Description: "Shows what get_listing returns, with its photos and how the price compares."},
	}
	for i := range apps {
		apps[i].HTML = appsviews.AppDocument(s.Site, apps[i].Title)
	}
	return apps
}
