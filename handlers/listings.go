package handlers

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/google/uuid"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/views"
)

// searchInput are the parameters of a search.
type searchInput struct {
	filterInput
	Sort   search.Sort `json:"sort,omitempty" jsonschema:"order: relevance by default with a keyword, else newest; deal puts what is furthest under its typical sold price first" enum:"relevance,newest,price,-price,deal" example:"deal"`
	Limit  int         `json:"limit,omitempty" jsonschema:"listings a page, 1 to 100" min:"1" default:"24" example:"24"`
	Cursor string      `json:"cursor,omitempty" jsonschema:"next_cursor of the page before, as it is"`
}

// filterInput are the parameters that say what a search looks for.
type filterInput struct {
	search.Filter
	Budget    string `json:"budget,omitempty" jsonschema:"asking price: at most 800 (800), a range (500-800) or at least 500 (500-)" example:"500-1500"`
	BudgetMin string `json:"budget_min,omitempty" jsonschema:"lowest asking price; instead of budget" example:"500"`
	BudgetMax string `json:"budget_max,omitempty" jsonschema:"highest asking price; instead of budget" example:"1500"`
}

func (s *Server) searchListings() Operation {
	return Op[searchInput, *views.Listings]{
		Name:    "search_listings",
		Path:    "/api/listings/search",
		Page:    "/listings",
		Tag:     "Listings",
		Title:   "Search listings",
		Summary: "Finds used cameras and lenses for sale.",
		Description: "Searches what is for sale now by keyword, category, brand, model, mount, condition, price and region. " +
			"Answers with the exact total, a page of listings, facets to narrow by, and for each listing how its price compares with what the same gear sold for in the same condition. " +
			"Use sort=deal to see what is furthest under its typical price, get_listing for one listing in full, and get_trend for what a model sells for.",
		Errors:    []string{"invalid_parameter", "invalid_cursor"},
		Faces:     []Face{Atom, JSONFeed},
		FeedQuery: "sort=newest",
		Do: func(_ context.Context, in *searchInput) (*views.Listings, error) {
			query, err := s.readSearch(in)
			if err != nil {
				return nil, err
			}
			room := s.rooms.Get().(*searchRoom)
			if err := s.index.SearchInto(&room.result, query); err != nil {
				room.leave()
				return nil, err
			}
			room.page.Set(s.words, s.found(&query, room))
			return &room.page, nil
		},
	}.Operation()
}

// readSearch turns the parameters into a query of the index and tells
// everything that is wrong with them at once.
func (s *Server) readSearch(in *searchInput) (search.Query, error) {
	var faults faults
	q := search.Query{Filter: in.Filter, Sort: in.Sort, Limit: in.Limit, Cursor: in.Cursor}
	q.Keyword = strings.Join(strings.Fields(in.Keyword), " ")
	q.Brands = s.readBrands(in.Brands, &faults)
	q.Model = s.readModel(in.Model, &faults)
	q.Mount = s.readMount(in.Mount, &faults)
	q.Region = readRegion(in.Region, &faults)
	q.Seller = strings.ToLower(strings.TrimSpace(in.Seller))
	q.Min, q.Max = s.readBudget(in, &faults)
	if q.Sort == "" {
		q.Sort = q.DefaultSort()
	}
	return q, faults.err()
}

// faults collects what is wrong with the parameters of a request.
type faults []fault

// add tells what is wrong with a parameter, and how to repair it.
func (f *faults) add(field, message, hint string) {
	*f = append(*f, fault{models.FieldError{Field: field, Code: "invalid_value", Message: message}, hint})
}

func (f faults) err() error {
	if len(f) == 0 {
		return nil
	}
	return refuse(f)
}

func readRegion(region models.Region, faults *faults) models.Region {
	region = models.Region(strings.ToUpper(string(region)))
	if region != "" && !region.Valid() {
		faults.add("region", fmt.Sprintf("%q is not an ISO 3166 code.", region), "Use a country, such as DE, or a subdivision, such as US-CA.")
	}
	return region
}

