package market

import (
	"context"
	"slices"

	"github.com/secondlight/secondlight/handlers/sample"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/catalog"
	"github.com/secondlight/secondlight/models/prices"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	"github.com/secondlight/secondlight/views/ui"
)

// Cards makes the cards of listings and gear.
type Cards struct {
	Accounts  *store.Accounts
	Trends    *Trends
	Site      *ui.Site
	Catalog   *catalog.Catalog
	Index     *search.Index
	Estimates *Estimates
}

// Of returns the cards of listings of any sellers, with their deals.
func (s *Cards) Of(ctx context.Context, listings []*models.Listing) ([]ui.Card, error) {
	cards := make([]ui.Card, len(listings))
	var gear, sellers []string
	for _, l := range listings {
		sellers = append(sellers, l.SellerID)
		if l.Gear != "" {
			gear = append(gear, l.Gear)
		}
	}
	trends, err := s.Trends.Of(ctx, gear)
	if err != nil {
		return nil, err
	}
	members, err := s.Accounts.MembersByID(ctx, sellers)
	if err != nil {
		return nil, err
	}
	for i, l := range listings {
		var deal *prices.Deal
		if l.Status == models.StatusActive {
			deal = s.Estimates.Deal(l, trends[l.Gear])
		}
		cards[i] = ui.NewCard(s.Site, l, s.Catalog.Gear(l.Gear), members[l.SellerID].Handle, deal)
	}
	return cards, nil
}

// CardRenderer returns a function that encodes the card of a listing for the index.
func CardRenderer(site *ui.Site, catalog *catalog.Catalog) search.Render {
	return func(l *models.Listing, seller string, deal *prices.Deal) []byte {
		card := ui.NewCard(site, l, catalog.Gear(l.Gear), seller, deal)
		card.Approx = nil // it depends on the reader and on the day
		body, err := web.EncodeJSON(&card)
		if err != nil {
			panic(err) // a card has only strings and numbers
		}
		return body
	}
}

// NewestExample returns an example value of a parameter, taken from the newest listing.
// There is no example when nothing is for sale.
func (s *Cards) NewestExample(name string, value func(*ui.Card) string) func() map[string]string {
	return func() map[string]string {
		found, err := s.Index.Search(search.Query{Sort: search.Newest, Limit: 1, NoFacets: true})
		if err != nil {
			return nil
		}
		cards, err := s.Decode(found)
		if err != nil || len(cards) == 0 {
			return nil
		}
		return map[string]string{name: value(&cards[0])}
	}
}

// Others returns the first n cards of a search, leaving out one listing.
func (s *Cards) Others(q search.Query, n int, without string) ([]ui.Card, error) {
	q.Limit, q.NoFacets = n+1, true
	found, err := s.Index.Search(q)
	if err != nil {
		return nil, err
	}
	cards, err := s.Decode(found)
	if err != nil {
		return nil, err
	}
	cards = slices.DeleteFunc(cards, func(c ui.Card) bool { return c.ID == without })
	return cards[:min(n, len(cards))], nil
}

// Decode returns the cards of a search result.
func (s *Cards) Decode(found *search.Result) ([]ui.Card, error) {
	return s.List(found).Decode()
}

// List returns the cards of a search result with their prices in the currency of the
// reader.
func (s *Cards) List(found *search.Result) ui.CardList {
	for i, a := range found.Approx {
		if a.Day != "" {
			found.Cards[i] = ui.AppendApprox(s.Site, found.Cards[i], a)
		}
	}
	return found.Cards
}

// OfGear returns cards of gear with sold prices and asking prices.
func (s *Cards) OfGear(ctx context.Context, gear []*catalog.Gear) ([]ui.GearCard, error) {
	slugs := make([]string, len(gear))
	for i, g := range gear {
		slugs[i] = g.Slug()
	}
	trends, err := s.Trends.Of(ctx, slugs)
	if err != nil {
		return nil, err
	}
	cards := make([]ui.GearCard, len(gear))
	for i, g := range gear {
		forSale, lowest, _ := s.Index.Asking(g.Slug())
		cards[i] = ui.NewGearCard(s.Site, g, forSale, lowest, trends[g.Slug()], s.Estimates.Of(g.Slug(), ""))
	}
	return cards, nil
}

// Sample returns the card of an example listing.
func (s *Cards) Sample() ui.Card {
	l := &models.Listing{ID: "019aa7d2-7c00-7000-8000-000000000000", Title: "Canon EOS R6, barely used", Gear: "canon/eos-r6", Category: "mirrorless", Item: models.Item{Condition: "excellent", Functional: "fully_working"},
		Price: 99900, Region: "DE", Status: models.StatusActive, PublishedAt: sample.Day}
	return ui.NewCard(s.Site, l, s.Catalog.Gear(l.Gear), "kleine-blende", nil)
}
