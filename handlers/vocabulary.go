package handlers

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/views"
)

// vocabulary says what a property of an answer means and how it is written,
// wherever it stands: one noun has one name everywhere. A field whose meaning is
// narrower there says so in its jsonschema tag, and its values in an enum tag.
var vocabulary = map[string]jsonschema.Schema{
	// Addresses.
	"url":         {Description: "absolute address of its page", Format: "uri"},
	"base_url":    {Description: "where the site is, without a slash at the end", Format: "uri"},
	"href":        {Description: "address on this site, a path with its query", Format: "uri-reference", MinLength: jsonschema.Ptr(1)},
	"src":         {Description: "absolute address of the picture", Format: "uri"},
	"self":        {Description: "this search", Format: "uri-reference"},
	"first":       {Description: "the first page of this search", Format: "uri-reference"},
	"next":        {Description: "the next page; absent on the last", Format: "uri-reference"},
	"html":        {Description: "the same as a page for people", Format: "uri-reference"},
	"schema_org":  {Description: "the nearest condition of schema.org", Format: "uri"},
	"type":        {Description: "what it is; of an error, the address of the page that explains it", MinLength: jsonschema.Ptr(1)},
	"api":         {Description: "API address, JSON first", Pattern: "^/api/"},
	"page":        {Description: "page address, HTML first", Pattern: "^/"},
	"links":       {Description: "where to go from here"},
	"next_cursor": {Description: "give it as cursor to read on; absent on the last page", MinLength: jsonschema.Ptr(1)},

	// Names.
	"id":           {Description: "UUID version 7", Format: "uuid"},
	"slug":         {Description: "name in addresses", Pattern: slugPattern},
	"brand_slug":   {Description: "the brand's name in addresses", Pattern: slugPattern},
	"handle":       {Description: "the seller's name in addresses", Pattern: slugPattern},
	"seller":       {Description: "handle of the seller", MinLength: jsonschema.Ptr(1)},
	"gear":         {Description: "catalogue slug brand/model, such as canon/eos-r6", Pattern: gearPattern},
	"gear_name":    {Description: "the gear's name for people", MinLength: jsonschema.Ptr(1)},
	"name":         {Description: "name for people", MinLength: jsonschema.Ptr(1)},
	"title":        {Description: "heading for people", MinLength: jsonschema.Ptr(1)},
	"label":        {Description: "in words for people", MinLength: jsonschema.Ptr(1)},
	"brand":        {Description: "the brand's name for people", MinLength: jsonschema.Ptr(1)},
	"model":        {Description: "the model's name for people", MinLength: jsonschema.Ptr(1)},
	"aliases":      {Description: "other names it is sold under"},
	"code":         {Description: "the same for programs; it keeps its meaning", Pattern: "^[a-z][a-z0-9_-]*$"},
	"field":        {Description: "parameter it is about, as the request named it"},
	"value":        {Description: "as a request or a table writes it", MinLength: jsonschema.Ptr(1)},
	"keyword":      {Description: "words to look for"},
	"did_you_mean": {Description: "a keyword that finds more", MinLength: jsonschema.Ptr(1)},
	"request_id":   {Description: "names the request in the server's log; also in X-Request-Id", MinLength: jsonschema.Ptr(1), MaxLength: jsonschema.Ptr(64)},

	"token": {Description: "secret that says who asks", MinLength: jsonschema.Ptr(40), MaxLength: jsonschema.Ptr(64)},
	"scope": {Description: "one thing a token may do"},

	// Texts.
	"summary":     {Description: "in one line", MinLength: jsonschema.Ptr(1)},
	"description": {Description: "in plain text"},
	"text":        {Description: "in words for people", MinLength: jsonschema.Ptr(1)},
	"body":        {Description: "the text in Markdown", MinLength: jsonschema.Ptr(1)},
	"bio":         {Description: "what the seller says of themselves"},
	"alt":         {Description: "what the picture shows, for those who do not see it", MinLength: jsonschema.Ptr(1)},
	"message":     {Description: "what happened, for people", MinLength: jsonschema.Ptr(1)},
	"hint":        {Description: "how to repair this request", MinLength: jsonschema.Ptr(1)},
	"meaning":     {Description: "what it means", MinLength: jsonschema.Ptr(1)},
	"repair":      {Description: "what to do about it", MinLength: jsonschema.Ptr(1)},
	"method":      {Description: "how the figures are made", MinLength: jsonschema.Ptr(1)},
	"notice":      {Description: "what a reader must know first, such as that everything here is invented", MinLength: jsonschema.Ptr(1)},
	"demo":        {Description: "true when it is invented for demonstration; absent when it is real"},

	// The item.
	"category":       {Description: "what kind of gear it is"},
	"condition":      {Description: "grade of wear; /guides/condition-grades says what each means"},
	"functional":     {Description: "whether it works"},
	"mount":          {Description: "lens mount, such as Nikon F"},
	"year":           {Description: "year of introduction", Minimum: jsonschema.Ptr(1800.)},
	"region":         {Description: "ISO 3166 country, or country and subdivision"},
	"defects":        {Description: "what is wrong with it; empty when nothing is known to be"},
	"included":       {Description: "what comes with it"},
	"shutter_count":  {Description: "exposures made, where known", Minimum: jsonschema.Ptr(0.)},
	"specifications": {Description: "what it is, as rows of a table"},
	"photos":         {Description: "its pictures, the first one first"},
	"photo":          {Description: "its first picture; absent when there is none"},
	"width":          {Description: "pixels", Minimum: jsonschema.Ptr(1.)},
	"height":         {Description: "pixels", Minimum: jsonschema.Ptr(1.)},
	"srcset":         {Description: "every size of the picture, as HTML's srcset writes it", MinLength: jsonschema.Ptr(1)},

	"version":       {Description: "counts the changes of a listing; an edit says which one it is made of", Minimum: jsonschema.Ptr(0.)},
	"price_guide":   {Description: "what such an item sells for"},
	"sold_for":      {Description: "what it sold for"},
	"time_to_sell":  {Description: "how many days listings took from being published to being sold here"},
	"median_days":   {Description: "days within which half of them sold", Minimum: jsonschema.Ptr(0.)},
	"p25_days":      {Description: "days within which a quarter of them sold", Minimum: jsonschema.Ptr(0.)},
	"p75_days":      {Description: "days within which three quarters of them sold", Minimum: jsonschema.Ptr(0.)},
	"attention":     {Description: "what its seller should look after"},
	"counts":        {Description: "how many there are"},
	"rows":          {Description: "rows of the file below its header", Minimum: jsonschema.Ptr(0.)},
	"inserted":      {Description: "new ones", Minimum: jsonschema.Ptr(0.)},
	"updated":       {Description: "known ones that changed", Minimum: jsonschema.Ptr(0.)},
	"unchanged":     {Description: "known ones that are as they were", Minimum: jsonschema.Ptr(0.)},
	"published":     {Description: "those put on sale", Minimum: jsonschema.Ptr(0.)},
	"rejected":      {Description: "rows that were not taken"},
	"line":          {Description: "line of the file", Minimum: jsonschema.Ptr(1.)},
	"reason":        {Description: "why", MinLength: jsonschema.Ptr(1)},
	"price_history": {Description: "asking prices it had before, the oldest first"},
	"end_reason":    {Description: "why its seller ended it", MinLength: jsonschema.Ptr(1)},
	"suggestions":   {Description: "gear it may be, the likeliest first"},

	// Times.
	"until":        {Description: "until when it was so", Format: "date-time"},
	"published_at": {Description: "when it was published", Format: "date-time"},
	"updated_at":   {Description: "when it last changed", Format: "date-time"},
	"created_at":   {Description: "when it was made", Format: "date-time"},
	"expires_at":   {Description: "when it ends by itself; absent when it does not", Format: "date-time"},
	"last_used_at": {Description: "when it was last used, to the hour; absent when it never was", Format: "date-time"},
	"closed_at":    {Description: "when it was sold, ended or expired", Format: "date-time"},
	"sent_at":      {Description: "when it was sent", Format: "date-time"},
	"rated_at":     {Description: "when it was given", Format: "date-time"},
	"reported_at":  {Description: "when it was reported", Format: "date-time"},
	"done_at":      {Description: "when it was done", Format: "date-time"},
	"last_sold_at": {Description: "when the latest of the sales was", Format: "date-time"},
	"timestamp":    {Description: "the server's time in UTC", Format: "date-time"},
	"member_since": {Description: "month, such as 2024-03", Pattern: monthPattern},
	"period":       {Description: "month, such as 2026-11", Pattern: monthPattern},

	// Money.
	"amount":     {Description: "decimal amount, such as 1249.00", Pattern: `^-?\d+(\.\d+)?$`},
	"currency":   {Description: "ISO 4217 code, such as EUR", Pattern: "^[A-Z]{3}$"},
	"price":      {Description: "asking price"},
	"sold_price": {Description: "what it sold for, where known"},
	"budget_min": {Description: "lowest asking price"},
	"budget_max": {Description: "highest asking price"},
	"average":    {Description: "mean price; absent where there is too little to say"},
	"median":     {Description: "price half of the sales were under; absent with fewer than 5 sales"},
	"low":        {Description: "lowest price; absent with fewer than 5 sales"},
	"high":       {Description: "highest price; absent with fewer than 5 sales"},
	"p25":        {Description: "price a quarter of the sales were under; absent with fewer than 5 sales"},
	"p75":        {Description: "price three quarters of the sales were under; absent with fewer than 5 sales"},
	"lowest":     {Description: "lowest asking price now; absent when none is for sale"},
	"deal":       {Description: "asking price against what the same sold for; absent with fewer than 5 sales"},
	"typical":    {Description: "sold median of this gear in this condition over 12 months"},
	"percent":    {Description: "difference in percent; negative is cheaper", Minimum: jsonschema.Ptr(-100.)},
	"change_30d": {Description: "how the median moved over 30 days, in percent; null where there is too little to say", Minimum: jsonschema.Ptr(-100.)},
	"change_90d": {Description: "how the median moved over 90 days, in percent; null where there is too little to say", Minimum: jsonschema.Ptr(-100.)},
	"change_12m": {Description: "how the median moved over 12 months, in percent; null where there is too little to say", Minimum: jsonschema.Ptr(-100.)},

	// The portfolio.
	"caption":  {Description: "what the photograph shows, in the photographer's words"},
	"project":  {Description: "the project it belongs to"},
	"previous": {Description: "the one before"},
	"camera":   {Description: "the cameras"},
	"lens":     {Description: "the lenses"},
	"iso":      {Description: "sensitivity of film or sensor", Minimum: jsonschema.Ptr(1.)},
	"aperture": {Description: "f-number", Minimum: jsonschema.Ptr(0.)},
	"items":    {Description: "the gear in it"},
	"note":     {Description: "what the owner says of it"},
	"worth":    {Description: "what it would sell for"},
	"unknown":  {Description: "how many have too few sales to say", Minimum: jsonschema.Ptr(0.)},

	// Offers.
	"role":        {Description: "your side of it"},
	"your_turn":   {Description: "true when you are to answer"},
	"with":        {Description: "the other side"},
	"listing":     {Description: "id of the listing", Format: "uuid"},
	"rounds":      {Description: "the prices named so far, the first one first"},
	"rounds_left": {Description: "how many more prices may be named", Minimum: jsonschema.Ptr(0.)},
	"by":          {Description: "who did it"},
	"at":          {Description: "when it was", Format: "date-time"},
	"steps":       {Description: "what you may do with it now"},
	"may_rate":    {Description: "true when you may rate the other side"},
	"offers":      {Description: "your offers, the last to change first"},

	// Counts.
	"total":       {Description: "exact number found, on all pages together", Minimum: jsonschema.Ptr(0.)},
	"count":       {Description: "how many", Minimum: jsonschema.Ptr(0.)},
	"sales":       {Description: "number of completed sales", Minimum: jsonschema.Ptr(0.)},
	"sample_size": {Description: "number of sales the figures are made of", Minimum: jsonschema.Ptr(0.)},
	"for_sale":    {Description: "listings for sale now", Minimum: jsonschema.Ptr(0.)},
	"sold":        {Description: "listings sold here", Minimum: jsonschema.Ptr(0.)},
	"limit":       {Description: "listings a page", Minimum: jsonschema.Ptr(1.), Maximum: jsonschema.Ptr(100.)},

	// Trust.
	"sender":         {Description: "handle of who wrote it", Pattern: slugPattern},
	"last_message":   {Description: "beginning of the last message"},
	"unread":         {Description: "messages not read yet", Minimum: jsonschema.Ptr(0.)},
	"messages":       {Description: "the messages, oldest first", MaxItems: jsonschema.Ptr(50)},
	"conversations":  {Description: "the conversations, the last to move first", MaxItems: jsonschema.Ptr(30)},
	"stars":          {Description: "from 1 to 5; absent without ratings", Minimum: jsonschema.Ptr(1.), Maximum: jsonschema.Ptr(5.)},
	"ratings":        {Description: "how many ratings there are", Minimum: jsonschema.Ptr(0.)},
	"recent_ratings": {Description: "the last ratings, newest first", MaxItems: jsonschema.Ptr(20)},
	"response":       {Description: "how the seller answers who writes to them"},
	"asked":          {Description: "conversations that count", Minimum: jsonschema.Ptr(0.)},
	"answered":       {Description: "of them, those that were answered", Minimum: jsonschema.Ptr(0.)},
	"median_minutes": {Description: "minutes to the first answer, for half of them; absent where there is too little to say", Minimum: jsonschema.Ptr(0.)},

	// Parts of pages.
	"status":         {Description: "state it is in", Minimum: jsonschema.Ptr(100.), Maximum: jsonschema.Ptr(599.)},
	"errors":         {Description: "what is wrong, one by one"},
	"active":         {Description: "true when chosen"},
	"query":          {Description: "the search as it was understood"},
	"sort":           {Description: "order of the listings", MinLength: jsonschema.Ptr(1)},
	"facets":         {Description: "what was found, counted by what a shopper may narrow"},
	"warnings":       {Description: "what was corrected or clamped"},
	"listings":       {Description: "the listings, as cards", MaxItems: jsonschema.Ptr(100)},
	"similar":        {Description: "other listings for sale of the same or similar gear", MaxItems: jsonschema.Ptr(100)},
	"from_seller":    {Description: "other listings for sale of the same seller", MaxItems: jsonschema.Ptr(100)},
	"recently_sold":  {Description: "listings sold lately, the last first", MaxItems: jsonschema.Ptr(100)},
	"brands":         {Description: "the brands"},
	"categories":     {Description: "kinds of gear, with how many are for sale"},
	"deals":          {Description: "furthest under what they typically sell for", MaxItems: jsonschema.Ptr(100)},
	"newest":         {Description: "published last, newest first", MaxItems: jsonschema.Ptr(100)},
	"movers":         {Description: "gear whose sold median moved most over 90 days", MaxItems: jsonschema.Ptr(100)},
	"grade":          {Description: "the condition with its meaning"},
	"seller_profile": {Description: "who sells it"},
	"trend":          {Description: "what this gear sells for"},
	"window":         {Description: "the time the summary covers"},
	"by_condition":   {Description: "one row for every condition, best first", MaxItems: jsonschema.Ptr(7)},
	"series":         {Description: "by month, oldest first; months without sales are absent"},
	"direction":      {Description: "where the median goes"},
	"basis":          {Description: "what the figures are made of"},
	"confidence":     {Description: "how far the figures may be trusted"},
	"tokens":         {Description: "the tokens, newest first", MaxItems: jsonschema.Ptr(models.MaxTokens)},
	"scopes":         {Description: "what it may do"},
	"documents":      {Description: "machine documents"},
	"operations":     {Description: "everything the site can do"},
	"parameters":     {Description: "what the operation takes"},
	"required":       {Description: "true when a request must give it"},
	"default":        {Description: "value when it is not given"},
	"range":          {Description: "smallest and largest value"},
	"sample":         {Description: "a value that works"},
}

