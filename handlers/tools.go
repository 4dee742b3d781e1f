package handlers

import (
	"github.com/secondlight/secondlight/handlers/document"
	searchops "github.com/secondlight/secondlight/handlers/search"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/search"
)

// Toolsets of the MCP server. Clients choose one with /api/mcp?toolset=sell.
const (
	shopTools      = "shop"
	sellTools      = "sell"
	accountTools   = "account"
	portfolioTools = "portfolio"
	moderateTools  = "moderate"
	adminTools     = "admin"
	researchTools  = "research" // what the deep research of chat clients expects: search and fetch
)

var toolsets = []string{shopTools, sellTools, accountTools, portfolioTools, moderateTools, adminTools, researchTools}

// in returns the toolsets of a tool.
func in(toolsets ...string) []string { return toolsets }

// itemArguments adds the fields of an item to descriptions of arguments: the names of the
// others say enough.
func itemArguments(arguments map[string]string) map[string]string {
	for _, f := range models.ItemFields {
		if _, described := arguments[f.Name]; !described {
			arguments[f.Name] = ""
		}
	}
	return arguments
}

// filterArguments returns the parameters that restrict a search.
func filterArguments() []string {
	names := []string{"budget_min", "budget_max"}
	for i := range search.Params {
		if p := &search.Params[i]; p.Label != "" {
			names = append(names, p.Name)
		}
	}
	return names
}

