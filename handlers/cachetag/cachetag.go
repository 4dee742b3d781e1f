// Package cachetag names the public data that pages are made of, to drop cached responses when it changes.
package cachetag

// Market tags all public data; see web.Op.DependsOn. A listing for sale, and the trend of its
// gear, belong to the gear, its brand, its category, its seller and the market.
const Market = "market"

func Listing(id string) string { return "listing:" + id }

func Member(handle string) string { return "member:" + handle }

func Gear(slug string) string { return "gear:" + slug }

func Brand(slug string) string { return "brand:" + slug }

func Category(category string) string { return "category:" + category } // a category or a family

// OnMarket is the Op.DependsOn of pages about all listings and trends.
func OnMarket[Out any](Out) []string { return []string{Market} }