// How names are written in addresses, and months.
const (
	slugPattern  = "^[a-z0-9]+(-[a-z0-9]+)*$"
	gearPattern  = "^[a-z0-9]+(-[a-z0-9]+)*/[a-z0-9]+(-[a-z0-9]+)*$"
	monthPattern = `^\d{4}-(0[1-9]|1[0-2])$`
)

// nouns say what the named schemas are.
var nouns = map[string]string{
	"Active":          "What is asked for a gear now, kept apart from its sales.",
	"BrandCard":       "A brand in the index.",
	"Card":            "A listing as lists show it.",
	"Change":          "Where the sold median of a gear goes.",
	"ConditionStats":  "The figures of the sales in one condition.",
	"Deal":            "What an asking price is worth.",
	"Developers":      "The reference of this interface.",
	"Error":           "RFC 9457 problem details with a code, a message and a hint.",
	"ErrorBrief":      "An error an operation may answer with.",
	"ErrorCode":       "What an error code means.",
	"ErrorIndex":      "Every error code.",
	"Facet":           "One value a search may be narrowed to, with how many listings have it.",
	"Facets":          "What was found, counted by what a shopper may narrow.",
	"Exposure":        "How a photograph was taken.",
	"FieldError":      "What is wrong with one field of a request.",
	"GearCard":        "A camera or lens model as lists show it.",
	"GearOfPhoto":     "What a photograph says it was taken with.",
	"GearTaken":       "Gear that a photograph was taken with.",
	"GearIndex":       "Brands and models of the catalogue.",
	"Grade":           "A condition with its meaning.",
	"Guide":           "A page that explains something.",
	"Guides":          "The pages that explain something.",
	"TextCard":        "Something written, as lists show it.",
	"Journal":         "What the owner wrote, the newest first.",
	"JournalEntry":    "A piece of the journal.",
	"About":           "The page about the site and its owner.",
	"Health":          "That the service answers.",
	"Home":            "The front page.",
	"Kit":             "The photographer's bag, and what it is worth.",
	"KitItem":         "Gear in the bag.",
	"Link":            "A place to go.",
	"Desk":            "A listing of the reader's own, with what can be done about it.",
	"ImportReport":    "What became of a file of listings.",
	"MyListings":      "A member's own listings.",
	"OwnCard":         "A listing as its seller sees it in a list.",
	"PriceGuide":      "What a gear in a condition sold for, and how long it took.",
	"RejectedRow":     "A row of a file that was not taken.",
	"SellingTime":     "How many days listings took to sell.",
	"StatusCount":     "How many listings are in a status.",
	"GearSuggestion":  "Gear that a title may mean.",
	"PastPrice":       "An asking price a listing had.",
	"SellStart":       "Where selling begins.",
	"SellerStep":      "Something the seller of a listing can do with it next.",
	"Listing":         "One item for sale, or sold.",
	"Listings":        "A page of what a search found.",
	"Money":           "An amount of money: a decimal string, so that nobody rounds it, and its currency.",
	"Month":           "The sales of one month.",
	"Named":           "A code with its words.",
	"NamedGear":       "Gear that the keyword of a search names.",
	"Offer":           "A price proposal on a listing, as one of its two sides sees it.",
	"OfferCard":       "A price proposal as lists show it.",
	"OfferRound":      "One price that was named.",
	"Offers":          "Offers a member made and got.",
	"OperationDoc":    "One thing the site can do.",
	"ParameterDoc":    "One parameter of an operation.",
	"Photo":           "A picture with its sizes.",
	"PhotoCard":       "A photograph as lists show it.",
	"Picture":         "A photograph of the portfolio with its sizes.",
	"Portfolio":       "The photographer's projects, or the photographs taken with some gear.",
	"PortfolioFacets": "What the photographs may be narrowed to, with how many fit.",
	"Project":         "A series of photographs.",
	"ProjectCard":     "A project as lists show it.",
	"ProjectPhoto":    "One photograph, and how it was taken.",
	"Query":           "A search as it was understood; what is not restricted is absent.",
	"SearchLinks":     "Where to go from a search.",
	"Section":         "A heading with its text.",
	"Seller":          "A seller, with what they sell.",
	"Watchlist":       "The listings a member watches.",
	"Watch":           "A listing on a watchlist, with what became of its price.",
	"SavedSearches":   "The searches a member keeps.",
	"SearchCard":      "A saved search as lists show it.",
	"SavedSearch":     "A saved search, with its feeds and what it told of.",
	"NewSearch":       "A search that is about to be saved.",
	"ListingCounts":   "A member's listings by status.",
	"ListingPhoto":    "A photograph of a listing as its seller arranges it.",
	"ListingPhotos":   "The photographs of a listing in their order.",
	"Me":              "A member as only they see themselves.",
	"SellerCard":      "A seller as a listing shows one.",
	"Spec":            "One row of a table of specifications.",
	"Stats":           "The figures of a set of sales.",
	"ScopeCard":       "One thing a token may do.",
	"Token":           "What a program needs to act for a member.",
	"TokenCard":       "A token as lists show it.",
	"Tokens":          "The tokens of a member.",
	"Trend":           "What one gear sells for.",
	"TrendBrief":      "What a gear sells for, in short.",
	"TrendLine":       "A gear whose price moves.",
	"Warning":         "What was changed in a request that could still be answered.",
	"Window":          "A span of time.",

	// Company.
	"Audit":            "What operators did, the newest first.",
	"AuditEntry":       "Something an operator did.",
	"Blocks":           "Whom a member has blocked.",
	"Conversation":     "What a buyer and a seller wrote each other about a listing.",
	"ConversationCard": "A conversation as the list shows it.",
	"Conversations":    "A member's conversations.",
	"Message":          "One message of a conversation.",
	"Person":           "A member as others meet one.",
	"RatingCard":       "A rating as the page of who was rated shows it.",
	"Rating":           "What one side of a trade says of the other.",
	"Report":           "A member's word that something is wrong with a listing.",
	"Reports":          "What waits for the operator.",
	"Responses":        "How a seller answers who writes to them.",
	"Topic":            "The listing something is about.",
}