// tools are the MCP tools, in the order in which they are listed: those that most tasks
// need come first, because a list without a toolset ends after web.MaxTools of them.
// Reads are apart from writes. Operations that commit the member have Confirm, so that clients
// that can ask the person do.
// Descriptions have at most 60 words; a tool without one has that of its operation.
var tools = []web.Tool{
	// Shopping and prices, for everybody.
	{
		Name: "search_listings", Toolsets: in(shopTools, sellTools, portfolioTools, moderateTools), App: document.SearchApp,
		Description: "Searches used cameras and lenses for sale. Returns the total and listings, each with its price against the market; " +
			"sort=deal: best first. For one in full use get_listing; for values use get_price.",
		Arguments: searchops.SearchArguments(),
		Omit:      []string{"budget_min", "budget_max", "currency", "facets", "view", "fields"}, // budget says the same: 500-800 USD; include has the facets
	},
	{
		Name: "get_price", Toolsets: in(shopTools, sellTools, portfolioTools), App: document.TrendApp,
		Description: "Returns what a model is worth today: an estimate with an 80% range, by condition, and whether an asking price is fair; separately, sold prices and current asking prices. " +
			"Use it for any question about one price, before an offer or a listing. For price history use get_trend.",
	},
	{
		Name: "get_listing", Toolsets: in(shopTools, sellTools, moderateTools), App: document.ListingApp,
		Description: "Returns everything about one listing: condition, defects, what is included, the seller, sold prices of the model, earlier asking prices. " +
			"Use it before recommending or buying. Sellers also get the next steps and the version that edit_listing needs. Ids come from search_listings.",
	},
	{
		Name: "find_gear", Toolsets: in(shopTools, sellTools, portfolioTools),
		Description: "Finds camera and lens models by any common name and returns their slugs (brand/model) with the price and the number for sale. " +
			"Use it when a name is ambiguous or another tool asks for a slug. It doesn't find listings: that is search_listings.",
	},
	{
		Name: "get_trend", Toolsets: in(shopTools), App: document.TrendApp,
		Description: "Returns the sold-price history of one model: median and quartiles by month and condition, changes over 30 days, 90 days and 12 months. " +
			"Use it to say whether prices rise or fall. For today's value get_price is shorter. Under five sales, figures say insufficient_data.",
		Omit: []string{"years", "condition"}, // months says the same; by_condition has all
	},
	{
		Name: "get_market", Title: "The whole market", Toolsets: in(shopTools, portfolioTools),
		Description: "Returns figures about all gear: the biggest price changes in 12 months (what lost or gained most value), what holds its value best, price indexes by kind and brand, seasons, depreciation over 1 to 5 years, " +
			"and how accurate estimates were. For one model use get_trend.",
		Actions: []web.Action{marketChart("movers"), marketChart("holders"), marketChart("kinds"), marketChart("brands"), marketChart("seasons"), marketChart("depreciation"), {Name: "accuracy", Operation: "get_price_accuracy"}},
		Omit:    []string{"chart"},
	},
	{
		Name: "compare_gear", Toolsets: in(shopTools, portfolioTools),
		Description: "Compares up to 6 models (gear, any names) or 4 listings (listing) side by side: models by specifications, estimates, sold prices and their changes; listings by price, postage, condition, included items and seller.",
	},
	{
		Name: "value_gear", Toolsets: in(sellTools),
		Description: "Values a list of cameras and lenses: an estimate for each item, and the total. Informal names work. " +
			"An ambiguous item has candidates: ask which is meant, then resend it with the slug. For one item use get_price.",
	},

	{
		Name: "get_seller", Toolsets: in(shopTools, moderateTools),
		Description: "Returns a seller's ratings, response time, active listings and latest sales. Use it to judge whether to trust a seller. " +
			"Handles come from listings. To filter one seller's listings use search_listings with seller.",
	},

	// Selling.
	{
		Name: "get_me", Toolsets: in(shopTools, sellTools, accountTools),
		Description: "Returns the member you act for: handle, region, listings by status, unread messages and what the token allows. Call it first when you act for someone.",
	},
	{
		Name: "list_my_listings", Toolsets: in(sellTools, accountTools),
		Description: "Lists the member's own listings: the number in each status and the first of each, or with status all in it. Each says what needs attention and which steps are next.",
	},

	{
		Name: "manage_listing", Title: "Create or edit a listing", Toolsets: in(sellTools),
		Description: "create makes a draft that only the member sees: condition and price are required, with gear or a title that names it; state every defect. edit changes the given fields of a draft or an active listing, unless it has changed since if_match. " +
			"Use get_price first; next come manage_photos and publish_listing.",
		Actions: []web.Action{{Name: "create", Operation: "create_listing"}, {Name: "edit", Operation: "edit_listing"}},
		Arguments: itemArguments(map[string]string{
			"id": "edit: UUID of the listing", "if_match": "edit: version from get_listing; required", "gear": "brand/model slug; default: from the title; edit: empty if outside the catalogue", "category": "only if outside the catalogue", "serial": "private",
			"region": "ISO 3166: DE, US-CA; default: the member's", "buy_now": "at its price, default: off", "postage": "pickup, free, or DE 6.90, EU 14.90, world 29", "price": "450.00 EUR", "description": "", "title": "default: name of the gear",
		}),
	},
	{
		Name: "manage_photos", Title: "Photos of a listing", Toolsets: in(sellTools),
		Description: "Lists, adds, reorders and removes photos of one of the member's listings. At most 12, JPEG, PNG, WebP, HEIC or AVIF; the first represents it. Metadata such as location is removed. Take keys from list.",
		Actions:     []web.Action{{Name: "list", Operation: "list_photos"}, {Name: "add", Operation: "add_photos"}, {Name: "arrange", Operation: "arrange_photos"}, {Name: "remove", Operation: "remove_photo"}},
		Arguments: map[string]string{
			"photo":   "add: files in base64, best first; remove: the key of a photo",
			"photos":  "arrange: keys of all photos in their new order",
			"alt":     "add, arrange: alt text of each photo, in the same order",
			"earlier": "arrange: key of a photo to move up", "later": "arrange: key of a photo to move down",
			"if_match": "arrange: version of the listing; default: no check",
		},
	},
	{
		Name: "publish_listing", Toolsets: in(sellTools),
		Description: "Puts a draft on sale: public, searchable and open to offers for 60 days. Get the member's confirmation first. For a reserved, ended or expired listing use update_listing_status.",
	},
	{
		Name: "update_listing_status", Title: "Reserve, end or relist a listing", Toolsets: in(sellTools),
		Description: "reserve hides a listing for a buyer; relist puts it back on sale for 60 days; end takes it off sale unsold, with a reason; sold marks a sale outside the site's offers, which doesn't count; discard deletes a draft. " +
			"Get the member's confirmation. After an accepted offer use finish_trade.",
		Actions:   []web.Action{{Name: "reserve", Operation: "reserve_listing"}, {Name: "relist", Operation: "relist_listing"}, {Name: "end", Operation: "end_listing"}, {Name: "sold", Operation: "mark_sold"}, {Name: "discard", Operation: "discard_draft"}},
		Arguments: map[string]string{"reason": "end: why", "price": "sold: 450.00 EUR; required"},
		Omit:      []string{"sold_here"}, // deprecated
	},

	// Offers and messages.
	{
		Name: "make_offer", Toolsets: in(shopTools),
		Description: "Makes an offer on another member's listing. They have 48 hours to accept, counter or decline. It is binding if accepted: get the member's confirmation of the amount first, and compare it with get_price. " +
			"At the asking price use buy_listing if buy_now allows it.",
		Arguments: map[string]string{"amount": "price: 450.00 EUR", "message": "plain text for the seller", "delivery": "default: arranged later", "address": "default: the member's"},
		Omit:      []string{"save_address"},
	},
	{
		Name: "buy_listing", Toolsets: in(shopTools),
		Description: "Buys a listing whose buy_now is confirm or instant at its price, and reserves it. It is binding: get the member's confirmation of price, delivery and address first. " +
			"With confirm, the seller has 48 hours to confirm. The result says how to pay the seller.",
		Arguments: map[string]string{"price": "price: 450.00 EUR", "delivery": "default: shipping if offered", "address": "default: the member's"},
		Omit:      []string{"save_address"},
	},
	{
		Name: "read_offers", Title: "Read offers", Toolsets: in(shopTools, sellTools, accountTools),
		Description: "Reads the member's offers as buyer and seller. list filters them by role, status or listing and says whose turn it is; get returns one with its prices, messages, agreement, address and next steps.",
		Actions:     []web.Action{{Name: "list", Operation: "list_offers"}, {Name: "get", Operation: "get_offer"}},
		Arguments:   map[string]string{"id": "get: UUID of the offer", "role": "list: buyer for offers made, seller for offers received", "status": "list", "listing": "list: UUID of a listing", "cursor": "list: next_cursor of the page before"},
	},
	{
		Name: "answer_offer", Title: "Answer an offer", Toolsets: in(shopTools, sellTools),
		Description: "accept agrees to an offer as seller, or to a counter-offer as buyer: binding, and reserves the listing. counter replies with another price, for 48 hours, at most eight in all. " +
			"decline refuses; withdraw takes back an own or cancels an accepted offer. Get the member's confirmation.",
		Actions:   []web.Action{{Name: "accept", Operation: "accept_offer"}, {Name: "counter", Operation: "counter_offer"}, {Name: "decline", Operation: "decline_offer"}, {Name: "withdraw", Operation: "withdraw_offer"}},
		Arguments: map[string]string{"id": "UUID of the offer", "amount": "counter: 450.00 EUR; required", "message": "counter: plain text"},
	},
	{
		Name: "manage_handover", Title: "Arrange delivery", Toolsets: in(shopTools, sellTools),
		Description: "After acceptance: propose suggests pickup (place and time) or shipping; agree accepts what the other party suggests, binding. payment sets how the seller is paid. " +
			"tracking updates a parcel's tracking; receive (buyer) marks it as arrived; evidence adds to a reported problem.",
		Actions: []web.Action{{Name: "propose", Operation: "propose_handover"}, {Name: "agree", Operation: "agree_handover"}, {Name: "payment", Operation: "set_payment"}, {Name: "tracking", Operation: "set_tracking"},
			{Name: "receive", Operation: "receive_item"}, {Name: "evidence", Operation: "add_evidence"}},
		Arguments: map[string]string{
			"id": "UUID of the offer", "method": "propose", "place": "pickup: where", "meet_at": "pickup: local time, 2026-11-28T17:30", "address": "shipping, by the buyer: postal address", "proposal": "agree: from read_offers",
			"payment": "payment: how, plain text", "payment_link": "payment: https", "carrier": "tracking", "tracking": "tracking: number", "tracking_url": "tracking: https", "text": "evidence",
		},
		Omit: []string{"photo"}, // members add photos on the page of the offer
	},
	{
		Name: "finish_trade", Title: "Complete, confirm, dispute or rate a sale", Toolsets: in(shopTools, sellTools),
		Description: "complete (seller) marks an accepted offer as sold once the item is handed over or sent. confirm (buyer) says it is as agreed, for good; dispute (buyer) reports a problem, within 7 days, 21 if it was sent. " +
			"rate reviews the other member with stars and text. Get the member's confirmation.",
		Actions:   []web.Action{{Name: "complete", Operation: "complete_offer"}, {Name: "confirm", Operation: "confirm_offer"}, {Name: "dispute", Operation: "dispute_offer"}, {Name: "rate", Operation: "rate_trade"}},
		Arguments: map[string]string{"id": "UUID of the offer", "carrier": "complete: of an item that is sent", "tracking": "complete: number", "tracking_url": "complete: https", "text": "dispute: what isn't as agreed; rate: the review", "stars": "rate: 1 to 5"},
		Omit:      []string{"photo"},
	},
	{
		Name: "read_messages", Title: "Read messages", Toolsets: in(shopTools, sellTools, accountTools),
		Description: "Reads the member's conversations with buyers and sellers. list returns them with the last message and the number unread; get returns one's messages, and doesn't mark them as read.",
		Actions:     []web.Action{{Name: "list", Operation: "list_conversations"}, {Name: "get", Operation: "get_conversation"}},
		Arguments:   map[string]string{"id": "get: UUID of the conversation", "cursor": "next_cursor of the page before"},
	},
	{
		Name: "send_message", Title: "Send a message", Toolsets: in(shopTools, sellTools),
		Description: "Sends a message in the member's name: start writes to the seller of a listing, offer to the other party of an offer, reply in a conversation. mark_read only marks it as read. To offer a price use make_offer.",
		Actions:     []web.Action{{Name: "start", Operation: "write_message"}, {Name: "offer", Operation: "message_trader"}, {Name: "reply", Operation: "reply_message"}, {Name: "mark_read", Operation: "mark_conversation_read"}},
		Arguments:   map[string]string{"id": "start: UUID of the listing; offer: of the offer; reply, mark_read: of the conversation", "text": "plain text"},
	},

	// Watching.
	{
		Name: "read_alerts", Title: "Read the watchlist and saved searches", Toolsets: in(shopTools, accountTools),
		Description: "watchlist lists the listings the member watches, with status and the price drop since; searches lists their saved searches; search returns one with the secret addresses of its feeds and its recent alerts.",
		Actions:     []web.Action{{Name: "watchlist", Operation: "get_watchlist"}, {Name: "searches", Operation: "list_searches"}, {Name: "search", Operation: "get_search"}},
		Arguments:   map[string]string{"id": "search: id of the saved search"},
	},
	{
		Name: "manage_alerts", Title: "Watch listings and save searches", Toolsets: in(shopTools, accountTools),
		Description: "Tells the member when something happens: save stores a search and alerts them to each new match by email, feed or webhook; edit and delete change it; watch adds a listing to the watchlist, for price drops; unwatch removes it. " +
			"rotate_secrets replaces leaked addresses.",
		Actions: []web.Action{{Name: "save", Operation: "save_search"}, {Name: "edit", Operation: "edit_search"}, {Name: "delete", Operation: "delete_search"}, {Name: "watch", Operation: "watch_listing"}, {Name: "unwatch", Operation: "unwatch_listing"},
			{Name: "rotate_secrets", Operation: "rotate_search_secrets"}, {Name: "test_webhook", Operation: "test_search_webhook"}},
		Arguments: map[string]string{
			"query": "arguments of search_listings as a query string: keyword=canon+r6&budget=-900", "listing": "watch, unwatch: UUID of the listing",
			"id": "id of the saved search", "name": "default: derived from the search", "every": "frequency; default: daily",
			"email": "default: true", "webhook": "public URL; edit: empty removes it",
			"webhook_events": "default: listings.published", "if_match": "edit: ETag; default: no check",
		},
		Omit: filterArguments(), // query says the same
	},

	// The member's own gear.
	{
		Name: "read_kit", Title: "Read your kit", Toolsets: in(accountTools),
		Description: "Reads the gear the member owns. list returns each item with its value, and the total; get returns one with its serial number and value history; export returns all for an insurer, with serial numbers. To value gear they don't own use value_gear.",
		Actions:     []web.Action{{Name: "list", Operation: "list_kit"}, {Name: "get", Operation: "get_kit_item"}, {Name: "export", Operation: "export_kit"}},
		Arguments:   map[string]string{"id": "get: id of the item"},
	},
	{
		Name: "manage_kit", Title: "Change your kit", Toolsets: in(accountTools),
		Description: "add puts an item into the member's kit, by any name; edit changes the given fields; remove deletes it permanently. Items are private. To sell one use create_listing.",
		Actions:     []web.Action{{Name: "add", Operation: "add_to_kit"}, {Name: "edit", Operation: "edit_kit_item"}, {Name: "remove", Operation: "remove_from_kit"}},
		Arguments: map[string]string{
			"id": "edit, remove: id of the item", "name": "add: required", "gear": "slug; none: not in the catalogue; default: from the name", "condition": "", "bought_on": "2024-05-17", "paid": "1890.00 EUR",
			"serial": "private", "insured": "", "note": "", "alert": "email when its value moves by 5%", "public": "on the kit page; only for operators", "if_match": "edit: version; default: no check",
		},
	},

	// Other members.
	{Name: "report_listing", Toolsets: in(accountTools)},
	{Name: "propose_correction", Toolsets: in(accountTools)},
	{
		Name: "manage_blocks", Title: "Block a member", Toolsets: in(accountTools),
		Description: "block stops messages and offers from a member; unblock allows them again. Returns the blocked members. To report a listing to the operators use report_listing.",
		Actions:     []web.Action{{Name: "block", Operation: "block_member"}, {Name: "unblock", Operation: "unblock_member"}},
	},
	{Name: "list_blocks", Toolsets: in(accountTools)},
	{
		Name: "import_listings", Toolsets: in(sellTools),
		Description: "Creates and updates many listings from a CSV file. Rows are known by external_id: new ones become drafts, or active with publish; importing a file twice changes nothing. Rejected rows are reported by line. For one item use create_listing.",
	},
	{
		Name: "identify_gear", Toolsets: in(sellTools),
		Description: "Identifies the camera and lens that took a photo, from its metadata. Doesn't recognise gear shown in it. The photo isn't stored. To look up a name use find_gear.",
	},
	{
		Name: "manage_tokens", Title: "API tokens", Toolsets: in(accountTools),
		Description: "Lists, reads, creates and revokes the member's API tokens. create returns the secret once, with at most the scopes and life of the token in use; revoke also ends the tokens it created and can't be undone.",
		Actions:     []web.Action{{Name: "list", Operation: "list_tokens"}, {Name: "get", Operation: "get_token"}, {Name: "create", Operation: "create_token"}, {Name: "revoke", Operation: "revoke_token"}},
		Arguments:   map[string]string{"id": "id of the token", "name": "create: at most 60 characters", "scopes": "create: what the token allows", "expires_at": "create: last day (2027-06-30) or RFC 3339 time"},
	},

	{Name: "list_connections", Toolsets: in(accountTools)},
	{Name: "end_connection", Toolsets: in(accountTools)},

	// Browsing, for everybody.
	{Name: "get_brand", Toolsets: in(portfolioTools),
		Description: "Lists the models of a brand with their slugs, sold prices and the number for sale. To find one model by name use find_gear."},
	{
		Name: "list_portfolio", Toolsets: in(portfolioTools),
		Description: "Lists the photographer's projects or, with camera, lens or focal, matching photos, and photo counts per camera and lens. Use it to show what gear can do. For one project or photo use get_portfolio.",
	},
	{
		Name: "get_portfolio", Title: "Project, photo or kit", Toolsets: in(portfolioTools),
		Description: "Reads the photographer's portfolio: project returns a series with its photos; photo returns one with its exposure and what its camera and lens sell for; kit returns the photographer's own gear and its value. Slugs are in list_portfolio.",
		Actions:     []web.Action{{Name: "project", Operation: "get_project"}, {Name: "photo", Operation: "get_photo"}, {Name: "kit", Operation: "get_kit"}},
		Arguments:   map[string]string{"cursor": "project: next_cursor of the page before", "limit": "project: photos per page"},
	},

	// The portfolio, for operators and editors.
	{
		Name: "read_projects", Title: "Projects as they are edited", Toolsets: in(portfolioTools),
		Description: "list returns all projects, including hidden ones; get returns one with its settings and photos in order, with edited texts and those read from the files. Visitors' view is in get_portfolio.",
		Actions:     []web.Action{{Name: "list", Operation: "edit_portfolio"}, {Name: "get", Operation: "edit_project"}},
		Arguments:   map[string]string{"project": "get: folder", "limit": "get", "cursor": "get: next_cursor of the page before"},
	},
	{
		Name: "manage_project", Title: "Create or change a project", Toolsets: in(portfolioTools),
		Description: "create makes a private project without photos; add them with upload_project_photos. update replaces its texts and settings, so send all that should stay: read them with read_projects first. Public projects are visible to everyone: get the operator's confirmation.",
		Actions:     []web.Action{{Name: "create", Operation: "create_project"}, {Name: "update", Operation: "update_project"}},
		Arguments: map[string]string{"title": "", "project": "update: folder", "description": "update: one sentence", "text": "update: Markdown", "visibility": "update; unlisted: a secret address; private: operators", "publish_at": "update: UTC; default: now",
			"license": "update; default: all rights reserved", "options": "update: downloads offers the largest size, new_address changes the secret one"},
	},
	{
		Name: "upload_project_photos", Toolsets: in(portfolioTools),
		Description: "Adds a photo or its XMP sidecar to a project, or replaces the file with its name. Title, caption, place of the crop point and order are set with update_project_photo; camera, lens and texts are read from the file. " +
			"Send files over 20 MB in parts: received in the result says where the next begins.",
		Arguments: map[string]string{"project": "folder", "photo": "one file or part in base64: JPEG, PNG, WebP, HEIC, AVIF or XMP", "name": "of the file; required", "size": "of the whole file in bytes; default: that of photo", "offset": "where the part begins"},
	},
	{
		Name: "update_project_photo", Toolsets: in(portfolioTools),
		Description: "Replaces the texts and the focal point of a photo, so send all that should stay, and moves it, makes it the cover or takes it out of the project. An empty text falls back to the file's. Read them with read_projects first.",
		Arguments: map[string]string{"project": "folder", "photo": "file name", "title": "", "caption": "", "alt": "what it shows", "location": "shown only if given", "license": "default: that of the project", "focus_x": "crop point, percent from the left", "focus_y": "percent from the top",
			"position": "place in the project, from 1", "step": "up, down: by one; remove: the file stays in the folder"},
	},

	// Moderation.
	{
		Name: "read_moderation", Title: "Moderation queue", Toolsets: in(moderateTools),
		Description: "reports lists the open reports about listings; sales lists the sales that wait for a decision, or all of a member; audit lists past actions with operator and reason; words returns the words that hold a listing, with their version.",
		Actions:     []web.Action{{Name: "reports", Operation: "list_reports"}, {Name: "sales", Operation: "list_sales"}, {Name: "audit", Operation: "list_audit"}, {Name: "words", Operation: "get_held_words"}},
		Arguments:   map[string]string{"member": "sales, audit: handle", "type": "audit: action, as in its entries", "cursor": "next_cursor of the page before"},
	},
	{
		Name: "close_report", Toolsets: in(moderateTools),
	},
	{
		Name: "moderate_listing", Title: "Hide, restore or hold listings", Toolsets: in(moderateTools),
		Description: "hide removes a listing from the site, declines its open offers and closes its reports; restore makes it public again, with declined offers staying declined. words replaces the list of words that hold new listings for a decision. All are in the audit log.",
		Actions:     []web.Action{{Name: "hide", Operation: "hide_listing"}, {Name: "restore", Operation: "restore_listing"}, {Name: "words", Operation: "edit_held_words"}},
		Arguments:   map[string]string{"id": "hide, restore: UUID of the listing", "note": "hide, restore: reason, for the audit log", "words": "words: the whole list of words and phrases", "version": "words: from read_moderation"},
	},
	{
		Name: "moderate_member", Title: "Suspend or reinstate a member", Toolsets: in(moderateTools),
		Description: "suspend signs a member out, refuses their changes, hides their listings and closes their offers; with void_sales their sales stop counting, permanently. reinstate reverses the suspension. Both are in the audit log. For one listing use moderate_listing.",
		Actions:     []web.Action{{Name: "suspend", Operation: "suspend_member"}, {Name: "reinstate", Operation: "reinstate_member"}},
	},
	{
		Name: "review_sale", Title: "Approve or void a sale", Toolsets: in(moderateTools),
		Description: "Decides about a disputed sale or one with an unusual price: approve makes it count towards price history; void removes it from prices and ratings, ends its listing and can't be undone. Both sides are notified. Sales are in read_moderation.",
		Actions:     []web.Action{{Name: "approve", Operation: "approve_sale"}, {Name: "void", Operation: "void_sale"}},
	},

	{Name: "send_contact_message", Toolsets: in(accountTools, portfolioTools),
		Description: "Sends a message to the site's owner, who replies by email: about a print, a commission or the site. Get the member's confirmation of the text and the address first. For a question about a listing use send_message."},

	// Administration.
	{Name: "get_site", Toolsets: in(adminTools),
		Description: "Returns the settings of the site: name, look, links, home page, notes, purpose, currency and languages, with the version that edit_site needs."},
	{Name: "edit_site", Toolsets: in(adminTools),
		Description: "Changes only the given site settings, effective immediately for everyone; an empty value restores the default. Read them with get_site first, and get the operator's confirmation.",
		Arguments: map[string]string{"version": "from get_site", "name": "", "tagline": "", "owner": "", "address": "postal", "email": "public", "purpose": "", "currency": "ISO 4217", "country": "ISO 3166", "languages": "en, de; the default first",
			"accent": "#1f5fae", "accent_dark": "on dark pages", "fonts": "", "theme": "from get_site", "header_links": "label | address", "footer_links": "label | address", "home_sections": "those shown, in order", "fees_note": "", "shipping_note": ""}},
	{Name: "set_site_picture", Toolsets: in(adminTools)},
	{
		Name: "read_dashboard", Title: "Dashboard and checklist", Toolsets: in(adminTools),
		Description: "dashboard returns open tasks, sales, listings and sign-ups of the last days, mail and webhook queues, storage, errors and versions; checklist returns what a new site still needs. Start here to check site health.",
		Actions:     []web.Action{{Name: "dashboard", Operation: "get_dashboard"}, {Name: "checklist", Operation: "get_checklist"}},
	},
	{Name: "list_members", Toolsets: in(adminTools),
		Description: "Finds members by part of a handle, name or email address, or by role, with standing, listings for sale and sales. Email addresses are private. To suspend one use moderate_member."},
	{
		Name: "manage_member", Title: "Manage a member's account", Toolsets: in(adminTools),
		Description: "role sets moderator, editor or operator; member removes all roles. reset emails a password reset link; email changes a lost address; sign_out ends their sessions; delete deletes the account permanently: get the operator's confirmation. To suspend one use moderate_member.",
		Actions:     []web.Action{{Name: "role", Operation: "set_role"}, {Name: "reset", Operation: "send_password_reset"}, {Name: "email", Operation: "replace_email"}, {Name: "sign_out", Operation: "end_sessions"}, {Name: "delete", Operation: "delete_member"}},
		Arguments:   map[string]string{"handle": "", "role": "role: required", "email": "email: the new address", "note": "delete: why"},
	},
	{Name: "list_jobs", Toolsets: in(adminTools)},
	{Name: "run_job", Toolsets: in(adminTools)},
	{
		Name: "read_texts", Title: "Read the texts of the site", Toolsets: in(adminTools),
		Description: "list returns all texts of the site (pages such as imprint and terms, guides, journal) in each language, with what visitors read and whether there is a draft; get returns one as Markdown with its history, its version and links that lead nowhere.",
		Actions:     []web.Action{{Name: "list", Operation: "list_texts"}, {Name: "get", Operation: "get_text"}},
		Arguments:   map[string]string{"section": "get", "slug": "get", "language": "get", "revision": "get: number of an earlier revision; default: the latest"},
	},
	{
		Name: "create_text", Toolsets: in(adminTools),
		Description: "Creates an empty draft of a journal entry or a guide that visitors can't see, at an address made from its title. Write it with edit_text.",
	},
	{
		Name: "edit_text", Toolsets: in(adminTools),
		Description: "Saves a text of the site as a draft or, with publish, makes it public now or at a time: get the operator's confirmation first. Read it with read_texts. Warnings name links that lead nowhere. To restore an earlier revision, read it and save it.",
		Arguments: map[string]string{"section": "", "slug": "", "language": "", "if_match": "version from read_texts; default: no check", "title": "", "description": "one or two sentences", "tags": "journal only",
			"text": "Markdown without the title; no HTML", "address": "new slug; the old address redirects", "publish": "", "publish_at": "UTC; default: now"},
	},
	{
		Name: "reset_text", Toolsets: in(adminTools),
		Description: "Unpublishes the owner's version: visitors see the default text again, or nothing if there is none. The history is kept. Get the operator's confirmation.",
		Arguments:   map[string]string{"section": "", "slug": "", "language": "", "if_match": "version from read_texts; default: no check"},
	},
	{
		Name: "add_text_picture", Toolsets: in(adminTools),
		Description: "Stores an image for texts and returns its Markdown for edit_text. Describe it in alt.",
		Arguments:   map[string]string{"picture": "JPEG, PNG, WebP, HEIC or AVIF in base64", "alt": "what it shows"},
	},
	{
		Name: "read_catalog", Title: "Catalogue and corrections", Toolsets: in(adminTools),
		Description: "Reads the catalogue as the operator sees it: search finds gear, or with show=corrections what the owner added or corrected; get returns one gear with its corrected and its shipped values; export returns the corrections as signed CSV to send upstream; proposals lists what members and other sites propose.",
		Actions:     []web.Action{{Name: "search", Operation: "search_catalog"}, {Name: "get", Operation: "get_gear"}, {Name: "export", Operation: "export_catalog"}, {Name: "proposals", Operation: "list_gear_proposals"}},
		Arguments: map[string]string{"keyword": "search: any common name", "show": "search: all, corrections or redundant", "limit": "search", "cursor": "search: next_cursor",
			"brand_slug": "get: slug", "model_slug": "get: slug"},
	},
	{Name: "add_gear", Toolsets: in(adminTools),
		Description: "Adds a camera or lens missing from the catalogue, effective immediately for everyone. Check find_gear first: it may exist under another name. Get the operator's confirmation."},
	{Name: "correct_gear", Toolsets: in(adminTools),
		Description: "Corrects values of a model, effective immediately for everyone; the others stay. Updates of the site keep them. Read them with read_catalog first, and get the operator's confirmation."},
	{Name: "remove_correction", Toolsets: in(adminTools),
		Description: "Reverts a model to its shipped values. A model the owner added is removed from the catalogue, unless it has listings or sales. Get the operator's confirmation."},
	{
		Name: "read_imports", Title: "Imports", Toolsets: in(adminTools),
		Description: "list returns recent imports; get returns one's progress: rows read, imported and rejected, with reasons. Poll every few seconds while it runs.",
		Actions:     []web.Action{{Name: "list", Operation: "list_imports"}, {Name: "get", Operation: "get_import"}},
		Arguments:   map[string]string{"id": "get: id of the import"},
	},
	{
		Name: "manage_import", Title: "Start or cancel an import", Toolsets: in(adminTools),
		Description: "start imports a CSV file of listings or sales, in the site's columns or as eBay, Shopify or WooCommerce export it; the header says which. For others, prepare, see read_imports, then run with columns. photos adds photos that rows name. Importing again updates listings. cancel keeps its rows. Follow it with read_imports.",
		Actions:     []web.Action{{Name: "start", Operation: "start_import"}, {Name: "run", Operation: "run_import"}, {Name: "photos", Operation: "add_import_photos"}, {Name: "cancel", Operation: "cancel_import"}},
		Arguments: map[string]string{"id": "run, photos, cancel: id of the import", "file": "start: CSV in base64, at most 32 MB", "seller": "start: handle, for rows without one; default: you",
			"condition": "start: of items without one; default: good", "region": "start: of items without one, ISO 3166", "photos": "start, photos: ZIP in base64", "prepare": "start: wait for run", "source": "run: listings or sales", "columns": "run: what each column is, in order, or ignore"},
	},
	{Name: "list_contact_messages", Toolsets: in(adminTools)},
	{
		Name: "manage_contact_message", Title: "File or delete a message", Toolsets: in(adminTools),
		Description: "set_status marks a message to the owner as open, done or spam; delete removes it permanently. Ids are in list_contact_messages. Reply by email: the sender's address is in the message.",
		Actions:     []web.Action{{Name: "set_status", Operation: "edit_contact_message"}, {Name: "delete", Operation: "delete_contact_message"}},
		Arguments:   map[string]string{"id": "", "status": "set_status"},
	},
	{Name: "get_mail", Toolsets: in(adminTools)},
	{
		Name: "send_mail", Title: "Set up email, send a test or send again", Toolsets: in(adminTools),
		Description: "test emails the operator to check that sending works; again resends a failed email; server signs in to a mail server and stores it: get the operator's confirmation. Failed ones are in get_mail.",
		Actions:     []web.Action{{Name: "test", Operation: "send_test_email"}, {Name: "again", Operation: "resend_email"}, {Name: "server", Operation: "edit_mail"}},
		Arguments:   map[string]string{"id": "again: id of the email", "preset": "server: provider", "mail_server": "server: host", "port": "server", "user_name": "server", "password": "server", "sender_address": "server"},
	},
	{Name: "list_backups", Toolsets: in(adminTools)},
	{
		Name: "manage_backups", Title: "Make or delete a backup", Toolsets: in(adminTools),
		Description: "make writes a backup of the database and all files in the background; plan says whether one is made each night and where copies go; delete removes one permanently: get the operator's confirmation. list_backups shows progress and where to download.",
		Actions:     []web.Action{{Name: "make", Operation: "make_backup"}, {Name: "plan", Operation: "edit_backups"}, {Name: "delete", Operation: "delete_backup"}},
		Arguments:   map[string]string{"name": "delete: name of the backup", "nightly": "plan", "keep": "plan: number kept", "second_place": "plan: s3:// or a WebDAV address", "user_name": "plan: there", "password": "plan: there", "recipient": "plan: age key", "new_key": "plan: make an age key"},
	},

	// Deep research of chat clients, which expect these two.
	{Name: "search", Toolsets: in(researchTools), Apart: true},
	{Name: "fetch", Toolsets: in(researchTools), Apart: true},
}

// marketChart returns the action of get_market that returns a chart.
func marketChart(name string) web.Action {
	return web.Action{Name: name, Operation: "get_price_chart", Preset: map[string]string{"chart": name}}
}
