package handlers

import (
	"context"
	"fmt"
	"strings"

	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/views"
)

type sellerInput struct {
	Handle string `json:"handle" in:"path" jsonschema:"handle of the seller, as listings name it" example:"kleine-blende"`
}

// How many listings a seller's page shows, for sale with the way to the rest and
// sold, and how many ratings.
const (
	sellerListingsShown = 24
	sellerSalesShown    = 12
	ratingsShown        = 20
)

func (s *Server) getSeller() Operation {
	return Op[sellerInput, *views.Seller]{
		Name:    "get_seller",
		Path:    "/api/sellers/{handle}",
		Page:    "/sellers/{handle}",
		Tag:     "Sellers",
		Title:   "Get a seller",
		Summary: "A seller: what they have for sale, what they sold, how they are rated and how fast they answer.",
		Description: "Answers with a seller's name, region, how long they have been a member, how buyers and sellers rated them after completed sales, how fast they answer, what is for sale now (newest first) and what was sold last. " +
			"Take the handle from a listing. To search among one seller's listings use search_listings with seller.",
		Errors:  []string{"seller_not_found"},
		Example: s.showNewest("handle", func(c *views.Card) string { return c.Seller }),
		Do:      s.readSeller,
	}.Operation()
}

func (s *Server) readSeller(ctx context.Context, in *sellerInput) (*views.Seller, error) {
	member, err := s.store.Member(ctx, strings.ToLower(in.Handle))
	if isNotFound(err) {
		return nil, &models.Error{Kind: models.NotFound, Code: "seller_not_found",
			Message: fmt.Sprintf("No seller has the handle %q.", in.Handle),
			Hint:    "Take the handle from the seller field of a listing; GET /api/listings/search finds listings."}
	}
	if err != nil {
		return nil, err
	}
	found, err := s.index.Search(search.Query{Filter: search.Filter{Seller: member.Handle}, Sort: search.Newest, Limit: sellerListingsShown})
	if err != nil {
		return nil, err
	}
	forSale, err := decodeCards(found)
	if err != nil {
		return nil, err
	}
	counts, err := s.store.CountBySeller(ctx, member.ID)
	if err != nil {
		return nil, err
	}
	sold, err := s.soldBy(ctx, member)
	if err != nil {
		return nil, err
	}
	page := views.NewSeller(&s.site, member, found.Total, counts[models.StatusSold], forSale, sold, found.NextCursor)
	return page, s.trust(ctx, page, member.ID)
}

// trust writes onto a seller's page how they are rated, and how they answer.
func (s *Server) trust(ctx context.Context, page *views.Seller, id string) error {
	standing, err := s.store.Standing(ctx, id)
	if err != nil {
		return err
	}
	given, err := s.store.Ratings(ctx, id, ratingsShown)
	if err != nil {
		return err
	}
	raters := make([]string, len(given))
	for i := range given {
		raters[i] = given[i].RaterID
	}
	members, err := s.store.MembersByID(ctx, raters)
	if err != nil {
		return err
	}
	ratings := make([]views.Rated, len(given))
	for i := range given {
		ratings[i] = views.Rated{Rating: given[i], By: members[given[i].RaterID]}
	}
	responses, err := s.store.Responses(ctx, id)
	if err != nil {
		return err
	}
	page.Trust(standing, ratings, responses)
	return nil
}

// soldBy are the cards of what a member sold last.
func (s *Server) soldBy(ctx context.Context, member *models.Member) ([]views.Card, error) {
	listings, err := s.store.ListingsBySeller(ctx, member.ID, []models.Status{models.StatusSold}, models.ListingKey{}, sellerSalesShown)
	if err != nil {
		return nil, err
	}
	cards := make([]views.Card, len(listings))
	for i, l := range listings {
		cards[i] = views.NewCard(&s.site, l, s.catalog.Gear(l.Gear), member.Handle, nil)
	}
	return cards, nil
}