// describeFields writes into the schema of a type what the vocabulary and the
// fields' tags say of its properties, and of theirs.
func describeFields(t reflect.Type, s *jsonschema.Schema) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		if t == reflect.TypeFor[views.CardList]() {
			return // described by itself
		}
		if t.Kind() == reflect.Slice && s.Items != nil {
			s = s.Items
		}
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || s.Properties == nil {
		return
	}
	for _, field := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		property := s.Properties[name]
		if property == nil || field.Anonymous {
			continue
		}
		describeField(property, vocabulary[name], field.Tag)
		if strings.Contains(options, "omitempty") {
			neverEmpty(property, field.Type.Kind())
		}
		describeFields(field.Type, property)
	}
}

// describeField completes a property with what its word and its tags say.
func describeField(property *jsonschema.Schema, word jsonschema.Schema, tag reflect.StructTag) {
	if property.Description == "" {
		property.Description = word.Description
	}
	switch kind := kindOf(property); {
	case tag.Get("enum") != "":
		property.Enum = enum(strings.Split(tag.Get("enum"), ",")...).Enum
	case property.Enum != nil || property.Pattern != "":
	case kind == "string":
		property.Format, property.Pattern = word.Format, word.Pattern
		property.MinLength, property.MaxLength = word.MinLength, word.MaxLength
	case kind == "array":
		property.MaxItems = word.MaxItems
	case kind == "integer" || kind == "number":
		property.Minimum, property.Maximum = limit(tag.Get("min"), word.Minimum), limit(tag.Get("max"), word.Maximum)
	}
}

// neverEmpty says of a property that may be absent that it is not empty when it
// is there.
func neverEmpty(property *jsonschema.Schema, kind reflect.Kind) {
	switch {
	case kind == reflect.String && property.Enum == nil && property.Pattern == "" && property.Format == "":
		property.MinLength = jsonschema.Ptr(1)
	case kind == reflect.Slice:
		property.MinItems = jsonschema.Ptr(1)
	case kind == reflect.Bool:
		property.Const = jsonschema.Ptr[any](true)
	}
}

// kindOf is the type of a schema, null aside.
func kindOf(s *jsonschema.Schema) string {
	if s.Type == "" && len(s.Types) == 2 {
		return s.Types[1]
	}
	return s.Type
}

// limit is the number a tag gives, else the other.
func limit(tag string, other *float64) *float64 {
	if n, err := strconv.ParseFloat(tag, 64); err == nil {
		return &n
	}
	return other
}
