package handlers

import (
	"strings"

	"github.com/secondlight/secondlight/handlers/web/bind"
)

// aliases are the names that people and language models give to parameters and values.
var aliases = bind.Aliases{
	Names: byAlias(map[string][]string{
		"keyword q query search search_query search_term term terms keywords phrase":                   {"keyword", "q", "query"},
		"text message body content comment note":                                                       {"text", "message", "description", "note", "keyword"},
		"title headline subject":                                                                       {"title", "gear", "keyword"},
		"name product item":                                                                            {"gear", "title", "name", "keyword", "items"},
		"gear model slug gear_slug model_slug gear_id camera lens":                                     {"gear", "model", "fits", "keyword"},
		"id listing listing_id item_id uuid":                                                           {"id", "listing", "handle", "gear"},
		"offer offer_id conversation_id search_id":                                                     {"id"},
		"max_price price_max maximum_price price_to price_under max_budget up_to max":                  {"budget_max"},
		"min_price price_min minimum_price price_from price_over min_budget min":                       {"budget_min"},
		"price_range budget_range":                                                                     {"budget"},
		"price amount asking_price offer_price sum value":                                              {"price", "amount", "budget"},
		"brand manufacturer make maker brands brand_name":                                              {"brand"},
		"category type kind categories product_type":                                                   {"category"},
		"condition grade quality conditions":                                                           {"condition"},
		"mount lens_mount mount_type":                                                                  {"mount"},
		"region country location place where city country_code regions":                                {"region"},
		"ship_to destination deliver_to ships_to shipping_country ship_country delivery_country":       {"ship_to", "region"},
		"seller user username seller_id seller_name owner member handle":                               {"seller", "handle", "member"},
		"sort order order_by sort_by ordering sorting":                                                 {"sort"},
		"limit count per_page page_size size num max_results top":                                      {"limit"},
		"cursor next next_cursor after page_token continuation":                                        {"cursor"},
		"every frequency interval alert alerts notify schedule":                                        {"every"},
		"shutter_max max_shutter shutter clicks actuations shutter_count max_shutter_count max_clicks": {"shutter_count", "shutter_max"},
		"aperture_max aperture max_aperture f_number fstop f_stop":                                     {"aperture_max"},
		"focal_min min_focal min_focal_length focal_length_min":                                        {"focal_min"},
		"focal_max max_focal max_focal_length focal_length_max":                                        {"focal_max"},
		"sensor sensor_size format sensor_format film_format":                                          {"sensor"},
		"fits compatible_with fits_camera compatible fits_on for_camera":                               {"fits"},
		"released_min year released_after min_year since_year":                                         {"released_min"},
		"functional works working working_state function":                                              {"functional"},
		"photo photos images pictures image picture":                                                   {"photos", "photo"},
		"stars rating score":                                                                           {"stars"},
		"description desc details":                                                                     {"description"},
		"serial serial_number":                                                                         {"serial"},
		"include fields expand":                                                                        {"include"},
		"if_match version etag":                                                                        {"if_match", "version"},
		"items gears cameras list":                                                                     {"items", "gear"},
	}),
	Hints: byAlias(map[string][]string{
		"page offset start skip page_number": {"cursor"},
		"focal_length focal":                 {"focal_min"},
	}),
	Values: map[string]map[string]string{
		"sort": {"cheapest": "price", "lowest": "price", "lowest-price": "price", "price-asc": "price", "price-low-to-high": "price", "asc": "price", "günstigste": "price", "billigste": "price",
			"most-expensive": "-price", "dearest": "-price", "price-desc": "-price", "price-high-to-low": "-price", "desc": "-price", "latest": "newest", "recent": "newest", "date": "newest", "created-at": "newest", "neueste": "newest",
			"best": "deal", "best-deal": "deal", "best-deals": "deal", "deals": "deal", "discount": "deal", "best-match": "relevance", "relevant": "relevance", "total-price": "total"},
		"every":    {"immediately": "instant", "now": "instant", "day": "daily", "week": "weekly", "sofort": "instant", "täglich": "daily", "wöchentlich": "weekly"},
		"deal":     {"true": "below", "good": "below", "yes": "below"},
		"method":   {"pick-up": "pickup", "collection": "pickup", "ship": "shipping", "post": "shipping", "delivery": "shipping"},
		"delivery": {"pick-up": "pickup", "collection": "pickup", "ship": "shipping", "post": "shipping"},
	},
}

// byAlias returns the meanings of each of the names in the keys.
func byAlias(groups map[string][]string) map[string][]string {
	all := map[string][]string{}
	for names, meanings := range groups {
		for _, name := range strings.Fields(names) {
			all[name] = meanings
		}
	}
	return all
}