// readBudget reads the price range, written in one parameter or in two.
func (s *Server) readBudget(in *searchInput, faults *faults) (low, high *models.Amount) {
	amount := func(field, text string) *models.Amount {
		text = strings.TrimSpace(text)
		if text == "" {
			return nil
		}
		cents, err := s.site.Currency.ParseDecimal(text)
		if err != nil {
			faults.add(field, sentence(err.Error()), "Write budgets as 800, 500-800 or 500-.")
			return nil
		}
		return &models.Amount{Cents: cents, Currency: s.site.Currency}
	}
	low, high = amount("budget_min", in.BudgetMin), amount("budget_max", in.BudgetMax)
	if in.Budget != "" {
		if low != nil || high != nil {
			faults.add("budget", "budget and budget_min or budget_max say the same thing.", "Give budget, or budget_min and budget_max.")
			return nil, nil
		}
		if from, to, ranged := strings.Cut(in.Budget, "-"); ranged {
			low, high = amount("budget", from), amount("budget", to)
		} else {
			high = amount("budget", from)
		}
	}
	if low != nil && high != nil && low.Cents > high.Cents {
		faults.add("budget_max", fmt.Sprintf("The budget ends at %s, below where it begins.", high.Plain()),
			fmt.Sprintf("Swap the two: %s-%s.", high.Plain(), low.Plain()))
	}
	return low, high
}

// searchRoom is the memory in which a search is answered, and then another.
type searchRoom struct {
	result search.Result
	gear   []views.NamedGear
	page   views.Listings
	leave  func()
}

// newRooms are the rooms of a server.
func newRooms() *sync.Pool {
	rooms := new(sync.Pool)
	rooms.New = func() any {
		room := new(searchRoom)
		room.leave = func() { rooms.Put(room) }
		return room
	}
	return rooms
}

// found is a result of the index as the page wants it.
func (s *Server) found(q *search.Query, room *searchRoom) views.Found {
	r := &room.result
	room.gear = room.gear[:0]
	for _, slug := range r.Named {
		room.gear = append(room.gear, s.words.NewNamedGear(slug, s.index.CountGear(slug)))
	}
	f := views.Found{
		Query: understood(*q),
		Total: r.Total, Gear: room.gear, Cards: r.Cards, Facets: r.Facets, NextCursor: r.NextCursor, DidYouMean: r.DidYouMean,
		Done: room.leave,
	}
	for _, w := range r.Warnings {
		f.Warnings = append(f.Warnings, views.Warning{Code: w.Code, Message: w.Message, Field: w.Field})
	}
	return f
}

// understood is a query of the index as pages show it.
func understood(q search.Query) views.Query {
	q.Limit = min(q.Limit, search.MaxLimit)
	return views.Query(q)
}

// CardRenderer writes the card of a listing the way the index keeps it.
func CardRenderer(site *views.Site, catalog *models.Catalog) search.Render {
	return func(l *models.Listing, seller string, deal *models.Deal) []byte {
		card := views.NewCard(site, l, catalog.Gear(l.Gear), seller, deal)
		body, err := encode(&card)
		if err != nil {
			panic(err) // strings and numbers alone: it cannot fail
		}
		return body
	}
}

