package handlers

// Tags of the public data that pages are made of; see web.Op.DependsOn. A listing for
// sale, and the trend of its gear, belong to the gear, its brand, its category, its
// seller and the market.
const marketTag = "market"

func listingTag(id string) string { return "listing:" + id }

func memberTag(handle string) string { return "member:" + handle }

func gearTag(slug string) string { return "gear:" + slug }

func brandTag(slug string) string { return "brand:" + slug }

func categoryTag(category string) string { return "category:" + category } // a category or a family

// onMarket is the Op.DependsOn of pages about all listings and trends.
func onMarket[Out any](Out) []string { return []string{marketTag} }
