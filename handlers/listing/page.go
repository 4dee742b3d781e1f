package listing

import (
	"context"
	"slices"
	"strings"

	"github.com/secondlight/secondlight/handlers/cachetag"
	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/market"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/search"
	views "github.com/secondlight/secondlight/views/listing"
	"github.com/secondlight/secondlight/views/ui"
)

// Numbers of other listings and of sales that the page of a listing shows.
const (
	similarShown    = 6
	fromSellerShown = 6
	salesShown      = 5
)

// listingPage returns the page of a listing as the caller sees it. It does not check
// that the caller may see it.
func (s Deps) listingPage(ctx context.Context, listing *models.Listing) (*views.Listing, error) {
	parts, err := s.ListingParts(ctx, listing)
	if err != nil {
		return nil, err
	}
	if parts.Past, err = s.Listings.PastPrices(ctx, listing.ID); err != nil {
		return nil, err
	}
	if parts.Own && listing.Status == models.StatusRemoved {
		if parts.Held, err = s.Listings.Held(ctx, listing.ID); err != nil {
			return nil, err
		}
	}
	if parts.Gear != nil {
		if parts.Recent, err = s.recentSales(ctx, listing); err != nil {
			return nil, err
		}
	}
	if parts.Similar, err = s.similar(listing, parts.Gear); err != nil {
		return nil, err
	}
	parts.FromSeller, err = s.Cards.Others(search.Query{Filter: search.Filter{Seller: parts.Seller.Handle}, Sort: search.Newest}, fromSellerShown, listing.ID)
	if err != nil {
		return nil, err
	}
	page := views.NewListing(s.Site, parts)
	if reader := caller.ID(ctx); reader != "" {
		watched, watchers, err := s.Watches.Watching(ctx, reader, listing.ID)
		if err != nil {
			return nil, err
		}
		page.SetWatch(watched, watchers)
	}
	return page, nil
}

// ListingParts returns the listing, its seller and the market of its gear as the caller
// sees them: what a comparison has of a listing too.
func (s Deps) ListingParts(ctx context.Context, listing *models.Listing) (parts views.ListingParts, err error) {
	parts = views.ListingParts{Listing: listing, Gear: s.Catalog.Gear(listing.Gear), Own: listing.SellerID == caller.ID(ctx)}
	seller, err := s.Trades.Seller(ctx, listing.SellerID)
	if err != nil {
		return parts, err
	}
	parts.Seller, parts.Ratings, parts.SellerSold = &seller.Member, seller.RatingSummary, seller.Sold
	parts.SellerForSale = s.Index.CountSeller(seller.Handle)
	if parts.Own || listing.Status != models.StatusActive {
		sales, err := s.Trades.SalesByListing(ctx, []string{listing.ID})
		if err != nil {
			return parts, err
		}
		parts.Sale = sales[listing.ID]
	}
	if parts.Gear != nil {
		parts.Estimate = s.Estimates.OfListing(listing)
		if parts.Trend, err = s.Prices.Trend(ctx, listing.Gear); err != nil {
			return parts, err
		}
	}
	if parts.Own {
		parts.DaysToSell = s.Estimates.DaysToSell(listing, parts.Estimate)
	}
	if listing.Status.Public() {
		parts.Deal = s.Estimates.Deal(listing, parts.Trend)
	}
	return parts, err
}

// recentSales returns the last sales of the listing's gear in about its condition, with
// the listings that were sold.
func (s Deps) recentSales(ctx context.Context, l *models.Listing) ([]views.ListedSale, error) {
	sales, err := s.Trades.RecentSales(ctx, l.Gear, l.Condition.Near(), salesShown)
	if err != nil {
		return nil, err
	}
	var ids []string
	for i := range sales {
		if id := sales[i].ListingID; id != "" {
			ids = append(ids, id)
		}
	}
	listings, err := s.Listings.AllListingsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	listed := make([]views.ListedSale, len(sales))
	for i := range sales {
		listed[i] = views.ListedSale{Sale: &sales[i], Listing: listings[sales[i].ListingID]}
	}
	return listed, nil
}

// similar returns other listings of the same gear, best deals first, then listings of
// the same category at about the same price.
func (s Deps) similar(l *models.Listing, gear *catalog.Gear) ([]ui.Card, error) {
	var cards []ui.Card
	if gear != nil {
		same, err := s.Cards.Others(search.Query{Filter: search.Filter{Model: gear.Slug()}, Sort: search.Deal}, similarShown, l.ID)
		if err != nil {
			return nil, err
		}
		cards = same
	}
	low := models.Amount{Cents: l.Price * 3 / 4, Currency: s.Site.Currency().Or(l.Currency)}
	high := models.Amount{Cents: l.Price * 5 / 4, Currency: s.Site.Currency().Or(l.Currency)}
	alike := search.Query{Filter: search.Filter{Category: models.Kind(l.Category)}, Min: &low, Max: &high, Sort: search.Newest}
	if gear != nil && gear.Mount != "" && !strings.Contains(gear.Mount, ",") {
		alike.Mount = gear.Mount
	}
	more, err := s.Cards.Others(alike, similarShown+len(cards), l.ID)
	if err != nil {
		return nil, err
	}
	for _, c := range more {
		known := slices.ContainsFunc(cards, func(k ui.Card) bool { return k.ID == c.ID })
		if !known && len(cards) < similarShown {
			cards = append(cards, c)
		}
	}
	return cards, nil
}

// listingSources returns what the page of a listing is made of. Its similar listings
// are of the same category if there are too few of the same gear.
func listingSources(p *views.Listing) []string {
	tags := []string{cachetag.Listing(p.ID), cachetag.Member(p.Seller), cachetag.Gear(p.Gear)}
	other := func(c ui.Card) bool { return c.Gear != p.Gear || c.Gear == "" }
	if len(p.Similar) < similarShown || slices.ContainsFunc(p.Similar, other) {
		tags = append(tags, cachetag.Category(string(p.Category)))
	}
	return tags
}

// listingForm returns the form of a listing, with the gear that its title may mean and
// the price guide of its gear in its condition, which assesses its price.
func (s Deps) listingForm(ctx context.Context, l *models.Listing) (form *views.ListingForm, err error) {
	form = views.NewListingForm(s.Site, l, s.Gear.Name).WithDefaultPostage(caller.Identity(ctx).Member.Postage)
	form.Matching = s.Gear.Suggest(l.Title)
	if gear := s.Catalog.Gear(l.Gear); gear != nil {
		price := l.Price
		if l.Currency != "" {
			price = 0 // sold prices are in the currency of the site
		}
		form.Guide, err = s.Guides.Guide(ctx, gear, market.Asked{Condition: l.Condition, Price: price})
	}
	return form, err
}
