package account

import (
	"context"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/sample"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	"github.com/secondlight/secondlight/models/store"
	views "github.com/secondlight/secondlight/views/account"
	tradeviews "github.com/secondlight/secondlight/views/trade"
	"github.com/secondlight/secondlight/views/ui"
)

// dashboardOps holds the operation of a member's dashboard.
type dashboardOps struct{ Deps }

// maxUnderWay is the maximum number of offers under way that the dashboard counts.
const maxUnderWay = 200

func (s dashboardOps) showAccount() web.Operation {
	return web.Op[struct{}, *views.Dashboard]{
		Name: "show_account", Page: "/account", Access: web.Members, Scope: string(models.AccountRead), Tag: "Account",
		Title: "Your account", Summary: "Shows open tasks, and what you sell, buy and watch.",
		Description: "Returns the parts of the member's account page: offers and messages that wait, listings, offers, watchlist and saved searches.",
		Sample: func() *views.Dashboard {
			return views.NewDashboard(s.Site, &views.DashboardParts{Identity: sample.Identity(), Watching: []ui.Card{s.Cards.Sample()}})
		},
		Do: func(ctx context.Context, _ *struct{}) (*views.Dashboard, error) {
			parts := &views.DashboardParts{Identity: caller.Identity(ctx)}
			parts.Operator = staffPages(parts.Identity.Account.Role)
			var err error
			if parts.Waiting, err = s.waiting(ctx); err != nil {
				return nil, err
			}
			if err := s.trades(ctx, parts); err != nil {
				return nil, err
			}
			if err := s.watching(ctx, parts); err != nil {
				return nil, err
			}
			return views.NewDashboard(s.Site, parts), nil
		},
	}.Operation()
}

// trades adds what the caller sells and buys.
func (s dashboardOps) trades(ctx context.Context, parts *views.DashboardParts) error {
	me := parts.Identity.Member.ID
	offers, err := s.Trades.FilterOffers(ctx, me, store.OfferFilter{UnderWay: true}, store.OfferKey{}, maxUnderWay)
	if err != nil {
		return err
	}
	open := map[string]int{} // offers by listing of the caller
	var sales, buying []models.Offer
	for _, o := range offers {
		switch {
		case o.BuyerID == me:
			buying = append(buying, o)
		case o.AwaitsReply():
			open[o.ListingID]++
		default:
			sales = append(sales, o)
		}
	}
	if parts.Sales, err = s.Offers(ctx, sales[:min(len(sales), views.DashboardRows)]); err != nil {
		return err
	}
	if parts.Buying, err = s.Offers(ctx, buying[:min(len(buying), views.DashboardRows)]); err != nil {
		return err
	}
	if parts.Counts, err = s.Listings.CountBySeller(ctx, me); err != nil {
		return err
	}
	if parts.Active, err = s.ownListings(ctx, models.StatusActive, open); err != nil {
		return err
	}
	parts.Drafts, err = s.ownListings(ctx, models.StatusDraft, nil)
	return err
}

// ownListings returns the newest listings of the caller in a status. offers counts the
// open offers by listing.
func (s dashboardOps) ownListings(ctx context.Context, status models.Status, offers map[string]int) ([]views.OwnListing, error) {
	me := caller.Identity(ctx).Member
	listings, err := s.Listings.ListingsBySeller(ctx, me.ID, []models.Status{status}, store.ListingKey{}, views.DashboardRows)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(listings))
	for i, l := range listings {
		ids[i] = l.ID
	}
	watchers, err := s.Trades.CountWatchers(ctx, ids)
	if err != nil {
		return nil, err
	}
	own := make([]views.OwnListing, len(listings))
	for i, l := range listings {
		own[i] = views.OwnListing{Card: ui.NewCard(s.Site, l, s.Catalog.Gear(l.Gear), me.Handle, nil), Offers: offers[l.ID], Watchers: watchers[l.ID]}
	}
	return own, nil
}

// watching adds what the caller watches and searches for.
func (s dashboardOps) watching(ctx context.Context, parts *views.DashboardParts) error {
	watches, err := s.Watched(ctx)
	if err != nil {
		return err
	}
	for _, w := range watches[:min(len(watches), views.DashboardCards)] {
		parts.Watching = append(parts.Watching, w.Listing)
	}
	searches, err := s.Watches.Searches(ctx, parts.Identity.Member.ID)
	for i := range searches[:min(len(searches), views.DashboardRows)] {
		parts.Searches = append(parts.Searches, s.Queries.Card(&searches[i]))
	}
	return err
}

// waiting counts the caller's pending tasks.
func (s Deps) waiting(ctx context.Context) (parts tradeviews.WaitingParts, err error) {
	if parts.Unread, err = s.Trades.CountUnread(ctx, caller.ID(ctx)); err != nil {
		return parts, err
	}
	parts.Offers, err = s.Trades.WaitingFor(ctx, caller.ID(ctx), maxWaiting)
	return parts, err
}

// staffPages returns the link to the pages of administration, if the role may open any.
func staffPages(role models.Role) []ui.Link {
	pages := ui.AdminLinks(role)
	if len(pages) == 0 {
		return nil
	}
	return []ui.Link{{Href: pages[0].Href, Label: "Manage site"}}
}

// maxWaiting is the maximum number of offers in a member's list of pending tasks.
const maxWaiting = 50
