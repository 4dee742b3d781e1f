package handlers

import (
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/views"
)

// results are what the tools of the MCP server return instead of pages. Tools of other
// page types, which are short, return the page.
var results = []web.Result{
	web.ResultOf((*views.Listings).Result),
	web.ResultOf((*views.Listing).Result),
	web.ResultOf((*views.Listing).Change).ForWrites(),
	web.ResultOf((*views.MyListings).Result),
	web.ResultOf((*views.ListingPhotos).Result),
	web.ResultOf((*views.GearIndex).Result),
	web.ResultOf((*views.Trend).Result),
	web.ResultOf((*views.PriceGuide).Result),
	web.ResultOf((*views.Comparison).Result),
	web.ResultOf((*views.Seller).Result),
	web.ResultOf((*views.Me).Result),
	web.ResultOf((*views.Offer).Result),
	web.ResultOf((*views.Offer).Change).ForWrites(),
	web.ResultOf((*views.Offers).Result),
	web.ResultOf((*views.Conversations).Result),
	web.ResultOf((*views.Conversation).Result),
	web.ResultOf((*views.Conversation).Sent).ForWrites(),
	web.ResultOf((*views.Watch).Result),
	web.ResultOf((*views.Watchlist).Result),
	web.ResultOf((*views.SavedSearch).Result),
	web.ResultOf((*views.SavedSearch).Change).ForWrites(),
	web.ResultOf((*views.SavedSearches).Result),
	web.ResultOf((*views.Portfolio).Result),
	web.ResultOf((*views.Project).Result),
	web.ResultOf((*views.ProjectPhoto).Result),
	web.ResultOf((*views.Kit).Result),
	web.ResultOf((*views.ProjectEditor).Change).ForWrites(),
}
