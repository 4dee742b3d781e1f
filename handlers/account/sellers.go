package account

import (
	"context"

	"github.com/secondlight/secondlight/handlers/cachetag"
	"github.com/secondlight/secondlight/handlers/input"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/problem"
	"github.com/secondlight/secondlight/models/search"
	"github.com/secondlight/secondlight/models/store"
	views "github.com/secondlight/secondlight/views/account"
	"github.com/secondlight/secondlight/views/ui"
)

// sellerOps holds the operations on sellers.
type sellerOps struct{ Deps }

type sellerInput struct {
	Handle string `json:"handle" in:"path" jsonschema:"handle of the seller, from a listing" example:"kleine-blende"`
}

// Numbers of active listings, sold listings and ratings on the page of a seller.
const (
	sellerListingsShown = 24
	sellerSalesShown    = 12
	ratingsShown        = 20
)

func (s sellerOps) getSeller() web.Operation {
	return web.Op[sellerInput, *views.Seller]{
		Name:      "get_seller",
		Path:      "/api/sellers/{handle}",
		Page:      "/sellers/{handle}",
		Tag:       "Sellers",
		Shared:    true,
		DependsOn: sellerSources,
		Title:     "Get a seller",
		Summary:   "Returns a seller's listings, sales, ratings and response time.",
		Description: "Returns a seller's name, region, join date, ratings from completed sales, response time, active listings (newest first) and latest sales. " +
			"Get the handle from a listing. To search the listings of one seller use search_listings with seller.",
		Errors:  []string{"seller_not_found"},
		Example: s.Cards.NewestExample("handle", func(c *ui.Card) string { return c.Seller }),
		Do:      s.readSeller,
	}.Operation()
}

func (s sellerOps) readSeller(ctx context.Context, in *sellerInput) (*views.Seller, error) {
	member, err := s.Accounts.Member(ctx, input.ReadHandle(in.Handle))
	if input.IsNotFound(err) {
		return nil, s.sellerNotFound(in.Handle)
	}
	if err != nil {
		return nil, err
	}
	found, err := s.Index.Search(search.Query{Filter: search.Filter{Seller: member.Handle}, Sort: search.Newest, Limit: sellerListingsShown, NoFacets: true})
	if err != nil {
		return nil, err
	}
	forSale, err := s.Cards.Decode(found)
	if err != nil {
		return nil, err
	}
	seller, err := s.Trades.Seller(ctx, member.ID)
	if err != nil {
		return nil, err
	}
	sold, err := s.soldBy(ctx, member)
	if err != nil {
		return nil, err
	}
	page := views.NewSeller(s.Site, member, found.Total, seller.Sold, forSale, sold, found.NextCursor)
	return page, s.addRatings(ctx, page, seller)
}

// sellerNotFound returns seller_not_found with links to the sellers that may be meant.
func (s sellerOps) sellerNotFound(handle string) error {
	unknown := &problem.Unresolved{Candidates: s.Index.NearSellers(input.ReadHandle(handle)),
		Known: problem.Programf("Get the handle from the seller field of a listing; search listings with GET /api/listings/search.")}
	err := &problem.Error{Kind: problem.NotFound, Code: "seller_not_found", Message: problem.Textf("No seller has the username %q.", handle), Hint: unknown.Hint()}
	for _, near := range unknown.Candidates {
		err.Links = append(err.Links, problem.Link{Href: "/sellers/" + near, Label: near})
	}
	return err
}

// addRatings adds the ratings and response time of a seller to their page.
func (s sellerOps) addRatings(ctx context.Context, page *views.Seller, seller *store.Seller) error {
	received, err := s.Trades.Ratings(ctx, seller.ID, ratingsShown)
	if err != nil {
		return err
	}
	raters := make([]string, len(received))
	for i := range received {
		raters[i] = received[i].RaterID
	}
	members, err := s.Accounts.MembersByID(ctx, raters)
	if err != nil {
		return err
	}
	ratings := make([]views.AuthoredRating, len(received))
	for i := range received {
		ratings[i] = views.AuthoredRating{Rating: received[i], By: members[received[i].RaterID]}
	}
	responses, err := s.Trades.ResponseStats(ctx, seller.ID)
	if err != nil {
		return err
	}
	page.WithRatings(seller.RatingSummary, ratings, responses)
	return nil
}

// soldBy returns the cards of a member's latest confirmed sales.
func (s sellerOps) soldBy(ctx context.Context, member *models.Member) ([]ui.Card, error) {
	listings, err := s.Trades.SoldListings(ctx, member.ID, sellerSalesShown)
	if err != nil {
		return nil, err
	}
	cards := make([]ui.Card, len(listings))
	for i, l := range listings {
		cards[i] = ui.NewSoldCard(s.Site, l, s.Catalog.Gear(l.Gear), member.Handle)
	}
	return cards, nil
}

// sellerSources returns what the page of a seller is made of. It names those who rated
// the seller.
func sellerSources(p *views.Seller) []string {
	tags := []string{cachetag.Member(p.Handle)}
	for i := range p.RecentRatings {
		tags = append(tags, cachetag.Member(p.RecentRatings[i].By.Handle))
	}
	return tags
}
