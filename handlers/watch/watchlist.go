package watch

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/secondlight/secondlight/handlers/caller"
	"github.com/secondlight/secondlight/handlers/sample"
	"github.com/secondlight/secondlight/handlers/web"
	"github.com/secondlight/secondlight/models"
	views "github.com/secondlight/secondlight/views/watch"
)

// watchlistOps holds the operations on the watchlist.
type watchlistOps struct{ Deps }

func (s watchlistOps) getWatchlist() web.Operation {
	return web.Op[struct{}, *views.Watchlist]{
		Name:    "get_watchlist",
		Path:    "/api/watchlist",
		Page:    "/account/watchlist",
		Tag:     "Watching",
		Access:  web.Members,
		Scope:   string(models.AccountRead),
		Title:   "Get the watchlist",
		Summary: "Lists the listings you watch and their price changes.",
		Description: "Returns every listing you watch in its current state, its price when you added it and the price drop since then. " +
			"Add listings with watch_listing and remove them with unwatch_listing.",
		Sample: func() *views.Watchlist {
			return views.NewWatchlist(s.Site, []views.Watch{*s.sampleWatch()})
		},
		Do: func(ctx context.Context, _ *struct{}) (*views.Watchlist, error) { return s.watchlist(ctx) },
	}.Operation()
}

func (s watchlistOps) watchlist(ctx context.Context) (*views.Watchlist, error) {
	watches, err := s.Watched(ctx, "")
	if err != nil {
		return nil, err
	}
	return views.NewWatchlist(s.Site, watches), nil
}

// Watched returns the caller's watches, or only that of one listing if only is not "".
func (s Deps) Watched(ctx context.Context, only string) ([]views.Watch, error) {
	stored, err := s.Watches.Watches(ctx, caller.ID(ctx))
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, w := range stored {
		if only == "" || w.ListingID == only {
			ids = append(ids, w.ListingID)
		}
	}
	listings, err := s.Listings.ListingsByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	cards, err := s.Cards.Of(ctx, listings)
	if err != nil {
		return nil, err
	}
	byID := map[string]int{}
	for i, l := range listings {
		byID[l.ID] = i
	}
	var watches []views.Watch
	for i := range stored {
		if k, ok := byID[stored[i].ListingID]; ok {
			watches = append(watches, views.NewWatch(s.Site, cards[k], &stored[i], listings[k]))
		}
	}
	return watches, nil
}

type watchInput struct {
	Listing string `json:"listing" in:"path" jsonschema:"UUID of the listing" example:"019aa7d2-7c00-7000-8000-000000000000"`
}

func (s watchlistOps) watchListing() web.Operation {
	return web.Op[watchInput, *views.Watch]{
		Name:    "watch_listing",
		Method:  http.MethodPut,
		Path:    "/api/watchlist/{listing}",
		Page:    "/account/watchlist/{listing}",
		Form:    "/account/watchlist",
		Tag:     "Watching",
		Access:  web.Members,
		Scope:   string(models.WatchWrite),
		Done:    "You're watching this listing. We'll email you when its price drops.",
		Title:   "Watch a listing",
		Summary: "Adds a listing to your watchlist.",
		Description: "You get an email when its price falls at least 3 % below the lowest price you were notified of. Watching a listing again has no effect. " +
			"At most 500 listings.",
		Errors: []string{"listing_not_found", "too_many_watches"},
		Sample: s.sampleWatch,
		Do: func(ctx context.Context, in *watchInput) (*views.Watch, error) {
			id := strings.ToLower(in.Listing)
			if err := s.Watches.AddWatch(ctx, caller.ID(ctx), id); err != nil {
				return nil, err
			}
			watches, err := s.Watched(ctx, id)
			if err != nil {
				return nil, err
			}
			if len(watches) == 0 { // it was removed from the site in the meantime
				_, err := s.Listings.Listing(ctx, id)
				return nil, errors.Join(err, ctx.Err())
			}
			return &watches[0], nil
		},
	}.Operation()
}

func (s watchlistOps) unwatchListing() web.Operation {
	return web.Op[watchInput, *views.Watchlist]{
		Name:        "unwatch_listing",
		Method:      http.MethodDelete,
		Path:        "/api/watchlist/{listing}",
		Page:        "/account/watchlist/{listing}/remove",
		Form:        "/account/watchlist",
		Tag:         "Watching",
		Access:      web.Members,
		Scope:       string(models.WatchWrite),
		Done:        "Removed from your watchlist.",
		Title:       "Stop watching a listing",
		Summary:     "Removes a listing from your watchlist.",
		Description: "Returns the remaining watchlist. Removing a listing that is not on it has no effect.",
		Sample:      func() *views.Watchlist { return views.NewWatchlist(s.Site, nil) },
		Do: func(ctx context.Context, in *watchInput) (*views.Watchlist, error) {
			if err := s.Watches.DeleteWatch(ctx, caller.ID(ctx), strings.ToLower(in.Listing)); err != nil {
				return nil, err
			}
			return s.watchlist(ctx)
		},
	}.Operation()
}

// sampleWatch returns an example watch.
func (s watchlistOps) sampleWatch() *views.Watch {
	w := views.NewWatch(s.Site, s.Cards.Sample(), &models.Watch{ListingID: "019aa7d2-7c00-7000-8000-000000000000", Price: 109900, CreatedAt: sample.Day}, &models.Listing{Price: 99900})
	return &w
}