type listingInput struct {
	ID string `json:"id" in:"path" jsonschema:"UUID of the listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
}

// How many other listings a listing's page shows.
const (
	similarShown    = 6
	fromSellerShown = 6
)

func (s *Server) getListing() Operation {
	return Op[listingInput, *views.Listing]{
		Name:    "get_listing",
		Path:    "/api/listings/{id}",
		Page:    "/listings/{id}",
		Tag:     "Listings",
		Title:   "Get a listing",
		Summary: "One listing in full.",
		Description: "Answers with everything about one listing: condition and what it means, defects, what is included, photographs, the seller, " +
			"what this gear sells for, earlier asking prices, and similar listings. Listings that were sold or ended stay readable and say so in status; a draft is there for its seller alone. " +
			"For its seller it names the next steps, and its version is what edit_listing wants as if_match. " +
			"Take the id from search_listings.",
		Errors:  []string{"listing_not_found"},
		Example: s.showNewest("id", func(c *views.Card) string { return c.ID }),
		Do:      s.readListing,
	}.Operation()
}

// showNewest gives a parameter the value that the listing which came last has
// for it; nothing when nothing is for sale.
func (s *Server) showNewest(name string, value func(*views.Card) string) func() map[string]string {
	return func() map[string]string {
		found, err := s.index.Search(search.Query{Sort: search.Newest, Limit: 1})
		if err != nil {
			return nil
		}
		cards, err := decodeCards(found)
		if err != nil || len(cards) == 0 {
			return nil
		}
		return map[string]string{name: value(&cards[0])}
	}
}

func (s *Server) readListing(ctx context.Context, in *listingInput) (*views.Listing, error) {
	id, err := listingID(in.ID)
	if err != nil {
		return nil, err
	}
	listing, err := s.store.Listing(ctx, id)
	if member := memberID(ctx); isNotFound(err) && member != "" {
		listing, err = s.store.OwnListing(ctx, id, member) // a draft
	}
	if err != nil {
		return nil, err
	}
	return s.listingPage(ctx, listing)
}

// listingID is the id of a listing as it is stored.
func listingID(id string) (string, error) {
	if _, err := uuid.Parse(id); err != nil || len(id) != 36 {
		return "", &models.Error{Kind: models.NotFound, Code: "listing_not_found",
			Message: fmt.Sprintf("No listing has the id %q: an id is a UUID.", id),
			Hint:    "Search with GET /api/listings/search?keyword=… and take the id from there."}
	}
	return strings.ToLower(id), nil
}

// listingPage is the page of a listing, for who may see it.
func (s *Server) listingPage(ctx context.Context, listing *models.Listing) (*views.Listing, error) {
	var err error
	parts := views.ListingParts{Listing: listing, Gear: s.catalog.Gear(listing.Gear), Own: listing.SellerID == memberID(ctx)}
	if parts.Past, err = s.store.PastPrices(ctx, listing.ID); err != nil {
		return nil, err
	}
	if parts.Seller, err = s.store.MemberByID(ctx, listing.SellerID); err != nil {
		return nil, err
	}
	counts, err := s.store.CountBySeller(ctx, listing.SellerID)
	if err != nil {
		return nil, err
	}
	if parts.Standing, err = s.store.Standing(ctx, listing.SellerID); err != nil {
		return nil, err
	}
	parts.SellerForSale, parts.SellerSold = counts[models.StatusActive], counts[models.StatusSold]
	if parts.Gear != nil {
		if parts.Trend, err = s.store.Trend(ctx, listing.Gear); err != nil {
			return nil, err
		}
	}
	if parts.Similar, err = s.similar(listing, parts.Gear); err != nil {
		return nil, err
	}
	parts.FromSeller, err = s.others(search.Query{Filter: search.Filter{Seller: parts.Seller.Handle}, Sort: search.Newest}, fromSellerShown, listing.ID)
	if err != nil {
		return nil, err
	}
	page := views.NewListing(&s.site, parts)
	if reader := memberID(ctx); reader != "" {
		watched, err := s.store.Watching(ctx, reader, listing.ID)
		if err != nil {
			return nil, err
		}
		if watched {
			page.Watch()
		}
	}
	return page, nil
}

// similar are other listings of the same gear, the best deals first, then of
// the same kind at about the same price.
func (s *Server) similar(l *models.Listing, gear *models.Gear) ([]views.Card, error) {
	var cards []views.Card
	if gear != nil {
		same, err := s.others(search.Query{Filter: search.Filter{Model: gear.Slug()}, Sort: search.Deal}, similarShown, l.ID)
		if err != nil {
			return nil, err
		}
		cards = same
	}
	low := models.Amount{Cents: l.Price * 3 / 4, Currency: s.site.Currency}
	high := models.Amount{Cents: l.Price * 5 / 4, Currency: s.site.Currency}
	alike := search.Query{Filter: search.Filter{Category: string(l.Category)}, Min: &low, Max: &high, Sort: search.Newest}
	if gear != nil && gear.Mount != "" && !strings.Contains(gear.Mount, ",") {
		alike.Mount = gear.Mount
	}
	more, err := s.others(alike, similarShown+len(cards), l.ID)
	if err != nil {
		return nil, err
	}
	for _, c := range more {
		known := slices.ContainsFunc(cards, func(k views.Card) bool { return k.ID == c.ID })
		if !known && len(cards) < similarShown {
			cards = append(cards, c)
		}
	}
	return cards, nil
}

// others are the first cards of a search without one listing.
func (s *Server) others(q search.Query, n int, without string) ([]views.Card, error) {
	q.Limit = n + 1
	found, err := s.index.Search(q)
	if err != nil {
		return nil, err
	}
	cards, err := decodeCards(found)
	if err != nil {
		return nil, err
	}
	cards = slices.DeleteFunc(cards, func(c views.Card) bool { return c.ID == without })
	return cards[:min(n, len(cards))], nil
}

func decodeCards(found *search.Result) ([]views.Card, error) {
	return views.CardList(found.Cards).Decode()
}
