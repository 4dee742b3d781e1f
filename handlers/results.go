package handlers

import (
	"github.com/secondlight/secondlight/handlers/web"
	accountviews "github.com/secondlight/secondlight/views/account"
	gearviews "github.com/secondlight/secondlight/views/gear"
	listingviews "github.com/secondlight/secondlight/views/listing"
	portfolioviews "github.com/secondlight/secondlight/views/portfolio"
	priceviews "github.com/secondlight/secondlight/views/price"
	searchviews "github.com/secondlight/secondlight/views/search"
	tradeviews "github.com/secondlight/secondlight/views/trade"
	watchviews "github.com/secondlight/secondlight/views/watch"
)

// results are what the tools of the MCP server return instead of pages. Tools of other
// page types, which are short, return the page.
var results = []web.Result{
	web.ResultOf((*searchviews.Listings).Result),
	web.ResultOf((*searchviews.Findings).Result),
	web.ResultOf((*searchviews.Fetched).Result),
	web.ResultOf((*listingviews.Listing).Result),
	web.ResultOf((*listingviews.Listing).Change).ForWrites(),
	web.ResultOf((*listingviews.MyListings).Result),
	web.ResultOf((*listingviews.ListingPhotos).Result),
	web.ResultOf((*gearviews.GearIndex).Result),
	web.ResultOf((*gearviews.Trend).Result),
	web.ResultOf((*priceviews.PriceGuide).Result),
	web.ResultOf((*priceviews.PriceChart).Result),
	web.ResultOf((*priceviews.Accuracy).Result),
	web.ResultOf((*searchviews.Comparison).Result),
	web.ResultOf((*accountviews.Seller).Result),
	web.ResultOf((*accountviews.Me).Result),
	web.ResultOf((*tradeviews.Offer).Result),
	web.ResultOf((*tradeviews.Offer).Change).ForWrites(),
	web.ResultOf((*tradeviews.Offers).Result),
	web.ResultOf((*tradeviews.Conversations).Result),
	web.ResultOf((*tradeviews.Conversation).Result),
	web.ResultOf((*tradeviews.Conversation).Sent).ForWrites(),
	web.ResultOf((*watchviews.Watch).Result),
	web.ResultOf((*watchviews.Watchlist).Result),
	web.ResultOf((*watchviews.SavedSearch).Result),
	web.ResultOf((*watchviews.SavedSearch).Change).ForWrites(),
	web.ResultOf((*watchviews.SavedSearches).Result),
	web.ResultOf((*portfolioviews.Portfolio).Result),
	web.ResultOf((*portfolioviews.Project).Result),
	web.ResultOf((*portfolioviews.ProjectPhoto).Result),
	web.ResultOf((*portfolioviews.Kit).Result),
	web.ResultOf((*portfolioviews.ProjectEditor).Change).ForWrites(),
}
